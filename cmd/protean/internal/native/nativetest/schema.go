// Package nativetest makes messages for tests: it compiles schemas and fills
// messages of any type with random content.
package nativetest

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
)

// Schema is a set of compiled files, with their imports.
type Schema struct {
	*protoregistry.Files
	own map[string]bool // the paths of the files, without their imports
}

// Compile compiles the .proto files of a folder, which may import each other and
// the files of google/protobuf. The descriptors are copies of their own also of
// those files: they are not the ones linked into the program.
func Compile(dir string) (*Schema, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.proto"))
	if err != nil || len(paths) == 0 {
		return nil, fmt.Errorf("no .proto files in %s: %w", dir, cmp.Or(err, os.ErrNotExist))
	}
	s := &Schema{own: map[string]bool{}}
	for _, p := range paths {
		s.own[filepath.Base(p)] = true
	}
	set, err := compile(dir, paths)
	if err != nil {
		return nil, err
	}
	s.Files, err = protodesc.NewFiles(set)
	return s, err
}

func compile(dir string, paths []string) (*descriptorpb.FileDescriptorSet, error) {
	names := make([]string, len(paths))
	for i, p := range paths {
		names[i] = filepath.Base(p)
	}
	compiler := protocompile.Compiler{
		Resolver: protocompile.WithStandardImports(&protocompile.SourceResolver{ImportPaths: []string{dir}}),
	}
	files, err := compiler.Compile(context.Background(), names...)
	if err != nil {
		return nil, err
	}
	set := &descriptorpb.FileDescriptorSet{}
	added := map[string]bool{}
	for _, f := range files {
		addFile(set, added, f)
	}
	return set, nil
}

// addFile adds a file behind those that it imports.
func addFile(set *descriptorpb.FileDescriptorSet, added map[string]bool, fd protoreflect.FileDescriptor) {
	if added[fd.Path()] {
		return
	}
	added[fd.Path()] = true
	for i := range fd.Imports().Len() {
		addFile(set, added, fd.Imports().Get(i).FileDescriptor)
	}
	set.File = append(set.File, protodesc.ToFileDescriptorProto(fd))
}

// Messages returns the top-level messages of the folder's own files, in the
// order of their full names.
func (s *Schema) Messages() []protoreflect.MessageDescriptor {
	var messages []protoreflect.MessageDescriptor
	s.RangeFiles(func(fd protoreflect.FileDescriptor) bool {
		for i := range fd.Messages().Len() {
			if s.own[fd.Path()] {
				messages = append(messages, fd.Messages().Get(i))
			}
		}
		return true
	})
	slices.SortFunc(messages, func(a, b protoreflect.MessageDescriptor) int {
		return strings.Compare(string(a.FullName()), string(b.FullName()))
	})
	return messages
}

// Message returns the message of the full name, or nil.
func (s *Schema) Message(name protoreflect.FullName) protoreflect.MessageDescriptor {
	d, _ := s.FindDescriptorByName(name)
	md, _ := d.(protoreflect.MessageDescriptor)
	return md
}
