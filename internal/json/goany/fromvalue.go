package goany

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unsafe"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/internal/json/jsontext"
	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/swissmap"
	"github.com/protean-pb/protean/internal/utf"
	"github.com/protean-pb/protean/internal/xunsafe"
)

// scalar reads a value that is neither a message nor an enum, to q.
func (r *reader) scalar(f *layout.JSONField, q unsafe.Pointer, v any) bool {
	// Sound: the caller says that there is a value of that form at q.
	switch f.ValueKind {
	case layout.JSONBool:
		x, ok := v.(bool)
		*(*bool)(q) = x
		return ok || r.wrong(v, "true or false")
	case layout.JSONString:
		s, ok := r.text(v, "a string")
		*(*string)(q) = s
		return ok
	case layout.JSONBytes:
		return r.bytes(f, (*[]byte)(q), v)
	case layout.JSONInt32:
		x, ok := r.int(v, 32)
		*(*int32)(q) = int32(x)
		return ok
	case layout.JSONUint32:
		x, ok := r.uint(v, 32)
		*(*uint32)(q) = uint32(x)
		return ok
	case layout.JSONInt64:
		x, ok := r.int(v, 64)
		*(*int64)(q) = x
		return ok
	case layout.JSONUint64:
		x, ok := r.uint(v, 64)
		*(*uint64)(q) = x
		return ok
	case layout.JSONFloat:
		x, ok := r.float(v, 32)
		*(*float32)(q) = float32(x)
		return ok
	}
	x, ok := r.float(v, 64)
	*(*float64)(q) = x
	return ok
}

// text reads a string, which bytes are in base64, as everywhere in JSON.
func (r *reader) text(v any, want string) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, r.valid(v)
	case []byte:
		return xunsafe.String(jsontext.AppendBase64(nil, v)), true
	}
	return "", r.wrong(v, want)
}

// valid reports whether s is UTF-8.
func (r *reader) valid(s string) bool {
	return utf.Valid(xunsafe.Bytes(s)) || r.fail(protoerr.ErrUTF8, "")
}

// bytes reads bytes, or what they are in base64.
func (r *reader) bytes(f *layout.JSONField, to *[]byte, v any) bool {
	var b []byte
	switch v := v.(type) {
	case []byte:
		b = append(make([]byte, 0, len(v)), v...)
	case string:
		b = make([]byte, jsontext.DecodedLen(len(v)))
		n, ok := jsontext.DecodeBase64(b, xunsafe.Bytes(v))
		if !ok {
			return r.wrong(v, wantBytes)
		}
		b = b[:n:n]
	default:
		return r.wrong(v, wantBytes)
	}
	if len(b) == 0 && f.Addressing == layout.InPlace && f.FieldKind == layout.JSONBytes {
		b = nil // as the wire format has it without presence
	}
	*to = b
	return true
}

const wantBytes = "bytes in base64"

// numeral returns what a number is in text. It is nil if v is none that JSON has.
func numeral(scratch []byte, v any) []byte {
	switch v := v.(type) {
	case float64:
		if v-v == 0 { // it is finite
			return jsontext.AppendFloat(scratch, v)
		}
	case int64:
		return jsontext.AppendInt(scratch, v)
	case uint64:
		return jsontext.AppendUint(scratch, v)
	case json.Number:
		if v == "" {
			return append(scratch, '0') // as encoding/json has it
		}
		if _, end, err := jsontext.Number(xunsafe.Bytes(string(v)), 0); end == len(v) &&
			!errors.Is(err, jsontext.ErrSyntax) {
			return xunsafe.Bytes(string(v))
		}
	}
	return nil
}

// maxExact is up to which size a double holds every integer.
const maxExact = 1 << 53

// whole returns a number as an integer where that takes no text: a larger double is not quite
// what it is in text.
func whole(v any) (x int64, ok bool) {
	switch v := v.(type) {
	case float64:
		x = int64(v)
		return x, float64(x) == v && -maxExact <= v && v <= maxExact
	case int64:
		return v, true
	}
	return 0, false
}

// number reads a number of so many bits from the text of one, or from a string.
func number[T any](r *reader, v any, bits int, want string, token, quoted func([]byte, int) (T, bool)) (x T, ok bool) {
	if s, isString := v.(string); isString {
		x, ok = quoted(xunsafe.Bytes(s), bits)
	} else {
		var scratch [64]byte
		if b := numeral(scratch[:0], v); b != nil {
			x, ok = token(b, bits)
		}
	}
	return x, ok || r.wrong(v, fmt.Sprintf(want, bits))
}

func (r *reader) int(v any, bits int) (int64, bool) {
	if x, ok := whole(v); ok && x == x<<(64-bits)>>(64-bits) {
		return x, true
	}
	return number(r, v, bits, "an integer of %d bits", jsontext.Int, jsontext.StringInt)
}

func (r *reader) uint(v any, bits int) (uint64, bool) {
	if x, ok := whole(v); ok && x >= 0 && uint64(x)>>(bits-1)>>1 == 0 {
		return uint64(x), true
	}
	return number(r, v, bits, "an integer of %d bits without sign", jsontext.Uint, jsontext.StringUint)
}

func (r *reader) float(v any, bits int) (float64, bool) {
	if x, ok := v.(float64); ok && (bits == 64 && x-x == 0 || float64(float32(x)) == x && x-x == 0) {
		return x, true
	}
	return number(r, v, bits, "a number that %d bits hold", jsontext.Float, jsontext.StringFloat)
}

// enum reads a value of an enum. An unknown name may be none, which is no failure.
func (r *reader) enum(f *layout.JSONField, v any) (x int32, known, ok bool) {
	switch v := v.(type) {
	case string:
		if x, known = f.Enum.Number(xunsafe.Bytes(v)); known || r.DiscardUnknown {
			return x, known, true
		}
	case float64, int64, uint64, json.Number:
		n, ok := r.int(v, 32)
		return int32(n), ok, ok
	case nil:
		if f.ValueKind == layout.JSONNull {
			return 0, true, true
		}
	}
	return 0, false, r.wrong(v, "a name or number of the enum")
}

// wrong fails since v is not what is wanted.
func (r *reader) wrong(v any, want string) bool {
	return r.fail(protoerr.ErrValue, describe(v)+" instead of "+want)
}

// describe says what v is.
func describe(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return strconv.Quote(protoerr.Clip(v))
	case map[string]any:
		return "an object"
	case []any:
		return "a list"
	case []byte:
		return "bytes"
	}
	return protoerr.Clip(fmt.Sprint(v))
}

// official has the official library read v into m, by way of text.
func (r *reader) official(m proto.Message, v any, depth int) bool {
	if depth <= 0 {
		return r.fail(protoerr.ErrDepth, "")
	}
	// A message is an object, which may be in a list or map, and so is what is not kept of it.
	v, ok := r.all(v, 3*(depth+1))
	if !ok {
		return false
	}
	b, err := json.Marshal(v)
	if err != nil {
		return r.fail(protoerr.ErrValue, err.Error())
	}
	o := protojson.UnmarshalOptions{AllowPartial: true, DiscardUnknown: r.DiscardUnknown, RecursionLimit: depth}
	if r.Resolver != nil {
		o.Resolver = r.Resolver
	}
	if err := o.Unmarshal(b, m); err != nil {
		return r.fail(err, "")
	}
	return true
}

// all returns a value of any type with all that is in it as plain has it: of so many objects
// and lists within one another at most.
func (r *reader) all(v any, most int) (any, bool) {
	v, ok := r.plain(v)
	if !ok {
		return nil, false
	}
	switch v := v.(type) {
	case string:
		return v, r.valid(v)
	case map[string]any:
		if most <= 0 {
			return nil, r.fail(protoerr.ErrDepth, "")
		}
		out := make(map[string]any, len(v))
		for name, e := range swissmap.All(v) {
			if out[name], ok = r.all(e, most-1); !ok || !r.valid(name) {
				return nil, false
			}
		}
		return out, true
	case []any:
		if most <= 0 {
			return nil, r.fail(protoerr.ErrDepth, "")
		}
		out := make([]any, len(v))
		for i, e := range v {
			if out[i], ok = r.all(e, most-1); !ok {
				return nil, false
			}
		}
		return out, true
	}
	return v, true
}
