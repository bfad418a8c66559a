package goany

import (
	"fmt"
	"unsafe"

	"google.golang.org/protobuf/types/known/anypb"

	"github.com/protean-pb/protean/internal/json/jsontext"
	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/structval/anybuilder"
	"github.com/protean-pb/protean/internal/wire/resolve"
	"github.com/protean-pb/protean/internal/xunsafe"
)

// part returns where the value of a field is that a well-known type has, by its place in
// the JSON's Fields; if it is absent, that of a zero.
func part(l *layout.Layout, j *layout.JSON, p unsafe.Pointer, i int) unsafe.Pointer {
	if q := l.Locate(j.Fields[i].Field, p); q != nil {
		return q
	}
	return unsafe.Pointer(&zeros)
}

// wellKnown returns the message m of a well-known type; nil is an empty one.
func (w *writer) wellKnown(l *layout.Layout, j *layout.JSON, m unsafe.Pointer) (any, bool) {
	if m == nil {
		m = l.NewMessage()
	}
	p := l.MustFieldsOf(m)
	// Sound, here and below: the layout was found to have fields of these kinds there.
	switch j.Known {
	case layout.KnownAny:
		return w.any(l, j, p)
	case layout.KnownTimestamp, layout.KnownDuration:
		return w.time(j.Known, *(*int64)(part(l, j, p, 0)), *(*int32)(part(l, j, p, 1)))
	case layout.KnownWrapper:
		return w.value(&j.Fields[0], part(l, j, p, 0), 1)
	case layout.KnownStruct:
		return w.entries(&j.Fields[0], part(l, j, p, 0), true)
	case layout.KnownList:
		return w.list(&j.Fields[0], part(l, j, p, 0), true)
	case layout.KnownValue:
		return w.structValue(l, j, p)
	case layout.KnownMask:
		return w.mask(*(*[]string)(part(l, j, p, 0)))
	}
	return w.official(l.Interface(m))
}

// time returns a Timestamp or Duration.
func (w *writer) time(k layout.Known, seconds int64, nanos int32) (any, bool) {
	format, what := jsontext.AppendTimestamp, "a Timestamp"
	if k == layout.KnownDuration {
		format, what = jsontext.AppendDuration, "a Duration"
	}
	out, ok := format(w.Room(timeRoom), seconds, nanos)
	if !ok {
		return w.Fail(protoerr.ErrValue, fmt.Sprintf("%d seconds and %d nanoseconds are out of the range of %s",
			seconds, nanos, what))
	}
	return w.Own(out), true
}

// mask returns a FieldMask.
func (w *writer) mask(paths []string) (any, bool) {
	out, bad := jsontext.AppendMask(nil, paths)
	if bad >= 0 {
		return w.Fail(protoerr.ErrValue, fmt.Sprintf("the path %q of a FieldMask has no form in lowerCamelCase",
			protoerr.Clip(paths[bad])))
	}
	return w.String(xunsafe.String(out)), true
}

// structValue returns a Value that is not of structpb's type.
func (w *writer) structValue(l *layout.Layout, j *layout.JSON, p unsafe.Pointer) (any, bool) {
	for i := range j.Fields {
		f := &j.Fields[i]
		q := l.Locate(f.Field, p)
		if q == nil {
			continue
		}
		if f.ValueKind == layout.JSONDouble {
			if x := *(*float64)(q); x-x != 0 { // it is not finite
				return w.Fail(protoerr.ErrValue, anybuilder.BadNumber)
			}
		}
		return w.value(f, q, 0)
	}
	return w.Fail(protoerr.ErrValue, anybuilder.UnsetValue)
}

// any returns an Any: what is in it, and its type.
func (w *writer) any(l *layout.Layout, j *layout.JSON, p unsafe.Pointer) (any, bool) {
	url, value := *(*string)(part(l, j, p, 0)), *(*[]byte)(part(l, j, p, 1))
	if url == "" {
		if len(value) > 0 {
			return w.Fail(protoerr.ErrAny, "it has a value and no type_url")
		}
		return w.empty()
	}
	m, detail, err := resolve.New(w.Resolver, url)
	if err != nil {
		return w.Fail(err, detail)
	}
	l, p = layout.Of(m)
	if l.Ready() == layout.Official {
		return w.official(&anypb.Any{TypeUrl: url, Value: value})
	}
	// The strings of the result must not change when the bytes of the value do.
	if detail, err := resolve.Open(w.Resolver, value, l, p, false); err != nil {
		return w.Fail(err, detail)
	}
	return w.convertCounted(l, p, url, 1)
}

// typed returns the message at p, which has a form of its own, with its type.
func (w *writer) typed(l *layout.Layout, p unsafe.Pointer, url string) (any, bool) {
	if !w.Open() {
		return nil, false
	}
	out := w.Map(2)
	var ok bool
	if out[typeName], ok = w.Text(url); !ok {
		return nil, false
	}
	if out[valueName], ok = w.message(l, p, ""); !ok {
		return nil, false
	}
	w.Depth--
	return out, true
}

// empty returns an object without members.
func (w *writer) empty() (any, bool) {
	if !w.Open() {
		return nil, false
	}
	w.Depth--
	return w.Map(0), true
}
