package kafkacodec

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/parser"
	"github.com/bufbuild/protocompile/protoutil"
	"github.com/bufbuild/protocompile/reporter"
	"github.com/twmb/franz-go/pkg/sr"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/proto"
)

// A schema is a file of the registry, compiled with all that it refers to.
type schema struct {
	id       int
	file     protoreflect.FileDescriptor
	files    *protoregistry.Files
	resolver resolver
	types    scope
}

// A schemaError says that the registry's answer cannot be used, however often it is asked.
type schemaError struct{ err error }

func (e *schemaError) Error() string { return e.err.Error() }
func (e *schemaError) Unwrap() error { return e.err }

func unusable(format string, args ...any) error { return &schemaError{fmt.Errorf(format, args...)} }

// load gets the schema of an id from the registry and compiles it.
func (c *Codec) load(ctx context.Context, id int) (*schema, error) {
	if c.options.Serialized {
		ctx = sr.WithParams(ctx, sr.Format("serialized"))
	}
	main, err := c.registry.SchemaByID(ctx, id)
	if err != nil {
		return nil, err
	}
	if main.Type != sr.TypeProtobuf {
		return nil, unusable("it is in %s, not in Protobuf", main.Type)
	}
	in := &sources{options: c.options, names: map[string]sr.SchemaReference{},
		parsed: map[string]protocompile.SearchResult{}}
	root := rootName(id, main.References)
	if err := in.add(root, main.Schema); err != nil {
		return nil, err
	}
	if err := in.fetch(ctx, c.registry, main.References); err != nil {
		return nil, err
	}
	return in.compile(ctx, id, root)
}

// rootName is the name of the file that a record's schema is, which the registry does not know.
func rootName(id int, refs []sr.SchemaReference) string {
	name := fmt.Sprintf("schema-%d.proto", id)
	for slices.ContainsFunc(refs, func(r sr.SchemaReference) bool { return r.Name == name }) {
		name = "_" + name
	}
	return name
}

// sources are the files of a schema, by the names that imports give them.
type sources struct {
	options Options
	size    int // of all of them in bytes
	names   map[string]sr.SchemaReference
	parsed  map[string]protocompile.SearchResult
}

// fetch adds what is referred to, and what that refers to.
func (in *sources) fetch(ctx context.Context, r Registry, refs []sr.SchemaReference) error {
	for i := 0; i < len(refs); i++ {
		ref := refs[i]
		if first := in.names[ref.Name]; first.Name != "" && first != ref {
			return unusable("it refers to %q as version %d of %q and as version %d of %q",
				ref.Name, first.Version, first.Subject, ref.Version, ref.Subject)
		}
		in.names[ref.Name] = ref
		if _, done := in.parsed[ref.Name]; done {
			continue
		}
		if len(in.parsed) > in.options.MaxReferences {
			return unusable("it refers to more than %d files", in.options.MaxReferences)
		}
		found, err := r.SchemaByVersion(ctx, ref.Subject, ref.Version)
		if err != nil {
			return fmt.Errorf("reference %q, version %d of %q: %w", ref.Name, ref.Version, ref.Subject, err)
		}
		if err := in.add(ref.Name, found.Schema.Schema); err != nil {
			return err
		}
		if refs = append(refs, found.References...); len(refs) > maxReferenceLists {
			return unusable("its files have more than %d references", maxReferenceLists)
		}
	}
	return nil
}

// maxReferenceLists is how many references all files of a schema may have together: mostly several name the same file.
const maxReferenceLists = 1 << 16

// add parses a file: source, or a serialized descriptor in base64.
func (in *sources) add(name, text string) error {
	if in.size += len(text); in.size > in.options.MaxSchemaSize {
		return unusable("it has more than %d bytes with all that it refers to", in.options.MaxSchemaSize)
	}
	result, err := parse(name, text)
	if err != nil {
		return unusable("%w", err)
	}
	in.parsed[name] = result
	return nil
}

// parse reads a file, and refuses one that would take more memory than is in proportion.
func parse(name, text string) (result protocompile.SearchResult, err error) {
	defer recovered(&err)
	if fdp := serialized(text); fdp != nil {
		fdp.Name = &name
		if err := checkDescriptor(fdp); err != nil {
			return result, fmt.Errorf("%s: %w", name, err)
		}
		return protocompile.SearchResult{Proto: fdp}, nil
	}
	if err := checkSource(text); err != nil {
		return result, fmt.Errorf("%s: %w", name, err)
	}
	handler := reporter.NewHandler(nil)
	tree, err := parser.Parse(name, strings.NewReader(text), handler)
	if err != nil {
		return result, err
	}
	parsed, err := parser.ResultFromAST(tree, true, handler)
	if err != nil {
		return result, err
	}
	return protocompile.SearchResult{ParseResult: parsed}, nil
}

// serialized returns the descriptor that a text is in base64, or nil: a source always has a character that base64 has
// not.
func serialized(text string) *descriptorpb.FileDescriptorProto {
	b, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
	if err != nil || len(b) == 0 {
		return nil
	}
	fdp := new(descriptorpb.FileDescriptorProto)
	if err := (proto.UnmarshalOptions{RecursionLimit: 200}).Unmarshal(b, fdp); err != nil {
		return nil
	}
	return fdp
}

// FindFileByPath implements [protocompile.Resolver]. What comes with every Protobuf compiler is not taken from the
// registry, and what that lacks is taken from the files that the program links.
func (in *sources) FindFileByPath(name string) (protocompile.SearchResult, error) {
	if known, err := standard.FindFileByPath(name); err == nil {
		return known, nil
	}
	if found, ok := in.parsed[name]; ok {
		return found, nil
	}
	if source, ok := confluentFiles[name]; ok {
		return protocompile.SearchResult{Source: strings.NewReader(source)}, nil
	}
	if linked, err := protoregistry.GlobalFiles.FindFileByPath(name); err == nil {
		return protocompile.SearchResult{Desc: linked}, nil
	}
	return protocompile.SearchResult{}, fmt.Errorf("import %q: the registry has no reference to it", name)
}

// standard finds the well-known files.
var standard = protocompile.WithStandardImports(
	protocompile.ResolverFunc(func(string) (protocompile.SearchResult, error) {
		return protocompile.SearchResult{}, protoregistry.NotFound
	}))

// compile links the files, and makes ordinary descriptors of them: the compiler's own lack what editions say of UTF-8.
func (in *sources) compile(ctx context.Context, id int, root string) (s *schema, err error) {
	defer recovered(&err)
	compiler := protocompile.Compiler{Resolver: in, MaxParallelism: 1}
	linked, err := compiler.Compile(ctx, root)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, unusable("%w", err)
	}
	files, err := protodesc.NewFiles(ordinary(linked[0]))
	if err != nil {
		return nil, unusable("%w", err)
	}
	file, err := files.FindFileByPath(root)
	if err != nil {
		return nil, unusable("%w", err)
	}
	s = &schema{id: id, file: file, files: files, resolver: resolver{dynamic.NewTypes(files)}}
	s.types = s.makeScope(file.Messages(), nil, in.options.SourceIndexes)
	return s, nil
}

// ordinary returns a file and all that it imports.
func ordinary(root protoreflect.FileDescriptor) *descriptorpb.FileDescriptorSet {
	set := new(descriptorpb.FileDescriptorSet)
	seen := map[string]bool{}
	var add func(protoreflect.FileDescriptor)
	add = func(fd protoreflect.FileDescriptor) {
		if seen[fd.Path()] {
			return
		}
		seen[fd.Path()] = true
		for i := range fd.Imports().Len() {
			add(fd.Imports().Get(i).FileDescriptor)
		}
		set.File = append(set.File, protoutil.ProtoFromFileDescriptor(fd))
	}
	add(root)
	return set
}

// recovered makes an error of a panic of the compiler, which has some for what its authors hold impossible.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = unusable("the compiler failed: %v", p)
	}
}

// A resolver finds the types of a schema, and else those that the program links.
type resolver struct{ own *dynamic.Types }

func orLinked[T any](own T, err error, linked func() (T, error)) (T, error) {
	if errors.Is(err, protoregistry.NotFound) {
		return linked()
	}
	return own, err
}

func (r resolver) FindMessageByName(name protoreflect.FullName) (protoreflect.MessageType, error) {
	own, err := r.own.FindMessageByName(name)
	return orLinked(own, err, func() (protoreflect.MessageType, error) {
		return protoregistry.GlobalTypes.FindMessageByName(name)
	})
}

func (r resolver) FindMessageByURL(url string) (protoreflect.MessageType, error) {
	own, err := r.own.FindMessageByURL(url)
	return orLinked(own, err, func() (protoreflect.MessageType, error) {
		return protoregistry.GlobalTypes.FindMessageByURL(url)
	})
}

func (r resolver) FindExtensionByName(name protoreflect.FullName) (protoreflect.ExtensionType, error) {
	return r.own.FindExtensionByName(name)
}

func (r resolver) FindExtensionByNumber(
	message protoreflect.FullName, n protoreflect.FieldNumber,
) (protoreflect.ExtensionType, error) {
	return r.own.FindExtensionByNumber(message, n)
}
