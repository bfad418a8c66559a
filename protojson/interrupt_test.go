package protojson_test

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	official "google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/internal/test/interrupt"
	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/legacypb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/wellknownpb"
	"github.com/protean-pb/protean/protojson"
)

// A textUser reads and writes text after something was interrupted, and keeps the results.
type textUser struct {
	t    *testing.T
	kept *interrupt.Kept
	name string // of what was interrupted
	n    int
}

func newTextUser(t *testing.T) *textUser { return &textUser{t: t, kept: interrupt.Keep(t)} }

// use reads the text, which is compact, into m, which then is to hold want, and writes it as text and as Go values.
func (u *textUser) use(text, want string, m proto.Message) {
	u.t.Helper()
	if err := (protojson.UnmarshalOptions{AllowPartial: true}).Unmarshal([]byte(text), m); err != nil {
		u.t.Fatalf("after %s: %v", u.name, err)
	}
	u.kept.Add("read after "+u.name, want, func() string { return string(wire(u.t, m)) })
	b, err := protojson.MarshalOptions{AllowPartial: true}.Marshal(m)
	if err != nil {
		u.t.Fatalf("after %s: %v", u.name, err)
	}
	u.kept.Add("written after "+u.name, text, func() string { return string(b) })
	v, err := protojson.MarshalOptions{AllowPartial: true}.ToAny(m)
	back := m.ProtoReflect().New().Interface()
	if err == nil {
		err = protojson.UnmarshalOptions{AllowPartial: true}.FromAny(v, back)
	}
	if err != nil {
		u.t.Fatalf("after %s: %v", u.name, err)
	}
	u.kept.Add("made of Go values after "+u.name, want, func() string { return string(wire(u.t, back)) })
	if u.n++; u.n%128 == 1 {
		u.nested()
	}
}

// nested reads and writes in the midst of reading and writing: calls that were handed the same memory would be in one
// another's way.
func (u *textUser) nested() {
	u.t.Helper()
	outer, inner := resolved(), everything()
	text, err := protojson.Marshal(inner)
	if err != nil {
		u.t.Fatal(err)
	}
	inside := func() {
		if b, err := protojson.Marshal(inner); err != nil || !bytes.Equal(b, text) {
			u.t.Errorf("after %s, within another call: %s, %v, want %s", u.name, b, err, text)
		}
		got := new(wellknownpb.Repeated)
		if err := protojson.Unmarshal(text, got); err != nil || !proto.Equal(got, inner) {
			u.t.Errorf("after %s, within another call: %v, %v", u.name, got, err)
		}
		v, err := protojson.ToAny(inner)
		if err != nil || protojson.FromAny(v, got) != nil || !proto.Equal(got, inner) {
			u.t.Errorf("after %s, within another call: %v, %v", u.name, got, err)
		}
	}
	r := interrupt.Resolver{Types: protoregistry.GlobalTypes, Step: inside}
	got := new(wellknownpb.Repeated)
	b, err := protojson.MarshalOptions{Resolver: r}.Marshal(outer)
	if err == nil {
		err = protojson.UnmarshalOptions{Resolver: r}.Unmarshal(b, got)
	}
	if err != nil || !proto.Equal(got, outer) {
		u.t.Errorf("after %s: %v, %v, want %v", u.name, got, err, outer)
	}
}

// resolved needs a resolver in many places.
func resolved() *wellknownpb.Repeated {
	leaf := extended(&legacypb.Extendable{Id: proto.Int32(1)}, legacypb.E_ExtString, "s", legacypb.E_ExtLeaf,
		&legacypb.Leaf{Id: proto.Int32(2)},
		legacypb.E_ExtListLeaf, []*legacypb.Leaf{{Name: proto.String("element")}}, legacypb.E_ExtPackedInt32,
		[]int32{1, 2, 3})
	return throughText(&wellknownpb.Repeated{
		ListAny: []*anypb.Any{anyOf(leaf), anyOf(anyOf(&benchpb.Leaf{Name: "in two"})),
			anyOf(structpb.NewStringValue("value"))},
		ListStruct: []*structpb.Struct{structOf(map[string]any{"a": []any{1.5, "b", nil}})},
	})
}

// throughText returns m as the official library reads it from text: what is in an Any is in order then.
func throughText[M proto.Message](m M) M {
	text, err := official.Marshal(m)
	same := m.ProtoReflect().New().Interface().(M)
	if err == nil {
		err = official.Unmarshal(text, same)
	}
	if err != nil {
		panic(err) // all types are linked
	}
	return same
}

// everything needs all sorts of memory.
func everything() *wellknownpb.Repeated {
	m := resolved()
	for range 5 {
		m.ListStruct = append(m.ListStruct, structOf(map[string]any{"text": strings.Repeat("text ", 20),
			"list": []any{true, map[string]any{"a": nil}}}))
		m.ListAny = append(m.ListAny, anyOf(&benchpb.KeyMaps{ByString: map[string]string{"b": "1", "a": "2"},
			ByInt32: map[int32]string{3: "x", -1: "y"}}))
	}
	return throughText(m)
}

// plainText returns the compact text of m.
func plainText(t *testing.T, m proto.Message) string {
	t.Helper()
	text, err := protojson.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestInterruptedByResolvers has resolvers, and the types that they find, panic.
func TestInterruptedByResolvers(t *testing.T) {
	u := newTextUser(t)
	inMaps := throughText(&wellknownpb.Maps{MapAny: map[string]*anypb.Any{
		"c": resolved().ListAny[0], "a": anyOf(resolved()), "d": resolved().ListAny[1],
	}})
	for _, m := range slices.Concat(dynamicForms(resolved()), dynamicForms(inMaps),
		[]proto.Message{resolved(), inMaps}) {
		text, want := plainText(t, m), string(wire(t, m))
		empty := func() proto.Message { return m.ProtoReflect().New().Interface() }
		half := empty()
		for name, call := range map[string]func(r resolver){
			"Unmarshal": func(r resolver) {
				half = empty()
				if err := (protojson.UnmarshalOptions{Resolver: r}).Unmarshal([]byte(text), half); err != nil {
					t.Fatal(err)
				}
			},
			"FromAny": func(r resolver) {
				var v any
				if err := json.Unmarshal([]byte(text), &v); err != nil {
					t.Fatal(err)
				}
				half = empty()
				if err := (protojson.UnmarshalOptions{Resolver: r}).FromAny(v, half); err != nil {
					t.Fatal(err)
				}
			},
			"Marshal": func(r resolver) {
				if b, err := (protojson.MarshalOptions{Resolver: r}).Marshal(m); err != nil || string(b) != text {
					t.Fatalf("%s, %v", b, err)
				}
			},
			"ToAny": func(r resolver) {
				if _, err := (protojson.MarshalOptions{Resolver: r}).ToAny(m); err != nil {
					t.Fatal(err)
				}
			},
		} {
			u.name = name
			n := interrupt.Steps(t, func(step func()) {
				call(typesByURL{interrupt.Resolver{Types: protoregistry.GlobalTypes, Step: step}})
			}, func() {
				wire(t, half)
				u.use(text, want, half)
			})
			if n < 3 {
				t.Errorf("%s: only %d interruptions", name, n)
			}
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

// A stepper calls step in whatever writes it as JSON.
type stepper struct {
	step func()
	v    any
}

func (s stepper) MarshalJSON() ([]byte, error) {
	s.step()
	return json.Marshal(s.v)
}

// A stepKey calls step where it is written as a key.
type stepKey struct {
	step *func()
	key  string
}

func (k stepKey) MarshalText() ([]byte, error) {
	(*k.step)()
	return []byte(k.key), nil
}

// TestInterruptedByMethods writes messages of another implementation, and reads into them, and reads Go values whose
// methods panic.
func TestInterruptedByMethods(t *testing.T) {
	m := &benchpb.Pong{Text: "pong", Pings: map[int64]*benchpb.Ping{1: {Count: 2},
		3: {Pong: &benchpb.Pong{Text: "below"}}}}
	text, want := plainText(t, m), string(wire(t, m))
	extendable := extended(&legacypb.Extendable{Id: proto.Int32(1)}, legacypb.E_ExtLeaf,
		&legacypb.Leaf{Id: proto.Int32(2)})
	leaf := &benchpb.Leaf{Id: 5, Name: "leaf"}
	u := newTextUser(t)
	for name, call := range map[string]func(step func()){
		"Marshal of a message": func(step func()) {
			if b, err := protojson.Marshal(interrupt.Message(m, step)); err != nil || string(b) != text {
				t.Errorf("%s, %v", b, err)
			}
		},
		"Unmarshal into a message": func(step func()) {
			got := new(benchpb.Pong)
			if err := protojson.Unmarshal([]byte(text), interrupt.Message(got, step)); err != nil ||
				!proto.Equal(got, m) {
				t.Errorf("%v, %v", got, err)
			}
		},
		"an extension of a dynamic one": func(step func()) {
			d := dynamic.NewMessage(extendable.ProtoReflect().Descriptor())
			proto.Merge(d, extendable)
			x := interrupt.Message(&legacypb.Leaf{Id: proto.Int32(2)}, step)
			d.Set(dynamic.NewExtensionType(legacypb.E_ExtLeaf.TypeDescriptor().Descriptor()).TypeDescriptor(),
				protoreflect.ValueOfMessage(x.ProtoReflect()))
			if b, err := protojson.Marshal(d); err != nil || string(b) != plainText(t, extendable) {
				t.Errorf("%s, %v", b, err)
			}
			if _, err := protojson.ToAny(d); err != nil {
				t.Error(err)
			}
		},
		"AppendAny": func(step func()) {
			if b, err := protojson.AppendAny(nil, interrupt.Message(m, step)); err != nil || len(b) < len(text) {
				t.Errorf("%s, %v", b, err)
			}
		},
		"FromAny of a method's result": func(step func()) {
			v := map[string]any{"text": stepper{step, "pong"},
				"pings": stepper{step, map[string]any{"1": map[string]any{"count": "2"}, "3": map[string]any{"pong": map[string]any{"text": "below"}}}}}
			if got := new(benchpb.Pong); protojson.FromAny(v, got) != nil || !proto.Equal(got, m) {
				t.Errorf("%v", got)
			}
		},
		"FromAny of keys": func(step func()) {
			v := map[stepKey]any{{&step, "id"}: 5, {&step, "name"}: "leaf"}
			if got := new(benchpb.Leaf); protojson.FromAny(v, got) != nil || !proto.Equal(got, leaf) {
				t.Errorf("%v", got)
			}
		},
		"FromAny of a message": func(step func()) {
			v := map[string]any{"children": []any{map[string]any{"leaf": interrupt.Message(leaf, step)}}}
			if got := new(benchpb.Tree); protojson.FromAny(v, got) != nil ||
				!proto.Equal(got.Children[0].GetLeaf(), leaf) {
				t.Errorf("%v", got)
			}
		},
	} {
		u.name = name
		n := interrupt.Steps(t, call, func() {
			u.use(text, want, new(benchpb.Pong))
			u.use(text, want, dynamic.NewMessage(m.ProtoReflect().Descriptor()))
		})
		if n < 2 {
			t.Errorf("%s: only %d interruptions", name, n)
		}
	}
}

// A steppingStream calls step before it reads or writes.
type steppingStream struct {
	io.ReadWriter
	step func()
}

func (s *steppingStream) Read(b []byte) (int, error) {
	s.step()
	return s.ReadWriter.Read(b)
}

func (s *steppingStream) Write(b []byte) (int, error) {
	s.step()
	return s.ReadWriter.Write(b)
}

// TestInterruptedByStreams has readers and writers panic. A Decoder and an Encoder go on where they were.
func TestInterruptedByStreams(t *testing.T) {
	m := everything()
	text, want := plainText(t, m), string(wire(t, m))
	u := newTextUser(t)
	check := func() { u.use(text, want, new(wellknownpb.Repeated)) }
	for name, call := range map[string]func(stream *steppingStream){
		"UnmarshalRead": func(stream *steppingStream) {
			stream.ReadWriter = readOnly{iotest.HalfReader(strings.NewReader(text))}
			if got := new(wellknownpb.Repeated); protojson.UnmarshalRead(stream, got) != nil || !proto.Equal(got, m) {
				t.Errorf("%v", got)
			}
		},
		"MarshalWrite": func(stream *steppingStream) {
			b := new(bytes.Buffer)
			stream.ReadWriter = b
			if err := protojson.MarshalWrite(stream, m); err != nil || b.String() != text {
				t.Errorf("%s, %v", b, err)
			}
		},
	} {
		u.name = name
		if n := interrupt.Steps(t, func(step func()) { call(&steppingStream{step: step}) }, check); n < 1 {
			t.Errorf("%s: no interruption", name)
		}
	}
	u.name = "Encoder, Decoder"
	stream := &steppingStream{ReadWriter: new(bytes.Buffer)}
	encoder, decoder := protojson.NewEncoder(stream), protojson.NewDecoder(stream)
	var pending []*benchpb.Leaf // written and not read yet
	read := func() {
		got := new(benchpb.Leaf)
		if err := decoder.Decode(got); err != nil || !proto.Equal(got, pending[0]) {
			t.Errorf("%v, %v, want %v", got, err, pending[0])
		}
		pending = pending[1:]
	}
	n := interrupt.Steps(t, func(step func()) {
		stream.step = step
		for i := range 3 {
			leaf := &benchpb.Leaf{Id: int32(i)}
			if err := encoder.Encode(leaf); err != nil {
				t.Fatal(err)
			}
			pending = append(pending, leaf)
			read()
		}
	}, func() {
		stream.step = func() {}
		for len(pending) > 0 {
			read()
		}
		check()
	})
	if n < 6 {
		t.Errorf("only %d interruptions", n)
	}
}

// readOnly is a stream that nobody writes to.
type readOnly struct{ io.Reader }

func (readOnly) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
