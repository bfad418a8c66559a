package gostruct_test

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/bytedance/sonic"
	jsonv2 "github.com/go-json-experiment/json"
	goccy "github.com/goccy/go-json"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/cmd/protean/internal/gostruct"
	"github.com/protean-pb/protean/cmd/protean/internal/native"
	"github.com/protean-pb/protean/cmd/protean/internal/native/nativetest"
	"github.com/protean-pb/protean/internal/test/race"
)

// library is a JSON library. Its bugs are parts of the failures that are known to
// be its own; each has a test that shows it.
type library struct {
	name      string
	marshal   func(any) ([]byte, error)
	unmarshal func([]byte, any) error
	bugs      []string
}

func (l library) isKnown(failure string) bool {
	return slices.ContainsFunc(l.bugs, func(bug string) bool { return strings.Contains(failure, bug) })
}

var libraries = []library{
	{"encoding-json", json.Marshal, json.Unmarshal, nil},
	{"json-v2", func(v any) ([]byte, error) { return jsonv2.Marshal(v) },
		func(b []byte, v any) error { return jsonv2.Unmarshal(b, v) }, nil},
	{"sonic", sonic.ConfigDefault.Marshal, sonic.ConfigDefault.Unmarshal, nil},
	{"goccy", goccy.Marshal, goccy.Unmarshal, []string{"number 3.4028235e+38"}},
}

// throughJSON takes a message to its struct, to JSON text and all the way back,
// and returns the text and what went wrong.
func throughJSON(t *testing.T, l library, m protoreflect.Message) (text, failure string) {
	t.Helper()
	src, dst := newStruct(t, m.Descriptor()), newStruct(t, m.Descriptor())
	if err := gostruct.FromMessage(m, src); err != nil {
		t.Fatal(err)
	}
	b, err := l.marshal(src)
	if err != nil {
		return "", "marshal: " + err.Error()
	}
	if err := l.unmarshal(b, dst); err != nil {
		return string(b), "unmarshal: " + err.Error()
	}
	back := m.New()
	if err := gostruct.ToMessage(dst, back); err != nil {
		return string(b), "struct: " + err.Error()
	}
	return string(b), native.Difference(m, back)
}

// TestJSON takes every field of every message, each alone, through every library.
func TestJSON(t *testing.T) {
	for _, l := range libraries {
		t.Run(l.name, func(t *testing.T) {
			for _, md := range schema(t).Messages() {
				for i := range md.Fields().Len() {
					checkField(t, l, md.Fields().Get(i))
				}
			}
		})
	}
}

func checkField(t *testing.T, l library, fd protoreflect.FieldDescriptor) {
	t.Helper()
	g := nativetest.NewGenerator(5)
	g.JSON = true
	for range race.Rounds(60) {
		m := g.OnlyField(fd)
		if text, failure := throughJSON(t, l, m); failure != "" && !l.isKnown(failure) {
			t.Errorf("%s: %s\n%v\n%.300s", fd.FullName(), failure, m, text)
			return
		}
	}
}

// TestGoccyMaxFloat32 shows a bug of goccy/go-json v0.12.0: it does not read back
// the largest float32 that it writes. When this fails, the bug can come off the list.
func TestGoccyMaxFloat32(t *testing.T) {
	b, err := goccy.Marshal(float32(math.MaxFloat32))
	if err != nil {
		t.Fatal(err)
	}
	var f float32
	if err := goccy.Unmarshal(b, &f); err == nil {
		t.Errorf("%s was read as %v", b, f)
	}
}

// TestJSONOfWholeMessages takes messages with all their fields through JSON.
func TestJSONOfWholeMessages(t *testing.T) {
	for _, l := range libraries {
		t.Run(l.name, func(t *testing.T) {
			g := nativetest.NewGenerator(6)
			g.JSON = true
			for _, md := range schema(t).Messages() {
				for range 30 {
					m := g.Message(md)
					if text, failure := throughJSON(t, l, m); failure != "" && !l.isKnown(failure) {
						t.Fatalf("%s: %s\n%.300s", md.FullName(), failure, text)
					}
				}
			}
		})
	}
}

// TestJSONKeepsPresence takes what is present and empty through JSON: the values
// that the omitting options are apt to drop.
func TestJSONKeepsPresence(t *testing.T) {
	for _, tt := range []struct {
		message protoreflect.FullName
		text    string
		want    string // the text that encoding/json writes
	}{
		{"fixture.Scalars", `string_optional: ""`, `{"string_optional":""}`},
		{"fixture.Scalars", `bytes_optional: "" bool_optional: false int64_optional: 0`,
			`{"int64_optional":0,"bool_optional":false,"bytes_optional":""}`},
		{"fixture.Shapes", `inner: {} nothing: {} color_optional: COLOR_UNSPECIFIED`,
			`{"inner":{},"color_optional":"COLOR_UNSPECIFIED","nothing":{}}`},
		{"fixture.Shapes", `text: "" inner_list: {} inner_map: {key: "" value: {}}`,
			`{"inner_list":[{}],"inner_map":{"":{}},"text":""}`},
		{"fixture.WellKnown", `struct: {} list_value: {} empty: {} any: {} field_mask: {}`,
			`{"field_mask":"","struct":{},"list_value":[],"empty":{},"any":{}}`},
		{"fixture.WellKnown", `timestamp: {seconds: -62135596800} duration: {}`,
			`{"timestamp":"0001-01-01T00:00:00Z","duration":"0s"}`},
		{"fixture.WellKnown", `string_value: {} bytes_value: {} bool_value: {} double_value: {}`,
			`{"bool_value":false,"string_value":"","bytes_value":"","double_value":0}`},
		{"fixture.WellKnown", `value: {string_value: ""} value_list: {null_value: NULL_VALUE} value_map: {key: "a" value: {null_value: NULL_VALUE}}`,
			`{"value":"","value_list":[null],"value_map":{"a":null}}`},
		{"fixture.WellKnown", `value: {list_value: {}} bytes_value_list: {} struct_list: {} empty_list: {} null_optional: NULL_VALUE`,
			`{"value":[],"struct_list":[{}],"empty_list":[{}],"bytes_value_list":[""],"null_optional":"NULL_VALUE"}`},
		{"fixture.Legacy", `title: "" count: 0 Single: {} Several: {} Chosen: {n: 0}`,
			`{"title":"","count":0,"single":{},"several":[{}],"chosen":{"n":0}}`},
	} {
		m := message(t, tt.message, tt.text)
		for _, l := range libraries {
			text, failure := throughJSON(t, l, m)
			if failure != "" {
				t.Errorf("%s: %s\n%s", l.name, failure, text)
			}
			if l.name == "encoding-json" && text != tt.want {
				t.Errorf("text is %s\nwant    %s", text, tt.want)
			}
		}
	}
}
