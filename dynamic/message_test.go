package dynamic_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/internal/test/race"
	"github.com/protean-pb/protean/internal/testpb"
	protean "github.com/protean-pb/protean/proto"
)

// descriptor returns that of a test message.
func descriptor(t testing.TB, name protoreflect.FullName) protoreflect.MessageDescriptor {
	t.Helper()
	mt, err := protoregistry.GlobalTypes.FindMessageByName(name)
	if err != nil {
		t.Fatal(err)
	}
	return mt.Descriptor()
}

const allTypes = "protobuf_test_messages.proto3.TestAllTypesProto3"

// filled returns a message of ours and one of dynamicpb with the same random contents.
func filled(
	t testing.TB, md protoreflect.MessageDescriptor, seed uint64, size int,
) (*dynamic.Message, *dynamicpb.Message) {
	t.Helper()
	theirs := dynamicpb.NewMessage(md)
	testpb.Fill(theirs, rand.New(rand.NewPCG(seed, 9)), size)
	ours := dynamic.NewMessage(md)
	proto.Merge(ours, theirs)
	return ours, theirs
}

// TestOfficialLibrary has its functions work on our messages and on its own.
func TestOfficialLibrary(t *testing.T) {
	eachType(t, func(t *testing.T, mt protoreflect.MessageType) {
		for seed := range uint64(4) {
			ours, theirs := filled(t, mt.Descriptor(), seed, int(8*seed))
			if !proto.Equal(ours, theirs) || !proto.Equal(theirs, ours) {
				t.Fatalf("ours:   %v\ntheirs: %v", ours, theirs)
			}
			compare(t, "text", ours, theirs, prototext.MarshalOptions{AllowPartial: true}.Marshal)
			compare(t, "JSON", ours, theirs, protojson.MarshalOptions{AllowPartial: true}.Marshal)
			compare(t, "wire", ours, theirs, proto.MarshalOptions{AllowPartial: true, Deterministic: true}.Marshal)
			if (proto.CheckInitialized(ours) == nil) != (proto.CheckInitialized(theirs) == nil) {
				t.Fatal(proto.CheckInitialized(ours))
			}
			if got, want := proto.Size(ours), proto.Size(theirs); got != want &&
				!holdsMessageSet(mt.Descriptor(), map[protoreflect.FullName]bool{}) {
				t.Fatalf("size %d, want %d", got, want)
			}
			copied := proto.Clone(ours)
			if !proto.Equal(copied, theirs) {
				t.Fatalf("clone: %v\nof %v", copied, ours)
			}
			proto.Merge(copied, ours)
			proto.Merge(ours, ours)
			proto.Merge(theirs, proto.Clone(theirs))
			if !proto.Equal(copied, theirs) || !proto.Equal(ours, theirs) {
				t.Fatalf("merged: %v\nwith itself: %v\nwant %v", copied, ours, theirs)
			}
			proto.Reset(ours)
			if !proto.Equal(ours, mt.New().Interface()) {
				t.Fatalf("after Reset: %v", ours)
			}
		}
	})
}

// compare holds what write makes of both messages against each other.
func compare(t *testing.T, what string, ours, theirs proto.Message, write func(proto.Message) ([]byte, error)) {
	t.Helper()
	got, err := write(ours)
	want, wantErr := write(theirs)
	if (err != nil) != (wantErr != nil) || err == nil && !bytes.Equal(compact(got), compact(want)) {
		t.Fatalf("%s:\n%s %v, official:\n%s %v", what, got, err, want, wantErr)
	}
}

// compact leaves out the spaces that the official library adds at random.
func compact(b []byte) []byte { return bytes.ReplaceAll(b, []byte("  "), []byte(" ")) }

// TestCloneSharesNothing checks that a clone shares nothing with what it is a copy of.
func TestCloneSharesNothing(t *testing.T) {
	eachType(t, func(t *testing.T, mt protoreflect.MessageType) {
		ours, theirs := filled(t, mt.Descriptor(), 3, 40)
		clone := proto.Clone(ours).ProtoReflect()
		scramble(ours)
		if !proto.Equal(clone.Interface(), theirs) {
			t.Fatalf("the clone changed to %v\nfrom %v", clone, theirs)
		}
	})
}

// scramble changes all that can be changed in place.
func scramble(m protoreflect.Message) {
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case fd.IsMap():
			v.Map().Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
				scrambleValue(v)
				return true
			})
			v.Map().Range(func(k protoreflect.MapKey, _ protoreflect.Value) bool {
				v.Map().Clear(k)
				return true
			})
		case fd.IsList():
			for i := range v.List().Len() {
				scrambleValue(v.List().Get(i))
				v.List().Set(i, v.List().NewElement())
			}
		default:
			scrambleValue(v)
		}
		return true
	})
	for i, b := range m.GetUnknown() {
		m.GetUnknown()[i] = ^b
	}
}

func scrambleValue(v protoreflect.Value) {
	switch x := v.Interface().(type) {
	case []byte:
		for i := range x {
			x[i] = ^x[i]
		}
	case protoreflect.Message:
		scramble(x)
	}
}

// TestHandlesStayWithTheirField checks that handles to a field stay handles to that field.
func TestHandlesStayWithTheirField(t *testing.T) {
	md := descriptor(t, allTypes)
	m := dynamic.NewMessage(md)
	fd := md.Fields().ByName("repeated_int32")
	first, second := m.Mutable(fd).List(), m.Mutable(fd).List()
	for i := range 100 {
		first.Append(protoreflect.ValueOfInt32(int32(i)))
		second.Append(protoreflect.ValueOfInt32(int32(-i)))
	}
	if first.Len() != 200 || m.Get(fd).List().Len() != 200 || second.Get(199).Int() != -99 {
		t.Errorf("lengths %d, %d, %d", first.Len(), second.Len(), m.Get(fd).List().Len())
	}
	m.Clear(fd)
	second.Append(protoreflect.ValueOfInt32(7))
	if first.Len() != 1 || m.Get(fd).List().Get(0).Int() != 7 {
		t.Error("lost after Clear")
	}
	list := m.NewField(fd).List()
	list.Append(protoreflect.ValueOfInt32(1))
	m.Set(fd, protoreflect.ValueOfList(list))
	for range 10 {
		list.Append(protoreflect.ValueOfInt32(2))
	}
	if n := m.Get(fd).List().Len(); n != 11 {
		t.Errorf("length %d after an Append to the list that was Set", n)
	}
	other := dynamic.NewMessage(md)
	other.Set(fd, protoreflect.ValueOfList(list))
	list.Set(0, protoreflect.ValueOfInt32(5))
	list.Append(protoreflect.ValueOfInt32(2))
	if l := other.Get(fd).List(); l.Len() != 11 || l.Get(0).Int() != 1 {
		t.Error("two messages share a list")
	}

	mapped := md.Fields().ByName("map_int32_int32")
	empty := m.NewField(mapped).Map()
	m.Set(mapped, protoreflect.ValueOfMap(empty))
	key := protoreflect.ValueOfInt32(1).MapKey()
	empty.Set(key, protoreflect.ValueOfInt32(2))
	if m.Get(mapped).Map().Get(key).Int() != 2 {
		t.Error("lost: an entry of the map that was Set")
	}
	empty = dynamic.NewMessage(md).Mutable(mapped).Map()
	m.Set(mapped, protoreflect.ValueOfMap(empty))
	empty.Set(key, protoreflect.ValueOfInt32(3))
	if got := m.Get(mapped).Map(); got.Len() != 1 || got.Get(key).Int() != 3 {
		t.Error("two messages do not share a map that one had and the other was given")
	}
}

// TestStringsChangesListsAndMapsInPlace changes lists and maps of strings by what their method Strings returns, and by
// their handles.
func TestStringsChangesListsAndMapsInPlace(t *testing.T) {
	md := descriptor(t, allTypes)
	m := dynamic.NewMessage(md)
	fd := md.Fields().ByName("repeated_string")
	l := m.Mutable(fd).List()
	at := l.(interface{ Strings() *[]string }).Strings()
	*at = append(*at, "a")
	l.Append(protoreflect.ValueOfString("b"))
	if got := m.Get(fd).List(); got.Len() != 2 || got.Get(0).String() != "a" || (*at)[1] != "b" {
		t.Errorf("the list is %v, and %v in place", got, *at)
	}
	m.Clear(fd)
	if len(*at) != 0 {
		t.Errorf("%v after Clear", *at)
	}

	mapped, key := md.Fields().ByName("map_string_string"), protoreflect.ValueOfString("k").MapKey()
	entries := m.Mutable(mapped).Map()
	in := entries.(interface{ Strings() *map[string]string }).Strings()
	entries.Set(key, protoreflect.ValueOfString("v"))
	(*in)["l"] = "w"
	if entries.Len() != 2 || (*in)["k"] != "v" ||
		m.Get(mapped).Map().Get(protoreflect.ValueOfString("l").MapKey()).String() != "w" {
		t.Errorf("%d entries, and %v in place", entries.Len(), *in)
	}
	*in = nil
	if m.Has(mapped) {
		t.Error("a map of no entries is present")
	}
	other := m.NewField(mapped).Map()
	other.Set(key, protoreflect.ValueOfString("x"))
	m.Set(mapped, protoreflect.ValueOfMap(other))
	if (*in)["k"] != "x" {
		t.Errorf("%v after Set", *in)
	}
}

// TestStringsOfOtherListsAndMaps asks lists and maps for strings that have none, or cannot be changed.
func TestStringsOfOtherListsAndMaps(t *testing.T) {
	md := descriptor(t, allTypes)
	m := dynamic.NewMessage(md)
	for _, name := range []protoreflect.Name{"repeated_int32", "repeated_bytes", "repeated_nested_enum",
		"repeated_nested_message"} {
		l := m.Mutable(md.Fields().ByName(name)).List()
		if l.(interface{ Strings() *[]string }).Strings() != nil {
			t.Errorf("%s has strings", name)
		}
	}
	for _, name := range []protoreflect.Name{"map_string_bytes", "map_int32_int32", "map_string_nested_enum",
		"map_string_nested_message"} {
		entries := m.Mutable(md.Fields().ByName(name)).Map()
		if entries.(interface{ Strings() *map[string]string }).Strings() != nil {
			t.Errorf("%s has strings", name)
		}
	}
	if m.Get(md.Fields().ByName("repeated_string")).List().(interface{ Strings() *[]string }).Strings() != nil {
		t.Error("a read-only list has strings")
	}
	if m.Get(
		md.Fields().ByName("map_string_string")).Map().(interface{ Strings() *map[string]string }).Strings() != nil {
		t.Error("a read-only map has strings")
	}
}

// TestExtensionTypes has two types for one extension field.
func TestExtensionTypes(t *testing.T) {
	generated, err := protoregistry.GlobalTypes.FindExtensionByName("protobuf_test_messages.proto2.extension_int32")
	if err != nil {
		t.Fatal(err)
	}
	first, second := generated.TypeDescriptor(), dynamic.NewExtensionType(generated.TypeDescriptor()).TypeDescriptor()
	for _, m := range []protoreflect.Message{dynamic.NewMessage(first.ContainingMessage()),
		dynamicpb.NewMessage(first.ContainingMessage())} {
		m.Set(first, protoreflect.ValueOfInt32(5))
		if !m.Has(first) || m.Has(second) || m.Get(second).Int() != 0 {
			t.Errorf("%T: a field is found by another type than the one it was set by", m)
		}
		m.Set(second, protoreflect.ValueOfInt32(6))
		if m.Has(first) || m.Get(second).Int() != 6 {
			t.Errorf("%T: a field is not set anew by another type", m)
		}
		m.Clear(first)
		if m.Has(second) {
			t.Errorf("%T: a field is not cleared by another type", m)
		}
	}
	other := dynamic.NewMessage(descriptor(t, allTypes))
	if caught(func() { other.Has(first) }) == nil {
		t.Error("an extension of another message")
	}
}

// TestOneofMemberBeginsAnew checks that nothing is left of a member when it is chosen again.
func TestOneofMemberBeginsAnew(t *testing.T) {
	md := descriptor(t, allTypes)
	m := dynamic.NewMessage(md)
	nested, text := md.Fields().ByName("oneof_nested_message"), md.Fields().ByName("oneof_string")
	inner := nested.Message().Fields().ByName("a")
	m.Mutable(nested).Message().Set(inner, protoreflect.ValueOfInt32(5))
	first, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	m.Set(text, protoreflect.ValueOfString("text"))
	second, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	if err := proto.Unmarshal(append(first, second...), m); err != nil {
		t.Fatal(err)
	}
	if m.Has(nested) || m.WhichOneof(text.ContainingOneof()) != text || m.Get(nested).Message().IsValid() {
		t.Errorf("both: %v", m)
	}
	if got := m.Mutable(nested).Message(); got.Has(inner) || m.Has(text) {
		t.Errorf("something is left: %v", m)
	}
}

// TestOthersValues sets messages, lists and maps of other implementations.
func TestOthersValues(t *testing.T) {
	md := descriptor(t, allTypes)
	generated, err := protoregistry.GlobalTypes.FindMessageByName(md.FullName())
	if err != nil {
		t.Fatal(err)
	}
	for _, from := range []protoreflect.MessageType{generated, dynamicpb.NewMessageType(md)} {
		for seed := range uint64(20) {
			src := from.New()
			testpb.Fill(src, rand.New(rand.NewPCG(seed, 1)), 60)
			m := dynamic.NewMessage(md)
			src.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
				m.Set(fd, v)
				return true
			})
			m.SetUnknown(src.GetUnknown())
			if !proto.Equal(m, src.Interface()) {
				t.Fatalf("%v\nbecame %v", src, m)
			}
		}
	}
}

// TestOthersDescriptor sets messages whose descriptor is another of the same name, and those that are read-only.
func TestOthersDescriptor(t *testing.T) {
	file, err := protodesc.NewFile(protodesc.ToFileDescriptorProto(timestamppb.File_google_protobuf_timestamp_proto),
		nil)
	if err != nil {
		t.Fatal(err)
	}
	md := descriptor(t, "protean.test.wellknown.Singular")
	var fd protoreflect.FieldDescriptor
	for i := range md.Fields().Len() {
		if f := md.Fields().Get(i); f.Message() != nil && f.Message().FullName() == "google.protobuf.Timestamp" {
			fd = f
		}
	}
	same := dynamic.NewMessage(file.Messages().Get(0))
	same.Set(same.Descriptor().Fields().ByName("nanos"), protoreflect.ValueOfInt32(9))
	ours, theirs := dynamic.NewMessage(md), dynamicpb.NewMessage(md)
	for _, m := range []protoreflect.Message{ours, theirs} {
		m.Set(fd, protoreflect.ValueOfMessage(same))
		if got := m.Get(fd).Message(); got != protoreflect.Message(same) {
			t.Errorf("%T: %v became %v", m, same, got)
		}
	}
	clone := proto.Clone(ours).ProtoReflect().Get(fd).Message()
	if clone.Descriptor() != fd.Message() || clone.Get(fd.Message().Fields().ByName("nanos")).Int() != 9 {
		t.Errorf("the clone has %v", clone)
	}
	codecsAgree(t, ours, theirs)

	zero := dynamicpb.NewMessageType(fd.Message()).Zero().Interface()
	for _, v := range []proto.Message{zero, (*timestamppb.Timestamp)(nil), &structpb.Value{}} {
		got := caught(func() { ours.Set(fd, protoreflect.ValueOfMessage(v.ProtoReflect())) })
		want := caught(func() { theirs.Set(fd, protoreflect.ValueOfMessage(v.ProtoReflect())) })
		if _, ok := v.(*dynamicpb.Message); ok {
			want = nil // dynamicpb knows read-only messages of its own alone, and so do we
		}
		if (got == nil) != (want == nil) {
			t.Errorf("Set of %T panics with %v, dynamicpb's with %v", v, got, want)
		}
	}
	ownZero := dynamic.NewMessageType(fd.Message()).Zero()
	for _, v := range []protoreflect.Message{ownZero, new(dynamic.Message)} {
		if caught(func() { ours.Set(fd, protoreflect.ValueOfMessage(v)) }) == nil {
			t.Errorf("Set of a read-only message of the type %v", v.Descriptor())
		}
	}
}

// TestReadOnlyMessagesDoNotChange checks that what cannot be changed is not changed by any way of reading the wire
// format either, but for Reset, which makes the message another, as dynamicpb's does.
func TestReadOnlyMessagesDoNotChange(t *testing.T) {
	md := descriptor(t, allTypes)
	ours, theirs := dynamic.NewMessageType(md), dynamicpb.NewMessageType(md)
	wire := []byte{8, 1}
	field := md.Fields().ByName
	for what, f := range map[string]func(m proto.Message){
		"Unmarshal":         func(m proto.Message) { _ = proto.Unmarshal(wire, m) },
		"merging Unmarshal": func(m proto.Message) { _ = proto.UnmarshalOptions{Merge: true}.Unmarshal(wire, m) },
		"our Unmarshal":     func(m proto.Message) { _ = protean.Unmarshal(wire, m) },
		"our merging one":   func(m proto.Message) { _ = protean.UnmarshalOptions{Merge: true}.Unmarshal(wire, m) },
		"Reset":             func(m proto.Message) { proto.Reset(m) },
		"Merge":             func(m proto.Message) { proto.Merge(m, m.ProtoReflect().Type().New().Interface()) },
		"Mutable":           func(m proto.Message) { m.ProtoReflect().Mutable(field("repeated_int32")) },
		"SetUnknown":        func(m proto.Message) { m.ProtoReflect().SetUnknown(nil) },
		"Append": func(m proto.Message) {
			m.ProtoReflect().Get(field("repeated_int32")).List().AppendMutable()
		},
		"Set in a map of it": func(m proto.Message) {
			m.ProtoReflect().Get(field("map_int32_int32")).Map().Mutable(protoreflect.ValueOfInt32(1).MapKey())
		},
	} {
		a, b := ours.Zero().Interface(), theirs.Zero().Interface()
		p, q := caught(func() { f(a) }), caught(func() { f(b) })
		if (p == nil) != (q == nil) || a.ProtoReflect().IsValid() != b.ProtoReflect().IsValid() || !proto.Equal(a, b) {
			t.Errorf("%s: %v after %v, dynamicpb: %v after %v", what, a, p, b, q)
		}
	}
	zero := ours.Zero().Interface()
	for name, marshal := range marshals {
		if b, err := marshal(zero); err != nil || len(b) != 0 {
			t.Errorf("%s Marshal: %x, %v", name, b, err)
		}
	}
	if zero.ProtoReflect().IsValid() || !proto.Equal(zero, ours.Zero().Interface()) ||
		proto.Equal(zero, ours.New().Interface()) || !proto.Equal(proto.Clone(zero), zero) {
		t.Error("the zero message is not what it should be")
	}
	absent := ours.New().Get(field("recursive_message")).Message().Interface().(*dynamic.Message)
	*absent = *ours.New().(*dynamic.Message)
	absent.Set(field("optional_int32"), protoreflect.ValueOfInt32(1))
	if got := ours.New().Get(field("recursive_message")).Message(); got.IsValid() || got.Has(field("optional_int32")) {
		t.Errorf("an absent message is %v after another was overwritten", got)
	}
}

// TestMessageSets checks that they are refused as the official library refuses them, unless it is built with the tag
// protolegacy.
func TestMessageSets(t *testing.T) {
	for _, mt := range testpb.Types() {
		md := mt.Descriptor()
		if !testpb.IsMessageSet(md) {
			continue
		}
		_, wantErr := proto.Marshal(dynamicpb.NewMessage(md))
		for name, marshal := range marshals {
			if _, err := marshal(dynamic.NewMessage(md)); (err == nil) != (wantErr == nil) {
				t.Errorf("%s Marshal of %v: %v, official: %v", name, md.FullName(), err, wantErr)
			}
		}
		wantErr = proto.Unmarshal([]byte{8, 1}, dynamicpb.NewMessage(md))
		for name, unmarshal := range unmarshals {
			if err := unmarshal([]byte{8, 1}, dynamic.NewMessage(md)); (err == nil) != (wantErr == nil) {
				t.Errorf("Unmarshal of %v, %s: %v, official: %v", md.FullName(), name, err, wantErr)
			}
		}
	}
}

// TestUnmarshal has the official library read with our decoder.
func TestUnmarshal(t *testing.T) {
	m := dynamic.NewMessage(descriptor(t, allTypes))
	err := proto.Unmarshal([]byte{0x0a, 5, 'x'}, m)
	if got := fmt.Sprintf("%T", err); got != "*proto.FieldError" {
		t.Errorf("%v is a %s, not an error of our decoder", err, got)
	}
	required := dynamic.NewMessage(descriptor(t, "protean.test.legacy.Required"))
	if got := fmt.Sprintf("%T", proto.CheckInitialized(required)); got != "*proto.FieldError" {
		t.Errorf("an error of CheckInitialized is a %s", got)
	}
	unknown := []byte{0xf8, 0xff, 0xff, 0xff, 0x0f, 1}
	if err := proto.Unmarshal(unknown, m); err != nil || !bytes.Equal(m.GetUnknown(), unknown) {
		t.Errorf("%x, %v", m.GetUnknown(), err)
	}
	if err := (proto.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(unknown, m); err != nil ||
		len(m.GetUnknown()) != 0 {
		t.Errorf("%x, %v", m.GetUnknown(), err)
	}
	if err := (proto.UnmarshalOptions{RecursionLimit: 1}).Unmarshal([]byte{0x92, 1, 0}, m); err == nil {
		t.Error("nested beyond the limit")
	}
}

// TestAllocations counts those of what is done most.
func TestAllocations(t *testing.T) {
	md := descriptor(t, allTypes)
	typ := dynamic.NewType(md)
	m := typ.New()
	number, text := md.Fields().ByName("optional_int32"), md.Fields().ByName("optional_string")
	value := protoreflect.ValueOfString("a text that is not short")
	for what, c := range map[string]struct {
		want float64
		f    func()
	}{
		"New":             {1, func() { typ.New() }},
		"NewMessage":      {1, func() { dynamic.NewMessage(md) }},
		"Set of a number": {0, func() { m.Set(number, protoreflect.ValueOfInt32(1<<30)) }},
		"Get of a number": {0, func() { m.Get(number) }},
		"Set of a string": {0, func() { m.Set(text, value) }},
		"Get of a string": {0, func() { m.Get(text) }},
		"Get of nothing":  {1, func() { m.Get(md.Fields().ByName("recursive_message")) }},
	} {
		if got := testing.AllocsPerRun(100, c.f); got != c.want && !race.Enabled {
			t.Errorf("%s: %v allocations, want %v", what, got, c.want)
		}
	}
}

// TestTypesFindsAllKinds looks up all kinds of things.
func TestTypesFindsAllKinds(t *testing.T) {
	types, official := dynamic.NewTypes(protoregistry.GlobalFiles), dynamicpb.NewTypes(protoregistry.GlobalFiles)
	for _, name := range []protoreflect.FullName{allTypes, allTypes + ".NestedEnum", "nowhere",
		"protobuf_test_messages.proto2.extension_int32", allTypes + ".optional_int32"} {
		mt, err := types.FindMessageByName(name)
		_, want := official.FindMessageByName(name)
		checkFound(t, name, "message", err, want)
		if err == nil && mt.Descriptor().FullName() != name {
			t.Errorf("%v is found as %v", name, mt.Descriptor().FullName())
		}
		_, err = types.FindMessageByURL("type.googleapis.com/" + string(name))
		checkFound(t, name, "URL", err, want)
		_, err = types.FindEnumByName(name)
		_, want = official.FindEnumByName(name)
		checkFound(t, name, "enum", err, want)
		xt, err := types.FindExtensionByName(name)
		_, want = official.FindExtensionByName(name)
		if name != allTypes+".optional_int32" { // dynamicpb takes any field for an extension
			checkFound(t, name, "extension", err, want)
		}
		if err == nil {
			xd := xt.TypeDescriptor()
			same, err := types.FindExtensionByNumber(xd.ContainingMessage().FullName(), xd.Number())
			if err != nil || same != xt {
				t.Errorf("%v by number: %v, %v", name, same, err)
			}
		}
	}
	if _, err := types.FindExtensionByNumber(allTypes, 5); err != protoregistry.NotFound {
		t.Errorf("an extension that is none: %v", err)
	}
}

func checkFound(t *testing.T, name protoreflect.FullName, as string, err, want error) {
	t.Helper()
	if (err == nil) != (want == nil) || (err == protoregistry.NotFound) != (want == protoregistry.NotFound) {
		t.Errorf("%v as %s: %v, official: %v", name, as, err, want)
	}
}

func ExampleType() {
	typ := dynamic.NewType((&timestamppb.Timestamp{}).ProtoReflect().Descriptor())
	m := typ.New()
	m.Set(typ.Descriptor().Fields().ByName("seconds"), protoreflect.ValueOfInt64(12))
	b, err := proto.Marshal(m)
	fmt.Printf("%x %v\n", b, err)
	// Output: 080c <nil>
}
