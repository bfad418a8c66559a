package suite

import (
	"fmt"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
)

// However documents follow each other, the sources name the lines they begin in.
func TestJSONDocuments(t *testing.T) {
	s := ordersSchema(t)
	md := message(t, s, "Order")
	for _, tt := range []struct{ name, text, want string }{
		{"one document", `{"id":"a"}`, "stdin:1"},
		{"one document of many lines", "\n\n{\n\"id\":\n\"a\"}\n", "stdin:3"},
		{"array", `[{"id":"a"},{"id":"b"}]`, "stdin:1 stdin:1"},
		{"array, one a line", "[\n{\"id\":\"a\"}\n,\n\n  {\"id\":\"b\"}\n]", "stdin:2 stdin:5"},
		{"lines", "{\"id\":\"a\"}\n{\"id\":\"b\"}\n", "stdin:1 stdin:2"},
		{"lines of Windows", "{\"id\":\"a\"}\r\n{\"id\":\"b\"}\r\n", "stdin:1 stdin:2"},
		{"blank lines", "\n{\"id\":\"a\"}\n\n\n{\"id\":\"b\"}", "stdin:2 stdin:5"},
		{"no space at all", `{"id":"a"}{"id":"b"}`, "stdin:1 stdin:1"},
		{"tabs and spaces", "\t{\"id\":\"a\"} \t {\"id\":\"b\"} ", "stdin:1 stdin:1"},
		{"arrays one after the other", "[{\"id\":\"a\"}]\n[]\n[{\"id\":\"b\"}]", "stdin:1 stdin:3"},
		{"arrays and documents", "[{\"id\":\"a\"}]\n{\"id\":\"b\"}", "stdin:1 stdin:2"},
		{"byte order mark", "\ufeff{\"id\":\"a\"}", "stdin:1"},
		{"empty document", `{}`, "stdin:1"},
	} {
		for _, format := range []DataFormat{Auto, JSON, ""} {
			samples, err := readText(s, md, format, tt.text)
			if err != nil {
				t.Errorf("%s, %q: %v", tt.name, format, err)
				continue
			}
			if got := sourcesOf(samples); got != tt.want {
				t.Errorf("%s, %q: got %s, want %s", tt.name, format, got, tt.want)
			}
		}
	}
}

// Plain JSON, with the names of the schema and numbers for 64-bit integers, is
// the same message as ProtoJSON.
func TestPlainJSON(t *testing.T) {
	s := ordersSchema(t)
	md := message(t, s, "Order")
	a := must(readText(s, md, JSON,
		`{"number":"18446744073709551615","loyaltyPoints":-4,"placedAt":"2024-05-20T10:54:49Z","status":"STATUS_PAID","onAccount":null}`))(t)
	b := must(readText(s, md, JSON,
		`{"status":2,"placed_at":"2024-05-20T12:54:49+02:00","loyalty_points":-4e0,"number":18446744073709551615}`))(t)
	if string(a[0].Wire) != string(b[0].Wire) {
		t.Errorf("got %x and %x", a[0].Wire, b[0].Wire)
	}
	m := parsed(t, s, md, a[0].Wire)
	if got := m.Get(md.Fields().ByName("number")).Uint(); got != 1<<64-1 {
		t.Errorf("number is %d", got)
	}
}

func TestDeterministicWire(t *testing.T) {
	s := ordersSchema(t)
	md := message(t, s, "Order")
	text := `{"labels":{"a":"1","b":"2","c":"3","d":"4","e":"5"},"attribution":{"x":1,"y":2,"z":3}}`
	first := must(readText(s, md, JSON, text))(t)[0].Wire
	for range 20 {
		if next := must(readText(s, md, JSON, text))(t)[0].Wire; string(next) != string(first) {
			t.Fatal("two readings of one document differ")
		}
	}
}

// The well-known types whose JSON form is no object are recognised too, and an
// array of values is one value where an array may be one.
func TestWellKnownDocuments(t *testing.T) {
	s := ordersSchema(t)
	for _, tt := range []struct{ message, text, want string }{
		{"google.protobuf.Timestamp", "\"2024-05-20T10:54:49Z\"\n\"2024-05-21T10:54:49Z\"", "stdin:1 stdin:2"},
		{"google.protobuf.StringValue", `["a","b"]`, "stdin:1 stdin:1"},
		{"google.protobuf.Value", "[1,2]\n3 null \"x\" {}", "stdin:1 stdin:2 stdin:2 stdin:2 stdin:2"},
		{"google.protobuf.ListValue", "[1,2] []", "stdin:1 stdin:1"},
		{"google.protobuf.Struct", `[{"a":1},{}]`, "stdin:1 stdin:1"},
	} {
		samples, err := readText(s, message(t, s, tt.message), Auto, tt.text)
		if err != nil {
			t.Errorf("%s: %v", tt.message, err)
			continue
		}
		if got := sourcesOf(samples); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.message, got, tt.want)
		}
	}
}

// An Any resolves types of the schema and, without an import, well-known ones.
func TestAnyInData(t *testing.T) {
	s := must(inlineSchema(map[string]string{"a.proto": `syntax = "proto3"; package a; import "google/protobuf/any.proto";
		message Box { google.protobuf.Any any = 1; } message Part { string id = 1; }`}, nil, "a.proto"))(t)
	md := message(t, s, "Box")
	samples := must(readText(s, md, Auto,
		`{"any":{"@type":"x/a.Part","id":"p"}} {"any":{"@type":"x/google.protobuf.Duration","value":"3s"}}`))(t)
	for i, want := range []string{"70", "03"} {
		if got := fmt.Sprintf("%x", samples[i].Wire); !strings.HasSuffix(got, want) {
			t.Errorf("sample %d is %s, want it to end in %s", i, got, want)
		}
	}
}

func TestExtensionsInData(t *testing.T) {
	s := telemetrySchema(t)
	md := message(t, s, "Report")
	samples := must(readText(s, md, Auto,
		`{"vehicleId":"v","sequence":1,"recordedMs":2,"[fleet.telemetry.tyres]":[{"axle":1,"pressureKpa":2.5}]}`))(t)
	m := parsed(t, s, md, samples[0].Wire)
	if len(m.GetUnknown()) > 0 {
		t.Error("the extension is unknown")
	}
	if text := must(protojson.MarshalOptions{Resolver: s.Types()}.Marshal(m))(t); !strings.Contains(string(text),
		"pressureKpa") {
		t.Errorf("the extension is lost: %s", text)
	}
	// In binary form it is a known field as well.
	again := must(readText(s, md, Auto, string(samples[0].Wire)))(t)
	if string(again[0].Wire) != string(samples[0].Wire) {
		t.Error("the binary form reads differently")
	}
}

// The depth that JSON may have is bounded so that the binary form can be read.
func TestDeepJSON(t *testing.T) {
	s := ordersSchema(t)
	md := message(t, s, "google.protobuf.Value")
	deep := func(n int) string { return strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) }
	samples, err := readText(s, md, JSON, deep(maxJSONDepth-2))
	if err != nil {
		t.Fatal(err)
	}
	parsed(t, s, md, samples[0].Wire)
	_, err = readText(s, md, JSON, deep(maxJSONDepth+1))
	wantError(t, err, "stdin:1:1: exceeded max recursion depth")
	_, err = readText(s, md, JSON, strings.Repeat("[", 1<<20))
	wantError(t, err, "stdin:1:10001: syntax error: exceeded max depth")
}

// Many documents take time in proportion: what is counted is what a document
// costs in allocations, which grows with its number where positions are counted
// from the start or the rest is copied.
func TestJSONIsLinear(t *testing.T) {
	s := ordersSchema(t)
	md := message(t, s, "Order")
	perDocument := func(n int) float64 {
		text := strings.Repeat("{\"id\":\"ord_1\"}\n", n)
		return testing.AllocsPerRun(1, func() {
			if samples, err := readText(s, md, JSON, text); err != nil || len(samples) != n {
				t.Fatal(len(samples), err)
			}
		}) / float64(n)
	}
	if few, many := perDocument(500), perDocument(10000); many > few*1.2 {
		t.Errorf("%.1f allocations a document of few, %.1f of many", few, many)
	}
}
