package protojson

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"

	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/internal/json/jsontext"
	"github.com/protean-pb/protean/internal/protoerr"
)

// An Encoder writes messages as JSON lines: each followed by a line feed, and on one line,
// unless the options make it several. It is not for use by several goroutines at once.
type Encoder struct {
	w   io.Writer
	o   MarshalOptions
	buf []byte
	err error // of a write
}

// maxKept is how many bytes the buffer of an [Encoder] or [Decoder] may have that is kept
// for the next message.
const maxKept = 1 << 20

// NewEncoder returns an Encoder that writes to w.
func NewEncoder(w io.Writer) *Encoder { return MarshalOptions{}.NewEncoder(w) }

// NewEncoder is the function [NewEncoder] with the options o.
func (o MarshalOptions) NewEncoder(w io.Writer) *Encoder { return &Encoder{w: w, o: o} }

// Encode writes m and a line feed, in one call of Write. If m has no form in JSON nothing is
// written, and the error is an [*Error]. After an error of Write, which may have written a
// part, Encode does nothing but return that error.
func (e *Encoder) Encode(m proto.Message) error {
	if e.err != nil {
		return e.err
	}
	b, err := e.o.MarshalAppend(e.buf[:0], m)
	if err != nil {
		return err
	}
	b = append(b, '\n')
	if cap(b) <= maxKept {
		e.buf = b
	}
	e.err = write(e.w, b)
	return e.err
}

// write writes b in one call.
func write(w io.Writer, b []byte) error {
	n, err := w.Write(b)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	return err
}

// DefaultMaxSize is how many bytes a value in a stream may have, unless a [Decoder] is told
// otherwise.
const DefaultMaxSize = 64 << 20

// ErrSize says that a value in a stream is longer than its [Decoder] reads.
var ErrSize = errors.New("the value is too long")

// errTruncated says both what the value is and why.
var errTruncated = fmt.Errorf("%w: %w", ErrSyntax, io.ErrUnexpectedEOF)

// A Decoder reads messages in ProtoJSON one after the other. Between them may be white
// space or nothing at all: JSON lines, messages one behind the other, messages over several
// lines. It holds one value in memory at most, and what it has read ahead. It is not for use
// by several goroutines at once.
//
// An [*Error] says where in the whole stream it is, whose first line is number 1; if a
// required field is missing, that is where the message begins. What comes after an error
// depends on it:
//
//   - A value that is not a message of the type, or no JSON at all, is passed by if it can
//     be seen where it ends: Decode goes on with the next one.
//   - Where that cannot be seen, because brackets do not match or the stream ends, and where
//     a value is too long, Decode returns the same error again.
//   - After an error of the reader Decode goes on where it was.
//
// With Lines set a line that is no message is always passed by, unless it is too long.
type Decoder struct {
	// Lines says that each line is one value, as in JSON lines, so that a fault in a line
	// never affects another. Lines of white space are skipped.
	Lines bool
	// MaxSize is how many bytes a value may have; 0 means [DefaultMaxSize].
	MaxSize int

	r       io.Reader
	o       UnmarshalOptions
	err     error // to be returned again and again
	readErr error // what the reader returned after what is in mem

	mem      []byte // what lies between the two has been read and is to be decoded
	from, to int
	extent   jsontext.Extent
	searched int // how much of that has no line feed

	// Where that begins in the stream.
	offset int
	lines  int // how many line feeds are before it
	column int // how many bytes are after the last of those
}

// NewDecoder returns a Decoder that reads from r, ahead of what it decodes.
func NewDecoder(r io.Reader) *Decoder { return UnmarshalOptions{}.NewDecoder(r) }

// NewDecoder is the function [NewDecoder] with the options o.
func (o UnmarshalOptions) NewDecoder(r io.Reader) *Decoder { return &Decoder{r: r, o: o} }

// Decode reads the next message into m, which is reset first. If there is none it returns
// io.EOF, and leaves m as it is. In the middle of a value the end of the stream is an
// [*Error] that is both [ErrSyntax] and io.ErrUnexpectedEOF.
func (d *Decoder) Decode(m proto.Message) error {
	if d.err != nil {
		return d.err
	}
	if err := d.skipSpace(); err != nil {
		return err
	}
	if err := d.skipMark(m); err != nil {
		return err
	}
	value, err := d.value(m)
	if err != nil {
		return err
	}
	if err = d.o.Unmarshal(value, m); err != nil {
		err = d.inStream(err, m, value)
	}
	d.consume(len(value))
	return err
}

// window returns what has been read and is to be decoded.
func (d *Decoder) window() []byte { return d.mem[d.from:d.to] }

// skipSpace skips white space, up to a value.
func (d *Decoder) skipSpace() error {
	for {
		w := d.window()
		d.consume(len(w) - len(bytes.TrimLeft(w, " \t\r\n")))
		if d.from < d.to {
			return nil
		}
		if err := d.fill(); err != nil {
			return err
		}
	}
}

// mark is the byte order mark, which JSON text must not begin with.
var mark = []byte("\ufeff")

// skipMark fails if the stream begins with a byte order mark, and skips it.
func (d *Decoder) skipMark(m proto.Message) error {
	if d.offset > 0 {
		return nil
	}
	for len(d.window()) < len(mark) && bytes.HasPrefix(mark, d.window()) {
		if err := d.fill(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
	if !bytes.HasPrefix(d.window(), mark) {
		return nil
	}
	err := d.fault(m, ErrSyntax, 0, "the stream begins with a byte order mark")
	d.consume(len(mark))
	return err
}

// value returns the value that the window begins with, when it has all of it.
func (d *Decoder) value(m proto.Message) ([]byte, error) {
	d.extent.Reset()
	d.searched = 0
	most := cmp.Or(d.MaxSize, DefaultMaxSize)
	for {
		w := d.window()
		end, err := d.end(w, m)
		if err == nil && (end > most || end < 0 && len(w) > most) {
			err = d.fault(m, ErrSize, 0, fmt.Sprintf("the limit is %d bytes", most))
		}
		if err != nil {
			d.err = err
			return nil, err
		}
		if end >= 0 {
			return w[:end], nil
		}
		switch err := d.fill(); {
		case err == io.EOF && (d.Lines || d.extent.InWord()):
			return w, nil
		case err == io.EOF:
			d.err = d.fault(m, errTruncated, len(w), "")
			return nil, d.err
		case err != nil:
			return nil, err
		}
	}
}

// end returns where the value ends that the window begins with, or -1 if more is to be read.
func (d *Decoder) end(w []byte, m proto.Message) (int, error) {
	if d.Lines {
		i := bytes.IndexByte(w[d.searched:], '\n')
		if i < 0 {
			d.searched = len(w)
			return -1, nil
		}
		return d.searched + i, nil
	}
	end, ok := d.extent.End(w)
	if !ok {
		detail, _ := jsontext.Unexpected(w, end, "'"+string(d.extent.Bracket())+"'")
		return 0, d.fault(m, ErrSyntax, end, detail)
	}
	return end, nil
}

// consume goes on by n bytes.
func (d *Decoder) consume(n int) {
	b := d.window()[:n]
	if feeds := bytes.Count(b, []byte{'\n'}); feeds > 0 {
		d.lines += feeds
		d.column = n - 1 - bytes.LastIndexByte(b, '\n')
	} else {
		d.column += n
	}
	d.offset += n
	d.from += n
}

// fault returns what is wrong at a byte of the window.
func (d *Decoder) fault(m proto.Message, err error, at int, detail string) error {
	e := &protoerr.TextError{Err: err, Detail: detail, Message: string(proto.MessageName(m))}
	e.Locate(d.window(), at)
	d.move((*Error)(e))
	return (*Error)(e)
}

// move makes what e says of the window what it is in the stream.
func (d *Decoder) move(e *Error) {
	if e.Line == 1 {
		e.Column += d.column
	}
	e.Line += d.lines
	e.Offset += d.offset
}

// inStream returns the error of Unmarshal for the value that the window begins with, and
// where it is in the stream.
func (d *Decoder) inStream(err error, m proto.Message, value []byte) error {
	if d.Lines && d.readErr == io.EOF && d.from+len(value) == d.to {
		if end, ok := d.extent.End(value); ok && end < 0 && !d.extent.InWord() {
			return d.fault(m, errTruncated, len(value), "")
		}
	}
	if e := (*Error)(nil); errors.As(err, &e) {
		if e.Offset < 0 {
			(*protoerr.TextError)(e).Locate(value, 0)
		}
		d.move(e)
	}
	return err
}

// How many bytes are read at a time, at least, and how often a reader may return none.
const (
	minRead       = 512
	firstRead     = 16 << 10
	maxEmptyReads = 100
)

// fill reads more.
func (d *Decoder) fill() error {
	for i := 0; d.readErr == nil; i++ {
		if i == maxEmptyReads {
			return io.ErrNoProgress
		}
		d.makeRoom()
		n, err := d.r.Read(d.mem[d.to:])
		if n < 0 || n > len(d.mem)-d.to {
			return errRead
		}
		d.to, d.readErr = d.to+n, err
		if n > 0 {
			return nil
		}
	}
	err := d.readErr
	if err != io.EOF {
		d.readErr = nil // the reader is asked again the next time
	}
	return err
}

var errRead = errors.New("protojson: a reader returned an impossible count from Read")

// makeRoom makes sure that there is memory to read to.
func (d *Decoder) makeRoom() {
	if len(d.mem)-d.to >= minRead {
		return
	}
	w, old := d.window(), d.mem
	switch {
	case len(w) > len(old)/2:
		d.mem = make([]byte, 2*len(old))
	case len(old) == 0 || len(old) > maxKept && len(w) < firstRead/2:
		d.mem = make([]byte, firstRead)
	}
	d.to = copy(d.mem, w)
	d.from = 0
}
