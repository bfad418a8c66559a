// Package goany turns messages into Go values in the shapes of ProtoJSON, and such values
// into messages, as the layouts of the messages say. No text is in between.
package goany

import (
	"sync"
	"unsafe"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/json/jsonencode"
	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/structval/anybuilder"
	"github.com/protean-pb/protean/internal/swissmap"
)

// A writer is the state of one call of [ToAny]. What makes a value returns it, and false if
// that fails.
type writer struct {
	anybuilder.Tree
	countingPass
	jsonencode.Options
	emit  bool // fields that are absent too
	names int  // which of the Names of fields
}

// ToAny returns m, which must not be nil, as the types of encoding/json, and 64-bit integers
// as int64 and uint64 if they are to be numbers. The error is a [*protoerr.TextError]. It is not
// sure that all required fields are set if missing.
//
// Strings share the memory of the message; all else is the caller's.
func ToAny(m proto.Message, o jsonencode.Options) (v any, missing bool, err error) {
	var w writer // which is not copied, as the value of an expression would be
	w.Options = o
	memory := marksPool.Get().(*[]mark)
	w.marks = *memory
	if o.UseProtoNames {
		w.names = layout.ProtoName
	}
	w.emit = o.EmitUnpopulated || o.EmitDefaultValues
	l, p := layout.Of(m)
	ok := false
	if l.Ready() == layout.Official {
		v, ok = w.official(m)
	} else {
		v, ok = w.convertCounted(l, p, "", 1)
	}
	if !ok {
		err = &protoerr.TextError{Err: w.Err, Detail: w.Detail, Offset: -1, Path: w.Trace.String(),
			Message: string(proto.MessageName(m))}
	}
	if *memory = w.marks[:0]; cap(w.marks) <= maxKept {
		marksPool.Put(memory)
	}
	return v, w.missing, err
}

var marksPool = sync.Pool{New: func() any { return new([]mark) }}

// inField says, while a failure unwinds, in which field it happened.
func (w *writer) inField(f *layout.JSONField, index string) (any, bool) {
	w.Trace.Within(f.PathStep, index)
	return nil, false
}

// message returns a message, which has been counted, with its type if it is in an Any. A
// nil one is empty.
func (w *writer) message(l *layout.Layout, p unsafe.Pointer, url string) (any, bool) {
	c := l.Ready()
	if c == layout.Fast {
		fields := p
		if p != nil {
			if fields = l.FieldsOf(p); fields == nil {
				return w.mismatched(p)
			}
		}
		if j := l.JSON(); j.Known == layout.NotKnown || j.Known == layout.KnownEmpty {
			return w.object(l, j, fields, url)
		}
	}
	if url != "" {
		return w.typed(l, p, url)
	}
	switch c {
	case layout.Fast:
		return w.wellKnown(l, l.JSON(), p)
	case layout.Value:
		// Sound, here and below: the class says what p points to.
		return w.Value((*structpb.Value)(p))
	case layout.Struct:
		return w.Struct((*structpb.Struct)(p))
	case layout.List:
		return w.ListValue((*structpb.ListValue)(p))
	}
	return w.official(l.Interface(p))
}

// mismatched converts a message that is of another type than its field in a dynamic message says.
func (w *writer) mismatched(p unsafe.Pointer) (any, bool) {
	m := layout.MessageAt(p).Interface()
	l, q := layout.Of(m)
	if l.Ready() == layout.Official {
		return w.official(m)
	}
	return w.message(l, q, "")
}

// object returns the message at p as an object.
func (w *writer) object(l *layout.Layout, j *layout.JSON, p unsafe.Pointer, url string) (any, bool) {
	if !w.Open() {
		return nil, false
	}
	from, end := w.visit()
	n, extended := end-from, 0
	if url != "" {
		n++
	}
	if l.Extensions != 0 && p != nil {
		extended = l.ExtensionCount(p)
	}
	keys := j.Keys(w.names)
	if n += extended; url == "" && extended == 0 && keys != nil && swissmap.IsSmall(n) {
		room := w.Small()
		out := room.Map(keys)
		for i := from; i < end; i++ {
			m := w.marks[i]
			v, ok := w.member(l, j, p, m)
			if !ok {
				return nil, false
			}
			room.Put(keys, int(m>>markShift), v)
		}
		w.Depth--
		return out, true
	}
	fill := w.MapBuilder(keys, n)
	out := fill.Map()
	if url != "" {
		v, ok := w.Text(url)
		if !ok {
			return nil, false
		}
		out[typeName] = v
	}
	for i := from; i < end; i++ {
		m := w.marks[i]
		v, ok := w.member(l, j, p, m)
		if !ok {
			return nil, false
		}
		if keys != nil {
			fill.Put(int(m>>markShift), v)
		} else {
			out[j.Fields[m>>markShift].Name(w.names)] = v
		}
	}
	if extended > 0 && !w.extensions(l, p, out) {
		return nil, false
	}
	w.Depth--
	return out, true
}

// member returns the value of a field of the message at p.
func (w *writer) member(l *layout.Layout, j *layout.JSON, p unsafe.Pointer, m mark) (v any, ok bool) {
	f := &j.Fields[m>>markShift]
	if m&absent != 0 {
		return w.unpopulated(f), true
	}
	// Sound, here and below: the counting pass has found it there.
	q := unsafe.Add(p, f.Offset)
	if f.PresenceCheck != layout.InWord {
		q = f.At(l, p)
	}
	switch f.FieldKind { // which takes fewer calls for the most frequent forms
	case layout.JSONString:
		if v, ok = w.Text(*(*string)(q)); !ok {
			return w.inField(f, "")
		}
		return v, true
	case layout.JSONBool:
		return *(*bool)(q), true
	case layout.JSONInt32:
		return w.Number(float64(*(*int32)(q))), true
	case layout.JSONList:
		return w.list(f, q, m&inAdvance != 0)
	case layout.JSONMap:
		return w.entries(f, q, false)
	case layout.JSONMessage:
		v, ok = w.message(f.Sub, *(*unsafe.Pointer)(q), "")
	default:
		v, ok = w.value(f, q, 1)
	}
	if !ok {
		return w.inField(f, "")
	}
	return v, true
}

// The names of the members of an Any that say what is in it, the latter for what is no
// object of fields.
const (
	typeName  = "@type"
	valueName = "value"
)

// zeros is a value of any kind that is zero or empty. It is never written.
var zeros [3]uintptr

// unpopulated returns the value of a field that is absent.
func (w *writer) unpopulated(f *layout.JSONField) (v any) {
	switch {
	case f.HasPresence:
	case f.FieldKind == layout.JSONList:
		v, _ = w.List(0)
	case f.FieldKind == layout.JSONMap:
		v = w.Map(0)
	default:
		v, _ = w.value(f, unsafe.Pointer(&zeros), 1) // which cannot fail
	}
	return v
}

// extensions adds the extension fields to an object, and reports whether they have a form.
func (w *writer) extensions(l *layout.Layout, p unsafe.Pointer, out map[string]any) bool {
	var few [8]layout.Extension
	for _, x := range l.AppendExtensions(few[:0], p) {
		f := x.Type.JSON()
		v, ok := any(nil), false
		if x.Type.List {
			v, ok = w.reflectedList(f, x.Value.List())
		} else if v, ok = w.reflected(f, x.Value); !ok {
			w.inField(f, "")
		}
		if !ok {
			return false
		}
		out[f.Name(w.names)] = v
	}
	return true
}
