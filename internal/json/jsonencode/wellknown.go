package jsonencode

import (
	"fmt"
	"math"
	"unsafe"

	"google.golang.org/protobuf/types/known/anypb"

	"github.com/protean-pb/protean/internal/json/jsontext"
	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/wire/resolve"
	"github.com/protean-pb/protean/internal/xunsafe"
)

// zeros is a value of any kind that is zero or empty. It is never written.
var zeros [3]uintptr

// part returns where the value of a field is that a well-known type has, by its place in
// the JSON's Fields; if it is absent, that of a zero.
func part(l *layout.Layout, j *layout.JSON, p unsafe.Pointer, i int) unsafe.Pointer {
	if q := l.Locate(j.Fields[i].Field, p); q != nil {
		return q
	}
	return unsafe.Pointer(&zeros)
}

// encodeWellKnown writes the message m of a well-known type.
func (e *encoder) encodeWellKnown(l *layout.Layout, j *layout.JSON, m unsafe.Pointer, at int) int {
	p := l.FieldsOf(m)
	if p == nil {
		return e.encodeReflectedMessage(layout.MessageAt(m).Interface(), at)
	}
	// Sound, here and below: the layout was found to have fields of these kinds there.
	switch j.Known {
	case layout.KnownAny:
		missing := e.missing
		at = e.encodeAny(l, j, p, at)
		e.missing = missing // what is in an Any need not be complete
		return at
	case layout.KnownTimestamp, layout.KnownDuration:
		return e.time(j.Known, *(*int64)(part(l, j, p, 0)), *(*int32)(part(l, j, p, 1)), at)
	case layout.KnownWrapper:
		return e.encodeValue(&j.Fields[0], j.Fields[0].ValueKind, part(l, j, p, 0), at)
	case layout.KnownStruct:
		return e.encodeMap(&j.Fields[0], part(l, j, p, 0), at)
	case layout.KnownList:
		return e.encodeList(&j.Fields[0], part(l, j, p, 0), at)
	case layout.KnownValue:
		return e.encodeStructValue(l, j, p, at)
	case layout.KnownMask:
		return e.mask(*(*[]string)(part(l, j, p, 0)), at)
	}
	return e.encodeOfficial(l.Interface(m), at)
}

// time writes a Timestamp or Duration.
func (e *encoder) time(k layout.Known, seconds int64, nanos int32, at int) int {
	format, what := jsontext.AppendTimestamp, "a Timestamp"
	if k == layout.KnownDuration {
		format, what = jsontext.AppendDuration, "a Duration"
	}
	out, ok := format(e.buf[:e.put('"', at)], seconds, nanos)
	if !ok {
		return e.fail(protoerr.ErrValue, fmt.Sprintf("%d seconds and %d nanoseconds are out of the range of %s",
			seconds, nanos, what))
	}
	return e.put('"', e.wrote(out))
}

// mask writes a FieldMask.
func (e *encoder) mask(paths []string, at int) int {
	out, bad := jsontext.AppendMask(e.buf[:e.put('"', at)], paths)
	if bad >= 0 {
		return e.fail(protoerr.ErrValue, fmt.Sprintf("the path %q of a FieldMask has no form in lowerCamelCase",
			protoerr.Clip(paths[bad])))
	}
	return e.put('"', e.wrote(out))
}

const (
	unsetValue = "a google.protobuf.Value of no kind"
	notFinite  = "a google.protobuf.Value cannot be NaN or infinite"
)

// encodeStructValue writes a Value that is not of structpb's type.
func (e *encoder) encodeStructValue(l *layout.Layout, j *layout.JSON, p unsafe.Pointer, at int) int {
	for i := range j.Fields {
		f := &j.Fields[i]
		q := l.Locate(f.Field, p)
		if q == nil {
			continue
		}
		if f.ValueKind == layout.JSONDouble {
			if x := *(*float64)(q); math.IsNaN(x) || math.IsInf(x, 0) {
				return e.fail(protoerr.ErrValue, notFinite)
			}
		}
		return e.encodeValue(f, f.ValueKind, q, at)
	}
	return e.fail(protoerr.ErrValue, unsetValue)
}

// encodeAny writes an Any: what is in it, and its type.
func (e *encoder) encodeAny(l *layout.Layout, j *layout.JSON, p unsafe.Pointer, at int) int {
	url, value := *(*string)(part(l, j, p, 0)), *(*[]byte)(part(l, j, p, 1))
	if url == "" {
		if len(value) > 0 {
			return e.fail(protoerr.ErrAny, "it has a value and no type_url")
		}
		return e.raw("{}", at)
	}
	t, detail, err := resolve.Type(e.Resolver, url)
	if err != nil {
		return e.fail(err, detail)
	}
	if l, _ = layout.Of(t.Zero().Interface()); !e.emit && l.Ready() == layout.Fast {
		before, depth := e.stacks, e.depth
		if next := e.typedWire(url, l, value, at); next >= 0 {
			return next
		}
		e.stacks, e.depth, e.err, e.trace = before, depth, nil, nil
	}
	l, p = layout.Of(t.New().Interface())
	if l.Ready() == layout.Official {
		return e.encodeOfficial(&anypb.Any{TypeUrl: url, Value: value}, at)
	}
	// What is read refers to the value, and lives shorter than that.
	if detail, err := resolve.Open(e.Resolver, value, l, p, true); err != nil {
		return e.fail(err, detail)
	}
	return e.typed(url, l, p, at)
}

var typeName = xunsafe.Pad(`{"@type":`)

// typed writes the message at p with its type.
func (e *encoder) typed(url string, l *layout.Layout, p unsafe.Pointer, at int) int {
	if at = e.typeOf(url, at); at < 0 {
		return failed
	}
	j := l.JSON()
	if j.Object {
		if at = e.encodeMembers(l, j, l.MustFieldsOf(p), at); at < 0 {
			return failed
		}
		return e.put('}', at)
	}
	if at = e.encodeMessage(l, p, e.raw(`,"value":`, at)); at < 0 {
		return failed
	}
	return e.put('}', at)
}

// typedWire writes the members of an Any that holds the message whose wire form is b. It fails if that is irregular.
func (e *encoder) typedWire(url string, l *layout.Layout, b []byte, at int) int {
	j := l.JSON()
	if j.Known != layout.NotKnown {
		return e.irregular()
	}
	if at = e.typeOf(url, at); at < 0 {
		return failed
	}
	if at = e.encodeWire(l, j, b, at, 0); at < 0 {
		return failed
	}
	return e.put('}', at)
}

// typeOf writes the start of an Any, up to its type.
func (e *encoder) typeOf(url string, at int) int {
	typeName.CopyTo(unsafe.Add(e.base, at)) // Sound: slack bytes are free.
	return e.string(url, at+typeName.Len())
}
