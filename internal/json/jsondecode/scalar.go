package jsondecode

import (
	"bytes"
	"errors"
	"math/bits"
	"unsafe"

	"github.com/protean-pb/protean/internal/json/jsontext"
	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/utf"
	"github.com/protean-pb/protean/internal/xunsafe"
)

// reserve returns memory for n bytes, of text that does not end before pos; n must not be 0.
func (d *decoder) reserve(pos, n int) unsafe.Pointer {
	t := &d.Text
	if n > t.Cap-t.Used {
		return d.AllocText(n, (len(d.in)-pos)/2) // most of the rest is not text that is kept
	}
	// Sound: n bytes of the chunk are free, and n is not 0, so that the pointer is into it.
	p := unsafe.Add(t.Base, t.Used)
	t.Used += n
	return p
}

// quoted reads the string whose opening quote is at pos and returns what it stands for: a
// part of the text or of scratch memory, to be used before the next string is read.
func (d *decoder) quoted(pos int) ([]byte, int) {
	start := pos + 1
	end, plain := jsontext.StringEnd(d.in, start)
	if end < 0 {
		return nil, d.badString(pos)
	}
	s := d.in[start:end]
	if plain {
		return s, end + 1
	}
	if bytes.IndexByte(s, '\\') < 0 {
		if !utf.Valid(s) {
			return nil, d.badString(pos)
		}
		return s, end + 1
	}
	out, _, err := jsontext.Unquote(d.scratch[:0], d.in, pos)
	if d.scratch = out; err != nil {
		return nil, d.badString(pos)
	}
	return out, end + 1
}

// badString fails for what is wrong with the string at pos.
func (d *decoder) badString(pos int) int {
	_, at, err := jsontext.Unquote(d.scratch[:0], d.in, pos)
	switch {
	case errors.Is(err, jsontext.ErrUTF8):
		return d.fail(protoerr.ErrUTF8, at, "")
	case errors.Is(err, jsontext.ErrEscape):
		return d.fail(protoerr.ErrSyntax, at, err.Error())
	}
	return d.unexpected(at, "'\"'")
}

// string reads a string. If it is plain it is copied while its end is looked for.
func (d *decoder) string(to *string, pos int) int {
	if d.byte(pos) != '"' {
		return d.notOf(pos, "a string")
	}
	t := &d.Text
	start := pos + 1
	last := min(t.Cap-t.Used, len(d.in)-start) - 8
	if last < 0 {
		return d.longString(to, pos)
	}
	// Sound: words are read that lie within the text, and written to what is free of the
	// chunk.
	src, dst := unsafe.Add(d.base, pos), unsafe.Add(t.Base, t.Used)
	for i := 0; i <= last; i += 8 {
		w := xunsafe.Load64(unsafe.Add(src, i+1))
		xunsafe.Store64(unsafe.Add(dst, i), w)
		ends := jsontext.Ends(w)
		if ends == 0 {
			continue
		}
		k := bits.TrailingZeros64(ends) &^ 7
		if byte(w>>k) != '"' {
			break
		}
		n := i + k/8
		if n == 0 {
			*to = ""
			return start + 1
		}
		t.Used += n
		*(*xunsafe.StringHeader)(unsafe.Pointer(to)) = xunsafe.StringHeader{Data: dst, Len: n}
		return start + n + 1
	}
	return d.longString(to, pos)
}

// longString reads a string that is not plain, or for which there may be no room.
//
//go:noinline
func (d *decoder) longString(to *string, pos int) int {
	s, next := d.quoted(pos)
	if next < 0 {
		return failed
	}
	n := len(s)
	if n == 0 {
		*to = ""
		return next
	}
	p := d.reserve(pos, n)
	if n <= xunsafe.MaxShort {
		// Sound: n bytes are reserved.
		xunsafe.CopyShort(p, unsafe.Pointer(unsafe.SliceData(s)), n)
	} else {
		copy(unsafe.Slice((*byte)(p), n), s)
	}
	*(*xunsafe.StringHeader)(unsafe.Pointer(to)) = xunsafe.StringHeader{Data: p, Len: n}
	return next
}

// decodeScalar reads a value that is neither a message nor an enum, to q.
func (d *decoder) decodeScalar(f *layout.JSONField, q unsafe.Pointer, pos int) int {
	switch f.ValueKind {
	case layout.JSONString:
		return d.string((*string)(q), pos)
	case layout.JSONBytes:
		return d.bytes(f, (*[]byte)(q), pos)
	case layout.JSONBool:
		return d.bool((*bool)(q), pos)
	case layout.JSONDouble:
		x, next, ok := jsontext.FloatIn(d.in, pos, 64)
		if !ok {
			x, next = d.float(pos, 64)
		}
		*(*float64)(q) = x
		return next
	case layout.JSONFloat:
		x, next, ok := jsontext.FloatIn(d.in, pos, 32)
		if !ok {
			x, next = d.float(pos, 32)
		}
		*(*float32)(q) = float32(x)
		return next
	case layout.JSONInt32:
		if x, next, ok := jsontext.IntIn(d.in, pos); ok && x == int64(int32(x)) {
			*(*int32)(q) = int32(x)
			return next
		}
		x, next := d.int(pos, 32)
		*(*int32)(q) = int32(x)
		return next
	case layout.JSONInt64:
		if d.byte(pos) == '"' {
			if x, next, ok := jsontext.IntIn(d.in, pos+1); ok && d.byte(next) == '"' {
				*(*int64)(q) = x
				return next + 1
			}
		}
		x, next := d.int(pos, 64)
		*(*int64)(q) = x
		return next
	case layout.JSONUint32:
		x, next := d.uint(pos, 32)
		*(*uint32)(q) = uint32(x)
		return next
	default:
		if d.byte(pos) == '"' {
			if x, next, ok := jsontext.UintIn(d.in, pos+1); ok && d.byte(next) == '"' {
				*(*uint64)(q) = x
				return next + 1
			}
		}
		x, next := d.uint(pos, 64)
		*(*uint64)(q) = x
		return next
	}
}

func (d *decoder) bool(to *bool, pos int) int {
	switch d.byte(pos) {
	case 't':
		*to = true
		return d.word(pos, "true")
	case 'f':
		*to = false
		return d.word(pos, "false")
	}
	return d.notOf(pos, "true or false")
}

// notOf fails since there is another value than the field can hold, or none.
func (d *decoder) notOf(pos int, want string) int {
	switch d.byte(pos) {
	case '"', '{', '[', 't', 'f', 'n', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		end := d.skipValue(pos, len(d.in))
		if end < 0 {
			return failed
		}
		return d.wrong(pos, end, want)
	}
	return d.unexpected(pos, want)
}

// wrong fails since the value from pos to end is not what the field can hold.
func (d *decoder) wrong(pos, end int, want string) int {
	return d.fail(protoerr.ErrValue, pos, protoerr.Clip(string(d.in[pos:end]))+" instead of "+want)
}

// parse reads a number of so many bits: token gets what is there, unless that is in quotes:
// then quoted does.
func parse[T any](
	d *decoder, pos, bits int, want map[int]string, token, quoted func([]byte, int) (T, bool),
) (x T, end int) {
	var ok bool
	switch c := d.byte(pos); {
	case c == '"':
		var s []byte
		if s, end = d.quoted(pos); end < 0 {
			return x, failed
		}
		x, ok = quoted(s, bits)
	case c == '-' || c-'0' <= 9:
		if end = jsontext.NumberEnd(d.in, pos); end < 0 {
			return x, d.unexpected(pos, want[bits])
		}
		x, ok = token(d.in[pos:end], bits)
	default:
		return x, d.notOf(pos, want[bits])
	}
	if !ok {
		return x, d.wrong(pos, end, want[bits])
	}
	return x, end
}

// What is wanted where there is none.
var (
	wantInt   = map[int]string{32: "an integer of 32 bits", 64: "an integer of 64 bits"}
	wantUint  = map[int]string{32: "an integer of 32 bits without sign", 64: "an integer of 64 bits without sign"}
	wantFloat = map[int]string{32: "a number that 32 bits hold", 64: "a number that 64 bits hold"}
)

func (d *decoder) int(pos, bits int) (int64, int) {
	return parse(d, pos, bits, wantInt, jsontext.Int, jsontext.StringInt)
}

func (d *decoder) uint(pos, bits int) (uint64, int) {
	if x, next, ok := jsontext.UintIn(d.in, pos); ok && x>>(bits-1)>>1 == 0 {
		return x, next
	}
	return parse(d, pos, bits, wantUint, jsontext.Uint, jsontext.StringUint)
}

func (d *decoder) float(pos, bits int) (float64, int) {
	return parse(d, pos, bits, wantFloat, jsontext.Float, jsontext.StringFloat)
}

// enum reads a value of an enum. An unknown name may be none, which is no failure.
func (d *decoder) enum(f *layout.JSONField, pos int) (x int32, next int, known bool) {
	switch c := d.byte(pos); {
	case c == '"':
		name, next := d.quoted(pos)
		if next < 0 {
			return 0, failed, false
		}
		x, known = f.Enum.Number(name)
		if !known && !d.DiscardUnknown {
			return 0, d.wrong(pos, next, "a name or number of the enum"), false
		}
		return x, next, known
	case c == '-' || c-'0' <= 9:
		n, next := d.int(pos, 32)
		return int32(n), next, true
	case c == 'n' && f.ValueKind == layout.JSONNull:
		return 0, d.word(pos, "null"), true
	}
	return 0, d.notOf(pos, "a name or number of the enum"), false
}

// bytes reads bytes in base64.
func (d *decoder) bytes(f *layout.JSONField, to *[]byte, pos int) int {
	if d.byte(pos) != '"' {
		return d.notOf(pos, "bytes in base64")
	}
	s, next := d.quoted(pos)
	if next < 0 {
		return failed
	}
	if len(s) == 0 {
		if *to = []byte{}; f.Addressing == layout.InPlace && f.FieldKind == layout.JSONBytes {
			*to = nil // as the wire format has it without presence
		}
		return next
	}
	room := max(jsontext.DecodedLen(len(s)), 1)
	// Sound: so many bytes are reserved; those that are not needed are given back.
	b := unsafe.Slice((*byte)(d.reserve(pos, room)), room)
	n, ok := jsontext.DecodeBase64(b, s)
	if !ok {
		return d.wrong(pos, next, "bytes in base64")
	}
	d.Shorten(unsafe.Pointer(unsafe.SliceData(b)), room, n)
	*to = b[:n:n]
	return next
}
