// Package encode writes messages in Protobuf's wire format, as their layouts say. It
// writes from the last byte to the first, so that lengths are known when their turn comes.
package encode

import (
	"encoding/binary"
	"sync"
	"unsafe"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/protean-pb/protean/internal/fault"
	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/mem"
	"github.com/protean-pb/protean/internal/utf"
	"github.com/protean-pb/protean/internal/wire"
)

// maxDepth is how deeply messages may be nested. It is far beyond what any reader takes,
// and ends the encoding of a message that contains itself.
const maxDepth = 100_000

// failed is the position that says that e.err is set.
const failed = -1

// slack is how many bytes are free before each field: for a tag, and a number or length.
const slack = 32

// An encoder is the state of one call.
type encoder struct {
	buf           []byte // written from its end
	deterministic bool
	depth         int
	err           error
	trace         fault.Trace
	back          wire.Back
}

var encoders = sync.Pool{New: func() any { return &encoder{buf: make([]byte, 1024)} }}

// maxKept is how many bytes the buffer of an encoder may have that goes back to the pool.
const maxKept = 1 << 20

func (e *encoder) release() {
	e.back.SetMemory(nil, 0)
	if len(e.buf) <= maxKept {
		encoders.Put(e)
	}
}

// Append appends the wire form of the message at p to dst, in one allocation at most.
// The layout must be Ready, and p not nil. The error is a [*fault.Error].
func Append(dst []byte, l *layout.Layout, p unsafe.Pointer, deterministic bool) ([]byte, error) {
	e := encoders.Get().(*encoder)
	defer e.release()
	e.deterministic, e.depth = deterministic, 0
	at := e.body(l, p, len(e.buf))
	if at < 0 {
		err := &fault.Error{Err: e.err, Offset: -1, Path: e.trace.String(), Message: string(l.Desc.FullName())}
		e.err, e.trace = nil, nil
		return dst, err
	}
	return append(dst, e.buf[at:]...), nil
}

// fail ends the encoding.
func (e *encoder) fail(err error) int {
	e.err, e.trace = err, nil
	return failed
}

// in says, while a failure unwinds, in which field it happened.
func (e *encoder) in(l *layout.Layout, f *layout.Field, index string) int {
	if index != "" {
		e.trace = append(e.trace, index)
	}
	e.trace = append(e.trace, string(l.DescOf(f).Name()))
	return failed
}

// room returns where to write on so that n bytes and slack are free before it.
func (e *encoder) room(n, at int) int {
	if at >= n+slack {
		return at
	}
	return e.grow(n, at)
}

//go:noinline
func (e *encoder) grow(n, at int) int {
	used := len(e.buf) - at
	buf := make([]byte, max(2*len(e.buf), used+n+slack, 1024))
	copy(buf[len(buf)-used:], e.buf[at:])
	e.buf = buf
	return len(buf) - used
}

// body writes the fields of a message.
func (e *encoder) body(l *layout.Layout, p unsafe.Pointer, at int) int {
	if c := l.Ready(); c != layout.Fast {
		return e.special(c, l, p, at)
	}
	if e.depth++; e.depth > maxDepth {
		return e.fail(fault.ErrDepth)
	}
	// Sound, here and below: l says what lies at which offset of the message at p.
	if u := *(*[]byte)(unsafe.Add(p, l.Unknown)); len(u) > 0 {
		at = e.raw(mem.String(u), at)
	}
	fields := l.Fields[:l.Encoded]
	for i := len(fields) - 1; i >= 0; i-- {
		f := &fields[i]
		q := unsafe.Add(p, f.Offset)
		if at < slack {
			at = e.grow(0, at)
		}
		switch f.Op {
		case implicitString, implicitText:
			s := *(*string)(q)
			if len(s) == 0 {
				continue
			}
			if at = e.text(s, f.Op == implicitString, at); at < 0 {
				return e.in(l, f, "")
			}
			at = e.tag(f, e.varint(uint64(len(s)), at))
		case implicitInt32:
			if x := *(*int32)(q); x != 0 {
				at = e.tag(f, e.varint(uint64(int64(x)), at))
			}
		case implicitVarint64:
			if x := *(*uint64)(q); x != 0 {
				at = e.tag(f, e.varint(x, at))
			}
		case implicitFixed64:
			if x := *(*uint64)(q); x != 0 {
				at -= 8
				binary.LittleEndian.PutUint64(e.buf[at:], x)
				at = e.tag(f, at)
			}
		case implicitBool:
			if *(*byte)(q) != 0 {
				at--
				e.buf[at] = 1
				at = e.tag(f, at)
			}
		case implicitMessage:
			m := *(*unsafe.Pointer)(q)
			if m == nil {
				continue
			}
			end := len(e.buf) - at
			if at = e.body(f.Sub, m, at); at < 0 {
				return e.in(l, f, "")
			}
			at = e.tag(f, e.varint(uint64(len(e.buf)-at-end), e.room(0, at)))
		case repeatedMessage:
			at = e.messages(l, f, *(*[]unsafe.Pointer)(q), at)
		case repeatedString, repeatedText:
			at = e.texts(l, f, *(*[]string)(q), at)
		default:
			at = e.field(l, f, p, at)
		}
		if at < 0 {
			return failed
		}
	}
	if l.Extensions != 0 {
		at = e.extensions(l, p, at)
	}
	e.depth--
	return at
}

// The operations that body does itself.
const (
	implicitString   = layout.Op(layout.Implicit)<<4 | layout.Op(layout.String)
	implicitText     = layout.Op(layout.Implicit)<<4 | layout.Op(layout.Text)
	implicitInt32    = layout.Op(layout.Implicit)<<4 | layout.Op(layout.Int32)
	implicitVarint64 = layout.Op(layout.Implicit)<<4 | layout.Op(layout.Varint64)
	implicitFixed64  = layout.Op(layout.Implicit)<<4 | layout.Op(layout.Fixed64)
	implicitBool     = layout.Op(layout.Implicit)<<4 | layout.Op(layout.Bool)
	implicitMessage  = layout.Op(layout.Implicit)<<4 | layout.Op(layout.Message)
	repeatedMessage  = layout.Op(layout.Repeated)<<4 | layout.Op(layout.Message)
	repeatedString   = layout.Op(layout.Repeated)<<4 | layout.Op(layout.String)
	repeatedText     = layout.Op(layout.Repeated)<<4 | layout.Op(layout.Text)
)

// tag writes the tag of f.
func (e *encoder) tag(f *layout.Field, at int) int {
	if f.TagSize == 1 {
		at--
		e.buf[at] = byte(f.TagBytes)
		return at
	}
	at -= int(f.TagSize)
	b := e.buf[at:]
	for i, x := 0, f.TagBytes; i < int(f.TagSize); i++ {
		b[i] = byte(x)
		x >>= 8
	}
	return at
}

// varint writes x.
func (e *encoder) varint(x uint64, at int) int {
	if x < 0x80 {
		at--
		e.buf[at] = byte(x)
		return at
	}
	return e.longVarint(x, at)
}

func (e *encoder) longVarint(x uint64, at int) int {
	n := wire.SizeVarint(x)
	at -= n
	b := e.buf[at : at+n]
	for i := range b[:n-1] {
		b[i] = byte(x) | 0x80
		x >>= 7
	}
	b[n-1] = byte(x)
	return at
}

// raw writes s.
func (e *encoder) raw(s string, at int) int {
	at = e.room(len(s), at)
	at -= len(s)
	copy(e.buf[at:], s)
	return at
}

// text writes s, which if checked must be UTF-8.
func (e *encoder) text(s string, checked bool, at int) int {
	at = e.room(len(s), at)
	at -= len(s)
	copy(e.buf[at:], s)
	if checked && !utf.Valid(mem.Bytes(s)) {
		return e.fail(fault.ErrUTF8)
	}
	return at
}

// field writes a field of any shape.
func (e *encoder) field(l *layout.Layout, f *layout.Field, p unsafe.Pointer, at int) int {
	var q unsafe.Pointer
	if s := f.Op.Shape(); s == layout.Switch || s == layout.CaseSwitch {
		if f, q = l.Set(f, p); f == nil {
			return at
		}
	} else if q = l.Locate(f, p); q == nil {
		return at
	}
	switch f.Op.Shape() {
	case layout.Repeated, layout.Indirect:
		return e.list(l, f, q, at)
	case layout.Packed:
		return e.packed(f, q, at)
	case layout.Map:
		return e.entries(l, f, q, at)
	}
	if at = e.single(f, q, at); at < 0 {
		return e.in(l, f, "")
	}
	return at
}

// single writes a value and the tag before it.
func (e *encoder) single(f *layout.Field, q unsafe.Pointer, at int) int {
	if f.Op.Kind() == layout.Group {
		return e.group(f, *(*unsafe.Pointer)(q), at)
	}
	if at = e.value(f.Op.Kind(), f.Sub, q, at); at < 0 {
		return failed
	}
	return e.tag(f, at)
}

// group writes a group, with both its tags.
func (e *encoder) group(f *layout.Field, m unsafe.Pointer, at int) int {
	at = e.tag(f, e.room(0, at))
	e.buf[at]++ // the wire type that ends a group follows the one that starts it
	if m != nil {
		if at = e.body(f.Sub, m, at); at < 0 {
			return failed
		}
	}
	return e.tag(f, e.room(0, at))
}

// value writes the value at q: of a message its length, too, but no tag.
func (e *encoder) value(k layout.Kind, sub *layout.Layout, q unsafe.Pointer, at int) int {
	switch k {
	case layout.Bool:
		at--
		e.buf[at] = *(*byte)(q)
		return at
	case layout.Int32:
		return e.varint(uint64(int64(*(*int32)(q))), at)
	case layout.Uint32:
		return e.varint(uint64(*(*uint32)(q)), at)
	case layout.Varint64:
		return e.varint(*(*uint64)(q), at)
	case layout.Sint32:
		return e.varint(protowire.EncodeZigZag(int64(*(*int32)(q))), at)
	case layout.Sint64:
		return e.varint(protowire.EncodeZigZag(*(*int64)(q)), at)
	case layout.Fixed32:
		at -= 4
		binary.LittleEndian.PutUint32(e.buf[at:], *(*uint32)(q))
		return at
	case layout.Fixed64:
		at -= 8
		binary.LittleEndian.PutUint64(e.buf[at:], *(*uint64)(q))
		return at
	case layout.String, layout.Text:
		s := *(*string)(q)
		if at = e.text(s, k == layout.String, at); at < 0 {
			return failed
		}
		return e.varint(uint64(len(s)), at)
	case layout.Bytes:
		b := *(*[]byte)(q)
		return e.varint(uint64(len(b)), e.raw(mem.String(b), at))
	}
	return e.message(sub, *(*unsafe.Pointer)(q), at)
}

// message writes a message and its length before it. A message that is nil is empty.
func (e *encoder) message(sub *layout.Layout, m unsafe.Pointer, at int) int {
	end := len(e.buf) - at
	if m != nil {
		if at = e.body(sub, m, at); at < 0 {
			return failed
		}
	}
	at = e.room(0, at)
	return e.varint(uint64(len(e.buf)-at-end), at)
}
