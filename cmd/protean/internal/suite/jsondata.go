package suite

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/cmd/protean/internal/usererr"
)

// jsonSpace is the white space that JSON knows.
const jsonSpace = " \t\r\n"

func isUTF8(data []byte) bool { return utf8.Valid(data) }

// A jsonReader takes the documents of a text one after the other. What it has
// of a file besides the text is constant in size, and no byte of the text is
// looked at again for the documents that follow it.
type jsonReader struct {
	*reader
	text []byte
	dec  *jsontext.Decoder

	// line is the line of the byte at counted.
	line, counted int
}

func (r *reader) readJSON(data []byte) ([]Sample, *usererr.InputError) {
	text := bytes.TrimPrefix(data, []byte(byteOrderMark))
	j := &jsonReader{
		reader: r,
		text:   text,
		// Duplicate names are left for the conversion to find, which knows the
		// fields' names. A bytes.Buffer is read in place.
		dec:  jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true)),
		line: 1,
	}
	samples, err := j.documents()
	if err != nil {
		return nil, err
	}
	if len(samples) == 0 {
		return nil, r.noSamples()
	}
	return samples, nil
}

// maxJSONDepth bounds how deep messages are nested in a document. A level of
// google.protobuf.Value in JSON is three in binary form, which every reader of a
// sample gives up at 10000 of.
const maxJSONDepth = 3000

// documents reads to the end of the text.
func (j *jsonReader) documents() ([]Sample, *usererr.InputError) {
	var samples []Sample
	err := j.each(func(doc []byte, offset int) *usererr.InputError {
		s, err := j.sample(doc, offset)
		samples = append(samples, s)
		return err
	})
	var problem *usererr.InputError
	switch {
	case errors.As(err, &problem):
		return nil, problem
	case err != nil:
		return nil, j.syntaxError(err)
	}
	return samples, nil
}

// each hands over each document, in memory of the decoder, and its offset, until one is
// refused or the decoder fails.
func (j *jsonReader) each(take func(doc []byte, offset int) *usererr.InputError) error {
	unwrap := j.md != nil && !MayBeArray(j.md)
	for {
		kind := j.dec.PeekKind()
		switch {
		case unwrap && kind == '[', j.dec.StackDepth() > 0 && kind == ']':
			if _, err := j.dec.ReadToken(); err != nil {
				return err
			}
			// An array of arrays would have documents that are arrays.
			unwrap = !unwrap
			continue
		}
		doc, err := j.dec.ReadValue()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := take(doc, int(j.dec.InputOffset())-len(doc)); err != nil {
			return err
		}
	}
}

// sample converts the document at an offset of the text.
func (j *jsonReader) sample(doc []byte, offset int) (Sample, *usererr.InputError) {
	j.line += bytes.Count(j.text[j.counted:offset], []byte("\n"))
	j.counted = offset
	// The decoder may use its own memory again.
	s := Sample{Source: fmt.Sprintf("%s:%d", j.file, j.line), Raw: j.text[offset : offset+len(doc)], Offset: offset}
	if j.md == nil {
		return s, nil
	}

	m := dynamicpb.NewMessage(j.md)
	opts := protojson.UnmarshalOptions{
		AllowPartial: true, Resolver: j.schema.Types(), RecursionLimit: maxJSONDepth, DiscardUnknown: j.discard,
	}
	if err := opts.Unmarshal(doc, m); err != nil {
		at, message := explain(j.schema.Types(), j.md, doc, err)
		return Sample{}, usererr.At(j.file, j.text, offset+at, message)
	}
	if missing, in := missingRequired(m); missing != "" {
		at := offsetOf(j.schema.Types(), j.md, doc, in)
		return Sample{}, usererr.At(j.file, j.text, offset+at, "field "+missing+": required field is not set")
	}
	var err error
	if s.Wire, err = marshal(m); err != nil {
		return Sample{}, usererr.At(j.file, j.text, offset, libraryText(err))
	}
	return s, nil
}

// syntaxError words an error of the JSON decoder.
func (j *jsonReader) syntaxError(err error) *usererr.InputError {
	var se *jsontext.SyntacticError
	if !errors.As(err, &se) {
		return usererr.Errorf(j.file, "%s", libraryText(err))
	}
	return usererr.At(j.file, j.text, int(se.ByteOffset), syntaxProblem(se))
}

func syntaxProblem(err *jsontext.SyntacticError) string {
	if err.Err == io.ErrUnexpectedEOF {
		return "syntax error: unexpected end of file"
	}
	return "syntax error: " + err.Err.Error()
}

// marshal returns the canonical binary form of a sample.
func marshal(m proto.Message) ([]byte, error) {
	return proto.MarshalOptions{Deterministic: true}.Marshal(m)
}

// MayBeArray reports whether the JSON form of a message can be an array.
func MayBeArray(md protoreflect.MessageDescriptor) bool {
	f := formOf(md)
	return f == formValue || f == formList
}
