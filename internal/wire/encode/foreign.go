package encode

import (
	"errors"
	"slices"
	"unsafe"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/structval/tree"
	"github.com/protean-pb/protean/internal/xunsafe"
)

var errSize = errors.New("the official library cannot write the message: it has another size than calculated")

// encodeByClass writes the fields of a message whose layout does not say how.
func (e *encoder) encodeByClass(c layout.Class, l *layout.Layout, p unsafe.Pointer, at int) int {
	if c == layout.Official {
		return e.encodeOfficial(l.Interface(p), at, !l.Dynamic)
	}
	e.tree = true
	if e.Pooled == nil {
		at = e.Grow(0, at)
	}
	var err error
	// Sound: the class says what p points to.
	switch c {
	case layout.Value:
		at, err = tree.WriteValue(e.OutputState, at, (*structpb.Value)(p), e.deterministic)
	case layout.Struct:
		at, err = tree.WriteStruct(e.OutputState, at, (*structpb.Struct)(p), e.deterministic)
	case layout.List:
		at, err = tree.WriteList(e.OutputState, at, (*structpb.ListValue)(p), e.deterministic)
	}
	e.Resume()
	if err != nil {
		at = e.fail(err)
		if t := (*tree.Error)(nil); errors.As(err, &t) {
			e.err, e.trace = t.Err, protoerr.Trace{t.Path}
		}
	}
	return at
}

// encodeMismatched writes the fields of a message that is of another type than its field in a dynamic
// message says: one of another implementation, or with another descriptor of the same name.
func (e *encoder) encodeMismatched(p unsafe.Pointer, at int) int {
	m := layout.MessageAt(p).Interface()
	l, q := layout.Of(m)
	switch {
	case l.Ready() == layout.Official:
		return e.encodeOfficial(m, at, false)
	case q == nil:
		e.noteEmptyMessage(l)
		return at
	}
	return e.encodeFields(l, q, at)
}

// encodeOfficial has the official library write the fields of m. With sized it fails where that library does in a
// generated message around m: its Size counts the unknown fields of a generated message set, which its Marshal
// leaves out. In a dynamic message it does not compare.
func (e *encoder) encodeOfficial(m proto.Message, at int, sized bool) int {
	e.missing = true // for all that is known here
	o := proto.MarshalOptions{AllowPartial: true, Deterministic: e.deterministic}
	size := o.Size(m)
	b, err := o.MarshalAppend(make([]byte, 0, size), m)
	if sized && err == nil && len(b) != size {
		err = errSize
	}
	if err != nil {
		return e.fail(err)
	}
	return e.Raw(xunsafe.String(b), at)
}

// encodeExtensions writes the extension fields, by their numbers.
func (e *encoder) encodeExtensions(l *layout.Layout, p unsafe.Pointer, at int) int {
	if l.ExtensionCount(p) == 0 {
		return at
	}
	var few [8]layout.Extension
	for _, x := range slices.Backward(l.AppendExtensions(few[:0], p)) {
		if at = e.encodeExtension(x.Type, x.Value, !l.Dynamic, at); at < 0 {
			return failed
		}
	}
	return at
}

// encodeExtension writes one extension field. What sized means is with official.
func (e *encoder) encodeExtension(t *layout.ExtensionType, v protoreflect.Value, sized bool, at int) int {
	f := &t.Field
	if !t.List {
		if at = e.encodeReflected(f, v, sized, at); at < 0 {
			e.trace = append(e.trace, t.Name())
		}
		return at
	}
	if in, q := t.Slice(v); in != nil {
		return e.encodeRepeated(in, &in.Fields[0], q, e.Room(0, at))
	}
	list := v.List()
	at = e.Room(0, at)
	end := e.End - at
	packed := f.Op.Storage() == layout.Packed
	for i := list.Len() - 1; i >= 0; i-- {
		if packed {
			at = e.encodeNumber(f.Op.Kind(), list.Get(i), e.Room(0, at))
		} else if at = e.encodeReflected(f, list.Get(i), sized, e.Room(0, at)); at < 0 {
			e.trace.Within(t.Name(), protoerr.Index(i))
			return failed
		}
	}
	if packed {
		at = e.Room(0, at)
		at = e.tagAndLength(f, e.End-at-end, at)
	}
	return at
}

// encodeReflected writes a value that is known by reflection, and its tag.
func (e *encoder) encodeReflected(f *layout.Field, v protoreflect.Value, sized bool, at int) int {
	at = e.Room(0, at)
	switch k := f.Op.Kind(); k {
	case layout.Message, layout.Group:
		m := v.Message().Interface()
		sub, p := layout.Of(m)
		if sub.Ready() == layout.Official {
			return e.encodeForeign(f, m, sized, at)
		}
		if k == layout.Group {
			return e.encodeGroupOf(sub, f, p, at)
		}
		if at = e.encodeMessage(sub, p, at); at < 0 {
			return failed
		}
		return e.tag(f, at)
	case layout.String, layout.Text:
		s := v.String()
		return e.encodeScalar(f, unsafe.Pointer(&s), at)
	case layout.Bytes:
		b := v.Bytes()
		return e.encodeScalar(f, unsafe.Pointer(&b), at)
	default:
		return e.tag(f, e.encodeNumber(k, v, at))
	}
}

// encodeForeign writes a message of the official library's.
func (e *encoder) encodeForeign(f *layout.Field, m proto.Message, sized bool, at int) int {
	if f.Op.Kind() == layout.Group {
		at = e.tag(f, at)
		e.Buf[at]++
		if at = e.encodeOfficial(m, at, false); at < 0 {
			return failed
		}
		return e.tag(f, e.Room(0, at))
	}
	end := e.End - at
	if at = e.encodeOfficial(m, at, sized); at < 0 {
		return failed
	}
	at = e.Room(0, at)
	return e.tagAndLength(f, e.End-at-end, at)
}

// encodeNumber writes a number.
func (e *encoder) encodeNumber(k layout.Kind, v protoreflect.Value, at int) int {
	x := layout.Number(v)
	return e.encodeValue(k, nil, unsafe.Pointer(&x), at)
}
