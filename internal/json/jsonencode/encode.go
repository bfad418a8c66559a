// Package jsonencode writes messages as ProtoJSON, as their layouts say: compact text,
// from which package jsontext makes other forms.
package jsonencode

import (
	"sync"
	"unsafe"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/internal/json/jsontext"
	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/mapsort"
	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/utf"
	"github.com/protean-pb/protean/internal/wire/resolve"
	"github.com/protean-pb/protean/internal/xunsafe"
)

// maxDepth is how deeply messages may be nested. It is far beyond what any reader takes,
// and ends the encoding of a message that contains itself.
const maxDepth = 100_000

// failed is the position that says that e.err is set.
const failed = -1

// slack is how many bytes are free before each member or element: for a short name, a
// number, and what goes around them.
const slack = 128

// Options say how to write. They are those of the official library, but for the last two.
type Options struct {
	UseProtoNames     bool
	UseEnumNumbers    bool
	EmitUnpopulated   bool
	EmitDefaultValues bool
	Resolver          resolve.Resolver

	UseInt64Numbers bool // 64-bit integers are numbers, not strings,
	OnlyExact       bool // but for those that a double cannot hold
}

// An encoder is the state of one call. What it writes goes to buf, and where it goes on is
// handed from call to call, so that it stays in a register; all methods that write return
// the new position, or failed.
type encoder struct {
	buf   []byte
	base  unsafe.Pointer // to the first byte of buf
	limit int            // up to where slack bytes are free
	Options
	emit  bool // fields that are absent too
	depth int

	missing bool // whether a required field may be

	stacks
	cell cell

	err    error
	detail string
	trace  protoerr.Trace
}

// stacks holds the entries of the maps that are being written, in order. All are empty
// between calls.
type stacks struct {
	entered mapsort.Entries // whose keys are strings
	numbers []uint64        // keys that are numbers

	spots []wireSpan     // where the fields of the messages are whose wire form is being written
	spans []span         // and the entries of their maps
	marks []mapsort.Mark // their order
}

var encoders = sync.Pool{New: func() any {
	e := new(encoder)
	e.use(make([]byte, 1024))
	return e
}}

// maxKept is how long a text may be after which an encoder goes back to the pool, and maxStacks
// how long it may be if the stacks are to be kept.
const (
	maxKept   = 1 << 20
	maxStacks = 64 << 10
)

// Append appends the text of the message at p to dst, in one allocation at most. The layout
// must be Ready and not Official; p may be nil, which is an empty message. The error is a
// [*protoerr.TextError]; dst is then as it was. It is not sure that all required fields are set
// if missing.
func Append(dst []byte, l *layout.Layout, p unsafe.Pointer, o *Options) (out []byte, missing bool, err error) {
	e := begin(o)
	return e.end(dst, l, e.encodeMessage(l, p, 0))
}

// AppendAny appends the text of an Any with that type_url that holds the message.
func AppendAny(
	dst []byte, url string, l *layout.Layout, p unsafe.Pointer, o *Options,
) (out []byte, missing bool, err error) {
	e := begin(o)
	if p == nil {
		p = l.NewMessage()
	}
	return e.end(dst, l, e.typed(url, l, p, 0))
}

// begin returns an encoder for one text.
func begin(o *Options) *encoder {
	e := encoders.Get().(*encoder)
	e.Options, e.depth, e.missing = *o, 0, false
	e.emit = o.EmitUnpopulated || o.EmitDefaultValues
	return e
}

// end appends the text, which ends at the position, to dst, and gives the encoder back.
func (e *encoder) end(dst []byte, l *layout.Layout, at int) (out []byte, missing bool, err error) {
	if at < 0 {
		err := &protoerr.TextError{Err: e.err, Detail: e.detail, Offset: -1, Path: e.trace.String(),
			Message: string(l.Desc.FullName())}
		return dst, false, err
	}
	missing = e.missing
	if text := e.buf; dst == nil {
		dst = make([]byte, at)
		copy(dst, text)
	} else {
		dst = append(dst, text[:at]...)
	}
	if at > maxStacks {
		e.stacks = stacks{}
	}
	if at <= maxKept {
		if e.Resolver != nil {
			e.Resolver = nil
		}
		encoders.Put(e)
	}
	return dst, missing, nil
}

// fail ends the encoding.
func (e *encoder) fail(err error, detail string) int {
	e.err, e.detail, e.trace = err, detail, nil
	return failed
}

// inField says, while a failure unwinds, in which field it happened.
func (e *encoder) inField(f *layout.JSONField, index string) int {
	e.trace.Within(f.PathStep, index)
	return failed
}

// use makes buf the buffer.
func (e *encoder) use(buf []byte) {
	e.buf, e.base, e.limit = buf, unsafe.Pointer(unsafe.SliceData(buf)), len(buf)-slack
}

// room makes sure that n bytes and slack are free from at on.
func (e *encoder) room(n, at int) {
	if at+n > e.limit {
		e.grow(n, at)
	}
}

//go:noinline
func (e *encoder) grow(n, at int) {
	buf := make([]byte, max(2*len(e.buf), at+n+slack))
	copy(buf, e.buf[:at])
	e.use(buf)
}

// wrote takes note of what has been appended to the buffer up to some position, which may
// have got other memory, and returns its end. Slack bytes are free again.
func (e *encoder) wrote(out []byte) int {
	if cap(out) != len(e.buf) {
		e.use(out[:cap(out)])
	}
	e.room(0, len(out))
	return len(out)
}

// put writes a byte.
func (e *encoder) put(c byte, at int) int {
	*(*byte)(unsafe.Add(e.base, at)) = c // Sound: slack bytes are free.
	return at + 1
}

// raw writes short text.
func (e *encoder) raw(s string, at int) int { return at + copy(e.buf[at:], s) }

// close ends an object or array with the bracket, which takes the place of the comma
// after the last member.
func (e *encoder) close(c byte, at int) int {
	// Sound: before at there is at least the opening bracket.
	last := (*byte)(unsafe.Add(e.base, at-1))
	if *last == ',' {
		*last = c
		return at
	}
	return e.put(c, at)
}

// encodeMessage writes a message; nil is an empty one.
func (e *encoder) encodeMessage(l *layout.Layout, p unsafe.Pointer, at int) int {
	j := l.Object()
	if j == nil || p == nil || e.depth >= maxDepth {
		return e.encodeMismatched(l, p, at)
	}
	fields := l.FieldsOf(p)
	if fields == nil {
		return e.encodeReflectedMessage(layout.MessageAt(p).Interface(), at)
	}
	e.depth++
	start := at
	if at = e.encodeMembers(l, j, fields, start); at < 0 {
		return failed
	}
	e.depth--
	at = e.object(at, start)
	e.room(0, at) // closing brackets, one after the other, need it too
	return at
}

// encodeMismatched writes a message that is not a plain object, or not known to be one, or nil, or too deep.
func (e *encoder) encodeMismatched(l *layout.Layout, p unsafe.Pointer, at int) int {
	e.room(0, at) // opening brackets, too
	switch c := l.Ready(); c {
	case layout.Fast:
	case layout.Official:
		return e.encodeOfficial(l.Interface(p), at)
	default:
		return e.encodeStructpb(c, p, at)
	}
	if e.depth >= maxDepth {
		return e.fail(protoerr.ErrDepth, "")
	}
	if p == nil {
		p = l.NewMessage()
	}
	j := l.JSON()
	if j.Object {
		return e.encodeMessage(l, p, at)
	}
	e.depth++
	if at = e.encodeWellKnown(l, j, p, at); at >= 0 {
		e.room(0, at)
	}
	e.depth--
	return at
}

// encodeMembers writes the fields that are set, each with a comma before it.
func (e *encoder) encodeMembers(l *layout.Layout, j *layout.JSON, p unsafe.Pointer, at int) int {
	for f := j.First(); ; {
		// Sound, here and below: l says what lies at which offset of the message at p.
		q := unsafe.Add(p, f.Offset)
		if xunsafe.Load64(unsafe.Add(p, f.ZeroAt))&f.ZeroBits != 0 {
			if f.PresenceCheck == layout.BehindPointer {
				q = *(*unsafe.Pointer)(q)
			}
			goto present
		}
		if f.PresenceCheck > layout.BehindPointer {
			if f.PresenceCheck == layout.End {
				if l.Extensions != 0 && l.ExtensionCount(p) > 0 {
					return e.encodeExtensions(l, p, at)
				}
				return at
			}
			if q = f.Find(l, p); q != nil {
				goto present
			}
		}
		if f.Required || e.emit {
			at = e.absent(f, at)
		}
		f = f.Next()
		continue
	present:
		name := &f.Names[layout.JSONName]
		if e.UseProtoNames {
			name = &f.Names[layout.ProtoName]
		}
		if at > e.limit {
			e.grow(0, at)
			continue // with the same field
		}
		// Sound: slack bytes are free.
		if name.CopyShort(unsafe.Add(e.base, at)); name.IsShort() {
			at += 1 + name.Len()
		} else {
			at = e.name(f, at)
		}
		// What is common is written from here, with as few calls as can be.
		to := unsafe.Add(e.base, at)
		switch f.FieldKind {
		case layout.JSONBool:
			at += jsontext.PutBool(to, *(*bool)(q))
		case layout.JSONInt32:
			at += jsontext.PutInt(to, int64(*(*int32)(q)))
		case layout.JSONUint32:
			at += jsontext.PutUint(to, uint64(*(*uint32)(q)))
		case layout.JSONInt64:
			if e.UseInt64Numbers {
				at = e.int64(*(*int64)(q), at)
				break
			}
			at = e.quoted(jsontext.PutInt(unsafe.Add(to, 1), *(*int64)(q)), at)
		case layout.JSONUint64:
			if e.UseInt64Numbers {
				at = e.uint64(*(*uint64)(q), at)
				break
			}
			at = e.quoted(jsontext.PutUint(unsafe.Add(to, 1), *(*uint64)(q)), at)
		case layout.JSONFloat:
			at += jsontext.PutFloat32(to, *(*float32)(q))
		case layout.JSONDouble:
			at += jsontext.PutFloat(to, *(*float64)(q))
		case layout.JSONString:
			s := *(*string)(q)
			if e.room(len(s), at); jsontext.PutText(unsafe.Add(e.base, at), s) {
				at += len(s) + 2
			} else if at = e.escaped(s, at); at < 0 {
				return e.inField(f, "")
			}
		case layout.JSONMessage:
			if at = e.encodeMessage(f.Sub, *(*unsafe.Pointer)(q), at); at < 0 {
				return e.inField(f, "")
			}
		case layout.JSONList:
			if at = e.encodeList(f, q, at); at < 0 {
				return failed // which has said where
			}
		case layout.JSONMap:
			if at = e.encodeMap(f, q, at); at < 0 {
				return failed // which has said where
			}
		case layout.JSONBytes:
			at = e.bytes(*(*[]byte)(q), at)
		case layout.JSONEnum:
			at = e.enum(f.Enum, *(*int32)(q), at)
		default:
			at = e.encodeValue(f, f.FieldKind, q, at) // which cannot fail
		}
		f = f.Next()
	}
}

// name writes how the member begins.
//
//go:noinline
func (e *encoder) name(f *layout.JSONField, at int) int {
	name := &f.Names[layout.JSONName]
	if e.UseProtoNames {
		name = &f.Names[layout.ProtoName]
	}
	e.room(name.Len(), at)
	name.CopyTo(unsafe.Add(e.base, at)) // Sound: so many bytes are free, and slack.
	return at + 1 + name.Len()
}

// object puts what was written from start up to at, which are members or nothing, in
// braces, of which the first takes the place of the comma before the first member.
func (e *encoder) object(at, start int) int {
	e.put('{', start)
	return e.put('}', max(at, start+1))
}

// absent writes a field that is absent, if it is to be written at all.
func (e *encoder) absent(f *layout.JSONField, at int) int {
	e.missing = e.missing || f.Required
	if !e.emit || f.Oneof >= 0 || f.HasPresence && !e.EmitUnpopulated {
		return at
	}
	at = e.name(f, at)
	switch {
	case f.HasPresence:
		at = e.raw("null", at)
	case f.FieldKind == layout.JSONList:
		at = e.raw("[]", at)
	case f.FieldKind == layout.JSONMap:
		at = e.raw("{}", at)
	default:
		var zero [3]uintptr // of whatever kind
		at = e.encodeValue(f, f.FieldKind, unsafe.Pointer(&zero), at)
	}
	return at
}

// string writes a string, which must be UTF-8.
func (e *encoder) string(s string, at int) int {
	e.room(len(s), at)
	// Sound: so many bytes are free, and slack.
	if jsontext.PutText(unsafe.Add(e.base, at), s) {
		return at + len(s) + 2
	}
	return e.escaped(s, at)
}

// escaped writes a string that needs escapes, or is not ASCII or not UTF-8, and for which PutText
// has tried.
//
//go:noinline
func (e *encoder) escaped(s string, at int) int {
	if jsontext.IsPlain(s) {
		return at + len(s) + 2
	}
	b := xunsafe.Bytes(s)
	if !utf.Valid(b) {
		return e.fail(protoerr.ErrUTF8, "")
	}
	return e.wrote(jsontext.AppendString(e.buf[:at], b))
}

// encodeExtensions writes the extension fields, in the order of their names.
func (e *encoder) encodeExtensions(l *layout.Layout, p unsafe.Pointer, at int) int {
	var few [8]layout.Extension
	for _, x := range byName(l.AppendExtensions(few[:0], p)) {
		f := x.Type.JSON()
		at = e.name(f, at)
		if x.Type.List {
			at = e.encodeReflectedList(f, x.Value.List(), at)
		} else if at = e.encodeReflected(f, x.Value, at); at < 0 {
			e.inField(f, "")
		}
		if at < 0 {
			return failed
		}
	}
	return at
}

// encodeReflectedList writes a list that is known by reflection.
func (e *encoder) encodeReflectedList(f *layout.JSONField, list protoreflect.List, at int) int {
	at = e.put('[', at)
	for i := range list.Len() {
		if at = e.encodeReflected(f, list.Get(i), at); at < 0 {
			return e.inField(f, protoerr.Index(i))
		}
		at = e.put(',', at)
	}
	return e.close(']', at)
}

// encodeReflected writes a value that is known by reflection.
func (e *encoder) encodeReflected(f *layout.JSONField, v protoreflect.Value, at int) int {
	e.room(0, at)
	switch f.ValueKind {
	case layout.JSONMessage:
		return e.encodeReflectedMessage(v.Message().Interface(), at)
	case layout.JSONString:
		return e.string(v.String(), at)
	case layout.JSONBytes:
		b := v.Bytes()
		return e.encodeValue(f, f.ValueKind, unsafe.Pointer(&b), at)
	}
	x := layout.Number(v)
	return e.encodeValue(f, f.ValueKind, unsafe.Pointer(&x), at)
}

// encodeReflectedMessage writes a message of any type.
func (e *encoder) encodeReflectedMessage(m proto.Message, at int) int {
	l, p := layout.Of(m)
	if l.Ready() == layout.Official {
		return e.encodeOfficial(m, at)
	}
	return e.encodeMessage(l, p, at)
}
