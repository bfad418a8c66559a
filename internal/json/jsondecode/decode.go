// Package jsondecode reads ProtoJSON into messages, as their layouts say. It accepts what
// the official library accepts.
//
// Strings and bytes are copied one after the other into chunks, and messages of a type
// come several at a time, as package arena has it.
package jsondecode

import (
	"strings"
	"sync"
	"unsafe"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/internal/arena"
	"github.com/protean-pb/protean/internal/json/jsontext"
	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/wire/resolve"
	"github.com/protean-pb/protean/internal/xunsafe"
)

// Options say how to read. They are those of the official library.
type Options struct {
	DiscardUnknown bool
	Resolver       resolve.Resolver // nil means the global registry
	Depth          int              // how many messages may be nested, the outermost included
	Pool           *arena.Pool      // where memory comes from; nil if it is new
}

// failed is the position that says that d.err is set.
const failed = -1

// A decoder is the state of one call. Where it goes on in the text is handed from call to
// call; all methods that read return the new position, or failed.
type decoder struct {
	in   []byte
	base unsafe.Pointer // to the first byte of in
	arena.Arena
	blocks arena.Blocks
	Options
	*stacks

	err    error
	at     int // where it is wrong
	detail string
	trace  protoerr.Trace
}

// Unmarshal reads the text into m, which must be empty and not nil. The error is a
// [*protoerr.TextError]; m is then read in part. Required fields are not looked at.
func Unmarshal(in []byte, m proto.Message, o Options) error {
	var d decoder // which is not copied, as the value of an expression would be
	d.begin(in, o)
	if o.Pool != nil {
		d.UsePool(o.Pool)
		defer d.ReturnToPool() // also if the Resolver panics
	}
	pos := jsontext.SkipSpace(in, 0)
	l, p := layout.Of(m)
	if l.Ready() == layout.Official {
		pos = d.official(m, pos, o.Depth)
	} else {
		pos = d.decodeMessage(l, p, pos, o.Depth)
	}
	return d.end(pos, proto.MessageName(m))
}

// begin makes d, which is zero, ready for the text.
func (d *decoder) begin(in []byte, o Options) {
	d.in, d.base = in, unsafe.Pointer(unsafe.SliceData(in))
	d.Use(&d.blocks)
	d.Options, d.stacks = o, pool.Get().(*stacks)
}

// end checks that the text ends at the position, and gives the stacks back.
func (d *decoder) end(pos int, name protoreflect.FullName) error {
	if pos >= 0 && len(d.in) <= maxKept {
		pool.Put(d.stacks)
	}
	if pos >= 0 {
		if pos = jsontext.SkipSpace(d.in, pos); pos == len(d.in) {
			return nil
		}
		d.unexpected(pos, "the end")
	}
	e := &protoerr.TextError{Err: d.err, Detail: d.detail, Path: d.trace.String(), Message: string(name)}
	e.Locate(d.in, d.at)
	return e
}

// fail ends the decoding.
func (d *decoder) fail(err error, at int, detail string) int {
	d.err, d.at, d.detail = err, at, detail
	return failed
}

// unexpected is the failure that something else should be there.
func (d *decoder) unexpected(at int, want string) int {
	detail, ok := jsontext.Unexpected(d.in, at, want)
	if !ok {
		return d.fail(protoerr.ErrUTF8, at, "")
	}
	return d.fail(protoerr.ErrSyntax, at, detail)
}

// inField says, while a failure unwinds, in which field it happened.
func (d *decoder) inField(f *layout.JSONField, index string) int {
	d.trace.Within(f.PathStep, index)
	return failed
}

// skipComma skips the comma at i, and white space: in half of all programs the official library
// writes one space there, and else none.
func skipComma(in []byte, i int) int {
	if i++; i < len(in) && in[i] == ' ' {
		i++
	}
	return jsontext.SkipSpace(in, i)
}

// byte returns the byte at i; 0, which is legal nowhere, at the end.
func (d *decoder) byte(i int) byte {
	if i < len(d.in) {
		return d.in[i]
	}
	return 0
}

// decodeMessage reads a message, into the empty one at p.
func (d *decoder) decodeMessage(l *layout.Layout, p unsafe.Pointer, pos, depth int) int {
	c := l.Ready()
	if c == layout.Official {
		return d.official(l.Interface(p), pos, depth)
	}
	if depth--; depth < 0 {
		return d.fail(protoerr.ErrDepth, pos, "")
	}
	if c != layout.Fast {
		if !d.Pooled() {
			return d.decodeStructpb(l, p, pos, depth)
		}
		l = l.Structural()
		l.Ready()
	}
	j := l.JSON()
	if j.Known != layout.NotKnown {
		return d.decodeWellKnown(l, j, p, pos, depth)
	}
	return d.decodeObject(l, j, l.MustFieldsOf(p), pos, depth)
}

// A marks is a set of small numbers.
type marks struct {
	low [3]uint64
	far map[int32]bool
}

// add adds i and reports whether it is new.
func (m *marks) add(i int32) bool {
	if w := uint(i) / 64; w < uint(len(m.low)) {
		bit := uint64(1) << (uint(i) % 64)
		old := m.low[w]
		m.low[w] = old | bit
		return old&bit == 0
	}
	if m.far[i] {
		return false
	}
	if m.far == nil {
		m.far = map[int32]bool{}
	}
	m.far[i] = true
	return true
}

// decodeObject reads an object into the fields of the message at p.
func (d *decoder) decodeObject(l *layout.Layout, j *layout.JSON, p unsafe.Pointer, pos, depth int) int {
	if d.byte(pos) != '{' {
		return d.notOf(pos, "an object")
	}
	pos = jsontext.SkipSpace(d.in, pos+1)
	if d.byte(pos) == '}' {
		return pos + 1
	}
	return d.decodeMembers(l, j, p, pos, depth, untyped)
}

// A typeMember says whether members are those of an Any, which has its type among them.
type typeMember uint8

const (
	untyped typeMember = iota
	typed              // the type is one of them
	after              // the type has come before them
)

// decodeMembers is decodeObject from the first member on.
func (d *decoder) decodeMembers(l *layout.Layout, j *layout.JSON, p unsafe.Pointer, pos, depth int, t typeMember) int {
	in := d.in
	var seen, oneofs marks
	next := 0 // the field that is expected: texts mostly have them in order
	for {
		var f *layout.JSONField
		start := pos
		// Sound: whole words are compared, which must lie within the text.
		if next < len(j.Fields) {
			name := &j.Fields[next].Names[layout.JSONName]
			if pos+name.Words() <= len(in) && name.PrefixOf(unsafe.Add(d.base, pos)) {
				f = &j.Fields[next]
				pos += name.Len()
			}
		}
		if f == nil {
			var name []byte
			if name, pos = d.name(pos); pos < 0 {
				return failed
			}
			if f = j.Find(name); f == nil {
				if pos = d.decodeOtherMember(l, p, name, start, jsontext.SkipSpace(in, pos), depth, t, &seen); pos < 0 {
					return failed
				}
				goto value
			}
		}
		pos = jsontext.SkipSpace(in, pos)
		next = int(f.Index) + 1
		if !seen.add(f.Index) {
			return d.fail(protoerr.ErrDuplicate, start, string(f.Desc.Name()))
		}
		if d.byte(pos) == 'n' && !f.TakesNull {
			if pos = d.word(pos, "null"); pos < 0 {
				return d.inField(f, "")
			}
			goto value
		}
		if f.Oneof >= 0 && f.FieldKind < layout.JSONList && !oneofs.add(f.Oneof) {
			return d.fail(protoerr.ErrDuplicate, start,
				"a member of the oneof "+string(f.Desc.ContainingOneof().Name()))
		}
		if pos = d.decodeField(f, p, pos, depth); pos < 0 {
			return failed
		}
	value:
		if pos < len(in) && in[pos] == ',' {
			if pos++; pos < len(in) && in[pos] == ' ' {
				pos++ // as in skipComma, which is slower here
			}
			pos = jsontext.SkipSpace(in, pos)
			continue
		}
		var done bool
		if pos, done = d.nextMember(pos); done {
			return pos
		}
	}
}

// decodeField reads the value of the field into the message at p.
func (d *decoder) decodeField(f *layout.JSONField, p unsafe.Pointer, pos, depth int) int {
	// Sound, here and below: the layout says what lies at which offset of the message at p.
	switch f.FieldKind {
	case layout.JSONList:
		q := unsafe.Add(p, f.Offset)
		if f.PresenceCheck == layout.BehindList {
			q = d.SliceAt(q, f.Sub)
		}
		return d.decodeList(f, q, pos, depth)
	case layout.JSONMap:
		return d.decodeMap(f, unsafe.Add(p, f.Offset), pos, depth)
	case layout.JSONEnum, layout.JSONNull:
		x, next, known := d.enum(f, pos)
		if next >= 0 && known {
			*(*int32)(d.SetPresence(f.Field, p)) = x
		}
		pos = next
	case layout.JSONMessage:
		m := d.AllocMessage(f.Sub)
		*(*unsafe.Pointer)(d.SetPresence(f.Field, p)) = m
		pos = d.decodeMessage(f.Sub, m, pos, depth)
	case layout.JSONString:
		pos = d.string((*string)(d.SetPresence(f.Field, p)), pos)
	default:
		pos = d.decodeScalar(f, d.SetPresence(f.Field, p), pos)
	}
	if pos < 0 {
		return d.inField(f, "")
	}
	return pos
}

// name reads the name of a member, and the colon after it. It may be in scratch memory.
func (d *decoder) name(pos int) ([]byte, int) {
	if d.byte(pos) != '"' {
		return nil, d.unexpected(pos, "a name")
	}
	name, next := d.quoted(pos)
	if next < 0 {
		return nil, failed
	}
	if next = jsontext.SkipSpace(d.in, next); d.byte(next) != ':' {
		return nil, d.unexpected(next, "':'")
	}
	return name, next + 1
}

// decodeOtherMember reads a member whose name is that of no field.
func (d *decoder) decodeOtherMember(
	l *layout.Layout, p unsafe.Pointer, name []byte, start, pos, depth int, t typeMember, seen *marks,
) int {
	if n := len(name); n > 0 && name[0] == '[' && name[n-1] == ']' {
		if next, known := d.decodeExtension(l, p, string(name[1:n-1]), start, pos, depth, seen); known {
			return next
		}
	}
	if t != untyped && string(name) == typeName {
		return d.typeAgain(t, start, pos)
	}
	if !d.DiscardUnknown {
		return d.fail(protoerr.ErrUnknown, start, protoerr.Clip(string(name)))
	}
	return d.skipValue(pos, depth)
}

// word reads a literal name.
func (d *decoder) word(pos int, word string) int {
	next := pos + len(word)
	if next > len(d.in) || string(d.in[pos:next]) != word || !jsontext.EndsAt(d.in, next) {
		if strings.HasPrefix(word, xunsafe.String(d.in[pos:])) {
			pos = len(d.in)
		}
		return d.unexpected(pos, "a value")
	}
	return next
}

var pool = sync.Pool{New: func() any { return new(stacks) }}
