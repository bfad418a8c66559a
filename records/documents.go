package records

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sort"

	"github.com/go-json-experiment/json/jsontext"
)

// A documentScanner reads JSON documents with any white space between them, and those in an array
// at the top level. What follows one that is no JSON is not read.
type documentScanner struct {
	lines *LineReader
	limit *limitReader
	dec   *jsontext.Decoder
	// unwrap says that an array is a list of documents, and not one of them.
	unwrap bool
	base   int64 // of the text in the file
	done   bool
}

func newDocumentScanner(r io.Reader, max int, keepArrays bool) *documentScanner {
	limit := &limitReader{r: r, max: max}
	lines := &LineReader{In: limit}
	// Duplicate names, and text that is not UTF-8, are for those to judge who parse the document.
	dec := jsontext.NewDecoder(lines, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	return &documentScanner{lines: lines, limit: limit, dec: dec, unwrap: !keepArrays}
}

func (s *documentScanner) next(b *Batch) error {
	if s.done {
		return io.EOF
	}
	doc, err := s.value()
	end := s.dec.InputOffset()
	s.limit.from = end
	if err == nil {
		b.add(doc, s.span(end-int64(len(doc))))
		return nil
	}
	s.done = true
	var syntax *jsontext.SyntacticError
	switch {
	case err == io.EOF:
		return io.EOF
	case errors.Is(err, ErrTooLong):
		at := s.span(end)
		at.err = fmt.Errorf("%w; %w", tooLong(b.max), ErrFrame)
		b.spans = append(b.spans, at)
		return nil
	case errors.As(err, &syntax):
		at := s.span(syntax.ByteOffset)
		at.err = badFrame("%s", syntaxProblem(syntax))
		b.spans = append(b.spans, at)
		return nil
	}
	return err
}

// value returns the next document.
func (s *documentScanner) value() ([]byte, error) {
	for {
		kind := s.dec.PeekKind()
		if s.unwrap && kind == '[' || s.dec.StackDepth() > 0 && kind == ']' {
			if _, err := s.dec.ReadToken(); err != nil {
				return nil, err
			}
			s.unwrap = !s.unwrap // the elements may be arrays
			continue
		}
		return s.dec.ReadValue()
	}
}

// span is where a record is that begins at an offset.
func (s *documentScanner) span(offset int64) span {
	line, start := s.lines.Line(offset)
	at := span{line: line, offset: s.base + offset, indent: -1}
	if start >= 0 {
		at.indent = int(offset - start)
	}
	return at
}

// A limitReader fails when more than max bytes have been read since a place in the stream, which
// bounds the memory of a decoder that reads from it.
type limitReader struct {
	r    io.Reader
	max  int
	read int64
	from int64 // what is before is done with
}

func (l *limitReader) Read(b []byte) (int, error) {
	room := l.from + int64(l.max) + 1 - l.read
	if room <= 0 {
		return 0, ErrTooLong
	}
	n, err := l.r.Read(b[:min(int64(len(b)), room)])
	l.read += int64(n)
	return n, err
}

// A LineReader reads from In, and knows where the lines begin of what was read lately. The zero
// value with In is ready for use; it is for one goroutine.
type LineReader struct {
	In io.Reader
	// Err is the last error of In other than io.EOF.
	Err error

	read int64
	// starts are the offsets of lines, of which the first has the number before+1.
	starts []int64
	before int
}

// Read reads from In.
func (l *LineReader) Read(b []byte) (int, error) {
	if l.starts == nil {
		l.starts = append(l.starts, 0)
	}
	n, err := l.In.Read(b)
	for at := 0; ; {
		i := bytes.IndexByte(b[at:n], '\n')
		if i < 0 {
			break
		}
		at += i + 1
		l.starts = append(l.starts, l.read+int64(at))
	}
	l.read += int64(n)
	if err != nil && err != io.EOF {
		l.Err = err
	}
	return n, err
}

// Line returns the number of the line, from 1, that an offset is in, and the offset of its first
// byte. Offsets must not go backwards: what lies before is forgotten.
func (l *LineReader) Line(offset int64) (line int, start int64) {
	if len(l.starts) == 0 {
		return 1, 0
	}
	i := max(sort.Search(len(l.starts), func(i int) bool { return l.starts[i] > offset })-1, 0)
	if i > 0 {
		l.starts = append(l.starts[:0], l.starts[i:]...)
		l.before += i
	}
	return l.before + 1, l.starts[0]
}
