package interrupt

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/runtime/protoiface"
)

// Message returns m as a message of another implementation, each method of which calls step first.
func Message(m proto.Message, step func()) proto.Message { return &message{m.ProtoReflect(), step} }

// Type returns the type of such messages.
func Type(mt protoreflect.MessageType, step func()) protoreflect.MessageType {
	return &messageType{mt, step}
}

// Extension returns xt as an extension type of another implementation, each method of which calls step first.
func Extension(xt protoreflect.ExtensionType, step func()) protoreflect.ExtensionType {
	return &extensionType{xt, step}
}

type message struct {
	m    protoreflect.Message
	step func()
}

func (m *message) ProtoReflect() protoreflect.Message {
	m.step()
	return m
}

func (m *message) Interface() protoreflect.ProtoMessage {
	m.step()
	return m
}

func (m *message) New() protoreflect.Message {
	m.step()
	return &message{m.m.New(), m.step}
}

func (m *message) Type() protoreflect.MessageType {
	m.step()
	return &messageType{m.m.Type(), m.step}
}

func (m *message) Range(f func(protoreflect.FieldDescriptor, protoreflect.Value) bool) {
	m.step()
	m.m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		m.step()
		return f(fd, v)
	})
}

func (m *message) ProtoMethods() *protoiface.Methods {
	m.step()
	return nil
}

func (m *message) Descriptor() protoreflect.MessageDescriptor {
	m.step()
	return m.m.Descriptor()
}

func (m *message) Has(fd protoreflect.FieldDescriptor) bool {
	m.step()
	return m.m.Has(fd)
}

func (m *message) Get(fd protoreflect.FieldDescriptor) protoreflect.Value {
	m.step()
	return m.m.Get(fd)
}

func (m *message) Mutable(fd protoreflect.FieldDescriptor) protoreflect.Value {
	m.step()
	return m.m.Mutable(fd)
}

func (m *message) NewField(fd protoreflect.FieldDescriptor) protoreflect.Value {
	m.step()
	return m.m.NewField(fd)
}

func (m *message) WhichOneof(od protoreflect.OneofDescriptor) protoreflect.FieldDescriptor {
	m.step()
	return m.m.WhichOneof(od)
}

func (m *message) Set(fd protoreflect.FieldDescriptor, v protoreflect.Value) {
	m.step()
	m.m.Set(fd, v)
}

func (m *message) Clear(fd protoreflect.FieldDescriptor) {
	m.step()
	m.m.Clear(fd)
}

func (m *message) GetUnknown() protoreflect.RawFields {
	m.step()
	return m.m.GetUnknown()
}

func (m *message) SetUnknown(b protoreflect.RawFields) {
	m.step()
	m.m.SetUnknown(b)
}

func (m *message) IsValid() bool {
	m.step()
	return m.m.IsValid()
}

type messageType struct {
	mt   protoreflect.MessageType
	step func()
}

func (t *messageType) New() protoreflect.Message {
	t.step()
	return &message{t.mt.New(), t.step}
}

func (t *messageType) Zero() protoreflect.Message {
	t.step()
	return &message{t.mt.Zero(), t.step}
}

func (t *messageType) Descriptor() protoreflect.MessageDescriptor {
	t.step()
	return t.mt.Descriptor()
}

type extensionType struct {
	xt   protoreflect.ExtensionType
	step func()
}

func (t *extensionType) New() protoreflect.Value {
	t.step()
	return t.xt.New()
}

func (t *extensionType) Zero() protoreflect.Value {
	t.step()
	return t.xt.Zero()
}

// TypeDescriptor leads back to the type that was wrapped: descriptors cannot be made outside the official library.
func (t *extensionType) TypeDescriptor() protoreflect.ExtensionTypeDescriptor {
	t.step()
	return t.xt.TypeDescriptor()
}

func (t *extensionType) ValueOf(v any) protoreflect.Value {
	t.step()
	return t.xt.ValueOf(v)
}

func (t *extensionType) InterfaceOf(v protoreflect.Value) any {
	t.step()
	return t.xt.InterfaceOf(v)
}

func (t *extensionType) IsValidValue(v protoreflect.Value) bool {
	t.step()
	return t.xt.IsValidValue(v)
}

func (t *extensionType) IsValidInterface(v any) bool {
	t.step()
	return t.xt.IsValidInterface(v)
}

// A Resolver finds what Types has, and calls Step whenever it is asked.
type Resolver struct {
	Types interface {
		FindMessageByName(protoreflect.FullName) (protoreflect.MessageType, error)
		FindMessageByURL(string) (protoreflect.MessageType, error)
		FindExtensionByName(protoreflect.FullName) (protoreflect.ExtensionType, error)
		FindExtensionByNumber(protoreflect.FullName, protoreflect.FieldNumber) (protoreflect.ExtensionType, error)
	}
	Step func()
}

// FindMessageByName is of a protoregistry.MessageTypeResolver.
func (r Resolver) FindMessageByName(name protoreflect.FullName) (protoreflect.MessageType, error) {
	r.Step()
	return r.Types.FindMessageByName(name)
}

// FindMessageByURL is of a protoregistry.MessageTypeResolver.
func (r Resolver) FindMessageByURL(url string) (protoreflect.MessageType, error) {
	r.Step()
	return r.Types.FindMessageByURL(url)
}

// FindExtensionByName is of a protoregistry.ExtensionTypeResolver.
func (r Resolver) FindExtensionByName(name protoreflect.FullName) (protoreflect.ExtensionType, error) {
	r.Step()
	xt, err := r.Types.FindExtensionByName(name)
	return r.wrapped(xt, err)
}

// FindExtensionByNumber is of a protoregistry.ExtensionTypeResolver.
func (r Resolver) FindExtensionByNumber(
	message protoreflect.FullName, number protoreflect.FieldNumber,
) (protoreflect.ExtensionType, error) {
	r.Step()
	xt, err := r.Types.FindExtensionByNumber(message, number)
	return r.wrapped(xt, err)
}

func (r Resolver) wrapped(xt protoreflect.ExtensionType, err error) (protoreflect.ExtensionType, error) {
	if err != nil {
		return nil, err
	}
	return Extension(xt, r.Step), nil
}
