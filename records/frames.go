package records

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"google.golang.org/protobuf/encoding/protowire"
)

// A frameScanner reads the records of a binary form. What follows a record of which it cannot be
// seen where it ends is not read.
type frameScanner struct {
	w      window
	extent func(s *frameScanner, b *Batch) (skip, size int, err error)
	number int64
	done   bool
}

// next adds one record to the batch; io.EOF says that there is none.
func (s *frameScanner) next(b *Batch) error {
	if s.done {
		return io.EOF
	}
	if _, err := s.w.need(1); err != nil && s.w.from == s.w.to {
		s.done = true
		return err
	}
	s.number++
	at := span{number: s.number, offset: s.w.offset}
	skip, size, err := s.extent(s, b)
	switch {
	case errors.Is(err, ErrTooLong) && size > 0: // it is known where the next one begins
		at.err = err
		b.add(nil, at)
		s.w.take(skip)
		_, err := s.w.skip(int64(size))
		return ioError(err)
	case errors.Is(err, ErrFrame), errors.Is(err, ErrTooLong):
		s.done = true
		at.err = err
		b.add(nil, at)
		return nil
	case err != nil:
		return err
	}
	at.offset += int64(skip)
	b.add(s.w.mem[s.w.from+skip:s.w.from+skip+size], at)
	s.w.take(skip + size)
	return nil
}

// ioError is an error of reading that is not the end.
func ioError(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return nil
	}
	return err
}

// badFrame says why it cannot be seen where a record ends.
func badFrame(format string, args ...any) error {
	return fmt.Errorf("%s; %w", fmt.Sprintf(format, args...), ErrFrame)
}

// have makes sure that the window has n bytes of the record.
func (s *frameScanner) have(n int) ([]byte, error) {
	w, err := s.w.need(n)
	if len(w) >= n {
		return w, nil
	}
	if err := ioError(err); err != nil {
		return nil, err
	}
	return nil, badFrame("%d bytes long, but the file has %d more", n, len(w))
}

// delimited is the extent of a record after its length as a varint.
func delimited(s *frameScanner, b *Batch) (skip, size int, err error) {
	w, err := s.w.need(binary.MaxVarintLen64)
	if err := ioError(err); err != nil {
		return 0, 0, err
	}
	length, skip := protowire.ConsumeVarint(w)
	switch {
	case skip < 0:
		return 0, 0, badFrame("invalid length")
	case length > 1<<40:
		return 0, 0, badFrame("a length of %d bytes", length)
	case length > uint64(b.max):
		return skip, int(length), tooLong(b.max)
	}
	if w, err = s.w.need(skip + int(length)); len(w) < skip+int(length) {
		if err := ioError(err); err != nil {
			return 0, 0, err
		}
		return 0, 0, badFrame("%d bytes long, but the file has %d more", length, len(w)-skip)
	}
	return skip, int(length), nil
}

// single is the extent of a record that is the file.
func single(s *frameScanner, b *Batch) (skip, size int, err error) {
	w, err := s.w.need(b.max + 1)
	if err := ioError(err); err != nil {
		return 0, 0, err
	}
	if len(w) > b.max {
		return 0, 0, tooLong(b.max)
	}
	return 0, len(w), nil
}

// document is the extent of a BSON document.
func document(s *frameScanner, b *Batch) (skip, size int, err error) {
	w, err := s.have(4)
	if err != nil {
		return 0, 0, err
	}
	length := int(int32(binary.LittleEndian.Uint32(w)))
	switch {
	case length < 5:
		return 0, 0, badFrame("a BSON document of %d bytes", length)
	case length > b.max:
		return 0, length, tooLong(b.max)
	}
	if w, err = s.have(length); err != nil {
		return 0, 0, err
	}
	if w[length-1] != 0 {
		return 0, 0, badFrame("a BSON document that does not end in a zero byte")
	}
	return 0, length, nil
}

// packed is the extent of a MessagePack value.
func packed(s *frameScanner, b *Batch) (skip, size int, err error) {
	var x packExtent
	for want := 1; ; want = 2 * (s.w.to - s.w.from) {
		w, err := s.w.need(want)
		if err := ioError(err); err != nil {
			return 0, 0, err
		}
		done, err := x.scan(w)
		switch {
		case err != nil:
			return 0, 0, badFrame("%v", err)
		case x.at > b.max:
			return 0, 0, tooLong(b.max)
		case done:
			return 0, x.at, nil
		case len(w) < want:
			return 0, 0, badFrame("the file ends in a MessagePack value")
		}
	}
}
