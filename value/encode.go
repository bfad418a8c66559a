package value

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/protean-pb/protean/internal/mapsort"
	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/structval/index"
	"github.com/protean-pb/protean/internal/swissmap"
	"github.com/protean-pb/protean/internal/utf"
	"github.com/protean-pb/protean/internal/wire"
	"github.com/protean-pb/protean/internal/xunsafe"
)

// slack is how many bytes are free before whatever has been written: enough for the
// tags and lengths that come before it until the next check.
const slack = 16

// room makes sure that n bytes and the slack are free before at.
func (e *encoder) room(at, n int) int {
	if at < n+slack {
		return e.grow(at, n)
	}
	return at
}

//go:noinline
func (e *encoder) grow(at, n int) int {
	used := len(e.buf) - at
	size := max(2*len(e.buf), used+n+slack, 512)
	buf := make([]byte, size)
	copy(buf[size-used:], e.buf[at:])
	e.buf = buf
	return size - used
}

// since returns how many bytes have been written, as a place that stays where it is
// when the buffer grows.
func (e *encoder) since(at int) int { return len(e.buf) - at }

// delimit writes a tag and the length of what has been written since then, within the
// slack.
func (e *encoder) delimit(tag byte, at, since int) int {
	n := len(e.buf) - at - since
	if n < 0x80 {
		p := e.buf[at-2 : at]
		p[0], p[1] = tag, byte(n)
		return at - 2
	}
	return e.longDelimit(tag, at, n)
}

func (e *encoder) longDelimit(tag byte, at, n int) int {
	at -= wire.SizeVarint(uint64(n)) + 1
	e.buf[at] = tag
	binary.PutUvarint(e.buf[at+1:], uint64(n))
	return at
}

// value writes a Value for what an interface holds. The Value is the depth-th message
// from the root.
func (e *encoder) value(v any, depth, at int) int {
	switch v := v.(type) {
	case string:
		return e.text(v, at)
	case float64:
		return e.number(v, at)
	case bool:
		return e.bool(v, at)
	case nil:
		return e.null(at)
	case map[string]any:
		return object(e, v, depth, at, (*encoder).anyEntry)
	case []any:
		return list(e, v, depth, at, (*encoder).value)
	}
	return e.rare(v, depth, at)
}

// rare handles the types that data from JSON does not have.
func (e *encoder) rare(v any, depth, at int) int {
	switch v := v.(type) {
	case int:
		return e.integer(int64(v), at)
	case int64:
		return e.integer(v, at)
	case int32:
		return e.number(float64(v), at)
	case int16:
		return e.number(float64(v), at)
	case int8:
		return e.number(float64(v), at)
	case uint:
		return e.unsigned(uint64(v), at)
	case uint64:
		return e.unsigned(v, at)
	case uint32:
		return e.number(float64(v), at)
	case uint16:
		return e.number(float64(v), at)
	case uint8:
		return e.number(float64(v), at)
	case float32:
		return e.number(float64(v), at)
	case json.Number:
		return e.numeral(string(v), at)
	case []byte:
		return e.base64(v, at)
	}
	return e.typed(v, depth, at)
}

// object writes a map with string keys, given what writes an entry of it.
func object[V any](e *encoder, m map[string]V, depth, at int, entry func(*encoder, string, V, int, int) int) int {
	if !e.mayOpen(depth, len(m) > 0, perObject) {
		return failed
	}
	since := e.since(at)
	if e.sorted {
		at = sortedEntries(e, m, depth, at, entry)
	} else {
		for k, v := range swissmap.All(m) {
			if at = entry(e, k, v, depth+perObject, at); at == failed {
				e.in(protoerr.Step{Key: k, Index: -1})
				break
			}
		}
	}
	if at == failed {
		return failed
	}
	return e.close(index.TagStruct, at, since)
}

// sortedEntries writes the entries of m from the last key to the first.
func sortedEntries[V any](
	e *encoder, m map[string]V, depth, at int, entry func(*encoder, string, V, int, int) int,
) int {
	from, to := mapsort.Push(&e.entries, m)
	for i := to - 1; i >= from; i-- {
		k, v := mapsort.At(&e.entries, m, i)
		if at = entry(e, k, v, depth+perObject, at); at == failed {
			return e.in(protoerr.Step{Key: k, Index: -1})
		}
	}
	e.entries.Pop(from)
	return at
}

// anyEntry writes an entry of an object, whose Value is the depth-th message.
func (e *encoder) anyEntry(key string, v any, depth, at int) int {
	switch v := v.(type) {
	case string:
		return e.textEntry(key, v, depth, at)
	case float64:
		return e.numberEntry(key, v, depth, at)
	}
	since := e.since(at)
	if at = e.value(v, depth, at); at == failed {
		return failed
	}
	return e.entry(key, at, since)
}

func (e *encoder) textEntry(key, s string, _, at int) int {
	// All lengths are known, and of one byte as a rule: it can be written in one go.
	if n := len(key) + len(s); n < 0x80-6 {
		start := e.room(at, n+8) - n - 8
		p := e.buf[start : start+n+8]
		p[0], p[1], p[2], p[3] = index.TagElement, byte(n+6), index.TagKey, byte(len(key))
		q := p[4+len(key):]
		q[0], q[1], q[2], q[3] = index.TagValue, byte(len(s)+2), index.TagString, byte(len(s))
		if copyText(p[4:4+len(key)], key) && copyText(q[4:], s) {
			return start
		}
		at = start + n + 8 // to find out which of them is wrong
	}
	since := e.since(at)
	if at = e.text(s, at); at == failed {
		return failed
	}
	return e.entry(key, at, since)
}

func (e *encoder) numberEntry(key string, f float64, _, at int) int {
	since := e.since(at)
	return e.entry(key, e.number(f, at), since)
}

// list writes a slice.
func list[V any](e *encoder, s []V, depth, at int, write func(*encoder, V, int, int) int) int {
	if !e.mayOpen(depth, len(s) > 0, perList) {
		return failed
	}
	since := e.since(at)
	for i := len(s) - 1; i >= 0; i-- {
		before := e.since(at)
		if at = write(e, s[i], depth+perList, at); at == failed {
			return e.in(protoerr.Step{Index: i})
		}
		at = e.delimit(index.TagElement, at, before)
	}
	return e.close(index.TagList, at, since)
}

// How many messages lie between the Value that holds an object or a list and those
// inside: Struct and entry, or ListValue, and that Value.
const (
	perObject = 3
	perList   = 2
)

// mayOpen checks the depth of what comes inside a Value.
func (e *encoder) mayOpen(depth int, children bool, per int) bool {
	if !children {
		per = 1
	}
	return depth+per <= e.maxDepth || e.fail(ErrDepth, "") != failed
}

// close completes the Value of an object or list. It checks the size, so that data that
// refers to the same data again and again does not fill the memory.
func (e *encoder) close(tag byte, at, since int) int {
	if e.since(at) > e.maxSize {
		return e.fail(ErrSize, "")
	}
	return e.delimit(tag, e.room(at, 0), since)
}

// entry completes the entry of an object whose Value has been written since then.
func (e *encoder) entry(key string, at, since int) int {
	n := e.since(at) - since
	if len(key)+n < 0x80-4 {
		at = e.room(at, len(key)+6) - len(key) - 6
		p := e.buf[at : at+len(key)+6]
		p[0], p[1], p[2], p[3] = index.TagElement, byte(len(key)+n+4), index.TagKey, byte(len(key))
		p[len(p)-2], p[len(p)-1] = index.TagValue, byte(n)
		if !copyText(p[4:len(p)-2], key) {
			return e.fail(ErrUTF8, "the key")
		}
		return at
	}
	at = e.delimit(index.TagValue, at, since)
	before := e.since(at)
	if at = e.raw(key, at); at == failed {
		return failed
	}
	at = e.delimit(index.TagKey, at, before)
	return e.delimit(index.TagElement, at, since)
}

func (e *encoder) null(at int) int {
	at = e.room(at, 2) - 2
	p := e.buf[at : at+2]
	p[0], p[1] = index.TagNull, 0
	return at
}

func (e *encoder) bool(v bool, at int) int {
	at = e.room(at, 2) - 2
	p := e.buf[at : at+2]
	p[0], p[1] = index.TagBool, 0
	if v {
		p[1] = 1
	}
	return at
}

func (e *encoder) number(f float64, at int) int {
	at = e.room(at, 9) - 9
	p := e.buf[at : at+9]
	p[0] = index.TagNumber
	binary.LittleEndian.PutUint64(p[1:], math.Float64bits(f))
	return at
}

func (e *encoder) text(s string, at int) int {
	if len(s) < 0x80 {
		at = e.room(at, len(s)+2) - len(s) - 2
		p := e.buf[at : at+len(s)+2]
		p[0], p[1] = index.TagString, byte(len(s))
		if !copyText(p[2:], s) {
			return e.fail(ErrUTF8, "")
		}
		return at
	}
	since := e.since(at)
	if at = e.raw(s, at); at == failed {
		return failed
	}
	return e.delimit(index.TagString, at, since)
}

// raw writes a text without tag and length.
func (e *encoder) raw(s string, at int) int {
	if !utf.Valid(xunsafe.Bytes(s)) {
		return e.fail(ErrUTF8, "")
	}
	if at = e.reserve(len(s), at); at != failed {
		copy(e.buf[at:], s)
	}
	return at
}

// reserve returns where n bytes that are to be written start. It checks the size, for
// the same text may be in the data again and again.
func (e *encoder) reserve(n, at int) int {
	if n > e.maxSize-e.since(at) {
		return e.fail(ErrSize, "")
	}
	return e.room(at, n) - n
}

// copyText copies s to p, which is as long, and reports whether s is UTF-8. Both are
// short as a rule: one pass is faster than a copy and a check.
func copyText(p []byte, s string) bool {
	const highBits = 0x8080808080808080
	var all uint64
	b := xunsafe.Bytes(s)
	n := len(b)
	p = p[:n]
	// The last bytes are copied again rather than one by one.
	switch {
	case n >= 8:
		for i := 0; i <= n-8; i += 8 {
			x := binary.LittleEndian.Uint64(b[i:])
			binary.LittleEndian.PutUint64(p[i:], x)
			all |= x
		}
		x := binary.LittleEndian.Uint64(b[n-8:])
		binary.LittleEndian.PutUint64(p[n-8:], x)
		all |= x
	case n >= 4:
		x, y := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[n-4:])
		binary.LittleEndian.PutUint32(p, x)
		binary.LittleEndian.PutUint32(p[n-4:], y)
		all = uint64(x | y)
	case n > 0:
		x, y, z := b[0], b[n/2], b[n-1]
		p[0], p[n/2], p[n-1] = x, y, z
		all = uint64(x | y | z)
	}
	return all&highBits == 0 || utf.Valid(b)
}

// exact is up to which every integer is a double.
const exact = 1 << 53

func (e *encoder) integer(i int64, at int) int {
	f := float64(i)
	if -exact <= i && i <= exact || f < 1<<63 && int64(f) == i || e.integers == IntegersRound {
		return e.number(f, at)
	}
	return e.inexact(strconv.FormatInt(i, 10), at)
}

func (e *encoder) unsigned(u uint64, at int) int {
	f := float64(u)
	if u <= exact || f < 1<<64 && uint64(f) == u || e.integers == IntegersRound {
		return e.number(f, at)
	}
	return e.inexact(strconv.FormatUint(u, 10), at)
}

// inexact writes an integer that is not a double, or refuses to.
func (e *encoder) inexact(digits string, at int) int {
	if e.integers == IntegersAsString {
		return e.text(digits, at)
	}
	return e.fail(ErrInexact, digits)
}

// numeral writes a json.Number, which is whatever strconv takes for a number, as
// structpb.NewValue has it.
func (e *encoder) numeral(s string, at int) int {
	f, err := strconv.ParseFloat(s, 64)
	if errors.Is(err, strconv.ErrSyntax) {
		return e.fail(ErrSyntax, strconv.Quote(s)+" is not a number")
	}
	if e.integers != IntegersRound && isInteger(s) && !isExact(s, f) {
		return e.inexact(s, at)
	}
	if err != nil {
		return e.fail(ErrNumber, s)
	}
	return e.number(f, at)
}

// isInteger reports whether a number is one in its syntax.
func isInteger(s string) bool {
	s = s[len(sign(s)):]
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return s != ""
}

// sign returns the sign that a number starts with, if it has one.
func sign(s string) string {
	if s != "" && (s[0] == '-' || s[0] == '+') {
		return s[:1]
	}
	return ""
}

// isExact reports whether f, the double nearest to an integer, is that integer.
func isExact(s string, f float64) bool {
	if -exact < f && f < exact {
		return true
	}
	digits := strings.TrimLeft(s[len(sign(s)):], "0")
	return strconv.FormatFloat(math.Abs(f), 'f', 0, 64) == digits
}

// base64 writes bytes as structpb.NewValue and encoding/json do.
func (e *encoder) base64(b []byte, at int) int {
	since, n := e.since(at), base64.StdEncoding.EncodedLen(len(b))
	if at = e.reserve(n, at); at == failed {
		return failed
	}
	base64.StdEncoding.Encode(e.buf[at:], b)
	return e.delimit(index.TagString, at, since)
}
