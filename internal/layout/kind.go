package layout

import (
	"unsafe"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// What a layout knows of a field comes from two facts: the [Kind] of its values, and its [Storage] in the message. Both
// in one byte are its [Op], and whatever a codec dispatches on follows from that:
//
//	descriptor's kind --kinds--> Kind, JSONKind
//	Storage, Kind --OpOf--> Op --opcodeOf--> Opcode       the decoder's and the encoder's switch
//	                           --addressingOf--> Addressing  how these get at the value
//	                           --Field.instr--> InstrOp      the encoder's fast loop

// A Kind is how a value is represented in memory and on the wire.
type Kind uint8

// The kinds. Int32 is extended to 64 bits on the wire.
const (
	Bool     Kind = iota
	Int32         // int32 and enums
	Uint32        // uint32
	Varint64      // int64 and uint64
	Sint32        // sint32
	Sint64        // sint64
	Fixed32       // fixed32, sfixed32 and float
	Fixed64       // fixed64, sfixed64 and double
	String        // valid UTF-8
	Text          // a string that may hold anything
	Bytes
	Message
	Group
)

// A JSONKind is how a value is represented in ProtoJSON.
type JSONKind uint8

// The JSON kinds of values, and of fields that are not single values.
const (
	JSONBool JSONKind = iota
	JSONInt32
	JSONUint32
	JSONInt64
	JSONUint64
	JSONFloat
	JSONDouble
	JSONString
	JSONBytes
	JSONEnum
	JSONNull // the enum google.protobuf.NullValue
	JSONMessage
	JSONList // only of a field
	JSONMap  // only of a field
)

// kinds is what a descriptor's kind means in memory and on the wire, and in ProtoJSON.
var kinds = [...]struct {
	kind Kind
	json JSONKind
}{
	protoreflect.BoolKind:     {Bool, JSONBool},
	protoreflect.EnumKind:     {Int32, JSONEnum},
	protoreflect.Int32Kind:    {Int32, JSONInt32},
	protoreflect.Sint32Kind:   {Sint32, JSONInt32},
	protoreflect.Sfixed32Kind: {Fixed32, JSONInt32},
	protoreflect.Uint32Kind:   {Uint32, JSONUint32},
	protoreflect.Fixed32Kind:  {Fixed32, JSONUint32},
	protoreflect.Int64Kind:    {Varint64, JSONInt64},
	protoreflect.Sint64Kind:   {Sint64, JSONInt64},
	protoreflect.Sfixed64Kind: {Fixed64, JSONInt64},
	protoreflect.Uint64Kind:   {Varint64, JSONUint64},
	protoreflect.Fixed64Kind:  {Fixed64, JSONUint64},
	protoreflect.FloatKind:    {Fixed32, JSONFloat},
	protoreflect.DoubleKind:   {Fixed64, JSONDouble},
	protoreflect.StringKind:   {String, JSONString}, // or Text: [KindOf]
	protoreflect.BytesKind:    {Bytes, JSONBytes},
	protoreflect.MessageKind:  {Message, JSONMessage},
	protoreflect.GroupKind:    {Group, JSONMessage},
}

// representations is how many bytes a value of each kind takes in memory, a message's pointer, and its wire type.
var representations = [...]struct {
	size uintptr
	wire protowire.Type
}{
	Bool:     {1, protowire.VarintType},
	Int32:    {4, protowire.VarintType},
	Uint32:   {4, protowire.VarintType},
	Varint64: {8, protowire.VarintType},
	Sint32:   {4, protowire.VarintType},
	Sint64:   {8, protowire.VarintType},
	Fixed32:  {4, protowire.Fixed32Type},
	Fixed64:  {8, protowire.Fixed64Type},
	String:   {unsafe.Sizeof(""), protowire.BytesType},
	Text:     {unsafe.Sizeof(""), protowire.BytesType},
	Bytes:    {unsafe.Sizeof([]byte(nil)), protowire.BytesType},
	Message:  {unsafe.Sizeof(uintptr(0)), protowire.BytesType},
	Group:    {unsafe.Sizeof(uintptr(0)), protowire.StartGroupType},
}

// Size returns how many bytes a value of the kind takes in memory; of a message, its pointer.
func (k Kind) Size() uintptr { return representations[k].size }

// WireType returns the wire type of a value of the kind.
func (k Kind) WireType() protowire.Type { return representations[k].wire }

// A Storage is where a field is stored in its message, and what says that it is present.
type Storage uint8

// The kinds of storage.
const (
	Implicit      Storage = iota // in place; absent if zero (a message: a pointer)
	Explicit                     // in place; present if its bit is set
	Pointer                      // a pointer, nil if absent; bytes: a slice, nil if absent
	Member                       // in the struct that the interface of its oneof points to
	Case                         // in place, if the word of its oneof holds its number: dynamic messages
	Repeated                     // a slice
	Packed                       // a slice, packed on the wire
	Indirect                     // a pointer to a slice of messages: the opaque API
	Map                          // a Go map
	Switch                       // the interface of a oneof
	CaseSwitch                   // the word of a oneof
	MarkedPointer                // a pointer, and a bit that says that it is not nil: strings of the opaque API
)

// An Op is a [Storage] and a [Kind] in one.
type Op uint8

// OpOf returns the Op of the two.
func OpOf(s Storage, k Kind) Op { return Op(s)<<4 | Op(k) }

// Storage returns the storage.
func (o Op) Storage() Storage { return Storage(o >> 4) }

// Kind returns the kind.
func (o Op) Kind() Kind { return Kind(o & 15) }

// An Opcode is what the encoder and decoder dispatch on in their loops, where a switch over consecutive values is a
// jump table. The opcodes of single values are their kinds.
type Opcode uint8

// The opcodes of lists and maps.
const (
	RepeatedMessage = Opcode(Group) + 1 + iota
	RepeatedString
	RepeatedText
	OtherOpcode // handled outside of the loops
)

func opcodeOf(o Op) Opcode {
	switch o {
	case OpOf(Repeated, Message):
		return RepeatedMessage
	case OpOf(Repeated, String):
		return RepeatedString
	case OpOf(Repeated, Text):
		return RepeatedText
	}
	switch o.Storage() {
	case Repeated, Packed, Indirect, Map:
		return OtherOpcode
	}
	return Opcode(o.Kind())
}

// An Addressing is how the loops get from a message to the value of a field that is not a list.
type Addressing uint8

// The addressing modes.
const (
	InPlace       Addressing = iota // at the field's offset
	ByPointer                       // where the pointer there points to
	ByBit                           // there, if the bit is set
	BitAndPointer                   // where the pointer there points to; a bit is set as well
	NilSlice                        // there, if the slice is not nil
	ByOneof                         // by its oneof
)

func addressingOf(o Op) Addressing {
	switch o.Storage() {
	case Explicit:
		return ByBit
	case Pointer:
		if o.Kind() == Bytes {
			return NilSlice
		}
		return ByPointer
	case MarkedPointer:
		return BitAndPointer
	case Member, Case, Switch, CaseSwitch:
		return ByOneof
	}
	return InPlace
}
