package gostruct_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/cmd/protean/internal/gostruct"
	"github.com/protean-pb/protean/cmd/protean/internal/gostruct/internal/fixture"
	"github.com/protean-pb/protean/cmd/protean/internal/native"
	"github.com/protean-pb/protean/cmd/protean/internal/native/nativetest"
	"github.com/protean-pb/protean/internal/test/race"
)

// structs are the fixture's structs for the messages of testdata.
var structs = map[protoreflect.FullName]any{
	"fixture.Holder":     fixture.Holder{},
	"fixture.Keys":       fixture.Keys{},
	"fixture.Legacy":     fixture.Legacy{},
	"fixture.Modern":     fixture.Modern{},
	"fixture.Names":      fixture.Names{},
	"fixture.Node":       fixture.Node{},
	"fixture.Nothing":    fixture.Nothing{},
	"fixture.Same":       fixture.FixtureSame{},
	"fixture.Scalars":    fixture.Scalars{},
	"fixture.Shapes":     fixture.Shapes{},
	"fixture.WellKnown":  fixture.WellKnown{},
	"fixture.lower_case": fixture.LowerCase{},
	"fixture.other.Same": fixture.FixtureOtherSame{},
}

// newStruct returns a pointer to a new struct for the message.
func newStruct(t testing.TB, md protoreflect.MessageDescriptor) any {
	t.Helper()
	s, ok := structs[md.FullName()]
	if !ok {
		t.Fatalf("no struct is listed for %s", md.FullName())
	}
	return reflect.New(reflect.TypeOf(s)).Interface()
}

// message returns a message with the content that the text says.
func message(t testing.TB, name protoreflect.FullName, text string) protoreflect.Message {
	t.Helper()
	s := schema(t)
	md := s.Message(name)
	if md == nil {
		t.Fatalf("no message %s", name)
	}
	m := dynamicpb.NewMessage(md)
	o := prototext.UnmarshalOptions{AllowPartial: true, Resolver: dynamicpb.NewTypes(s.Files)}
	if err := o.Unmarshal([]byte(text), m); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return m
}

func checkRoundTrip(t *testing.T, m protoreflect.Message, dst any) {
	t.Helper()
	if err := gostruct.FromMessage(m, dst); err != nil {
		t.Fatalf("FromMessage: %v\n%v", err, m)
	}
	checkBack(t, m, dst)
}

// checkBack converts the struct to a message and holds it against m.
func checkBack(t *testing.T, m protoreflect.Message, src any) {
	t.Helper()
	back := m.New()
	if err := gostruct.ToMessage(src, back); err != nil {
		t.Fatalf("ToMessage: %v\n%v", err, m)
	}
	if diff := native.Difference(m, back); diff != "" {
		t.Fatalf("%s\n%v", diff, m)
	}
}

func TestRoundTrip(t *testing.T) {
	for _, md := range schema(t).Messages() {
		t.Run(string(md.FullName()), func(t *testing.T) {
			g := nativetest.NewGenerator(1)
			dst := newStruct(t, md)
			for range race.Rounds(200) {
				m := g.Message(md)
				if hasLoneNull(m) {
					continue
				}
				checkRoundTrip(t, m, dst) // the struct is used again, which must not matter
			}
		})
	}
}

// hasLoneNull reports whether m has a singular Value that is null, which a struct
// does not tell from an absent one.
func hasLoneNull(m protoreflect.Message) bool {
	found := false
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		if fd.Message() != nil && !fd.IsList() && !fd.IsMap() && fd.Message().FullName() == "google.protobuf.Value" {
			found = found || v.Message().Has(fd.Message().Fields().ByName("null_value"))
		}
		return true
	})
	return found
}

func TestLoneNullIsLost(t *testing.T) {
	m := message(t, "fixture.WellKnown", `value: {null_value: NULL_VALUE} value_list: {null_value: NULL_VALUE}`)
	var s fixture.WellKnown
	if err := gostruct.FromMessage(m, &s); err != nil {
		t.Fatal(err)
	}
	back := m.New()
	if err := gostruct.ToMessage(s, back); err != nil {
		t.Fatal(err)
	}
	if got, want := native.Difference(m, back), "value: was lost"; got != want {
		t.Errorf("Difference is %q, want %q", got, want)
	}
}

// TestTopLevelWellKnown converts to what the names of Generate promise.
func TestTopLevelWellKnown(t *testing.T) {
	for name, want := range map[protoreflect.FullName]struct {
		goType string
		dst    any
	}{
		"Timestamp":   {"time.Time", new(time.Time)},
		"Duration":    {"string", new(string)},
		"FieldMask":   {"string", new(string)},
		"Struct":      {"map[string]any", new(map[string]any)},
		"Value":       {"any", new(any)},
		"ListValue":   {"[]any", new([]any)},
		"Any":         {"map[string]any", new(map[string]any)},
		"Empty":       {"struct{}", new(struct{})},
		"BytesValue":  {"[]byte", new([]byte)},
		"Int64Value":  {"int64", new(int64)},
		"FloatValue":  {"float32", new(float32)},
		"BoolValue":   {"bool", new(bool)},
		"UInt32Value": {"uint32", new(uint32)},
	} {
		md := schema(t).Message("google.protobuf." + name)
		src, names, err := gostruct.Generate("p", []protoreflect.MessageDescriptor{md})
		if err != nil {
			t.Fatal(err)
		}
		if names[md.FullName()] != want.goType || strings.Contains(string(src), "import") {
			t.Errorf("%s is %q, want %q; source:\n%s", name, names[md.FullName()], want.goType, src)
		}
		g := nativetest.NewGenerator(4)
		for range 50 {
			checkRoundTrip(t, g.Message(md), want.dst)
		}
	}
}

func TestLists(t *testing.T) {
	m := message(t, "fixture.Shapes", `inner_list: [{innermost: {name: "a"}}, {}, {innermost_list: {}}]`)
	fd := m.Descriptor().Fields().ByName("inner_list")
	var rows []fixture.Shapes_Inner
	if err := gostruct.FromList(m.Get(fd).List(), &rows); err != nil {
		t.Fatal(err)
	}
	if len(rows) != 3 || rows[0].Innermost.Name != "a" || len(rows[2].InnermostList) != 1 {
		t.Fatalf("rows are %+v", rows)
	}
	for _, src := range []any{rows, &rows} {
		back := m.New()
		if err := gostruct.ToList(src, back.Mutable(fd).List()); err != nil {
			t.Fatal(err)
		}
		if diff := native.Difference(m, back); diff != "" {
			t.Error(diff)
		}
	}
}

func TestListsOfWellKnown(t *testing.T) {
	m := message(t, "fixture.WellKnown", `value_list: [{null_value: NULL_VALUE}, {number_value: 1}, {list_value: {}}]`)
	fd := m.Descriptor().Fields().ByName("value_list")
	var rows []any
	if err := gostruct.FromList(m.Get(fd).List(), &rows); err != nil {
		t.Fatal(err)
	}
	back := m.New()
	if err := gostruct.ToList(rows, back.Mutable(fd).List()); err != nil {
		t.Fatal(err)
	}
	if diff := native.Difference(m, back); diff != "" {
		t.Error(diff)
	}
}

// A generated struct of another schema, and things that are no such struct.
type (
	wrongType struct {
		Name int32 `proto:"1"`
	}
	missing struct{}
	badTag  struct {
		Name string `proto:"one"`
	}
	tooMany struct {
		Nope int32 `proto:"99"`
	}
)

func TestFromMessageErrors(t *testing.T) {
	extension := dynamicpb.NewExtensionType(mustFind(t, "fixture.number_extension").(protoreflect.ExtensionDescriptor))
	extended := dynamicpb.NewMessage(schema(t).Message("fixture.Legacy"))
	extended.Set(extension.TypeDescriptor(), protoreflect.ValueOfInt64(1))
	node := message(t, "fixture.Node", `name: "x"`)
	for _, tt := range []struct {
		m    protoreflect.Message
		dst  any
		want string
	}{
		{extended, &fixture.Legacy{}, "[fixture.number_extension]: extension fields have no place in a Go struct"},
		{node, fixture.Node{}, "gostruct: fixture.Node is not a pointer to write to"},
		{node, nil, "gostruct: <nil> is not a pointer to write to"},
		{node, (*fixture.Node)(nil), "gostruct: *fixture.Node is not a pointer to write to"},
		{node, new(string), "string cannot hold a fixture.Node"},
		{node, &wrongType{}, "name: int32 cannot hold a string"},
		{node, &missing{}, "name: gostruct_test.missing has no field with number 1"},
		{node, &badTag{}, `struct field Name: proto tag "one" is no field number of an exported field`},
		{message(t, "fixture.WellKnown", `value_list: [{bool_value: true}, {}]`), &fixture.WellKnown{},
			"value_list[1]: google.protobuf.Value has no kind set"},
		{message(t, "fixture.WellKnown", `timestamp_map: {key: "k" value: {seconds: 1000000000000}}`),
			&fixture.WellKnown{},
			`timestamp_map["k"]: google.protobuf.Timestamp: seconds out of range 1000000000000`},
	} {
		err := gostruct.FromMessage(tt.m, tt.dst)
		if err == nil || err.Error() != tt.want {
			t.Errorf("%T: error is %v, want %s", tt.dst, err, tt.want)
		}
	}
	list := node.Mutable(node.Descriptor().Fields().ByName("children")).List()
	if err := gostruct.FromList(list, new(string)); err == nil {
		t.Error("no error for a list in a string")
	}
}

func mustFind(t testing.TB, name protoreflect.FullName) protoreflect.Descriptor {
	t.Helper()
	d, err := schema(t).FindDescriptorByName(name)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestToMessageErrors(t *testing.T) {
	text, flag := "a", true
	for _, tt := range []struct {
		message protoreflect.FullName
		src     any
		want    string
	}{
		{"fixture.Shapes", nil, "expected the struct of fixture.Shapes, found invalid"},
		{"fixture.Shapes", (*fixture.Shapes)(nil), "expected the struct of fixture.Shapes, found invalid"},
		{"fixture.Shapes", 3, "expected the struct of fixture.Shapes, found int"},
		{"fixture.Node", tooMany{}, "fixture.Node has no field with number 99"},
		{"fixture.Node", wrongType{1}, "name: expected string, found int32"},
		{"fixture.Shapes", fixture.Shapes{Text: &text, Flag: &flag}, "flag: fixture.Shapes.kind is set twice"},
		{"fixture.Shapes", fixture.Shapes{ColorList: []string{"COLOR_RED", "BLUE"}},
			`color_list[1]: "BLUE" is not a value of fixture.Color`},
		{"fixture.Keys", fixture.Keys{ByBool: map[string]int32{"maybe": 1}},
			`by_bool[maybe]: expected bool, found string`},
		{"fixture.WellKnown", fixture.WellKnown{Duration: &text}, `duration: "a" is not a google.protobuf.Duration`},
		{"fixture.WellKnown", fixture.WellKnown{StructMap: map[string]map[string]any{"k": {"a": []any{func() {}}}}},
			`struct_map["k"]["a"][0]: expected a JSON value, found func()`},
	} {
		m := dynamicpb.NewMessage(schema(t).Message(tt.message))
		err := gostruct.ToMessage(tt.src, m)
		if err == nil || err.Error() != tt.want {
			t.Errorf("%T: error is %v, want %s", tt.src, err, tt.want)
		}
	}
}
