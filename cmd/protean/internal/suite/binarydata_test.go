package suite

import (
	"os"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// delimited puts each message after its length.
func delimited(messages ...string) string {
	var b []byte
	for _, m := range messages {
		b = protowire.AppendBytes(b, []byte(m))
	}
	return string(b)
}

// binarySource has fields whose tags are the bytes that text begins with: field
// 1 begins with a newline, 11 with a bracket, 15 with a brace.
const binarySource = `syntax = "proto2"; package b;
message M {
	optional string text = 1;
	optional M child = 2;
	repeated fixed32 nums = 3 [packed = true];
	map<string, M> by_name = 4;
	repeated int32 open = 5;
	optional group G = 11 { optional int32 x = 1; }
	optional group H = 15 { optional int32 x = 1; required int32 y = 2; }
	optional Sub sub = 16;
}
message Sub { required int32 y = 2; }
`

const (
	hello   = "\x0a\x05hello"         // text: "hello"
	nested  = "\x12\x07\x0a\x05child" // child: {text: "child"}
	brace   = "{\x08\x01\x10\x02|"    // H: {x: 1 y: 2}
	bracket = "[\x08\x01\x5c"         // G: {x: 1}
	alien   = "\xa0\x06\x01"          // field 100, a varint
)

func binarySchema(t testing.TB) *Schema {
	t.Helper()
	return must(inlineSchema(map[string]string{"b.proto": binarySource}, nil, "b.proto"))(t)
}

func TestAutoBinary(t *testing.T) {
	s := binarySchema(t)
	md := message(t, s, "M")
	for _, tt := range []struct{ name, data, want string }{
		{"one message", hello + nested, "stdin"},
		{"begins with a newline", "\x0a\x01x", "stdin"},
		{"begins with a brace", brace, "stdin"},
		{"begins with a bracket", bracket, "stdin"},
		{"delimited", delimited(hello, nested, hello), "stdin#1 stdin#2 stdin#3"},
		{"one delimited", delimited(hello + nested), "stdin#1"},
		{"delimited, an empty one between", delimited(hello, "", hello), "stdin#1 stdin#2 stdin#3"},
		{"delimited, all empty", delimited("", ""), "stdin#1 stdin#2"},
		{"delimited, length of a brace", delimited(strings.Repeat(hello, 17) + "\x28\x01\x28\x02"), "stdin#1"},
		// Ten-byte records whose lengths are tags of the text field: as one
		// message this parses without an unknown field, but only because all
		// but the last value are thrown away.
		{"delimited, lengths that are tags", delimited("\x0a\x08eightchr", "\x0a\x08eightchr"), "stdin#1 stdin#2"},
		{"one message with an unknown field", hello + alien, "stdin"},
		{"delimited with an unknown field", delimited(hello, nested+alien), "stdin#1 stdin#2"},
		{"an unknown field deep down", "\x12\x0a\x0a\x05child" + alien, "stdin"},
	} {
		samples, err := readText(s, md, Auto, tt.data)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if got := sourcesOf(samples); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestBinaryFormats(t *testing.T) {
	s := binarySchema(t)
	md := message(t, s, "M")
	for _, tt := range []struct {
		name   string
		format DataFormat
		data   string
		want   string // sources, or an error
	}{
		{"empty", Auto, "", "no samples in stdin"},
		{"white space", Auto, " \n\t\r\n", "no samples in stdin"},
		{"byte order mark only", Auto, "\ufeff\n", "no samples in stdin"},
		{"empty as JSON", JSON, "", "no samples in stdin"},
		{"white space as JSON", JSON, "\n", "no samples in stdin"},
		{"empty array as JSON", JSON, "[]", "no samples in stdin"},
		{"empty array", Auto, "[]", "no samples in stdin"},
		{"an empty message", Binary, "", "stdin"},
		{"no delimited message", Delimited, "", "no samples in stdin"},
		{"delimited", Delimited, delimited(hello), "stdin#1"},
		{"delimited read as one", Binary, "\x0a\x08eightchr", "stdin"},
		{"alien fields if asked for", Binary, alien, "stdin"},
		{"alien fields if asked for", Delimited, delimited(alien), "stdin#1"},
		{"unknown format", "yaml", "x", `unknown data format "yaml"; it is auto, json, binary or delimited`},
		{"JSON is not binary", Binary, `{"text":"a"}`, "stdin: at byte 0: field h: the value runs past the end"},
		{"binary is not JSON", JSON, hello, `stdin:2:1: syntax error: invalid character '\x05' at start of value`},

		{"truncated", Binary, "\x0a\x05hel", "stdin: at byte 0: field text: the value runs past the end"},
		{"truncated deep down", Binary, hello + "\x12\x04\x0a\x05ab",
			"stdin: at byte 9: field child.text: the value runs past the end"},
		{"truncated in a packed field", Binary, "\x1a\x05\x01\x02\x03\x04\x05",
			"stdin: at byte 6: field nums: the value runs past the end"},
		{"truncated tag", Binary, hello + "\x80", "stdin: at byte 7: invalid tag of a field"},
		{"truncated unknown field", Binary, hello + "\xa2\x06\x09a",
			"stdin: at byte 7: field 100: the value runs past the end"},
		{"truncated in a map", Binary, "\x22\x04\x12\x02\x0a\x05",
			"stdin: at byte 4: field by_name.value.text: the value runs past the end"},
		{"end of a group that is not open", Binary, "\x7c", "stdin: at byte 0: field h: mismatching end group marker"},
		{"deeper than the library goes", Binary, strings.Repeat("{", 10050),
			"stdin: at byte 0: field h: messages are nested too deeply"},

		{"truncated record", Delimited, delimited(hello) + "\x09\x0a",
			"stdin: record 2 at byte 8: 9 bytes long, but the file has 1 more"},
		{"truncated length", Delimited, delimited(hello) + "\x80", "stdin: record 2 at byte 8: invalid length"},
		{"endless length", Delimited, strings.Repeat("\xff", 12), "stdin: record 1 at byte 0: invalid length"},
		{"bad record", Delimited, delimited(hello, "\x0a\x09hi"),
			"stdin: record 2 at byte 9: field text: the value runs past the end"},

		{"required field missing", Binary, "\x82\x01\x00", "stdin: at byte 0: field sub.y: required field is not set"},
		{"required field missing in a record", Delimited, delimited(hello, "\x82\x01\x00"),
			"stdin: record 2 at byte 9: field sub.y: required field is not set"},
		{"required field missing, recognised", Auto, hello + "\x82\x01\x00",
			"stdin: at byte 0: field sub.y: required field is not set"},

		{"nothing of all", Auto, "hello",
			"stdin: neither JSON (it does not begin with a brace or bracket) nor binary b.M (at byte 2: field 13: " +
				"mismatching end group marker) " +
				"nor length-delimited ones (record 1 at byte 0: 104 bytes long, but the file has 4 more)"},
		{"alien fields only", Auto, alien,
			"stdin: neither JSON (it does not begin with a brace or bracket) nor binary b.M (it has none of the " +
				"fields) " +
				"nor length-delimited ones (record 1 at byte 0: 800 bytes long, but the file has 1 more)"},
		// As binary this is a known field, open, and an unknown one.
		{"text that parses by chance", Auto, "(nPx(nPxPP",
			"stdin: neither JSON (it does not begin with a brace or bracket) nor binary b.M (it is text) " +
				"nor length-delimited ones (record 1 at byte 0: 40 bytes long, but the file has 9 more)"},
		{"bad UTF-8 where it is allowed", Binary, "\x0a\x01\xff\x0a\x05a",
			"stdin: at byte 3: field text: the value runs past the end"},
		{"text that is not UTF-8", Auto, "{\"text\":\"\xff\"}",
			"stdin: neither JSON (1:10: syntax error: invalid UTF-8) nor binary b.M (at byte 0: field h: the value " +
				"runs past the end) " +
				"nor length-delimited ones (record 1 at byte 0: 123 bytes long, but the file has 11 more)"},
	} {
		samples, err := readText(s, md, tt.format, tt.data)
		if err == nil {
			if got := sourcesOf(samples); got != tt.want {
				t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
			}
			continue
		}
		t.Run(tt.name, func(t *testing.T) { wantError(t, err, tt.want) })
	}
}

func TestBinaryUTF8(t *testing.T) {
	s := ordersSchema(t)
	_, err := readText(s, message(t, s, "Order"), Binary, "\x22\x08\x0a\x06abc\xff\xfed")
	wantError(t, err, "stdin: at byte 3: field customer.id: string is not UTF-8")
}

// What is unknown is kept, because it costs bytes and time as well.
func TestUnknownFieldsAreKept(t *testing.T) {
	s := binarySchema(t)
	samples := must(readText(s, message(t, s, "M"), Auto, alien+hello))(t)
	if got, want := string(samples[0].Wire), hello+alien; got != want {
		t.Errorf("got %x, want %x", got, want)
	}
}

// The extension decides where the content leaves a doubt, and only there.
func TestExtensionIsAHint(t *testing.T) {
	s := binarySchema(t)
	md := message(t, s, "M")
	inDir(t, map[string]string{
		"text.json":  hello,
		"text.bin":   `{"text":"a"}`,
		"text.delim": `[{"text":"a"},{"text":"b"}]`,
		"bad.json":   "{\"text\":\"\xff\"}",
		"name.json":  `"name"`,
		"DELIM.BIN":  delimited(hello, hello),
		"one.delim":  hello + nested + brace,
	})
	for _, tt := range []struct{ file, want string }{
		{"text.json", "text.json"},
		{"text.bin", "text.bin:1"},
		{"text.delim", "text.delim:1 text.delim:1"},
		{"bad.json", "bad.json:1:10: syntax error: invalid UTF-8"},
		{"name.json", `name.json:1:1: expected an object (b.M), found "name"`},
		{"DELIM.BIN", "DELIM.BIN#1 DELIM.BIN#2"},
		{"one.delim", "one.delim"},
	} {
		samples, err := ReadSamples(s, md, []string{tt.file}, Auto, nil)
		got := sourcesOf(samples)
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.file, got, tt.want)
		}
	}
}

// Data that both readings explain equally well is one message, unless the file's name says
// that it is delimited: where both are exact, where both know all fields, and where both have
// unknown ones.
func TestExtensionDecidesTies(t *testing.T) {
	s := binarySchema(t)
	md := message(t, s, "M")
	r := &reader{schema: s, md: md}
	for _, tt := range []struct {
		name, data string
		fit        fit
	}{
		{"exact", ambiguous("\x28", "\x28", "\x28\x80\x01"), fitExact},
		{"known", nonMinimal, fitKnown},
		{"unknown fields", ambiguous("\x28", "\x30", "\x30\x80\x01"), fitParses},
	} {
		if a, b := r.tryBinary([]byte(tt.data)), r.tryDelimited([]byte(tt.data)); a.fit != tt.fit || b.fit != tt.fit {
			t.Fatalf("%s: fits are %d and %d, want %d", tt.name, a.fit, b.fit, tt.fit)
		}
		for hint, want := range map[DataFormat]DataFormat{Auto: Binary, JSON: Binary, Binary: Binary,
			Delimited: Delimited} {
			if got, err := r.bestBinary([]byte(tt.data), hint); err != nil || got.format != want {
				t.Errorf("%s, hint %s: read as %s (%v), want %s", tt.name, hint, got.format, err, want)
			}
		}
	}
}

// ambiguous is the number 40 and as many bytes: a length and a record, or the tag of the
// field open, its value and more fields. The record is the field of tag first and a text; the
// other fields are the end of that text, the last of them end.
func ambiguous(length, first, end string) string {
	return length + first + "\x0a" + "\x0a\x24" + "123456789" + strings.Repeat("\x28\x01", 12) + end
}

// nonMinimal writes the number 40 in two bytes, and as one message has a field twice.
var nonMinimal = ambiguous("\xa8\x00", "\x28", "\x0a\x01a")

// A length in more bytes than it needs counts against delimited messages, as a field that is
// written so counts against one message.
func TestNonMinimalLength(t *testing.T) {
	s := binarySchema(t)
	md := message(t, s, "M")
	if got := must(readText(s, md, Auto, nonMinimal))(t); sourcesOf(got) != "stdin" {
		t.Errorf("read as %s, want one message", sourcesOf(got))
	}
	r := &reader{schema: s, md: md}
	minimal := "\x28" + nonMinimal[2:]
	if got := r.tryDelimited([]byte(minimal)).fit; got != fitExact {
		t.Errorf("with a length of one byte, the fit is %d, want %d", got, fitExact)
	}
}

// Of several required fields that are not set, errors name the first as the message
// declares them, and of several messages that lack some, the one in the field with the
// lowest number, in the first element, in the entry with the lowest key.
func TestFirstMissingField(t *testing.T) {
	s := must(inlineSchema(map[string]string{"r.proto": `syntax = "proto2"; package r;
		message Two { required int32 late = 9; required int32 early = 2; }
		message One {
			optional Two z = 7; optional Two y = 3; repeated Two list = 8; map<string, Two> entries = 9; optional One more = 1;
		}`}, nil, "r.proto"))(t)
	const no, late = "", "\x48\x01" // neither field, and the field late
	md := message(t, s, "One")
	for _, tt := range []struct{ data, want string }{
		{"\x3a\x00", "z.late"},
		{"\x3a\x02" + late, "z.early"},
		{"\x3a\x00\x1a\x00", "y.late"},
		{"\x3a\x00\x1a\x02" + late, "y.early"},
		{"\x3a\x00\x1a\x00\x0a\x02\x3a\x00", "more.z.late"},
		{"\x42\x04\x48\x01\x10\x01\x42\x02" + late + "\x42\x00", "list[1].early"},
		{"\x4a\x05\x0a\x01b\x12\x00" + "\x4a\x05\x0a\x01a\x12\x00" + "\x4a\x05\x0a\x01c\x12\x00", `entries["a"].late`},
	} {
		for range 20 { // maps and dynamic messages are walked in random order
			_, err := readText(s, md, Binary, tt.data)
			wantError(t, err, "stdin: at byte 0: field "+tt.want+": required field is not set")
		}
	}
}

func TestFilesAndStdin(t *testing.T) {
	s := binarySchema(t)
	md := message(t, s, "M")
	inDir(t, map[string]string{"a.json": `{"text":"a"}`, "b.pb": hello})
	samples := must(ReadSamples(s, md, []string{"b.pb", Stdin, "a.json"}, Auto,
		strings.NewReader(delimited(hello, nested))))(t)
	if got, want := sourcesOf(samples), "b.pb stdin#1 stdin#2 a.json:1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, tt := range []struct {
		files []string
		want  string
	}{
		{nil, "no data files"},
		{[]string{Stdin, "a.json", Stdin}, "standard input can be read only once"},
		{[]string{"nope.json"}, "nope.json: no such file"},
		{[]string{"."}, ".: is a directory"},
	} {
		_, err := ReadSamples(s, md, tt.files, Auto, strings.NewReader("{}"))
		wantError(t, err, tt.want)
	}
	_, err := ReadSamples(s, md, []string{Stdin}, Auto, nil)
	wantError(t, err, "standard input is not available")
	_, err = ReadSamples(s, md, []string{Stdin}, Auto, brokenReader{})
	wantError(t, err, "stdin: file already closed")
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, os.ErrClosed }

// TestSecondMapKey checks that bytes on which the official library panics are an
// error: a map entry whose key comes again with another wire type.
func TestSecondMapKey(t *testing.T) {
	s := binarySchema(t)
	md, err := s.Message("b.M")
	if err != nil {
		t.Fatal(err)
	}
	entry := "\x0a\x01k\x08\x01" // key: "k", and the key's number as a varint
	data := string(protowire.AppendBytes([]byte("\x22"), []byte(entry)))
	_, err = ReadSamples(s, md, []string{Stdin}, Binary, strings.NewReader(data))
	if err == nil || !strings.Contains(err.Error(), "stdin: at byte 0: ") {
		t.Errorf("got %v", err)
	}
}
