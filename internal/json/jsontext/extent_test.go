package jsontext

import (
	"strings"
	"testing"
)

// slowExtent is Extent.End byte by byte, for all of a text.
func slowExtent(b string) (end int, ok bool) {
	var open []byte
	inString, escaped := false, false
	for i := range len(b) {
		c := b[i]
		switch {
		case escaped:
			escaped = false
		case inString && c == '\\':
			escaped = true
		case c == '"':
			if i > 0 && len(open) == 0 && !inString {
				return i, true // after a word
			}
			if inString = !inString; !inString && len(open) == 0 {
				return i + 1, true
			}
		case inString:
		case len(open) == 0 && strings.ContainsRune(" \t\r\n,:{}[]", rune(c)) && i > 0:
			return i, true
		case c == '{' || c == '[':
			open = append(open, c+2)
		case c == '}' || c == ']':
			if len(open) == 0 {
				return 1, true
			}
			if open[len(open)-1] != c {
				return i, false
			}
			if open = open[:len(open)-1]; len(open) == 0 {
				return i + 1, true
			}
		case len(open) == 0 && (c == ',' || c == ':'):
			return 1, true
		}
	}
	return -1, true
}

// checkExtent looks for the end in text that comes as a whole, byte by byte, and in pieces.
func checkExtent(t *testing.T, b string) {
	t.Helper()
	if b == "" || strings.ContainsRune(" \t\r\n", rune(b[0])) {
		return
	}
	want, wantOK := slowExtent(b)
	var e Extent
	for _, step := range []int{1, 3, 7, 8, len(b)} {
		e.Reset()
		end, ok, n := -1, true, 0
		for end < 0 && ok && n < len(b) {
			n = min(n+step, len(b))
			end, ok = e.End([]byte(b[:n]))
		}
		if end != want || ok != wantOK {
			t.Fatalf("%q by %d: %d, %t, want %d, %t", b, step, end, ok, want, wantOK)
		}
		if word := !strings.ContainsAny(b[:1], `{["`); end < 0 && e.InWord() != word {
			t.Fatalf("%q by %d: in a word %t", b, step, !word)
		}
		if next := e.open; !ok && e.Bracket() != next[len(next)-1] {
			t.Fatalf("%q: %c", b, e.Bracket())
		}
	}
}

// extents are beginnings of streams, and how long the value is that they begin with.
var extents = []struct {
	text string
	end  int
}{
	{`{}`, 2}, {`[]`, 2}, {`""`, 2}, {`{} {}`, 2}, {`{"a":[1,2,{"b":"c"}]}{`, 21}, {`"a\"b"c`, 6}, {`"a\\"b"`, 5}, {`"\\\""`, 6}, {`"a{[]}"`, 7},
	{`123 4`, 3}, {`123`, -1}, {`true{}`, 4}, {`nul"`, 3}, {`1,2`, 1}, {`,`, 1}, {`:`, 1}, {`]`, 1}, {`}}`, 1}, {`{`, -1}, {`{"`, -1}, {`{"}`, -1}, {`[{"a":"\"}]`, -1},
	{`{"a":"` + strings.Repeat(`\\`, 50) + `"}x`, 108}, {`{"a":"` + strings.Repeat(`y_Y`, 50) + `",y_:Y}x`, 163}, {"\ufeff{}", 3}, {"é\n", 2},
	{"[\"a\nb\"]", 7}, {strings.Repeat("[", 2000) + strings.Repeat("]", 2000) + "]", 4000},
}

func TestExtent(t *testing.T) {
	for _, x := range extents {
		if end, ok := new(Extent).End([]byte(x.text)); end != x.end || !ok {
			t.Errorf("%.100q: %d, %t, want %d", x.text, end, ok, x.end)
		}
		for n := range min(len(x.text), 200) {
			checkExtent(t, x.text[:n+1])
		}
	}
	for _, text := range []string{`{]`, `[}`, `{"a":[1}`, `[[{"b":"}"}}`} {
		if end, ok := new(Extent).End([]byte(text)); end != len(text)-1 || ok {
			t.Errorf("%s: %d, %t", text, end, ok)
		}
		checkExtent(t, text)
	}
}

func FuzzExtent(f *testing.F) {
	for _, x := range extents {
		f.Add(x.text)
	}
	f.Fuzz(checkExtent)
}

func BenchmarkExtent(b *testing.B) {
	for name, text := range map[string]string{
		"event":   `{"id":"evt_1","timestamp":"1771999992000","eventType":"user.login","actor":{"id":"usr_42","email":"ann@example.com","verified":true},"tags":["web","eu","beta"]}`,
		"numbers": "[" + strings.Repeat("123456.789,", 1000) + "1]",
		"text":    `"` + strings.Repeat("some text ", 1000) + `"`,
		"escapes": `"` + strings.Repeat(`\"`, 1000) + `"`,
	} {
		b.Run("of="+name, func(b *testing.B) {
			var e Extent
			in := []byte(text)
			b.SetBytes(int64(len(in)))
			b.ReportAllocs()
			for b.Loop() {
				e.Reset()
				if end, ok := e.End(in); end != len(in) || !ok {
					b.Fatal(end, ok)
				}
			}
		})
	}
}
