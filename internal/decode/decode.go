// Package decode reads Protobuf's wire format into messages, as their layouts say.
//
// Strings and bytes do not get memory of their own: they are parts of copies of the input,
// of at most [MaxWindow] bytes each, so that whoever keeps a short string keeps no more
// than that. Messages of a type come several at a time where several are expected.
package decode

import (
	"encoding/binary"
	"errors"
	"io"
	"unsafe"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/internal/fault"
	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/mem"
	"github.com/protean-pb/protean/internal/utf"
)

// A Resolver finds the types of extension fields.
type Resolver interface {
	FindExtensionByName(field protoreflect.FullName) (protoreflect.ExtensionType, error)
	FindExtensionByNumber(message protoreflect.FullName, field protoreflect.FieldNumber) (protoreflect.ExtensionType, error)
}

// Options say how to read.
type Options struct {
	Alias          bool // strings and bytes may be parts of the input itself
	DiscardUnknown bool
	Depth          int // how many messages may be nested, the outermost included
	Resolver       Resolver
}

// failed is the position that says that d.err is set.
const failed = -1

// A decoder is the state of one call.
type decoder struct {
	in     []byte
	copied window
	Options
	run   int // how many messages of the current list are still to be read, this one included
	slabs slabs

	err   error
	at    int // where it is wrong
	trace fault.Trace
}

// Merge reads in into the message at p, adding to what that holds. The layout must be
// Ready, and p not nil. The error is a [*fault.Error]; the message is then read in part.
func Merge(in []byte, l *layout.Layout, p unsafe.Pointer, o Options) error {
	d := decoder{in: in, Options: o}
	if o.Alias {
		d.copied.set(in, 0)
	}
	if d.body(l, p, in, 0, o.Depth, 0) >= 0 {
		return nil
	}
	return &fault.Error{Err: d.err, Offset: d.at, Path: d.trace.String(), Message: string(l.Desc.FullName())}
}

// fail ends the decoding.
func (d *decoder) fail(err error, at int) int {
	d.err, d.at = err, at
	return failed
}

// within says, while a failure unwinds, in which field it happened.
func (d *decoder) within(l *layout.Layout, f *layout.Field, index string) int {
	if index != "" {
		d.trace = append(d.trace, index)
	}
	d.trace = append(d.trace, string(l.DescOf(f).Name()))
	return failed
}

// varint reads a varint at pos and returns where it ends.
func (d *decoder) varint(b []byte, pos int) (uint64, int) {
	if pos < len(b) && b[pos] < 0x80 {
		return uint64(b[pos]), pos + 1
	}
	return d.longVarint(b, pos)
}

//go:noinline
func (d *decoder) longVarint(b []byte, pos int) (uint64, int) {
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
		return d.fail(fault.ErrMalformed, pos)
	}
	for _, c := range b[pos:] {
		if c < 0x80 {
			return d.fail(fault.ErrMalformed, pos)
		}
	}
	return d.fail(fault.ErrTruncated, len(b))
}

// span reads a length at pos and returns where the bytes start and end that follow it.
func (d *decoder) span(b []byte, pos int) (start, end int) {
	n, start := d.varint(b, pos)
	if start < 0 {
		return 0, failed
	}
	if n > uint64(len(b)-start) {
		return 0, d.fail(fault.ErrTruncated, len(b))
	}
	return start, start + int(n)
}

// longTag reads a tag of more than one byte.
func (d *decoder) longTag(b []byte, pos int) (uint32, int) {
	x, end := d.longVarint(b, pos)
	if end < 0 {
		return 0, failed
	}
	if x>>3 > uint64(protowire.MaxValidNumber) {
		return 0, d.fail(fault.ErrMalformed, pos)
	}
	return uint32(x), end
}

// body reads the fields of a message from pos to the end of b, or, with a number for
// group, to the end of that group, and returns where they end.
func (d *decoder) body(l *layout.Layout, p unsafe.Pointer, b []byte, pos, depth int, group uint32) int {
	if c := l.Ready(); c != layout.Fast {
		return d.special(c, l, p, b, pos, depth)
	}
	if depth--; depth < 0 {
		return d.fail(fault.ErrDepth, pos)
	}
	for pos < len(b) {
		start := pos
		tag := uint32(b[pos])
		pos++
		if tag >= 0x80 {
			if tag, pos = d.longTag(b, start); pos < 0 {
				return failed
			}
		}
		f := l.Find(tag >> 3)
		if f == nil || f.Tag != tag {
			if tag&7 == 4 && tag>>3 == group && group != 0 {
				return pos
			}
			if pos = d.unusual(l, p, f, tag, b, start, pos, depth); pos < 0 {
				return failed
			}
			continue
		}
		// Sound, here and below: l says what lies at which offset of the message at p.
		q := unsafe.Add(p, f.Offset)
		switch f.Code {
		case layout.ImplicitString, layout.ImplicitText:
			from, end := pos+1, 0
			if pos < len(b) && b[pos] <= mem.MaxShort && int(b[pos]) <= len(b)-from {
				n := int(b[pos])
				end = from + n
				// Sound: the input has n bytes from there on, and one at least.
				if f.Code == layout.ImplicitString && n > 0 && !mem.ShortASCII(unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), from), n) && !utf.Valid(b[from:end]) {
					d.fail(fault.ErrUTF8, from)
					return d.within(l, f, "")
				}
			} else {
				if from, end = d.span(b, pos); end < 0 {
					return d.within(l, f, "")
				}
				if f.Code == layout.ImplicitString && !utf.Valid(b[from:end]) {
					d.fail(fault.ErrUTF8, from)
					return d.within(l, f, "")
				}
			}
			if w := &d.copied; from >= w.start && end <= w.end && from < end {
				// Sound: the window has these bytes of the input. There is one at least:
				// no pointer may point behind what it belongs to.
				*(*mem.StringHeader)(q) = mem.StringHeader{Data: unsafe.Add(w.base, from-w.start), Len: end - from}
			} else {
				*(*string)(q) = d.moreText(from, end)
			}
			pos = end
		case layout.ImplicitVarint64:
			var x uint64
			if pos < len(b) && b[pos] < 0x80 {
				x = uint64(b[pos])
				pos++
			} else if x, pos = d.longVarint(b, pos); pos < 0 {
				return d.within(l, f, "")
			}
			*(*uint64)(q) = x
		case layout.ImplicitInt32, layout.ImplicitUint32:
			var x uint64
			if pos < len(b) && b[pos] < 0x80 {
				x = uint64(b[pos])
				pos++
			} else if x, pos = d.longVarint(b, pos); pos < 0 {
				return d.within(l, f, "")
			}
			*(*uint32)(q) = uint32(x)
		case layout.ImplicitBool:
			var x uint64
			if pos < len(b) && b[pos] < 0x80 {
				x = uint64(b[pos])
				pos++
			} else if x, pos = d.longVarint(b, pos); pos < 0 {
				return d.within(l, f, "")
			}
			*(*bool)(q) = x != 0
		case layout.ImplicitFixed64:
			if len(b)-pos < 8 {
				d.fail(fault.ErrTruncated, len(b))
				return d.within(l, f, "")
			}
			*(*uint64)(q) = binary.LittleEndian.Uint64(b[pos:])
			pos += 8
		case layout.ImplicitMessage:
			from, end := pos+1, 0
			if pos < len(b) && b[pos] < 0x80 && int(b[pos]) <= len(b)-from {
				end = from + int(b[pos])
			} else if from, end = d.span(b, pos); end < 0 {
				return d.within(l, f, "")
			}
			m := *(*unsafe.Pointer)(q)
			if m == nil {
				m = d.message(f.Sub)
				*(*unsafe.Pointer)(q) = m
			}
			if d.body(f.Sub, m, b[:end], from, depth, 0) < 0 {
				return d.within(l, f, "")
			}
			pos = end
		case layout.RepeatedMessage:
			pos = d.messages(l, f, (*[]unsafe.Pointer)(q), b, pos, depth)
		case layout.RepeatedString, layout.RepeatedText:
			pos = d.texts(l, f, (*[]string)(q), b, pos)
		default:
			pos = d.field(l, f, p, b, pos, depth)
		}
		if pos < 0 {
			return failed
		}
	}
	if group != 0 {
		return d.fail(fault.ErrTruncated, pos)
	}
	return pos
}

// unusual reads a field that has no place in the message, or comes in another form than
// the one that is written.
func (d *decoder) unusual(l *layout.Layout, p unsafe.Pointer, f *layout.Field, tag uint32, b []byte, start, pos, depth int) int {
	switch {
	case tag>>3 == 0 || tag&7 == 4:
		return d.fail(fault.ErrMalformed, start)
	case f != nil && f.Alt == tag && tag&7 == 2:
		return d.packed(l, f, unsafe.Add(p, f.Offset), b, pos)
	case f != nil && f.Alt == tag:
		return d.numbers(l, f, unsafe.Add(p, f.Offset), b, pos)
	case f != nil && f.Entry != nil && depth == 0:
		return d.fail(fault.ErrDepth, start) // the official library counts before it looks
	case f == nil && l.Extensions != 0:
		if next, known := d.extension(l, p, tag, b, start, pos, depth); known {
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
	if pos-start > protowire.SizeVarint(uint64(tag)) {
		*u = protowire.AppendVarint(*u, uint64(tag))
		start = pos
	}
	*u = append(*u, b[start:pos+n]...)
	return pos + n
}

// valueError says what is wrong with a field from start on for which protowire has that
// code.
func (d *decoder) valueError(code, start, end int) int {
	if errors.Is(protowire.ParseError(code), io.ErrUnexpectedEOF) {
		return d.fail(fault.ErrTruncated, end)
	}
	return d.fail(fault.ErrMalformed, start)
}

// special reads a message whose layout does not say how.
func (d *decoder) special(c layout.Class, l *layout.Layout, p unsafe.Pointer, b []byte, pos, depth int) int {
	if c == layout.Official {
		return d.official(l, p, b, pos, depth)
	}
	return d.tree(c, p, b, pos, depth)
}

// text returns the text from start to end of the input.
func (d *decoder) text(start, end int) string {
	if w := &d.copied; start >= w.start && end <= w.end && start < end {
		// Sound: the window has these bytes of the input.
		return unsafe.String((*byte)(unsafe.Add(w.base, start-w.start)), end-start)
	}
	return d.moreText(start, end)
}

//go:noinline
func (d *decoder) moreText(start, end int) string {
	if start == end {
		return ""
	}
	return mem.String(d.copied.take(d.in, start, end))
}

// bytes returns the bytes from start to end of the input: not nil, and nobody else's.
func (d *decoder) bytes(start, end int) []byte {
	if start == end {
		return []byte{}
	}
	return d.copied.take(d.in, start, end)
}
