package goany

import (
	"slices"
	"unsafe"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/structval/anybuilder"
	"github.com/protean-pb/protean/internal/swissmap"
	"github.com/protean-pb/protean/internal/xunsafe"
)

// A countingPass walks over a message before values are made of it, and keeps which fields are to be
// written, of it and of those below, and what memory all that takes. So every map is made for
// its number of entries, and memory is allocated once. Messages in maps and in long lists get a
// counting pass of their own when their turn comes.
//
// It has the messages in the order in which they are visited later: for each the number of its
// fields, and those.
type countingPass struct {
	marks  []mark
	at     int // what is to be visited next
	need   anybuilder.SizeHint
	values [classes]int // how many of each class are needed beside that
	depth  int
	looked int // at how many Values, Structs and ListValues

	missing bool // whether a required field may be
}

// A class is what a value needs.
type class uint8

const (
	inPlace   class = iota // nothing
	aNumber                // a float64
	aString                // a string
	anInteger              // an integer of 64 bits
	someBytes              // bytes
	composite              // a message, list or map
	classes   = iota
)

var classOf = [1 << 8]class{ // by form
	layout.JSONInt32: aNumber, layout.JSONUint32: aNumber, layout.JSONFloat: aNumber, layout.JSONDouble: aNumber,
	layout.JSONString: aString, layout.JSONEnum: aString, layout.JSONInt64: anInteger, layout.JSONUint64: anInteger,
	layout.JSONBytes: someBytes, layout.JSONMessage: composite, layout.JSONList: composite, layout.JSONMap: composite,
}

// A mark is a field that is to be written, its index in the JSON's Fields, or a number of
// fields.
type mark int32

// What else a mark says, in its lowest bits.
const (
	absent    mark = 1 << iota // the field is not set
	inAdvance                  // the messages in the list are counted, too
	markShift = iota
)

// The messages in a list are counted if it is not longer than maxAdvance, and not after
// maxMarks marks. The memory for more than maxKept is not kept.
const (
	maxAdvance = 64
	maxMarks   = 1 << 10
	maxKept    = 1 << 12
)

// visit takes the next message, and returns where its marks are.
func (s *countingPass) visit() (from, end int) {
	from = s.at + 1
	end = from + int(s.marks[s.at])
	s.at = end
	return from, end
}

// convertCounted makes a counting pass over a message, of which parts are to come, and converts it; with its
// type, if it is in an Any.
func (w *writer) convertCounted(l *layout.Layout, p unsafe.Pointer, url string, parts int) (any, bool) {
	before, here := w.at, len(w.marks)
	w.at, w.need, w.values, w.depth, w.looked = here, anybuilder.SizeHint{}, [classes]int{}, w.Depth, 0
	w.countMessage(l, p)
	w.need.Numbers += w.values[aNumber]
	w.need.Strings += w.values[aString] + w.values[someBytes]
	if !w.UseInt64Numbers {
		w.need.Strings += w.values[anInteger]
		w.need.Text += w.values[anInteger] * integerRoom
	}
	w.Reserve(&w.need, parts)
	v, ok := w.message(l, p, url)
	w.marks, w.at = w.marks[:here], before
	return v, ok
}

// countMessage counts the message at p.
func (w *writer) countMessage(l *layout.Layout, p unsafe.Pointer) {
	switch l.Ready() {
	case layout.Fast:
		fields := p
		if p != nil {
			if fields = l.FieldsOf(p); fields == nil {
				if l, p = layout.Of(layout.MessageAt(p).Interface()); l.Ready() != layout.Official {
					w.countMessage(l, p)
				}
				return
			}
		}
		w.countFields(l, fields)
	case layout.Value:
		// Sound, here and below: the class says what p points to.
		w.need.Value((*structpb.Value)(p))
	case layout.Struct:
		w.need.Struct((*structpb.Struct)(p))
	case layout.List:
		w.need.ListValue((*structpb.ListValue)(p))
	}
}

func (w *writer) countFields(l *layout.Layout, p unsafe.Pointer) {
	j := l.JSON()
	switch j.Known {
	case layout.NotKnown, layout.KnownEmpty:
		w.countPresent(l, j, p)
	case layout.KnownTimestamp, layout.KnownDuration:
		w.need.Strings++
		w.need.Text += timeRoom
	case layout.KnownMask:
		w.need.Strings++
	case layout.KnownAny: // its type and what is in it, as far as can be foreseen
		w.need.Strings++
		w.need.Map(2)
	case layout.KnownWrapper:
		w.values[classOf[j.Fields[0].ValueKind]]++
	case layout.KnownStruct, layout.KnownList, layout.KnownValue:
		if p != nil {
			w.countStructValue(l, j, p)
		}
	}
}

// countStructValue adds what a Struct, ListValue or Value needs that is not of structpb's type, with
// what is in it, unless that is much.
func (w *writer) countStructValue(l *layout.Layout, j *layout.JSON, p unsafe.Pointer) {
	if w.looked++; w.looked > maxMarks {
		return
	}
	for i := range j.Fields {
		f := &j.Fields[i]
		q := l.Locate(f.Field, p)
		if q == nil {
			continue
		}
		w.countList(f, q)
		switch f.FieldKind {
		case layout.JSONMessage:
			w.countMessage(f.Sub, *(*unsafe.Pointer)(q))
		case layout.JSONList:
			list := *(*[]unsafe.Pointer)(q)
			for _, m := range list[:min(len(list), maxMarks)] {
				w.countMessage(f.Sub, m)
			}
		case layout.JSONMap:
			// Sound: the values of the map are pointers to messages.
			for _, m := range swissmap.All(*(*map[string]unsafe.Pointer)(q)) {
				if w.countMessage(f.Sub, m); w.looked > maxMarks {
					return
				}
			}
		}
	}
}

// countPresent counts the fields of a message, and then the messages below it.
func (w *writer) countPresent(l *layout.Layout, j *layout.JSON, p unsafe.Pointer) {
	if p == nil {
		p = l.New() // nothing is set in it
	}
	from := len(w.marks) + 1
	marks := slices.Grow(w.marks, 1+len(j.Fields))
	marks = marks[:from+len(j.Fields)]
	n, missing := 0, false
	if w.emit {
		n, missing = w.emitted(l, j, p, marks[from:])
	} else {
		n, missing = set(l, j, p, marks[from:])
	}
	w.missing = w.missing || missing
	end := from + n
	marks[from-1], w.marks = mark(n), marks[:end]
	if l.Extensions != 0 {
		n += l.ExtensionCount(p)
	}
	w.need.Map(n)
	w.depth++
	for i := from; i < end; i++ {
		m := w.marks[i]
		f := &j.Fields[m>>markShift]
		if c := classOf[f.FieldKind]; c <= anInteger {
			w.values[c]++
		} else if m&absent == 0 {
			q := f.At(l, p)
			if w.countList(f, q); f.ValueKind == layout.JSONMessage {
				w.countValue(f, q, i)
			}
		}
	}
	if w.depth <= anybuilder.MaxDepth {
		w.depth--
	}
}

// set marks the fields that are set in the message at p, and returns how many they are, and whether
// a required one is missing. There is room for all. It is a loop of its own so that what it
// needs stays in registers.
func set(l *layout.Layout, j *layout.JSON, p unsafe.Pointer, marks []mark) (n int, missing bool) {
	fields := j.Fields
	for i := range fields {
		f := &fields[i]
		// Sound, as in At: if any of the bits Zero is set, the field is there.
		if xunsafe.Load64(unsafe.Add(p, f.ZeroAt))&f.ZeroBits != 0 || f.Find(l, p) != nil {
			marks[n] = mark(i) << markShift
			n++
		} else if f.Required {
			missing = true
		}
	}
	return n, missing
}

// emitted is set where fields that are not set are written, too.
func (w *writer) emitted(l *layout.Layout, j *layout.JSON, p unsafe.Pointer, marks []mark) (n int, missing bool) {
	for i := range j.Fields {
		m, f := mark(i)<<markShift, &j.Fields[i]
		if f.At(l, p) == nil {
			missing = missing || f.Required
			if f.Oneof >= 0 || f.HasPresence && !w.EmitUnpopulated {
				continue
			}
			m |= absent
		}
		marks[n] = m
		n++
	}
	return n, missing
}

// countValue counts the messages in the field at q, whose mark has the index, unless they are in
// a map. To visit what is too deep fails; it may be without end.
func (w *writer) countValue(f *layout.JSONField, q unsafe.Pointer, i int) {
	if w.depth > anybuilder.MaxDepth {
		return
	}
	switch f.FieldKind {
	case layout.JSONMessage:
		w.countMessage(f.Sub, *(*unsafe.Pointer)(q))
	case layout.JSONList:
		list := *(*[]unsafe.Pointer)(q)
		if len(list) > maxAdvance || len(w.marks) > maxMarks {
			return
		}
		w.marks[i] |= inAdvance
		for _, m := range list {
			w.countMessage(f.Sub, m)
		}
	}
}

// countList adds what the field at q needs without the messages below it.
func (w *writer) countList(f *layout.JSONField, q unsafe.Pointer) {
	switch f.FieldKind {
	case layout.JSONList:
		n := length(f, q)
		w.need.Lists++
		w.need.Elements += n
		w.values[classOf[f.ValueKind]] += n
	case layout.JSONMap:
		n := length(f, q)
		w.need.Map(n)
		w.values[classOf[f.ValueKind]] += n
	case layout.JSONBytes:
		w.values[someBytes]++
		w.need.Text += base64Room(len(*(*[]byte)(q)))
	default:
		w.values[classOf[f.ValueKind]]++
	}
}

// length returns how many elements the list or map at q has.
func length(f *layout.JSONField, q unsafe.Pointer) int {
	// Sound: all slices are laid out alike, and all maps keep the number of their entries in
	// the same place. Nothing else is read.
	if f.FieldKind == layout.JSONList {
		return len(*(*[]struct{})(q))
	}
	return len(*(*map[int32]struct{})(q))
}
