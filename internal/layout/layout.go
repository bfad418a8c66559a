// Package layout says where the fields of a message lie in memory and how they look on
// the wire. A [Layout] is compiled once for each message type, from its descriptor and,
// for a generated type, its Go struct; the encoder and the decoder interpret it. For a
// type that is known only at run time the layout defines the memory itself, in the forms
// that generated code uses, so that the same encoder and decoder serve both.
//
// What cannot be expressed so ([Official]) is left to the official library, for that
// message type alone.
package layout

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// A Class selects the code that encodes and decodes the messages of a layout.
type Class uint32

// The classes. A layout has none until it is first used.
const (
	unready  Class = iota
	Fast           // the fields are described by the layout
	Value          // *structpb.Value
	Struct         // *structpb.Struct
	List           // *structpb.ListValue
	Official       // the official library
)

// A Layout describes the messages of one type. Only the Desc of a dynamic one and the Block
// of a generated one are valid before [Layout.Ready] has been called. It does not change
// afterwards, but for Long, and all goroutines may use it.
type Layout struct {
	class atomic.Uint32

	Desc protoreflect.MessageDescriptor

	Block // what is allocated for a message: the struct of a generated type

	// Pointers and Slices are for lists of pointers to messages, and for slices of those. They are of one type in all
	// layouts, but memory that is used again is not shared between lists of different messages.
	Pointers, Slices Block

	// Fields are what is encoded, in the order of the official library, a oneof as one field of Storage Switch or
	// CaseSwitch; behind these, the members of the oneofs.
	Fields  []Field
	Encoded int // how many of them are encoded; the first of those is written first

	// Descs are the descriptors of Fields, nil for a oneof.
	Descs []protoreflect.FieldDescriptor

	LastInstr *Instr // of those of Fields that are encoded; before the first is one that says that there are no more
	// Flat says that no other messages or wrappers of oneofs are in a message, or that the decoder does not read them.
	Flat      bool
	ManyTypes bool // whether there may be more types in a message than Slots
	FastLoop  bool // whether the encoder's innermost loop can write all of a message

	dense  []*Field // by number; absent where there is none
	sparse []*Field // in the order of their numbers, which are beyond dense

	Unknown            uint32 // offset of the unknown fields, a []byte; 0 if there is no such place
	Extensions         uint32 // offset of the extension fields; 0 if the type has none
	Dynamic            bool   // whether messages are a [Header] and storage
	NeedsRequiredCheck bool   // a message may lack a required field, in itself or below it
	RequiredBits       uint64 // the bits of the required fields, and one that no field has if there are too many
	Checked            []int  // indexes in Fields of those that are required or have messages that need the check

	LastWasLong atomic.Bool // for the encoder, which changes it: whether the last message was long

	registered atomic.Pointer[registered] // extension types met so far

	fields     atomic.Pointer[Layout] // what Structural returns
	structural bool                   // whether it is such a layout

	schema *schema // of the file that declares the type; nil if Official

	json   atomic.Pointer[JSON]
	object atomic.Pointer[JSON] // the same, if Object

	url string // see AnyURL; empty if Official

	compile func(*Layout) Class // fills in what is not valid before Ready
	forget  func()              // is called if that panics; may be nil
	once    sync.Once
}

// Ready compiles l if that has not been done, and returns its class.
func (l *Layout) Ready() Class {
	if c := Class(l.class.Load()); c != unready {
		return c
	}
	return l.compileOnce()
}

//go:noinline
func (l *Layout) compileOnce() Class {
	l.once.Do(func() {
		defer l.forgetFailed()
		c := l.compile(l)
		if c != Official {
			l.url = anyURL(l.Desc.FullName())
		}
		if c != Fast {
			l.Flat = true
		}
		l.blocks()
		l.class.Store(uint32(c))
	})
	c := Class(l.class.Load())
	if c == unready { // compile has panicked, so that l is half made
		panic("proto: a type is used again whose descriptor could not be compiled")
	}
	return c
}

// forgetFailed calls l.forget if l could not be compiled. The panic goes on.
func (l *Layout) forgetFailed() {
	if Class(l.class.Load()) == unready && l.forget != nil {
		l.forget()
	}
}

// Structural returns the layout of the same type that says where the fields are of a Value, Struct or ListValue, for
// whom these are messages like any others.
func (l *Layout) Structural() *Layout {
	if s := l.fields.Load(); s != nil {
		return s
	}
	l.fields.CompareAndSwap(nil, &Layout{Block: l.Block, structural: true, compile: compileGenerated})
	return l.fields.Load()
}

// AnyURL returns the type_url of a google.protobuf.Any that holds m, whose layout is l.
func (l *Layout) AnyURL(m proto.Message) string {
	if l.Ready() == Official {
		return anyURL(proto.MessageName(m))
	}
	return l.url
}

func anyURL(name protoreflect.FullName) string { return "type.googleapis.com/" + string(name) }

// absent is what [Layout.At] returns for numbers that no field has. Its Tag is
// none: there is no wire type 7.
var absent = Field{Tag: 1<<32 - 1}

// At returns the field that has the number, or one whose Tag is none that is legal.
func (l *Layout) At(number uint32) *Field {
	if int(number) < len(l.dense) {
		return l.dense[int(number)]
	}
	return l.lookupSparse(number)
}

//go:noinline
func (l *Layout) lookupSparse(number uint32) *Field {
	low, high := 0, len(l.sparse)
	if high == 0 {
		return &absent
	}
	// Mostly they are in sequence after the gap.
	if at := number - l.sparse[0].Number(); at < uint32(high) && l.sparse[at].Number() == number {
		return l.sparse[at]
	}
	for low < high {
		if mid := (low + high) / 2; l.sparse[mid].Number() < number {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low < len(l.sparse) && l.sparse[low].Number() == number {
		return l.sparse[low]
	}
	return &absent
}

// IsAbsent reports whether f is what [Layout.At] returns for a number that no field has.
func (f *Field) IsAbsent() bool { return f == &absent }

// Find returns the field that has the number; nil if there is none.
func (l *Layout) Find(number uint32) *Field {
	if f := l.At(number); f != &absent {
		return f
	}
	return nil
}

// DescOf returns the descriptor of one of l's Fields.
func (l *Layout) DescOf(f *Field) protoreflect.FieldDescriptor {
	// Sound: f is an element of the array, so that the difference is its place in it.
	i := (uintptr(unsafe.Pointer(f)) - uintptr(unsafe.Pointer(unsafe.SliceData(l.Fields)))) / unsafe.Sizeof(Field{})
	return l.Descs[i]
}

// NameOf returns the name of one of l's Fields as paths have it.
func (l *Layout) NameOf(f *Field) string { return nameOf(l.DescOf(f)) }

func nameOf(fd protoreflect.FieldDescriptor) string {
	if fd.IsExtension() {
		return "(" + string(fd.FullName()) + ")"
	}
	return string(fd.Name())
}

// A Field is a field of a message, or a oneof.
type Field struct {
	Tag    uint32 // number and wire type, as written
	AltTag uint32 // the other form of a list of numbers, read as well; 0 if there is none

	Offset uint32 // in the message
	Bits   uint32 // offset of the uint32 that holds the bit, or the number of the oneof's case
	Mask   uint32 // the bit, or the number

	Op           Op
	Opcode       Opcode
	Addressing   Addressing
	Sparse       bool // not written if it is zero
	TagSize      uint8
	Index        int32  // of its descriptor, in the order of declaration
	Required     bool   // a required field
	Value        uint8  // how many bytes of memory a number takes to which there is a pointer; 0 for a string or bool
	PointeeBytes uint16 // how many those take to which the fields from this one on point: all numbers, or all strings

	TagBytes    uint64 // the tag as it is written, first byte lowest
	TagEnd      uint64 // the same, last byte highest
	RequiredBit uint64 // of a required field, one of its layout's RequiredBits

	Sub     *Layout // of a message's type
	Wrap    *Wrapper
	Entry   *Entry
	Members []OneofMember // of a oneof whose members have wrappers

	ElementInstr *[2]Instr // of a packed list or a member of a oneof, for the encoder: nothing, and then the values
}

// Number returns the field number.
func (f *Field) Number() uint32 { return f.Tag >> 3 }

// A Wrapper is the struct that a generated type has for a member of a oneof.
type Wrapper struct {
	Word unsafe.Pointer // the first word of an interface that holds a pointer to one
	Block
}

// A OneofMember is a member of a oneof, and what the oneof's interface begins with if it is set.
type OneofMember struct {
	word  unsafe.Pointer
	field *Field
}

// An Entry describes the entries of a map.
type Entry struct {
	Key, Value     Kind
	KeyTag, ValTag byte
	Signed         bool    // whether 4 or 8 byte keys are ordered as signed numbers
	Sub            *Layout // of values that are messages
	Default        uint64  // of a value that is a number, where an entry lacks it
}

// An Address is a pointer to a message whose layout is known, to the [Header] of a dynamic one.
// Where its fields lie, to which offsets are added, is what [Layout.FieldsOf] returns.
type Address = unsafe.Pointer
