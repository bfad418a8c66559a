package jsontext

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/test/race"
)

// compactText writes a value as an encoder does, with the names of objects in the order that
// the given function puts them in.
func compactText(v any, order func(names []string)) string {
	var b strings.Builder
	switch v := v.(type) {
	case map[string]any:
		names := slices.Collect(maps.Keys(v))
		order(names)
		for i, name := range names {
			b.WriteByte("{,"[min(i, 1)])
			b.WriteString(slowQuote(name) + ":" + compactText(v[name], order))
		}
		if len(names) == 0 {
			b.WriteByte('{')
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for i, e := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(compactText(e, order))
		}
		b.WriteByte(']')
	case string:
		b.WriteString(slowQuote(v))
	case nil:
		b.WriteString("null")
	case bool:
		b.WriteString(map[bool]string{true: "true", false: "false"}[v])
	case json.Number:
		b.WriteString(string(v))
	}
	return b.String()
}

func sort16(names []string) {
	slices.SortFunc(names, func(a, b string) int {
		return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
	})
}

// noMinus replaces all zeros below zero, which must not be in strings.
func noMinus(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, e := range v {
			v[name] = noMinus(e)
		}
	case []any:
		for i, e := range v {
			v[i] = noMinus(e)
		}
	case json.Number:
		if v == "-0" {
			return json.Number("0")
		}
	}
	return v
}

// checkLines writes a value in all forms, starting with its members in random order.
func checkLines(t *testing.T, v any, r *rand.Rand) {
	t.Helper()
	in := compactText(v, func(names []string) {
		slices.Sort(names)
		if r.IntN(4) > 0 { // else some objects are nearly sorted
			r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		}
	})
	text := []byte(in)
	for _, indent := range []string{"  ", "\t", strings.Repeat(" ", 70)} {
		var want bytes.Buffer
		want.WriteByte('x')
		if err := json.Indent(&want, text, "", indent); err != nil {
			t.Fatal(err)
		}
		got := AppendIndented([]byte("x"), text, indent)
		if !bytes.Equal(got, want.Bytes()) {
			t.Fatalf("AppendIndented(%s) = %s, want %s", text, got, want.Bytes())
		}
		if back := AppendCompact([]byte("x"), got[1:]); string(back) != "x"+in {
			t.Fatalf("AppendCompact(%s) = %s, want %s", got[1:], back, in)
		}
	}
	got := AppendCanonical([]byte("x"), text)
	want := compactText(noMinus(v), sort16)
	if string(got) != "x"+want || string(text) != in {
		t.Fatalf("AppendCanonical(%s) = %s, want %s", text, got[1:], want)
	}
	if again := AppendCanonical(nil, got[1:]); string(again) != want {
		t.Fatalf("AppendCanonical(%s) = %s", want, again)
	}
}

// parse reads JSON text; numbers keep their text.
func parse(s string) (v any, ok bool) {
	d := json.NewDecoder(strings.NewReader(s))
	d.UseNumber()
	err := d.Decode(&v)
	return v, err == nil
}

var texts = []string{
	`{}`, `[]`, `null`, `-0`, `[-0,0,-0.5,1e-7,-1,10,-10]`, `"a:b,{c}[d]"`, `[[],{},[[]],{"a":{}}]`, `{"b":1,"a":2}`, `{"b":{"d":-0,"c":[{"f":1,"e":{"h":1,"g":[{},[],{"j":"-0","i":-0}]}}]},"a":-0}`,
	`{"é":1,"z":2,"\ue000":3,"😀":4,"\uffff":5,"\ud7ff":6,"":7,"\n":8,"\"":9,"\\":10,"\u0000":11,"\u007f":12,"a\"":13,"a\\":14,"a\n":15,"a":16}`,
	`{"a":{"b":{"c":{"e":1,"d":2}}}}`, `{"c":{"a":1,"b":2},"b":{"b":1,"a":[{"b":1,"a":2},{"a":1,"b":2}]},"a":"x\"y\\"}`, `[{"a":[{"a":[{"a":-0}]}]}]`, `{"a":" \t: , ","b":"\t"}`,
}

func TestLines(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, s := range texts {
		for range race.Rounds(50) {
			v, ok := parse(s)
			if !ok {
				t.Fatal(s)
			}
			checkLines(t, v, r)
		}
	}
	names := []string{"", "a", "b", "ab", "abcdefghij", "abcdefghik", "é", "\"", "\n", "😀", "\ue000", "\uffff", "漢",
		"\x01", "~"}
	var value func(depth int) any
	value = func(depth int) any {
		switch k := r.IntN(8); {
		case k < 3 && depth > 0:
			m := map[string]any{}
			for range r.IntN(6) {
				m[names[r.IntN(len(names))]+names[r.IntN(len(names))]] = value(depth - 1)
			}
			return m
		case k < 5 && depth > 0:
			return slices.Repeat([]any{value(depth - 1), value(depth - 1)}, r.IntN(3))
		case k == 5:
			return names[r.IntN(len(names))] + `,":[]{}-0`
		case k == 6:
			return []any{true, false, nil}[r.IntN(3)]
		}
		return json.Number([]string{"0", "-0", "-0.5", "12", "1e+21", "1e-7"}[r.IntN(6)])
	}
	for range 3000 {
		v, _ := parse(compactText(value(6), sort16)) // so that no two values share memory
		checkLines(t, v, r)
	}
}

func FuzzLines(f *testing.F) {
	for i, s := range texts {
		f.Add(s, uint64(i))
	}
	f.Fuzz(func(t *testing.T, s string, seed uint64) {
		if v, ok := parse(s); ok {
			checkLines(t, v, rand.New(rand.NewPCG(seed, 0)))
		}
	})
}

// TestOfficialLines compares with the official library, whose spaces after names vary.
func TestOfficialLines(t *testing.T) {
	for _, s := range texts {
		var v structpb.Value
		if err := protojson.Unmarshal([]byte(s), &v); err != nil {
			t.Fatal(err)
		}
		for _, indent := range []string{" ", "  ", "\t"} {
			want, err := protojson.MarshalOptions{Multiline: true, Indent: indent}.Marshal(&v)
			if err != nil {
				t.Fatal(err)
			}
			single, err := protojson.Marshal(&v)
			if err != nil {
				t.Fatal(err)
			}
			got := AppendIndented(nil, AppendCompact(nil, single), indent)
			if string(got) != strings.ReplaceAll(string(want), `":  `, `": `) {
				t.Errorf("%s, want %s", got, want)
			}
		}
	}
}

// TestDeepLines checks that depth costs no more than memory in proportion to the text, also
// where sorted and unsorted objects alternate, and that many members take no long time.
func TestDeepLines(t *testing.T) {
	const depth = 100_000
	for _, c := range []struct{ open, close, wantOpen, wantClose string }{
		{`[`, `]`, `[`, `]`},
		{`{"a":`, `}`, `{"a":`, `}`},
		{`{"b":`, `,"a":1}`, `{"a":1,"b":`, `}`},
		{`{"a":{"b":1,"a":`, `},"b":2}`, `{"a":{"a":`, `,"b":1},"b":2}`},
	} {
		in := strings.Repeat(c.open, depth) + "-0" + strings.Repeat(c.close, depth)
		want := strings.Repeat(c.wantOpen, depth) + "0" + strings.Repeat(c.wantClose, depth)
		if got := AppendCanonical(nil, []byte(in)); string(got) != want {
			t.Errorf("%s in depth: wrong", c.open)
		}
	}
	in, want := []byte{'{'}, []byte{'{'}
	for i := range depth {
		in = append(AppendInt(append(in, `"`...), int64(2*depth-i-1)), `":{"b":0,"a":0},`...)
		want = append(AppendInt(append(want, `"`...), int64(depth+i)), `":{"a":0,"b":0},`...)
	}
	in[len(in)-1], want[len(want)-1] = '}', '}'
	if got := AppendCanonical(nil, in); !bytes.Equal(got, want) {
		t.Error("many members: wrong")
	}
}

func BenchmarkLines(b *testing.B) {
	text := []byte(`[` + strings.Repeat(`{"name":"a name of some length","id":1234567,"tags":["one","two","three"],"position":{"x":1.25,"y":-3.5}},`, 50) + `{}]`)
	indented, canonical := AppendIndented(nil, text, "  "), AppendCanonical(nil, text)
	buf := make([]byte, 0, len(indented))
	for _, c := range []struct {
		name string
		run  func() []byte
		want []byte
	}{
		{"Indented", func() []byte { return AppendIndented(buf, text, "  ") }, indented},
		{"Compact", func() []byte { return AppendCompact(buf, indented) }, text},
		{"Canonical", func() []byte { return AppendCanonical(buf, text) }, canonical},
		{"CanonicalAlready", func() []byte { return AppendCanonical(buf, canonical) }, canonical},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if got := c.run(); len(got) != len(c.want) || got[len(got)/2] != c.want[len(got)/2] {
					b.Fatal(string(got))
				}
			}
		})
	}
}
