package cat

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/protean-pb/protean/cmd/protean/internal/usererr"
)

// maxRecord is how many bytes a record of a file may have.
const maxRecord = 64 << 20

// PrintFile prints the records of a file, each behind its length as a varint. The file is read as far as it is printed.
func PrintFile(ctx context.Context, p *Printer, file string, in io.Reader) error {
	r := &recordReader{file: file, in: bufio.NewReader(in)}
	for !p.Done() && ctx.Err() == nil {
		record, err := r.next()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = p.Print(ctx, record)
		}
		if err != nil {
			return errors.Join(p.Flush(), err)
		}
	}
	return errors.Join(p.Flush(), ctx.Err())
}

// A recordReader reads one record after the other.
type recordReader struct {
	file   string
	in     *bufio.Reader
	number int // of the record that was read last
	at     int // where the next one begins
	buf    []byte
}

// next returns the next record, whose value is valid until the next call; io.EOF if there is none.
func (r *recordReader) next() (*Record, error) {
	if _, err := r.in.Peek(1); err == io.EOF {
		return nil, io.EOF
	}
	r.number++
	size, err := binary.ReadUvarint(r.in)
	switch {
	case err != nil:
		return nil, r.fail("invalid length", err)
	case size > maxRecord:
		what := "%d bytes long, which is more than %d: is the file length-delimited?"
		return nil, r.fail(fmt.Sprintf(what, size, maxRecord), nil)
	}
	if r.buf = r.buf[:0]; cap(r.buf) > maxLine {
		r.buf = nil
	}
	for n := int(size); n > 0; {
		step := min(n, maxLine) // memory is taken as bytes come
		start := len(r.buf)
		r.buf = append(r.buf, make([]byte, step)...)
		if _, err := io.ReadFull(r.in, r.buf[start:]); err != nil {
			return nil, r.fail(fmt.Sprintf("%d bytes long, but the file ends before", size), err)
		}
		n -= step
	}
	record := &Record{Source: fmt.Sprintf("%s: record %d at byte %d", r.file, r.number, r.at), Value: r.buf}
	if record.Value == nil {
		record.Value = []byte{}
	}
	r.at += len(binary.AppendUvarint(nil, size)) + int(size)
	return record, nil
}

// fail says what is wrong with a record, unless it is the reader that failed.
func (r *recordReader) fail(what string, err error) error {
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF && !isOverflow(err) {
		return usererr.FileError(r.file, err)
	}
	return &usererr.InputError{File: r.file, Message: fmt.Sprintf("record %d at byte %d: %s", r.number, r.at, what)}
}

// isOverflow reports whether the error is binary.ReadUvarint's own, which has no name.
func isOverflow(err error) bool { return err.Error() == "binary: varint overflows a 64-bit integer" }
