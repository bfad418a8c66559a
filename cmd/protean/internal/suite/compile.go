package suite

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/ast"
	"github.com/bufbuild/protocompile/linker"
	"github.com/bufbuild/protocompile/parser"
	"github.com/bufbuild/protocompile/protoutil"
	"github.com/bufbuild/protocompile/reporter"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/protean-pb/protean/cmd/protean/internal/usererr"
)

// ParseSchema compiles .proto sources. The files are paths as the user typed
// them; a file below an import path is known by its path relative to the
// longest such one, and a file below none makes its own folder an import path.
// Without import paths, the modules of the buf workspace that the files lie in
// are some, and the working directory is the last. The well-known types need not
// be there as files.
//
// Errors are of type *[usererr.InputError], or [usererr.InputErrors] where the sources have several.
func ParseSchema(protos []string, importPaths []string) (*Schema, error) {
	return parseSchema(diskFiles, protos, importPaths, ".")
}

// parseSchema is ParseSchema with home in place of the working directory.
func parseSchema(fsys fileSystem, protos, importPaths []string, home string) (s *Schema, err error) {
	// The compiler has panics for what its authors hold impossible. A user's
	// typing error must not end in a stack trace.
	defer func() {
		if p := recover(); p != nil {
			s, err = nil, usererr.Errorf(strings.Join(protos, ", "), "the compiler failed: %v", p)
		}
	}()
	if len(protos) == 0 {
		return nil, usererr.Errorf("", "no .proto files")
	}
	c, err := newSources(fsys, protos, importPaths, home)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, file := range protos {
		name, ierr := c.add(filepath.ToSlash(file))
		if ierr != nil {
			return nil, ierr
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	files, err := c.compile(names)
	if err != nil {
		return nil, err
	}
	set, err := ordinarySet(files)
	if err == nil {
		s, err = newSchema(set, names)
	}
	if err != nil {
		return nil, usererr.Errorf(c.path(names[0]), "%s", libraryText(err))
	}
	s.path = c.path
	return s, nil
}

// sources finds .proto files by the names that imports give them.
type sources struct {
	fsys  fileSystem
	roots []string
	// deps are modules of a registry that files may import from.
	deps []string
	// explicit are the user's files by name. They win over the import paths,
	// where protoc would refuse a file that another one shadows.
	explicit map[string]string

	mu    sync.Mutex
	paths map[string]string // name to path, of all files that were read
}

func newSources(fsys fileSystem, protos, importPaths []string, home string) (*sources, error) {
	c := &sources{fsys: fsys, explicit: make(map[string]string), paths: make(map[string]string)}
	for _, p := range importPaths {
		c.roots = append(c.roots, filepath.ToSlash(p))
	}
	if len(c.roots) > 0 {
		return c, nil
	}
	var files []string
	for _, p := range protos {
		files = append(files, filepath.ToSlash(p))
	}
	w, err := bufWorkspaceOf(fsys, files)
	if err != nil {
		return nil, err
	}
	c.deps = w.deps
	if c.roots = w.roots; !slices.Contains(c.roots, home) {
		c.roots = append(c.roots, home)
	}
	return c, nil
}

// add takes a file of the user and returns the name it has in imports.
func (c *sources) add(file string) (string, *usererr.InputError) {
	if _, err := c.fsys.read(file); err != nil {
		return c.addByName(file, err)
	}
	name, best := "", -1
	for _, root := range c.roots {
		if rel, ok := c.fsys.within(root, file); ok && len(c.fsys.abs(root)) > best {
			name, best = rel, len(c.fsys.abs(root))
		}
	}
	if best < 0 {
		name = path.Base(file)
		c.roots = append(c.roots, path.Dir(file))
	}
	if other, ok := c.explicit[name]; ok && c.fsys.abs(other) != c.fsys.abs(file) {
		return "", usererr.Errorf(file, "has the same name in imports, %s, as %s", name, other)
	}
	c.explicit[name] = file
	return name, nil
}

// addByName takes a file that is not where the user said, but may be below an
// import path, as protoc has it, or be built in.
func (c *sources) addByName(file string, err error) (string, *usererr.InputError) {
	name := path.Clean(file)
	if !path.IsAbs(file) {
		for _, root := range c.roots {
			if p := path.Join(root, name); c.fsys.exists(p) {
				c.explicit[name] = p
				return name, nil
			}
		}
	}
	if _, e := wellKnown.FindFileByPath(name); e == nil {
		return name, nil
	}
	return "", usererr.FileError(file, err)
}

// path returns where a file was read from, as the user would write it.
func (c *sources) path(name string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p, ok := c.paths[name]; ok {
		return p
	}
	return name
}

// FindFileByPath implements [protocompile.Resolver].
func (c *sources) FindFileByPath(name string) (protocompile.SearchResult, error) {
	candidates := make([]string, 0, len(c.roots)+1)
	if p, ok := c.explicit[name]; ok {
		candidates = append(candidates, p)
	}
	for _, root := range c.roots {
		candidates = append(candidates, path.Join(root, name))
	}
	for _, p := range candidates {
		if b, err := c.fsys.read(p); err == nil {
			c.mu.Lock()
			c.paths[name] = p
			c.mu.Unlock()
			return protocompile.SearchResult{Source: bytes.NewReader(b)}, nil
		}
	}
	return protocompile.SearchResult{}, &importError{name, c.roots, c.deps}
}

// An importError is an import that no import path has.
type importError struct {
	name        string
	roots, deps []string
}

func (e *importError) Error() string {
	text := fmt.Sprintf("import %q not found; searched: %s", e.name, strings.Join(e.roots, ", "))
	if len(e.deps) > 0 {
		text += fmt.Sprintf("; if it is in %s, give --descriptor-set with what buf build -o writes",
			usererr.OrList(e.deps))
	}
	return text
}

// wellKnown finds the files that come with every Protobuf compiler.
var wellKnown = protocompile.WithStandardImports(protocompile.ResolverFunc(
	func(name string) (protocompile.SearchResult, error) {
		return protocompile.SearchResult{}, &importError{name: name}
	}))

// compile returns the compiled files of the names.
func (c *sources) compile(names []string) (linker.Files, error) {
	files, _, err := c.run(names)
	if err == nil {
		return files, nil
	}
	// A file whose import is wrong is given up at once, without a look at the other imports,
	// and compilation is concurrent. All files are compiled in their own right, so that all
	// errors are found, the same ones each time.
	all, own := c.closure(names)
	_, errs, err := c.run(all)
	if errs = append(own, withoutNewer(errs, own)...); len(errs) == 0 {
		return nil, usererr.Errorf(c.path(names[0]), "%s", compilerText(err))
	}
	return nil, c.inOrder(names, errs)
}

// run compiles files and collects all errors that have a position.
func (c *sources) run(names []string) (linker.Files, []reporter.ErrorWithPos, error) {
	var (
		mu   sync.Mutex
		errs []reporter.ErrorWithPos
	)
	compiler := protocompile.Compiler{
		Resolver: protocompile.WithStandardImports(c),
		Reporter: reporter.NewReporter(func(err reporter.ErrorWithPos) error {
			mu.Lock()
			defer mu.Unlock()
			errs = append(errs, err)
			return nil
		}, nil),
		SourceInfoMode: protocompile.SourceInfoStandard,
	}
	files, err := compiler.Compile(context.Background(), names...)
	mu.Lock()
	defer mu.Unlock()
	var located reporter.ErrorWithPos
	if errors.As(err, &located) {
		errs = append(errs, located)
	}
	return files, slices.Clone(errs), err
}

// newestEdition is the newest that the compiler knows.
const newestEdition = 2023

func isNewer(edition string) bool {
	year, err := strconv.Atoi(edition)
	return err == nil && year > newestEdition
}

// An editionError is an edition that the compiler does not know.
type editionError struct{ edition string }

func (e *editionError) Error() string {
	return fmt.Sprintf("edition %s is not supported in sources, which go up to %d: "+
		"compile them with protoc or buf, and give --descriptor-set", e.edition, newestEdition)
}

// withoutNewer returns errors without those of files of a newer edition, which follow from it.
func withoutNewer(errs, own []reporter.ErrorWithPos) []reporter.ErrorWithPos {
	return slices.DeleteFunc(errs, func(err reporter.ErrorWithPos) bool {
		return slices.ContainsFunc(own, func(o reporter.ErrorWithPos) bool {
			return o.GetPosition().Filename == err.GetPosition().Filename && errors.As(o.Unwrap(), new(*editionError))
		})
	})
}

// closure returns the names and those of all files that they import, at any depth, and an
// error for each import that no import path has and each edition that is too new.
func (c *sources) closure(names []string) (all []string, errs []reporter.ErrorWithPos) {
	all = slices.Clone(names)
	ignore := reporter.NewHandler(reporter.NewReporter(func(reporter.ErrorWithPos) error { return nil }, nil))
	for i := 0; i < len(all); i++ {
		found, err := c.FindFileByPath(all[i])
		if err != nil {
			continue // the user's own, which is well-known
		}
		file, _ := parser.Parse(all[i], found.Source, ignore) // what is wrong with it is found again
		if file == nil {
			continue
		}
		if e := file.Edition; e != nil && isNewer(e.Edition.AsString()) {
			errs = append(errs, reporter.Error(file.NodeInfo(e.Edition), &editionError{e.Edition.AsString()}))
		}
		for _, decl := range file.Decls {
			node, ok := decl.(*ast.ImportNode)
			if !ok || slices.Contains(all, node.Name.AsString()) {
				continue
			}
			if _, err := c.FindFileByPath(node.Name.AsString()); err == nil {
				all = append(all, node.Name.AsString())
			} else if _, known := wellKnown.FindFileByPath(node.Name.AsString()); known != nil {
				errs = append(errs, reporter.Error(file.NodeInfo(node.Name), err))
			}
		}
	}
	return all, errs
}

// inOrder returns errors in the order of the user's files, then of the names, then of
// the positions, each once.
func (c *sources) inOrder(names []string, errs []reporter.ErrorWithPos) error {
	rank := func(file string) int {
		if i := slices.Index(names, file); i >= 0 {
			return i
		}
		return len(names)
	}
	slices.SortFunc(errs, func(a, b reporter.ErrorWithPos) int {
		p, q := a.GetPosition(), b.GetPosition()
		return cmp.Or(rank(p.Filename)-rank(q.Filename), strings.Compare(p.Filename, q.Filename),
			p.Line-q.Line, p.Col-q.Col, strings.Compare(a.Error(), b.Error()))
	})
	var all usererr.InputErrors
	for _, err := range errs {
		pos := err.GetPosition()
		one := &usererr.InputError{File: c.path(pos.Filename), Line: pos.Line, Column: pos.Col,
			Message: compilerText(err.Unwrap())}
		if len(all) == 0 || *one != *all[len(all)-1] {
			all = append(all, one)
		}
	}
	if len(all) == 1 {
		return all[0]
	}
	return all
}

// compilerText words an error of the compiler.
func compilerText(err error) string {
	var ie *importError
	if errors.As(err, &ie) {
		return ie.Error()
	}
	var pe protocompile.PanicError
	if errors.As(err, &pe) {
		return fmt.Sprintf("the compiler failed: %v", pe.Value)
	}
	return usererr.OneLine(err.Error())
}

// ordinarySet turns compiled files and their imports into descriptor messages,
// dependencies first, so that later consumers see the same descriptors whether
// the schema came as source or as a descriptor set.
func ordinarySet(files linker.Files) (*descriptorpb.FileDescriptorSet, error) {
	set := new(descriptorpb.FileDescriptorSet)
	seen := make(map[string]bool)
	var add func(fd protoreflect.FileDescriptor) error
	add = func(fd protoreflect.FileDescriptor) error {
		if seen[fd.Path()] {
			return nil
		}
		seen[fd.Path()] = true
		for i := range fd.Imports().Len() {
			imp := fd.Imports().Get(i)
			if err := add(imp.FileDescriptor); err != nil {
				return err
			}
		}
		f, err := plain(protoutil.ProtoFromFileDescriptor(fd))
		set.File = append(set.File, f)
		return err
	}
	for _, fd := range files {
		if err := add(fd); err != nil {
			return nil, err
		}
	}
	return set, nil
}

// plain rereads a descriptor from its binary form: what the compiler put into
// its options as dynamic messages becomes the linked Go types, or stays unknown.
func plain(f *descriptorpb.FileDescriptorProto) (*descriptorpb.FileDescriptorProto, error) {
	b, err := proto.MarshalOptions{Deterministic: true, AllowPartial: true}.Marshal(f)
	if err != nil {
		return nil, err
	}
	out := new(descriptorpb.FileDescriptorProto)
	err = proto.UnmarshalOptions{AllowPartial: true}.Unmarshal(b, out)
	return out, err
}
