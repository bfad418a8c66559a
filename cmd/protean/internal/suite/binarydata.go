package suite

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/cmd/protean/internal/usererr"
	"github.com/protean-pb/protean/records"
)

// A fit is how well bytes are explained by a way to read them. Nearly any bytes
// parse as nearly any message, because what is unknown is skipped; so it takes
// more than that to recognise a format.
type fit int

const (
	fitNone   fit = iota // does not parse, or only into unknown fields
	fitParses            // parses, with unknown fields or without required ones
	fitKnown             // all fields are known and none is missing
	fitExact             // and the messages written anew have the same size
)

// A reading is one way to read binary data.
type reading struct {
	fit     fit
	format  DataFormat
	samples []Sample
	// err is why the samples cannot be used, even if the data parses.
	err *usererr.InputError
}

// bestBinary reads data as one message and as delimited messages, and returns
// what fits better.
func (r *reader) bestBinary(data []byte, hint DataFormat) (reading, *usererr.InputError) {
	if hint == Delimited {
		if b := r.tryDelimited(data); b.fit == fitExact {
			return b, nil
		}
	}
	a := r.tryBinary(data)
	if a.fit == fitExact {
		return a, nil
	}
	b := r.tryDelimited(data)
	best := max(a.fit, b.fit)
	switch {
	// Some texts parse by chance, into a few fields and many unknown ones.
	case best == fitNone, best == fitParses && hint != Binary && hint != Delimited && isText(data):
		return reading{}, r.fitsNothing(a, b)
	case b.fit > a.fit, b.fit == a.fit && hint == Delimited:
		return b, nil
	}
	return a, nil
}

// fitsNothing says why neither of two readings will do.
func (r *reader) fitsNothing(a, b reading) *usererr.InputError {
	why := func(x reading) string {
		switch {
		case x.err != nil:
			return x.err.Message
		case x.fit == fitNone:
			return "it has none of the fields"
		}
		return "it is text"
	}
	return usererr.Errorf(r.file, "binary %s (%s) nor length-delimited ones (%s)", r.md.FullName(), why(a), why(b))
}

func (r *reader) readBinary(data []byte) ([]Sample, *usererr.InputError) {
	b := r.tryBinary(data)
	return b.samples, b.err
}

func (r *reader) readDelimited(data []byte) ([]Sample, *usererr.InputError) {
	if len(data) == 0 {
		return nil, r.noSamples()
	}
	b := r.tryDelimited(data)
	return b.samples, b.err
}

func (r *reader) tryBinary(data []byte) reading {
	all := reading{fit: fitExact, format: Binary}
	if !r.add(&all, data, "", 0, r.file) {
		return reading{err: all.err}
	}
	return all
}

func (r *reader) tryDelimited(data []byte) reading {
	all := reading{fit: fitExact, format: Delimited}
	for offset := 0; offset < len(data); {
		f, err := r.frame(data, offset, len(all.samples)+1)
		if err != nil {
			return reading{err: err}
		}
		if !r.add(&all, data[f.start:f.end], recordName(len(all.samples)+1), f.start, r.source(len(all.samples)+1)) {
			return reading{err: all.err}
		}
		if f.start-offset != protowire.SizeVarint(uint64(f.end-f.start)) {
			all.fit = min(all.fit, fitKnown)
		}
		offset = f.end
	}
	return all
}

// A frame is where a record of delimited messages lies.
type frame struct{ start, end int }

// frame reads the length at an offset, of the n-th record. With an error comes the
// frame of what there is of the record, to the end of the data.
func (r *reader) frame(data []byte, offset, n int) (frame, *usererr.InputError) {
	size, length := protowire.ConsumeVarint(data[offset:])
	if length < 0 {
		return frame{len(data), len(data)},
			usererr.Errorf(r.file, "%s at byte %d: invalid length", recordName(n), offset)
	}
	start := offset + length
	if size > uint64(len(data)-start) {
		return frame{start, len(data)}, usererr.Errorf(r.file, "%s at byte %d: %d bytes long, but the file has %d more",
			recordName(n), offset, size, len(data)-start)
	}
	return frame{start, start + int(size)}, nil
}

// add parses the bytes b, which begin at start of the file, as a further sample
// of a reading. It returns false if they do not parse; what else is wrong with
// the sample is kept as the error of the reading, which still has its fit.
func (r *reader) add(all *reading, b []byte, record string, start int, source string) bool {
	m := dynamicpb.NewMessage(r.md)
	if err := r.unmarshal(b, m); err != nil {
		all.err = r.wireError(record, start, b, err)
		return false
	}
	all.fit = min(all.fit, fitOf(m, len(b)))
	if r.discard {
		discardUnknown(m)
	}
	wire, err := r.wireOf(m, record, start)
	if err != nil && all.err == nil {
		all.err = err
	}
	all.samples = append(all.samples, Sample{Source: source, Wire: wire, Raw: b, Offset: start})
	return true
}

// unmarshal reads a message. The official library, v1.36.12, panics on a map entry
// that has a second key of another wire type; that is an error of the data like
// any other.
func (r *reader) unmarshal(b []byte, m proto.Message) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	return proto.UnmarshalOptions{AllowPartial: true, Resolver: r.schema.Types()}.Unmarshal(b, m)
}

// wireOf writes a message anew, in the order of the fields.
func (r *reader) wireOf(m proto.Message, record string, start int) ([]byte, *usererr.InputError) {
	if missing, _ := missingRequired(m); missing != "" {
		return nil, r.wireProblem(record, start, "field "+missing+": required field is not set")
	}
	wire, err := marshal(m)
	if err != nil {
		return nil, r.wireProblem(record, start, libraryText(err))
	}
	return wire, nil
}

// fitOf rates a message that was read from size bytes.
func fitOf(m *dynamicpb.Message, size int) fit {
	switch {
	case len(m.GetUnknown()) > 0 && len(populated(m)) == 0:
		return fitNone
	case records.HasUnknown(m) || proto.CheckInitialized(m) != nil:
		return fitParses
	case proto.Size(m) != size:
		return fitKnown
	}
	return fitExact
}

// discardUnknown takes the fields that its type lacks out of m and of the messages in it.
func discardUnknown(m protoreflect.Message) {
	m.SetUnknown(nil)
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case fd.IsMap() && fd.MapValue().Message() != nil:
			v.Map().Range(func(_ protoreflect.MapKey, v protoreflect.Value) bool {
				discardUnknown(v.Message())
				return true
			})
		case fd.IsMap() || fd.Message() == nil:
		case fd.IsList():
			for i := range v.List().Len() {
				discardUnknown(v.List().Get(i).Message())
			}
		default:
			discardUnknown(v.Message())
		}
		return true
	})
}
