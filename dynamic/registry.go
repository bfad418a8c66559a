package dynamic

import (
	"fmt"
	"strings"
	"sync"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// Types finds the types of what a registry of files describes. It can serve wherever the
// official library takes a resolver. All goroutines may use it, as long as none changes
// the registry.
type Types struct {
	files *protoregistry.Files

	mu         sync.Mutex
	seen       int // how many files the extensions below are from
	extensions map[extendee]protoreflect.ExtensionDescriptor
}

// An extendee is what an extension field extends, and the number it has there.
type extendee struct {
	message protoreflect.FullName
	number  protoreflect.FieldNumber
}

// NewTypes returns the types of what files describes, and of what is added to it later.
func NewTypes(files *protoregistry.Files) *Types { return &Types{files: files} }

// find returns the descriptor of the name, which must be of the type D.
func find[D protoreflect.Descriptor](t *Types, name protoreflect.FullName, what string) (D, error) {
	var none D
	found, err := t.files.FindDescriptorByName(name)
	if err != nil {
		return none, err
	}
	d, ok := found.(D)
	if !ok {
		return none, fmt.Errorf("proto: %v is no %s", name, what)
	}
	return d, nil
}

// FindMessageByName returns the type of the message. The error is
// [protoregistry.NotFound] if there is nothing of that name.
func (t *Types) FindMessageByName(name protoreflect.FullName) (protoreflect.MessageType, error) {
	md, err := find[protoreflect.MessageDescriptor](t, name, "message")
	if err != nil {
		return nil, err
	}
	return NewMessageType(md), nil
}

// FindMessageByURL returns the message type whose name follows the last slash of the URL.
func (t *Types) FindMessageByURL(url string) (protoreflect.MessageType, error) {
	return t.FindMessageByName(protoreflect.FullName(url[strings.LastIndexByte(url, '/')+1:]))
}

// FindEnumByName returns the type of the enum. The error is [protoregistry.NotFound] if
// there is nothing of that name.
func (t *Types) FindEnumByName(name protoreflect.FullName) (protoreflect.EnumType, error) {
	ed, err := find[protoreflect.EnumDescriptor](t, name, "enum")
	if err != nil {
		return nil, err
	}
	return NewEnumType(ed), nil
}

// FindExtensionByName returns the type of the extension field of that full name, which is
// that of the place where it is declared. The error is [protoregistry.NotFound] if there
// is nothing of that name.
func (t *Types) FindExtensionByName(name protoreflect.FullName) (protoreflect.ExtensionType, error) {
	xd, err := find[protoreflect.FieldDescriptor](t, name, "extension")
	if err != nil {
		return nil, err
	}
	if !xd.IsExtension() {
		return nil, fmt.Errorf("proto: %v is no extension", name)
	}
	return NewExtensionType(xd), nil
}

// FindExtensionByNumber returns the type of the extension field that the message has by
// that number. The error is [protoregistry.NotFound] if there is none.
func (t *Types) FindExtensionByNumber(
	message protoreflect.FullName, number protoreflect.FieldNumber,
) (protoreflect.ExtensionType, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n := t.files.NumFiles(); n != t.seen {
		t.collect()
		t.seen = n
	}
	xd := t.extensions[extendee{message, number}]
	if xd == nil {
		return nil, protoregistry.NotFound
	}
	return NewExtensionType(xd), nil
}

// A scope is what extension fields are declared in: a file or a message.
type scope interface {
	Messages() protoreflect.MessageDescriptors
	Extensions() protoreflect.ExtensionDescriptors
}

// collect finds all extension fields of the files.
func (t *Types) collect() {
	t.extensions = map[extendee]protoreflect.ExtensionDescriptor{}
	t.files.RangeFiles(func(fd protoreflect.FileDescriptor) bool {
		t.collectFrom(fd)
		return true
	})
}

func (t *Types) collectFrom(s scope) {
	for i := range s.Extensions().Len() {
		xd := s.Extensions().Get(i)
		t.extensions[extendee{xd.ContainingMessage().FullName(), xd.Number()}] = xd
	}
	for i := range s.Messages().Len() {
		t.collectFrom(s.Messages().Get(i))
	}
}
