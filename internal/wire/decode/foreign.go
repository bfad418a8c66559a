package decode

import (
	"errors"
	"unsafe"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/structval/index"
	"github.com/protean-pb/protean/internal/structval/tree"
	"github.com/protean-pb/protean/internal/utf"
)

// decodeStructpb reads a Value, Struct or ListValue of the official library's types.
func (d *decoder) decodeStructpb(c layout.Class, p unsafe.Pointer, b []byte, pos, depth int) int {
	o := tree.ReadOptions{Depth: depth, Alias: d.Alias, DiscardUnknown: d.DiscardUnknown}
	var err error
	// Sound: the class says what p points to.
	switch c {
	case layout.Value:
		err = d.structs.Read((*structpb.Value)(p), b[pos:], index.Value, o, d.Run)
	case layout.Struct:
		err = d.structs.Read((*structpb.Struct)(p), b[pos:], index.Struct, o, d.Run)
	case layout.List:
		err = d.structs.Read((*structpb.ListValue)(p), b[pos:], index.List, o, d.Run)
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

// decodeOfficial has the official library read the rest of b into a message of its own.
func (d *decoder) decodeOfficial(l *layout.Layout, p unsafe.Pointer, b []byte, pos, depth int) int {
	return d.officialUnmarshal(l.Interface(p), b, pos, depth)
}

func (d *decoder) officialUnmarshal(m proto.Message, b []byte, pos, depth int) int {
	if depth <= 0 {
		return d.fail(protoerr.ErrDepth, pos)
	}
	d.missing = true // for all that is known here
	o := proto.UnmarshalOptions{Merge: true, AllowPartial: true, DiscardUnknown: d.DiscardUnknown,
		RecursionLimit: depth}
	if d.Resolver != nil {
		o.Resolver = d.Resolver
	}
	if err := o.Unmarshal(b[pos:], m); err != nil {
		return d.fail(err, pos)
	}
	return len(b)
}

// decodeMismatched reads the fields of a message that is of another type than its field in a dynamic message says, as
// decodeFields does: one of another implementation, or with another descriptor of the same name.
func (d *decoder) decodeMismatched(p unsafe.Pointer, b []byte, pos, depth int, group uint32) int {
	m := layout.MessageAt(p).Interface()
	l, q := layout.Of(m)
	if l.Ready() != layout.Official && q != nil {
		return d.decodeFields(l, q, pos, len(b), depth, group)
	}
	if group != 0 {
		return d.officialGroup(m, group, b, pos, depth)
	}
	return d.officialUnmarshal(m, b, pos, depth)
}

// officialGroup has the official library read a group, which ends where its end tag does.
func (d *decoder) officialGroup(m proto.Message, number uint32, b []byte, pos, depth int) int {
	v, n := protowire.ConsumeGroup(protowire.Number(number), b[pos:])
	if n < 0 {
		return d.valueError(n, pos, len(b))
	}
	if d.officialUnmarshal(m, b[:pos+len(v)], pos, depth) < 0 {
		return failed
	}
	return pos + n
}

// decodeExtension reads an extension field, if the resolver knows it and the wire type is one
// that it may have, and returns where it ends.
func (d *decoder) decodeExtension(
	l *layout.Layout, p unsafe.Pointer, tag uint32, b []byte, start, pos, depth int,
) (next int, known bool) {
	t, v, err := d.extensionType(l, p, int32(tag>>3))
	switch {
	case errors.Is(err, protoregistry.NotFound):
		return 0, false
	case err != nil:
		return d.fail(err, start), true
	case tag != t.Tag && tag != t.AltTag:
		return 0, false
	}
	had := v.IsValid()
	if !had && (t.List || t.Desc.Message() != nil) {
		v = t.Type.New()
	}
	if !t.List {
		v, next = d.decodeReflected(t, v, b, pos, depth)
	} else if in, q := t.Slice(v); in == nil {
		next = d.decodeExtensionList(t, tag, v.List(), b, pos, depth)
	} else {
		f := &in.Fields[0]
		if tag == f.Tag {
			next = d.decodeRepeated(in, f, q, b, pos, depth)
		} else {
			next = d.decodeOtherPacking(in, f, q, b, pos)
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
func (d *decoder) extensionType(
	l *layout.Layout, p unsafe.Pointer, number int32,
) (*layout.ExtensionType, protoreflect.Value, error) {
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

// decodeExtensionList reads one element, or packed numbers, of an extension field.
func (d *decoder) decodeExtensionList(
	t *layout.ExtensionType, tag uint32, list protoreflect.List, b []byte, pos, depth int,
) int {
	if tag&7 == 2 && t.AltTag != 0 {
		start, end := d.lengthPrefix(b, pos)
		for pos = start; end >= 0 && pos < end; {
			var x uint64
			if x, pos = d.decodeNumber(t.Op.Kind(), b[:end], pos); pos < 0 {
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
	v, next := d.decodeReflected(t, v, b, pos, depth)
	if next < 0 {
		d.trace = append(d.trace, protoerr.Index(list.Len()))
		return failed
	}
	list.Append(v)
	return next
}

// decodeReflected reads a value; a message into v.
func (d *decoder) decodeReflected(
	t *layout.ExtensionType, v protoreflect.Value, b []byte, pos, depth int,
) (protoreflect.Value, int) {
	switch k := t.Op.Kind(); k {
	case layout.Message, layout.Group:
		return v, d.decodeReflectedMessage(&t.Field, b, pos, depth, v.Message().Interface())
	case layout.String, layout.Text, layout.Bytes:
		start, end := d.lengthPrefix(b, pos)
		switch {
		case end < 0:
		case k == layout.String && !utf.Valid(b[start:end]):
			return v, d.fail(protoerr.ErrUTF8, start)
		case k == layout.Bytes:
			v = protoreflect.ValueOfBytes(d.bytes(start, end))
		default:
			v = protoreflect.ValueOfString(d.text(start, end))
		}
		return v, end
	default:
		x, end := d.decodeNumber(k, b, pos)
		if end >= 0 {
			v = layout.ValueOf(t.Desc, x)
		}
		return v, end
	}
}

// decodeReflectedMessage reads a message or group into m.
func (d *decoder) decodeReflectedMessage(f *layout.Field, b []byte, pos, depth int, m proto.Message) int {
	l, p := layout.Of(m)
	c := l.Ready()
	if f.Op.Kind() == layout.Group {
		if c != layout.Official {
			return d.decodeGroup(l, p, f.Number(), b, pos, depth)
		}
		return d.officialGroup(m, f.Number(), b, pos, depth)
	}
	start, end := d.lengthPrefix(b, pos)
	if end < 0 {
		return failed
	}
	if c == layout.Official {
		return d.officialUnmarshal(m, b[:end], start, depth)
	}
	return d.decodeFields(l, p, start, end, depth, 0)
}
