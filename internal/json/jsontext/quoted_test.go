package jsontext

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"google.golang.org/protobuf/types/known/wrapperspb"
)

// checkQuoted compares what reads numbers in strings with the official library.
func checkQuoted(t *testing.T, s string) {
	t.Helper()
	if !utf8.ValidString(s) || tooLarge(s) {
		return
	}
	b := []byte(s)
	literal := slowQuote(s)
	i32, wantOK := official(&wrapperspb.Int32Value{}, literal)
	if x, ok := StringInt(b, 32); !same(x, ok, int64(i32.Value), wantOK) {
		t.Fatalf("StringInt(%q, 32) = %d, %t; want %d, %t", s, x, ok, i32.Value, wantOK)
	}
	i64, wantOK := official(&wrapperspb.Int64Value{}, literal)
	if x, ok := StringInt(b, 64); !same(x, ok, i64.Value, wantOK) {
		t.Fatalf("StringInt(%q, 64) = %d, %t; want %d, %t", s, x, ok, i64.Value, wantOK)
	}
	u32, wantOK := official(&wrapperspb.UInt32Value{}, literal)
	if x, ok := StringUint(b, 32); !same(x, ok, uint64(u32.Value), wantOK) {
		t.Fatalf("StringUint(%q, 32) = %d, %t; want %d, %t", s, x, ok, u32.Value, wantOK)
	}
	u64, wantOK := official(&wrapperspb.UInt64Value{}, literal)
	if x, ok := StringUint(b, 64); !same(x, ok, u64.Value, wantOK) {
		t.Fatalf("StringUint(%q, 64) = %d, %t; want %d, %t", s, x, ok, u64.Value, wantOK)
	}
	f64, wantOK := official(&wrapperspb.DoubleValue{}, literal)
	if x, ok := float(StringFloat(b, 64)); !same(x, ok, math.Float64bits(f64.Value), wantOK) {
		t.Fatalf("StringFloat(%q, 64) = %x, %t; want %v, %t", s, x, ok, f64.Value, wantOK)
	}
	f32, wantOK := official(&wrapperspb.FloatValue{}, literal)
	if x, ok := StringFloat(b, 32); !same(math.Float32bits(float32(x)), ok, math.Float32bits(f32.Value), wantOK) {
		t.Fatalf("StringFloat(%q, 32) = %v, %t; want %v, %t", s, x, ok, f32.Value, wantOK)
	}
}

func TestQuoted(t *testing.T) {
	words := []string{"", " ", "NaN", "nan", "+Infinity", "Infinity", "-Infinity", "-NaN", "Inf", "infinity", "+1",
		"null", "true", "[", "]", "{", ",", "\"1\"", "[1]", "1,", "1 2", "1]"}
	for _, s := range append(words, numbers...) {
		checkQuoted(t, s)
		checkQuoted(t, "-"+s)
		for _, space := range []string{" ", "\n", "\t\t", "\v", "\f", "\u0085", "\u00a0", "\u2003", "\x00", "\ufeff"} {
			checkQuoted(t, s+space)
			checkQuoted(t, space+s)
		}
		for n := range 10 {
			checkQuoted(t, s+strings.Repeat("0", n))
		}
	}
}

func FuzzQuoted(f *testing.F) {
	for _, s := range numbers {
		f.Add(s)
	}
	f.Add("NaN")
	f.Add("-Infinity")
	f.Fuzz(func(t *testing.T, s string) { checkQuoted(t, s) })
}
