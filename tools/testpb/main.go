// Command testpb writes the generated Go messages of the tests: those of
// internal/testpb from its .proto files and the official conformance messages, each
// with the open, the hybrid and the opaque API, those of the conformance
// runner's protocol, and the messages and services of examples/service.
//
//	go run -tags protolegacy ./testpb [-check] ROOT
//
// ROOT is the repository's root. With -check it writes nothing, lists the files that
// differ from what it would write, and exits with 1 if there are any. The build tag
// lets protogen accept descriptors of message sets; what is generated does not
// depend on it.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
)

const module = "github.com/protean-pb/protean"

func main() {
	check := flag.Bool("check", false, "compare instead of writing")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: testpb [-check] ROOT")
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *check); err != nil {
		fmt.Fprintln(os.Stderr, "testpb:", err)
		os.Exit(1)
	}
}

func run(root string, check bool) error {
	outputs := map[string]func(string) (map[string][]byte, error){
		"internal/testpb/gen":                messages,
		"conformance/internal/conformancepb": protocol,
		"examples/service/internal/eventpb":  service,
	}
	for _, dir := range slices.Sorted(maps.Keys(outputs)) {
		files, err := outputs[dir](root)
		if err != nil {
			return err
		}
		if err := settle(filepath.Join(root, dir), files, check); err != nil {
			return err
		}
	}
	return nil
}

// messages generates what lies in internal/testpb/gen.
func messages(root string) (map[string][]byte, error) {
	dir := filepath.Join(root, "internal/testpb")
	set, err := readSet(filepath.Join(dir, "conformance.binpb"))
	if err != nil {
		return nil, err
	}
	written, err := compile(dir, "protean/test/")
	if err != nil {
		return nil, err
	}
	files := append(set.File, written...)
	out := map[string][]byte{}
	var pkgs []string
	for _, api := range []string{"open", "hybrid", "opaque"} {
		g := generation{
			files:    prefixed(selection(files, api), api),
			module:   module + "/internal/testpb/gen",
			apiLevel: "API_" + strings.ToUpper(api),
			folder:   api + "/",
		}
		if err := g.generate(out); err != nil {
			return nil, fmt.Errorf("%s API: %w", api, err)
		}
		pkgs = append(pkgs, g.descriptors()...)
	}
	out["gen.go"], err = index(module+"/internal/testpb/gen", pkgs)
	return out, err
}

// selection leaves out of the hybrid API, whose structs are nearly those of the open
// one, the conformance messages that repeat proto2's and proto3's as editions.
func selection(files []*descriptorpb.FileDescriptorProto, api string) []*descriptorpb.FileDescriptorProto {
	if api != "hybrid" {
		return files
	}
	return slices.DeleteFunc(slices.Clone(files), func(f *descriptorpb.FileDescriptorProto) bool {
		return strings.Contains(f.GetName(), "test_messages") && f.Edition != nil
	})
}

// protocol generates what lies in conformance/internal/conformancepb.
func protocol(root string) (map[string][]byte, error) {
	files, err := compile(filepath.Join(root, "conformance"), "conformance/")
	if err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	g := generation{files: files, module: module + "/conformance/internal/conformancepb", apiLevel: "API_OPEN",
		flat: true}
	return out, g.generate(out)
}

func readSet(path string) (*descriptorpb.FileDescriptorSet, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	set := new(descriptorpb.FileDescriptorSet)
	if err := proto.Unmarshal(b, set); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return set, nil
}

// settle makes the folder hold these files and no others, or says what differs.
func settle(dir string, files map[string][]byte, check bool) error {
	stale, err := others(dir, files)
	if err != nil {
		return err
	}
	var differ []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(dir, name)
		old, err := os.ReadFile(path)
		if err == nil && bytes.Equal(old, files[name]) {
			continue
		}
		differ = append(differ, path)
		if !check {
			if err := write(path, files[name]); err != nil {
				return err
			}
		}
	}
	if check && len(differ)+len(stale) > 0 {
		return fmt.Errorf("not up to date (make generate):\n\t%s", strings.Join(append(differ, stale...), "\n\t"))
	}
	for _, path := range stale {
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return nil
}

// others lists the files in the folder that are not among those given.
func others(dir string, files map[string][]byte) ([]string, error) {
	var stale []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if _, ok := files[filepath.ToSlash(rel)]; !ok {
			stale = append(stale, path)
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return stale, err
}

func write(path string, b []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, b, 0o666)
}
