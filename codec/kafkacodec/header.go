package kafkacodec

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// What can be wrong with a record, for errors.Is. What is wrong with the message in it is a *proto.FieldError.
var (
	// ErrTombstone says that a record has no value at all: its key is deleted.
	ErrTombstone = errors.New("the record has no value")
	// ErrFormat says that a record is not in Confluent's wire format.
	ErrFormat = errors.New("the record is not in Confluent's wire format")
	// ErrSchema says that the schema of a record, or the message type in it, cannot be had.
	ErrSchema = errors.New("no schema")
)

// maxIndexes is how deeply the message types of a schema may be nested; the compiler takes no more.
const maxIndexes = 32

// A header is what comes before the message in a record.
type header struct {
	id      int
	indexes [maxIndexes]int // of the message type in the schema, from the outermost on
	depth   int             // how many there are
	size    int             // in bytes
}

// parse reads the header of a record: a zero, four bytes of schema id, and the number of the indexes and those as
// zigzag varints. That there are none stands for the first message type.
func (h *header) parse(record []byte) error {
	switch {
	case len(record) == 0:
		return ErrTombstone
	case record[0] != 0:
		return fmt.Errorf("%w: byte 0 is %#02x, want 0x00", ErrFormat, record[0])
	case len(record) < 5:
		return fmt.Errorf("%w: %d bytes, which is too short for a schema id", ErrFormat, len(record))
	}
	h.id, h.size, h.depth = int(binary.BigEndian.Uint32(record[1:])), 5, 1
	n, err := h.number(record)
	switch {
	case err != nil:
		return err
	case n < 0 || n > maxIndexes:
		return fmt.Errorf("%w: byte 5: %d message indexes, want 0 to %d", ErrFormat, n, maxIndexes)
	case n == 0:
		h.indexes[0] = 0
		return nil
	}
	h.depth = n
	for i := range n {
		at := h.size
		if h.indexes[i], err = h.number(record); err != nil {
			return err
		} else if h.indexes[i] < 0 {
			return fmt.Errorf("%w: byte %d: message index %d", ErrFormat, at, h.indexes[i])
		}
	}
	return nil
}

// number reads a zigzag varint of at most 31 bits.
func (h *header) number(record []byte) (int, error) {
	if h.size < len(record) && record[h.size] < 0x80 {
		b := record[h.size]
		h.size++
		return int(b>>1) ^ -int(b&1), nil
	}
	v, n := binary.Varint(record[h.size:])
	if n <= 0 || v != int64(int32(v)) {
		return 0, fmt.Errorf("%w: byte %d: the message indexes are malformed or cut off", ErrFormat, h.size)
	}
	h.size += n
	return int(v), nil
}

// appendHeader appends the header of records of a message type.
func appendHeader(b []byte, id int, indexes []int) []byte {
	b = binary.BigEndian.AppendUint32(append(b, 0), uint32(id))
	if len(indexes) == 1 && indexes[0] == 0 {
		return append(b, 0)
	}
	b = binary.AppendVarint(b, int64(len(indexes)))
	for _, i := range indexes {
		b = binary.AppendVarint(b, int64(i))
	}
	return b
}
