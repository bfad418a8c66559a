package records

import (
	"bytes"
	"fmt"
	"io"
	"slices"
)

// A lineScanner reads batches of whole lines.
type lineScanner struct {
	r     io.Reader
	size  int // of a batch
	carry []byte
	// offset and line are those of what carry begins with; line is 0 if it is not known.
	offset int64
	line   int
	// left is how many bytes of the split follow carry; -1 up to the end of the file.
	left int64
	done bool
}

func newLineScanner(r io.Reader, size int, s Split) (*lineScanner, error) {
	l := &lineScanner{r: r, size: size, offset: s.Start, line: 1, left: -1}
	if s.End > 0 {
		l.left = s.End - s.Start
	}
	if s.Start == 0 {
		return l, nil
	}
	// r begins a byte earlier, to see whether a line begins with the split.
	l.line = 0
	l.offset--
	if l.left >= 0 {
		l.left++
	}
	if err := l.skipLine(); err != nil && err != io.EOF {
		return nil, err
	}
	return l, nil
}

// skipLine passes by the rest of a line, to the end of the split at most.
func (l *lineScanner) skipLine() error {
	buf := make([]byte, 64<<10)
	for l.left != 0 {
		n, err := l.r.Read(l.within(buf))
		l.took(n)
		if i := bytes.IndexByte(buf[:n], '\n'); i >= 0 {
			l.carry = append(l.carry[:0], buf[i+1:n]...)
			l.offset += int64(i + 1)
			return nil
		}
		l.offset += int64(n)
		if err != nil {
			l.done = true
			return err
		}
	}
	l.done = true
	return io.EOF
}

// within is as much of buf as is left of the split.
func (l *lineScanner) within(buf []byte) []byte {
	if l.left >= 0 && int64(len(buf)) > l.left {
		return buf[:l.left]
	}
	return buf
}

func (l *lineScanner) took(n int) {
	if l.left >= 0 {
		l.left -= int64(n)
	}
}

// next fills a batch; io.EOF says that there is nothing more than what it holds.
func (l *lineScanner) next(b *Batch) error {
	if l.done {
		return io.EOF
	}
	b.lines, b.line, b.offset = true, l.line, l.offset
	b.mem = append(b.mem, l.carry...)
	l.carry = l.carry[:0]
	for searched := 0; ; searched = len(b.mem) {
		err := l.read(b)
		switch {
		case err == io.EOF:
			l.done = true
			l.count(b)
			return nil
		case err != nil:
			return err
		case l.left == 0:
			return l.finish(b)
		}
		if i := bytes.LastIndexByte(b.mem[searched:], '\n'); i >= 0 {
			cut := searched + i + 1
			l.carry = append(l.carry, b.mem[cut:]...)
			b.mem = b.mem[:cut]
			l.count(b)
			return nil
		}
		if len(b.mem) > b.max {
			return l.tooLong(b)
		}
	}
}

// read appends bytes of the split to a batch: as many as make its size, or as there are.
func (l *lineScanner) read(b *Batch) error {
	b.mem = slices.Grow(b.mem, l.size)
	n, err := io.ReadFull(l.r, l.within(b.mem[len(b.mem):len(b.mem)+l.size]))
	b.mem = b.mem[:len(b.mem)+n]
	l.took(n)
	if err == io.ErrUnexpectedEOF || err == io.EOF && n > 0 {
		err = io.EOF
	}
	return err
}

// finish completes the last line of the split, which ends beyond it.
func (l *lineScanner) finish(b *Batch) error {
	l.done = true
	begun := bytes.LastIndexByte(b.mem, '\n') + 1
	for begun < len(b.mem) {
		from := len(b.mem)
		b.mem = slices.Grow(b.mem, 64<<10)
		n, err := l.r.Read(b.mem[from : from+64<<10])
		b.mem = b.mem[:from+n]
		if i := bytes.IndexByte(b.mem[from:], '\n'); i >= 0 {
			b.mem = b.mem[:from+i+1]
			return nil
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if len(b.mem)-begun > b.max {
			b.mem = b.mem[:begun+b.max+1] // which says that it is too long
			return nil
		}
	}
	return nil
}

// tooLong puts into the batch that the line that it holds a part of is too long, and passes it by.
func (l *lineScanner) tooLong(b *Batch) error {
	s := span{line: l.line, offset: l.offset, indent: 0, err: tooLong(b.max)}
	l.offset += int64(len(b.mem))
	b.mem = b.mem[:0]
	b.spans = append(b.spans, s)
	err := l.skipLine()
	if l.line > 0 {
		l.line++
	}
	if err == io.EOF {
		return nil
	}
	return err
}

// count moves on to what follows the batch.
func (l *lineScanner) count(b *Batch) {
	l.offset += int64(len(b.mem))
	if l.line > 0 {
		l.line += bytes.Count(b.mem, []byte("\n"))
	}
}

func tooLong(most int) error { return fmt.Errorf("%w: more than %d bytes", ErrTooLong, most) }
