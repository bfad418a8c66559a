package suite

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/protean-pb/protean/cmd/protean/internal/usererr"
	"github.com/protean-pb/protean/records"
)

// A draw holds some of the samples that it is offered: each of them with the same chance,
// whatever their number, in memory for those that it holds (Vitter's algorithm R).
type draw struct {
	most    int
	offered int
	random  *rand.Rand
	held    []drawn
}

// A drawn is a sample that is held: as it is, or with what is to be done to have it.
type drawn struct {
	at   int // its place among those offered
	read func() (Sample, *usererr.InputError)
}

func newDraw(most int, seed uint64) *draw {
	return &draw{most: most, random: rand.New(rand.NewPCG(seed, 0))}
}

// offer says where the next sample is to be held; false if it is not.
func (d *draw) offer() (place int, ok bool) {
	d.offered++
	if len(d.held) < d.most {
		d.held = append(d.held, drawn{})
		return len(d.held) - 1, true
	}
	place = d.random.IntN(d.offered)
	return place, place < d.most
}

// add offers a sample that would be had by read.
func (d *draw) add(read func() (Sample, *usererr.InputError)) {
	if place, ok := d.offer(); ok {
		d.held[place] = drawn{d.offered, read}
	}
}

// samples returns what was drawn, in the order of the data.
func (d *draw) samples() ([]Sample, error) {
	slices.SortFunc(d.held, func(a, b drawn) int { return cmp.Compare(a.at, b.at) })
	samples := make([]Sample, 0, len(d.held))
	for _, x := range d.held {
		s, err := x.read()
		if err != nil {
			return nil, err
		}
		samples = append(samples, s)
	}
	return samples, nil
}

// drawWindow is how much of a file is looked at to know its format. A file that is not
// longer is read as a whole.
const drawWindow = 1 << 20

// drawFrom offers the samples of a file. Of a long one, only those that are held are more
// than taken apart: what is wrong with the others does not show.
func (r *reader) drawFrom(d *draw, in io.Reader, format DataFormat) error {
	buffered := bufio.NewReaderSize(in, drawWindow)
	head, err := buffered.Peek(drawWindow)
	if err != nil && err != io.EOF {
		return usererr.FileError(r.file, err)
	}
	if err == nil {
		format = r.formatOfLong(head, format)
	}
	switch {
	case err == nil && format == JSON:
		if bytes.HasPrefix(head, []byte(byteOrderMark)) {
			_, _ = buffered.Discard(len(byteOrderMark)) // which is buffered
		}
		return r.drawJSON(d, buffered)
	case err == nil && format == Delimited:
		return r.drawDelimited(d, buffered)
	}
	data, err := io.ReadAll(buffered)
	if err != nil {
		return usererr.FileError(r.file, err)
	}
	samples, _, ierr := r.read(data, format)
	if ierr != nil {
		return ierr
	}
	for _, s := range samples {
		s.Raw = bytes.Clone(s.Raw) // not to hold the whole file
		d.add(func() (Sample, *usererr.InputError) { return s, nil })
	}
	return nil
}

// formatOfLong says in which format data is that begins so and goes on.
func (r *reader) formatOfLong(head []byte, format DataFormat) DataFormat {
	if format != Auto && format != "" {
		return format
	}
	if isBlank(head) || r.mayBeJSON(head, formatOfExtension(r.file)) {
		return JSON
	}
	hint := formatOfExtension(r.file)
	if hint == Delimited || hint != Binary && r.beginsDelimited(head) {
		return Delimited
	}
	return Binary
}

// beginsDelimited reports whether data begins with records that are messages, all of whose
// fields are known.
func (r *reader) beginsDelimited(head []byte) bool {
	all := reading{fit: fitExact}
	for offset := 0; ; {
		f, err := r.frame(head, offset, 1)
		if err != nil {
			return len(all.samples) > 0 && all.fit >= fitKnown
		}
		if !r.add(&all, head[f.start:f.end], "", 0, "") {
			return false
		}
		offset = f.end
	}
}

func (r *reader) drawDelimited(d *draw, in *bufio.Reader) error {
	offset := 0
	for n := 1; ; n++ {
		size, length, err := readLength(in)
		switch {
		case err == io.EOF && length == 0:
			return nil
		case err == errBadLength, err == io.ErrUnexpectedEOF, err == io.EOF:
			return usererr.Errorf(r.file, "%s at byte %d: invalid length", recordName(n), offset)
		case err != nil:
			return usererr.FileError(r.file, err)
		}
		start := offset + length
		place, held := d.offer()
		var record bytes.Buffer // grows with what there is, whatever the length says
		into := io.Discard
		if held {
			into = &record
		}
		got, err := io.CopyN(into, in, size)
		switch {
		case err == io.EOF:
			return usererr.Errorf(r.file, "%s at byte %d: %d bytes long, but the file has %d more",
				recordName(n), offset, size, got)
		case err != nil:
			return usererr.FileError(r.file, err)
		}
		offset = start + int(size)
		if held {
			d.held[place] = drawn{d.offered, func() (Sample, *usererr.InputError) {
				one := reading{fit: fitExact}
				if !r.add(&one, record.Bytes(), recordName(n), start, r.source(n)) || one.err != nil {
					return Sample{}, one.err
				}
				return one.samples[0], nil
			}}
		}
	}
}

var errBadLength = errors.New("invalid length")

// readLength reads the length of a record, and how many bytes it takes.
func readLength(in io.ByteReader) (size int64, length int, err error) {
	var v uint64
	for shift := 0; shift < 63; shift += 7 {
		b, err := in.ReadByte()
		if err != nil {
			return 0, length, err
		}
		length++
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return int64(v), length, nil
		}
	}
	return 0, length, errBadLength
}

// drawJSON offers the documents of a text. An error has its line, and its column where the
// document begins with the line.
func (r *reader) drawJSON(d *draw, in io.Reader) error {
	lines := &records.LineReader{In: in}
	j := &jsonReader{reader: r, dec: jsontext.NewDecoder(lines, jsontext.AllowDuplicateNames(true))}
	before := d.offered
	err := j.each(func(doc []byte, offset int) *usererr.InputError {
		line, start := lines.Line(int64(offset))
		atStart := start == int64(offset)
		place, held := d.offer()
		if !held {
			return nil
		}
		doc = bytes.Clone(doc)
		d.held[place] = drawn{d.offered,
			func() (Sample, *usererr.InputError) { return r.documentAt(doc, offset, line, atStart) }}
		return nil
	})
	var syntax *jsontext.SyntacticError
	switch {
	case lines.Err != nil:
		return usererr.FileError(r.file, lines.Err)
	case errors.As(err, &syntax):
		line, _ := lines.Line(syntax.ByteOffset)
		return &usererr.InputError{File: r.file, Line: line, Message: syntaxProblem(syntax)}
	case err != nil:
		return usererr.Errorf(r.file, "%s", libraryText(err))
	case d.offered == before:
		return r.noSamples()
	}
	return nil
}

// documentAt converts a document that begins in a line of a long text, at its start or not.
func (r *reader) documentAt(doc []byte, offset, line int, atStart bool) (Sample, *usererr.InputError) {
	j := &jsonReader{reader: r, text: doc, line: 1}
	s, err := j.sample(doc, 0)
	if err != nil {
		if err.Line == 1 && !atStart {
			err.Column = 0
		}
		err.Line += line - 1
		return Sample{}, err
	}
	s.Source, s.Offset = fmt.Sprintf("%s:%d", r.file, line), offset
	return s, nil
}
