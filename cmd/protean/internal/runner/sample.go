package runner

import (
	"math"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// altered returns a copy of m in which one scalar that is set has another value,
// or nil if no such scalar is set.
func altered(m proto.Message) proto.Message {
	c := proto.Clone(m)
	if !alter(c.ProtoReflect()) {
		return nil
	}
	return c
}

func alter(m protoreflect.Message) bool {
	done := false
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.IsMap() || f.IsExtension():
		case f.IsList():
			if f.Message() != nil && ours(f.Message()) {
				done = alter(v.List().Get(0).Message())
			}
		case f.Message() != nil:
			done = ours(f.Message()) && alter(m.Mutable(f).Message())
		default:
			if w := another(f, v); w.IsValid() {
				m.Set(f, w)
				done = true
			}
		}
		return !done
	})
	return done
}

// another returns a value unlike v, or the zero Value for a kind whose values
// cannot be chosen freely.
func another(f protoreflect.FieldDescriptor, v protoreflect.Value) protoreflect.Value {
	switch f.Kind() {
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(v.String() + "+")
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes(append([]byte{'+'}, v.Bytes()...))
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return protoreflect.ValueOfInt32(int32(v.Int()) ^ 2)
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return protoreflect.ValueOfUint32(uint32(v.Uint()) ^ 2)
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return protoreflect.ValueOfInt64(v.Int() ^ 2)
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return protoreflect.ValueOfUint64(v.Uint() ^ 2)
	}
	return protoreflect.Value{}
}

// ours reports whether md is free to hold any values: the well-known types are not.
func ours(md protoreflect.MessageDescriptor) bool {
	return md.ParentFile().Package() != "google.protobuf"
}

// maxSearchDepth bounds the search for a field to probe with, in messages.
const maxSearchDepth = 6

// find returns the shortest path from md to a field for which pred holds, through
// singular and repeated messages; nil if there is none.
func find(md protoreflect.MessageDescriptor,
	pred func(protoreflect.FieldDescriptor) bool) []protoreflect.FieldDescriptor {
	type node struct {
		md   protoreflect.MessageDescriptor
		path []protoreflect.FieldDescriptor
	}
	seen := map[protoreflect.FullName]bool{md.FullName(): true}
	for queue := []node{{md: md}}; len(queue) > 0; queue = queue[1:] {
		n := queue[0]
		for i := range n.md.Fields().Len() {
			f := n.md.Fields().Get(i)
			path := append(n.path[:len(n.path):len(n.path)], f)
			if pred(f) {
				return path
			}
			if f.Message() != nil && !f.IsMap() && ours(f.Message()) && !seen[f.Message().FullName()] &&
				len(path) < maxSearchDepth {
				seen[f.Message().FullName()] = true
				queue = append(queue, node{f.Message(), path})
			}
		}
	}
	return nil
}

// parent returns the message that holds the last field of the path, making the
// messages on the way.
func parent(m protoreflect.Message, path []protoreflect.FieldDescriptor) protoreflect.Message {
	for _, f := range path[:len(path)-1] {
		if !f.IsList() {
			m = m.Mutable(f).Message()
			continue
		}
		l := m.Mutable(f).List()
		if l.Len() == 0 {
			l.AppendMutable()
		}
		m = l.Get(0).Message()
	}
	return m
}

// with returns a copy of m in which the field at the end of the path has been
// changed by set; nil if there is no path.
func with(m proto.Message, path []protoreflect.FieldDescriptor,
	set func(m protoreflect.Message, f protoreflect.FieldDescriptor)) proto.Message {
	if path == nil {
		return nil
	}
	c := proto.Clone(m)
	set(parent(c.ProtoReflect(), path), path[len(path)-1])
	if proto.CheckInitialized(c) != nil {
		return nil // a message on the way has required fields
	}
	return c
}

// setScalar sets f to v: the field itself, or the first element of its list.
func setScalar(m protoreflect.Message, f protoreflect.FieldDescriptor, v protoreflect.Value) {
	if !f.IsList() {
		m.Set(f, v)
		return
	}
	l := m.Mutable(f).List()
	if l.Len() == 0 {
		l.Append(v)
		return
	}
	l.Set(0, v)
}

// getScalar is the inverse of setScalar.
func getScalar(m protoreflect.Message, f protoreflect.FieldDescriptor) protoreflect.Value {
	if !f.IsList() {
		return m.Get(f)
	}
	return m.Get(f).List().Get(0)
}

// The fields that probes look for.

func isString(f protoreflect.FieldDescriptor) bool {
	return f.Kind() == protoreflect.StringKind && !f.IsMap()
}

func isInt64(f protoreflect.FieldDescriptor) bool {
	if f.IsMap() {
		return false
	}
	switch f.Kind() {
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind, protoreflect.Uint64Kind,
		protoreflect.Fixed64Kind:
		return true
	}
	return false
}

func isFloat(f protoreflect.FieldDescriptor) bool {
	return !f.IsMap() && (f.Kind() == protoreflect.DoubleKind || f.Kind() == protoreflect.FloatKind)
}

func isOptional(f protoreflect.FieldDescriptor) bool {
	return f.HasPresence() && f.Message() == nil && f.Cardinality() != protoreflect.Required
}

func isSubmessage(f protoreflect.FieldDescriptor) bool {
	return f.Message() != nil && !f.IsMap() && !f.IsList() && ours(f.Message()) &&
		f.Cardinality() != protoreflect.Required
}

func isStringMap(f protoreflect.FieldDescriptor) bool {
	return f.IsMap() && f.MapKey().Kind() == protoreflect.StringKind && f.MapValue().Message() == nil
}

// bigInteger is the least integer above 2^53 that a double cannot hold.
func bigInteger(f protoreflect.FieldDescriptor) protoreflect.Value {
	const n = 1<<53 + 1
	if f.Kind() == protoreflect.Uint64Kind || f.Kind() == protoreflect.Fixed64Kind {
		return protoreflect.ValueOfUint64(n)
	}
	return protoreflect.ValueOfInt64(n)
}

func notANumber(f protoreflect.FieldDescriptor) protoreflect.Value {
	if f.Kind() == protoreflect.FloatKind {
		return protoreflect.ValueOfFloat32(float32(math.NaN()))
	}
	return protoreflect.ValueOfFloat64(math.NaN())
}

// zero returns the empty value of a singular scalar field, whatever its default.
func zero(f protoreflect.FieldDescriptor) protoreflect.Value {
	switch f.Kind() {
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(false)
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(f.Enum().Values().Get(0).Number())
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return protoreflect.ValueOfInt32(0)
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return protoreflect.ValueOfUint32(0)
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return protoreflect.ValueOfInt64(0)
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return protoreflect.ValueOfUint64(0)
	case protoreflect.FloatKind:
		return protoreflect.ValueOfFloat32(0)
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(0)
	case protoreflect.StringKind:
		return protoreflect.ValueOfString("")
	}
	return protoreflect.ValueOfBytes(nil)
}
