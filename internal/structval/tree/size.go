package tree

import (
	"unsafe"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/swissmap"
	"github.com/protean-pb/protean/internal/wire"
)

// ValueSize returns how many bytes [WriteValue] writes; false if v is nested too deeply to be written.
func ValueSize(v *structpb.Value) (n int, ok bool) {
	var z sizer
	n = z.value(v)
	return n, !z.deep
}

// StructSize returns the size of a Struct in wire form, and whether it can be written.
func StructSize(s *structpb.Struct) (n int, ok bool) {
	var z sizer
	n = z.object(s)
	return n, !z.deep
}

// ListSize returns the size of a ListValue in wire form, and whether it can be written.
func ListSize(l *structpb.ListValue) (n int, ok bool) {
	var z sizer
	n = z.list(l)
	return n, !z.deep
}

// A sizer adds up the sizes of what is in a tree.
type sizer struct {
	depth int
	deep  bool // whether depth has been beyond maxDepth: what is nested is not looked at any more
}

// enter reports whether to look at what is in a message.
func (z *sizer) enter() bool {
	z.depth++
	z.deep = z.deep || z.depth > maxDepth
	return !z.deep
}

func (z *sizer) value(v *structpb.Value) int {
	if v == nil {
		return 0
	}
	n := len(unknown(v, unsafe.Pointer(v), unknownInValue))
	switch k := v.Kind.(type) {
	case *structpb.Value_StringValue:
		if k != nil {
			n += 1 + wire.SizeBytes(len(k.StringValue))
		}
	case *structpb.Value_NumberValue:
		if k != nil {
			n += 1 + 8
		}
	case *structpb.Value_StructValue:
		if k != nil {
			n += 1 + wire.SizeBytes(z.object(k.StructValue))
		}
	case *structpb.Value_ListValue:
		if k != nil {
			n += 1 + wire.SizeBytes(z.list(k.ListValue))
		}
	case *structpb.Value_BoolValue:
		if k != nil {
			n += 1 + 1
		}
	case *structpb.Value_NullValue:
		if k != nil {
			n += 1 + wire.SizeVarint(uint64(k.NullValue))
		}
	}
	return n
}

func (z *sizer) object(s *structpb.Struct) int {
	if s == nil || !z.enter() {
		return 0
	}
	n := len(unknown(s, unsafe.Pointer(s), unknownInStruct))
	for key, v := range swissmap.All(s.Fields) {
		n += 1 + wire.SizeBytes(1+wire.SizeBytes(len(key))+1+wire.SizeBytes(z.value(v)))
	}
	z.depth--
	return n
}

func (z *sizer) list(l *structpb.ListValue) int {
	if l == nil || !z.enter() {
		return 0
	}
	n := len(unknown(l, unsafe.Pointer(l), unknownInList))
	for _, v := range l.Values {
		n += 1 + wire.SizeBytes(z.value(v))
	}
	z.depth--
	return n
}
