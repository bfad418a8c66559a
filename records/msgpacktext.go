package records

import (
	"encoding/binary"
	"errors"
	"math"
	"strconv"
	"time"
)

// errPack is what is wrong where the extent of a value has not been looked at before.
var errPack = errors.New("malformed MessagePack")

// packed writes the MessagePack value that b begins with, and returns what follows it.
func (w *textWriter) packed(b []byte) (rest []byte, err error) {
	h, err := readPackHead(b)
	if err != nil {
		return nil, w.path.at("%w: %w", errPack, err)
	}
	b = b[h.size:]
	switch h.kind {
	case packNil:
		w.dst = append(w.dst, "null"...)
	case packFalse, packTrue:
		w.dst = strconv.AppendBool(w.dst, h.kind == packTrue)
	case packInt:
		w.dst = strconv.AppendInt(w.dst, int64(h.bits), 10)
	case packUint:
		w.dst = strconv.AppendUint(w.dst, h.bits, 10)
	case packFloat32:
		err = w.float(float64(math.Float32frombits(uint32(h.bits))), 32)
	case packFloat64:
		err = w.float(math.Float64frombits(h.bits), 64)
	case packArray:
		return w.packedArray(b, h.n)
	case packMap:
		return w.packedMap(b, h.n)
	default:
		if len(b) < h.n {
			return nil, w.path.at("%w", errPack)
		}
		return b[h.n:], w.packedData(h, b[:h.n])
	}
	return b, err
}

// packedData writes what is bytes.
func (w *textWriter) packedData(h packHead, data []byte) error {
	switch h.kind {
	case packString:
		return w.string(data)
	case packBytes:
		return w.base64(data)
	}
	if h.ext != -1 {
		return w.path.at("a MessagePack extension of type %d has no form in JSON", h.ext)
	}
	t, ok := packTime(data)
	if !ok {
		return w.path.at("%w: a timestamp of %d bytes", errPack, len(data))
	}
	return w.time(t)
}

// packTime is the time of a timestamp, which has three forms.
func packTime(data []byte) (time.Time, bool) {
	switch len(data) {
	case 4:
		return time.Unix(int64(binary.BigEndian.Uint32(data)), 0), true
	case 8:
		x := binary.BigEndian.Uint64(data)
		return time.Unix(int64(x&(1<<34-1)), int64(x>>34)), x>>34 < 1e9
	case 12:
		nanos := binary.BigEndian.Uint32(data)
		return time.Unix(int64(binary.BigEndian.Uint64(data[4:])), int64(nanos)), nanos < 1e9
	}
	return time.Time{}, false
}

func (w *textWriter) packedArray(b []byte, n int) (rest []byte, err error) {
	w.dst = append(w.dst, '[')
	for i := range n {
		if i > 0 {
			w.dst = append(w.dst, ',')
		}
		if err := w.enter(nil, i); err != nil {
			return nil, err
		}
		if b, err = w.packed(b); err != nil {
			return nil, err
		}
		w.path.pop()
	}
	w.dst = append(w.dst, ']')
	return b, nil
}

func (w *textWriter) packedMap(b []byte, n int) (rest []byte, err error) {
	from := len(w.keys)
	w.dst = append(w.dst, '{')
	for i := range n {
		if i > 0 {
			w.dst = append(w.dst, ',')
		}
		key, after, err := w.packedKey(b)
		if err != nil {
			return nil, err
		}
		w.keys = append(w.keys, key)
		w.dst = append(w.dst, ':')
		if err := w.enter(key, -1); err != nil {
			return nil, err
		}
		if b, err = w.packed(after); err != nil {
			return nil, err
		}
		w.path.pop()
	}
	w.dst = append(w.dst, '}')
	err = w.distinct(from)
	w.keys = w.keys[:from]
	return b, err
}

// packedKey writes a key; numbers and truth values become strings.
func (w *textWriter) packedKey(b []byte) (key, rest []byte, err error) {
	h, err := readPackHead(b)
	if err != nil {
		return nil, nil, w.path.at("%w: %w", errPack, err)
	}
	b = b[h.size:]
	switch h.kind {
	case packString:
		if len(b) < h.n {
			return nil, nil, w.path.at("%w", errPack)
		}
		return b[:h.n], b[h.n:], w.string(b[:h.n])
	case packInt:
		key = strconv.AppendInt(nil, int64(h.bits), 10)
	case packUint:
		key = strconv.AppendUint(nil, h.bits, 10)
	case packFalse, packTrue:
		key = strconv.AppendBool(nil, h.kind == packTrue)
	default:
		return nil, nil, w.path.at("a key that is neither a string nor a number")
	}
	w.dst = append(append(append(w.dst, '"'), key...), '"')
	return key, b, w.alterations.note(w.path, "the key %s, which is no string, becomes one", key)
}
