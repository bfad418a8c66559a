package encode

import (
	"unsafe"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/structval/tree"
	"github.com/protean-pb/protean/internal/wire"
	"github.com/protean-pb/protean/internal/xunsafe"
)

// Size returns how many bytes [Append] appends for the message at p; 0 if it is nested too deeply to be written. The
// layout must be Ready, and p not nil.
func Size(l *layout.Layout, p unsafe.Pointer) int {
	n, _ := sizeOf(wire.Message{Layout: l, At: p})
	return n
}

// sizeOf returns how many bytes a message takes, and the Any around it if there is one; false if it is nested too
// deeply to be written.
func sizeOf(m wire.Message) (n int, ok bool) {
	var e encoder
	e.sizing = true
	if n = e.sizeBody(m.Layout.(*layout.Layout), m.At); e.deep {
		return 0, false
	}
	if m.URL != "" {
		if n > 0 {
			n = int(anyValue.TagSize) + wire.SizeBytes(n)
		}
		n += int(anyURL.TagSize) + wire.SizeBytes(len(m.URL))
	}
	return n, true
}

// sizeBody returns how many bytes encodeFields writes. It is 0 once something is nested too deeply.
func (e *encoder) sizeBody(l *layout.Layout, p unsafe.Pointer) int {
	if c := l.Ready(); c != layout.Fast {
		return e.sizeSpecial(c, l, p)
	}
	m := p
	if p = l.FieldsOf(m); p == nil {
		return e.sizeInterface(layout.MessageAt(m).Interface())
	}
	// One level more than encodeFields has: that does not count the messages that it writes without a call of its own.
	if e.depth++; e.depth > maxDepth+1 || e.deep {
		e.deep = true
		return 0
	}
	// Sound, here and below: l says what lies at which offset of the message at p.
	n := len(*(*[]byte)(unsafe.Add(p, l.Unknown)))
	steps := l.Instrs()
	for i := range steps {
		s := &steps[i]
		q := unsafe.Add(p, s.Offset)
		code := s.Op
		if code == layout.IfWord {
			m := *(*unsafe.Pointer)(q)
			if m != nil && s.Sub != nil {
				n += int(s.Size) - 1 + wire.SizeBytes(e.sizeBody(s.Sub, m))
			} else if m != nil {
				n += e.sizeOther(l, p, s)
			}
			continue
		}
		var x uint64 // what is written as a varint: a number, or a length
	value:
		switch layout.Kind(code) {
		case layout.String, layout.Text, layout.Bytes:
			x = uint64((*xunsafe.StringHeader)(q).Len)
			n += int(x)
		case layout.Bool:
			x = uint64(*(*byte)(q))
		case layout.Int32:
			x = uint64(int64(*(*int32)(q)))
		case layout.Uint32:
			x = uint64(*(*uint32)(q))
		case layout.Varint64:
			x = *(*uint64)(q)
		case layout.Sint32:
			x = protowire.EncodeZigZag(int64(*(*int32)(q)))
		case layout.Sint64:
			x = protowire.EncodeZigZag(*(*int64)(q))
		case layout.Fixed32:
			if *(*uint32)(q) != 0 || s.Op > layout.KindMask {
				n += int(s.Size) + 3
			}
			continue
		case layout.Fixed64:
			if *(*uint64)(q) != 0 || s.Op > layout.KindMask {
				n += int(s.Size) + 7
			}
			continue
		case layout.Kind(layout.IfHalf):
			if *(*uint32)(q) != 0 {
				n += e.sizeOther(l, p, s)
			}
			continue
		default:
			switch {
			case code&layout.ByPointerFlag != 0:
				to := *(*unsafe.Pointer)(q)
				if to == nil {
					continue
				}
				if code&layout.ByBitFlag == 0 { // else it is that of a slice
					q = to
				}
			case code&layout.ByBitFlag != 0:
				if *(*uint32)(unsafe.Add(p, s.Bits))>>(s.Bit&31)&1 == 0 {
					continue
				}
			case code&layout.ListFlag != 0:
				if _, count := elements(q); count > 0 {
					n += count*(int(s.Size)-1) + sizeOfList(layout.Kind(code&layout.KindMask), q)
				}
				continue
			default:
				n += e.sizeOther(l, p, s)
				continue
			}
			code &= layout.KindMask
			goto value
		}
		if x != 0 || s.Op > layout.KindMask {
			n += int(s.Size) - 1 + wire.SizeVarint(x)
		}
	}
	if l.Extensions != 0 {
		n += e.sizeExtensions(l, p)
	}
	e.depth--
	return n
}

// sizeOther returns how many bytes a field takes of which s knows no more than that it may be there.
func (e *encoder) sizeOther(l *layout.Layout, p unsafe.Pointer, s *layout.Instr) int {
	f := &l.Fields[s.Index-1]
	q := unsafe.Add(p, f.Offset)
	if f.Addressing == layout.ByOneof {
		if f, q = l.Set(f, p); f == nil {
			return 0
		}
	}
	return e.sizeField(f, q)
}

// sizeSpecial returns the size of a message whose layout does not say how it is written.
func (e *encoder) sizeSpecial(c layout.Class, l *layout.Layout, p unsafe.Pointer) (n int) {
	ok := true
	// Sound: the class says what p points to.
	switch c {
	case layout.Value:
		n, ok = tree.ValueSize((*structpb.Value)(p))
	case layout.Struct:
		n, ok = tree.StructSize((*structpb.Struct)(p))
	case layout.List:
		n, ok = tree.ListSize((*structpb.ListValue)(p))
	default:
		n = proto.Size(l.Interface(p))
	}
	e.deep = e.deep || !ok
	return n
}

// sizeField returns how many bytes the field at q takes: a list, a map, or a single value that is there unless it is a
// message that is nil and the field Sparse.
func (e *encoder) sizeField(f *layout.Field, q unsafe.Pointer) int {
	tag := int(f.TagSize)
	switch f.Op.Storage() {
	case layout.Map:
		return e.encodeMap(nil, f, q, 0)
	case layout.Packed:
		if _, n := elements(q); n == 0 {
			return 0
		}
		return tag + wire.SizeBytes(sizeOfList(f.Op.Kind(), q))
	case layout.Repeated:
		return e.sizeList(f, q)
	case layout.Indirect:
		if q = *(*unsafe.Pointer)(q); q == nil {
			return 0
		}
		return e.sizeList(f, q)
	}
	k := f.Op.Kind()
	if k <= layout.Bytes {
		return tag + sizeOfValue(k, q)
	}
	m := *(*unsafe.Pointer)(q)
	switch {
	case m != nil && k == layout.Group:
		return 2*tag + e.sizeBody(f.Sub, m)
	case m != nil:
		return tag + wire.SizeBytes(e.sizeBody(f.Sub, m))
	case f.Sparse:
		return 0
	}
	return sizeOfEmpty(f)
}

// sizeOfEmpty returns how many bytes an empty message or group takes.
func sizeOfEmpty(f *layout.Field) int {
	if f.Op.Kind() == layout.Group {
		return 2 * int(f.TagSize)
	}
	return int(f.TagSize) + wire.SizeBytes(0)
}

// sizeList returns how many bytes a list takes that is not packed.
func (e *encoder) sizeList(f *layout.Field, q unsafe.Pointer) int {
	k := f.Op.Kind()
	_, count := elements(q)
	if k <= layout.Bytes {
		return count*int(f.TagSize) + sizeOfList(k, q)
	}
	n := count * sizeOfEmpty(f)
	for _, m := range *(*[]unsafe.Pointer)(q) {
		if m != nil {
			size := e.sizeBody(f.Sub, m)
			if n += size; k == layout.Message {
				n += wire.SizeVarint(uint64(size)) - 1
			}
		}
	}
	return n
}

// sizeEntry returns how many bytes an entry of a map takes.
func (e *encoder) sizeEntry(f *layout.Field, k, v unsafe.Pointer) int {
	n := 1 + sizeOfValue(f.Entry.Key, k) + 1
	if t := f.Entry; t.Value != layout.Message {
		n += sizeOfValue(t.Value, v)
	} else if m := *(*unsafe.Pointer)(v); m != nil {
		n += wire.SizeBytes(e.sizeBody(t.Sub, m))
	} else {
		n += wire.SizeBytes(0)
	}
	return int(f.TagSize) + wire.SizeBytes(n)
}

// sizeExtensions returns how many bytes the extension fields take.
func (e *encoder) sizeExtensions(l *layout.Layout, p unsafe.Pointer) int {
	if l.ExtensionCount(p) == 0 {
		return 0
	}
	n := 0
	var few [8]layout.Extension
	for _, x := range l.AppendExtensions(few[:0], p) {
		n += e.sizeExtension(x.Type, x.Value)
	}
	return n
}

func (e *encoder) sizeExtension(t *layout.ExtensionType, v protoreflect.Value) int {
	if !t.List {
		return int(t.TagSize) + e.sizeReflected(&t.Field, v)
	}
	if in, q := t.Slice(v); in != nil {
		return e.sizeField(&in.Fields[0], q)
	}
	list, n := v.List(), 0
	for i := range list.Len() {
		n += e.sizeReflected(&t.Field, list.Get(i))
	}
	if t.Op.Storage() == layout.Packed {
		return int(t.TagSize) + wire.SizeBytes(n)
	}
	return list.Len()*int(t.TagSize) + n
}

// sizeReflected returns how many bytes a value takes that is known by reflection, without the tag before it.
func (e *encoder) sizeReflected(f *layout.Field, v protoreflect.Value) int {
	switch k := f.Op.Kind(); k {
	case layout.Message, layout.Group:
		n := e.sizeInterface(v.Message().Interface())
		if k == layout.Group {
			return n + int(f.TagSize)
		}
		return wire.SizeBytes(n)
	case layout.String, layout.Text:
		return wire.SizeBytes(len(v.String()))
	case layout.Bytes:
		return wire.SizeBytes(len(v.Bytes()))
	default:
		x := layout.Number(v)
		return sizeOfValue(k, unsafe.Pointer(&x))
	}
}

// sizeInterface returns how many bytes the fields of m take.
func (e *encoder) sizeInterface(m proto.Message) int {
	switch l, p := layout.Of(m); {
	case l.Ready() == layout.Official:
		return proto.Size(m)
	case p == nil:
		return 0
	default:
		return e.sizeBody(l, p)
	}
}

// sizeOfValue returns how many bytes the number, text or bytes at q takes, without a tag.
func sizeOfValue(k layout.Kind, q unsafe.Pointer) int {
	switch k {
	case layout.Bool:
		return 1
	case layout.Fixed32:
		return 4
	case layout.Fixed64:
		return 8
	case layout.Int32:
		return wire.SizeVarint(uint64(int64(*(*int32)(q))))
	case layout.Uint32:
		return wire.SizeVarint(uint64(*(*uint32)(q)))
	case layout.Varint64:
		return wire.SizeVarint(*(*uint64)(q))
	case layout.Sint32:
		return wire.SizeVarint(protowire.EncodeZigZag(int64(*(*int32)(q))))
	case layout.Sint64:
		return wire.SizeVarint(protowire.EncodeZigZag(*(*int64)(q)))
	}
	return wire.SizeBytes(len(*(*string)(q))) // or a slice: its length is in the same place
}

// sizeOfList returns how many bytes the elements of the slice at q take, which are of the kind, without tags.
func sizeOfList(k layout.Kind, q unsafe.Pointer) (n int) {
	// Sound: the slice has elements of that size.
	switch k {
	case layout.Int32:
		for _, x := range *(*[]int32)(q) {
			n += wire.SizeVarint(uint64(int64(x)))
		}
	case layout.Uint32:
		for _, x := range *(*[]uint32)(q) {
			n += wire.SizeVarint(uint64(x))
		}
	case layout.Varint64:
		for _, x := range *(*[]uint64)(q) {
			n += wire.SizeVarint(x)
		}
	case layout.Sint32:
		for _, x := range *(*[]int32)(q) {
			n += wire.SizeVarint(protowire.EncodeZigZag(int64(x)))
		}
	case layout.Sint64:
		for _, x := range *(*[]int64)(q) {
			n += wire.SizeVarint(protowire.EncodeZigZag(x))
		}
	case layout.String, layout.Text:
		for _, s := range *(*[]string)(q) {
			n += wire.SizeBytes(len(s))
		}
	case layout.Bytes:
		for _, b := range *(*[][]byte)(q) {
			n += wire.SizeBytes(len(b))
		}
	default:
		_, n = elements(q)
		n *= int(k.Size())
	}
	return n
}
