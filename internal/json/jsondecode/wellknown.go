package jsondecode

import (
	"fmt"
	"unsafe"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/protean-pb/protean/internal/json/jsontext"
	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/wire/encode"
	"github.com/protean-pb/protean/internal/wire/resolve"
	"github.com/protean-pb/protean/internal/xunsafe"
)

// part returns where the value of a field is that a well-known type has, by its place in
// the JSON's Fields, and makes it present.
func (d *decoder) part(j *layout.JSON, p unsafe.Pointer, i int) unsafe.Pointer {
	return d.SetPresence(j.Fields[i].Field, p)
}

// decodeWellKnown reads the message m of a well-known type.
func (d *decoder) decodeWellKnown(l *layout.Layout, j *layout.JSON, m unsafe.Pointer, pos, depth int) int {
	p := l.MustFieldsOf(m)
	// Sound, here and below: the layout was found to have fields of these kinds there.
	switch j.Known {
	case layout.KnownAny:
		return d.decodeAny(j, p, pos, depth)
	case layout.KnownTimestamp, layout.KnownDuration:
		return d.time(j, p, pos)
	case layout.KnownWrapper:
		f := &j.Fields[0]
		return d.decodeScalar(f, d.part(j, p, 0), pos)
	case layout.KnownStruct:
		return d.decodeMap(&j.Fields[0], unsafe.Add(p, j.Fields[0].Offset), pos, depth)
	case layout.KnownList:
		return d.decodeList(&j.Fields[0], unsafe.Add(p, j.Fields[0].Offset), pos, depth)
	case layout.KnownValue:
		return d.decodeStructValue(j, p, pos, depth)
	case layout.KnownMask:
		return d.mask(j, p, pos)
	case layout.KnownEmpty:
		return d.decodeObject(l, &layout.JSON{}, p, pos, depth)
	}
	return d.official(l.Interface(m), pos, depth+1)
}

// time reads a Timestamp or Duration.
func (d *decoder) time(j *layout.JSON, p unsafe.Pointer, pos int) int {
	parse, want := jsontext.ParseTimestamp, "a Timestamp, such as \"2006-01-02T15:04:05Z\""
	if j.Known == layout.KnownDuration {
		parse, want = jsontext.ParseDuration, "a Duration, such as \"1.5s\""
	}
	if d.byte(pos) != '"' {
		return d.notOf(pos, want)
	}
	s, next := d.quoted(pos)
	if next < 0 {
		return failed
	}
	seconds, nanos, ok := parse(s)
	if !ok {
		return d.wrong(pos, next, want)
	}
	*(*int64)(d.part(j, p, 0)) = seconds
	*(*int32)(d.part(j, p, 1)) = nanos
	return next
}

// mask reads a FieldMask.
func (d *decoder) mask(j *layout.JSON, p unsafe.Pointer, pos int) int {
	if d.byte(pos) != '"' {
		return d.notOf(pos, "the paths of a FieldMask")
	}
	s, next := d.quoted(pos)
	if next < 0 {
		return failed
	}
	paths, bad, ok := jsontext.ParseMask(nil, s)
	if !ok {
		return d.fail(protoerr.ErrValue, pos, fmt.Sprintf("%q is no path of a FieldMask", protoerr.Clip(string(bad))))
	}
	*(*[]string)(unsafe.Add(p, j.Fields[0].Offset)) = paths
	return next
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

// decodeStructValue reads a Value that is not of structpb's type.
func (d *decoder) decodeStructValue(j *layout.JSON, p unsafe.Pointer, pos, depth int) int {
	switch c := d.byte(pos); c {
	case 'n':
		*(*int32)(d.part(j, p, nullField)) = 0
		return d.word(pos, "null")
	case 't', 'f':
		return d.bool((*bool)(d.part(j, p, boolField)), pos)
	case '"':
		return d.string((*string)(d.part(j, p, stringField)), pos)
	case '{', '[':
		i := structField
		if c == '[' {
			i = listField
		}
		sub := j.Fields[i].Sub
		m := d.AllocMessage(sub)
		*(*unsafe.Pointer)(d.part(j, p, i)) = m
		return d.decodeMessage(sub, m, pos, depth+1) // the two count as one
	}
	return d.decodeScalar(&j.Fields[numberField], d.part(j, p, numberField), pos)
}

// typeName is the name of the member of an Any that says what is in it.
const typeName = "@type"

// decodeAny reads an Any.
func (d *decoder) decodeAny(j *layout.JSON, p unsafe.Pointer, pos, depth int) int {
	if d.byte(pos) != '{' {
		return d.notOf(pos, "an object")
	}
	first := jsontext.SkipSpace(d.in, pos+1)
	if d.byte(first) == '}' {
		return first + 1
	}
	at, next, t := d.findType(first, depth)
	if next < 0 {
		return failed
	}
	if at < 0 { // there is none
		if d.DiscardUnknown {
			return d.skipValue(pos, depth) // with all that is in it
		}
		return d.fail(protoerr.ErrAny, pos, noType)
	}
	var url string
	if d.string(&url, at) < 0 {
		return failed
	}
	if url == "" {
		return d.fail(protoerr.ErrAny, at, emptyType)
	}
	m, detail, err := resolve.New(d.Resolver, url)
	if err != nil {
		return d.fail(err, at, detail)
	}
	b, pos := d.packed(m, pos, next, depth, t)
	if pos < 0 {
		return failed
	}
	*(*string)(d.part(j, p, 0)) = url
	if len(b) > 0 {
		*(*[]byte)(d.part(j, p, 1)) = b
	}
	return pos
}

const (
	noType    = `it has no "@type"`
	emptyType = `its "@type" is empty`
)

// packed reads the members from next on, of the object at pos, as an Any with a message
// of m's type in it, and returns the wire form of that.
func (d *decoder) packed(m proto.Message, pos, next, depth int, t typeMember) ([]byte, int) {
	l, p := layout.Of(m)
	if l.Ready() == layout.Official {
		return d.foreign(m, pos, depth)
	}
	end := d.inside(l, p, pos, next, depth, t)
	if end < 0 {
		return nil, failed
	}
	b, err := encode.Append(nil, l, p, encode.Options{AllowPartial: true, Deterministic: true})
	if err != nil {
		path, cause := protoerr.Inner(err)
		d.fail(cause, pos, "")
		d.trace = append(d.trace, path)
		return nil, failed
	}
	return b, end
}

// inside reads the members from next on, of the object at pos, as an Any with the message at p in it.
func (d *decoder) inside(l *layout.Layout, p unsafe.Pointer, pos, next, depth int, t typeMember) int {
	var j *layout.JSON
	if l.Ready() == layout.Fast {
		j = l.JSON()
	}
	switch {
	case j == nil || j.Known != layout.NotKnown:
		return d.anyValue(l, p, next, depth, t)
	case depth <= 0:
		return d.fail(protoerr.ErrDepth, pos, "")
	case d.byte(next) == '}':
		return next + 1 // there is nothing but the type
	}
	return d.decodeMembers(l, j, l.MustFieldsOf(p), next, depth-1, t)
}

// anyValue reads the members of an Any whose value is one of them.
func (d *decoder) anyValue(l *layout.Layout, p unsafe.Pointer, pos, depth int, t typeMember) int {
	found := false
	for done := d.byte(pos) == '}'; !done; {
		name, next := d.name(pos)
		if next < 0 {
			return failed
		}
		next = jsontext.SkipSpace(d.in, next)
		switch {
		case string(name) == typeName:
			next = d.typeAgain(t, pos, next)
		case string(name) == "value" && found:
			return d.fail(protoerr.ErrDuplicate, pos, "value")
		case string(name) == "value":
			found = true
			next = d.decodeMessage(l, p, next, depth+1) // what is in an Any as its value does not count
		case d.DiscardUnknown:
			next = d.skipValue(next, depth)
		default:
			return d.fail(protoerr.ErrUnknown, pos, protoerr.Clip(string(name)))
		}
		if next < 0 {
			return failed
		}
		if pos, done = d.nextMember(next); pos < 0 {
			return failed
		}
		if done {
			pos--
		}
	}
	if !found && l.Desc.FullName() != "google.protobuf.Empty" {
		return d.fail(protoerr.ErrAny, pos, `it has no "value"`)
	}
	return pos + 1
}

// typeAgain skips the type of an Any, which is known.
func (d *decoder) typeAgain(t typeMember, start, pos int) int {
	if t == after {
		return d.fail(protoerr.ErrDuplicate, start, typeName)
	}
	return d.skipString(pos)
}

// foreign has the official library read the object at pos as such an Any: only it can read the message.
func (d *decoder) foreign(m proto.Message, pos, depth int) ([]byte, int) {
	a, err := protoregistry.GlobalTypes.FindMessageByName("google.protobuf.Any")
	if err != nil {
		return nil, d.fail(err, pos, "")
	}
	outer := a.New()
	next := d.official(outer.Interface(), pos, depth+1)
	if next < 0 {
		return nil, failed
	}
	return outer.Get(outer.Descriptor().Fields().ByNumber(2)).Bytes(), next
}

// findType looks for the type among the members of an Any, from the first one at pos on.
// It returns where its value is, -1 if there is none, and the member from which on to read.
func (d *decoder) findType(pos, depth int) (at, next int, t typeMember) {
	first := pos
	at = -1
	for done := false; !done; {
		name, next := d.name(pos)
		if next < 0 {
			return 0, failed, typed
		}
		next = jsontext.SkipSpace(d.in, next)
		switch {
		case string(name) != typeName:
			next = d.skipValue(next, depth)
		case at >= 0:
			next = d.fail(protoerr.ErrDuplicate, pos, typeName)
		case d.byte(next) != '"':
			next = d.notOf(next, "a string")
		default:
			at = next
			next = d.skipString(next)
			if next >= 0 && pos == first && len(d.in)-next <= 2*depth {
				// The type comes first, as it mostly does, and what follows cannot be nested
				// beyond the limit that holds for what is skipped: it need not be.
				return at, d.afterType(next), after
			}
		}
		if next < 0 {
			return 0, failed, typed
		}
		if pos, done = d.nextMember(next); pos < 0 {
			return 0, failed, typed
		}
	}
	return at, first, typed
}

// afterType returns where the next member is after the type of an Any, or the bracket that
// ends it.
func (d *decoder) afterType(pos int) int {
	next, done := d.nextMember(pos)
	switch {
	case next < 0:
		return failed
	case done:
		return next - 1
	case d.byte(next) == '}': // after a comma, where it would be taken for the end
		return d.unexpected(next, "a name")
	}
	return next
}

// decodeExtension reads an extension field, if the resolver knows it.
func (d *decoder) decodeExtension(
	l *layout.Layout, p unsafe.Pointer, name string, start, pos, depth int, seen *marks,
) (next int, known bool) {
	xt, detail, err := resolve.Extension(d.Resolver, l.Desc, name)
	if err != nil {
		return d.fail(err, start, detail), true
	}
	if xt == nil {
		return 0, false
	}
	if !seen.add(-int32(xt.TypeDescriptor().Number())) {
		return d.fail(protoerr.ErrDuplicate, start, protoerr.Clip(name)), true
	}
	t := layout.ExtensionTypeOf(xt)
	f := t.JSON()
	if d.byte(pos) == 'n' && !f.TakesNull {
		return d.word(pos, "null"), true
	}
	v := xt.New()
	var set bool
	if t.List {
		set, next = true, d.decodeReflectedList(f, v.List(), pos, depth)
	} else if v, set, next = d.decodeReflected(f, v, pos, depth); next < 0 {
		d.inField(f, "")
	}
	if next >= 0 && set {
		l.SetExtension(p, t, v)
	}
	return next, true
}

// decodeReflectedList reads an array into a list that is known by reflection.
func (d *decoder) decodeReflectedList(f *layout.JSONField, list protoreflect.List, pos, depth int) int {
	if d.byte(pos) != '[' {
		d.notOf(pos, "an array")
		return d.inField(f, "")
	}
	n := 0
	for pos = jsontext.SkipSpace(d.in, pos+1); d.byte(pos) != ']' || n > 0; n++ {
		v, set, next := protoreflect.Value{}, false, 0
		if f.ValueKind == layout.JSONMessage {
			v = list.NewElement()
		}
		if v, set, next = d.decodeReflected(f, v, pos, depth); next < 0 {
			return d.inField(f, protoerr.Index(n))
		}
		if set {
			list.Append(v)
		}
		if pos = jsontext.SkipSpace(d.in, next); d.byte(pos) == ']' {
			break
		}
		if d.byte(pos) != ',' {
			d.unexpected(pos, "',' or ']'")
			return d.inField(f, "")
		}
		pos = jsontext.SkipSpace(d.in, pos+1)
	}
	return pos + 1
}

// decodeReflected reads a value; a message into v. It may be one that is not to be set.
func (d *decoder) decodeReflected(
	f *layout.JSONField, v protoreflect.Value, pos, depth int,
) (out protoreflect.Value, set bool, next int) {
	switch f.ValueKind {
	case layout.JSONMessage:
		m := v.Message().Interface()
		l, p := layout.Of(m)
		if l.Ready() == layout.Official {
			return v, true, d.official(m, pos, depth)
		}
		return v, true, d.decodeMessage(l, p, pos, depth)
	case layout.JSONEnum, layout.JSONNull:
		x, next, known := d.enum(f, pos)
		return protoreflect.ValueOfEnum(protoreflect.EnumNumber(x)), known, next
	case layout.JSONString:
		var s string
		next = d.string(&s, pos)
		return protoreflect.ValueOfString(s), true, next
	case layout.JSONBytes:
		var b []byte
		next = d.bytes(f, &b, pos)
		return protoreflect.ValueOfBytes(b), true, next
	}
	var x [8]byte
	next = d.decodeScalar(f, unsafe.Pointer(&x), pos)
	return layout.ValueOf(f.Desc, xunsafe.Load64(unsafe.Pointer(&x))), true, next
}
