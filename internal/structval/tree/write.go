package tree

import (
	"encoding/binary"
	"math"
	"unsafe"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/mapsort"
	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/structval/index"
	"github.com/protean-pb/protean/internal/swissmap"
	"github.com/protean-pb/protean/internal/utf"
	"github.com/protean-pb/protean/internal/wire"
	"github.com/protean-pb/protean/internal/xunsafe"
)

// WriteValue writes the wire form of v, without tag and length, before at to the output of s,
// which is on the heap, and returns where it begins. A nil v is an empty message, and so is
// everything nil below it, as in the official library.
//
// With deterministic the entries of objects come in the order of their keys, and the bytes
// are the official library's with its option of that name; without, in any order. The
// error is an [*Error] with [protoerr.ErrUTF8] or [protoerr.ErrDepth].
func WriteValue(s *wire.OutputState, at int, v *structpb.Value, deterministic bool) (int, error) {
	var out outcome
	w := newWriter(s, &out, deterministic)
	return out.end(w.value(v, w.Room(0, at)))
}

// WriteStruct writes a Struct before at, with the errors of [WriteValue].
func WriteStruct(s *wire.OutputState, at int, m *structpb.Struct, deterministic bool) (int, error) {
	var out outcome
	w := newWriter(s, &out, deterministic)
	return out.end(w.object(m, w.Room(0, at)))
}

// WriteList writes a ListValue before at, with the errors of [WriteValue].
func WriteList(s *wire.OutputState, at int, l *structpb.ListValue, deterministic bool) (int, error) {
	var out outcome
	w := newWriter(s, &out, deterministic)
	return out.end(w.list(l, w.Room(0, at)))
}

// A writer writes one tree into an output. The methods that write return the new start, or
// failed, and then the outcome says where.
type writer struct {
	wire.Output
	depth int // how many messages there are around
	*outcome
}

// An outcome is what gets to the heap, or may. It is apart so that the compiler sees that
// nothing else of a writer does.
type outcome struct {
	sorted *mapsort.Entries // nil if entries may come in any order
	err    error
	path   []string // from the place of the error to the root
}

const failed = -1

// maxDepth is how deeply messages may be nested: it ends the writing of one that contains itself.
const maxDepth = 100_000

func newWriter(s *wire.OutputState, out *outcome, deterministic bool) writer {
	var w writer
	w.OutputState, w.outcome = s, out
	w.Resume()
	if deterministic {
		out.sorted = sorters.Get().(*mapsort.Entries)
	}
	return w
}

// end returns where what has been written begins, or the error.
func (o *outcome) end(at int) (int, error) {
	if o.sorted != nil {
		release(o.sorted)
	}
	if at == failed {
		return failed, &Error{Err: o.err, Offset: -1, Path: joinReversed(o.path)}
	}
	return at, nil
}

// fail ends the writing.
func (w *writer) fail(err error) int {
	w.err = err
	return failed
}

// in adds the step that leads to the place of the error.
func (w *writer) in(step string) int {
	w.path = append(w.path, step)
	return failed
}

// delimit writes a tag and the length of what has been written since then, within the
// slack.
func (w *writer) delimit(tag byte, at, since int) int {
	return w.head(tag, w.End-at-since, at-2)
}

// head writes a tag and a length, within the slack: there, if the length takes one byte, and
// else so that they end where those two would. That makes it small enough to be inlined.
func (w *writer) head(tag byte, n, at int) int {
	if n >= 0x80 {
		return w.longHead(tag, n, at)
	}
	// Sound: the slack is free.
	*(*[2]byte)(unsafe.Add(w.Base, at)) = [2]byte{tag, byte(n)}
	return at
}

//go:noinline
func (w *writer) longHead(tag byte, n, at int) int {
	at -= wire.SizeVarint(uint64(n)) - 1
	w.Buf[at] = tag
	binary.PutUvarint(w.Buf[at+1:], uint64(n))
	return at
}

func (w *writer) value(v *structpb.Value, at int) int {
	if v == nil {
		return at
	}
	if u := unknown(v, unsafe.Pointer(v), unknownInValue); len(u) > 0 {
		at = w.Raw(xunsafe.String(u), at)
	}
	switch k := v.Kind.(type) {
	case *structpb.Value_StringValue:
		if k != nil {
			if at = w.text(index.TagString, k.StringValue, at); at == failed {
				return w.in("string_value")
			}
		}
	case *structpb.Value_NumberValue:
		if k != nil {
			at = w.Room(9, at) - 9
			p := w.Buf[at : at+9]
			p[0] = index.TagNumber
			binary.LittleEndian.PutUint64(p[1:], math.Float64bits(k.NumberValue))
		}
	case *structpb.Value_StructValue:
		if k != nil {
			since := w.End - at
			if at = w.object(k.StructValue, at); at == failed {
				return w.in(structField)
			}
			return w.delimit(index.TagStruct, at, since)
		}
	case *structpb.Value_ListValue:
		if k != nil {
			since := w.End - at
			if at = w.list(k.ListValue, at); at == failed {
				return w.in(listField)
			}
			return w.delimit(index.TagList, at, since)
		}
	case *structpb.Value_BoolValue:
		if k != nil {
			return w.varint(index.TagBool, protowire.EncodeBool(k.BoolValue), at)
		}
	case *structpb.Value_NullValue:
		if k != nil {
			return w.varint(index.TagNull, uint64(k.NullValue), at) // ten bytes if it is negative
		}
	}
	return at
}

// varint writes a varint with its tag.
func (w *writer) varint(tag byte, x uint64, at int) int {
	n := wire.SizeVarint(x) + 1
	at = w.Room(n, at) - n
	w.Buf[at] = tag
	binary.PutUvarint(w.Buf[at+1:], x)
	return at
}

// text writes a string with its tag. It leaves room for another tag and length.
func (w *writer) text(tag byte, s string, at int) int {
	n := len(s)
	if n == 0 { // no pointer may point behind the buffer
		return w.head(tag, 0, w.Room(0, at)-2)
	}
	if n > xunsafe.MaxShort {
		at = w.Raw(s, at)
		if !utf.Valid(xunsafe.Bytes(s)) {
			return w.fail(protoerr.ErrUTF8)
		}
		return w.head(tag, n, at-2)
	}
	at = w.Room(n, at) - n
	// Sound: n bytes are free from at on, and the slack before them.
	to, from := unsafe.Add(w.Base, at), unsafe.Pointer(unsafe.StringData(s))
	if !(xunsafe.IsTwoWords(n) && xunsafe.CopyTwoWords(to, from, n)) && !xunsafe.CopyShort(to, from, n) &&
		!utf.Valid(xunsafe.Bytes(s)) {
		return w.fail(protoerr.ErrUTF8)
	}
	return w.head(tag, n, at-2)
}

// object writes a Struct. It leaves the slack free.
func (w *writer) object(s *structpb.Struct, at int) int {
	if s == nil {
		return w.Room(0, at)
	}
	if w.depth++; w.depth > maxDepth {
		return w.fail(protoerr.ErrDepth)
	}
	if u := unknown(s, unsafe.Pointer(s), unknownInStruct); len(u) > 0 {
		at = w.Raw(xunsafe.String(u), at)
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
	w.depth--
	return w.Room(0, at)
}

// entry writes an entry of an object.
func (w *writer) entry(key string, v *structpb.Value, at int) int {
	since := w.End - at
	if at = w.value(v, at); at == failed {
		return w.in(entryStep(key))
	}
	at = w.Room(0, at)
	at = w.head(index.TagValue, w.End-at-since, at-2)
	if at = w.text(index.TagKey, key, at); at == failed {
		return w.in(entryStep(key))
	}
	return w.head(index.TagElement, w.End-at-since, at-2)
}

// list writes a ListValue. It leaves the slack free.
func (w *writer) list(l *structpb.ListValue, at int) int {
	if l == nil {
		return w.Room(0, at)
	}
	if w.depth++; w.depth > maxDepth {
		return w.fail(protoerr.ErrDepth)
	}
	if u := unknown(l, unsafe.Pointer(l), unknownInList); len(u) > 0 {
		at = w.Raw(xunsafe.String(u), at)
	}
	for i := len(l.Values) - 1; i >= 0; i-- {
		since := w.End - at
		if at = w.value(l.Values[i], at); at == failed {
			return w.in(elementStep(i))
		}
		at = w.delimit(index.TagElement, w.Room(0, at), since)
	}
	w.depth--
	return w.Room(0, at)
}
