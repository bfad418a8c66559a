package decode

import (
	"errors"
	"unsafe"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/fault"
	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/tree"
	"github.com/protean-pb/protean/internal/utf"
)

// tree reads a Value, Struct or ListValue of the official library's types.
func (d *decoder) tree(c layout.Class, p unsafe.Pointer, b []byte, pos, depth int) int {
	body := b[pos:]
	o := tree.ReadOptions{Depth: depth, Alias: d.Alias, DiscardUnknown: d.DiscardUnknown}
	var err error
	// Sound: the class says what p points to.
	switch c {
	case layout.Value:
		err = tree.ReadValue((*structpb.Value)(p), body, o)
	case layout.Struct:
		err = tree.ReadStruct((*structpb.Struct)(p), body, o)
	case layout.List:
		err = tree.ReadList((*structpb.ListValue)(p), body, o)
	}
	if err == nil {
		return len(b)
	}
	if t := (*tree.Error)(nil); errors.As(err, &t) {
		d.fail(t.Err, pos+max(t.Offset, 0))
		d.trace = append(d.trace, t.Path)
		return failed
	}
	return d.fail(err, pos)
}

// official has the official library read the rest of b into a message of its own.
func (d *decoder) official(l *layout.Layout, p unsafe.Pointer, b []byte, pos, depth int) int {
	return d.foreign(l.Interface(p), b, pos, depth)
}

func (d *decoder) foreign(m proto.Message, b []byte, pos, depth int) int {
	if depth <= 0 {
		return d.fail(fault.ErrDepth, pos)
	}
	d.missing = true // for all that is known here
	o := proto.UnmarshalOptions{Merge: true, AllowPartial: true, DiscardUnknown: d.DiscardUnknown, RecursionLimit: depth}
	if d.Resolver != nil {
		o.Resolver = d.Resolver
	}
	if err := o.Unmarshal(b[pos:], m); err != nil {
		return d.fail(err, pos)
	}
	return len(b)
}

// other reads the fields of a message, as body does, that is of another type than its field in
// a dynamic message says: one of another implementation, or with another descriptor of the same
// name.
func (d *decoder) other(p unsafe.Pointer, b []byte, pos, depth int, group uint32) int {
	m := layout.MessageAt(p).Interface()
	l, q := layout.Of(m)
	if l.Ready() != layout.Official && q != nil {
		return d.body(l, q, pos, len(b), depth, group)
	}
	if group != 0 {
		return d.foreignGroup(m, group, b, pos, depth)
	}
	return d.foreign(m, b, pos, depth)
}

// foreignGroup is foreign for a group, which ends where the tag that belongs to it does.
func (d *decoder) foreignGroup(m proto.Message, number uint32, b []byte, pos, depth int) int {
	v, n := protowire.ConsumeGroup(protowire.Number(number), b[pos:])
	if n < 0 {
		return d.valueError(n, pos, len(b))
	}
	if d.foreign(m, b[:pos+len(v)], pos, depth) < 0 {
		return failed
	}
	return pos + n
}

// extension reads an extension field, if the resolver knows it and the wire type is one
// that it may have, and returns where it ends.
func (d *decoder) extension(l *layout.Layout, p unsafe.Pointer, tag uint32, b []byte, start, pos, depth int) (next int, known bool) {
	t, v, err := d.extensionType(l, p, int32(tag>>3))
	switch {
	case errors.Is(err, protoregistry.NotFound):
		return 0, false
	case err != nil:
		return d.fail(err, start), true
	case tag != t.Tag && tag != t.Alt:
		return 0, false
	}
	had := v.IsValid()
	if !had && (t.List || t.Desc.Message() != nil) {
		v = t.Type.New()
	}
	if !t.List {
		v, next = d.reflected(t, v, b, pos, depth)
	} else if in, q := t.Slice(v); in == nil {
		next = d.extensionList(t, tag, v.List(), b, pos, depth)
	} else {
		f := &in.Fields[0]
		if tag == f.Tag {
			next = d.several(in, f, q, b, pos, depth)
		} else {
			next = d.otherForm(in, f, q, b, pos)
		}
		if next < 0 || had {
			return next, true
		}
	}
	if next < 0 {
		d.trace = append(d.trace, t.Name())
		return failed, true
	}
	l.SetExtension(p, t, v)
	return next, true
}

// extensionType returns the type of the extension field with that number, and the value that the message at p
// has for it; one that is not valid if it has none.
func (d *decoder) extensionType(l *layout.Layout, p unsafe.Pointer, number int32) (*layout.ExtensionType, protoreflect.Value, error) {
	xt, v := l.Extension(p, number)
	if xt == nil {
		if d.Resolver == nil {
			t, err := l.RegisteredExtension(number)
			return t, v, err
		}
		var err error
		if xt, err = d.Resolver.FindExtensionByNumber(l.Desc.FullName(), protowire.Number(number)); err != nil {
			return nil, v, err
		}
	}
	return layout.ExtensionTypeOf(xt), v, nil
}

// extensionList reads one element, or packed numbers, of an extension field.
func (d *decoder) extensionList(t *layout.ExtensionType, tag uint32, list protoreflect.List, b []byte, pos, depth int) int {
	if tag&7 == 2 && t.Alt != 0 {
		start, end := d.span(b, pos)
		for pos = start; end >= 0 && pos < end; {
			var x uint64
			if x, pos = d.number(t.Op.Kind(), b[:end], pos); pos < 0 {
				return failed
			}
			list.Append(layout.ValueOf(t.Desc, x))
		}
		return end
	}
	var v protoreflect.Value
	if t.Desc.Message() != nil {
		v = list.NewElement()
	}
	v, next := d.reflected(t, v, b, pos, depth)
	if next < 0 {
		d.trace = append(d.trace, index(list.Len()))
		return failed
	}
	list.Append(v)
	return next
}

// reflected reads a value; a message into v.
func (d *decoder) reflected(t *layout.ExtensionType, v protoreflect.Value, b []byte, pos, depth int) (protoreflect.Value, int) {
	switch k := t.Op.Kind(); k {
	case layout.Message, layout.Group:
		return v, d.reflectedMessage(&t.Field, b, pos, depth, v.Message().Interface())
	case layout.String, layout.Text, layout.Bytes:
		start, end := d.span(b, pos)
		switch {
		case end < 0:
		case k == layout.String && !utf.Valid(b[start:end]):
			return v, d.fail(fault.ErrUTF8, start)
		case k == layout.Bytes:
			v = protoreflect.ValueOfBytes(d.bytes(start, end))
		default:
			v = protoreflect.ValueOfString(d.text(start, end))
		}
		return v, end
	default:
		x, end := d.number(k, b, pos)
		if end >= 0 {
			v = layout.ValueOf(t.Desc, x)
		}
		return v, end
	}
}

// reflectedMessage reads a message or group into m.
func (d *decoder) reflectedMessage(f *layout.Field, b []byte, pos, depth int, m proto.Message) int {
	l, p := layout.Of(m)
	c := l.Ready()
	if f.Op.Kind() == layout.Group {
		if c != layout.Official {
			return d.group(l, p, f.Number(), b, pos, depth)
		}
		return d.foreignGroup(m, f.Number(), b, pos, depth)
	}
	start, end := d.span(b, pos)
	if end < 0 {
		return failed
	}
	if c == layout.Official {
		return d.foreign(m, b[:end], start, depth)
	}
	return d.body(l, p, start, end, depth, 0)
}
