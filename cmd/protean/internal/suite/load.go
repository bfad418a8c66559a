package suite

import (
	"cmp"
	"io"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/cmd/protean/internal/usererr"
	"github.com/protean-pb/protean/records"
)

// A Source says where a user's schema and data are.
type Source struct {
	// Protos are .proto files, ImportPaths the folders that their imports are
	// looked up in, as for [ParseSchema].
	Protos, ImportPaths []string
	// Home takes the place of the working directory where there are no import paths; ""
	// is the working directory.
	Home string
	// DescriptorSet is the file of a compiled schema, in place of Protos.
	DescriptorSet string
	// Message names the type of the data, as for [Schema.Message].
	Message string
	// Rows, if not empty, names the repeated message field, by its name in the
	// schema or in JSON, that the message is a mere list of.
	Rows string
	// Data are files of messages, "-" for Stdin.
	Data []string
	// Format is how the messages lie in the files.
	Format DataFormat
	// Stdin may be nil if Data does not name it.
	Stdin io.Reader
	// DiscardUnknown leaves out of the samples what the schema does not know: members of
	// JSON objects and names of enum values, which are errors otherwise, and fields of binary
	// messages. What an Any holds in binary form stays as it is.
	DiscardUnknown bool
	// Samples, if not 0, is how many samples to draw at random where there are more, and
	// Seed says which ones.
	Samples int
	Seed    uint64
}

// Load reads a user's schema and data as a suite with one payload. The payload
// is called like the data file without its extension, or "data" if there are
// several.
//
// Errors are of type *[usererr.InputError].
func Load(src Source) (*Suite, error) {
	s, err := LoadSchema(src)
	if err != nil {
		return nil, err
	}
	md, err := s.Message(src.Message)
	if err != nil {
		return nil, err
	}
	p, err := loadPayload(diskFiles, s, md, src)
	if err != nil {
		return nil, err
	}
	return &Suite{Name: string(md.FullName()), Schema: s, Payloads: []*Payload{p}}, nil
}

// LoadSchema reads the schema of a source. Errors are of type *[usererr.InputError].
func LoadSchema(src Source) (*Schema, error) {
	switch {
	case src.DescriptorSet != "" && len(src.Protos) > 0:
		return nil, usererr.Errorf("", "give .proto files or a descriptor set, not both")
	case src.DescriptorSet != "":
		return ReadDescriptorSet(src.DescriptorSet)
	}
	return parseSchema(diskFiles, src.Protos, src.ImportPaths, cmp.Or(filepath.ToSlash(src.Home), "."))
}

// loadPayload reads the data of a source.
func loadPayload(fsys fileSystem, s *Schema, md protoreflect.MessageDescriptor, src Source) (*Payload, error) {
	rows, err := rowsField(md, src.Rows)
	if err != nil {
		return nil, err
	}
	p := &Payload{Name: payloadName(src.Data), Message: md, Rows: rows}
	if src.Samples > 0 {
		p.Samples, p.DrawnFrom, err = drawSamples(fsys, s, md, src)
	} else {
		p.Samples, err = readSamples(fsys, s, md, src)
	}
	if err != nil {
		return nil, err
	}
	if rows != nil {
		if err := onlyRows(p.Samples, rows); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func payloadName(files []string) string {
	if len(files) != 1 {
		return "data"
	}
	if files[0] == Stdin {
		return stdinName
	}
	base := records.UncompressedName(path.Base(filepath.ToSlash(files[0])))
	if name := strings.TrimSuffix(base, path.Ext(base)); name != "" {
		return name
	}
	return base
}

// rowsField finds the repeated message field that a message is a list of.
func rowsField(md protoreflect.MessageDescriptor, name string) (protoreflect.FieldDescriptor, error) {
	if name == "" {
		return nil, nil
	}
	fd := md.Fields().ByName(protoreflect.Name(name))
	if fd == nil {
		fd = md.Fields().ByJSONName(name)
	}
	switch {
	case fd == nil:
		return nil, usererr.Errorf("", "rows %s: no such field in %s%s", name, md.FullName(),
			usererr.DidYouMean(name, memberNames(md, "_")))
	case !fd.IsList() || fd.Message() == nil:
		return nil, usererr.Errorf("", "rows %s: not a repeated message field of %s", name, md.FullName())
	}
	return fd, nil
}

// onlyRows checks that no sample has anything but rows.
func onlyRows(samples []Sample, rows protoreflect.FieldDescriptor) error {
	for _, s := range samples {
		if len(s.Wire) == 0 {
			return usererr.Errorf(s.Source, "no rows: field %s is empty", rows.Name())
		}
		for b := s.Wire; len(b) > 0; {
			num, _, n := protowire.ConsumeField(b)
			if n < 0 {
				return usererr.Errorf(s.Source, "%s", libraryText(protowire.ParseError(n)))
			}
			if num != rows.Number() {
				return usererr.Errorf(s.Source, "rows %s: %s is set too, so the message is not a mere list",
					rows.Name(), numberedField(rows.ContainingMessage(), num))
			}
			b = b[n:]
		}
	}
	return nil
}

func numberedField(md protoreflect.MessageDescriptor, num protowire.Number) string {
	if fd := md.Fields().ByNumber(num); fd != nil {
		return "field " + string(fd.Name())
	}
	return "field number " + strconv.Itoa(int(num))
}
