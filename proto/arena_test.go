package proto_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	official "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/internal/test/race"
	"github.com/protean-pb/protean/internal/testpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/legacypb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/proto3pb"
	"github.com/protean-pb/protean/proto"
	"github.com/protean-pb/protean/protojson"
)

// A held is a message in an Arena, and an equal one elsewhere.
type held struct{ got, want proto.Message }

// readHeld reads b into two new messages of the type, one of them in the arena, and checks that it goes the same way.
func readHeld(t *testing.T, c testpb.Choice, b []byte, o proto.UnmarshalOptions) (held, bool) {
	t.Helper()
	h := held{c.Empty(), c.Empty()}
	err := o.Unmarshal(b, h.got)
	o.Arena = nil
	wantErr := o.Unmarshal(b, h.want)
	if (err == nil) != (wantErr == nil) { // the place may be told more exactly in a Value
		t.Fatalf("%T: in an arena %v, else %v", h.got, err, wantErr)
	}
	return h, err == nil
}

func (h held) check(t *testing.T) {
	t.Helper()
	if official.Equal(h.got, h.want) {
		return
	}
	sorted := official.MarshalOptions{Deterministic: true, AllowPartial: true} // a NaN does not equal itself
	g, _ := sorted.Marshal(h.got)
	w, _ := sorted.Marshal(h.want)
	if !slices.Equal(g, w) {
		t.Fatalf("%T: in an arena\n%v\nelse\n%v", h.got, h.got, h.want)
	}
}

// TestArena reads messages of all types, several in a row with one Arena, which must all stay as they are until it is
// Reset.
func TestArena(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var arena proto.Arena
	o := proto.UnmarshalOptions{Arena: &arena, AllowPartial: true}
	var all []held
	for range race.Rounds(40) {
		for which, c := range choices() {
			m := c.Type.New()
			testpb.Fill(m, r, r.IntN(60))
			b, err := official.MarshalOptions{AllowPartial: true}.Marshal(m.Interface())
			if err != nil {
				t.Fatal(err)
			}
			h, ok := readHeld(t, c, b, o)
			if ok {
				all = append(all, h)
			}
			if which%16 == 0 {
				o.Merge = r.IntN(2) == 0
				o.AliasInput = r.IntN(4) == 0
			}
			if r.IntN(50) > 0 {
				continue
			}
			if r.IntN(10) == 0 {
				runtime.GC()
			}
			for _, h := range all {
				h.check(t)
			}
			all = nil
			arena.Reset()
		}
	}
}

// FuzzArena reads any bytes into messages of several types in one Arena, resets it, and does it once more.
func FuzzArena(f *testing.F) {
	eachSeed(f, func(which int, b []byte) { f.Add(uint16(which), uint8(which), b) })
	var arena proto.Arena
	f.Fuzz(func(t *testing.T, which uint16, way uint8, b []byte) {
		o := proto.UnmarshalOptions{Merge: way&1 != 0, AllowPartial: way&2 != 0, DiscardUnknown: way&4 != 0,
			AliasInput: way&8 != 0, Arena: &arena}
		if way&16 != 0 {
			o.RecursionLimit = 1 + int(way>>5)
		}
		for range 2 {
			var all []held
			for i := range 3 {
				h, ok := readHeld(t, chosen(which+uint16(i*i)), b, o)
				if ok && o.Merge {
					if o.Unmarshal(b, h.got) != nil || o.Unmarshal(b, h.want) != nil {
						t.Fatal("cannot be merged again")
					}
				}
				if ok {
					all = append(all, h)
				}
			}
			for _, h := range all {
				h.check(t)
			}
			arena.Reset()
		}
		arena.Reset()
	})
}

// arenaMessages returns the wire form and text of a message that has all that an Arena has memory for, and an empty one
// of each implementation.
func arenaMessages(t testing.TB) (wire, text []byte, empty []proto.Message) {
	nested := func(n int32) *proto3pb.TestAllTypesProto3_NestedMessage {
		return &proto3pb.TestAllTypesProto3_NestedMessage{A: n,
			Corecursive: &proto3pb.TestAllTypesProto3{OptionalString: "some text"}}
	}
	full := &proto3pb.TestAllTypesProto3{
		OptionalString:         "text",
		OptionalBytes:          []byte("bytes"),
		OptionalNestedMessage:  nested(1),
		RepeatedInt32:          []int32{1, 2, 300},
		RepeatedBool:           []bool{true, false},
		RepeatedDouble:         []float64{1.5},
		RepeatedString:         []string{"a", "b", strings.Repeat("long", 5000)},
		RepeatedBytes:          [][]byte{[]byte("c")},
		RepeatedNestedMessage:  []*proto3pb.TestAllTypesProto3_NestedMessage{nested(2), nested(3), nested(4)},
		MapInt32Int32:          map[int32]int32{1: 2},
		MapStringString:        map[string]string{"k": "v", "l": "w"},
		MapStringNestedMessage: map[string]*proto3pb.TestAllTypesProto3_NestedMessage{"m": nested(5)},
		OneofField:             &proto3pb.TestAllTypesProto3_OneofString{OneofString: "chosen"},
	}
	wire, err := official.MarshalOptions{Deterministic: true}.Marshal(full)
	if err != nil {
		t.Fatal(err)
	}
	if text, err = protojson.Marshal(full); err != nil {
		t.Fatal(err)
	}
	name := full.ProtoReflect().Descriptor().FullName()
	for _, c := range choices() {
		if c.Type.Descriptor().FullName() == name {
			empty = append(empty, c.Empty())
		}
	}
	return wire, text, append(empty, new(proto3pb.TestAllTypesProto3),
		dynamic.NewMessage(full.ProtoReflect().Descriptor()))
}

// TestArenaAllocatesNothing reads a message again and again.
func TestArenaAllocatesNothing(t *testing.T) {
	if race.Enabled {
		t.Skip("Reset gives all memory up")
	}
	wire, text, empty := arenaMessages(t)
	v, err := structpb.NewValue(map[string]any{"a": []any{1.5, "text", true, nil, map[string]any{"b": "c"}},
		"d": strings.Repeat("long", 1000)})
	if err != nil {
		t.Fatal(err)
	}
	values, err := official.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range append(empty, proto.Message(new(structpb.Value))) {
		b := wire
		if _, ok := m.(*structpb.Value); ok {
			b = values
		}
		var arena proto.Arena
		o := proto.UnmarshalOptions{Arena: &arena, AllowPartial: true}
		n := testing.AllocsPerRun(20, func() {
			for range 5 {
				if err := o.Unmarshal(b, m); err != nil {
					t.Fatal(err)
				}
			}
			arena.Reset()
		})
		if n > 0 {
			t.Errorf("%T: %v allocations", m, n)
		}
		j := protojson.UnmarshalOptions{Arena: &arena}
		if b = text; m.ProtoReflect().Descriptor().Name() == "Value" {
			b = []byte(protojson.Format(v))
		}
		n = testing.AllocsPerRun(20, func() {
			if err := j.Unmarshal(b, m); err != nil {
				t.Fatal(err)
			}
			arena.Reset()
		})
		if n > 0 {
			t.Errorf("%T: %v allocations from text", m, n)
		}
	}
}

// panics returns what f panics with, as text; "" if it does not.
func panics(f func()) (with string) {
	defer func() {
		if x := recover(); x != nil {
			with = fmt.Sprint(x)
		}
	}()
	f()
	return ""
}

// resolverFunc is called for every extension field.
type resolverFunc func() (protoreflect.ExtensionType, error)

func (r resolverFunc) FindExtensionByName(protoreflect.FullName) (protoreflect.ExtensionType, error) {
	return r()
}

func (r resolverFunc) FindExtensionByNumber(
	protoreflect.FullName, protoreflect.FieldNumber,
) (protoreflect.ExtensionType, error) {
	return r()
}

// TestArenaMisused uses an Arena twice at the same time, and a copy of one.
func TestArenaMisused(t *testing.T) {
	wire, err := proto.Marshal(timestamppb.Now())
	if err != nil {
		t.Fatal(err)
	}
	var arena proto.Arena
	m := new(timestamppb.Timestamp)
	o := proto.UnmarshalOptions{Arena: &arena}
	if err := o.Unmarshal(wire, m); err != nil {
		t.Fatal(err)
	}
	c := new(proto.Arena)
	reflect.ValueOf(c).Elem().Set(reflect.ValueOf(&arena).Elem()) // vet finds other copies
	if got := panics(func() { _ = proto.UnmarshalOptions{Arena: c}.Unmarshal(wire, m) }); !strings.Contains(got,
		"copied") {
		t.Errorf("a copy: %q", got)
	}
	if got := panics(func() { c.Reset() }); got == "" {
		t.Error("a copy can be reset")
	}
	extended := new(legacypb.Extendable)
	unknown := []byte("\xf8\x3f\x01") // number 1023
	for what, use := range map[string]func(){
		"Unmarshal": func() { _ = o.Unmarshal(wire, m) },
		"Reset":     func() { arena.Reset() },
		"Size":      func() { arena.Size() },
	} {
		with := o
		with.Resolver = resolverFunc(func() (protoreflect.ExtensionType, error) {
			use()
			return nil, protoregistry.NotFound
		})
		if got := panics(func() { _ = with.Unmarshal(unknown, extended) }); !strings.Contains(got, "same time") {
			t.Errorf("%s while it is in use: %q", what, got)
		}
		if err := o.Unmarshal(wire, m); err != nil { // it is still of use
			t.Error(err)
		}
		arena.Reset()
	}
}

// TestArenaPoison looks at what is used after Reset.
func TestArenaPoison(t *testing.T) {
	wire, _, empty := arenaMessages(t)
	for _, m := range empty {
		arena := proto.Arena{Poison: true}
		o := proto.UnmarshalOptions{Arena: &arena, AllowPartial: true}
		for range 3 { // the message itself may be used again
			if err := o.Unmarshal(wire, m); err != nil {
				t.Fatal(err)
			}
			var texts []string
			var messages []proto.Message
			collect(m.ProtoReflect(), &texts, &messages)
			if len(texts) == 0 || len(messages) == 0 {
				t.Fatalf("%T has too little in it", m)
			}
			arena.Reset()
			for _, s := range texts {
				if !strings.Contains(strings.Repeat("used after Reset ", len(s)/8+2), s) {
					t.Fatalf("%T: the text %q is still there", m, s)
				}
			}
			for _, sub := range messages {
				sub.ProtoReflect().Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
					if fd.Message() != nil && !fd.IsList() && !fd.IsMap() && fd.ContainingOneof() == nil {
						t.Fatalf("%T has still %v", sub, fd.FullName())
					}
					return true
				})
			}
		}
	}
}

// collect returns the strings and messages in m.
func collect(m protoreflect.Message, texts *[]string, messages *[]proto.Message) {
	value := func(fd protoreflect.FieldDescriptor, v protoreflect.Value) {
		switch {
		case fd.Kind() == protoreflect.StringKind && v.String() != "":
			*texts = append(*texts, v.String())
		case fd.Message() != nil:
			*messages = append(*messages, v.Message().Interface())
			collect(v.Message(), texts, messages)
		}
	}
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case fd.IsExtension():
		case fd.IsList():
			for i := range v.List().Len() {
				value(fd, v.List().Get(i))
			}
		case fd.IsMap():
			v.Map().Range(func(_ protoreflect.MapKey, v protoreflect.Value) bool {
				value(fd.MapValue(), v)
				return true
			})
		default:
			value(fd, v)
		}
		return true
	})
}

// TestArenaShrinks reads a large message and then small ones.
func TestArenaShrinks(t *testing.T) {
	if race.Enabled {
		t.Skip("Reset gives all memory up")
	}
	list := new(structpb.ListValue)
	for range 5000 {
		list.Values = append(list.Values, structpb.NewStringValue("some text"))
	}
	large, err := proto.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	small, err := proto.Marshal(structpb.NewStringValue("x"))
	if err != nil {
		t.Fatal(err)
	}
	var arena proto.Arena
	o := proto.UnmarshalOptions{Arena: &arena}
	if err := o.Unmarshal(large, list); err != nil {
		t.Fatal(err)
	}
	before := arena.Size()
	for range 200 {
		arena.Reset()
		if err := o.Unmarshal(small, new(structpb.Value)); err != nil {
			t.Fatal(err)
		}
	}
	if after := arena.Size(); before < 5000*40 || after > before/20 {
		t.Errorf("%d bytes, and after small messages %d", before, after)
	}
}
