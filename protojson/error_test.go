package protojson_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	official "google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/legacypb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/wellknownpb"
	"github.com/protean-pb/protean/protojson"
)

// mark stands in a text before the byte that is wrong, and is taken out.
const mark = "‸"

// faults are texts that are wrong in one place.
var faults = []struct {
	m    proto.Message
	text string
	err  error
	path string
}{
	// Syntax.
	{new(benchpb.Leaf), mark, protojson.ErrSyntax, ""},
	{new(benchpb.Leaf), " \n\t" + mark, protojson.ErrSyntax, ""},
	{new(benchpb.Leaf), mark + `x`, protojson.ErrSyntax, ""},
	{new(benchpb.Leaf), `{"id":1` + mark, protojson.ErrSyntax, ""},
	{new(benchpb.Leaf), `{"id":1,` + mark + `}`, protojson.ErrSyntax, ""},
	{new(benchpb.Leaf), `{"id":1 ` + mark + `"name":""}`, protojson.ErrSyntax, ""},
	{new(benchpb.Leaf), `{` + mark + `,"id":1}`, protojson.ErrSyntax, ""},
	{new(benchpb.Leaf), `{` + mark + `id:1}`, protojson.ErrSyntax, ""},
	{new(benchpb.Leaf), `{"id" ` + mark + `1}`, protojson.ErrSyntax, ""},
	{new(benchpb.Leaf), `{"id":` + mark + `}`, protojson.ErrSyntax, "id"},
	{new(benchpb.Leaf), `{"id":` + mark, protojson.ErrSyntax, "id"},
	{new(benchpb.Leaf), `{"id":` + mark + `01}`, protojson.ErrSyntax, "id"},
	{new(benchpb.Leaf), `{"id":` + mark + `1.}`, protojson.ErrSyntax, "id"},
	{new(benchpb.Leaf), `{"id":` + mark + `1x}`, protojson.ErrSyntax, "id"},
	{new(benchpb.Leaf), `{"id":` + mark + `nul}`, protojson.ErrSyntax, "id"},
	{new(benchpb.Leaf), `{"id":1} ` + mark + `{}`, protojson.ErrSyntax, ""},
	{new(benchpb.Leaf), "{}\n\n  " + mark + "x", protojson.ErrSyntax, ""},
	{new(benchpb.Leaf), `{"name":"long` + mark, protojson.ErrSyntax, "name"},
	{new(benchpb.Leaf), `{"name":"a` + mark + "\n" + `"}`, protojson.ErrSyntax, "name"},
	{new(benchpb.Leaf), `{"name":"ab` + mark + `\x41"}`, protojson.ErrSyntax, "name"},
	{new(benchpb.Leaf), `{"name":"ab` + mark + `\u00g0"}`, protojson.ErrSyntax, "name"},
	{new(benchpb.Leaf), `{"name":"é` + mark + `\ud800 "}`, protojson.ErrSyntax, "name"},
	{new(benchpb.Leaf), `{"name":"` + mark + `\udc00\ud800"}`, protojson.ErrSyntax, "name"},
	{new(benchpb.Leaf), `{"na` + mark + `\ud800e":1}`, protojson.ErrSyntax, ""},
	{new(benchpb.Packed), `{"listInt32":[1 ` + mark + `2]}`, protojson.ErrSyntax, "list_int32"},
	{new(benchpb.Packed), `{"listInt32":[1,` + mark + `]}`, protojson.ErrSyntax, "list_int32[1]"},
	{new(benchpb.KeyMaps), `{"byString":{"a":"" ` + mark + `:}}`, protojson.ErrSyntax, "by_string"},
	{new(benchpb.KeyMaps), `{"byString":{"a":` + mark + `}}`, protojson.ErrSyntax, `by_string["a"]`},
	{new(structpb.Value), `[1,{"a":[` + mark + `,]}]`, protojson.ErrSyntax, `[1]["a"][0]`},
	{new(structpb.Value), `{"a":[tru` + mark, protojson.ErrSyntax, `["a"][0]`},

	// UTF-8.
	{new(benchpb.Leaf), `{"name":"ab` + mark + "\xff" + `"}`, protojson.ErrUTF8, "name"},
	{new(legacypb.Leaf), `{"name":"` + mark + "\xed\xa0\x80" + `"}`, protojson.ErrUTF8, "name"},
	{new(benchpb.Order), `{"lines":[{},{"tags":["a","b` + mark + "\xc3" + `"]}]}`, protojson.ErrUTF8, "lines[1].tags[1]"},
	{new(benchpb.Leaf), `{"a` + mark + "\xff" + `":1}`, protojson.ErrUTF8, ""},
	{new(wellknownpb.Event), `{"payload":{"k":["` + mark + "\x80" + `"]}}`, protojson.ErrUTF8, `payload["k"][0]`},

	// Values.
	{new(benchpb.Leaf), mark + `[]`, protojson.ErrValue, ""},
	{new(benchpb.Leaf), mark + `null`, protojson.ErrValue, ""},
	{new(benchpb.Leaf), "{\n  \"id\": " + mark + "true\n}", protojson.ErrValue, "id"},
	{new(benchpb.Leaf), `{"id":` + mark + `2147483648}`, protojson.ErrValue, "id"},
	{new(benchpb.Leaf), `{"id":` + mark + `1.5}`, protojson.ErrValue, "id"},
	{new(benchpb.Leaf), `{"id":` + mark + `" 1"}`, protojson.ErrValue, "id"},
	{new(benchpb.Leaf), `{"name":` + mark + `1}`, protojson.ErrValue, "name"},
	{new(benchpb.Optional), `{"optDouble":` + mark + `1e999}`, protojson.ErrValue, "opt_double"},
	{new(benchpb.Optional), `{"optBytes":` + mark + `"A"}`, protojson.ErrValue, "opt_bytes"},
	{new(benchpb.Optional), `{"optColor":` + mark + `"COLOR_NONE"}`, protojson.ErrValue, "opt_color"},
	{new(benchpb.Optional), `{"optLeaf":` + mark + `[{}]}`, protojson.ErrValue, "opt_leaf"},
	{new(benchpb.Order), `{"lines":[{"price":1},{"attributes":{"size":"L","color":` + mark + `7}}]}`, protojson.ErrValue, `lines[1].attributes["color"]`},
	{new(benchpb.Order), `{"lines":` + mark + `{"price":1}}`, protojson.ErrValue, "lines"},
	{new(benchpb.Order), `{"lines":[{},` + mark + `null]}`, protojson.ErrValue, "lines[1]"},
	{new(benchpb.Order), `{"counters":` + mark + `[]}`, protojson.ErrValue, "counters"},
	{new(benchpb.Order), `{"counters":{"views":` + mark + `null}}`, protojson.ErrValue, `counters["views"]`},
	{new(benchpb.KeyMaps), `{"leafByInt32":{"1":{},` + mark + `"x":{}}}`, protojson.ErrValue, "leaf_by_int32"},
	{new(benchpb.KeyMaps), `{"leafByBool":{"true":{"name":` + mark + `{}}}}`, protojson.ErrValue, "leaf_by_bool[true].name"},
	{new(benchpb.Choice), `{"oneSelf":{"oneLeaf":{"id":` + mark + `"x"}}}`, protojson.ErrValue, "one_self.one_leaf.id"},
	{new(legacypb.Groups), `{"many":[{"groups":{"single":{"inner":{"blob":` + mark + `"*"}}}}]}`, protojson.ErrValue, "many[0].groups.single.inner.blob"},
	{new(legacypb.Extendable), `{"[protean.test.legacy.ext_leaf]":{"id":` + mark + `[]}}`, protojson.ErrValue, "(protean.test.legacy.ext_leaf).id"},
	{new(legacypb.Extendable), `{"[protean.test.legacy.ext_list_int32]":[1,` + mark + `"a"]}`, protojson.ErrValue, "(protean.test.legacy.ext_list_int32)[1]"},
	{new(timestamppb.Timestamp), mark + `"yesterday"`, protojson.ErrValue, ""},
	{new(durationpb.Duration), mark + `"1"`, protojson.ErrValue, ""},
	{new(fieldmaskpb.FieldMask), mark + `"foo_bar"`, protojson.ErrValue, ""},
	{new(wrapperspb.UInt32Value), mark + `-1`, protojson.ErrValue, ""},
	{new(structpb.Struct), mark + `[]`, protojson.ErrValue, ""},
	{new(structpb.Value), `{"a":[0,` + mark + `1e400]}`, protojson.ErrValue, `["a"][1]`},
	{new(wellknownpb.Event), `{"id":"é","at":` + mark + `"2024"}`, protojson.ErrValue, "at"},
	{new(wellknownpb.Event), `{"note":` + mark + `5}`, protojson.ErrValue, "note"},
	{new(wellknownpb.Maps), `{"mapDuration":{"a":"1s","b":` + mark + `"1m"}}`, protojson.ErrValue, `map_duration["b"]`},

	// Names.
	{new(benchpb.Leaf), `{"id":1,` + mark + `"Name":"x"}`, protojson.ErrUnknown, ""},
	{new(benchpb.Order), `{"lines":[{},{},{` + mark + `"skew":"x"}]}`, protojson.ErrUnknown, "lines[2]"},
	{new(legacypb.Extendable), `{` + mark + `"[no.such.extension]":1}`, protojson.ErrUnknown, ""},
	{new(benchpb.Leaf), `{` + mark + `"[protean.test.legacy.ext_int32]":1}`, protojson.ErrUnknown, ""},
	{new(benchpb.Leaf), `{"id":1,` + mark + `"id":2}`, protojson.ErrDuplicate, ""},
	{new(benchpb.Optional), `{"optInt32":1,` + mark + `"opt_int32":1}`, protojson.ErrDuplicate, ""},
	{new(benchpb.Choice), `{"oneInt32":1,` + mark + `"oneString":""}`, protojson.ErrDuplicate, ""},
	{new(benchpb.Order), `{"counters":{"a":1,"b":2,` + mark + `"a":3}}`, protojson.ErrDuplicate, `counters["a"]`},
	{new(structpb.Value), `{"a":1,` + mark + `"a":1}`, protojson.ErrDuplicate, `["a"]`},
	{new(structpb.Struct), `{"a":[0,{"b":1,"c":2,` + mark + `"b":{}}]}`, protojson.ErrDuplicate, `["a"][1]["b"]`},
	{new(structpb.ListValue), `[{"é":1,"\u0061":2,` + mark + `"a":3}]`, protojson.ErrDuplicate, `[0]["a"]`},
	{new(structpb.Value), `{"a":{"\u0061":2,"1":1,"2":2,"3":3,"4":4,"5":5,"6":6,"7":7,` + mark + `"a":8,"9":9}}`, protojson.ErrDuplicate, `["a"]["a"]`},
	{new(structpb.Value), `{"a":{"1":1,"2":2,"3":3,"4":4,"5":5,"6":6,"7":7,"8":8,"9":9,` + mark + `"\u0031":[]}}`, protojson.ErrDuplicate, `["a"]["1"]`},
	{new(legacypb.Extendable), `{"[protean.test.legacy.ext_bool]":true,` + mark + `"[protean.test.legacy.ext_bool]":true}`, protojson.ErrDuplicate, ""},

	// Any.
	{new(anypb.Any), `{"@type":` + mark + `"no.such.Type"}`, protojson.ErrType, ""},
	{new(anypb.Any), mark + `{"id":1}`, protojson.ErrAny, ""},
	{new(anypb.Any), `{"@type":` + mark + `""}`, protojson.ErrAny, ""},
	{new(anypb.Any), `{"@type":` + mark + `1}`, protojson.ErrValue, ""},
	{new(anypb.Any), `{"@type":"google.protobuf.Empty",` + mark + `"@type":"google.protobuf.Empty"}`, protojson.ErrDuplicate, ""},
	{new(anypb.Any), `{"@type":"google.protobuf.Duration"` + mark + `}`, protojson.ErrAny, ""},
	{new(anypb.Any), `{"@type":"google.protobuf.Duration",` + mark + `"id":1,"value":"1s"}`, protojson.ErrUnknown, ""},
	{new(anypb.Any), `{"value":"1s","@type":"google.protobuf.Duration",` + mark + `"value":"1s"}`, protojson.ErrDuplicate, ""},
	{new(wellknownpb.Event), `{"detail":{"@type":"protean.test.bench.Order","lines":[{"price":` + mark + `""}]}}`, protojson.ErrValue, "detail.lines[0].price"},
	{new(wellknownpb.Event), `{"detail":{"@type":"google.protobuf.Duration","value":` + mark + `"1"}}`, protojson.ErrValue, "detail"},
	{new(wellknownpb.Repeated), `{"listAny":[{},{"@type":"protean.test.bench.Leaf",` + mark + `"value":1}]}`, protojson.ErrUnknown, "list_any[1]"},
}

// TestUnmarshalErrorsSayWhere reads them into messages of every form.
func TestUnmarshalErrorsSayWhere(t *testing.T) {
	for _, f := range faults {
		before, after, ok := strings.Cut(f.text, mark)
		if !ok || strings.Contains(after, mark) {
			t.Fatalf("%s: no mark, or two", f.text)
		}
		for _, m := range forms(t, f.m) {
			if _, foreign := m.(*dynamicpb.Message); foreign {
				continue // the official library reads it, which does not say where
			}
			opaque := m.ProtoReflect().Descriptor().FullName() != f.m.ProtoReflect().Descriptor().FullName()
			before, after, path := before, after, f.path
			if opaque {
				r := strings.NewReplacer(`"[protean.`, `"[opaque.protean.`, "(", "(opaque.")
				before, after, path = r.Replace(before), r.Replace(after), r.Replace(path)
			}
			text := []byte(before + after)
			if err := official.Unmarshal(text, emptyOfficial(m)); err == nil {
				t.Errorf("%T %s: the official library takes it", m, text)
			}
			err := protojson.Unmarshal(text, m)
			checkSomewhere(t, err, text)
			var e *protojson.Error
			if !errors.As(err, &e) || !errors.Is(err, f.err) || e.Offset != len(before) || e.Path != path ||
				e.Message != string(m.ProtoReflect().Descriptor().FullName()) {
				t.Errorf("%T %q: got\n%v\nwant byte %d, path %q, %v", m, text, err, len(before), path, f.err)
			}
		}
	}
}

// TestRequired says which required field is missing, not where the text should have it.
func TestRequired(t *testing.T) {
	for text, path := range map[string]string{
		`{"message":{}}`: "message.req_double", `{"list":[{"reqDouble":1}]}`: "list[0].req_float", `{"map":{"7":{}}}`: "map[7].req_double", `{"one":{}}`: "one.req_double", `{"below":{}}`: "below.name",
		`{"[protean.test.legacy.required_list]":[{}]}`: "(protean.test.legacy.required_list)[0].req_double",
	} {
		for _, k := range kinds[:2] {
			m := k.New(new(legacypb.RequiredBelow).ProtoReflect().Type())
			err := protojson.Unmarshal([]byte(text), m)
			checkNowhere(t, err)
			var e *protojson.Error
			if !errors.As(err, &e) || e.Err != protojson.ErrRequired || e.Path != path ||
				e.Message != "protean.test.legacy.RequiredBelow" {
				t.Errorf("%s: %v, want path %s", text, err, path)
			}
			if err := (protojson.UnmarshalOptions{AllowPartial: true}).Unmarshal([]byte(text), m); err != nil {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
}

// TestDepthErrors says where it is nested too deeply.
func TestDepthErrors(t *testing.T) {
	for _, test := range []struct {
		m     proto.Message
		text  string
		limit int
		path  string
	}{
		{new(benchpb.Tree), `{"left":{"left":` + mark + `{}}}`, 2, "left.left"},
		{new(benchpb.Tree), `{"children":[{},{"byName":{"a":` + mark + `{}}}]}`, 2, `children[1].by_name["a"]`},
		{new(structpb.Value), `[[` + mark + `1]]`, 2, "[0][0]"},
		{new(wellknownpb.Event), `{"payload":{"a":` + mark + `1}}`, 2, `payload["a"]`},
		{new(wellknownpb.Event), `{"at":` + mark + `"1970-01-01T00:00:00Z"}`, 1, "at"},
	} {
		before, after, _ := strings.Cut(test.text, mark)
		for _, m := range forms(t, test.m) {
			if _, foreign := m.(*dynamicpb.Message); foreign {
				continue
			}
			text := []byte(before + after)
			err := protojson.UnmarshalOptions{RecursionLimit: test.limit}.Unmarshal(text, m)
			checkSomewhere(t, err, text)
			var e *protojson.Error
			if !errors.As(err, &e) || e.Err != protojson.ErrDepth || e.Path != test.path || e.Offset != len(before) {
				t.Errorf("%T %s: %v, want byte %d, path %s", m, text, err, len(before), test.path)
			}
		}
	}
}

// TestErrorType checks that every function returns its errors as the public type.
func TestErrorType(t *testing.T) {
	text, missing := []byte(`{"name":1}`), new(legacypb.Required)
	unwritable := &wellknownpb.Event{At: &timestamppb.Timestamp{Nanos: -1}}
	first := protojson.NewDecoder(strings.NewReader(`{"name":1} "x`))
	second := func(_ any, err error) error { return err }
	for name, err := range map[string]error{
		"Marshal":                  second(protojson.Marshal(unwritable)),
		"Marshal, required":        second(protojson.Marshal(missing)),
		"MarshalOptions.Marshal":   second(protojson.MarshalOptions{Multiline: true}.Marshal(unwritable)),
		"AppendAny":                second(protojson.AppendAny(nil, unwritable)),
		"ToAny":                    second(protojson.ToAny(unwritable)),
		"Unmarshal":                protojson.Unmarshal(text, new(benchpb.Leaf)),
		"Unmarshal, required":      protojson.Unmarshal([]byte("{}"), missing),
		"UnmarshalRead":            protojson.UnmarshalRead(bytes.NewReader(text), new(benchpb.Leaf)),
		"UnmarshalAny":             second(protojson.UnmarshalAny(text)),
		"UnmarshalAnyTo":           protojson.UnmarshalAnyTo(text, new(benchpb.Leaf)),
		"FromAny":                  protojson.FromAny(map[string]any{"name": 1}, new(benchpb.Leaf)),
		"Decode":                   first.Decode(new(benchpb.Leaf)),
		"Decode, the stream's end": first.Decode(new(benchpb.Leaf)),
	} {
		if got := fmt.Sprintf("%T %#v", err, err); !strings.HasPrefix(got, "*protojson.Error &protojson.Error{Err:") {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestUnwritableAny checks that what cannot be packed into an Any is one error, of this package.
func TestUnwritableAny(t *testing.T) {
	const levels = 100_001 // more than the wire form may have
	open, shut := strings.Repeat(`,"left":{"children":[]`, levels), strings.Repeat("}", levels)
	text := `{"@type":"protean.test.bench.Tree"` + open + shut + "}"
	err := protojson.UnmarshalOptions{RecursionLimit: 2 * levels}.Unmarshal([]byte(text), new(anypb.Any))
	e, ok := err.(*protojson.Error)
	if !ok || e.Err != protojson.ErrDepth || !strings.HasPrefix(e.Path, "left.left.") {
		t.Errorf("%.200s", fmt.Sprintf("%#v", err))
	}
}

// TestErrorText pins the wording.
func TestErrorText(t *testing.T) {
	for text, want := range map[string]string{
		"{\n  \"lines\": [\n    {\"quantity\": 7},\n    {\"attributes\": {\"color\": 5}}\n  ]\n}": `protojson: protean.test.bench.Order: lines[1].attributes["color"]: line 4, column 30 (byte 65): invalid value: 5 instead of a string`,
		`{"lines":[{"é":1}]}`: `protojson: protean.test.bench.Order: lines[0]: line 1, column 12 (byte 11): unknown field: é`,
		`{"id":"1"}x`:         `protojson: protean.test.bench.Order: line 1, column 11 (byte 10): syntax error: 'x' instead of the end`,
	} {
		if err := protojson.Unmarshal([]byte(text), new(benchpb.Order)); err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	_, err := protojson.Marshal(&wellknownpb.Event{At: &timestamppb.Timestamp{Nanos: -1}})
	if want := `protojson: protean.test.wellknown.Event: at: invalid value`; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

// TestLongErrors checks that errors do not repeat long texts.
func TestLongErrors(t *testing.T) {
	long := strings.Repeat("long", 100_000)
	for _, text := range []string{`"%s"`, `{"id":"%s"}`, `{"%s":1}`, `{"state":"%s"}`, `{"%s`, `{"lines":[{"%s":1}]}`, `{"token":"%s*"}`} {
		err := protojson.Unmarshal(fmt.Appendf(nil, text, long), new(benchpb.Order))
		if err == nil || len(err.Error()) > 1000 {
			t.Errorf("%s: an error of %d bytes", text, len(fmt.Sprint(err)))
		}
	}
}
