package decide_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/infer/decide"
	"github.com/protean-pb/protean/infer/lock"
	"github.com/protean-pb/protean/infer/profile"
	"github.com/protean-pb/protean/infer/proof"
	"github.com/protean-pb/protean/infer/schema"
)

// profileOf returns the profile of documents.
func profileOf(t testing.TB, documents ...string) *profile.Profile {
	t.Helper()
	b := profile.NewBuilder(0)
	for _, d := range documents {
		if _, err := b.Add([]byte(d)); err != nil {
			t.Fatalf("%.100s: %v", d, err)
		}
	}
	return b.Profile()
}

// infer returns the schema of documents, which compiles.
func infer(t testing.TB, o decide.Options, documents ...string) (*schema.File, protoreflect.MessageDescriptor) {
	t.Helper()
	o.Package, o.Message = "acme.v1", "Event"
	f, err := decide.Schema(profileOf(t, documents...), o)
	if err != nil {
		t.Fatal(err)
	}
	return f, compile(t, f)
}

func compile(t testing.TB, f *schema.File) protoreflect.MessageDescriptor {
	t.Helper()
	md, err := proof.Compile(f.Print(), "acme.v1.Event")
	if err != nil {
		t.Fatalf("%v\n%s", err, f.Print())
	}
	return md
}

// prove returns the report of the documents.
func prove(f *schema.File, md protoreflect.MessageDescriptor, documents ...string) *proof.Report {
	p := proof.New(f, md)
	for i, d := range documents {
		p.Add([]byte(d), func() string { return fmt.Sprint("document ", i+1) }, proof.Order{Offset: int64(i)})
	}
	return proof.Merge(p)
}

// declarations are the lines of a schema without comments and what all schemas have.
func declarations(f *schema.File) string {
	var out []string
	for line := range strings.Lines(string(f.Print())) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "//") && !strings.HasPrefix(line, "import ") &&
			!strings.HasPrefix(line, "syntax") &&
			!strings.HasPrefix(line, "package ") {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

func many(n int, document func(i int) string) []string {
	var out []string
	for i := range n {
		out = append(out, document(i))
	}
	return out
}

// What comes out for one field "f" of documents.
func TestFieldTypes(t *testing.T) {
	for _, tt := range []struct {
		name       string
		values     []string // of the field; "" where it is absent
		json, wire string
	}{
		{"bool", []string{"true", "true"}, "bool f = 1;", "bool f = 1;"},
		{"false has presence in JSON alone", []string{"true", "false"}, "optional bool f = 1;", "bool f = 1;"},
		{"absent", []string{"true", ""}, "optional bool f = 1;", "optional bool f = 1;"},
		{"null", []string{`"a"`, "null"}, "optional string f = 1;", "optional string f = 1;"},
		{"always null", []string{"null", "null"}, "google.protobuf.Value f = 1;", "google.protobuf.Value f = 1;"},
		{"small", []string{"1", "100"}, "int32 f = 1;", "int32 f = 1;"},
		{"zero", []string{"1", "0"}, "optional int32 f = 1;", "int32 f = 1;"},
		{"both signs", []string{"-70", "100"}, "sint32 f = 1;", "sint32 f = 1;"},
		{"minus one as an exception", []string{"-1", "100"}, "int32 f = 1;", "int32 f = 1;"},
		{"up to 2^32", []string{"4294967295"}, "uint32 f = 1;", "int64 f = 1;"},
		{"beyond 2^32", []string{"4294967296"}, "double f = 1;", "int64 f = 1;"},
		{"beyond 2^53", []string{"9007199254740993"}, "int64 f = 1;", "int64 f = 1;"},
		{"beyond 2^63", []string{"18446744073709551615"}, "uint64 f = 1;", "uint64 f = 1;"},
		{"beyond 2^64", []string{"18446744073709551616"}, "double f = 1;", "double f = 1;"},
		{"both ends", []string{"18446744073709551615", "-1"}, "double f = 1;", "double f = 1;"},
		{"fraction", []string{"1", "1.5"}, "double f = 1;", "double f = 1;"},
		{"mixed", []string{"1", `"a"`}, "google.protobuf.Value f = 1;", "google.protobuf.Value f = 1;"},
		{"time", []string{`"2026-01-02T03:04:05Z"`, `"2026-01-02T03:04:05.120Z"`}, "google.protobuf.Timestamp f = 1;", "google.protobuf.Timestamp f = 1;"},
		{"time of an offset", []string{`"2026-01-02T03:04:05+01:00"`}, "string f = 1;", "google.protobuf.Timestamp f = 1;"},
		{"times and a string", []string{`"2026-01-02T03:04:05Z"`, `"never"`}, "string f = 1;", "string f = 1;"},
		{"strings", []string{`"a"`, `"b"`}, "string f = 1;", "string f = 1;"},
		{"list", []string{`["a"]`, `[]`}, "repeated string f = 1;", "repeated string f = 1;"},
		{"list with null", []string{`["a",null]`}, "repeated google.protobuf.Value f = 1;", "repeated google.protobuf.Value f = 1;"},
		{"tuple", []string{`["a",1]`}, "repeated google.protobuf.Value f = 1;", "repeated google.protobuf.Value f = 1;"},
		{"list of lists", []string{`[[1,2],[3]]`}, "repeated google.protobuf.ListValue f = 1;", "repeated FList f = 1;"},
		{"empty lists", []string{`[]`}, "repeated google.protobuf.Value f = 1;", "repeated google.protobuf.Value f = 1;"},
		{"empty objects", []string{`{}`}, "google.protobuf.Struct f = 1;", "google.protobuf.Struct f = 1;"},
		{"map", []string{`{"17":1,"18":2,"4711":3}`}, "map<string, int32> f = 1;", "map<string, int32> f = 1;"},
		{"map with null", []string{`{"17":1,"18":null,"4711":3}`}, "map<string, google.protobuf.Value> f = 1;", "map<string, google.protobuf.Value> f = 1;"},
		{"map of lists", []string{`{"17":[1],"18":[2]}`}, "map<string, google.protobuf.ListValue> f = 1;", "map<string, FList> f = 1;"},
		{"map of maps", []string{`{"17":{"20":1},"18":{"21":2}}`}, "map<string, google.protobuf.Struct> f = 1;", "map<string, FMap> f = 1;"},
		{"list of maps", []string{`[{"17":1,"19":1},{"18":2}]`}, "repeated google.protobuf.Struct f = 1;", "repeated FMap f = 1;"},
		{"message", []string{`{"a":1,"b":"x"}`}, "F f = 1;", "F f = 1;"},
		{"list of messages", []string{`[{"a":1,"b":"x"}]`}, "repeated F f = 1;", "repeated F f = 1;"},
	} {
		documents := many(len(tt.values), func(i int) string {
			if tt.values[i] == "" {
				return `{}`
			}
			return `{"f":` + tt.values[i] + `}`
		})
		for _, wire := range []bool{false, true} {
			want := map[bool]string{false: tt.json, true: tt.wire}[wire]
			f, md := infer(t, decide.Options{Wire: wire}, documents...)
			if got := declarations(f); !strings.HasPrefix(got, "message Event {\n"+want+"\n}") {
				t.Errorf("%s, wire %v: want %s, got\n%s", tt.name, wire, want, got)
			}
			for _, d := range prove(f, md, documents...).Findings {
				if d.Level == proof.Lossy && !strings.HasPrefix(tt.name, "beyond 2^64") && tt.name != "both ends" {
					t.Errorf("%s, wire %v: %s %s", tt.name, wire, d.Path, d.What)
				}
			}
		}
	}
}

// Strings that are numbers, and base64, need more evidence than a few samples.
func TestStringTypes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	letters := "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	random := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = letters[r.IntN(64)]
		}
		return string(b)
	}
	for _, tt := range []struct {
		name, json, wire string
		document         func(i int) string
	}{
		{"bytes", "bytes f = 1;", "bytes f = 1;", func(int) string { return `{"f":"Aa0` + random(36) + `AAA=="}` }},
		{"without padding", "string f = 1;", "string f = 1;", func(int) string { return `{"f":"Aa0` + random(29) + `"}` }},
		{"hexadecimal", "string f = 1;", "string f = 1;", func(i int) string { return fmt.Sprintf(`{"f":"%064x"}`, r.Uint64()) }},
		{"integers", "string f = 1;", "int64 f = 1;", func(i int) string { return fmt.Sprintf(`{"f":"%d"}`, 50586924095815681+i) }},
		{"postcodes", "string f = 1;", "string f = 1;", func(i int) string { return fmt.Sprintf(`{"f":"%05d"}`, 1000+i) }},
	} {
		documents := many(100, tt.document)
		for _, wire := range []bool{false, true} {
			f, md := infer(t, decide.Options{Wire: wire}, documents...)
			want := map[bool]string{false: tt.json, true: tt.wire}[wire]
			if got := declarations(f); got != "message Event {\n"+want+"\n}" {
				t.Errorf("%s, wire %v: want %s, got\n%s", tt.name, wire, want, got)
			}
			if p := prove(f, md, documents...); p.Levels[proof.SameText] != 100 {
				t.Errorf("%s, wire %v: %v %v", tt.name, wire, p.Levels, p.Findings)
			}
		}
	}
}

// Keys that are no names, that make the same name, or that are words of the language.
func TestKeys(t *testing.T) {
	keys := []string{
		"+1", "-1", "$oid", "oid", "fooBar", "foo_bar", "foo-bar", "FooBar", "foo__bar", "ünïcode", "ключ", "日本", "1st", "message", "syntax",
		"package", "reserved", "optional", "repeated", "string", "to", "max", "class", "a b", "a\"b", "a\\b", "tab\there", "line\nbreak",
		"\u2028", "x.y", "x/y", "_", "__", "_x", "x_", "x1", "x_1", "X1", "URL", "userID", "userId", "HTTPServer", "URLs", strings.Repeat("k", 900),
		"extensions", "map", "oneof", "*/", "//", "foo_bar_2", "foo_bar2", "{}", "[a", "%s%d", "\U0001F600",
	}
	var b strings.Builder
	for i, k := range keys {
		fmt.Fprintf(&b, ",%s:%s", jsonString(k), []string{"true", `"x"`, "1"}[i%3])
	}
	document := "{" + b.String()[1:] + "}"
	f, md := infer(t, decide.Options{}, document)
	if len(f.Root().Fields) != len(keys) {
		t.Errorf("%d fields for %d keys", len(f.Root().Fields), len(keys))
	}
	if p := prove(f, md, document); p.Levels[proof.SameText]+p.Levels[proof.SameJSON] != 1 {
		t.Errorf("%+v", p.Findings)
	}
	style := regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
	for _, field := range f.Root().Fields {
		if !style.MatchString(field.Name) {
			t.Errorf("key %q: field %s", field.Key, field.Name)
		}
	}
}

func jsonString(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\t", `\t`, "\n", `\n`).Replace(s) + `"`
}

// Keys that no field can have are left out, and the schema and the proof say so.
func TestUnusableKeys(t *testing.T) {
	document := `{"":1,"[a]":2,"nul\u0000":3,"b":"x"}`
	f, md := infer(t, decide.Options{}, document)
	if text := string(f.Print()); !strings.Contains(text, "// Left out") {
		t.Errorf("nothing says what is left out:\n%s", text)
	}
	if p := prove(f, md, document); p.Levels[proof.Lossy] != 1 {
		t.Errorf("levels %v", p.Levels)
	}
}

// A document that is no object is the value of a field.
func TestWrapped(t *testing.T) {
	for documents, want := range map[string]string{
		`1|2`:     "message Event {\nint32 value = 1;\n}",
		`"a"|{}`:  "message Event {\ngoogle.protobuf.Value value = 1;\n}",
		`[1]|[2]`: "message Event {\nrepeated int32 value = 1;\n}",
		`{"2026-01-01":1,"2026-01-02":2,"2026-01-03":3}`: "message Event {\nmap<string, int32> entries = 1;\n}",
	} {
		all := strings.Split(documents, "|")
		f, md := infer(t, decide.Options{}, all...)
		if got := declarations(f); got != want || !f.Wrapped {
			t.Errorf("%s: wrapped %v\n%s", documents, f.Wrapped, got)
		}
		if p := prove(f, md, all...); p.Levels[proof.Lossy] > 0 {
			t.Errorf("%s: %+v", documents, p.Findings)
		}
	}
}

// Equal shapes are one message, a message may hold itself, and tiny ones of other names are apart.
func TestSharedMessages(t *testing.T) {
	user := `{"login":"a","id":1,"url":"u","admin":true}`
	f, _ := infer(t, decide.Options{}, `{"owner":`+user+`,"sender":`+user+`,"users":[`+user+`],"self":{"href":"x"},"html":{"href":"y"},
		"tree":{"name":"r","size":1,"kind":"dir","children":[{"name":"c","size":2,"kind":"dir","children":[{"name":"d","size":3,"kind":"file","children":[]}]}]}}`)
	want := `message Event {
User owner = 1;
User sender = 2;
repeated User users = 3;
Self self = 4;
Html html = 5;
Child tree = 6;
}`
	got := strings.Replace(declarations(f), "Owner", "User", -1)
	if !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s", got)
	}
	if !strings.Contains(got,
		"message Child {\nstring name = 1;\nint32 size = 2;\nstring kind = 3;\nrepeated Child children = 4;\n}") {
		t.Errorf("the type that holds itself:\n%s", got)
	}
}

// event is one of a kind of documents, whatever their number.
func event(r *rand.Rand) string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"id":%d,"kind":%q,"at":"2026-01-%02dT03:04:05Z"`, r.IntN(1e6), []string{"opened", "closed", "merged"}[r.IntN(3)], 1+r.IntN(28))
	if r.IntN(3) > 0 {
		fmt.Fprintf(&b, `,"amount":%d.25`, r.IntN(1000))
	}
	fmt.Fprintf(&b, `,"labels":{"k%x":"v"},"user":{"login":"u%d","admin":%v,"score":%d,"big":%d}`, r.Uint64(), r.IntN(1e5), r.IntN(2) == 0, r.IntN(100), r.Uint64N(1<<50)+1<<40)
	if r.IntN(2) > 0 {
		fmt.Fprintf(&b, `,"items":[{"sku":"s%d","count":%d,"note":null}]`, r.IntN(1e6), 1+r.IntN(9))
	}
	b.WriteString("}")
	return b.String()
}

// The order of documents does not matter, nor, but for comments, how many there are.
func TestStability(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	all := many(30000, func(int) string { return event(r) })
	thousand, _ := infer(t, decide.Options{}, all[:1000]...)
	want := thousand.Print()
	shuffled := slices.Clone(all[:1000])
	r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	if f, _ := infer(t, decide.Options{}, shuffled...); !bytes.Equal(f.Print(), want) {
		t.Error("another order of documents: another schema")
	}
	if f, _ := infer(t, decide.Options{}, all...); declarations(f) != declarations(thousand) {
		t.Errorf("more documents:\n%s\nwant\n%s", declarations(f), declarations(thousand))
	}
}

// Free text is never listed as values, and no enum is made unless asked for.
func TestNoEnumOfText(t *testing.T) {
	f, _ := infer(t, decide.Options{}, many(100, func(i int) string {
		return fmt.Sprintf(`{"state":%q,"title":%q,"mail":%q}`, []string{"open", "closed"}[i%2], []string{"It is broken", "Why not?"}[i%2],
			[]string{"a@example.com", "b@example.com"}[i%2])
	})...)
	text := string(f.Print())
	if strings.Contains(text, "enum ") || strings.Contains(text, "broken") || strings.Contains(text, "@") ||
		!strings.Contains(text, "closed (50 %)") {
		t.Errorf("\n%s", text)
	}
}

func TestHints(t *testing.T) {
	documents := many(20, func(i int) string {
		return fmt.Sprintf(`{"state":%q,"scores":{"a":1,"b":2},"ids":{"17":{"x":1}},"any":{"a":1}}`, []string{"open", "closed"}[i%2])
	})
	f, md := infer(t, decide.Options{Hints: map[string]string{"$.state": "enum", "$.scores": "map", "$.ids": "message",
		"$.any": "struct"}}, documents...)
	want := `message Event {
EventState state = 1;
map<string, int32> scores = 2;
Ids ids = 3;
google.protobuf.Struct any = 4;
}`
	if got := declarations(f); !strings.HasPrefix(got, want) ||
		!strings.Contains(got, "EVENT_STATE_UNSPECIFIED = 0;\nEVENT_STATE_CLOSED = 1;\nEVENT_STATE_OPEN = 2;") {
		t.Errorf("got\n%s", got)
	}
	if p := prove(f, md, documents...); p.Levels[proof.SameValue] != 20 {
		t.Errorf("%v %v", p.Levels, p.Findings)
	}
	for hint, want := range map[string]string{
		"state=enum":   "hint state=enum: a path begins with $, as in $.labels",
		"$.state=enmu": "hint $.state=enmu: want one of map, message, oneof, enum",
		"$.no=map":     "hint $.no=map: no document has that path",
		"$.any=enum":   "hint $.any=enum: there are other values than a few strings",
	} {
		path, kind, _ := strings.Cut(hint, "=")
		_, err := decide.Schema(profileOf(t, documents...),
			decide.Options{Package: "p", Message: "M", Hints: map[string]string{path: kind}})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", hint, err)
		}
	}
}

// relock infers anew with the lock of a schema, as it is read from its file.
func relock(t *testing.T, f *schema.File, change func(*lock.Lock), documents ...string) *schema.File {
	t.Helper()
	text := mustMarshal(t, lock.Of(f))
	l, err := lock.Unmarshal(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if change != nil {
		change(l)
	}
	next, _ := infer(t, decide.Options{Lock: l}, documents...)
	return next
}

// Fields keep their numbers, new ones get new numbers, and what is not seen any more is reserved, until it comes again.
func TestNumbersLast(t *testing.T) {
	first, _ := infer(t, decide.Options{}, `{"a":1,"b":"x","user":{"login":"l","id":2},"gone":true}`)
	second := relock(t, first, nil, `{"new":1,"a":1,"user":{"more":1,"login":"l","id":2},"b":"x"}`)
	want := `message Event {
reserved 4;
reserved "gone";
int32 a = 1;
string b = 2;
User user = 3;
int32 new = 5;
}
message User {
string login = 1;
int32 id = 2;
int32 more = 3;
}`
	if got := declarations(second); got != want {
		t.Errorf("got\n%s", got)
	}
	third := relock(t, second, nil, `{"gone":false,"a":1,"user":{"login":"l","id":2,"more":1},"b":"x","new":1}`)
	if got := declarations(third); !strings.Contains(got, "optional bool gone = 4;") ||
		strings.Contains(got, "reserved") {
		t.Errorf("a field that comes again:\n%s", got)
	}
	if again := relock(t, third, nil, `{"gone":false,"a":1,"user":{"login":"l","id":2,"more":1},"b":"x","new":1}`); declarations(again) != declarations(third) {
		t.Errorf("the same documents change the schema:\n%s", declarations(again))
	}
}

// Fields that are not seen any more stay if asked for, with the messages and enums that they alone have.
func TestKeepUnseen(t *testing.T) {
	first, _ := infer(t, decide.Options{}, `{"a":1,"gone":true,"user":{"login":"l","address":{"city":"c"}}}`)
	l, err := lock.Unmarshal(mustMarshal(t, lock.Of(first)))
	if err != nil {
		t.Fatal(err)
	}
	next, _ := infer(t, decide.Options{Lock: l, KeepUnseen: true}, `{"a":1,"new":1}`)
	want := strings.Replace(declarations(first), "User user = 3;\n", "User user = 3;\nint32 new = 4;\n", 1)
	if got := declarations(next); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func mustMarshal(t *testing.T, l *lock.Lock) []byte {
	t.Helper()
	text, err := l.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A type that does not hold new documents gets a new number; one that does is kept, and one that reads the old one's
// bytes takes its number.
func TestTypesLast(t *testing.T) {
	first, _ := infer(t, decide.Options{}, `{"text":"x","float":1.5,"n":1,"id":9007199254740993}`)
	next := relock(t, first, nil, `{"text":1,"float":1,"n":9007199254740993,"id":1}`)
	want := `message Event {
reserved 1;
double float = 2;
int64 n = 3;
int64 id = 4;
int32 text = 5;
}`
	if got := declarations(next); got != want {
		t.Errorf("got\n%s", got)
	}
	if text := string(next.Print()); !strings.Contains(text, "Was string with number 1") {
		t.Errorf("nothing says why:\n%s", text)
	}
}

// Names that somebody changed by hand stay.
func TestRenamed(t *testing.T) {
	documents := []string{`{"a":1,"user":{"login":"l","id":2,"url":"u","x":1},"owner":{"login":"l","id":2,"url":"u","x":1}}`}
	first, _ := infer(t, decide.Options{}, documents...)
	by := strings.NewReplacer(" a = 1", ` count = 1 [json_name = "a"]`, "User", "Person", "Owner", "Person", " login = ", " handle = ").Replace(string(first.Print()))
	md, err := proof.Compile([]byte(by), "acme.v1.Event")
	if err != nil {
		t.Fatalf("%v\n%s", err, by)
	}
	next := relock(t, first, func(l *lock.Lock) { l.Rename(md) }, strings.Replace(documents[0], "{", `{"new":1,`, 1))
	for _, want := range []string{`int32 count = 1 [json_name = "a"];`, "Person user = 2;", "message Person {", `string handle = 1 [json_name = "login"];`} {
		if !strings.Contains(declarations(next), want) {
			t.Errorf("no %s in\n%s", want, declarations(next))
		}
	}
}

// The numbers that Protobuf keeps for itself are left out.
func TestKeptNumbers(t *testing.T) {
	first, _ := infer(t, decide.Options{}, `{"a":1}`)
	next := relock(t, first, func(l *lock.Lock) { l.Messages[0].Next = 18999 }, `{"a":1,"b":1,"c":1}`)
	if got, want := declarations(next),
		"message Event {\nint32 a = 1;\nint32 b = 18999;\nint32 c = 20000;\n}"; got != want {
		t.Errorf("got\n%s", got)
	}
}

// beyondDoubles matches numbers that may be beyond the range of doubles.
var beyondDoubles = regexp.MustCompile(`[eE]|[0-9]{300}`)

// The schema of whatever documents compiles, and reads each of them.
func FuzzSchema(f *testing.F) {
	for _, s := range []string{`{"a":{"a":{"a":1}}}`, `{"a":1}|{"a":"x"}|{"b":[{"c":null}]}`, `[]|1|null`, `{"+1":1,"-1":2,"":3}`,
		`{"A":1,"a":2,"a_":3,"_a":4}`, `{"x":{"17":{},"18":{"y":[[]]}}}`, `{"a":[{"a":[{"a":[]}]}]}`, `{"m":{"1":{"a":1,"b":2,"c":3,"d":4}},"a":{"a":1,"b":2,"c":3,"d":4}}`,
		`{"value":null}|{"Value":{"struct":1}}`, `{"t":"2026-01-02T03:04:05Z"}|{"t":""}`, `{"a":1e400,"b":-0,"c":18446744073709551616}`,
		strings.Repeat(`{"type":"a","v":{"x":1}}|{"v":{"y":"z"},"type":"b"}|`, 12),
		strings.Repeat(`{"v":{"text":"a"}}|{"v":{"n":1}}|`, 12)} {
		f.Add(s, false)
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, text string, wire bool) {
		b := profile.NewBuilder(0)
		var documents []string
		for _, d := range strings.Split(text, "|") {
			if end, err := b.Check([]byte(d)); err != nil || end != len(d) {
				continue
			}
			if _, err := b.Add([]byte(d)); err != nil {
				t.Fatal(err)
			}
			documents = append(documents, d)
		}
		if len(documents) == 0 {
			return
		}
		file, err := decide.Schema(b.Profile(), decide.Options{Package: "acme.v1", Message: "Event", Wire: wire})
		if err != nil {
			t.Fatal(err)
		}
		r := prove(file, compile(t, file), documents...)
		for _, d := range r.Findings {
			if !strings.HasPrefix(d.What, "is not") {
				continue
			}
			if strings.Contains(d.What, "duplicate") || strings.Contains(d.What, "twice") ||
				strings.Contains(string(file.Print()), "Left out") || beyondDoubles.MatchString(text) {
				continue // keys that come twice, keys that no field can have, numbers beyond a double
			}
			t.Errorf("%s %s (%s)\n%s\n%s", d.Path, d.What, d.Detail, text, file.Print())
		}
		l, err := lock.Of(file).Marshal()
		if err != nil {
			t.Fatal(err)
		}
		old, err := lock.Unmarshal(l)
		if err != nil {
			t.Fatalf("%v\n%s", err, l)
		}
		again, err := decide.Schema(b.Profile(),
			decide.Options{Package: "acme.v1", Message: "Event", Wire: wire, Lock: old})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(again.Print(), file.Print()) {
			t.Errorf("the same documents with the lock:\n%s\nwithout:\n%s", again.Print(), file.Print())
		}
	})
}

// Objects with some of many keys are maps where all values have one shape, or are lists of objects of one.
func TestMapsOfOneShape(t *testing.T) {
	languages := []string{"ar", "de", "en", "es", "fr", "it", "ja", "nl", "pl", "ru", "sv", "uk"}
	for value, want := range map[string]string{
		`{"language":"x","value":"v"}`:   "map<string, Label> labels = 1;",
		`[{"language":"x","value":"v"}]`: "map<string, google.protobuf.ListValue> labels = 1;",
		`{"at%d":"x","value":"v"}`:       "Labels labels = 1;",
	} {
		documents := many(100, func(i int) string {
			members := ""
			for j := range 4 {
				k := (i*7 + j*3) % len(languages)
				v := strings.Replace(value, "%d", languages[k], 1)
				members += fmt.Sprintf(`,"%s":%s`, languages[k], v)
			}
			return `{"labels":{` + members[1:] + `},"id":1}`
		})
		f, _ := infer(t, decide.Options{}, documents...)
		if got := declarations(f); !strings.HasPrefix(got, "message Event {\n"+want) {
			t.Errorf("%s: want %s, got\n%s", value, want, got)
		}
	}
}
