package value

import (
	"bytes"
	"math"
	"sync"

	"github.com/protean-pb/protean/internal/json/jsontext"
	"github.com/protean-pb/protean/internal/mapsort"
	"github.com/protean-pb/protean/internal/structval/index"
)

// appendJSON does the work of AppendJSON for the three forms.
func (o JSONOptions) appendJSON(dst, in []byte, form index.Form) ([]byte, error) {
	po := ParseOptions{MaxDepth: o.MaxDepth, MaxSize: o.MaxSize}
	err := indexed(in, form, po, func(nodes []index.Node, wire []byte) error {
		var at int
		var err error
		if dst, at, err = writeJSON(dst, nodes, wire, 0); err != nil {
			e := &Error{Err: err, Offset: -1, Path: Doc{wire: wire, nodes: nodes}.child(at).Path()}
			if len(wire) > 0 && &in[0] == &wire[0] { // and not its regular form
				e.Offset = cap(wire) - cap(nodes[at].Content(wire))
			}
			return e
		}
		return nil
	})
	return dst, err
}

// AppendJSON appends the JSON text of d to dst, as the function [AppendJSON] does; d being
// absent is an error, [ErrAbsent].
func (d Doc) AppendJSON(dst []byte) ([]byte, error) {
	if d.state() == absent {
		return dst, d.Err()
	}
	out, at, err := writeJSON(dst, d.nodes, d.wire, d.at())
	if err != nil {
		return dst, &Error{Err: err, Offset: -1, Path: d.child(at).Path()}
	}
	return out, nil
}

// A jsonWriter writes nodes as JSON text.
type jsonWriter struct {
	nodes  []index.Node
	wire   []byte
	out    []byte
	frames []jsonFrame
	sorted []mapsort.Mark // the children, in order, of the open objects that need it
}

// A jsonFrame is an object or array that is being written.
type jsonFrame struct {
	left  uint32 // how many children are to be written
	next  uint32 // the next of them: a node, or an element of sorted
	base  int32  // where the object's part of sorted starts; -1 where it has none
	close byte   // the bracket; 0 for what holds the root alone
}

var jsonWriters = sync.Pool{New: func() any { return new(jsonWriter) }}

// maxPooled is how many bytes a buffer that goes back to a pool may have.
const maxPooled = 1 << 20

// writeJSON appends the text of a node to dst. In case of an error, at is the node that it
// is about. The text is written elsewhere first, so that dst grows once, as far as needed.
func writeJSON(dst []byte, nodes []index.Node, wire []byte, root int) (out []byte, at int, err error) {
	w := jsonWriters.Get().(*jsonWriter)
	w.nodes, w.wire, w.out = nodes, wire, w.out[:0]
	if at, err = w.write(root); err == nil {
		dst = append(dst, w.out...)
	}
	w.release()
	return dst, at, err
}

func (w *jsonWriter) release() {
	w.nodes, w.wire = nil, nil
	if cap(w.out) > maxPooled {
		w.out = nil
	}
	if cap(w.frames) > maxPooled/16 {
		w.frames = nil
	}
	if cap(w.sorted) > maxPooled/16 {
		w.sorted = nil
	}
	jsonWriters.Put(w)
}

// write writes a node and all below it. It returns the node of an error.
func (w *jsonWriter) write(root int) (int, error) {
	w.frames, w.sorted = w.frames[:0], w.sorted[:0]
	nodes, wire, out := w.nodes, w.wire, w.out
	top := jsonFrame{left: 1, next: uint32(root), base: -1}
	for {
		for top.left == 0 {
			if top.close == 0 {
				w.out = out
				return 0, nil
			}
			out = append(out, top.close)
			if top.base >= 0 {
				w.sorted = w.sorted[:top.base]
			}
			top = w.frames[len(w.frames)-1]
			w.frames = w.frames[:len(w.frames)-1]
			if top.left > 0 {
				out = append(out, ',')
			}
		}
		top.left--
		at := top.next
		if top.base < 0 {
			top.next = uint32(index.Next(nodes, int(at)))
		} else {
			at = w.sorted[at].At
			top.next++
		}
		n := &nodes[at]
		if top.close == '}' {
			out = append(jsontext.AppendString(out, n.Key(wire)), ':')
		}
		switch n.Kind() {
		case index.String:
			out = jsontext.AppendString(out, n.Content(wire))
		case index.Number:
			f := n.Float(wire)
			if math.IsNaN(f) || math.IsInf(f, 0) {
				return int(at), ErrNumber
			}
			out = jsontext.AppendFloat(out, f)
		case index.Bool:
			if n.Bool(wire) {
				out = append(out, "true"...)
			} else {
				out = append(out, "false"...)
			}
		case index.Null:
			out = append(out, "null"...)
		case index.Object:
			out = append(out, '{')
			w.frames = append(w.frames, top)
			top = w.object(int(at))
			continue // before the first child there is no comma
		case index.Array:
			out = append(out, '[')
			w.frames = append(w.frames, top)
			top = jsonFrame{left: uint32(index.Len(nodes, int(at))), next: uint32(index.First(int(at))), base: -1,
				close: ']'}
			continue
		default:
			return int(at), ErrUnset
		}
		if top.left > 0 {
			out = append(out, ',')
		}
	}
}

// object returns the frame of an object. If its keys are not in order, or some of them
// are the same, it lists the children that are to be written in sorted.
func (w *jsonWriter) object(at int) jsonFrame {
	count, first := index.Len(w.nodes, at), index.First(at)
	f := jsonFrame{left: uint32(count), next: uint32(first), base: -1, close: '}'}
	if count < 2 || w.inOrder(first, count) {
		return f
	}
	f.base = int32(len(w.sorted))
	for at = first; count > 0; count-- {
		n := &w.nodes[at]
		w.sorted = append(w.sorted, mapsort.MarkOf(n.KeyText(w.wire), uint32(at)))
		at = index.Next(w.nodes, at)
	}
	keys := w.sorted[f.base:]
	name := func(at uint32) string { return w.nodes[at].KeyText(w.wire) }
	mapsort.Sort(keys, name)
	kept := 0
	for i, k := range keys {
		if i > 0 && keys[kept-1].Prefix == k.Prefix && name(keys[kept-1].At) == name(k.At) {
			kept-- // the last one counts
		}
		keys[kept] = k
		kept++
	}
	f.left, f.next = uint32(kept), uint32(f.base)
	w.sorted = w.sorted[:int(f.base)+kept]
	return f
}

// inOrder reports whether the keys of so many children from the given one on ascend.
func (w *jsonWriter) inOrder(at, count int) bool {
	last := w.nodes[at].Key(w.wire)
	for range count - 1 {
		at = index.Next(w.nodes, at)
		key := w.nodes[at].Key(w.wire)
		if bytes.Compare(last, key) >= 0 {
			return false
		}
		last = key
	}
	return true
}
