package suite

import (
	"cmp"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/cmd/protean/internal/usererr"
)

// A Record is one message for those who want to look at its bytes, right or wrong.
type Record struct {
	// Source says where the message came from, as in a [Sample].
	Source string
	// Wire is the message in binary form: of binary data the bytes as they lie in
	// the file, from Offset on, whatever they hold; nil for JSON without a schema.
	Wire   []byte
	Offset int
	// JSON is the document that the message was read from; nil for binary data.
	JSON []byte
	// Problem says why Wire is only the beginning of the message; mostly nil.
	Problem *usererr.InputError
}

// Records are messages of one type, or, without a schema, of any.
type Records struct {
	// Schema and Message are nil without a schema.
	Schema  *Schema
	Message protoreflect.MessageDescriptor
	// Rows is as in a [Payload].
	Rows    protoreflect.FieldDescriptor
	Records []Record // at least one
}

// Records returns the messages of a payload of s.
func (s *Suite) Records(p *Payload) *Records {
	out := &Records{Schema: s.Schema, Message: p.Message, Rows: p.Rows}
	for _, x := range p.Samples {
		out.Records = append(out.Records, Record{Source: x.Source, Wire: x.Wire})
	}
	return out
}

// LoadRecords reads messages as [Load] does, but takes binary data as it is. A source
// may do without a schema: then any JSON document will do, an array is one of them,
// and binary data is told from JSON by its bytes alone.
//
// Errors are of type *[InputError].
func LoadRecords(src Source) (*Records, error) {
	out := new(Records)
	if len(src.Protos) > 0 || src.DescriptorSet != "" {
		var err error
		if out.Schema, err = LoadSchema(src); err != nil {
			return nil, err
		}
		if out.Message, err = out.Schema.Message(src.Message); err != nil {
			return nil, err
		}
		if out.Rows, err = rowsField(out.Message, src.Rows); err != nil {
			return nil, err
		}
	}
	err := readFiles(diskFiles, src, func(file string, data []byte) *usererr.InputError {
		r := &reader{schema: out.Schema, md: out.Message, file: file}
		found, err := r.records(data, cmp.Or(src.Format, Auto))
		out.Records = append(out.Records, found...)
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

func (r *reader) records(data []byte, format DataFormat) ([]Record, *usererr.InputError) {
	if r.md == nil {
		return r.unknownRecords(data, format)
	}
	samples, found, err := r.read(data, format)
	switch {
	case err == nil:
		return recordsOf(samples, found), nil
	case found == Binary || found == Delimited:
		return r.rawRecords(data, found)
	case found != Auto || isText(data):
		return nil, err
	}
	return r.rawRecords(data, r.likely(data))
}

// unknownRecords reads data that there is no schema for.
func (r *reader) unknownRecords(data []byte, format DataFormat) ([]Record, *usererr.InputError) {
	if hint := formatOfExtension(r.file); format == Auto && (hint == Binary || hint == Delimited || !isText(data)) {
		format = r.likely(data)
	}
	if format == Binary || format == Delimited {
		return r.rawRecords(data, format)
	}
	if format == Auto {
		format = JSON
	}
	samples, found, err := r.read(data, format)
	return recordsOf(samples, found), err
}

func recordsOf(samples []Sample, format DataFormat) []Record {
	out := make([]Record, len(samples))
	for i, s := range samples {
		if format == JSON {
			out[i] = Record{Source: s.Source, Wire: s.Wire, JSON: s.Raw}
		} else {
			out[i] = Record{Source: s.Source, Wire: s.Raw, Offset: s.Offset}
		}
	}
	return out
}

// likely is the format of binary data that no schema explains.
func (r *reader) likely(data []byte) DataFormat {
	switch hint := formatOfExtension(r.file); {
	case hint == Delimited, hint == Auto && !isMessage(data) && r.isFramed(data):
		return Delimited
	}
	return Binary
}

// isMessage reports whether data is fields from its beginning to its end.
func isMessage(data []byte) bool {
	for len(data) > 0 {
		_, _, n := protowire.ConsumeField(data)
		if n < 0 {
			return false
		}
		data = data[n:]
	}
	return true
}

// isFramed reports whether data is lengths and what they count, to its end.
func (r *reader) isFramed(data []byte) bool {
	for offset := 0; offset < len(data); {
		f, err := r.frame(data, offset, 1)
		if err != nil {
			return false
		}
		offset = f.end
	}
	return true
}

// rawRecords takes data apart without looking into the messages.
func (r *reader) rawRecords(data []byte, format DataFormat) ([]Record, *usererr.InputError) {
	if format == Binary {
		return []Record{{Source: r.file, Wire: data}}, nil
	}
	if len(data) == 0 {
		return nil, r.noSamples()
	}
	var out []Record
	for offset := 0; offset < len(data); {
		f, err := r.frame(data, offset, len(out)+1)
		out = append(out, Record{Source: r.source(len(out) + 1), Wire: data[f.start:f.end], Offset: f.start,
			Problem: err})
		offset = f.end
	}
	return out, nil
}
