package migrate

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/cmd/protean/internal/suite"
)

// A Source says where one version of a schema is.
type Source struct {
	// Paths are .proto files, folders of them, or one descriptor set.
	Paths []string
	// ImportPaths are folders to look imports up in. Without any, a folder of Paths is one, and
	// for a file the working directory and its own folder are.
	ImportPaths []string
}

// maxFiles bounds the .proto files of a folder.
const maxFiles = 20000

// Load compiles the schema. Errors are the user's, as of package suite.
func (s Source) Load() (*suite.Schema, error) {
	if len(s.Paths) == 0 {
		return nil, &suite.InputError{Message: "no schema"}
	}
	src := suite.Source{ImportPaths: s.ImportPaths}
	for _, path := range s.Paths {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			return nil, suite.FileError(path, err)
		case info.IsDir():
			files, err := protosBelow(path)
			if err != nil {
				return nil, err
			}
			src.Protos = append(src.Protos, files...)
			src.Home = cmp.Or(src.Home, path)
		case filepath.Ext(path) == ".proto":
			src.Protos = append(src.Protos, path)
		case len(s.Paths) > 1:
			return nil, &suite.InputError{File: path, Message: "neither a .proto file nor a folder, and a descriptor set must come alone"}
		default:
			src.DescriptorSet = path
		}
	}
	found, err := suite.LoadSchema(src)
	if err == nil || src.Home != "" || len(src.ImportPaths) > 0 || src.DescriptorSet != "" {
		return found, err
	}
	// A file may import what lies beside it, whatever the working directory is.
	src.Home = filepath.Dir(src.Protos[0])
	if beside, e := suite.LoadSchema(src); e == nil {
		return beside, nil
	}
	return nil, err
}

// protosBelow returns the .proto files of a folder, at any depth, in the order of their names.
func protosBelow(dir string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return suite.FileError(path, err)
		case d.IsDir() || filepath.Ext(path) != ".proto":
		case len(files) == maxFiles:
			return &suite.InputError{File: dir, Message: fmt.Sprintf("more than %d .proto files; name those that are needed", maxFiles)}
		default:
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, &suite.InputError{File: dir, Message: "no .proto files in this folder"}
	}
	return files, nil
}

// Sides compiles both versions and finds the message in each. newMessage is for a message that
// has been renamed; "" is the old name.
func Sides(before, after Source, message, newMessage string) (*Side, *Side, error) {
	a, err := before.Load()
	if err != nil {
		return nil, nil, err
	}
	b, err := after.Load()
	if err != nil {
		return nil, nil, err
	}
	x, err := a.Message(message)
	if err != nil {
		return nil, nil, fmt.Errorf("old schema: %w", err)
	}
	y, err := b.Message(cmp.Or(newMessage, string(x.FullName())))
	if err != nil && newMessage == "" {
		if z, e := b.Message(message); e == nil && message != "" {
			y, err = z, nil
		}
	}
	if err != nil {
		hint := ""
		if newMessage == "" {
			hint = "; if it was renamed, give --new-message"
		}
		return nil, nil, fmt.Errorf("new schema: %w%s", err, hint)
	}
	return &Side{a, x}, &Side{b, y}, nil
}

// Data says where samples are.
type Data struct {
	Files  []string // "-" is Stdin
	Format suite.DataFormat
	Stdin  io.Reader
	// Most is how many samples are taken of each side, evenly spread; 0 is all.
	Most int
}

// Read reads the samples by either schema. A file may be what one side writes, or both; one
// that neither reads is an error.
func (d Data) Read(before, after *Side) (Samples, error) {
	var out Samples
	for i, file := range d.Files {
		if file == suite.Stdin && slices.Contains(d.Files[:i], suite.Stdin) {
			return out, &suite.InputError{Message: "standard input can be read only once"}
		}
		var stdin []byte
		if file == suite.Stdin {
			var err error
			if stdin, err = io.ReadAll(d.Stdin); err != nil {
				return out, suite.FileError("stdin", err)
			}
		}
		a, errA := d.readFile(before, file, stdin)
		b, errB := d.readFile(after, file, stdin)
		if errA != nil && errB != nil {
			return out, errA
		}
		// Binary messages of nearly any type parse; what one side knows all of is its own.
		if knowsA, knowsB := knowsAll(before, a), knowsAll(after, b); knowsA != knowsB {
			if knowsA {
				b = nil
			} else {
				a = nil
			}
		}
		out.Old, out.New = append(out.Old, a...), append(out.New, b...)
	}
	out.Old, out.New = spread(out.Old, d.Most), spread(out.New, d.Most)
	return out, nil
}

func (d Data) readFile(s *Side, file string, stdin []byte) ([]Sample, error) {
	found, err := suite.ReadSamples(s.Schema, s.Message, []string{file}, d.Format, bytes.NewReader(stdin))
	if err != nil {
		return nil, err
	}
	out := make([]Sample, len(found))
	for i, x := range found {
		out[i] = Sample{x.Source, x.Wire}
	}
	return out, nil
}

// knowsAll reports whether no sample has a field that the schema lacks; false without samples.
func knowsAll(s *Side, samples []Sample) bool {
	for _, x := range samples {
		m := dynamicpb.NewMessage(s.Message)
		if unmarshalBinary(s, x.Wire, m) != nil || hasUnknown(m) {
			return false
		}
	}
	return len(samples) > 0
}

// spread returns most of the samples at equal distances.
func spread(samples []Sample, most int) []Sample {
	if most <= 0 || len(samples) <= most {
		return samples
	}
	out := make([]Sample, most)
	for i := range out {
		out[i] = samples[i*len(samples)/most]
	}
	return out
}
