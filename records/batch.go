package records

import (
	"bytes"
	"iter"
	"sync"
)

// A Record is one record of a file. Data is valid until the batch is released.
type Record struct {
	// Data is the record: a JSON text without the white space around it, a message in wire form
	// without its length, a BSON document, a MessagePack value. In [Lines] it is what the line
	// holds, JSON or not; in the other forms it has been seen where it ends, and no more.
	Data []byte
	// File is how places name the file.
	File string
	// Line is the line of the first byte, from 1, in a text; 0 in binary forms, and in a split that
	// does not begin with the file.
	Line int
	// Number is the number of the record, from 1, in a binary form; 0 in a text.
	Number int64
	// Offset is where Data begins in the file, decompressed, in bytes from 0.
	Offset int64
	// Err, if not nil, is why there is no Data: [ErrTooLong] or [ErrFrame].
	Err error

	// indent is how many bytes of the line are before Data; -1 where that is not known.
	indent int
}

// Fault returns an error of a codec about the record as one with its place: the line and the column
// of an error of packages value, protojson and jsontext in a text are those in the file.
func (r Record) Fault(err error) *Error {
	e := &Error{File: r.File, Line: r.Line, Record: r.Number, Offset: r.Offset, Err: withoutPosition(err)}
	if line, column := position(err, r.Data); line > 0 && r.Line > 0 {
		e.Line += line - 1
		if line > 1 {
			e.Column = column
		} else {
			e.Column = r.column(column)
		}
	} else if err != nil && r.Line > 0 {
		e.Column = r.column(1) // where the record begins
	}
	return e
}

// column is the column of the file, given that of the record's first line; 0 where it is not known
// how much of the line is before the record.
func (r Record) column(column int) int {
	if r.indent < 0 {
		return 0
	}
	return r.indent + column
}

// A Batch is records of one split, one after the other.
type Batch struct {
	// Split is the number of the split, from 0, among those that are read, and Index that of the
	// batch in it.
	Split, Index int

	file string
	max  int
	mem  []byte
	// lines says that mem is whole lines, the first of which has the number line, or 0, and the
	// offset. The records beyond them are in spans.
	lines  bool
	line   int
	offset int64
	spans  []span
}

// A span is where a record lies in the memory of a batch, or what is wrong with it.
type span struct {
	from, to int
	line     int
	indent   int
	number   int64
	offset   int64
	err      error
}

// Records returns the records in their order. They are read-only.
func (b *Batch) Records() iter.Seq[Record] {
	return func(yield func(Record) bool) {
		if b.lines && !b.yieldLines(yield) {
			return
		}
		for _, s := range b.spans {
			r := Record{Data: b.mem[s.from:s.to:s.to], File: b.file, Line: s.line, indent: s.indent, Number: s.number,
				Offset: s.offset, Err: s.err}
			if !yield(r) {
				return
			}
		}
	}
}

const jsonSpace = " \t\r\n"

// yieldLines yields the lines that are not blank.
func (b *Batch) yieldLines(yield func(Record) bool) bool {
	rest, offset, line := b.mem, b.offset, b.line
	for len(rest) > 0 {
		text := rest
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			text = rest[:i+1]
		}
		rest = rest[len(text):]
		mark := 0
		if offset == 0 && bytes.HasPrefix(text, []byte(byteOrderMark)) {
			mark = len(byteOrderMark)
		}
		data := bytes.TrimLeft(text[mark:], jsonSpace)
		indent := len(text) - mark - len(data)
		if data = bytes.TrimRight(data, jsonSpace); len(data) > 0 {
			r := Record{Data: data[:len(data):len(data)], File: b.file, Line: line, indent: indent,
				Offset: offset + int64(mark+indent)}
			if len(data) > b.max {
				r.Data, r.Err = nil, tooLong(b.max)
			}
			if !yield(r) {
				return false
			}
		}
		offset += int64(len(text))
		if line > 0 {
			line++
		}
	}
	return true
}

// add appends a record.
func (b *Batch) add(data []byte, s span) {
	s.from = len(b.mem)
	b.mem = append(b.mem, data...)
	s.to = len(b.mem)
	b.spans = append(b.spans, s)
}

func (b *Batch) empty() bool { return len(b.mem) == 0 && len(b.spans) == 0 }

// maxPooled is how large the memory of a batch may be that is used again.
const maxPooled = 8 << 20

var batches = sync.Pool{New: func() any { return new(Batch) }}

func newBatch(file string, max int) *Batch {
	b := batches.Get().(*Batch)
	*b = Batch{file: file, max: max, mem: b.mem[:0], spans: b.spans[:0]}
	return b
}

// Release lets the batch's memory be used again, after which nobody may use its records. [Each]
// and [InOrder] release what they hand over.
func (b *Batch) Release() {
	if cap(b.mem) <= maxPooled {
		clear(b.spans) // of errors
		batches.Put(b)
	}
}
