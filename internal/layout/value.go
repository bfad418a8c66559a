package layout

import (
	"encoding/binary"
	"math"
	"strconv"
	"unsafe"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/internal/protoerr"
)

// Number returns the bytes that a number, enum or bool has in memory, in the first bytes
// of the result.
func Number(v protoreflect.Value) (mem [8]byte) {
	switch x := v.Interface().(type) {
	case bool:
		if x {
			mem[0] = 1
		}
	case int32:
		binary.NativeEndian.PutUint32(mem[:], uint32(x))
	case uint32:
		binary.NativeEndian.PutUint32(mem[:], x)
	case float32:
		binary.NativeEndian.PutUint32(mem[:], math.Float32bits(x))
	case protoreflect.EnumNumber:
		binary.NativeEndian.PutUint32(mem[:], uint32(x))
	case int64:
		binary.NativeEndian.PutUint64(mem[:], uint64(x))
	case uint64:
		binary.NativeEndian.PutUint64(mem[:], x)
	case float64:
		binary.NativeEndian.PutUint64(mem[:], math.Float64bits(x))
	}
	return mem
}

// FromVarint returns the bits that a number has in memory whose varint is x.
func FromVarint(k Kind, x uint64) uint64 {
	switch k {
	case Bool:
		if x != 0 {
			return 1
		}
	case Sint32:
		return uint64(protowire.DecodeZigZag(x & 0xffffffff))
	case Sint64:
		return uint64(protowire.DecodeZigZag(x))
	}
	return x
}

// Clear makes the value at q the zero of its kind.
func Clear(k Kind, q unsafe.Pointer) {
	switch k {
	case Bool:
		*(*byte)(q) = 0
	case Int32, Uint32, Sint32, Fixed32:
		*(*uint32)(q) = 0
	case Varint64, Sint64, Fixed64:
		*(*uint64)(q) = 0
	case String, Text:
		*(*string)(q) = ""
	case Bytes:
		*(*[]byte)(q) = nil
	case Message, Group:
		*(*unsafe.Pointer)(q) = nil
	}
}

// FormatKey returns a map's key at k as paths have it: quoted if it is a string.
func FormatKey(t *Entry, k unsafe.Pointer) string {
	switch t.Key {
	case String, Text:
		return strconv.Quote(protoerr.Clip(*(*string)(k)))
	case Bool:
		return strconv.FormatBool(*(*bool)(k))
	case Varint64, Sint64, Fixed64:
		if t.Signed {
			return strconv.FormatInt(*(*int64)(k), 10)
		}
		return strconv.FormatUint(*(*uint64)(k), 10)
	}
	if t.Signed {
		return strconv.FormatInt(int64(*(*int32)(k)), 10)
	}
	return strconv.FormatUint(uint64(*(*uint32)(k)), 10)
}

// ValueOf returns a number, enum or bool with those bits in memory as a value of the field.
func ValueOf(fd protoreflect.FieldDescriptor, bits uint64) protoreflect.Value {
	switch fd.Kind() {
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(byte(bits) != 0)
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(protoreflect.EnumNumber(int32(bits)))
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return protoreflect.ValueOfInt32(int32(bits))
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return protoreflect.ValueOfUint32(uint32(bits))
	case protoreflect.FloatKind:
		return protoreflect.ValueOfFloat32(math.Float32frombits(uint32(bits)))
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return protoreflect.ValueOfInt64(int64(bits))
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(math.Float64frombits(bits))
	}
	return protoreflect.ValueOfUint64(bits)
}
