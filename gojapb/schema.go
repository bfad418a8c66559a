package gojapb

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"weak"

	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/proto"
)

// A Resolver finds message types and extensions by name, for lookups, for the insides of Any, and for extension fields
// in what is decoded. [protoregistry.Types] and [dynamic.Types] are such. A method FindEnumByName, which these have,
// is used too.
type Resolver interface {
	protoregistry.MessageTypeResolver
	protoregistry.ExtensionTypeResolver
}

// An enumResolver is a Resolver that finds enums.
type enumResolver interface {
	FindEnumByName(protoreflect.FullName) (protoreflect.EnumType, error)
}

// A schema is what a runtime knows: a registry of the host, or what a script has loaded on top of another schema. It
// does not change but for its caches, and runtimes that have loaded the same files share it.
type schema struct {
	below    *schema // nil for the host's registry
	files    *protoregistry.Files
	resolver Resolver

	shapes sync.Map // protoreflect.MessageDescriptor -> *shape, of messages that this schema describes

	mu     sync.Mutex
	loaded map[[sha256.Size]byte]weak.Pointer[schema] // by the descriptor sets that were loaded on top
}

// global is the host's registry unless an option names another.
var global = &schema{files: protoregistry.GlobalFiles, resolver: protoregistry.GlobalTypes}

// bases are the schemas of hosts' own registries, which are not kept alive.
var bases struct {
	sync.Mutex
	of map[base]weak.Pointer[schema]
}

// A base identifies a host's registries. Identities may be those of registries that are gone, and so is their schema
// then.
type base struct {
	files    weak.Pointer[protoregistry.Files]
	resolver Resolver
}

// baseSchema returns the schema of a host's registries.
func baseSchema(files *protoregistry.Files, resolver Resolver) *schema {
	if files == protoregistry.GlobalFiles && resolver == Resolver(protoregistry.GlobalTypes) {
		return global
	}
	id := base{weak.Make(files), resolver}
	bases.Lock()
	defer bases.Unlock()
	if s := bases.of[id].Value(); s != nil {
		return s
	}
	if bases.of == nil {
		bases.of = map[base]weak.Pointer[schema]{}
	}
	s := &schema{files: files, resolver: resolver}
	bases.of[id] = weak.Make(s)
	runtime.AddCleanup(s, func(id base) {
		bases.Lock()
		defer bases.Unlock()
		if bases.of[id].Value() == nil {
			delete(bases.of, id)
		}
	}, id)
	return s
}

// shapeOf returns the shape of a message that s itself describes. It is compiled once, for all users of s.
func (s *schema) shapeOf(md protoreflect.MessageDescriptor) *shape {
	if sh, ok := s.shapes.Load(md); ok {
		return sh.(*shape)
	}
	sh, _ := s.shapes.LoadOrStore(md, newShape(s.typeOf(md)))
	return sh.(*shape)
}

// home returns the schema, s or one below it, that describes md; nil if none does.
func (s *schema) home(md protoreflect.MessageDescriptor) *schema {
	for at := s; at != nil; at = at.below {
		if found, err := at.files.FindDescriptorByName(md.FullName()); err == nil &&
			found == protoreflect.Descriptor(md) {
			return at
		}
		if mt, err := at.resolver.FindMessageByName(md.FullName()); at.below == nil && err == nil &&
			mt.Descriptor() == md {
			return at
		}
	}
	return nil
}

// typeOf returns the type that makes messages of md: the host's if it has one for this very descriptor, such as that
// of generated messages, else one of package dynamic.
func (s *schema) typeOf(md protoreflect.MessageDescriptor) protoreflect.MessageType {
	if s.below == nil {
		if mt, err := s.resolver.FindMessageByName(md.FullName()); err == nil && mt.Descriptor() == md {
			return mt
		}
	}
	return dynamic.NewMessageType(md)
}

// find returns what the name stands for. What scripts have loaded comes first.
func (s *schema) find(name protoreflect.FullName) (protoreflect.Descriptor, error) {
	for at := s; at != nil; at = at.below {
		if d, err := at.files.FindDescriptorByName(name); !errors.Is(err, protoregistry.NotFound) {
			return d, err
		}
		if at.below == nil {
			if mt, err := at.resolver.FindMessageByName(name); err == nil {
				return mt.Descriptor(), nil
			}
			if r, ok := at.resolver.(enumResolver); ok {
				if et, err := r.FindEnumByName(name); err == nil {
					return et.Descriptor(), nil
				}
			}
		}
	}
	return nil, protoregistry.NotFound
}

// FindMessageByName makes a schema a Resolver, as the next three methods do.
func (s *schema) FindMessageByName(name protoreflect.FullName) (protoreflect.MessageType, error) {
	d, err := s.find(name)
	if err != nil {
		return nil, err
	}
	md, ok := d.(protoreflect.MessageDescriptor)
	if !ok {
		return nil, protoregistry.NotFound
	}
	return s.home(md).shapeOf(md).typ, nil
}

func (s *schema) FindMessageByURL(url string) (protoreflect.MessageType, error) {
	return s.FindMessageByName(protoreflect.FullName(url[strings.LastIndexByte(url, '/')+1:]))
}

func (s *schema) FindExtensionByName(name protoreflect.FullName) (protoreflect.ExtensionType, error) {
	for at := s; at != nil; at = at.below {
		if xt, err := at.resolver.FindExtensionByName(name); !errors.Is(err, protoregistry.NotFound) {
			return xt, err
		}
	}
	return nil, protoregistry.NotFound
}

func (s *schema) FindExtensionByNumber(
	message protoreflect.FullName, number protoreflect.FieldNumber,
) (protoreflect.ExtensionType, error) {
	for at := s; at != nil; at = at.below {
		if xt, err := at.resolver.FindExtensionByNumber(message, number); !errors.Is(err, protoregistry.NotFound) {
			return xt, err
		}
	}
	return nil, protoregistry.NotFound
}

// FindFileByPath and FindDescriptorByName let the files of a set refer to what is there already.
func (s *schema) FindFileByPath(path string) (protoreflect.FileDescriptor, error) {
	for at := s; at != nil; at = at.below {
		if fd, err := at.files.FindFileByPath(path); !errors.Is(err, protoregistry.NotFound) {
			return fd, err
		}
	}
	return nil, protoregistry.NotFound
}

func (s *schema) FindDescriptorByName(name protoreflect.FullName) (protoreflect.Descriptor, error) {
	return s.find(name)
}

// load returns the schema that has the files of a descriptor set on top of s: s itself if it has them all. What others
// have loaded on top of s is shared.
func (s *schema) load(set *descriptorpb.FileDescriptorSet) (*schema, error) {
	wire, err := proto.MarshalOptions{Deterministic: true, AllowPartial: true}.Marshal(set)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(wire)
	s.mu.Lock()
	defer s.mu.Unlock()
	if loaded := s.loaded[sum].Value(); loaded != nil {
		return loaded, nil
	}
	loaded, err := s.build(set)
	if err != nil || loaded == s {
		return s, err
	}
	if s.loaded == nil {
		s.loaded = map[[sha256.Size]byte]weak.Pointer[schema]{}
	}
	s.loaded[sum] = weak.Make(loaded)
	runtime.AddCleanup(loaded, s.forget, sum)
	return loaded, nil
}

func (s *schema) forget(sum [sha256.Size]byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.loaded[sum].Value() == nil {
		delete(s.loaded, sum)
	}
}

// build makes the schema that load returns.
func (s *schema) build(set *descriptorpb.FileDescriptorSet) (*schema, error) {
	b := &builder{schema: &schema{below: s, files: new(protoregistry.Files)},
		files: map[string]*descriptorpb.FileDescriptorProto{}}
	for _, file := range set.GetFile() {
		if other := b.files[file.GetName()]; other != nil && !sameFile(other, file) {
			return nil, fmt.Errorf("%s is in the set twice, with different contents", file.GetName())
		}
		b.files[file.GetName()] = file
	}
	for _, file := range set.GetFile() {
		if err := b.add(file.GetName()); err != nil {
			return nil, err
		}
	}
	if b.schema.files.NumFiles() == 0 {
		return s, nil
	}
	b.schema.resolver = dynamic.NewTypes(b.schema.files)
	return b.schema, nil
}

// descriptorPath is the path of the schema of descriptors, which files import that declare custom options. Each
// compiler writes its own version of it. The one that is loaded serves for all of them: what others add is for
// compilers.
const descriptorPath = "google/protobuf/descriptor.proto"

// A builder adds files to a schema, what they import before them.
type builder struct {
	schema *schema
	files  map[string]*descriptorpb.FileDescriptorProto
	path   []string // the files that import one another down to the one at hand
}

func (b *builder) add(path string) error {
	file := b.files[path]
	known, err := b.schema.FindFileByPath(path)
	switch {
	case err == nil && (file == nil || path == descriptorPath):
		return nil
	case err == nil && sameFile(protodesc.ToFileDescriptorProto(known), file):
		return nil
	case err == nil:
		return fmt.Errorf("%s conflicts with the file of that name that is loaded", path)
	case file == nil:
		return fmt.Errorf("%s imports %s, which is neither in the set nor loaded", b.path[len(b.path)-1], path)
	}
	for _, p := range b.path {
		if p == path {
			return fmt.Errorf("%s imports itself", path)
		}
	}
	b.path = append(b.path, path)
	for _, dependency := range file.GetDependency() {
		if err := b.add(dependency); err != nil {
			return err
		}
	}
	b.path = b.path[:len(b.path)-1]
	fd, err := protodesc.NewFile(file, b.schema)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for at := b.schema.below; at != nil; at = at.below {
		if name, other := conflict(fd, at.files); other != nil {
			return fmt.Errorf("%s: %s conflicts with that of %s, which is loaded", path, name,
				other.ParentFile().Path())
		}
	}
	return b.schema.files.RegisterFile(fd)
}

// conflict returns a name that fd and the files both declare, at the top level.
func conflict(
	fd protoreflect.FileDescriptor, files *protoregistry.Files,
) (protoreflect.FullName, protoreflect.Descriptor) {
	for _, name := range topLevel(fd) {
		if other, err := files.FindDescriptorByName(name); err == nil {
			return name, other
		}
	}
	return "", nil
}

// topLevel returns the names that a file declares outside of messages.
func topLevel(fd protoreflect.FileDescriptor) []protoreflect.FullName {
	names := namesOf(nil, fd.Messages())
	names = namesOf(names, fd.Enums())
	names = namesOf(names, fd.Extensions())
	return namesOf(names, fd.Services())
}

func namesOf[D protoreflect.Descriptor](names []protoreflect.FullName, list interface {
	Len() int
	Get(int) D
}) []protoreflect.FullName {
	for i := range list.Len() {
		names = append(names, list.Get(i).FullName())
	}
	return names
}

// sameFile reports whether two files declare the same: what compilers write differently, or add of their own, aside,
// such as comments, custom options, and options that concern other languages.
func sameFile(a, b *descriptorpb.FileDescriptorProto) bool {
	return proto.Equal(essence(a), essence(b))
}

func essence(file *descriptorpb.FileDescriptorProto) *descriptorpb.FileDescriptorProto {
	file = proto.Clone(file).(*descriptorpb.FileDescriptorProto)
	file.SourceCodeInfo = nil
	if file.GetSyntax() == "proto2" {
		file.Syntax = nil // which is the same
	}
	if o := file.GetOptions(); o != nil {
		file.Options = &descriptorpb.FileOptions{Features: o.GetFeatures(), Deprecated: o.Deprecated}
	}
	reduce(file.ProtoReflect())
	jsonNames(file.GetExtension())
	jsonNamesIn(file.GetMessageType())
	return file
}

// reduce removes from a part of a file what the Protobuf runtime has no use for: unknown fields, which buf, for one,
// has in each file of an image, custom options, which are unknown fields where they are not known, and options for the
// source alone, which protoc strips and buf does not. Options of which nothing is left then are none.
func reduce(part protoreflect.Message) {
	part.SetUnknown(nil)
	part.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		options, _ := fd.Options().(*descriptorpb.FieldOptions)
		switch {
		case fd.IsExtension() || options.GetRetention() == descriptorpb.FieldOptions_RETENTION_SOURCE:
			part.Clear(fd)
		case fd.Message() == nil:
		case fd.IsList():
			for i := range v.List().Len() {
				reduce(v.List().Get(i).Message())
			}
		default:
			reduce(v.Message())
			if proto.Size(v.Message().Interface()) == 0 {
				part.Clear(fd)
			}
		}
		return true
	})
}

// jsonNamesIn and jsonNames leave out of fields the JSON names that they have anyway: not all compilers write them.

func jsonNamesIn(messages []*descriptorpb.DescriptorProto) {
	for _, m := range messages {
		jsonNames(m.GetField())
		jsonNames(m.GetExtension())
		jsonNamesIn(m.GetNestedType())
	}
}

func jsonNames(fields []*descriptorpb.FieldDescriptorProto) {
	for _, f := range fields {
		if f.JsonName != nil && f.GetJsonName() == jsonName(f.GetName()) {
			f.JsonName = nil
		}
	}
}

// jsonName returns the JSON name that a field has if none is given.
func jsonName(name string) string {
	var b strings.Builder
	up := false
	for i := range len(name) {
		c := name[i]
		switch {
		case c == '_':
			up = true
			continue
		case up && 'a' <= c && c <= 'z':
			c -= 'a' - 'A'
		}
		b.WriteByte(c)
		up = false
	}
	return b.String()
}

// typeNames returns the full names of the messages and enums of a set, in their order.
func typeNames(set *descriptorpb.FileDescriptorSet) []string {
	var names []string
	for _, file := range set.GetFile() {
		prefix := file.GetPackage()
		if prefix != "" {
			prefix += "."
		}
		names = appendNames(names, prefix, file.GetMessageType(), file.GetEnumType())
	}
	return names
}

func appendNames(
	names []string, prefix string, messages []*descriptorpb.DescriptorProto, enums []*descriptorpb.EnumDescriptorProto,
) []string {
	for _, m := range messages {
		if m.GetOptions().GetMapEntry() {
			continue
		}
		names = append(names, prefix+m.GetName())
		names = appendNames(names, prefix+m.GetName()+".", m.GetNestedType(), m.GetEnumType())
	}
	for _, e := range enums {
		names = append(names, prefix+e.GetName())
	}
	return names
}
