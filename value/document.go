package value

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/structval/index"
)

// A Doc is a node of a parsed message: a Value, and all below it. It is a small
// handle, to be passed by value.
//
// A Doc reads the bytes that it was parsed from, in place: it aliases them, unless
// [ParseOptions] say Copy. As long as it, or a string or slice that it returned, is
// in use, nobody may change those bytes. With that, any number of goroutines may read
// it and the other nodes of the same message at the same time.
//
// The zero Doc is absent, and so is the result of a look-up that finds nothing; all
// methods may be called on it.
type Doc struct {
	wire  []byte
	nodes []index.Node
	ref   uint32 // the index of the node, and in the lowest stateBits bits a docState

	// The step that led nowhere, of an absent Doc: key if step is missingKey, else the index that is step-1; none if
	// step is 0. Docs are copied with every look-up, and an interface or an protoerr.Step would make them larger.
	step int32
	key  string
}

// missingKey is the step of an absent Doc that was looked for by a key.
const missingKey = -1

const (
	stateBits = 2
	stateMask = 1<<stateBits - 1
)

type docState int

const (
	absent docState = iota
	present
	// bare is present, but the wire form is that of a Struct or ListValue and not of
	// a Value: the root after ParseStruct and ParseList.
	bare
)

func (d Doc) at() int { return int(d.ref >> stateBits) }

func (d Doc) state() docState { return docState(d.ref & stateMask) }

// ParseOptions say how to parse. The zero ParseOptions are [Parse].
type ParseOptions struct {
	// Copy makes the Doc independent of the input, by copying it once.
	Copy bool
	// MaxDepth is how many messages may be nested; 0 stands for [DefaultMaxDepth].
	MaxDepth int
	// MaxSize is how many bytes the input may have; 0 stands for the 256 MiB that an
	// index can address.
	MaxSize int
}

// Parse validates the wire form of a google.protobuf.Value and indexes it.
//
// It accepts what the official library accepts. A message that is legal but not as
// libraries write it (see the package documentation) is rewritten first, so that the
// Doc does not alias b. The error is an [*Error] with the offset and the path.
func Parse(b []byte) (Doc, error) { return ParseOptions{}.Parse(b) }

// ParseStruct validates and indexes a google.protobuf.Struct, with the rules of [Parse]. The Doc is of kind [Object].
func ParseStruct(b []byte) (Doc, error) { return ParseOptions{}.ParseStruct(b) }

// ParseList validates and indexes a google.protobuf.ListValue, with the rules of [Parse]. The Doc is of kind [List].
func ParseList(b []byte) (Doc, error) { return ParseOptions{}.ParseList(b) }

// Parse is the function [Parse] with options.
func (o ParseOptions) Parse(b []byte) (Doc, error) { return o.fresh(b, index.Value) }

// ParseStruct is the function [ParseStruct] with options.
func (o ParseOptions) ParseStruct(b []byte) (Doc, error) { return o.fresh(b, index.Struct) }

// ParseList is the function [ParseList] with options.
func (o ParseOptions) ParseList(b []byte) (Doc, error) { return o.fresh(b, index.List) }

// Parse is the function [Parse] into the memory of an earlier result: where that
// suffices, nothing is allocated. The Docs that belong to the earlier result must not
// be used any more. After an error d is absent.
func (d *Doc) Parse(b []byte) error { return d.reparse(b, index.Value) }

// ParseStruct is like the method Parse for a google.protobuf.Struct.
func (d *Doc) ParseStruct(b []byte) error { return d.reparse(b, index.Struct) }

// ParseList is like the method Parse for a google.protobuf.ListValue.
func (d *Doc) ParseList(b []byte) error { return d.reparse(b, index.List) }

func (d *Doc) reparse(b []byte, form index.Form) error {
	nodes, wire, err := ParseOptions{}.parse(d.nodes[:0], b, form, true)
	*d = Doc{wire: wire, nodes: nodes}
	if err == nil {
		d.ref = uint32(stateOf(form))
	}
	return err
}

func stateOf(form index.Form) docState {
	if form == index.Value {
		return present
	}
	return bare
}

// scratch are slices of nodes to parse into, so that what is kept has the exact size.
var scratch = sync.Pool{New: func() any { return new([]index.Node) }}

// maxScratch is how many nodes a slice that goes back to the pool may have room for.
const maxScratch = 1 << 16

func release(s *[]index.Node, nodes []index.Node) {
	if cap(nodes) <= maxScratch {
		*s = nodes
	}
	scratch.Put(s)
}

func (o ParseOptions) fresh(b []byte, form index.Form) (Doc, error) {
	s := scratch.Get().(*[]index.Node)
	nodes, wire, err := o.parse((*s)[:0], b, form, true)
	if err != nil {
		release(s, nodes)
		return Doc{}, err
	}
	d := Doc{wire: wire, nodes: slices.Clone(nodes), ref: uint32(stateOf(form))}
	release(s, nodes)
	return d, nil
}

// parse returns the nodes of a message and the wire form that they are of: b, a copy
// of it, or its regular form. It returns the memory of nodes in any case.
func (o ParseOptions) parse(nodes []index.Node, b []byte, form index.Form, tables bool) ([]index.Node, []byte, error) {
	depth := o.MaxDepth
	if depth == 0 {
		depth = DefaultMaxDepth
	}
	if limit := o.MaxSize; limit > 0 && len(b) > limit {
		return nodes, nil, &Error{Err: ErrSize, Offset: limit, Path: "$"}
	}
	out, ok := index.Append(nodes, b, form, depth, tables)
	if ok {
		if o.Copy {
			b = slices.Clone(b)
		}
		return out, b, nil
	}
	regular, fault := index.Regularize(b, form, depth)
	if fault != nil {
		return out[:0], nil, indexError(fault)
	}
	// The depth has been found to be right, exactly.
	if out, ok = index.Append(out[:0], regular, form, depth+2, tables); !ok {
		return out[:0], nil, &Error{Err: ErrSize, Offset: -1, Path: "$"}
	}
	if form == index.Value && out[0].Kind() == index.Unset && otherForm(b) != "" {
		regular = slices.Clone(b) // of which nothing is the Value's: see unsetDetail
	}
	return out, regular, nil
}

// otherForm returns the name of the message that b is a regular form of, if it is a Struct or a ListValue with
// something in it: read as a Value, it is one with unknown fields and nothing else.
func otherForm(b []byte) string {
	if len(b) == 0 || b[0] != index.TagElement {
		return ""
	}
	if _, ok := index.Append(nil, b, index.Struct, DefaultMaxDepth, false); ok {
		return "Struct"
	}
	if _, ok := index.Append(nil, b, index.List, DefaultMaxDepth, false); ok {
		return "ListValue"
	}
	return ""
}

// indexed calls read with the nodes of a message and the wire form that they are of,
// which are valid until it returns. The nodes have no tables of keys.
func indexed(b []byte, form index.Form, o ParseOptions, read func(nodes []index.Node, wire []byte) error) error {
	s := scratch.Get().(*[]index.Node)
	nodes, wire, err := o.parse((*s)[:0], b, form, false)
	if err == nil {
		err = read(nodes, wire)
	}
	release(s, nodes)
	return err
}

// node returns the node that a present Doc is.
func (d Doc) node() *index.Node { return &d.nodes[d.at()] }

func (d Doc) child(at int) Doc {
	d.ref = uint32(at)<<stateBits | uint32(present)
	return d
}

// Kind returns what d holds; [Absent] if there is nothing.
func (d Doc) Kind() Kind {
	if d.ref&stateMask == uint32(absent) {
		return Absent
	}
	return Kind(d.nodes[d.ref>>stateBits].Kind()) + 1
}

// Get follows a path from d: a string leads to the value of that key of an object, an
// int to the element of that index, from 0, of a list. Without a path it returns d.
// Where the path leads nowhere (no such key, an index out of range, a step of another
// type, a string on a list) the result is absent. Of several entries with the same key
// the last one counts.
//
// The time is constant for an object with many keys, proportional to the number of keys
// for a small one and to the index for a list.
func (d Doc) Get(path ...any) Doc {
	// Methods of d would have d copied through memory, which takes longer than to
	// look a key up.
	nodes, wire, ref, missing, key := d.nodes, d.wire, d.ref, d.step, d.key
	for _, step := range path {
		if ref&stateMask == uint32(absent) {
			break
		}
		at, child := int(ref>>stateBits), 0
		switch step := step.(type) {
		case string:
			if nodes[at].Kind() == index.Object {
				child = index.Find(nodes, wire, at, step)
			}
		case int:
			if nodes[at].Kind() == index.Array {
				child = element(nodes, at, step)
			}
		}
		if child == 0 {
			ref &^= stateMask // absent, and where it was looked for
			switch step := step.(type) {
			case string:
				missing, key = missingKey, step
			case int:
				if 0 <= step && step < math.MaxInt32 {
					missing = int32(step) + 1
				}
			}
			break
		}
		ref = uint32(child)<<stateBits | uint32(present)
	}
	return Doc{wire: wire, nodes: nodes, ref: ref, step: missing, key: key}
}

// element returns the node of the element of that index of a list; 0 if there is none.
func element(nodes []index.Node, list, i int) int {
	if uint(i) >= uint(index.Len(nodes, list)) {
		return 0
	}
	at := index.First(list)
	for range i {
		at = index.Next(nodes, at)
	}
	return at
}

// Len returns the number of entries of an object, those with the same key counted each,
// or of elements of a list; 0 for everything else.
func (d Doc) Len() int {
	if d.state() == absent {
		return 0
	}
	return index.Len(d.nodes, d.at())
}

// Fields iterates over the entries of an object in the order of the wire, over those
// with the same key too; the last of them is the one that counts. For anything but an
// object there are none. The keys alias the wire form as d does.
func (d Doc) Fields() iter.Seq2[string, Doc] {
	return func(yield func(string, Doc) bool) {
		if d.Kind() != Object {
			return
		}
		at := index.First(d.at())
		for range d.Len() {
			if !yield(d.nodes[at].KeyText(d.wire), d.child(at)) {
				return
			}
			at = index.Next(d.nodes, at)
		}
	}
}

// Elements iterates over the elements of a list with their indexes. For anything but a
// list there are none.
func (d Doc) Elements() iter.Seq2[int, Doc] {
	return func(yield func(int, Doc) bool) {
		if d.Kind() != List {
			return
		}
		at := index.First(d.at())
		for i := range d.Len() {
			if !yield(i, d.child(at)) {
				return
			}
			at = index.Next(d.nodes, at)
		}
	}
}

// Float returns the number that d holds, NaN and infinities included. If d is absent the
// error is [ErrAbsent], if it holds anything else [ErrKind], with the path.
func (d Doc) Float() (float64, error) {
	if d.ref&stateMask != uint32(absent) {
		if n := &d.nodes[d.ref>>stateBits]; n.Kind() == index.Number {
			return n.Float(d.wire), nil
		}
	}
	return 0, d.not(Number)
}

// String returns the text that d holds, with errors as [Doc.Float]. It aliases the wire
// form as d does.
func (d Doc) String() (string, error) {
	if d.ref&stateMask != uint32(absent) {
		if n := &d.nodes[d.ref>>stateBits]; n.Kind() == index.String {
			return n.Text(d.wire), nil
		}
	}
	return "", d.not(String)
}

// Bool returns the truth value that d holds, with errors as [Doc.Float].
func (d Doc) Bool() (bool, error) {
	if d.ref&stateMask != uint32(absent) {
		if n := &d.nodes[d.ref>>stateBits]; n.Kind() == index.Bool {
			return n.Bool(d.wire), nil
		}
	}
	return false, d.not(Bool)
}

// IsNull reports whether d holds null. It is false for an absent d and for [Unset].
func (d Doc) IsNull() bool { return d.Kind() == Null }

// Err returns nil if there is a value, else an [*Error] with [ErrAbsent] whose path ends with the step that led
// nowhere.
func (d Doc) Err() error {
	if d.state() != absent {
		return nil
	}
	return d.not(Absent)
}

// not is the error of an accessor that wanted another kind.
func (d Doc) not(want Kind) error {
	e := &Error{Err: ErrKind, Offset: -1, Path: d.Path(), Detail: d.Kind().String() + " instead of " + want.String()}
	if d.state() == absent {
		e.Err, e.Detail = ErrAbsent, ""
		if len(d.nodes) > 0 {
			e.Detail = "looked for in " + d.child(d.at()).Kind().String()
		}
	}
	e.Detail += d.unsetDetail()
	return e
}

// unsetDetail says what the bytes are where a Value has no kind because they are those of another message.
func (d Doc) unsetDetail() string {
	if len(d.wire) == 0 || d.nodes[0].Kind() != index.Unset {
		return ""
	}
	form := otherForm(d.wire)
	return "; the bytes are a google.protobuf." + form + ": see Parse" + strings.TrimSuffix(form, "Value")
}

// Format prints d as JSON, for all verbs, as [Doc.AppendJSON] has it. Where there is no JSON it prints why, as package
// fmt does, and "<absent>" for an absent Doc.
func (d Doc) Format(s fmt.State, verb rune) {
	text := []byte("<absent>")
	if d.state() != absent {
		var err error
		if text, err = d.AppendJSON(nil); err != nil {
			text = fmt.Appendf(nil, "%%!%c(%v)", verb, err)
		}
	}
	// What cannot be written is the writer's error, of which Formatters cannot speak.
	_, _ = s.Write(text)
}

// MarshalJSON returns d as JSON, as [Doc.AppendJSON] does.
func (d Doc) MarshalJSON() ([]byte, error) { return d.AppendJSON(nil) }

// Path returns the path from the root of the message to d, as errors show it: $.actor.tags[2]. For an absent Doc it
// ends with the first step that led nowhere, if that is a key or an index.
func (d Doc) Path() string {
	var steps []protoerr.Step
	for at := 0; at < d.at(); {
		object := d.nodes[at].Kind() == index.Object
		child := index.First(at)
		for i := 0; ; i++ {
			n := &d.nodes[child]
			if index.Next(d.nodes, child) > d.at() {
				if object {
					i = -1
				}
				steps = append(steps, protoerr.Step{Key: n.KeyText(d.wire), Index: i})
				break
			}
			child = index.Next(d.nodes, child)
		}
		at = child
	}
	switch {
	case d.state() != absent || d.step == 0:
	case d.step == missingKey:
		steps = append(steps, protoerr.Step{Key: d.key, Index: -1})
	default:
		steps = append(steps, protoerr.Step{Index: int(d.step) - 1})
	}
	return protoerr.FormatValuePath(steps)
}

// Bytes returns the wire form of d as a google.protobuf.Value, without copying it except
// for the root after [ParseStruct] and [ParseList]; nil if d is absent. It aliases the
// wire form as d does.
//
// It is regular: one field and nothing else. For the root of a message that was not, these
// are not the bytes that were parsed.
func (d Doc) Bytes() []byte {
	switch d.state() {
	case absent:
		return nil
	case bare:
		tag := byte(index.TagStruct)
		if d.node().Kind() == index.Array {
			tag = index.TagList
		}
		return wrap(nil, d.wire, tag)
	}
	return slices.Clip(d.node().Wire(d.wire))
}

// Inside returns the wire form of the google.protobuf.Struct or ListValue that d holds,
// without copying it, as [Doc.Bytes]; nil for everything else.
func (d Doc) Inside() []byte {
	if k := d.Kind(); k != Object && k != List {
		return nil
	}
	return slices.Clip(d.node().Content(d.wire))
}
