package inspect

import (
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// wireName is what Protobuf's documentation calls a wire type.
func wireName(t protowire.Type) string {
	return [...]string{"varint", "i64", "len", "sgroup", "egroup", "i32"}[t]
}

// longer notes a varint that takes more bytes than it needs.
func longer(n int, v uint64) string {
	if least := protowire.SizeVarint(v); n > least {
		return fmt.Sprintf("a number in %d bytes that needs %d", n, least)
	}
	return ""
}

// kindName is the type of a field as a .proto file has it, in full.
func kindName(fd protoreflect.FieldDescriptor) string {
	if fd.Enum() != nil {
		return string(fd.Enum().FullName())
	}
	return fd.Kind().String()
}

// categoryOf is what the values of a field are.
func categoryOf(fd protoreflect.FieldDescriptor) Category {
	switch fd.Kind() {
	case protoreflect.BoolKind, protoreflect.EnumKind:
		if !isKey(fd) {
			return Literals
		}
	case protoreflect.StringKind:
		if !isKey(fd) {
			return Text
		}
	case protoreflect.BytesKind:
		return Bytes
	}
	if isKey(fd) {
		return Keys
	}
	return Numbers
}

func isKey(fd protoreflect.FieldDescriptor) bool {
	return fd.ContainingMessage().IsMapEntry() && fd.Number() == 1
}

// scalarText writes the number, bool or enum that v is the wire form of.
func scalarText(fd protoreflect.FieldDescriptor, v []byte) string {
	switch wireType(fd.Kind()) {
	case protowire.Fixed32Type:
		x, _ := protowire.ConsumeFixed32(v)
		return fixed32Text(fd.Kind(), x)
	case protowire.Fixed64Type:
		x, _ := protowire.ConsumeFixed64(v)
		return fixed64Text(fd.Kind(), x)
	}
	x, _ := protowire.ConsumeVarint(v)
	switch fd.Kind() {
	case protoreflect.BoolKind:
		return strconv.FormatBool(protowire.DecodeBool(x))
	case protoreflect.EnumKind:
		return enumText(fd.Enum(), protoreflect.EnumNumber(x))
	case protoreflect.Int32Kind:
		return strconv.Itoa(int(int32(x)))
	case protoreflect.Sint32Kind:
		return strconv.FormatInt(protowire.DecodeZigZag(x&math.MaxUint32), 10)
	case protoreflect.Sint64Kind:
		return strconv.FormatInt(protowire.DecodeZigZag(x), 10)
	case protoreflect.Uint32Kind:
		return strconv.FormatUint(x&math.MaxUint32, 10)
	case protoreflect.Uint64Kind:
		return strconv.FormatUint(x, 10)
	}
	return strconv.FormatInt(int64(x), 10)
}

func fixed32Text(k protoreflect.Kind, x uint32) string {
	switch k {
	case protoreflect.FloatKind:
		return strconv.FormatFloat(float64(math.Float32frombits(x)), 'g', -1, 32)
	case protoreflect.Sfixed32Kind:
		return strconv.Itoa(int(int32(x)))
	}
	return strconv.FormatUint(uint64(x), 10)
}

func fixed64Text(k protoreflect.Kind, x uint64) string {
	switch k {
	case protoreflect.DoubleKind:
		return strconv.FormatFloat(math.Float64frombits(x), 'g', -1, 64)
	case protoreflect.Sfixed64Kind:
		return strconv.FormatInt(int64(x), 10)
	}
	return strconv.FormatUint(x, 10)
}

func enumText(ed protoreflect.EnumDescriptor, n protoreflect.EnumNumber) string {
	if vd := ed.Values().ByNumber(n); vd != nil {
		return string(vd.Name())
	}
	return strconv.Itoa(int(n))
}

// unknownNumber writes a number of an unknown field, in all encodings that
// make sense of it.
func unknownNumber(t protowire.Type, v []byte) string {
	switch t {
	case protowire.Fixed32Type:
		x, _ := protowire.ConsumeFixed32(v)
		return eitherNumber(int64(int32(x)), float64(math.Float32frombits(x)), 32)
	case protowire.Fixed64Type:
		x, _ := protowire.ConsumeFixed64(v)
		return eitherNumber(int64(x), math.Float64frombits(x), 64)
	}
	x, _ := protowire.ConsumeVarint(v)
	if x > math.MaxInt64 {
		return fmt.Sprintf("%d or %d", int64(x), x)
	}
	return strconv.FormatUint(x, 10)
}

// eitherNumber writes the float first if its magnitude is a usual one, and leaves it out if it is not.
func eitherNumber(i int64, f float64, bits int) string {
	integer, float := strconv.FormatInt(i, 10), strconv.FormatFloat(f, 'g', -1, bits)
	switch size := math.Abs(f); {
	case size >= 1e-9 && size < 1e15:
		return float + " or " + integer
	case size < 1e-30 || math.IsNaN(f):
		return integer
	}
	return integer + " or " + float
}

// bytesText writes text, or bytes that read as text, in quotes, and other bytes in
// hexadecimal. Nothing in it means anything to a terminal.
func bytesText(k protoreflect.Kind, v []byte) string {
	if k == protoreflect.StringKind || isText(v) {
		return strconv.Quote(string(v))
	}
	return "0x" + hex.EncodeToString(v)
}

// knownText writes what a Timestamp or a Duration means; empty for what is none.
func knownText(md protoreflect.MessageDescriptor, b []byte) string {
	var m proto.Message
	switch md.FullName() {
	case "google.protobuf.Timestamp":
		m = new(timestamppb.Timestamp)
	case "google.protobuf.Duration":
		m = new(durationpb.Duration)
	default:
		return ""
	}
	if proto.Unmarshal(b, m) != nil {
		return ""
	}
	text, _ := protojson.Marshal(m) // an error has no text
	return strings.Trim(string(text), `"`)
}
