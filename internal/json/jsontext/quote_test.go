package jsontext

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
	"unsafe"

	"github.com/protean-pb/protean/internal/utf"
	"github.com/protean-pb/protean/internal/xunsafe"
)

// appendText appends s as a JSON string with its quotes, if it is UTF-8, as package jsonencode
// writes one.
func appendText(dst []byte, s string) (out []byte, ok bool) {
	dst = slices.Grow(dst, len(s)+2)
	// Sound: there is room for s and two quotes.
	if PutText(unsafe.Add(unsafe.Pointer(unsafe.SliceData(dst)), len(dst)), s) || IsPlain(s) {
		return dst[:len(dst)+len(s)+2], true
	}
	if !utf.Valid(xunsafe.Bytes(s)) {
		return dst, false
	}
	return AppendString(dst, xunsafe.Bytes(s)), true
}

func checkText(t *testing.T, s string) {
	t.Helper()
	for _, room := range []int{1, 1 + len(s), 64} {
		got, ok := appendText(append(make([]byte, 0, room), 'x'), s)
		if ok != utf8.ValidString(s) {
			t.Fatalf("appendText(%q): %t", s, ok)
		}
		if ok && string(got) != "x"+slowQuote(s) {
			t.Fatalf("appendText(%q) = %s, want %s", s, got, slowQuote(s))
		}
		if !ok && string(got) != "x" {
			t.Fatalf("appendText(%q) fails with %q", s, got)
		}
	}
}

func TestText(t *testing.T) {
	for c := range 256 {
		for n := range 70 {
			for _, at := range []int{0, n / 2, n - 1, n - 8, n - 9} {
				if at >= 0 && at < n {
					checkText(t, strings.Repeat("a", at)+string([]byte{byte(c)})+strings.Repeat("b", n-at-1))
				}
			}
		}
	}
	for n := range 70 {
		for _, s := range []string{"", "é", "漢", "𝄞", "\xc3", "\xed\xa0\x80", "é\"", "\"\xff"} {
			checkText(t, strings.Repeat("a", n)+s)
			checkText(t, s+strings.Repeat("a", n))
		}
	}
}

// slowEnd is StringEnd without words.
func slowEnd(b []byte, i int) (end int, plain bool) {
	for plain = true; i < len(b); i++ {
		switch c := b[i]; {
		case c == '"':
			return i, plain
		case c < ' ':
			return -1, false
		case c == '\\':
			plain = false
			i++
		case c >= 0x80:
			plain = false
		}
	}
	return -1, false
}

func checkEnd(t *testing.T, b []byte, i int) {
	t.Helper()
	end, plain := StringEnd(b, i)
	want, wantPlain := slowEnd(b, i)
	if end != want || plain != wantPlain {
		t.Fatalf("StringEnd(%q, %d) = %d, %t; want %d, %t", b, i, end, plain, want, wantPlain)
	}
}

func TestStringEnd(t *testing.T) {
	for c := range 256 {
		for n := range 30 {
			for at := range n + 1 {
				s := strings.Repeat("a", at) + string([]byte{byte(c)}) + strings.Repeat("b", n-at)
				checkEnd(t, []byte(s+`"`), 0)
				checkEnd(t, []byte(s+`"é`), at/2)
				checkEnd(t, []byte("12345678"+s+`","bcd\\\""`), 8)
				checkEnd(t, []byte(s), 0)
			}
		}
	}
}

func FuzzStringEnd(f *testing.F) {
	for _, s := range literals {
		f.Add([]byte(s+`"`), 0)
	}
	f.Fuzz(func(t *testing.T, b []byte, i int) {
		if i >= 0 && i <= len(b) {
			checkEnd(t, b, i)
		}
		checkText(t, string(b))
	})
}

var lengths = []int{3, 8, 15, 30, 100}

func BenchmarkText(b *testing.B) {
	for _, n := range lengths {
		s := strings.Repeat("a text of words ", 10)[:n]
		buf, want := make([]byte, 0, 256), slowQuote(s)
		b.Run(fmt.Sprintf("%d/PutText", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if got, ok := appendText(buf, s); !ok || len(got) != len(want) {
					b.Fatal(string(got))
				}
			}
		})
		b.Run(fmt.Sprintf("%d/AppendString+Valid", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if got, ok := AppendString(buf, xunsafe.Bytes(s)), utf.Valid(xunsafe.Bytes(s)); !ok ||
					len(got) != len(want) {
					b.Fatal(string(got))
				}
			}
		})
	}
}

func BenchmarkStringEnd(b *testing.B) {
	for _, n := range lengths {
		s := []byte(strings.Repeat("a text of words ", 10)[:n] + `","name":"value"`)
		b.Run(fmt.Sprintf("%d/StringEnd", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if end, plain := StringEnd(s, 0); end != n || !plain {
					b.Fatal(end)
				}
			}
		})
		b.Run(fmt.Sprintf("%d/IndexByte", n), func(b *testing.B) { // does less
			b.ReportAllocs()
			for b.Loop() {
				if bytes.IndexByte(s, '"') != n {
					b.Fatal(s)
				}
			}
		})
	}
}
