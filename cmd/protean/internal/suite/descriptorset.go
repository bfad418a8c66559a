package suite

import (
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/protean-pb/protean/cmd/protean/internal/usererr"
)

// ReadDescriptorSet reads a schema from a google.protobuf.FileDescriptorSet in
// binary form, as protoc --descriptor_set_out --include_imports or buf build
// write it. Of the imports, only the well-known types may be missing from it.
func ReadDescriptorSet(path string) (*Schema, error) {
	return readDescriptorSet(diskFiles, path)
}

func readDescriptorSet(fsys fileSystem, path string) (*Schema, error) {
	b, err := fsys.read(path)
	if err != nil {
		return nil, usererr.FileError(path, err)
	}
	set := new(descriptorpb.FileDescriptorSet)
	if err := proto.Unmarshal(b, set); err != nil || len(set.File) == 0 {
		return nil, usererr.Errorf(path, "not a descriptor set")
	}
	var roots, imports []string
	for _, f := range set.File {
		if isWellKnownFile(f) {
			imports = append(imports, f.GetName())
		} else {
			roots = append(roots, f.GetName())
		}
	}
	if len(roots) == 0 {
		roots = imports
	}
	if ierr := addWellKnown(path, set); ierr != nil {
		return nil, ierr
	}
	s, err := newSchema(set, roots)
	if err != nil {
		return nil, usererr.Errorf(path, "%s", libraryText(err))
	}
	return s, nil
}

// addWellKnown adds the imports that the set lacks and the binary links.
func addWellKnown(path string, set *descriptorpb.FileDescriptorSet) *usererr.InputError {
	have := make(map[string]bool)
	for _, f := range set.File {
		have[f.GetName()] = true
	}
	// The list grows while it is walked: what is added may import more.
	for i := 0; i < len(set.File); i++ {
		importer := set.File[i].GetName()
		for _, dep := range set.File[i].GetDependency() {
			if have[dep] {
				continue
			}
			known, err := wellKnown.FindFileByPath(dep)
			if err != nil {
				return usererr.Errorf(path, "%s imports %s, which the descriptor set lacks; write it with "+
					"--include_imports", importer, dep)
			}
			have[dep] = true
			set.File = append(set.File, protodesc.ToFileDescriptorProto(known.Desc))
		}
	}
	return nil
}

// libraryText is the text of an error of the Protobuf library without its prefix.
func libraryText(err error) string {
	return strings.TrimPrefix(usererr.OneLine(err.Error()), "proto: ")
}
