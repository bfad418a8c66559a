package value

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/test/allocs"
	"github.com/protean-pb/protean/internal/test/corpus"
	"github.com/protean-pb/protean/internal/test/race"
)

// A jsonForm is one of the three messages with both directions, ours and the official one.
type jsonForm struct {
	name   string
	append func(dst, wire []byte) ([]byte, error)
	from   func(dst, text []byte) ([]byte, error)
	empty  func() proto.Message
}

func jsonForms() []jsonForm {
	return []jsonForm{
		{"Value", AppendJSON, AppendFromJSON, func() proto.Message { return new(structpb.Value) }},
		{"Struct", AppendStructJSON, AppendStructFromJSON, func() proto.Message { return new(structpb.Struct) }},
		{"ListValue", AppendListJSON, AppendListFromJSON, func() proto.Message { return new(structpb.ListValue) }},
	}
}

// checkFromJSON compares the reading of a text with protojson: the verdict, the message, and
// the bytes, which are those of the official library but for the order of keys.
func checkFromJSON(t *testing.T, text []byte) {
	t.Helper()
	for _, f := range jsonForms() {
		want := f.empty()
		wantErr := protojson.Unmarshal(text, want)
		before := slices.Clone(text)
		got, err := f.from([]byte("dst"), text)
		if !bytes.Equal(before, text) {
			t.Fatalf("%s %.200q: the text has been changed", f.name, before)
		}
		if (err != nil) != (wantErr != nil) {
			t.Fatalf("%s %.200q: error %v, want %v", f.name, text, err, wantErr)
		}
		if err != nil {
			checkTextError(t, text, got, err)
			continue
		}
		// The official reader has a limit that texts of many objects exceed.
		back := f.empty()
		if err := (proto.UnmarshalOptions{RecursionLimit: 1 << 20}).Unmarshal(got[3:], back); err != nil {
			t.Fatalf("%s %.200q: %v", f.name, text, err)
		}
		if string(got[:3]) != "dst" || !proto.Equal(back, want) {
			t.Fatalf("%s %.200q: %.200v, want %.200v", f.name, text, back, want)
		}
		wire, err := proto.MarshalOptions{Deterministic: true}.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		if keysInOrder(text) && !bytes.Equal(wire, got[3:]) || len(wire) != len(got)-3 {
			t.Fatalf("%s %.200q:\n%x, want\n%x", f.name, text, got[3:], wire)
		}
	}
}

// checkTextError checks what an error says.
func checkTextError(t *testing.T, text, got []byte, err error) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("%.200q: the error is a %T", text, err)
	}
	if string(got) != "dst" {
		t.Fatalf("%.200q: dst is %q after an error", text, got)
	}
	if e.Offset < 0 || e.Offset > len(text) || !strings.HasPrefix(e.Path, "$") {
		t.Fatalf("%.200q: %v", text, err)
	}
	lines := bytes.SplitAfter(text[:e.Offset], []byte{'\n'})
	if e.Line != len(lines) || e.Column != len(lines[len(lines)-1])+1 {
		t.Fatalf("%.200q: offset %d is called line %d, column %d", text, e.Offset, e.Line, e.Column)
	}
}

// keysInOrder reports whether the keys of each object of a JSON text ascend.
func keysInOrder(text []byte) bool {
	type level struct {
		object, key bool
		last        *string
	}
	levels := []level{{}}
	d := json.NewDecoder(bytes.NewReader(text))
	for {
		token, err := d.Token()
		if err != nil {
			return true
		}
		top := &levels[len(levels)-1]
		if s, ok := token.(string); ok && top.object && top.key {
			if top.last != nil && *top.last >= s {
				return false
			}
			top.last, top.key = &s, false
			continue
		}
		top.key = top.object
		switch token {
		case json.Delim('{'):
			levels = append(levels, level{object: true, key: true})
		case json.Delim('['):
			levels = append(levels, level{})
		case json.Delim('}'), json.Delim(']'):
			levels = levels[:len(levels)-1]
			top = &levels[len(levels)-1]
			top.key = top.object
		}
	}
}

// checkAppendJSON compares the writing of a text with protojson.
func checkAppendJSON(t *testing.T, wire []byte) {
	t.Helper()
	for _, f := range jsonForms() {
		m := f.empty()
		wantErr := proto.Unmarshal(wire, m)
		var want []byte
		if wantErr == nil {
			want, wantErr = protojson.Marshal(m)
		}
		got, err := f.append([]byte("dst"), wire)
		if (err != nil) != (wantErr != nil) {
			t.Fatalf("%s %.200x: error %v, want %v", f.name, wire, err, wantErr)
		}
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || string(got) != "dst" || e.Offset > len(wire) || !strings.HasPrefix(e.Path, "$") {
				t.Fatalf("%s %.200x: error %#v, dst %q", f.name, wire, err, got)
			}
			continue
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, want); err != nil {
			t.Fatal(err)
		}
		if string(got) != "dst"+compact.String() {
			t.Fatalf("%s %.200x:\n%.500s, want\n%.500s", f.name, wire, got[3:], compact.Bytes())
		}
		if f.name == "Value" {
			checkDocJSON(t, wire, got[3:])
		}
	}
}

// checkDocJSON checks that a Doc, each child of it alone, gives the same text.
func checkDocJSON(t *testing.T, wire, want []byte) {
	t.Helper()
	d, err := Parse(wire)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := d.AppendJSON(nil); err != nil || !bytes.Equal(got, want) {
		t.Fatalf("Doc %.200x: %s, %v; want %s", wire, got, err, want)
	}
	for _, c := range d.Elements() {
		got, err := c.AppendJSON(nil)
		alone, aloneErr := AppendJSON(nil, c.Bytes())
		if !bytes.Equal(got, alone) || (err != nil) != (aloneErr != nil) {
			t.Fatalf("element of %.200x: %s, %v; want %s, %v", wire, got, err, alone, aloneErr)
		}
	}
}

// textCases are the points at which a quick reader of JSON goes wrong.
func textCases() []string {
	cases := []string{
		"", " ", "null", "true", "false", "nul", "nulls", "True", "nan", "NaN", "Infinity", "-Infinity", `"NaN"`,
		"0", "-0", "-", "+1", "01", "-01", "1.", ".5", "1.5", "1e5", "1E+5", "1e-5", "1e", "1e+", "0x10", "1_000", "1e400", "-1e400", "1e-400", "1 2",
		"9007199254740993", "123456789012345678901234567890", "0.1", "1.7976931348623159e308", "5e-324", "1e21", "1e-7", "100e-2", "00", "1a", "1\"", "-\"\"",
		`""`, `"a"`, `"`, `"a`, `"\`, `"\"`, `"\u`, `"\u00e9"`, `"\ud834\udd1e"`, `"\ud834"`, `"\udd1e"`, `"\ud834\ud834"`, `"\x"`, "\"\x01\"", "\"\n\"", "\"\x7f\"", "\"\xff\"", "\"\xed\xa0\x80\"", `"\u0000"`, `'a'`,
		"[]", "[ ]", "[1]", "[1,]", "[,1]", "[,]", "[1 2]", "[1", "[", "]", "[]]", "[[]", "[1,2", "[1,", `["a":1]`, "[1}", "[null,true,false,1.5,\"x\",[],{}]", "[\"a\"\"b\"]", "[[[[]]]]",
		"{}", "{ }", `{"a":1}`, `{"a":1,}`, `{,"a":1}`, `{"a"}`, `{"a":}`, `{"a":1 "b":2}`, `{"a" 1}`, `{a:1}`, `{1:1}`, `{"a":1`, `{"a":`, `{"a"`, `{"a`, `{`, `}`, `{]`, `{"a":1]`, `{"a":1,"b":{"c":[1,{"d":null}]}}`, `{null:1}`, `{"a":,}`, `{"a"::1}`, `{"a",1}`,
		`{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, `{"b":{"a":1},"a":{"a":1}}`, `{"a":{"b":1,"b":2}}`, `{"":1,"":2}`, `{"":1}`, `{"a":{"b":1},"b":2,"a":3}`,
		"\ufeff{}", "{}\x00", "{} x", "{}{}", "[] []", "// c\n1", "1/*c*/", "\v1", "\u00a01", "1\f", "\t\r\n 1 \t\r\n", " [ 1 , 2 ] ", " { \"a\" : 1 , \"b\" : [ ] } ",
		`{"` + strings.Repeat("k", 126) + `":1}`, `{"` + strings.Repeat("k", 127) + `":{"a":[1]}}`, `{"` + strings.Repeat("k", 130) + `":"` + strings.Repeat("v", 130) + `"}`, `{"a":1,"` + strings.Repeat("k", 20000) + `":"` + strings.Repeat("v", 20000) + `","b":2}`,
		`{"` + strings.Repeat("k", 130) + `":1,"` + strings.Repeat("k", 130) + `":1}`,
	}
	// The lengths at which one more byte is needed.
	for _, n := range []int{110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127,
		128, 129, 16370, 16375, 16380, 16384} {
		s := strings.Repeat("x", n)
		cases = append(cases, `"`+s+`"`, `["`+s+`"]`, `{"k":"`+s+`"}`, `{"k":["`+s+`"]}`, `[{"`+s+`":null}]`, `{"a":{"`+s+`":{}},"b":[]}`, `["`+s+`\n"]`, `{"k":"é`+s+`"}`)
	}
	for _, n := range []int{31, 32, 33, 64, 65, 1000} {
		var b, same strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `,"key%03d":{"key":%d}`, i, i)
		}
		cases = append(cases, "{"+b.String()[1:]+"}", "{"+b.String()[1:]+`,"key000":1}`, fmt.Sprintf(`{%s,"key%03d":1}`, b.String()[1:], n-1))
		for range n {
			same.WriteString(",{" + b.String()[1:] + "}")
		}
		if n < 40 {
			cases = append(cases, "["+same.String()[1:]+"]")
		}
	}
	// An object with a table of keys inside another one, which goes on afterwards.
	wide := func(n, from int, inside string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `,"k%d":%s`, from+i, inside)
		}
		return b.String()[1:]
	}
	inner := "{" + wide(40, 0, "1") + "}"
	cases = append(cases, "{"+wide(50, 0, "2")+`,"inner":`+inner+`,`+wide(90, 50, inner)+"}", "{"+wide(50, 0, "2")+`,"inner":`+inner+`,`+wide(90, 50, inner)+`,"k60":1}`)
	depths := []int{9999, 10000, 10001}
	if race.Brief() {
		depths = nil // slow there
	}
	for _, n := range depths {
		cases = append(cases,
			strings.Repeat("[", n)+strings.Repeat("]", n),
			strings.Repeat("[", n)+"1"+strings.Repeat("]", n),
			strings.Repeat(`{"a":`, n-1)+"{}"+strings.Repeat("}", n-1),
			strings.Repeat(`[{"a":`, n/2)+"1"+strings.Repeat("}]", n/2),
			strings.Repeat("[", n))
	}
	return cases
}

func TestFromJSON(t *testing.T) {
	for _, s := range shapes(t) {
		t.Run(s.name, func(t *testing.T) {
			checkFromJSON(t, s.text)
			if got, err := AppendFromJSON(nil, s.text); err != nil || !keysInOrder(s.text) && len(got) != len(s.wire) {
				t.Fatal(err, len(got), len(s.wire))
			}
			var indented bytes.Buffer
			if err := json.Indent(&indented, s.text, " ", "\t"); err != nil {
				t.Fatal(err)
			}
			checkFromJSON(t, indented.Bytes())
		})
	}
	for _, text := range textCases() {
		checkFromJSON(t, []byte(text))
	}
}

// Each prefix of a text, and each with one byte changed, gets protojson's verdict.
func TestFromJSONBroken(t *testing.T) {
	text := []byte(`{"a":[1,-2.5e3,"x\n\u00e9",null,true,false,{}],"é":{"b":""}, "c":[[]]}`)
	for i := range text {
		checkFromJSON(t, text[:i])
		for _, c := range []byte("\x00 \"\\,:{}[]0-.en\x80\xff") {
			broken := slices.Clone(text)
			broken[i] = c
			checkFromJSON(t, broken)
		}
	}
}

func TestAppendJSON(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, s := range shapes(t) {
		t.Run(s.name, func(t *testing.T) {
			checkAppendJSON(t, s.wire)
			// In another order, as protojson.Unmarshal and Marshal leave it.
			shuffled, err := proto.Marshal(s.tree)
			if err != nil {
				t.Fatal(err)
			}
			checkAppendJSON(t, shuffled)
		})
	}
	for _, c := range wireCases() {
		t.Run(c.name, func(t *testing.T) { checkAppendJSON(t, c.wire) })
	}
	for n := range 40 {
		m := &structpb.Struct{Fields: map[string]*structpb.Value{}}
		for range n {
			m.Fields[strings.Repeat("prefix", r.IntN(3))+strings.Repeat("\x00",
				r.IntN(3))+corpus.Word(r)[:r.IntN(3)]] = structpb.NewNumberValue(r.Float64())
		}
		wire, err := proto.Marshal(structpb.NewStructValue(m))
		if err != nil {
			t.Fatal(err)
		}
		checkAppendJSON(t, wire)
		// The same entries again, with other values, of which the last ones count.
		wire2 := append(slices.Clone(wire), wire...)
		checkAppendJSON(t, wire2)
	}
}

// Errors say where.
func TestJSONErrors(t *testing.T) {
	deep := JSONOptions{MaxDepth: 3}
	small := JSONOptions{MaxSize: 4}
	for _, c := range []struct {
		text string
		from func(dst, text []byte) ([]byte, error)
		err  error
		want string
	}{
		{`{"a":[1,2,x]}`, AppendFromJSON, ErrSyntax, `value: $.a[2]: line 1, column 11 (byte 10): syntax error: 'x' instead of a value`},
		{"{\n \"a\":{\"b c\":tru}}", AppendFromJSON, ErrSyntax, `value: $.a["b c"]: line 2, column 13 (byte 14): syntax error: 't' instead of a value`},
		{`{"a":[{"b":1},{"b":1e999}]}`, AppendFromJSON, ErrNumber, `value: $.a[1].b: line 1, column 20 (byte 19): number out of range`},
		{`{"x":{"a":1,"\u0061":2}}`, AppendFromJSON, ErrDuplicate, `value: $.x.a: line 1, column 13 (byte 12): duplicate key`},
		{"[\"abc\xff\"]", AppendFromJSON, ErrUTF8, `value: $[0]: line 1, column 6 (byte 5): invalid UTF-8`},
		{`["a\qb"]`, AppendFromJSON, ErrSyntax, `value: $[0]: line 1, column 4 (byte 3): syntax error: invalid escape`},
		{`["abc`, AppendFromJSON, ErrSyntax, `value: $[0]: line 1, column 6 (byte 5): syntax error: the text ends instead of '"'`},
		{``, AppendFromJSON, ErrSyntax, `value: $: line 1, column 1 (byte 0): syntax error: the text ends instead of a value`},
		{`1 x`, AppendFromJSON, ErrSyntax, `value: $: line 1, column 3 (byte 2): syntax error: 'x' instead of the end`},
		{`[1 2]`, AppendFromJSON, ErrSyntax, `value: $[0]: line 1, column 4 (byte 3): syntax error: '2' instead of ',' or ']'`},
		{`[01]`, AppendFromJSON, ErrSyntax, `value: $[0]: line 1, column 3 (byte 2): syntax error: '1' instead of the end of the number`},
		{`[-x]`, AppendFromJSON, ErrSyntax, `value: $[0]: line 1, column 3 (byte 2): syntax error: 'x' instead of a digit`},
		{`{"a":1,}`, AppendFromJSON, ErrSyntax, `value: $: line 1, column 8 (byte 7): syntax error: '}' instead of a key`},
		{`{"a" 1}`, AppendFromJSON, ErrSyntax, `value: $.a: line 1, column 6 (byte 5): syntax error: '1' instead of ':'`},
		{`[]`, AppendStructFromJSON, ErrSyntax, `value: $: line 1, column 1 (byte 0): syntax error: '[' instead of '{'`},
		{`null`, AppendListFromJSON, ErrSyntax, `value: $: line 1, column 1 (byte 0): syntax error: 'n' instead of '['`},
		{`[[1,{"a":2}]]`, deep.AppendFromJSON, ErrDepth, `value: $[0][1].a: line 1, column 10 (byte 9): nested too deeply`},
		{`[1,2]`, small.AppendFromJSON, ErrSize, `value: $: byte 4: too large`},
	} {
		_, err := c.from(nil, []byte(c.text))
		if !errors.Is(err, c.err) || err.Error() != c.want {
			t.Errorf("%q:\n%v, want\n%s", c.text, err, c.want)
		}
	}
	if got, err := deep.AppendFromJSON(nil, []byte(`[[1,{}]]`)); err != nil {
		t.Error(got, err)
	}
	object := func(key string, v []byte) []byte { return field(5, field(1, cat(field(1, key), field(2, v)))) }
	for _, c := range []struct {
		wire []byte
		err  error
		want string
	}{
		{object("a", field(6, field(1, field(2, math.NaN())))), ErrNumber, "value: $.a[0]: byte 14: number out of range"},
		{object("a", nil), ErrUnset, "value: $.a: byte 9: no kind is set"},
		{cat(field(9, 1), object("a", nil)), ErrUnset, "value: $.a: no kind is set"},
		{nil, ErrUnset, "value: $: no kind is set"},
		{object("a", []byte{0x1a}), ErrTruncated, "value: $.a: byte 9: the input ends in the middle of a field"},
	} {
		_, err := AppendJSON(nil, c.wire)
		if !errors.Is(err, c.err) || err.Error() != c.want {
			t.Errorf("%x:\n%v, want\n%s", c.wire, err, c.want)
		}
	}
	if _, err := small.AppendJSON(nil, field(3, "abcd")); !errors.Is(err, ErrSize) {
		t.Error(err)
	}
	if _, err := (JSONOptions{MaxDepth: 4}).AppendJSON(nil, object("a", field(6, ""))); !errors.Is(err, ErrDepth) {
		t.Error(err)
	}
	if _, err := (Doc{}).AppendJSON(nil); !errors.Is(err, ErrAbsent) {
		t.Error(err)
	}
	d, err := Parse(object("a", field(6, field(1, field(2, math.Inf(1))))))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Get("a").AppendJSON(nil); err == nil || err.Error() != "value: $.a[0]: number out of range" {
		t.Error(err)
	}
}

// The Doc of a Struct and a ListValue has the text of the object or list.
func TestDocAppendJSONBare(t *testing.T) {
	s, err := ParseStruct(field(1, cat(field(1, "k"), field(2, field(4, 1)))))
	if err != nil {
		t.Fatal(err)
	}
	l, err := ParseList(field(1, field(4, 1)))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		d    Doc
		want string
	}{{s, `{"k":true}`}, {l, "[true]"}, {s.Get("k"), "true"}} {
		if got, err := c.d.AppendJSON([]byte("x")); err != nil || string(got) != "x"+c.want {
			t.Errorf("%s, %v; want %s", got, err, c.want)
		}
	}
}

// The files of JSONTestSuite get the verdict that protojson gives.
func TestJSONTestSuite(t *testing.T) {
	out, err := exec.Command("go", "env", "GOWORK").Output()
	if err != nil {
		t.Skipf("no go command to find the checkout with: %v", err)
	}
	dir := filepath.Join(filepath.Dir(strings.TrimSpace(string(out))), "..", "shared", "corpora", "JSONTestSuite")
	verdicts, err := os.ReadFile(filepath.Join(dir, "verdicts.jsonl"))
	if err != nil {
		t.Skip("the corpus JSONTestSuite is not beside the repository")
	}
	accepted := 0
	lines := bytes.Split(bytes.TrimSpace(verdicts), []byte{'\n'})
	for _, line := range lines {
		var v struct {
			File    string `json:"file"`
			ValueOK bool   `json:"value_ok"`
		}
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(dir, v.File))
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(v.File), func(t *testing.T) {
			checkFromJSON(t, text)
			wire, err := AppendFromJSON(nil, text)
			if (err == nil) != v.ValueOK {
				t.Fatalf("error %v; the verdict is %t", err, v.ValueOK)
			}
			if err == nil {
				accepted++
				checkAppendJSON(t, wire)
			}
		})
	}
	if accepted == 0 || accepted == len(lines) {
		t.Errorf("%d of %d files are accepted", accepted, len(lines))
	}
}

func TestJSONAllocations(t *testing.T) {
	allocs.NeedExact(t)
	for _, s := range shapes(t) {
		shuffled, err := proto.Marshal(s.tree)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			name string
			in   []byte
			f    func(dst, in []byte) ([]byte, error)
		}{{"AppendFromJSON", s.text, AppendFromJSON}, {"AppendJSON", s.wire, AppendJSON},
			{"AppendJSON unordered", shuffled, AppendJSON}} {
			var out []byte
			fresh := testing.AllocsPerRun(50, func() {
				var err error
				if out, err = c.f(nil, c.in); err != nil {
					t.Fatal(err)
				}
			})
			dst := make([]byte, 0, len(out))
			again := testing.AllocsPerRun(50, func() {
				if _, err := c.f(dst, c.in); err != nil {
					t.Fatal(err)
				}
			})
			// A collection may empty the pools once.
			if fresh != 1 || again != 0 {
				t.Errorf("%s %s: %v allocations, and %v with room", c.name, s.name, fresh, again)
			}
			if n := len(out); cap(out) > n+n/4+64 {
				t.Errorf("%s %s: capacity %d for %d bytes", c.name, s.name, cap(out), n)
			}
		}
	}
}
