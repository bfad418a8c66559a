package proto_test

import (
	"strings"
	"testing"

	official "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/known/anypb"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/internal/test/interrupt"
	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/legacypb"
	"github.com/protean-pb/protean/proto"
)

// content returns what the official library writes of a message.
func content(m proto.Message) string {
	b, err := official.MarshalOptions{AllowPartial: true, Deterministic: true}.Marshal(m)
	if err != nil {
		return "error: " + err.Error()
	}
	return string(b)
}

// A wireUser reads and writes messages after something was interrupted, and keeps the results.
type wireUser struct {
	t    *testing.T
	kept *interrupt.Kept
	name string // of what was interrupted
	n    int
}

func newWireUser(t *testing.T) *wireUser { return &wireUser{t: t, kept: interrupt.Keep(t)} }

// use reads a message that holds want into m, and writes it.
func (u *wireUser) use(want string, m proto.Message) {
	u.t.Helper()
	if err := (proto.UnmarshalOptions{AllowPartial: true}).Unmarshal([]byte(want), m); err != nil {
		u.t.Fatalf("after %s: %v", u.name, err)
	}
	u.kept.Add("read after "+u.name, want, func() string { return content(m) })
	b, err := proto.MarshalOptions{AllowPartial: true, Deterministic: true}.Marshal(m)
	if err != nil {
		u.t.Fatalf("after %s: %v", u.name, err)
	}
	u.kept.Add("written after "+u.name, want, func() string { return string(b) })
	if u.n++; u.n%16 == 0 {
		u.nested()
	}
}

// nested reads and writes messages in the midst of reading and writing others: calls that were handed the same memory
// would be in one another's way.
func (u *wireUser) nested() {
	u.t.Helper()
	m := order(3)
	want := content(m)
	inside := func() {
		if b, err := (proto.MarshalOptions{Deterministic: true}).Marshal(m); err != nil || string(b) != want {
			u.t.Errorf("after %s, within another call: %x, %v", u.name, b, err)
		}
		got := new(benchpb.Order)
		if err := proto.Unmarshal([]byte(want), got); err != nil || content(got) != want {
			u.t.Errorf("after %s, within another call: %v, %v", u.name, got, err)
		}
	}
	outer := nestedExtensions()
	b, err := proto.Marshal(withExtension(outer, inside))
	if err != nil {
		u.t.Errorf("after %s: %v", u.name, err)
	}
	o := proto.UnmarshalOptions{Resolver: interrupt.Resolver{Types: protoregistry.GlobalTypes, Step: inside}}
	got := new(legacypb.Extendable)
	if err := o.Unmarshal(b, got); err != nil || !official.Equal(got, outer) {
		u.t.Errorf("after %s: %v, %v, want %v", u.name, got, err, outer)
	}
}

// withExtension returns a dynamic message like m. The message in one of its extension fields is of another
// implementation, which calls step.
func withExtension(m *legacypb.Extendable, step func()) *dynamic.Message {
	d := dynamic.NewMessage(m.ProtoReflect().Descriptor())
	official.Merge(d, m)
	x := official.GetExtension(m, legacypb.E_ExtLeaf).(proto.Message)
	xd := legacypb.E_ExtLeaf.TypeDescriptor()
	d.Set(dynamic.NewExtensionType(xd.Descriptor()).TypeDescriptor(),
		protoreflect.ValueOfMessage(interrupt.Message(x, step).ProtoReflect()))
	return d
}

// nestedExtensions has extension fields of many kinds, in messages of extension fields too.
func nestedExtensions() *legacypb.Extendable {
	m := extended()
	m.Name = official.String(strings.Repeat("more than is written on the stack. ", 20))
	inner := extended()
	official.SetExtension(inner, legacypb.E_ExtSelf, &legacypb.Extendable{Name: official.String("innermost")})
	official.SetExtension(m, legacypb.E_ExtSelf, inner)
	return m
}

// TestInterruptedByResolvers has resolvers, and the extension types that they find, panic.
func TestInterruptedByResolvers(t *testing.T) {
	m := nestedExtensions()
	want := content(m)
	u := newWireUser(t)
	for _, k := range kinds {
		empty := func() proto.Message { return k.New(m.ProtoReflect().Type()) }
		u.name = "resolvers, " + k.Name
		for _, types := range []*protoregistry.Types{protoregistry.GlobalTypes, dynamicExtensions(t, m)} {
			var half proto.Message
			n := interrupt.Steps(t, func(step func()) {
				o := proto.UnmarshalOptions{AllowPartial: true, Resolver: interrupt.Resolver{Types: types, Step: step}}
				half = empty()
				if err := o.Unmarshal([]byte(want), half); err != nil {
					t.Fatal(err)
				}
				if b, err := (proto.MarshalOptions{Deterministic: true}).Marshal(half); err != nil ||
					string(b) != want {
					t.Fatalf("%x, %v, want %x", b, err, want)
				}
			}, func() {
				content(half) // all that is in it can be written
				u.use(want, half)
				u.use(want, empty())
			})
			if n < 20 {
				t.Errorf("%s: only %d interruptions", k.Name, n)
			}
		}
	}
}

// dynamicExtensions returns extension types for what is in m that are made at run time.
func dynamicExtensions(t *testing.T, m proto.Message) *protoregistry.Types {
	t.Helper()
	types := new(protoregistry.Types)
	protoregistry.GlobalTypes.RangeExtensionsByMessage(official.MessageName(m),
		func(xt protoreflect.ExtensionType) bool {
			if err := types.RegisterExtension(dynamic.NewExtensionType(xt.TypeDescriptor().Descriptor())); err != nil {
				t.Fatal(err)
			}
			return true
		})
	return types
}

// TestInterruptedByMessages writes and reads messages of another implementation that panics, alone and within messages
// of this module.
func TestInterruptedByMessages(t *testing.T) {
	m := order(2)
	want := content(m)
	leaf := &legacypb.Leaf{Id: official.Int32(1), Name: official.String("leaf")}
	any, err := anypb.New(m)
	if err != nil {
		t.Fatal(err)
	}
	u := newWireUser(t)
	for name, call := range map[string]func(step func()){
		"Marshal": func(step func()) {
			if b, err := (proto.MarshalOptions{Deterministic: true}).Marshal(interrupt.Message(m, step)); err != nil ||
				string(b) != want {
				t.Errorf("%x, %v", b, err)
			}
		},
		"Unmarshal": func(step func()) {
			got := new(benchpb.Order)
			if err := proto.Unmarshal([]byte(want), interrupt.Message(got, step)); err != nil || content(got) != want {
				t.Errorf("%v, %v", got, err)
			}
		},
		"Size, Clone, Equal": func(step func()) {
			got := interrupt.Message(m, step)
			if n := proto.Size(got); n != len(want) || !proto.Equal(proto.Clone(got), m) {
				t.Errorf("%d bytes, %v", n, got)
			}
		},
		"Merge into a dynamic one": func(step func()) {
			got := dynamic.NewMessage(m.ProtoReflect().Descriptor())
			if proto.Merge(got, interrupt.Message(m, step)); content(got) != want {
				t.Errorf("%v", got)
			}
		},
		"an extension of a dynamic one": func(step func()) {
			got := withExtension(nestedExtensions(), step)
			if b, err := (proto.MarshalOptions{Deterministic: true}).Marshal(got); err != nil ||
				string(b) != content(nestedExtensions()) {
				t.Errorf("%x, %v", b, err)
			}
		},
		"a field of a dynamic one": func(step func()) {
			got := dynamic.NewMessage(m.ProtoReflect().Descriptor())
			fd := got.Descriptor().Fields().ByName("shipping")
			address := interrupt.Message(m.Shipping, step).ProtoReflect()
			got.Set(fd, protoreflect.ValueOfMessage(address))
			if b := content(got.Get(fd).Message().Interface()); b != content(m.Shipping) {
				t.Errorf("%x", b)
			}
		},
		"Unpack": func(step func()) {
			o := proto.UnmarshalOptions{Resolver: typesByURL{interrupt.Resolver{Types: protoregistry.GlobalTypes,
				Step: step}}}
			if got, err := o.Unpack(any); err != nil || content(got) != want {
				t.Errorf("%v, %v", got, err)
			}
		},
		"Pack": func(step func()) {
			if got, err := proto.Pack(interrupt.Message(m, step)); err != nil ||
				!proto.Equal(got, any) && len(got.Value) != len(want) {
				t.Errorf("%v, %v", got, err)
			}
		},
	} {
		u.name = name
		n := interrupt.Steps(t, call, func() {
			u.use(want, new(benchpb.Order))
			u.use(want, dynamic.NewMessage(m.ProtoReflect().Descriptor()))
			u.use(content(leaf), new(legacypb.Leaf))
		})
		if n < 3 {
			t.Errorf("%s: only %d interruptions", name, n)
		}
	}
}

// typesByURL finds messages of another implementation.
type typesByURL struct{ interrupt.Resolver }

func (t typesByURL) FindMessageByURL(url string) (protoreflect.MessageType, error) {
	mt, err := t.Resolver.FindMessageByURL(url)
	if err != nil {
		return nil, err
	}
	return interrupt.Type(mt, t.Step), nil
}
