// Package encode writes messages in Protobuf's wire format, as their layouts say. It
// writes from the last byte to the first, so that lengths are known when their turn comes.
package encode

import (
	"encoding/binary"
	"unsafe"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/types/known/anypb"

	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/utf"
	"github.com/protean-pb/protean/internal/wire"
	"github.com/protean-pb/protean/internal/wire/required"
	"github.com/protean-pb/protean/internal/xunsafe"
)

// maxDepth is how deeply messages may be nested. It is far beyond what any reader takes,
// and ends the encoding of a message that contains itself.
const maxDepth = 100_000

// failed is the position that says that e.err is set.
const failed = -1

// slack is how many bytes are free before each field: for a tag, a number or length, and a
// short text.
const slack = wire.Slack

// An encoder is the state of one call. It lies on the stack, as do the few bytes that Buf is
// at first.
type encoder struct {
	wire.Output
	deterministic bool
	missing       bool // whether a required field may be
	tree          bool // whether there was something that cannot be written on the stack
	sizing        bool // whether nothing is written: what is there is added up
	deep          bool // whether that is nested too deeply
	depth         int
	*outcome
}

// An outcome is what outlives the call, or may. The compiler sees that from an encoder
// nothing else gets to the heap.
type outcome struct {
	memory wire.OutputState
	err    error
	trace  protoerr.Trace
}

// few is how many bytes a message is written to at first: enough for most, so that they do
// without the pool, and not many, since they are zeroed each time.
const few = 5 * 64

// Options say how to write.
type Options struct {
	AllowPartial  bool   // required fields may be missing
	Deterministic bool   // the entries of maps come in the order of their keys
	URL           string // if not empty, the message is the value of a google.protobuf.Any that has it
}

// Marshal is [Append] to nothing, without options: to look for those takes a small message a
// twentieth of its time.
func Marshal(l *layout.Layout, p unsafe.Pointer) ([]byte, error) {
	if l.LastWasLong.Load() {
		return appendPooled(nil, l, p, Options{})
	}
	var room struct {
		_     [0]uint64 // which aligns it
		bytes [few]byte
	}
	var out outcome
	var e encoder // which is not copied, as the value of an expression would be
	e.outcome, e.OutputState = &out, &out.memory
	out.memory.Layout, out.memory.At, out.memory.Size = l, p, sizeOf
	e.Buf, e.Base, e.End = room.bytes[:], unsafe.Pointer(&room.bytes), few
	at := e.encodeFields(l, p, few)
	if at < 0 || e.missing || e.Base != unsafe.Pointer(&room.bytes) {
		return e.finish(nil, l, p, at, Options{})
	}
	written := room.bytes[at:]
	b := make([]byte, len(written))
	copy(b, written)
	return b, nil
}

// Append appends the wire form of the message at p to dst: in place if there is room for it
// behind dst, and else in one allocation. The layout must be Ready, and p not nil. The error is
// a [*protoerr.Error]; if it is protoerr.ErrRequired all has been written.
func Append(dst []byte, l *layout.Layout, p unsafe.Pointer, o Options) ([]byte, error) {
	if l.LastWasLong.Load() {
		return appendPooled(dst, l, p, o)
	}
	var room struct {
		_     [0]uint64
		bytes [few]byte
	}
	var out outcome
	var e encoder
	e.outcome, e.OutputState = &out, &out.memory
	out.memory.Layout, out.memory.At, out.memory.URL, out.memory.Size = l, p, o.URL, sizeOf
	out.memory.Dst, e.deterministic = dst, o.Deterministic
	e.Buf, e.Base, e.End = room.bytes[:], unsafe.Pointer(&room.bytes), few
	return e.finish(dst, l, p, e.encodeAnyAround(e.encodeFields(l, p, few)), o)
}

// appendPooled appends a message by a buffer of the pool: the last one of its type did not fit on the stack.
func appendPooled(dst []byte, l *layout.Layout, p unsafe.Pointer, o Options) ([]byte, error) {
	var out outcome
	var e encoder
	e.outcome, e.OutputState = &out, &out.memory
	out.memory.Layout, out.memory.At, out.memory.URL, out.memory.Size = l, p, o.URL, sizeOf
	out.memory.Dst, e.deterministic = dst, o.Deterministic
	e.UsePooled()
	return e.finish(dst, l, p, e.encodeAnyAround(e.encodeFields(l, p, len(e.Buf))), o)
}

// encodeAnyAround writes the rest of an Any whose value has been written, if there is to be one.
func (e *encoder) encodeAnyAround(at int) int {
	if e.URL == "" || at < 0 {
		return at
	}
	if n := e.End - at; n > 0 {
		at = e.tagAndLength(&anyValue, n, e.Room(0, at))
	}
	return e.tagAndLength(&anyURL, len(e.URL), e.text(e.URL, false, at))
}

// The fields of google.protobuf.Any.
var (
	anyFields = new(anypb.Any).ProtoReflect().Descriptor().Fields()

	anyURL   = layout.FieldOf(anyFields.ByNumber(1))
	anyValue = layout.FieldOf(anyFields.ByNumber(2))
)

// finish appends what has been written to dst, and ends the use of e.
func (e *encoder) finish(dst []byte, l *layout.Layout, p unsafe.Pointer, at int, o Options) ([]byte, error) {
	var err error
	if at < 0 {
		err = &protoerr.Error{Err: e.err, Offset: -1, Path: e.trace.String(), Message: string(l.Desc.FullName())}
	} else {
		dst = e.Finish(at)
	}
	if e.missing && err == nil && !o.AllowPartial {
		err = required.Check(l, p)
	}
	if e.Pooled != nil {
		if long := e.tree || at < 0 || e.End-at > few/2; long != l.LastWasLong.Load() {
			l.LastWasLong.Store(long)
		}
		e.Release()
	}
	return dst, err
}

// fail ends the encoding.
func (e *encoder) fail(err error) int {
	e.err, e.trace = err, nil
	return failed
}

// inField says, while a failure unwinds, in which field it happened.
func (e *encoder) inField(l *layout.Layout, f *layout.Field, index string) int {
	e.trace.Within(l.NameOf(f), index)
	return failed
}

// encodeFields writes the fields of a message.
func (e *encoder) encodeFields(l *layout.Layout, p unsafe.Pointer, at int) int {
	if c := l.Ready(); c != layout.Fast {
		return e.encodeByClass(c, l, p, at)
	}
	m := p
	if p = l.FieldsOf(m); p == nil {
		return e.encodeMismatched(m, at)
	}
	if e.depth++; e.depth > maxDepth {
		return e.fail(protoerr.ErrDepth)
	}
	// Sound, here and below: l says what lies at which offset of the message at p.
	if u := *(*[]byte)(unsafe.Add(p, l.Unknown)); len(u) > 0 {
		at = e.Raw(xunsafe.String(u), at)
	}
	for s := l.LastInstr; ; s = s.Prev() {
		rest := 0
		if s.Sub == nil && s.Op != layout.CallEncoder {
			s, at, rest = encodeFast(s, p, e.Base, at)
		}
		if s.Sub != nil {
			m := *(*unsafe.Pointer)(unsafe.Add(p, s.Offset))
			if m == nil {
				continue
			}
			end := e.End - at
			if at = e.encodeNested(s.Sub, m, at); at < 0 {
				return e.inField(l, &l.Fields[s.Index-1], "")
			}
			at = e.Room(0, at)
			if n := e.End - at - end; n < 0x80 { // as head has it
				xunsafe.Store64(unsafe.Add(e.Base, at-8), s.Tag|uint64(n)<<56)
				at -= int(s.Size)
			} else {
				at = e.tagAndLength(&l.Fields[s.Index-1], n, at)
			}
			continue
		}
		if s.Index == 0 {
			break
		}
		at = e.Room(0, at)
		f := &l.Fields[s.Index-1]
		q := unsafe.Add(p, f.Offset)
		switch f.Addressing {
		case layout.InPlace:
		case layout.ByPointer, layout.BitAndPointer:
			if q = *(*unsafe.Pointer)(q); q == nil {
				e.missing = e.missing || f.Required
				continue
			}
		case layout.ByBit:
			if *(*uint32)(unsafe.Add(p, f.Bits))&f.Mask == 0 {
				e.missing = e.missing || f.Required
				continue
			}
		case layout.NilSlice:
			if *(*unsafe.Pointer)(q) == nil {
				e.missing = e.missing || f.Required
				continue
			}
		default:
			if f, q = l.Set(f, p); f == nil {
				continue
			}
		}
		if rest > 0 && s.Op&layout.ListFlag != 0 {
			part := (*(*[]byte)(q))[:rest] // of whatever type; the others have been written
			q = unsafe.Pointer(&part)
		}
		switch f.Opcode {
		case layout.Opcode(layout.Message):
			m := *(*unsafe.Pointer)(q)
			end := e.End - at
			if m != nil {
				if at = e.encodeNested(f.Sub, m, at); at < 0 {
					return e.inField(l, f, "")
				}
				at = e.Room(0, at)
			} else if f.Sparse {
				e.missing = e.missing || f.Required
				continue
			} else {
				e.noteEmptyMessage(f.Sub)
			}
			at = e.tagAndLength(f, e.End-at-end, at)
		case layout.Opcode(layout.Group):
			m := *(*unsafe.Pointer)(q)
			if m == nil && f.Sparse {
				e.missing = e.missing || f.Required
				continue
			}
			if at = e.encodeGroup(f, m, at); at < 0 {
				return e.inField(l, f, "")
			}
		case layout.RepeatedMessage:
			if at = e.encodeMessages(l, f, *(*[]unsafe.Pointer)(q), at); at < 0 {
				return failed
			}
		case layout.RepeatedString, layout.RepeatedText:
			if at = e.encodeStrings(l, f, *(*[]string)(q), at); at < 0 {
				return failed
			}
		case layout.OtherOpcode:
			if at = e.encodeRepeated(l, f, q, at); at < 0 {
				return failed
			}
		default:
			if f.Sparse && layout.Zero(f.Op.Kind(), q) {
				continue
			}
			if at = e.encodePresent(f, q, at); at < 0 {
				return e.inField(l, f, "")
			}
		}
	}
	if l.Extensions != 0 {
		at = e.encodeExtensions(l, p, at)
	}
	e.depth--
	return at
}

// encodeNested writes the fields of a message in another. If encodeFast can write all of it, nothing else is called.
func (e *encoder) encodeNested(l *layout.Layout, p unsafe.Pointer, at int) int {
	if l.Ready() == layout.Fast && l.FastLoop {
		q := l.FieldsOf(p)
		if q != nil && len(*(*[]byte)(unsafe.Add(q, l.Unknown))) == 0 {
			if s, next, _ := encodeFast(l.LastInstr, q, e.Base, at); s.Index == 0 {
				return next
			}
		}
	}
	return e.encodeFields(l, p, at)
}

// tag writes the tag of f. What it writes before that is written over later: bytes that
// are free, since slack of them are before each field.
func (e *encoder) tag(f *layout.Field, at int) int {
	xunsafe.Store64(unsafe.Add(e.Base, at-8), f.TagEnd)
	return at - int(f.TagSize)
}

// varint writes x.
func (e *encoder) varint(x uint64, at int) int {
	if x < 0x80 {
		at--
		*(*byte)(unsafe.Add(e.Base, at)) = byte(x) // sound as in tag
		return at
	}
	return e.longVarint(x, at)
}

//go:noinline
func (e *encoder) longVarint(x uint64, at int) int {
	n := wire.SizeVarint(x)
	if n <= 8 {
		// The 56 bits become pairs of 28, those of 14 and those of 7, with a bit between.
		x = x&0x000000000fffffff | x&0x00fffffff0000000<<4
		x = x&0x00003fff00003fff | x&0x0fffc0000fffc000<<2
		x = x&0x007f007f007f007f | x&0x3f803f803f803f80<<1
		x |= 0x8080808080808080 >> (8 * (9 - n))               // all bytes but the last go on
		xunsafe.Store64(unsafe.Add(e.Base, at-8), x<<(64-8*n)) // sound as in tag
		return at - n
	}
	at -= n
	to := unsafe.Add(e.Base, at)
	for ; x >= 0x80; x >>= 7 {
		*(*byte)(to) = byte(x) | 0x80
		to = unsafe.Add(to, 1)
	}
	*(*byte)(to) = byte(x)
	return at
}

// text writes s, which if checked must be UTF-8.
func (e *encoder) text(s string, checked bool, at int) int {
	n := len(s)
	if n == 0 {
		return e.Room(0, at) // no pointer may point behind the buffer
	}
	from := xunsafe.Bytes(s)
	if n <= xunsafe.MaxShort {
		at = e.Room(n, at) - n
		// Sound: n bytes are free from at on.
		if xunsafe.CopyShort(unsafe.Add(e.Base, at), unsafe.Pointer(unsafe.StringData(s)), n) {
			return at
		}
	} else {
		at = e.Raw(s, at)
	}
	if checked && !utf.Valid(from) {
		return e.fail(protoerr.ErrUTF8)
	}
	return at
}

// tagAndLength writes a length and the tag before it.
func (e *encoder) tagAndLength(f *layout.Field, n, at int) int {
	x := uint64(n)
	// One word that reaches into what is free, as tag does.
	if x < 0x80 {
		xunsafe.Store64(unsafe.Add(e.Base, at-8), f.TagEnd>>8|x<<56)
		return at - int(f.TagSize) - 1
	}
	if x < 1<<14 {
		xunsafe.Store64(unsafe.Add(e.Base, at-8), f.TagEnd>>16|(x&0x7f|0x80)<<48|x>>7<<56)
		return at - int(f.TagSize) - 2
	}
	return e.tag(f, e.longVarint(x, at))
}

// encodeRepeated writes a list or map that encodeFields has no case of its own for.
func (e *encoder) encodeRepeated(l *layout.Layout, f *layout.Field, q unsafe.Pointer, at int) int {
	switch f.Op.Storage() {
	case layout.Packed:
		return e.encodePacked(f, q, at)
	case layout.Map:
		return e.encodeMap(l, f, q, at)
	case layout.Indirect:
		if q = *(*unsafe.Pointer)(q); q == nil {
			return at
		}
	}
	return e.encodeList(l, f, q, at)
}

// encodePresent writes a number, text or bytes that is there, and the tag before it.
func (e *encoder) encodePresent(f *layout.Field, q unsafe.Pointer, at int) int {
	if f.ElementInstr != nil {
		list, rest := unsafe.Slice((*byte)(q), 1), 0 // of whatever type: plain knows
		if _, at, rest = encodeFast(&f.ElementInstr[1], unsafe.Pointer(&list), e.Base, at); rest == 0 {
			return at
		}
	}
	return e.encodeScalar(f, q, at)
}

// encodeScalar writes a value and the tag before it.
func (e *encoder) encodeScalar(f *layout.Field, q unsafe.Pointer, at int) int {
	if f.Op.Kind() == layout.Group {
		return e.encodeGroup(f, *(*unsafe.Pointer)(q), at)
	}
	if at = e.encodeValue(f.Op.Kind(), f.Sub, q, at); at < 0 {
		return failed
	}
	return e.tag(f, at)
}

// noteEmptyMessage takes note of a message that is nil, where that stands for an empty one.
func (e *encoder) noteEmptyMessage(l *layout.Layout) {
	l.Ready()
	e.missing = e.missing || l.NeedsRequiredCheck
}

// encodeGroup writes a group, with both its tags.
func (e *encoder) encodeGroup(f *layout.Field, m unsafe.Pointer, at int) int {
	return e.encodeGroupOf(f.Sub, f, m, at)
}

// encodeGroupOf writes a group of a field whose Sub is not known.
func (e *encoder) encodeGroupOf(sub *layout.Layout, f *layout.Field, m unsafe.Pointer, at int) int {
	if m != nil && sub.Ready() == layout.Official {
		return e.encodeForeign(f, sub.Interface(m), false, at)
	}
	at = e.tag(f, e.Room(0, at))
	e.Buf[at]++ // the wire type that ends a group follows the one that starts it
	if m != nil {
		if at = e.encodeFields(sub, m, at); at < 0 {
			return failed
		}
	} else {
		e.noteEmptyMessage(sub)
	}
	return e.tag(f, e.Room(0, at))
}

// encodeValue writes the value at q: of a message its length, too, but no tag.
func (e *encoder) encodeValue(k layout.Kind, sub *layout.Layout, q unsafe.Pointer, at int) int {
	switch k {
	case layout.Bool:
		at--
		e.Buf[at] = *(*byte)(q)
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
		binary.LittleEndian.PutUint32(e.Buf[at:], *(*uint32)(q))
		return at
	case layout.Fixed64:
		at -= 8
		binary.LittleEndian.PutUint64(e.Buf[at:], *(*uint64)(q))
		return at
	case layout.String, layout.Text:
		s := *(*string)(q)
		if at = e.text(s, k == layout.String, at); at < 0 {
			return failed
		}
		return e.varint(uint64(len(s)), at)
	case layout.Bytes:
		b := *(*[]byte)(q)
		return e.varint(uint64(len(b)), e.Raw(xunsafe.String(b), at))
	}
	return e.encodeMessage(sub, *(*unsafe.Pointer)(q), at)
}

// encodeMessage writes a message and its length before it. A message that is nil is empty.
func (e *encoder) encodeMessage(sub *layout.Layout, m unsafe.Pointer, at int) int {
	end := e.End - at
	if m != nil {
		if at = e.encodeFields(sub, m, at); at < 0 {
			return failed
		}
	} else {
		e.noteEmptyMessage(sub)
	}
	at = e.Room(0, at)
	return e.varint(uint64(e.End-at-end), at)
}
