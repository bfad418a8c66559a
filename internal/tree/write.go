package tree

import (
	"encoding/binary"
	"math"
	"unsafe"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/index"
	"github.com/protean-pb/protean/internal/mem"
	"github.com/protean-pb/protean/internal/order"
	"github.com/protean-pb/protean/internal/swissmap"
	"github.com/protean-pb/protean/internal/utf"
	"github.com/protean-pb/protean/internal/wire"
)

// The tags of the three messages.
const (
	tagNull    = 1<<3 | byte(protowire.VarintType)
	tagNumber  = 2<<3 | byte(protowire.Fixed64Type)
	tagString  = 3<<3 | byte(protowire.BytesType)
	tagBool    = 4<<3 | byte(protowire.VarintType)
	tagStruct  = 5<<3 | byte(protowire.BytesType)
	tagList    = 6<<3 | byte(protowire.BytesType)
	tagElement = 1<<3 | byte(protowire.BytesType) // Struct.fields and ListValue.values
	tagKey     = 1<<3 | byte(protowire.BytesType)
	tagValue   = 2<<3 | byte(protowire.BytesType)
)

// WriteValue writes the wire form of v, without tag and length, before what b holds. A nil
// v is an empty message, and so is everything nil below it, as in the official library.
//
// With deterministic the entries of objects come in the order of their keys, and the bytes
// are the official library's with its option of that name; without, in any order. The
// error is an [*Error] with [index.ErrUTF8]; b then holds what it held before.
func WriteValue(b *wire.Back, v *structpb.Value, deterministic bool) error {
	w, at := newWriter(b, deterministic)
	return w.end(b, w.value(v, at))
}

// WriteStruct is [WriteValue] for a Struct.
func WriteStruct(b *wire.Back, s *structpb.Struct, deterministic bool) error {
	w, at := newWriter(b, deterministic)
	return w.end(b, w.object(s, at))
}

// WriteList is [WriteValue] for a ListValue.
func WriteList(b *wire.Back, l *structpb.ListValue, deterministic bool) error {
	w, at := newWriter(b, deterministic)
	return w.end(b, w.list(l, at))
}

// A writer writes one tree into the memory of a wire.Back. It hands on where the written
// bytes start, from call to call, as at: it stays in a register. The methods that write
// return the new start, or failed, and then the path says where.
type writer struct {
	buf    []byte
	base   unsafe.Pointer // to the first byte of buf
	sorted *order.Entries // nil if entries may come in any order
	path   []string       // from the place of the error to the root
}

const failed = -1

// slack is how many bytes room leaves free: enough for two tags with their lengths.
const slack = 16

func newWriter(b *wire.Back, deterministic bool) (w writer, at int) {
	buf, at := b.Memory()
	w.use(buf)
	if deterministic {
		w.sorted = sorters.Get().(*order.Entries)
	}
	return w, w.room(at, 0)
}

// end hands the bytes that start there to b, or returns the error.
func (w *writer) end(b *wire.Back, at int) error {
	if w.sorted != nil {
		release(w.sorted)
	}
	if at == failed {
		return &Error{Err: index.ErrUTF8, Offset: -1, Path: joinReversed(w.path)}
	}
	b.SetMemory(w.buf, at)
	return nil
}

// use makes buf the buffer.
func (w *writer) use(buf []byte) { w.buf, w.base = buf, unsafe.Pointer(unsafe.SliceData(buf)) }

// in adds the step that leads to the place of the error.
func (w *writer) in(step string) int {
	w.path = append(w.path, step)
	return failed
}

// room makes sure that n bytes and the slack are free before at.
func (w *writer) room(at, n int) int {
	if at < n+slack {
		return w.grow(at, n)
	}
	return at
}

//go:noinline
func (w *writer) grow(at, n int) int {
	used := w.since(at)
	size := max(2*len(w.buf), used+n+slack, 512)
	buf := make([]byte, size)
	copy(buf[size-used:], w.buf[at:])
	w.use(buf)
	return size - used
}

// since returns how many bytes have been written, as a place that stays where it is when
// the buffer grows.
func (w *writer) since(at int) int { return len(w.buf) - at }

// delimit writes a tag and the length of what has been written since then, within the
// slack.
func (w *writer) delimit(tag byte, at, since int) int {
	return w.head(tag, w.since(at)-since, at-2)
}

// head writes a tag and a length, within the slack: there, if the length takes one byte, and
// else so that they end where those two would. That makes it small enough to be inlined.
func (w *writer) head(tag byte, n, at int) int {
	if n >= 0x80 {
		return w.longHead(tag, n, at)
	}
	// Sound: the slack is free.
	*(*[2]byte)(unsafe.Add(w.base, at)) = [2]byte{tag, byte(n)}
	return at
}

//go:noinline
func (w *writer) longHead(tag byte, n, at int) int {
	at -= wire.SizeVarint(uint64(n)) - 1
	w.buf[at] = tag
	binary.PutUvarint(w.buf[at+1:], uint64(n))
	return at
}

// bytes writes b as it is.
func (w *writer) bytes(b []byte, at int) int {
	at = w.room(at, len(b)) - len(b)
	copy(w.buf[at:], b)
	return at
}

func (w *writer) value(v *structpb.Value, at int) int {
	if v == nil {
		return at
	}
	if u := unknown(v, unsafe.Pointer(v), unknownInValue); len(u) > 0 {
		at = w.bytes(u, at)
	}
	switch k := v.Kind.(type) {
	case *structpb.Value_StringValue:
		if k != nil {
			if at = w.text(tagString, k.StringValue, at); at == failed {
				return w.in("string_value")
			}
		}
	case *structpb.Value_NumberValue:
		if k != nil {
			at = w.room(at, 9) - 9
			p := w.buf[at : at+9]
			p[0] = tagNumber
			binary.LittleEndian.PutUint64(p[1:], math.Float64bits(k.NumberValue))
		}
	case *structpb.Value_StructValue:
		if k != nil {
			since := w.since(at)
			if at = w.object(k.StructValue, at); at == failed {
				return w.in(structField)
			}
			return w.delimit(tagStruct, at, since)
		}
	case *structpb.Value_ListValue:
		if k != nil {
			since := w.since(at)
			if at = w.list(k.ListValue, at); at == failed {
				return w.in(listField)
			}
			return w.delimit(tagList, at, since)
		}
	case *structpb.Value_BoolValue:
		if k != nil {
			return w.varint(tagBool, protowire.EncodeBool(k.BoolValue), at)
		}
	case *structpb.Value_NullValue:
		if k != nil {
			return w.varint(tagNull, uint64(k.NullValue), at) // ten bytes if it is negative
		}
	}
	return at
}

// varint writes a varint with its tag.
func (w *writer) varint(tag byte, x uint64, at int) int {
	n := wire.SizeVarint(x) + 1
	at = w.room(at, n) - n
	w.buf[at] = tag
	binary.PutUvarint(w.buf[at+1:], x)
	return at
}

// text writes a string with its tag. It leaves room for another tag and length.
func (w *writer) text(tag byte, s string, at int) int {
	n := len(s)
	if at < n+slack {
		at = w.grow(at, n)
	}
	if n == 0 { // no pointer may point behind the buffer
		return w.head(tag, 0, at-2)
	}
	at -= n
	// Sound: n bytes are free from at on, and the slack before them.
	to, from := unsafe.Add(w.base, at), unsafe.Pointer(unsafe.StringData(s))
	switch {
	case mem.IsTwo(n) && mem.CopyTwo(to, from, n):
	case n <= mem.MaxShort && mem.CopyShort(to, from, n):
	case !utf.Valid(mem.Bytes(s)):
		return failed
	default:
		copy(w.buf[at:], s)
	}
	return w.head(tag, n, at-2)
}

// object writes a Struct. It leaves the slack free.
func (w *writer) object(s *structpb.Struct, at int) int {
	if s == nil {
		return w.room(at, 0)
	}
	if u := unknown(s, unsafe.Pointer(s), unknownInStruct); len(u) > 0 {
		at = w.bytes(u, at)
	}
	if w.sorted != nil {
		at = w.entriesInOrder(s.Fields, at)
	} else {
		for key, v := range swissmap.All(s.Fields) {
			if at = w.entry(key, v, at); at == failed {
				break
			}
		}
	}
	if at == failed {
		return failed
	}
	return w.room(at, 0)
}

// entry writes an entry of an object.
func (w *writer) entry(key string, v *structpb.Value, at int) int {
	since := w.since(at)
	if at = w.value(v, at); at == failed {
		return w.in(entryStep(key))
	}
	at = w.room(at, 0)
	at = w.head(tagValue, w.since(at)-since, at-2)
	if at = w.text(tagKey, key, at); at == failed {
		return w.in(entryStep(key))
	}
	return w.head(tagElement, w.since(at)-since, at-2)
}

// list writes a ListValue. It leaves the slack free.
func (w *writer) list(l *structpb.ListValue, at int) int {
	if l == nil {
		return w.room(at, 0)
	}
	if u := unknown(l, unsafe.Pointer(l), unknownInList); len(u) > 0 {
		at = w.bytes(u, at)
	}
	for i := len(l.Values) - 1; i >= 0; i-- {
		since := w.since(at)
		if at = w.value(l.Values[i], at); at == failed {
			return w.in(elementStep(i))
		}
		at = w.delimit(tagElement, w.room(at, 0), since)
	}
	return w.room(at, 0)
}
