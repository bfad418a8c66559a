package utf

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/protean-pb/protean/internal/test/race"
)

func check(t *testing.T, b []byte) {
	t.Helper()
	if got, want := Valid(b), utf8.Valid(b); got != want {
		t.Fatalf("%x: %v, want %v", b, got, want)
	}
}

// TestValid puts all starts of characters at all places in a word and across two.
func TestValid(t *testing.T) {
	second := []byte{0x80, 0xc0, 0x00, 0x7f, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xff}
	for first := 0x70; first <= 0xff; first++ {
		for _, s := range second[:race.Rounds(len(second))] {
			for _, rest := range []string{"", "\x80", "\x80\x80", "\xbf\xbf", "\x80\x80\x80", "\x80a", "a"} {
				for before := range 17 {
					for _, after := range []int{0, 1, 3, 8} {
						b := append(bytes.Repeat([]byte("a"), before), byte(first), s)
						check(t, append(append(b, rest...), strings.Repeat("z", after)...))
					}
				}
			}
		}
	}
	for r := rune(0); r <= utf8.MaxRune; r += 7 {
		check(t, []byte("aé"+string(r)+"漢"+string(r)+"𝄞 and on"))
	}
}

func FuzzValid(f *testing.F) {
	f.Add([]byte("naïve 漢字 𝄞 हिन्दी עברית"))
	f.Add([]byte("\xed\xa0\x80\xed\xb0\x80 and more"))
	f.Fuzz(func(t *testing.T, b []byte) {
		for i := range min(len(b), 9) {
			check(t, b[i:])
			check(t, b[:len(b)-i])
		}
	})
}

func BenchmarkValid(b *testing.B) {
	for name, text := range map[string]string{
		"ascii": strings.Repeat("all of it is ASCII; ", 10),
		"mixed": strings.Repeat("naïve words 漢字 and 𝄞 some; ", 10),
		"hindi": strings.Repeat("हिन्दी ", 10),
	} {
		for _, f := range []struct {
			name  string
			valid func([]byte) bool
		}{{"standard", utf8.Valid}, {"protean", Valid}} {
			b.Run(name+"/"+f.name, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				in := []byte(text)
				for b.Loop() {
					if !f.valid(in) {
						b.Fatal("not valid")
					}
				}
			})
		}
	}
}
