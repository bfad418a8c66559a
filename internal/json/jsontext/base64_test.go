package jsontext

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"google.golang.org/protobuf/types/known/wrapperspb"
)

// checkDecode compares DecodeBase64 with the official library.
func checkDecode(t *testing.T, s string) {
	t.Helper()
	if !utf8.ValidString(s) {
		return
	}
	want, wantOK := official(&wrapperspb.BytesValue{}, slowQuote(s))
	in, dst := []byte(s), bytes.Repeat([]byte{'x'}, DecodedLen(len(s))+3)
	n, ok := DecodeBase64(dst[:DecodedLen(len(s)):DecodedLen(len(s))], in)
	if ok != wantOK || ok && string(dst[:n]) != string(want.Value) {
		t.Fatalf("DecodeBase64(%q) = %x, %t; want %x, %t", s, dst[:n], ok, want.Value, wantOK)
	}
	if string(in) != s || string(dst[len(dst)-3:]) != "xxx" {
		t.Fatalf("DecodeBase64(%q) writes where it must not", s)
	}
}

func checkBase64(t *testing.T, b []byte) {
	t.Helper()
	want := base64.StdEncoding.EncodeToString(b)
	for _, room := range []int{1, 1 + len(want), 100} {
		got := AppendBase64(append(make([]byte, 0, room), 'x'), b)
		if string(got) != "x"+want {
			t.Fatalf("AppendBase64(%x) = %s, want %s", b, got, want)
		}
	}
	for _, e := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding,
		base64.RawURLEncoding} {
		checkDecode(t, e.EncodeToString(b))
	}
}

var base64Texts = []string{
	"", "=", "==", "===", "====", "A", "AA", "AA=", "AA==", "AAA", "AAA=", "AAAA", "AAAA=", "AAAA====", "A===", "AA=A", "A=AA", "=AAA", "AAAAA", "AAAAAA==", "AAAA==AA", "AA==AAAA",
	"//8", "__8", "//8=", "_-8=", "_/8=", "+-==", "/w==", "_w", "-w==", "AB==", "AAB=", "AAB", "AB", "A\n==", "AA\n==", "AA=\n=", "AA==\n", "AA\r\n", "\nAAAA", "AAAA\n", "AA\nAA", "\n\n\n\n", "AA\n\n", "\r", "AAA\r",
	"A A=", "AAAA AA==", "é", "éé", "AAAé", "AAA\u00ff", "A.AA", "\x00AAA", "-\n\n\n", "_AAAAAA\n", "\nAA=AA==", "AAA\n=", "AAAA\n===", "AA\n=A", "AAAA-", "AAAA/AA_", "AAAAAAA+",
}

func TestBase64(t *testing.T) {
	for _, s := range base64Texts {
		for n := range 10 {
			checkDecode(t, strings.Repeat("A", n)+s)
			checkDecode(t, s+strings.Repeat("A", n))
		}
		checkDecode(t, "AA_A"+s)
		checkDecode(t, s+"A/A/")
	}
	for c := range rune(256) {
		for n := range 13 {
			checkDecode(t, strings.Repeat("A", n)+string(c)+strings.Repeat("A", 12-n))
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 100 {
		b := make([]byte, n)
		for range 50 {
			for i := range b {
				b[i] = byte(r.Uint32())
			}
			checkBase64(t, b)
		}
		checkBase64(t, bytes.Repeat([]byte{0xff}, n))
	}
}

func FuzzBase64(f *testing.F) {
	for _, s := range base64Texts {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		checkDecode(t, s)
		checkBase64(t, []byte(s))
	})
}

func BenchmarkBase64(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{8, 32, 300} {
		data := make([]byte, n)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		s := base64.StdEncoding.AppendEncode(nil, data)
		buf := make([]byte, 0, len(s))
		for _, side := range []struct {
			name string
			app  func(dst, b []byte) []byte
		}{{"text", AppendBase64}, {"encoding", base64.StdEncoding.AppendEncode}} {
			b.Run(fmt.Sprintf("%d/append/%s", n, side.name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if got := side.app(buf, data); len(got) != len(s) || got[0] != s[0] {
						b.Fatalf("%s, want %s", got, s)
					}
				}
			})
		}
		standard := func(dst, s []byte) (int, bool) {
			n, err := base64.StdEncoding.Decode(dst, s)
			return n, err == nil
		}
		dst := make([]byte, len(s))
		for _, side := range []struct {
			name   string
			decode func(dst, s []byte) (int, bool)
		}{{"text", DecodeBase64}, {"encoding", standard}} {
			b.Run(fmt.Sprintf("%d/decode/%s", n, side.name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if got, ok := side.decode(dst, s); !ok || got != n || dst[0] != data[0] {
						b.Fatalf("%x, want %x", dst, data)
					}
				}
			})
		}
	}
}
