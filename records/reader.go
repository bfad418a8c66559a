package records

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"sync/atomic"

	"github.com/go-json-experiment/json/jsontext"
)

// DefaultMaxSize is how many bytes a record may have where no other limit is given.
const DefaultMaxSize = 64 << 20

// DefaultBatchSize is how many bytes of records a batch has, about, where nothing else is said.
const DefaultBatchSize = 512 << 10

// Options say how records are read. The zero value reads JSON.
type Options struct {
	// Form is what the records are; empty means [JSON].
	Form Form
	// Framing is how records in wire form lie in their files; empty means [AutoFraming].
	Framing Framing
	// MaxSize is how many bytes a record may have; 0 means [DefaultMaxSize]. A longer one has
	// [ErrTooLong]; where the next one begins is known all the same in JSON lines, BSON and
	// delimited records.
	MaxSize int
	// BatchSize is how many bytes of records make a batch; 0 means [DefaultBatchSize]. A batch has
	// one record at least.
	BatchSize int
	// KeepArrays takes a JSON array at the top level of a document as one record, as for data of
	// type google.protobuf.ListValue, instead of as a list of records.
	KeepArrays bool
	// Stdin is what the name "-" stands for; nil means os.Stdin.
	Stdin io.Reader
	// Read, if not nil, counts bytes as they are read, before they are decompressed.
	Read *atomic.Int64
}

func (o Options) maxSize() int {
	if o.MaxSize > 0 {
		return o.MaxSize
	}
	return DefaultMaxSize
}

func (o Options) batchSize() int {
	if o.BatchSize > 0 {
		return o.BatchSize
	}
	return DefaultBatchSize
}

// linesByName reports whether the name of a file says that it is JSON lines.
func (o Options) linesByName(file string) bool {
	switch extension(file) {
	case ".jsonl", ".ndjson":
		return true
	}
	return false
}

// A Reader reads the records of one split. It is for one goroutine.
type Reader struct {
	file    string
	size    int
	max     int
	scanner interface{ next(*Batch) error }
	// whole says that the scanner fills batches; others add one record at a time.
	whole   bool
	index   int
	err     error
	closers []io.Closer
}

// Open opens a split. The error is an [*Error].
func Open(s Split, o Options) (*Reader, error) {
	r := &Reader{file: displayName(s.File), size: o.batchSize(), max: o.maxSize()}
	if err := r.open(s, o); err != nil {
		_ = r.Close() // err says more
		var e *Error
		if errors.As(err, &e) {
			return nil, err
		}
		return nil, fileError(r.file, err)
	}
	return r, nil
}

func (r *Reader) open(s Split, o Options) error {
	if s.Start < 0 || s.End < 0 || s.End > 0 && s.End < s.Start {
		return errors.New("split " + s.String() + ": not a range of bytes")
	}
	raw, err := r.source(s, o)
	if err != nil {
		return err
	}
	if o.Read != nil {
		raw = countingReader{raw, o.Read}
	}
	if s.Start > 0 || s.End > 0 {
		return r.openPart(raw, s)
	}
	in, err := Decompress(s.File, raw, o.Form.IsWire() || o.Form == BSON || o.Form == MessagePack)
	if err != nil {
		return err
	}
	r.closers = append(r.closers, in)
	return r.scan(in, o)
}

// source opens the file.
func (r *Reader) source(s Split, o Options) (io.Reader, error) {
	switch {
	case s.File == Stdin && (s.Start > 0 || s.End > 0):
		return nil, errors.New("standard input has no parts")
	case s.File == Stdin && o.Stdin != nil:
		return o.Stdin, nil
	case s.File == Stdin:
		return os.Stdin, nil
	}
	f, err := os.Open(s.File)
	if err != nil {
		return nil, err
	}
	r.closers = append(r.closers, f)
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, errors.New("is a folder")
	}
	if s.Start == 0 && s.End == 0 {
		return f, nil
	}
	head := make([]byte, maxMagic)
	n, err := f.ReadAt(head, 0)
	if name := compressedAs(head[:n]); name != "" {
		return nil, errors.New(name + " data has no parts")
	} else if err := ioError(err); err != nil {
		return nil, err
	}
	// A byte earlier: see newLineScanner.
	if _, err := f.Seek(max(s.Start-1, 0), io.SeekStart); err != nil {
		return nil, err
	}
	return f, nil
}

// openPart reads a part of a file, which is always lines.
func (r *Reader) openPart(raw io.Reader, s Split) error {
	l, err := newLineScanner(bufio.NewReader(raw), r.size, s)
	r.scanner, r.whole = l, true
	return err
}

// byteOrderMark is what some editors put before UTF-8 text.
const byteOrderMark = "\xef\xbb\xbf"

// headSize is how much of a file is looked at to see whether it is JSON lines.
const headSize = 64 << 10

// scan chooses what reads the records of a whole file.
func (r *Reader) scan(raw io.Reader, o Options) error {
	switch {
	case o.Form.IsText():
		in := bufio.NewReaderSize(raw, headSize)
		head, err := in.Peek(headSize)
		if err := ioError(err); err != nil {
			return err
		}
		if o.Form == Lines || o.linesByName(r.file) || looksLikeLines(head) {
			l, err := newLineScanner(in, r.size, Split{})
			r.scanner, r.whole = l, true
			return err
		}
		d := newDocumentScanner(in, r.max, o.KeepArrays)
		if bytes.HasPrefix(head, []byte(byteOrderMark)) {
			d.base = int64(len(byteOrderMark))
			_, _ = in.Discard(len(byteOrderMark)) // which is buffered
		}
		r.scanner = d
	default:
		s := &frameScanner{w: window{r: raw}}
		switch {
		case o.Form == BSON:
			s.extent = document
		case o.Form == MessagePack:
			s.extent = packed
		case o.Framing.of(r.file) == Single:
			s.extent = single
		default:
			s.extent = delimited
		}
		r.scanner = s
	}
	return nil
}

// looksLikeLines reports whether text begins with a line that is an object, and goes on with
// another one.
func looksLikeLines(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte(byteOrderMark)), jsonSpace)
	first, rest, found := bytes.Cut(head, []byte("\n"))
	next := bytes.TrimLeft(rest, jsonSpace)
	return found && first[0] == '{' && len(next) > 0 && next[0] == '{' &&
		jsontext.Value(first).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// Next returns the next batch; the error is io.EOF at the end, else an [*Error] about the file,
// after which there is nothing more. What is wrong with a record is in the record.
func (r *Reader) Next() (*Batch, error) {
	if r.err != nil {
		return nil, r.err
	}
	b := newBatch(r.file, r.max)
	for r.err == nil && !r.full(b) {
		r.err = r.scanner.next(b)
	}
	if r.err != nil && r.err != io.EOF {
		r.err = fileError(r.file, r.err)
	}
	if b.empty() {
		b.Release()
		return nil, r.err
	}
	b.Index = r.index
	r.index++
	return b, nil
}

// full reports whether a batch has enough: bytes, or records of few bytes.
func (r *Reader) full(b *Batch) bool {
	return !b.empty() && (r.whole || len(b.mem) >= r.size || len(b.spans) >= r.size/32)
}

// Close closes the file.
func (r *Reader) Close() error {
	var faults []error
	for i := len(r.closers) - 1; i >= 0; i-- {
		faults = append(faults, r.closers[i].Close())
	}
	r.closers = nil
	return errors.Join(faults...)
}

// A countingReader counts what is read.
type countingReader struct {
	io.Reader
	n *atomic.Int64
}

func (c countingReader) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.n.Add(int64(n))
	return n, err
}
