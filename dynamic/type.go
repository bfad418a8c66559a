package dynamic

import (
	"errors"
	"sync/atomic"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/dynamic/internal/block"
	"github.com/protean-pb/protean/internal/layout"
)

// untyped is the type of the zero Message, which has no descriptor.
var untyped *Type

func init() {
	untyped = newType(nil)
	message := func(h *layout.Header) protoreflect.Message { return messageOf(h) }
	layout.RegisterDynamic((*Message)(nil), message, untyped.readOnly().Layout)
}

// A Type makes messages of one descriptor. All goroutines may use it.
type Type struct {
	layout layout.Layout // the first field: messages refer to it
	of     *Type         // itself; for the type of read-only messages the type that they stand for
	fields []field       // by the index of the descriptor; set once the layout is Ready
	zero   atomic.Pointer[layout.DynamicStorage]
}

// NewType returns the type of the messages that md describes. Equal descriptors have the
// same Type, as long as anybody holds it, or a message of it. It is compiled when it is
// first used.
func NewType(md protoreflect.MessageDescriptor) *Type { return types.find(md) }

func newType(md protoreflect.MessageDescriptor) *Type {
	t := &Type{}
	t.of = t
	sub := func(md protoreflect.MessageDescriptor) *layout.Layout { return &NewType(md).layout }
	t.layout.InitDynamic(md, sub, func() { t.fields = fieldsOf(&t.layout) }, func() { types.drop(t) })
	return t
}

// New returns an empty message, in one allocation.
func (t *Type) New() *Message {
	t.layout.Ready()
	return messageOf(block.New(&t.layout, &t.layout))
}

// Descriptor returns what describes the messages.
func (t *Type) Descriptor() protoreflect.MessageDescriptor { return t.layout.Desc }

// MessageType returns t as the official library knows types. Those of one Type are equal.
func (t *Type) MessageType() protoreflect.MessageType { return messageType{t} }

// zeroMessage returns a message that stands for an absent one: empty and read-only. It is a
// new one each time, since a caller can overwrite it, and Reset makes it one that can be changed.
func (t *Type) zeroMessage() *Message { return &Message{layout.Header{Storage: t.readOnly()}} }

// readOnly returns the storage of read-only messages. It has a Type of its own, whose layout
// keeps the codecs away from it.
func (t *Type) readOnly() *layout.DynamicStorage {
	if s := t.zero.Load(); s != nil {
		return s
	}
	t.layout.Ready()
	zero := &Type{of: t, fields: t.fields}
	zero.layout.InitOfficial(t.layout.Desc)
	t.zero.CompareAndSwap(nil, block.New(&t.layout, &zero.layout).Storage)
	return t.zero.Load()
}

// descriptor returns that of t. It panics if t is untyped: what needs a descriptor does so with dynamicpb.
func (t *Type) descriptor() protoreflect.MessageDescriptor {
	if t.layout.Desc == nil {
		panic(errUntyped)
	}
	return t.layout.Desc
}

var errUntyped = errors.New("proto: a zero dynamic.Message has no descriptor; NewMessage makes one that has")

// A messageType is a Type as the official library knows types.
type messageType struct{ t *Type }

var _ protoreflect.MessageFieldTypes = messageType{}

// NewMessageType returns the type of the messages that md describes, as the official
// library knows types. Those of equal descriptors are equal.
func NewMessageType(md protoreflect.MessageDescriptor) protoreflect.MessageType {
	return messageType{NewType(md)}
}

func (mt messageType) New() protoreflect.Message                  { return mt.t.New() }
func (mt messageType) Zero() protoreflect.Message                 { return mt.t.zeroMessage() }
func (mt messageType) Descriptor() protoreflect.MessageDescriptor { return mt.t.layout.Desc }

// Enum returns the type of the enum of field i; nil if it has none.
func (mt messageType) Enum(i int) protoreflect.EnumType {
	if ed := mt.t.descriptor().Fields().Get(i).Enum(); ed != nil {
		return NewEnumType(ed)
	}
	return nil
}

// Message returns the type of the messages of field i, or of a map's entries; nil if it
// has none.
func (mt messageType) Message(i int) protoreflect.MessageType {
	if md := mt.t.descriptor().Fields().Get(i).Message(); md != nil {
		return NewMessageType(md)
	}
	return nil
}
