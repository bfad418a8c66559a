package block

import (
	"unsafe"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/internal/layout"
)

// Load returns the value of the kind at q. Bytes are not copied.
func Load(k protoreflect.Kind, q Address) protoreflect.Value {
	// Sound, here and in Store: the caller says what lies at q.
	switch k {
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(*(*bool)(q))
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(*(*protoreflect.EnumNumber)(q))
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return protoreflect.ValueOfInt32(*(*int32)(q))
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return protoreflect.ValueOfUint32(*(*uint32)(q))
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return protoreflect.ValueOfInt64(*(*int64)(q))
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return protoreflect.ValueOfUint64(*(*uint64)(q))
	case protoreflect.FloatKind:
		return protoreflect.ValueOfFloat32(*(*float32)(q))
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(*(*float64)(q))
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(*(*string)(q))
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes(*(*[]byte)(q))
	}
	return protoreflect.ValueOfMessage(layout.MessageAt(*Pointer(q)))
}

// Store sets the value of the kind at q. Bytes are not copied, nor are messages, of whatever
// implementation.
func Store(k protoreflect.Kind, q Address, v protoreflect.Value) {
	switch k {
	case protoreflect.BoolKind:
		*(*bool)(q) = v.Bool()
	case protoreflect.EnumKind:
		*(*protoreflect.EnumNumber)(q) = v.Enum()
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		*(*int32)(q) = int32(v.Int())
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		*(*uint32)(q) = uint32(v.Uint())
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		*(*int64)(q) = v.Int()
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		*(*uint64)(q) = v.Uint()
	case protoreflect.FloatKind:
		*(*float32)(q) = float32(v.Float())
	case protoreflect.DoubleKind:
		*(*float64)(q) = v.Float()
	case protoreflect.StringKind:
		*(*string)(q) = v.String()
	case protoreflect.BytesKind:
		*(*[]byte)(q) = v.Bytes()
	default:
		*Pointer(q) = layout.AddressOf(v.Message())
	}
}

// Copy sets the value at dst to that at src, which is not a message. Bytes are copied.
func Copy(k layout.Kind, dst, src Address) {
	// Sound: the caller says what lies at both addresses.
	switch k.Size() {
	case layout.Bool.Size():
		*(*byte)(dst) = *(*byte)(src)
	case layout.Fixed32.Size():
		*(*uint32)(dst) = *(*uint32)(src)
	case layout.Fixed64.Size():
		*(*uint64)(dst) = *(*uint64)(src)
	case unsafe.Sizeof(""):
		*(*string)(dst) = *(*string)(src)
	default:
		*(*[]byte)(dst) = append([]byte{}, *(*[]byte)(src)...)
	}
}
