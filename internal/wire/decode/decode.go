// Package decode reads Protobuf's wire format into messages, as their layouts say.
//
// Strings and bytes do not get memory of their own: they are copied one after the other
// into chunks of at most [arena.MaxChunk] bytes, so that a short string that is kept keeps no
// more than that. So are numbers to which there are pointers, and short lists of numbers.
// Messages of a type come several at a time where several are expected.
package decode

import (
	"encoding/binary"
	"errors"
	"io"
	"math/bits"
	"slices"
	"unsafe"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/internal/arena"
	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/structval/index"
	"github.com/protean-pb/protean/internal/structval/tree"
	"github.com/protean-pb/protean/internal/utf"
	"github.com/protean-pb/protean/internal/wire/required"
	"github.com/protean-pb/protean/internal/xunsafe"
)

// A Resolver finds the types of extension fields.
type Resolver interface {
	FindExtensionByName(field protoreflect.FullName) (protoreflect.ExtensionType, error)
	FindExtensionByNumber(
		message protoreflect.FullName, field protoreflect.FieldNumber,
	) (protoreflect.ExtensionType, error)
}

// Options say how to read.
type Options struct {
	AllowPartial   bool // required fields may be missing
	Alias          bool // strings and bytes may be parts of the input itself
	DiscardUnknown bool
	Depth          int // how many messages may be nested, the outermost included
	Resolver       Resolver
	Pool           *arena.Pool // where memory comes from; nil if it is new
	Mask           *Mask       // what is read; nil for all
}

// failed is the position that says that d.err is set.
const failed = -1

// A decoder is the state of one call.
type decoder struct {
	in []byte
	arena.Arena
	Options

	missing bool // whether a required field may be

	values *Mask // what is read of the messages of a map; nil for all

	structs tree.Reader // of messages of structpb's types

	*failure
}

// A nestedDecoder is a decoder for messages that contain others: it adds the slabs that those are allocated from, which
// cost time to zero in each call.
type nestedDecoder struct {
	decoder
	blocks arena.Blocks
}

// A manyDecoder is a nestedDecoder with slabs for more types.
type manyDecoder struct {
	decoder
	blocks arena.ManyBlocks
}

// A failure is what ends a call. Decoders are zeroed each time, and few fail.
type failure struct {
	err   error
	at    int // where it is wrong
	trace protoerr.Trace
}

// Merge reads in into the message at p, adding to what that holds. Whether required fields
// are missing is looked at only where in has not all of them. The layout must be Ready, and
// p not nil. The error is a [*protoerr.Error]; the message is then read in part. If it is
// nil, complete says whether no required field is missing for certain, as far as that
// depends on what in adds.
func Merge(in []byte, l *layout.Layout, p unsafe.Pointer, o *Options) (complete bool, err error) {
	if o.Pool != nil || o.Mask != nil {
		return mergeWith(in, l, p, o)
	}
	if l.ManyTypes {
		return mergeMany(in, l, p, o)
	}
	if !l.Flat {
		return mergeNested(in, l, p, o)
	}
	var d decoder // which is not copied, as the value of an expression would be
	d.in, d.Options = in, *o
	return d.merge(l, p)
}

// mergeNested merges into a message of a type that has other messages in it.
func mergeNested(in []byte, l *layout.Layout, p unsafe.Pointer, o *Options) (bool, error) {
	var d nestedDecoder
	d.in, d.Options = in, *o
	d.Use(&d.blocks)
	return d.merge(l, p)
}

// mergeMany merges into a message of a type that reaches more types than the slots of an arena.
func mergeMany(in []byte, l *layout.Layout, p unsafe.Pointer, o *Options) (bool, error) {
	var d manyDecoder
	d.in, d.Options = in, *o
	d.UseMany(&d.blocks)
	return d.merge(l, p)
}

// mergeWith merges with a Pool or Mask. With a Mask required fields are not looked at.
func mergeWith(in []byte, l *layout.Layout, p unsafe.Pointer, o *Options) (complete bool, err error) {
	var d manyDecoder
	d.in, d.Options = in, *o
	if o.Pool != nil {
		d.UsePool(o.Pool)
		defer d.ReturnToPool() // also if the Resolver panics
	} else {
		d.UseMany(&d.blocks)
	}
	if o.Mask == nil {
		return d.merge(l, p)
	}
	end := d.decodeMasked(o.Mask, l, p, 0, len(in), o.Depth, 0)
	d.structs.Release()
	if end < 0 {
		return false, d.error(l)
	}
	return false, nil
}

// merge reads the whole input, once d has been set up.
func (d *decoder) merge(l *layout.Layout, p unsafe.Pointer) (complete bool, err error) {
	end := d.decodeFields(l, p, 0, len(d.in), d.Depth, 0)
	d.structs.Release()
	if end < 0 {
		return false, d.error(l)
	}
	return d.checkRequired(l, p)
}

// checkRequired looks at required fields where one may be missing.
func (d *decoder) checkRequired(l *layout.Layout, p unsafe.Pointer) (complete bool, err error) {
	if d.missing && !d.AllowPartial {
		err = required.Check(l, p)
		return err == nil, err
	}
	return !d.missing || !l.NeedsRequiredCheck, nil
}

// error returns what is wrong.
func (d *decoder) error(l *layout.Layout) error {
	return &protoerr.Error{Err: d.err, Offset: d.at, Path: d.trace.String(), Message: string(l.Desc.FullName())}
}

// fail ends the decoding.
func (d *decoder) fail(err error, at int) int {
	d.failure = &failure{err: err, at: at}
	return failed
}

// inField says, while a failure unwinds, in which field it happened.
func (d *decoder) inField(l *layout.Layout, f *layout.Field, index string) int {
	d.trace.Within(l.NameOf(f), index)
	return failed
}

// varint reads a varint at pos and returns where it ends.
func (d *decoder) varint(b []byte, pos int) (uint64, int) {
	if pos < len(b) && b[pos] < 0x80 {
		return uint64(b[pos]), pos + 1
	}
	return d.longVarint(b, pos)
}

// longVarint reads a varint of more than one byte.
//
//go:noinline
func (d *decoder) longVarint(b []byte, pos int) (uint64, int) {
	rest := b[pos:]
	if len(rest) >= 2 && rest[1] < 0x80 {
		return uint64(rest[0]&0x7f) | uint64(rest[1])<<7, pos + 2
	}
	if pos <= len(d.in)-8 { // b may end sooner
		x := binary.LittleEndian.Uint64(d.in[pos:])
		if last := ^x & xunsafe.Highs; last != 0 {
			if end := pos + bits.TrailingZeros64(last)/8 + 1; end <= len(b) {
				return join7Bits(x & (last ^ (last - 1))), end
			}
		}
		if len(rest) >= 10 {
			if x, n := varintOf9Or10(x, rest[8], rest[9]); n > 0 {
				return x, pos + n
			}
		}
	}
	return d.longestVarint(b, pos)
}

// varintOf9Or10 returns the varint that begins with the 8 bytes of x, and its length; 0 if it is too long.
func varintOf9Or10(x uint64, ninth, tenth byte) (uint64, int) {
	x = join7Bits(x) | uint64(ninth&0x7f)<<56
	switch {
	case ninth < 0x80:
		return x, 9
	case tenth <= 1:
		return x | uint64(tenth)<<63, 10
	}
	return 0, 0
}

// join7Bits returns the lower 7 bits of each byte of x, as one number.
func join7Bits(x uint64) uint64 {
	// Pairs of 7 bits become 14, pairs of those 28, and those 56.
	x = x&0x007f007f007f007f | x&0x7f007f007f007f00>>1
	x = x&0x00003fff00003fff | x&0x3fff00003fff0000>>2
	return x&0x000000000fffffff | x&0x0fffffff00000000>>4
}

// longestVarint reads any varint, byte by byte.
func (d *decoder) longestVarint(b []byte, pos int) (uint64, int) {
	var x uint64
	for i := 0; i < 10 && pos+i < len(b); i++ {
		c := b[pos+i]
		if c < 0x80 {
			if i == 9 && c > 1 {
				break
			}
			return x | uint64(c)<<(7*i), pos + i + 1
		}
		x |= uint64(c&0x7f) << (7 * i)
	}
	return 0, d.wireError(b, pos)
}

// wireError says what is wrong with a varint at pos.
func (d *decoder) wireError(b []byte, pos int) int {
	if len(b)-pos >= 10 {
		return d.fail(protoerr.ErrMalformed, pos)
	}
	for _, c := range b[pos:] {
		if c < 0x80 {
			return d.fail(protoerr.ErrMalformed, pos)
		}
	}
	return d.fail(protoerr.ErrTruncated, len(b))
}

// lengthPrefix reads a length at pos and returns where the bytes start and end that follow it.
func (d *decoder) lengthPrefix(b []byte, pos int) (start, end int) {
	n, start := d.varint(b, pos)
	if start < 0 {
		return 0, failed
	}
	if n > uint64(len(b)-start) {
		return 0, d.fail(protoerr.ErrTruncated, len(b))
	}
	return start, start + int(n)
}

// longTag reads a tag of more than one byte.
func (d *decoder) longTag(b []byte, pos int) (uint32, int) {
	x, end := d.longVarint(b, pos)
	if end < 0 {
		return 0, failed
	}
	if x>>3 > uint64(protowire.MaxValidNumber) || x&7 > 5 {
		return 0, d.fail(protoerr.ErrMalformed, pos)
	}
	return uint32(x), end
}

// decodeFields reads the fields of a message from pos to end of the input, or, with a number for
// group, to the end of that group, and returns where they end.
func (d *decoder) decodeFields(l *layout.Layout, p unsafe.Pointer, pos, end, depth int, group uint32) int {
	if c := l.Ready(); c != layout.Fast {
		return d.decodeByClass(c, l, p, d.in[:end], pos, depth)
	}
	m := p
	if p = l.FieldsOf(m); p == nil {
		return d.decodeMismatched(m, d.in[:end], pos, depth, group)
	}
	if depth--; depth < 0 {
		return d.fail(protoerr.ErrDepth, pos)
	}
	// Sound: every byte of the input that is read here lies before end, and l says what is
	// at which offset of the message at p.
	in := unsafe.Pointer(unsafe.SliceData(d.in))
	seen := uint64(0) // which required fields
	for pos < end {
		start := pos
		tag := uint32(*(*byte)(unsafe.Add(in, pos)))
		pos++
		if tag >= 0x80 {
			if pos < end && *(*byte)(unsafe.Add(in, pos))-1 < 0x7f { // two bytes, and not one written as two
				tag = tag&0x7f | uint32(*(*byte)(unsafe.Add(in, pos)))<<7
				pos++
			} else if tag, pos = d.longTag(d.in[:end], start); pos < 0 {
				return failed
			}
		}
		f := l.At(tag >> 3)
		if f.Tag != tag {
			if tag&7 == 4 && tag>>3 == group && group != 0 {
				d.missing = d.missing || seen != l.RequiredBits
				return pos
			}
			if pos = d.decodeUnknown(l, p, f, tag, d.in[:end], start, pos, depth); pos < 0 {
				return failed
			}
			continue
		}
		seen |= f.RequiredBit
		q := unsafe.Add(p, f.Offset)
		switch f.Addressing {
		case layout.InPlace, layout.NilSlice:
		case layout.ByBit:
			*(*uint32)(unsafe.Add(p, f.Bits)) |= f.Mask
		case layout.ByPointer:
			to := (*unsafe.Pointer)(q)
			if q = *to; q == nil {
				if size := int(f.Value); size > 0 {
					q = d.Number(size)
				}
				if q == nil {
					q = d.AllocScalar(f)
				}
				*to = q
			}
		default:
			q = d.OneofSlot(f, p, q)
		}
		switch f.Opcode {
		case layout.Opcode(layout.String), layout.Opcode(layout.Text):
			var n int
			if pos < end {
				n = int(*(*byte)(unsafe.Add(in, pos)))
			}
			if pos++; n == 0 || n > xunsafe.MaxShort || n > end-pos {
				pos = d.decodeLongString(l, f, (*string)(q), pos-1, end)
				break
			}
			// Sound: there are n bytes in the input, and as many reserved; one at least.
			from := unsafe.Add(in, pos)
			to, ascii := from, false
			if d.Alias {
				ascii = xunsafe.ShortASCII(from, n)
			} else {
				if t := &d.Text; n <= t.Cap-t.Used {
					to = unsafe.Add(t.Base, t.Used)
					t.Used += n
				} else {
					to = d.AllocText(n, len(d.in)-pos)
				}
				if xunsafe.IsTwoWords(n) {
					ascii = xunsafe.CopyTwoWords(to, from, n)
				} else {
					ascii = xunsafe.CopyShort(to, from, n)
				}
			}
			if !ascii && f.Opcode == layout.Opcode(layout.String) && !utf.Valid(d.in[pos:pos+n]) {
				d.fail(protoerr.ErrUTF8, pos)
				return d.inField(l, f, "")
			}
			*(*xunsafe.StringHeader)(q) = xunsafe.StringHeader{Data: to, Len: n}
			pos += n
		case layout.Opcode(layout.Bool), layout.Opcode(layout.Int32), layout.Opcode(layout.Uint32),
			layout.Opcode(layout.Varint64),
			layout.Opcode(layout.Sint32), layout.Opcode(layout.Sint64):
			if pos == end {
				d.fail(protoerr.ErrTruncated, end)
				return d.inField(l, f, "")
			}
			x := uint64(*(*byte)(unsafe.Add(in, pos)))
			if x < 0x80 {
				pos++
			} else if pos+1 < end && *(*byte)(unsafe.Add(in, pos+1)) < 0x80 {
				x = x&0x7f | uint64(*(*byte)(unsafe.Add(in, pos+1)))<<7
				pos += 2
			} else if x, pos = d.longVarint(d.in[:end], pos); pos < 0 {
				return d.inField(l, f, "")
			}
			switch f.Opcode {
			case layout.Opcode(layout.Varint64):
				*(*uint64)(q) = x
			case layout.Opcode(layout.Bool):
				*(*bool)(q) = x != 0
			case layout.Opcode(layout.Sint32):
				*(*int32)(q) = int32(protowire.DecodeZigZag(x & 0xffffffff))
			case layout.Opcode(layout.Sint64):
				*(*int64)(q) = protowire.DecodeZigZag(x)
			default:
				*(*uint32)(q) = uint32(x)
			}
		case layout.Opcode(layout.Fixed32):
			if end-pos < 4 {
				d.fail(protoerr.ErrTruncated, end)
				return d.inField(l, f, "")
			}
			*(*uint32)(q) = xunsafe.Load32(unsafe.Add(in, pos))
			pos += 4
		case layout.Opcode(layout.Fixed64):
			if end-pos < 8 {
				d.fail(protoerr.ErrTruncated, end)
				return d.inField(l, f, "")
			}
			*(*uint64)(q) = xunsafe.Load64(unsafe.Add(in, pos))
			pos += 8
		case layout.Opcode(layout.Bytes):
			from, to := d.lengthPrefix(d.in[:end], pos)
			if to < 0 {
				return d.inField(l, f, "")
			}
			if *(*[]byte)(q) = nil; from < to || f.Addressing != layout.InPlace { // without presence, empty is nil
				*(*[]byte)(q) = d.bytes(from, to)
			}
			pos = to
		case layout.Opcode(layout.Message):
			from, to := pos+1, 0
			if pos < end {
				to = from + int(*(*byte)(unsafe.Add(in, pos)))
			}
			if to < from || to-from >= 0x80 || to > end {
				if from, to = d.lengthPrefix(d.in[:end], pos); to < 0 {
					return d.inField(l, f, "")
				}
			}
			m := *(*unsafe.Pointer)(q)
			if m == nil {
				m = d.AllocMessage(f.Sub)
				*(*unsafe.Pointer)(q) = m
			}
			if d.decodeFields(f.Sub, m, from, to, depth, 0) < 0 {
				return d.inField(l, f, "")
			}
			pos = to
		case layout.Opcode(layout.Group):
			m := (*unsafe.Pointer)(q)
			if *m == nil {
				*m = d.AllocMessage(f.Sub)
			}
			if pos = d.decodeGroup(f.Sub, *m, f.Number(), d.in[:end], pos, depth); pos < 0 {
				return d.inField(l, f, "")
			}
		case layout.RepeatedMessage:
			pos = d.decodeMessages(l, f, (*[]unsafe.Pointer)(q), d.in[:end], pos, depth)
		case layout.RepeatedString, layout.RepeatedText:
			pos = d.decodeStrings(l, f, (*[]string)(q), d.in[:end], pos)
		default:
			pos = d.decodeRepeated(l, f, q, d.in[:end], pos, depth)
		}
		if pos < 0 {
			return failed
		}
	}
	if group != 0 {
		return d.fail(protoerr.ErrTruncated, pos)
	}
	d.missing = d.missing || seen != l.RequiredBits
	return pos
}

// decodeLongString reads a string that is empty, long, or not all there.
//
//go:noinline
func (d *decoder) decodeLongString(l *layout.Layout, f *layout.Field, to *string, pos, end int) int {
	from, end := d.lengthPrefix(d.in[:end], pos)
	if end >= 0 && f.Op.Kind() == layout.String && !utf.Valid(d.in[from:end]) {
		end = d.fail(protoerr.ErrUTF8, from)
	}
	if end < 0 {
		return d.inField(l, f, "")
	}
	*to = d.text(from, end)
	return end
}

// decodeUnknown reads a field that has no place in the message, or comes in another form than
// the one that is written.
func (d *decoder) decodeUnknown(
	l *layout.Layout, p unsafe.Pointer, f *layout.Field, tag uint32, b []byte, start, pos, depth int,
) int {
	switch {
	case tag>>3 == 0 || tag&7 == 4:
		return d.fail(protoerr.ErrMalformed, start)
	case f.AltTag == tag:
		return d.decodeOtherPacking(l, f, unsafe.Add(p, f.Offset), b, pos)
	case f.Entry != nil && depth == 0:
		return d.fail(protoerr.ErrDepth, start) // the official library counts before it looks
	case f.IsAbsent() && l.Extensions != 0:
		if next, known := d.decodeExtension(l, p, tag, b, start, pos, depth); known {
			return next
		}
	}
	n := protowire.ConsumeFieldValue(protowire.Number(tag>>3), protowire.Type(tag&7), b[pos:])
	if n < 0 {
		return d.valueError(n, start, len(b))
	}
	if d.DiscardUnknown {
		return pos + n
	}
	u := (*[]byte)(unsafe.Add(p, l.Unknown))
	// The official library writes the tag anew for generated messages, and only for those.
	if !l.Dynamic && pos-start > protowire.SizeVarint(uint64(tag)) {
		*u = protowire.AppendVarint(*u, uint64(tag))
		start = pos
	}
	field := b[start : pos+n]
	if cap(*u)-len(*u) < len(field) {
		n := max(len(field), minUnknown) // there may be more
		if d.Pooled() {
			*u = append(unsafe.Slice((*byte)(d.reserve(start, 2*len(*u)+n)), 2*len(*u)+n)[:0], *u...)
		} else {
			*u = slices.Grow(*u, n)
		}
	}
	*u = append(*u, field...)
	return pos + n
}

// minUnknown is for how many bytes of unknown fields there is room at first.
const minUnknown = 32

// valueError says what is wrong with a field from start on for which protowire has that
// code.
func (d *decoder) valueError(code, start, end int) int {
	if errors.Is(protowire.ParseError(code), io.ErrUnexpectedEOF) {
		return d.fail(protoerr.ErrTruncated, end)
	}
	return d.fail(protoerr.ErrMalformed, start)
}

// decodeByClass reads a message whose layout does not say how.
func (d *decoder) decodeByClass(c layout.Class, l *layout.Layout, p unsafe.Pointer, b []byte, pos, depth int) int {
	if c == layout.Official {
		return d.decodeOfficial(l, p, b, pos, depth)
	}
	if d.Pooled() || c == layout.Value && d.Run > 0 && isScalarValue(b[pos:]) {
		return d.decodeFields(l.Structural(), p, pos, len(b), depth, 0)
	}
	return d.decodeStructpb(c, p, b, pos, depth)
}

// isScalarValue reports whether a google.protobuf.Value begins with a number, a string, a bool or null. In a list such
// Values are decoded like other messages, from slabs for the whole list: 1.7 times as fast, and two allocations for
// each fewer. Structs and lists have a reader of their own, which is faster for trees.
func isScalarValue(b []byte) bool {
	return len(b) > 0 && b[0] != index.TagStruct && b[0] != index.TagList
}
