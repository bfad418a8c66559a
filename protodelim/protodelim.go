// Package protodelim writes and reads messages one after the other, each behind its length as a varint. It is a drop-in
// for google.golang.org/protobuf/encoding/protodelim through the encoder and decoder of package proto: replace the
// import path. Streams are the same, and so are the errors that are about lengths.
//
// A message is written in one call of Write, where the official package makes two.
//
// All functions are safe for concurrent use, as long as nobody changes a message, or uses a reader or writer, that is
// in use.
package protodelim

import (
	"bufio"
	"fmt"
	"io"
	"math"

	"google.golang.org/protobuf/encoding/protodelim"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/protean-pb/protean/proto"
)

// DefaultMaxSize is how many bytes a message may have that is read, unless [UnmarshalOptions] say otherwise: 4 MiB.
const DefaultMaxSize = 4 << 20

// A SizeTooLargeError says that a message in the stream is longer than MaxSize. It is the official package's.
type SizeTooLargeError = protodelim.SizeTooLargeError

// A Reader is what messages are read from, such as a *[bufio.Reader]. It is the official package's.
type Reader = protodelim.Reader

// MarshalOptions are those of package proto.
type MarshalOptions struct{ proto.MarshalOptions }

// MarshalTo writes the length of m and then m to w, and returns how many bytes w took.
func MarshalTo(w io.Writer, m proto.Message) (int, error) { return MarshalOptions{}.MarshalTo(w, m) }

// MarshalTo is the function [MarshalTo] with the options o. An error of w's Write is returned as it is.
func (o MarshalOptions) MarshalTo(w io.Writer, m proto.Message) (int, error) {
	message, err := o.Marshal(m)
	if err != nil {
		return 0, err
	}
	b := protowire.AppendVarint(make([]byte, 0, len(message)+protowire.SizeVarint(uint64(len(message)))),
		uint64(len(message)))
	return w.Write(append(b, message...))
}

// UnmarshalOptions are those of package proto, and a limit.
type UnmarshalOptions struct {
	proto.UnmarshalOptions

	// MaxSize is how many bytes a message may have; 0 means [DefaultMaxSize], and -1 that there is no limit.
	MaxSize int64
}

// UnmarshalFrom reads a length and then a message of that length into m, which is reset first.
//
// The error is io.EOF only if r has nothing more; if it ends within a message, io.ErrUnexpectedEOF, or an error of the
// wire form if it ends within a length. Other errors of r are returned as they are.
func UnmarshalFrom(r Reader, m proto.Message) error { return UnmarshalOptions{}.UnmarshalFrom(r, m) }

// UnmarshalFrom is the function [UnmarshalFrom] with the options o. A message that is longer than MaxSize is a
// *[SizeTooLargeError]. With AliasInput the message is read from memory of its own.
func (o UnmarshalOptions) UnmarshalFrom(r Reader, m proto.Message) error {
	size, err := readSize(r)
	if err != nil {
		return err
	}
	if limit := o.limit(); size > limit {
		return fmt.Errorf("%w: %w", proto.Error, &SizeTooLargeError{Size: size, MaxSize: limit})
	}
	if buffered, ok := r.(*bufio.Reader); ok && !o.AliasInput {
		if b, err := buffered.Peek(int(size)); err == nil {
			err = o.Unmarshal(b, m)
			_, _ = buffered.Discard(len(b)) // they are there: no error
			return err
		}
	}
	b, err := readMessage(r, int(size))
	if err != nil {
		return err
	}
	return o.Unmarshal(b, m)
}

func (o UnmarshalOptions) limit() uint64 {
	switch o.MaxSize {
	case 0:
		return DefaultMaxSize
	case -1:
		return math.MaxInt
	}
	return min(uint64(o.MaxSize), math.MaxInt)
}

// readSize reads a varint. A stream that ends within it is malformed.
func readSize(r io.ByteReader) (uint64, error) {
	var buf [10]byte
	n := 0
	for n < len(buf) {
		b, err := r.ReadByte()
		if err == io.EOF && n > 0 {
			break
		} else if err != nil {
			return 0, err
		}
		buf[n] = b
		if n++; b < 0x80 {
			break
		}
	}
	size, used := protowire.ConsumeVarint(buf[:n])
	if used < 0 {
		return 0, protowire.ParseError(used)
	}
	return size, nil
}

// readStep is how many bytes are allocated on the word of a length alone.
const readStep = 1 << 20

// readMessage reads size bytes. Memory is taken as bytes come: a length that lies costs nothing.
func readMessage(r io.Reader, size int) ([]byte, error) {
	b := make([]byte, 0, min(size, readStep))
	for len(b) < size {
		if len(b) == cap(b) {
			b = append(make([]byte, 0, min(size, 2*cap(b))), b...)
		}
		n, err := io.ReadFull(r, b[len(b):cap(b)])
		b = b[:len(b)+n]
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return nil, err
		}
	}
	return b, nil
}
