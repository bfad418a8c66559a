package suite

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/cmd/protean/internal/usererr"
	"github.com/protean-pb/protean/records"
)

// A DataFormat is how messages lie in a file.
type DataFormat string

const (
	// Auto recognises the format by the content of each file; the extension
	// decides only where the content fits several.
	Auto DataFormat = "auto"
	// JSON is ProtoJSON or plain JSON: one document, an array of documents, or
	// documents one after the other with any white space between.
	JSON DataFormat = "json"
	// Binary is one message a file, in the wire format.
	Binary DataFormat = "binary"
	// Delimited is messages in the wire format, each after its length as a varint.
	Delimited DataFormat = "delimited"
)

// Stdin is the file name that stands for standard input.
const Stdin = records.Stdin

// stdinName is how sources and errors name standard input.
const stdinName = "stdin"

// ReadSamples reads messages of type md from files, in their order. The name
// "-" stands for stdin and may be given once; stdin may be nil where it is not.
// An empty format is [Auto]. Data compressed by gzip or zstd is decompressed. Whole
// files are read into memory; the samples do not alias each other's wire bytes.
//
// Errors are of type *[usererr.InputError].
func ReadSamples(s *Schema, md protoreflect.MessageDescriptor, files []string, format DataFormat,
	stdin io.Reader) ([]Sample, error) {
	return readSamples(diskFiles, s, md, Source{Data: files, Format: format, Stdin: stdin})
}

func readSamples(fsys fileSystem, s *Schema, md protoreflect.MessageDescriptor, src Source) ([]Sample, error) {
	var samples []Sample
	err := readFiles(fsys, src, func(file string, data []byte) *usererr.InputError {
		r := &reader{schema: s, md: md, file: file, discard: src.DiscardUnknown}
		found, _, err := r.read(data, src.Format)
		samples = append(samples, found...)
		return err
	})
	if err != nil {
		return nil, err
	}
	return samples, nil
}

// drawSamples reads at most src.Samples of the samples of a source, drawn at random, and
// says how many there are if they are more.
func drawSamples(fsys fileSystem, s *Schema, md protoreflect.MessageDescriptor, src Source) ([]Sample, int, error) {
	d := newDraw(src.Samples, src.Seed)
	err := eachFile(fsys, src, func(file string, in io.Reader) error {
		return (&reader{schema: s, md: md, file: file, discard: src.DiscardUnknown}).drawFrom(d, in,
			cmp.Or(src.Format, Auto))
	})
	if err != nil {
		return nil, 0, err
	}
	samples, err := d.samples()
	if d.offered == len(samples) {
		return samples, 0, err
	}
	return samples, d.offered, err
}

// readFiles hands over the contents of a source's files, and how errors name them.
func readFiles(fsys fileSystem, src Source, take func(file string, data []byte) *usererr.InputError) error {
	return eachFile(fsys, src, func(file string, in io.Reader) error {
		data, err := io.ReadAll(in)
		if err != nil {
			return usererr.FileError(file, err)
		}
		if err := take(file, data); err != nil {
			return err
		}
		return nil
	})
}

// eachFile hands over a source's files, decompressed, and how errors name them.
func eachFile(fsys fileSystem, src Source, take func(file string, in io.Reader) error) error {
	if len(src.Data) == 0 {
		return usererr.Errorf("", "no data files")
	}
	for i, file := range src.Data {
		if file == Stdin && slices.Contains(src.Data[:i], Stdin) {
			return usererr.Errorf("", "standard input can be read only once")
		}
		if err := withFile(fsys, src, file, take); err != nil {
			return err
		}
	}
	return nil
}

func withFile(fsys fileSystem, src Source, file string, take func(file string, in io.Reader) error) error {
	in, err := openData(fsys, file, src.Stdin)
	if err != nil {
		return err
	}
	defer in.Close()
	plain, err := records.Decompress(file, in, src.Format == Binary || src.Format == Delimited)
	if err != nil {
		return usererr.FileError(displayName(file), err)
	}
	defer plain.Close()
	return take(displayName(file), plain)
}

func openData(fsys fileSystem, file string, stdin io.Reader) (io.ReadCloser, error) {
	switch {
	case file != Stdin:
		in, err := fsys.open(file)
		if err != nil {
			return nil, usererr.FileError(file, err)
		}
		return in, nil
	case stdin == nil:
		return nil, usererr.Errorf("", "standard input is not available")
	}
	return io.NopCloser(stdin), nil
}

func displayName(file string) string {
	if file == Stdin {
		return stdinName
	}
	return file
}

// A reader reads the samples of one file.
type reader struct {
	schema *Schema
	md     protoreflect.MessageDescriptor
	file   string // as errors and sources name it
	// discard leaves out of samples what the schema does not know.
	discard bool
}

// byteOrderMark is what some editors put before UTF-8 text.
const byteOrderMark = "\xef\xbb\xbf"

// read returns the samples of a file and the format that they were in, which is the
// one asked for unless that is [Auto].
func (r *reader) read(data []byte, format DataFormat) (samples []Sample, found DataFormat, err *usererr.InputError) {
	switch format {
	case JSON:
		samples, err = r.readJSON(data)
		return samples, format, err
	case Binary:
		samples, err = r.readBinary(data)
		return samples, format, err
	case Delimited:
		samples, err = r.readDelimited(data)
		return samples, format, err
	case Auto, "":
		return r.readAuto(data)
	}
	return nil, format, usererr.Errorf("", "unknown data format %q; it is auto, json, binary or delimited",
		string(format))
}

func (r *reader) noSamples() *usererr.InputError {
	return usererr.Errorf("", "no samples in %s", r.file)
}

// readAuto reads data whose format is not named, and recognises it.
func (r *reader) readAuto(data []byte) ([]Sample, DataFormat, *usererr.InputError) {
	if isBlank(data) {
		return nil, Auto, r.noSamples()
	}
	hint := formatOfExtension(r.file)
	var jsonErr *usererr.InputError
	if r.mayBeJSON(data, hint) {
		var samples []Sample
		if samples, jsonErr = r.readJSON(data); jsonErr == nil {
			return samples, JSON, nil
		}
	}
	b, binErr := r.bestBinary(data, hint)
	// A binary message may begin with a brace, but then the rest of it is not
	// text; and where it is, bad JSON is the likelier story.
	if jsonErr != nil && b.fit < fitKnown && (hint == JSON || isText(data)) {
		return nil, JSON, jsonErr
	}
	if binErr != nil {
		return nil, Auto, r.fitsNoFormat(jsonErr, binErr)
	}
	return b.samples, b.format, b.err
}

// fitsNoFormat says why data is of no known format.
func (r *reader) fitsNoFormat(jsonErr, binErr *usererr.InputError) *usererr.InputError {
	why := "it does not begin with a brace or bracket"
	if jsonErr != nil {
		why = fmt.Sprintf("%d:%d: %s", jsonErr.Line, jsonErr.Column, jsonErr.Message)
	}
	return usererr.Errorf(r.file, "neither JSON (%s) nor %s", why, binErr.Message)
}

// formatOfExtension is what the name of a file suggests, or Auto.
func formatOfExtension(file string) DataFormat {
	switch strings.ToLower(path.Ext(records.UncompressedName(file))) {
	case ".json", ".jsonl", ".ndjson":
		return JSON
	case ".pb", ".binpb", ".bin":
		return Binary
	case ".delim", ".delimited":
		return Delimited
	}
	return Auto
}

// mayBeJSON reports whether data is worth reading as JSON.
func (r *reader) mayBeJSON(data []byte, hint DataFormat) bool {
	if hint == JSON {
		return true
	}
	first := bytes.TrimLeft(bytes.TrimPrefix(data, []byte(byteOrderMark)), jsonSpace)
	switch first[0] {
	case '{', '[':
		return true
	}
	// Timestamp, StringValue and the like have JSON forms that are no objects.
	return formOf(r.md) != formObject && isText(data)
}

// isText reports whether data is UTF-8 text without control characters.
func isText(data []byte) bool {
	for _, c := range bytes.TrimPrefix(data, []byte(byteOrderMark)) {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return isUTF8(data)
}

func isBlank(data []byte) bool {
	return len(bytes.TrimLeft(bytes.TrimPrefix(data, []byte(byteOrderMark)), jsonSpace)) == 0
}

// source names the n-th record of a file, from 1.
func (r *reader) source(n int) string { return fmt.Sprintf("%s#%d", r.file, n) }

// EachFile opens a source's data files one after the other, decompressed, and hands each over with how errors name it.
// Errors are those of take, and of type *[usererr.InputError].
func EachFile(src Source, take func(file string, in io.Reader) error) error {
	return eachFile(diskFiles, src, take)
}
