package goany

import (
	"fmt"
	"unsafe"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"

	"github.com/protean-pb/protean/internal/json/jsontext"
	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/swissmap"
	"github.com/protean-pb/protean/internal/wire/encode"
	"github.com/protean-pb/protean/internal/wire/resolve"
	"github.com/protean-pb/protean/internal/xunsafe"
)

// setPresence makes a field present that a well-known type has, by its place in the JSON's Fields,
// and returns where its value is.
func (r *reader) setPresence(j *layout.JSON, p unsafe.Pointer, i int) unsafe.Pointer {
	return r.SetPresence(j.Fields[i].Field, p)
}

// wellKnown reads the message m of a well-known type.
func (r *reader) wellKnown(l *layout.Layout, j *layout.JSON, m unsafe.Pointer, v any, depth int) bool {
	p := l.MustFieldsOf(m)
	// Sound, here and below: the layout was found to have fields of these kinds there.
	switch j.Known {
	case layout.KnownAny:
		return r.any(j, p, v, depth)
	case layout.KnownTimestamp, layout.KnownDuration:
		return r.time(j, p, v)
	case layout.KnownWrapper:
		return r.scalar(&j.Fields[0], r.setPresence(j, p, 0), v)
	case layout.KnownStruct:
		return r.entries(&j.Fields[0], unsafe.Add(p, j.Fields[0].Offset), v, depth)
	case layout.KnownList:
		return r.list(&j.Fields[0], unsafe.Add(p, j.Fields[0].Offset), v, depth)
	case layout.KnownValue:
		return r.kind(j, p, v, depth)
	case layout.KnownMask:
		return r.mask(j, p, v)
	case layout.KnownEmpty:
		members, ok := v.(map[string]any)
		if !ok {
			return r.wrong(v, "an object")
		}
		return r.members(l, new(layout.JSON), p, members, depth, false)
	}
	return r.official(l.Interface(m), v, depth+1)
}

// time reads a Timestamp or Duration.
func (r *reader) time(j *layout.JSON, p unsafe.Pointer, v any) bool {
	parse, want := jsontext.ParseTimestamp, "a Timestamp, such as \"2006-01-02T15:04:05Z\""
	if j.Known == layout.KnownDuration {
		parse, want = jsontext.ParseDuration, "a Duration, such as \"1.5s\""
	}
	s, _ := v.(string)
	seconds, nanos, ok := parse(xunsafe.Bytes(s))
	if !ok {
		return r.wrong(v, want)
	}
	*(*int64)(r.setPresence(j, p, 0)) = seconds
	*(*int32)(r.setPresence(j, p, 1)) = nanos
	return true
}

// mask reads a FieldMask.
func (r *reader) mask(j *layout.JSON, p unsafe.Pointer, v any) bool {
	s, ok := v.(string)
	if !ok {
		return r.wrong(v, "the paths of a FieldMask")
	}
	paths, bad, ok := jsontext.ParseMask(nil, xunsafe.Bytes(s))
	if !ok {
		return r.fail(protoerr.ErrValue, fmt.Sprintf("%q is no path of a FieldMask", protoerr.Clip(string(bad))))
	}
	*(*[]string)(unsafe.Add(p, j.Fields[0].Offset)) = paths
	return true
}

// The places of the fields of a Value in its JSON's Fields.
const (
	nullField = iota
	numberField
	stringField
	boolField
	structField
	listField
)

// kind reads a Value that is not of structpb's type.
func (r *reader) kind(j *layout.JSON, p unsafe.Pointer, v any, depth int) bool {
	i := numberField
	switch v.(type) {
	case nil:
		*(*int32)(r.setPresence(j, p, nullField)) = 0
		return true
	case bool:
		i = boolField
	case string, []byte:
		i = stringField
	case map[string]any, []any:
		i = structField
		if _, ok := v.([]any); ok {
			i = listField
		}
		sub := j.Fields[i].Sub
		m := r.AllocMessage(sub)
		*(*unsafe.Pointer)(r.setPresence(j, p, i)) = m
		return r.message(sub, m, v, depth+1) // the two count as one
	}
	return r.scalar(&j.Fields[i], r.setPresence(j, p, i), v)
}

// any reads an Any.
func (r *reader) any(j *layout.JSON, p unsafe.Pointer, v any, depth int) bool {
	m, ok := v.(map[string]any)
	switch {
	case !ok:
		return r.wrong(v, "an object")
	case len(m) == 0:
		return true
	}
	// All that an Any has beside its type is counted as if it were skipped.
	for name, v := range swissmap.All(m) {
		if name != typeName && !r.skip(v, depth) {
			return false
		}
	}
	name, ok := m[typeName]
	if !ok {
		if r.DiscardUnknown {
			return r.skip(m, depth) // which counts the object, too
		}
		return r.fail(protoerr.ErrAny, `it has no "@type"`)
	}
	if name, ok = r.plain(name); !ok {
		return false
	}
	url, ok := r.text(name, "the URL of a type")
	if !ok {
		return false
	}
	if url == "" {
		return r.fail(protoerr.ErrAny, `its "@type" is empty`)
	}
	in, detail, err := resolve.New(r.Resolver, url)
	if err != nil {
		return r.fail(err, detail)
	}
	b, ok := r.inside(in, m, depth)
	if !ok {
		return false
	}
	*(*string)(r.setPresence(j, p, 0)) = url
	if len(b) > 0 {
		*(*[]byte)(r.setPresence(j, p, 1)) = b
	}
	return true
}

// inside reads the members of an Any with such a message in it, and returns the wire form of
// that.
func (r *reader) inside(in proto.Message, m map[string]any, depth int) (b []byte, ok bool) {
	l, p := layout.Of(in)
	switch c := l.Ready(); {
	case c == layout.Official:
		return r.foreign(m, depth)
	case c != layout.Fast || l.JSON().Known != layout.NotKnown:
		ok = r.valueIn(l, p, m, depth)
	case depth <= 0:
		return nil, r.fail(protoerr.ErrDepth, "")
	default:
		ok = r.members(l, l.JSON(), l.MustFieldsOf(p), m, depth-1, true)
	}
	if !ok {
		return nil, false
	}
	b, err := encode.Append(nil, l, p, encode.Options{AllowPartial: true, Deterministic: true})
	if err != nil {
		path, cause := protoerr.Inner(err)
		r.fail(cause, "")
		r.trace = append(r.trace, path)
		return nil, false
	}
	return b, true
}

// valueIn reads the members of an Any whose value is one of them.
func (r *reader) valueIn(l *layout.Layout, p unsafe.Pointer, m map[string]any, depth int) bool {
	for name := range swissmap.All(m) {
		if name != typeName && name != valueName && !r.DiscardUnknown {
			return r.fail(protoerr.ErrUnknown, protoerr.Clip(name))
		}
	}
	v, ok := m[valueName]
	if !ok {
		return l.Desc.FullName() == "google.protobuf.Empty" || r.fail(protoerr.ErrAny, `it has no "value"`)
	}
	if v, ok = r.plain(v); !ok {
		return false
	}
	return r.message(l, p, v, depth+1) // what is in an Any as its value does not count
}

// foreign has the official library read the message in an Any, which no layout describes.
func (r *reader) foreign(m map[string]any, depth int) ([]byte, bool) {
	outer := new(anypb.Any)
	ok := r.official(outer, m, depth+1)
	return outer.Value, ok
}
