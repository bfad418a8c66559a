package goany

import (
	"slices"
	"unsafe"

	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/internal/arena"
	"github.com/protean-pb/protean/internal/json/jsondecode"
	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/structval/tree"
	"github.com/protean-pb/protean/internal/swissmap"
	"github.com/protean-pb/protean/internal/wire/resolve"
	"github.com/protean-pb/protean/internal/xunsafe"
)

// MaxDepth is how deeply messages may be nested, whatever the options say: Go values may
// contain themselves.
const MaxDepth = 100_000

// A reader is the state of one call of [FromAny]. What reads reports whether it has not
// failed. All values are given as plain returns them, but where it says otherwise.
type reader struct {
	arena.Arena
	blocks arena.Blocks
	jsondecode.Options
	tree tree.Builder

	err    error
	detail string
	trace  protoerr.Trace
}

// FromAny reads v into m, which must be empty and not nil. The error is a
// [*protoerr.TextError]; m is then read in part. Required fields are not looked at.
//
// Strings are shared with m, bytes are copied.
func FromAny(v any, m proto.Message, o jsondecode.Options) error {
	var r reader // which is not copied, as the value of an expression would be
	r.Use(&r.blocks)
	r.Options = o
	r.Depth = min(r.Depth, MaxDepth)
	v, ok := r.plain(v)
	if ok {
		l, p := layout.Of(m)
		if l.Ready() == layout.Official {
			ok = r.official(m, v, r.Depth)
		} else {
			ok = r.message(l, p, v, r.Depth)
		}
	}
	if ok {
		return nil
	}
	return &protoerr.TextError{Err: r.err, Detail: r.detail, Offset: -1, Path: r.trace.String(),
		Message: string(proto.MessageName(m))}
}

// fail notes what is wrong. It returns false.
func (r *reader) fail(err error, detail string) bool {
	r.err, r.detail, r.trace = err, detail, nil
	return false
}

// inField says, while a failure unwinds, in which field it happened.
func (r *reader) inField(f *layout.JSONField, index string) bool {
	r.trace.Within(f.PathStep, index)
	return false
}

// message reads a message, into the empty one at p.
func (r *reader) message(l *layout.Layout, p unsafe.Pointer, v any, depth int) bool {
	c := l.Ready()
	if c == layout.Official {
		return r.official(l.Interface(p), v, depth)
	}
	if depth--; depth < 0 {
		return r.fail(protoerr.ErrDepth, "")
	}
	if c != layout.Fast {
		return r.structpbValue(c, p, v, depth)
	}
	j := l.JSON()
	if j.Known != layout.NotKnown {
		return r.wellKnown(l, j, p, v, depth)
	}
	m, ok := v.(map[string]any)
	if !ok {
		return r.wrong(v, "an object")
	}
	return r.members(l, j, l.MustFieldsOf(p), m, depth, false)
}

// members reads an object into the fields of the message at p. If it is in an Any, its type
// is among the members.
func (r *reader) members(
	l *layout.Layout, j *layout.JSON, p unsafe.Pointer, m map[string]any, depth int, typed bool,
) bool {
	var passed []int32 // oneofs whose members were not set, since the name of an enum is unknown
	for name, v := range swissmap.All(m) {
		f := j.Find(xunsafe.Bytes(name))
		if f == nil {
			if !r.other(l, p, name, v, depth, typed) {
				return false
			}
			continue
		}
		if isDuplicate(j, f, m, name) {
			return r.fail(protoerr.ErrDuplicate, string(f.Desc.Name()))
		}
		v, ok := r.plain(v)
		if !ok {
			return r.inField(f, "")
		}
		if v == nil && !f.TakesNull {
			continue
		}
		if f.Addressing == layout.ByOneof {
			if memberIsSet(f, p) || slices.Contains(passed, f.Oneof) {
				return r.fail(protoerr.ErrDuplicate, "a member of the oneof "+string(f.Desc.ContainingOneof().Name()))
			}
			if !r.field(f, p, v, depth) {
				return false
			}
			if !memberIsSet(f, p) {
				passed = append(passed, f.Oneof)
			}
		} else if !r.field(f, p, v, depth) {
			return false
		}
	}
	return true
}

// isDuplicate reports whether a field that a member names by its name in the schema is named in
// the other way, too.
func isDuplicate(j *layout.JSON, f *layout.JSONField, m map[string]any, name string) bool {
	other := f.Name(layout.JSONName)
	if name == other {
		return false // it shows when the other one comes
	}
	_, ok := m[other]
	return ok && j.Find(xunsafe.Bytes(other)) == f
}

// memberIsSet reports whether a member of the oneof of f is set in the message at p.
func memberIsSet(f *layout.JSONField, p unsafe.Pointer) bool {
	// Sound: the layout says that there is an interface, whose first word is nil if it is, or
	// a word with the number of the member.
	if f.Op.Storage() == layout.Member {
		return *(*unsafe.Pointer)(unsafe.Add(p, f.Offset)) != nil
	}
	return *(*uint32)(unsafe.Add(p, f.Bits)) != 0
}

// field reads the value of the field into the message at p.
func (r *reader) field(f *layout.JSONField, p unsafe.Pointer, v any, depth int) bool {
	// Sound, here and below: the layout says what lies at which offset of the message at p.
	q := unsafe.Add(p, f.Offset)
	var ok bool
	switch f.FieldKind {
	case layout.JSONList:
		if f.PresenceCheck == layout.BehindList {
			q = r.SliceAt(q, f.Sub)
		}
		return r.list(f, q, v, depth)
	case layout.JSONMap:
		return r.entries(f, q, v, depth)
	case layout.JSONEnum, layout.JSONNull:
		var x int32
		var known bool
		if x, known, ok = r.enum(f, v); known {
			*(*int32)(r.SetPresence(f.Field, p)) = x
		}
	case layout.JSONMessage:
		m := r.AllocMessage(f.Sub)
		*(*unsafe.Pointer)(r.SetPresence(f.Field, p)) = m
		ok = r.message(f.Sub, m, v, depth)
	default:
		ok = r.scalar(f, r.SetPresence(f.Field, p), v)
	}
	return ok || r.inField(f, "")
}

// other reads a member whose name is that of no field.
func (r *reader) other(l *layout.Layout, p unsafe.Pointer, name string, v any, depth int, typed bool) bool {
	if n := len(name); n > 1 && name[0] == '[' && name[n-1] == ']' {
		xt, detail, err := resolve.Extension(r.Resolver, l.Desc, name[1:n-1])
		if err != nil {
			return r.fail(err, detail)
		}
		if xt != nil {
			return r.extension(l, p, xt, v, depth)
		}
	}
	if typed && name == typeName {
		return true
	}
	if !r.DiscardUnknown {
		return r.fail(protoerr.ErrUnknown, protoerr.Clip(name))
	}
	return r.skip(v, depth)
}

// skip checks a value of any type that is not kept. Objects and lists may be nested most deep in it.
func (r *reader) skip(v any, most int) bool {
	v, ok := r.plain(v)
	if !ok {
		return false
	}
	switch v := v.(type) {
	case map[string]any:
		if most <= 0 {
			return r.fail(protoerr.ErrDepth, "")
		}
		for _, e := range swissmap.All(v) {
			if !r.skip(e, most-1) {
				return false
			}
		}
	case []any:
		if most <= 0 {
			return r.fail(protoerr.ErrDepth, "")
		}
		for _, e := range v {
			if !r.skip(e, most-1) {
				return false
			}
		}
	}
	return true
}
