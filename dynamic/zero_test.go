package dynamic_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/dynamic"
	protean "github.com/protean-pb/protean/proto"
	proteanjson "github.com/protean-pb/protean/protojson"
)

// A use is something that is done with a message that has no type. What it returns is compared as text.
type use struct {
	what string
	f    func(m protoreflect.Message) any
}

// done returns what the use returns, or how it panics.
func (u use) done(m protoreflect.Message) (result string, p any) {
	p = caught(func() { result = fmt.Sprint(u.f(m)) })
	return result, p
}

// methods are all of [protoreflect.Message] and some of what it returns.
func methods(md protoreflect.MessageDescriptor) []use {
	uses := []use{
		{"Descriptor", func(m protoreflect.Message) any { return m.Descriptor() == nil }},
		{"Type.Descriptor", func(m protoreflect.Message) any { return m.Type().Descriptor() == nil }},
		{"Type", func(m protoreflect.Message) any { return m.Type() == m.New().Type() }},
		{"Type.New", func(m protoreflect.Message) any { return m.Type().New().IsValid() }},
		{"Type.Zero", func(m protoreflect.Message) any { return m.Type().Zero().IsValid() }},
		{"Type.Enum", func(m protoreflect.Message) any { return fieldTypes(m).Enum(0) }},
		{"Type.Message", func(m protoreflect.Message) any { return fieldTypes(m).Message(0) }},
		{"New", func(m protoreflect.Message) any { return m.New().IsValid() }},
		{"Interface", func(m protoreflect.Message) any { return m.Interface() == m.(proto.Message) }},
		{"ProtoReflect", func(m protoreflect.Message) any { return m.(proto.Message).ProtoReflect() == m }},
		{"ProtoMessage", func(m protoreflect.Message) any {
			m.(interface{ ProtoMessage() }).ProtoMessage()
			return nil
		}},
		{"ProtoMethods", func(m protoreflect.Message) any { return m.ProtoMethods() == nil }},
		{"String", func(m protoreflect.Message) any { return m.(fmt.Stringer).String() }},
		{"Range", func(m protoreflect.Message) any {
			n := 0
			m.Range(func(protoreflect.FieldDescriptor, protoreflect.Value) bool { n++; return true })
			return n
		}},
		{"WhichOneof", func(m protoreflect.Message) any { return m.WhichOneof(md.Oneofs().Get(0)) }},
		{"GetUnknown", func(m protoreflect.Message) any { return m.GetUnknown() == nil }},
		{"SetUnknown", func(m protoreflect.Message) any { m.SetUnknown([]byte{8, 1}); return len(m.GetUnknown()) }},
		{"IsValid", func(m protoreflect.Message) any { return m.IsValid() }},
		{"Reset", func(m protoreflect.Message) any { m.(interface{ Reset() }).Reset(); return m.IsValid() }},
		{"SetUnknown after Reset", func(m protoreflect.Message) any {
			m.(interface{ Reset() }).Reset()
			m.SetUnknown([]byte{8, 1})
			return len(m.GetUnknown())
		}},
		{"Reset of one of New", func(m protoreflect.Message) any {
			m = m.New()
			m.(interface{ Reset() }).Reset()
			return m.IsValid()
		}},
	}
	fields := []protoreflect.Name{"optional_int32", "repeated_int32", "map_int32_int32", nestedField, oneofField}
	for _, n := range fields {
		fd, name := md.Fields().ByName(n), string(n)
		uses = append(uses,
			use{"Has " + name, func(m protoreflect.Message) any { return m.Has(fd) }},
			use{"Get " + name, func(m protoreflect.Message) any { return m.Get(fd) }},
			use{"Set " + name, func(m protoreflect.Message) any {
				m.Set(fd, dynamic.NewMessage(md).NewField(fd))
				return nil
			}},
			use{"Clear " + name, func(m protoreflect.Message) any { m.Clear(fd); return nil }},
			use{"Mutable " + name, func(m protoreflect.Message) any { return m.Mutable(fd) }},
			use{"NewField " + name, func(m protoreflect.Message) any { return m.NewField(fd) }},
		)
	}
	return uses
}

func fieldTypes(m protoreflect.Message) protoreflect.MessageFieldTypes {
	return m.Type().(protoreflect.MessageFieldTypes)
}

// TestZeroMessage calls all methods of a zero message, and of one that New of a zero one returns, and compares
// with what dynamicpb's do. Where those are at the mercy of the runtime, ours say what is wrong.
func TestZeroMessage(t *testing.T) {
	for _, u := range methods(descriptor(t, allTypes)) {
		for _, kind := range []string{"zero", "new", "reset", "copied", "NewMessage(nil)"} {
			make := func(m protoreflect.Message, fromNil func() protoreflect.Message) protoreflect.Message {
				switch kind {
				case "new":
					return m.New()
				case "reset":
					proto.Reset(m.Interface())
				case "NewMessage(nil)":
					return fromNil()
				}
				return m
			}
			ours := new(dynamic.Message)
			if kind == "copied" {
				*ours = *dynamic.NewMessage(descriptor(t, allTypes))
				*ours = dynamic.Message{}
			}
			got, p := u.done(make(ours, func() protoreflect.Message { return dynamic.NewMessage(nil) }))
			fromNil := func() protoreflect.Message { return dynamicpb.NewMessage(nil) }
			want, q := u.done(make(new(dynamicpb.Message), fromNil))
			if (p == nil) != (q == nil) || p == nil && got != want {
				t.Errorf("%s of a %s message: %v, %v, dynamicpb: %v, %v", u.what, kind, got, p, want, q)
			}
			err, ok := p.(error)
			if p != nil && (!ok || !strings.HasPrefix(err.Error(), "proto: ")) && u.what != "String" {
				t.Errorf("%s of a %s message panics with %v", u.what, kind, p)
			}
		}
	}
}

// A library is the functions that messages are handed to, of one of the two.
type library struct {
	marshal       func(proto.Message) ([]byte, error)
	marshalAppend func([]byte, proto.Message) ([]byte, error)
	size          func(proto.Message) int
	unmarshal     func([]byte, proto.Message) error
	merging       func([]byte, proto.Message) error
	check         func(proto.Message) error
	clone         func(proto.Message) proto.Message
	merge         func(dst, src proto.Message)
	equal         func(x, y proto.Message) bool
	reset         func(proto.Message)
	name          func(proto.Message) protoreflect.FullName
	text          func(proto.Message) ([]byte, error)
	fromText      func([]byte, proto.Message) error
}

var libraries = []library{
	{
		proto.Marshal, proto.MarshalOptions{AllowPartial: true}.MarshalAppend, proto.Size,
		proto.Unmarshal, proto.UnmarshalOptions{Merge: true}.Unmarshal, proto.CheckInitialized,
		proto.Clone, proto.Merge, proto.Equal, proto.Reset, proto.MessageName,
		protojson.Marshal, protojson.Unmarshal,
	},
	{
		protean.Marshal, protean.MarshalOptions{AllowPartial: true}.MarshalAppend, protean.Size,
		protean.Unmarshal, protean.UnmarshalOptions{Merge: true}.Unmarshal, protean.CheckInitialized,
		protean.Clone, protean.Merge, protean.Equal, protean.Reset, protean.MessageName,
		proteanjson.Marshal, proteanjson.Unmarshal,
	},
}

// TestZeroMessageInLibraries hands zero messages to both libraries, and compares with what the official one does with
// dynamicpb's. It may meet with a nil descriptor.
func TestZeroMessageInLibraries(t *testing.T) {
	wire := []byte{8, 1}
	zero := func(m proto.Message) proto.Message { return m.ProtoReflect().Type().Zero().Interface() }
	for what, f := range map[string]func(l library, m proto.Message) (any, error){
		"Marshal":       func(l library, m proto.Message) (any, error) { return l.marshal(m) },
		"MarshalAppend": func(l library, m proto.Message) (any, error) { return l.marshalAppend(wire, m) },
		"Size":          func(l library, m proto.Message) (any, error) { return l.size(m), nil },
		"Unmarshal":     func(l library, m proto.Message) (any, error) { return nil, l.unmarshal(wire, m) },
		"Unmarshal of nothing": func(l library, m proto.Message) (any, error) {
			return nil, l.unmarshal(nil, m)
		},
		"merging Unmarshal": func(l library, m proto.Message) (any, error) { return nil, l.merging(wire, m) },
		"CheckInitialized":  func(l library, m proto.Message) (any, error) { return nil, l.check(m) },
		"Clone": func(l library, m proto.Message) (any, error) {
			return l.clone(m).ProtoReflect().IsValid(), nil
		},
		"Merge": func(l library, m proto.Message) (any, error) { l.merge(m, m); return nil, nil },
		"Equal": func(l library, m proto.Message) (any, error) { return l.equal(m, zero(m)), nil },
		"Reset": func(l library, m proto.Message) (any, error) {
			l.reset(m)
			return m.ProtoReflect().IsValid(), nil
		},
		"MessageName": func(l library, m proto.Message) (any, error) { return l.name(m), nil },
		"JSON":        func(l library, m proto.Message) (any, error) { return l.text(m) },
		"from JSON":   func(l library, m proto.Message) (any, error) { return nil, l.fromText([]byte(`{}`), m) },
		"text":        func(l library, m proto.Message) (any, error) { return prototext.Marshal(m) },
	} {
		for i, l := range libraries {
			var got, want any
			var err, wantErr error
			p := caught(func() { got, err = f(l, new(dynamic.Message)) })
			q := caught(func() { want, wantErr = f(libraries[0], new(dynamicpb.Message)) })
			if (p == nil) != (q == nil) || (err == nil) != (wantErr == nil) || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s, %d: %v, %v, %v, dynamicpb: %v, %v, %v", what, i, got, err, p, want, wantErr, q)
			}
		}
	}
}

// TestNilMessage calls what can be called of a nil message.
func TestNilMessage(t *testing.T) {
	for _, u := range []use{
		{"ProtoReflect", func(m protoreflect.Message) any { return m.(proto.Message).ProtoReflect() == m }},
		{"Descriptor", func(m protoreflect.Message) any { return m.Descriptor() }},
		{"IsValid", func(m protoreflect.Message) any { return m.IsValid() }},
		{"Marshal", func(m protoreflect.Message) any {
			b, err := protean.Marshal(m.Interface())
			return fmt.Sprint(b, err)
		}},
		{"Unmarshal", func(m protoreflect.Message) any { return protean.Unmarshal([]byte{8, 1}, m.Interface()) }},
		{"Equal", func(m protoreflect.Message) any { return proto.Equal(m.Interface(), nil) }},
	} {
		got, p := u.done((*dynamic.Message)(nil))
		want, q := u.done((*dynamicpb.Message)(nil))
		if _, ok := p.(runtime.Error); (p == nil) != (q == nil) || got != want || p != nil && !ok {
			t.Errorf("%s: %v, %v, dynamicpb: %v, %v", u.what, got, p, want, q)
		}
	}
}
