// Package read reads JSON documents from files, as batches of text that many can work on at once.
//
// A file may hold one document, several, with or without white space between them, JSON lines, or arrays, whose
// elements are then documents. It may be compressed by gzip or zstd.
package read

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// A Split is a file, or the lines of a file of JSON lines that begin within a range of bytes.
type Split struct {
	Path string // "-" for standard input
	// From and To are the range; To is 0 for the end of the file.
	From, To int64
}

// A Batch is documents that follow each other in a file. Between them there may be white space and, in an array,
// commas.
type Batch struct {
	Text []byte // not used by the reader any more
	File string
	Line int  // of the first byte, from 1
	Open bool // the text begins within an array
	Last bool // of its file

	Lines bool // documents end with their lines
}

const (
	// blockSize is how many bytes are read at once, and how long batches are at least, but for the last.
	blockSize = 1 << 20
	// MaxDocument is the length of documents at most.
	MaxDocument = 1 << 30
)

var errTooLong = fmt.Errorf("a document of more than %d MB", MaxDocument>>20)

// File reads a split, and gives each batch to yield, until that returns an error. Read, if not nil, is told how many
// bytes of the file have been read.
func File(s Split, stdin io.Reader, progress func(int64), yield func(Batch) error) error {
	in := stdin
	if s.Path != "-" {
		f, err := os.Open(s.Path)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	if s.From > 0 || s.To > 0 {
		return lineRange(s, in, progress, yield)
	}
	plain, err := decompressed(&counter{in, progress})
	if err != nil {
		return err
	}
	return newBatcher(plain, s.Path).run(yield)
}

// A counter tells how many bytes have been read.
type counter struct {
	r    io.Reader
	tell func(int64)
}

func (c *counter) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	if c.tell != nil && n > 0 {
		c.tell(int64(n))
	}
	return n, err
}

// decompressed returns what r holds.
func decompressed(r io.Reader) (io.Reader, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	switch begin, _ := in.Peek(4); {
	case bytes.HasPrefix(begin, []byte("\x1f\x8b\x08")):
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, fmt.Errorf("gzip: %s", strings.TrimPrefix(err.Error(), "gzip: "))
		}
		return z, nil
	case bytes.Equal(begin, []byte("\x28\xb5\x2f\xfd")):
		return zstd.NewReader(in, zstd.WithDecoderConcurrency(1))
	}
	return in, nil
}

// lineRange reads the lines that begin in a range.
func lineRange(s Split, in io.Reader, progress func(int64), yield func(Batch) error) error {
	f, ok := in.(io.ReadSeeker)
	if !ok {
		return errors.New("a range of bytes needs a file that is not standard input")
	}
	from := max(s.From-1, 0) // a line begins at From if the byte before is the end of another
	if _, err := f.Seek(from, io.SeekStart); err != nil {
		return err
	}
	r := bufio.NewReaderSize(&counter{f, progress}, blockSize)
	at := from
	if s.From > 0 {
		skipped, err := r.ReadSlice('\n')
		for err == bufio.ErrBufferFull {
			at += int64(len(skipped))
			skipped, err = r.ReadSlice('\n')
		}
		at += int64(len(skipped))
		if err != nil {
			return ignoreEOF(err)
		}
	}
	var text []byte
	for s.To == 0 || at < s.To {
		line, err := r.ReadBytes('\n')
		at += int64(len(line))
		text = append(text, line...)
		if len(text) >= blockSize || err != nil {
			if fault := yield(Batch{Text: text, File: s.Path, Lines: true}); fault != nil {
				return fault
			}
			text = nil
		}
		if err != nil {
			return ignoreEOF(err)
		}
	}
	if len(text) == 0 {
		return nil
	}
	return yield(Batch{Text: text, File: s.Path, Lines: true})
}

func ignoreEOF(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// A batcher cuts a stream between documents.
type batcher struct {
	in   io.Reader
	file string
	line int
	buf  []byte // what has been read and not been given away
	end  bool
	open bool // within an array of documents
}

func newBatcher(in io.Reader, file string) *batcher { return &batcher{in: in, file: file, line: 1} }

// fill reads until there are so many bytes, or all.
func (b *batcher) fill(size int) error {
	for len(b.buf) < size && !b.end {
		if cap(b.buf)-len(b.buf) < blockSize/4 {
			b.buf = append(make([]byte, 0, max(2*cap(b.buf), size+blockSize)), b.buf...)
		}
		n, err := b.in.Read(b.buf[len(b.buf):cap(b.buf)])
		b.buf = b.buf[:len(b.buf)+n]
		switch {
		case err == io.EOF:
			b.end = true
		case err != nil:
			return err
		}
	}
	return nil
}

func (b *batcher) run(yield func(Batch) error) error {
	if err := b.fill(blockSize); err != nil {
		return err
	}
	b.buf = bytes.TrimPrefix(b.buf, []byte("\xef\xbb\xbf"))
	lines := b.areLines()
	for size := blockSize; ; {
		if err := b.fill(size); err != nil {
			return err
		}
		cut, open := len(b.buf), b.open
		switch {
		case b.end:
		case lines:
			cut = bytes.LastIndexByte(b.buf, '\n') + 1
		default:
			cut, open = frame(b.buf, b.open)
		}
		if cut == 0 && !b.end {
			if size = 2 * len(b.buf); len(b.buf) > MaxDocument {
				return errTooLong
			}
			continue
		}
		size = blockSize
		if err := b.give(cut, open, lines, yield); err != nil || b.end {
			return err
		}
	}
}

func (b *batcher) give(cut int, open, lines bool, yield func(Batch) error) error {
	if cut == 0 {
		return nil
	}
	text := b.buf[:cut:cut]
	rest := append(make([]byte, 0, 2*blockSize), b.buf[cut:]...)
	batch := Batch{Text: text, File: b.file, Line: b.line, Open: b.open, Lines: lines, Last: b.end && len(rest) == 0}
	b.line += bytes.Count(text, []byte("\n"))
	b.buf, b.open = rest, open
	return yield(batch)
}

// areLines reports whether the first line is a document, and is not all.
func (b *batcher) areLines() bool {
	first, rest, found := bytes.Cut(bytes.TrimLeft(b.buf, " \t\r\n"), []byte("\n"))
	if !found || len(bytes.TrimSpace(rest)) == 0 {
		return false
	}
	cut, open := frame(first, false)
	return !open && cut > 0 && len(bytes.TrimSpace(first[cut:])) == 0
}

// frame returns where the last document in a text ends that is complete, and whether that is within an array of
// documents. Open says whether the text begins in one. What is not JSON is left to others.
func frame(text []byte, open bool) (cut int, openAt bool) {
	openAt = open
	depth, base := 0, 0
	if open {
		base = 1
		depth = 1
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '"':
			end := stringEnd(text, i+1)
			if end < 0 {
				return cut, openAt
			}
			i = end
			if depth == base {
				cut, openAt = i+1, depth > 0
			}
		case '[', '{':
			depth++
			if depth == 1 && c == '[' {
				base = 1
				cut, openAt = i+1, true
			}
		case ']', '}':
			depth--
			if depth < base {
				base = 0
				depth = max(depth, 0)
			}
			if depth == base {
				cut, openAt = i+1, depth > 0
			}
		case ',', '\n', ' ':
			// The end of a number or a word, which is a document by itself.
			if depth == base {
				cut, openAt = i+1, depth > 0
			}
		}
	}
	return cut, openAt
}

// stringEnd returns where the quote is that ends a string, or -1.
func stringEnd(text []byte, at int) int {
	for {
		i := bytes.IndexByte(text[at:], '"')
		if i < 0 {
			return -1
		}
		at += i
		escapes := 0
		for j := at - 1; j >= 0 && text[j] == '\\'; j-- {
			escapes++
		}
		if escapes%2 == 0 {
			return at
		}
		at++
	}
}
