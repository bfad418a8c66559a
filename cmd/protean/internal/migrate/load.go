package migrate

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/cmd/protean/internal/suite"
	"github.com/protean-pb/protean/cmd/protean/internal/usererr"
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
		return nil, &usererr.InputError{Message: "no schema"}
	}
	src := suite.Source{ImportPaths: s.ImportPaths}
	for _, path := range s.Paths {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			return nil, usererr.FileError(path, err)
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
			return nil, &usererr.InputError{File: path,
				Message: "neither a .proto file nor a folder, and a descriptor set must come alone"}
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
			return usererr.FileError(path, err)
		case d.IsDir() || filepath.Ext(path) != ".proto":
		case len(files) == maxFiles:
			return &usererr.InputError{File: dir,
				Message: fmt.Sprintf("more than %d .proto files; name those that are needed", maxFiles)}
		default:
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, &usererr.InputError{File: dir, Message: "no .proto files in this folder"}
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
	Files []string // of either side; "-" is Stdin
	// Old and New are files of one side, which the other is not tried on.
	Old, New []string
	Format   suite.DataFormat
	Stdin    io.Reader
	// Most is how many samples are taken of each side, evenly spread; 0 is all.
	Most int
}

// Read reads the samples. A file of either side may be what one of them writes, or both; one
// that neither reads is an error.
func (d Data) Read(before, after *Side) (out Samples, err error) {
	in := &dataReader{Data: d}
	for _, file := range d.Files {
		a, b, err := in.either(before, after, file)
		if err != nil {
			return out, err
		}
		out.Old, out.New = append(out.Old, a...), append(out.New, b...)
	}
	for _, x := range []struct {
		side  *Side
		files []string
		to    *[]Sample
	}{{before, d.Old, &out.Old}, {after, d.New, &out.New}} {
		for _, file := range x.files {
			found, err := in.read(x.side, file)
			if err != nil {
				return out, err
			}
			*x.to = append(*x.to, found...)
		}
	}
	out.Old, out.New = spread(out.Old, d.Most), spread(out.New, d.Most)
	return out, nil
}

// A dataReader reads standard input once, for whoever asks for it.
type dataReader struct {
	Data
	stdin []byte
	used  bool
}

// either reads a file by both schemas.
func (r *dataReader) either(before, after *Side, file string) (a, b []Sample, err error) {
	a, errA := r.read(before, file)
	r.used = r.used && file != suite.Stdin // the same input, once more
	b, errB := r.read(after, file)
	if errA != nil && errB != nil {
		return nil, nil, further(errA, errB)
	}
	// Binary messages of nearly any type parse; what one side knows all of is its own.
	if knowsA, knowsB := knowsAll(before, a), knowsAll(after, b); knowsA && !knowsB {
		b = nil
	} else if knowsB && !knowsA {
		a = nil
	}
	return a, b, nil
}

// further returns the error of the schema that read more of a file: it is the one that the file
// was meant for.
func further(a, b error) error {
	var x, y *usererr.InputError
	if errors.As(a, &x) && errors.As(b, &y) &&
		cmp.Or(cmp.Compare(y.Line, x.Line), cmp.Compare(y.Column, x.Column)) > 0 {
		return b
	}
	return a
}

func (r *dataReader) read(s *Side, file string) ([]Sample, error) {
	if file == suite.Stdin {
		if r.used {
			return nil, &usererr.InputError{Message: "standard input can be read only once"}
		}
		r.used = true
		if r.stdin == nil {
			var err error
			if r.stdin, err = io.ReadAll(r.Stdin); err != nil {
				return nil, usererr.FileError("stdin", err)
			}
		}
	}
	found, err := suite.ReadSamples(s.Schema, s.Message, []string{file}, r.Format, bytes.NewReader(r.stdin))
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
