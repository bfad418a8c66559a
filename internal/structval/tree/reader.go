package tree

import (
	"encoding/binary"
	"math"
	"slices"
	"unsafe"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/structval/index"
	"github.com/protean-pb/protean/internal/swissmap"
	"github.com/protean-pb/protean/internal/utf"
	"github.com/protean-pb/protean/internal/xunsafe"
)

// A reader builds the tree of a message that has been counted, and goes through it once
// more. All that it can find wrong is a text that is not UTF-8: then its methods return false
// or nil.
//
// The wire is the caller's memory and may have changed since the counting pass, although it must not. So the reader
// checks each access against its bounds, and panics beyond them.
type reader struct {
	Builder
	countingPass
	container int // the number of the next object or list, in the counting pass's counts
	entry     int // of the next entry of an object, in its numbers
}

// into reads the message into m, the first of so many of its size.
func (r *reader) into(m proto.Message, times int) bool {
	r.reserve(r.size, times)
	r.container, r.entry = 0, 0
	switch m := m.(type) {
	case *structpb.Value:
		return r.intoValue(m)
	case *structpb.Struct:
		return r.intoStruct(m)
	case *structpb.ListValue:
		return r.intoList(m)
	}
	return false
}

// release puts r back into the pool, without anything that belongs to a caller.
func (r *reader) release() {
	r.Builder = Builder{}
	r.container, r.entry = 0, 0
	r.forget()
	readers.Put(r)
}

// intoValue sets the kind of v, which has none, to that of the message.
func (r *reader) intoValue(v *structpb.Value) bool {
	// What has been read is set at the end: of a message that is not UTF-8 nothing is left.
	switch r.wire[0] {
	case index.TagNull:
		v.Kind = new(structpb.Value_NullValue)
	case index.TagNumber:
		v.Kind = &structpb.Value_NumberValue{NumberValue: r.float(1)}
	case index.TagBool:
		v.Kind = &structpb.Value_BoolValue{BoolValue: r.wire[1] != 0}
	case index.TagString:
		k := new(structpb.Value_StringValue)
		if !r.text(&k.StringValue, r.content(0), len(r.wire)) {
			return false
		}
		v.Kind = k
	case index.TagStruct:
		k := r.rootObject(r.content(0))
		if k == nil {
			return false
		}
		v.Kind = k
	case index.TagList:
		l := r.listKinds.one()
		if !r.list(&l.values, r.content(0)) {
			return false
		}
		v.Kind = l.init()
	}
	return true
}

// rootObject reads the outermost object, whose Value is the caller's.
func (r *reader) rootObject(pos int) *structpb.Value_StructValue {
	count := r.count()
	if swissmap.IsSmall(count) {
		o := r.smallKinds.one()
		if !r.few(&o.room, &o.fields, pos, count) {
			return nil
		}
		return o.init()
	}
	if count == 0 {
		return new(objectKind).init()
	}
	o, fill := r.manyOwned(r.keys.known, count)
	if !r.many(&fill, &o.fields, pos, count) {
		return nil
	}
	return o.init()
}

// intoStruct adds the entries of the message to s. Where s has an entry of the same key,
// that is replaced and not merged.
func (r *reader) intoStruct(s *structpb.Struct) bool {
	count := r.count()
	switch {
	case s.Fields != nil:
		return r.add(s.Fields, 0, count)
	case swissmap.IsSmall(count):
		return r.few(r.smallMaps.one(), s, 0, count)
	}
	fill := r.manyFields(r.keys.known, count)
	return r.many(&fill, s, 0, count)
}

// intoList adds the elements of the message to l.
func (r *reader) intoList(l *structpb.ListValue) bool {
	old, count := l.Values, r.count()
	if old == nil {
		all := r.Builder.elements.run(count)
		if !r.elements(all, 0) {
			return false
		}
		l.Values = all
		return true
	}
	all := slices.Grow(old, count)[:len(old)+count]
	if !r.elements(all[len(old):], 0) {
		return false
	}
	l.Values = all
	return true
}

// count returns how many entries or elements the next object or list has.
func (r *reader) count() int {
	n := r.counts[r.container]
	r.container++
	return int(n)
}

// content returns where the content starts of a field with a length.
func (r *reader) content(pos int) int {
	for pos++; r.wire[pos] >= 0x80; pos++ {
	}
	return pos + 1
}

// field returns where the content of a field with a length starts, and where it ends.
func (r *reader) field(pos int) (start, end int) {
	if n := int(r.wire[pos+1]); n < 0x80 {
		return pos + 2, pos + 2 + n
	}
	return r.longField(pos)
}

//go:noinline
func (r *reader) longField(pos int) (start, end int) {
	n, size := binary.Uvarint(r.wire[pos+1:])
	start = pos + 1 + size
	return start, start + int(n)
}

func (r *reader) float(pos int) float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(r.wire[pos:]))
}

// value returns the Value between pos and end.
func (r *reader) value(pos, end int) *structpb.Value {
	if pos == end {
		return r.Unset()
	}
	switch r.wire[pos] {
	case index.TagString:
		start := pos + 2
		if r.wire[pos+1] >= 0x80 {
			start = r.content(pos)
		}
		l := r.leaves.one()
		if !r.text(&l.text.StringValue, start, end) {
			return nil
		}
		l.value.Kind = &l.text
		return &l.value
	case index.TagNumber:
		return r.Number(r.float(pos + 1))
	case index.TagBool:
		return r.Bool(r.wire[pos+1] != 0)
	case index.TagStruct:
		return r.object(r.content(pos))
	case index.TagList:
		l := r.lists.one()
		if !r.list(&l.values, r.content(pos)) {
			return nil
		}
		return l.init()
	}
	return r.Null()
}

// object returns the object whose entries start at pos. One without any has no map, as the
// official library does it.
func (r *reader) object(pos int) *structpb.Value {
	count := r.count()
	if swissmap.IsSmall(count) {
		o := r.small.one()
		if !r.few(&o.room, &o.fields, pos, count) {
			return nil
		}
		return o.init()
	}
	return r.otherObject(pos, count)
}

// otherObject reads an object of no or many entries.
func (r *reader) otherObject(pos, count int) *structpb.Value {
	if count == 0 {
		return r.objects.one().init()
	}
	o, fill := r.Builder.many(r.keys.known, count)
	if !r.many(&fill, &o.fields, pos, count) {
		return nil
	}
	return o.init()
}

// add adds entries to a map.
func (r *reader) add(fields map[string]*structpb.Value, pos, count int) bool {
	for range count {
		r.entry++
		e := r.entryAt(pos)
		var key string
		if !r.text(&key, e.key, e.keyEnd) {
			return false
		}
		v := r.value(e.value, e.end)
		if v == nil {
			return false
		}
		fields[key], pos = v, e.end
	}
	return true
}

// A span is where an entry of an object has its key and its value, and ends.
type span struct{ key, keyEnd, value, end int }

// entryAt returns where the parts of the entry at pos are.
func (r *reader) entryAt(pos int) span {
	if n := int(r.wire[pos+1]); n < 0x80 { // and so no length in it takes more than a byte
		end := pos + 4 + int(r.wire[pos+3])
		return span{pos + 4, end, end + 2, pos + 2 + n}
	}
	return r.longEntryAt(pos)
}

//go:noinline
func (r *reader) longEntryAt(pos int) (e span) {
	e.key, e.keyEnd = r.field(r.content(pos))
	e.value, e.end = r.field(e.keyEnd)
	return e
}

// few makes the map of an object of a few entries.
func (r *reader) few(room *smallMap, s *structpb.Struct, pos, count int) bool {
	fields := room.Map(r.keys.known)
	if !r.entries(fields, room, nil, pos, count) {
		return false
	}
	s.Fields = fields
	return true
}

// many makes the map of an object of many entries.
func (r *reader) many(fill *mapBuilder, s *structpb.Struct, pos, count int) bool {
	if !r.entries(fill.Map(), nil, fill, pos, count) {
		return false
	}
	s.Fields = fill.Map()
	return true
}

// entries fills the map of an object, which is in the room or what fill fills.
func (r *reader) entries(fields map[string]*structpb.Value, room *smallMap, fill *mapBuilder, pos, count int) bool {
	known := r.keys.known
	var there keySet
	for range count {
		number := r.numbers[r.entry]
		r.entry++
		e := r.entryAt(pos)
		v := r.value(e.value, e.end)
		if v == nil {
			return false
		}
		pos = e.end
		switch {
		case number == 0:
			var key string
			if !r.text(&key, e.key, e.keyEnd) {
				return false
			}
			fields[key] = v
		case !there.add(number):
			fields[known.Name(int(number))] = v
		case room != nil:
			room.Put(known, int(number), v)
		default:
			fill.Put(int(number), v)
		}
	}
	return true
}

// list sets the elements of l, which has none.
func (r *reader) list(l *structpb.ListValue, pos int) bool {
	l.Values = r.Builder.elements.run(r.count())
	return r.elements(l.Values, pos)
}

// elements reads as many elements as there is room for.
func (r *reader) elements(out []*structpb.Value, pos int) bool {
	for i := range out {
		start, end := r.field(pos)
		v := r.value(start, end)
		if v == nil {
			return false
		}
		out[i], pos = v, end
	}
	return true
}

// text sets a string to the text from start to end, if that is UTF-8.
func (r *reader) text(to *string, start, end int) bool {
	text := r.wire[start:end]
	n := len(text)
	if !r.own || n == 0 || n > xunsafe.MaxShort {
		return r.longText(to, text)
	}
	b := &r.Builder.text
	if n > len(b.items)-b.used {
		b.refill(n)
	}
	// Sound: there are n bytes at either place, one at least.
	p := unsafe.Add(unsafe.Pointer(unsafe.SliceData(b.items)), b.used)
	b.used += n
	*to = unsafe.String((*byte)(p), n)
	return xunsafe.CopyShort(p, unsafe.Pointer(unsafe.SliceData(text)), n) || utf.Valid(text)
}

//go:noinline
func (r *reader) longText(to *string, text []byte) bool {
	if r.own {
		*to = r.Own(text)
	} else {
		*to = xunsafe.String(text)
	}
	return utf.Valid(text)
}
