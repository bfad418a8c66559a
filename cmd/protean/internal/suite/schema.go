package suite

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/cmd/protean/internal/usererr"
)

// A Schema is a set of compiled Protobuf files, complete with all that they
// import. It is safe for concurrent use.
type Schema struct {
	files *protoregistry.Files
	// sources are the same files in the form they were built from, by path.
	sources map[string]*descriptorpb.FileDescriptorProto
	// roots are the paths of the files that the user named, not those that came
	// along as imports.
	roots []string
	// path returns where a file was read from; nil if it was in a descriptor set.
	path func(name string) string
	// messageSets are the full names of messages that are refused, see [takeMessageSets].
	messageSets names

	types      func() *Types
	extensions func() map[protoreflect.FullName][]protoreflect.ExtensionDescriptor
	messages   func() []protoreflect.MessageDescriptor
}

// newSchema links the files, which are its own from then on; together they must be complete.
func newSchema(set *descriptorpb.FileDescriptorSet, roots []string) (*Schema, error) {
	messageSets := takeMessageSets(set.File)
	files, err := protodesc.NewFiles(set)
	if err != nil {
		return nil, err
	}
	s := &Schema{
		files:       files,
		sources:     make(map[string]*descriptorpb.FileDescriptorProto, len(set.File)),
		roots:       roots,
		messageSets: messageSets,
	}
	for _, f := range set.File {
		s.sources[f.GetName()] = f
	}
	s.types = sync.OnceValue(func() *Types { return newTypes(files) })
	s.extensions = sync.OnceValue(s.extensionsOf)
	s.messages = sync.OnceValue(func() []protoreflect.MessageDescriptor { return allMessages(files) })
	return s, nil
}

// NewSchema links files that are complete together, such as those of [Schema.FileSet]
// after a change. They belong to the schema from then on.
func NewSchema(set *descriptorpb.FileDescriptorSet) (*Schema, error) {
	roots := make([]string, len(set.File))
	for i, f := range set.File {
		roots[i] = f.GetName()
	}
	s, err := newSchema(set, roots)
	if err != nil {
		return nil, usererr.Errorf("", "%s", libraryText(err))
	}
	return s, nil
}

// FileSet returns all files of the schema, dependencies first, in an order that
// depends on nothing else. Comments are left out. The caller owns the result.
func (s *Schema) FileSet() *descriptorpb.FileDescriptorSet {
	set := new(descriptorpb.FileDescriptorSet)
	seen := make(map[string]bool)
	for _, path := range slices.Sorted(maps.Keys(s.sources)) {
		s.appendFile(set, path, seen)
	}
	return set
}

// appendFile adds a file after its imports.
func (s *Schema) appendFile(set *descriptorpb.FileDescriptorSet, path string, seen map[string]bool) {
	f := s.sources[path]
	if f == nil || seen[path] {
		return
	}
	seen[path] = true
	for _, dep := range slices.Concat(f.GetDependency(), f.GetOptionDependency()) {
		s.appendFile(set, dep, seen)
	}
	f = proto.CloneOf(f)
	f.SourceCodeInfo = nil
	set.File = append(set.File, f)
}

// Files returns the files that the user named, in that order. Their descriptors
// have the comments of the source.
func (s *Schema) Files() []protoreflect.FileDescriptor {
	var files []protoreflect.FileDescriptor
	for _, path := range s.roots {
		if fd, err := s.files.FindFileByPath(path); err == nil {
			files = append(files, fd)
		}
	}
	return files
}

// Path returns where a file of the schema was read from, as the user would write it; of a descriptor
// set, the file's name in it.
func (s *Schema) Path(fd protoreflect.FileDescriptor) string {
	if s.path == nil {
		return fd.Path()
	}
	return s.path(fd.Path())
}

// Message finds a message type by its full name, or by the end of its full name
// where only one message ends so. An empty name stands for the only top-level
// message of the schema. A name that fits none or several is an error that
// suggests others. A message that can hold a message set is an error.
func (s *Schema) Message(name string) (protoreflect.MessageDescriptor, error) {
	md, err := s.find(name)
	if err == nil {
		err = s.checkMessageSets(md)
	}
	if err != nil {
		return nil, err
	}
	return md, nil
}

func (s *Schema) find(name string) (protoreflect.MessageDescriptor, error) {
	if name == "" {
		return s.onlyMessage()
	}
	name = strings.TrimPrefix(name, ".")
	var matches []protoreflect.MessageDescriptor
	for _, md := range s.messages() {
		full := string(md.FullName())
		if full == name {
			return md, nil
		}
		if strings.HasSuffix(full, "."+name) {
			matches = append(matches, md)
		}
	}
	switch len(matches) {
	case 0:
		return nil, usererr.Errorf("", "message %s is not in the schema%s", name,
			usererr.DidYouMean(name, s.messageNames()))
	case 1:
		return matches[0], nil
	}
	return nil, usererr.Errorf("", "message %s is ambiguous: %s", name, listed(namesOf(matches)))
}

// onlyMessage returns the top-level message of the user's files if there is
// just one.
func (s *Schema) onlyMessage() (protoreflect.MessageDescriptor, error) {
	var found []protoreflect.MessageDescriptor
	for _, fd := range s.Files() {
		for i := range fd.Messages().Len() {
			found = append(found, fd.Messages().Get(i))
		}
	}
	switch len(found) {
	case 0:
		return nil, usererr.Errorf("", "the schema has no messages")
	case 1:
		return found[0], nil
	}
	return nil, usererr.Errorf("", "which message? the schema has %s", listed(namesOf(found)))
}

// messageNames are the full names of all messages, sorted.
func (s *Schema) messageNames() []string { return namesOf(s.messages()) }

// Extensions returns the extensions of a message that the schema declares, in the order of
// their numbers.
func (s *Schema) Extensions(md protoreflect.MessageDescriptor) []protoreflect.ExtensionDescriptor {
	found := slices.Clone(s.extensions()[md.FullName()])
	slices.SortFunc(found, func(a, b protoreflect.ExtensionDescriptor) int { return int(a.Number() - b.Number()) })
	return found
}

// Types returns the resolver of the schema's message and extension types.
func (s *Schema) Types() *Types { return s.types() }

// Types resolves message and extension types: those of a schema, as dynamic
// messages, and the well-known types that are linked into the binary, for data
// that packs them in an Any without the schema importing them. It is safe for
// concurrent use and serves as the resolver of proto and protojson options.
type Types struct {
	*dynamicpb.Types
}

func newTypes(files *protoregistry.Files) *Types {
	t := &Types{dynamicpb.NewTypes(files)}
	// The table of extensions is built on first use and not safely enough for
	// readers of other goroutines, so use it once before anyone else can.
	_, _ = t.FindExtensionByNumber("", 0)
	return t
}

// FindMessageByName looks up a message by its full name.
func (t *Types) FindMessageByName(name protoreflect.FullName) (protoreflect.MessageType, error) {
	mt, err := t.Types.FindMessageByName(name)
	if err == protoregistry.NotFound && name.Parent() == wellKnownPackage {
		return protoregistry.GlobalTypes.FindMessageByName(name)
	}
	return mt, err
}

// FindMessageByURL looks up a message by the type URL of an Any.
func (t *Types) FindMessageByURL(url string) (protoreflect.MessageType, error) {
	return t.FindMessageByName(protoreflect.FullName(url[strings.LastIndexByte(url, '/')+1:]))
}

// wellKnownPackage is the package of the types that every Protobuf library brings.
const wellKnownPackage protoreflect.FullName = "google.protobuf"

// allMessages returns all messages of the files at any depth, sorted by name,
// but for those that stand for map entries.
func allMessages(files *protoregistry.Files) []protoreflect.MessageDescriptor {
	var found []protoreflect.MessageDescriptor
	var collect func(protoreflect.MessageDescriptors)
	collect = func(mds protoreflect.MessageDescriptors) {
		for i := range mds.Len() {
			if md := mds.Get(i); !md.IsMapEntry() {
				found = append(found, md)
				collect(md.Messages())
			}
		}
	}
	files.RangeFiles(func(fd protoreflect.FileDescriptor) bool {
		collect(fd.Messages())
		return true
	})
	slices.SortFunc(found, func(a, b protoreflect.MessageDescriptor) int {
		return strings.Compare(string(a.FullName()), string(b.FullName()))
	})
	return found
}

func namesOf(mds []protoreflect.MessageDescriptor) []string {
	names := make([]string, len(mds))
	for i, md := range mds {
		names[i] = string(md.FullName())
	}
	return names
}

// listed is the names with commas between, cut after ten.
func listed(names []string) string {
	if len(names) <= usererr.MaxListed {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:usererr.MaxListed], ", "), len(names)-usererr.MaxListed)
}
