package jsontext

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/protean-pb/protean/internal/test/race"
)

// same reports whether two results agree: both failed, or equal values.
func same[T comparable](x T, xOK bool, y T, yOK bool) bool { return xOK == yOK && (!xOK || x == y) }

// official reads the text as a wrapper message the way the official library does.
func official[M proto.Message](m M, s string) (M, bool) {
	err := protojson.Unmarshal([]byte(s), m)
	return m, err == nil
}

// token calls f with the number that s is, with white space after it or without.
func token[T any](s string, f func(b []byte) (T, bool)) (x T, ok bool) {
	b := []byte(s)
	end := NumberEnd(b, 0)
	if end < 0 || strings.Trim(s[end:], " \n\r\t") != "" {
		return x, false
	}
	return f(b[:end])
}

// float is what a float is compared by: also the sign of zero.
func float(f float64, ok bool) (uint64, bool) { return math.Float64bits(f), ok }

// checkToken compares all that reads numbers with the official library, s as a JSON value.
func checkToken(t *testing.T, s string) {
	t.Helper()
	if s == "" || s[0] != '-' && s[0]-'0' > 9 || tooLarge(s) {
		return
	}
	i32, i32OK := official(&wrapperspb.Int32Value{}, s)
	if x, ok := token(s, func(b []byte) (int64, bool) { return Int(b, 32) }); !same(x, ok, int64(i32.Value), i32OK) {
		t.Fatalf("Int(%q, 32) = %d, %t; want %d, %t", s, x, ok, i32.Value, i32OK)
	}
	i64, i64OK := official(&wrapperspb.Int64Value{}, s)
	if x, ok := token(s, func(b []byte) (int64, bool) { return Int(b, 64) }); !same(x, ok, i64.Value, i64OK) {
		t.Fatalf("Int(%q, 64) = %d, %t; want %d, %t", s, x, ok, i64.Value, i64OK)
	}
	u32, u32OK := official(&wrapperspb.UInt32Value{}, s)
	if x, ok := token(s, func(b []byte) (uint64, bool) { return Uint(b, 32) }); !same(x, ok, uint64(u32.Value), u32OK) {
		t.Fatalf("Uint(%q, 32) = %d, %t; want %d, %t", s, x, ok, u32.Value, u32OK)
	}
	u64, u64OK := official(&wrapperspb.UInt64Value{}, s)
	if x, ok := token(s, func(b []byte) (uint64, bool) { return Uint(b, 64) }); !same(x, ok, u64.Value, u64OK) {
		t.Fatalf("Uint(%q, 64) = %d, %t; want %d, %t", s, x, ok, u64.Value, u64OK)
	}
	f64, f64OK := official(&wrapperspb.DoubleValue{}, s)
	if x, ok := token(s, func(b []byte) (uint64, bool) { return float(Float(b, 64)) }); !same(x, ok,
		math.Float64bits(f64.Value), f64OK) {
		t.Fatalf("Float(%q, 64) = %x, %t; want %v, %t", s, x, ok, f64.Value, f64OK)
	}
	f32, f32OK := official(&wrapperspb.FloatValue{}, s)
	if x, ok := token(s, func(b []byte) (uint64, bool) { return float(Float(b, 32)) }); !same(x, ok,
		math.Float64bits(float64(f32.Value)), f32OK) {
		t.Fatalf("Float(%q, 32) = %x, %t; want %v, %t", s, x, ok, f32.Value, f32OK)
	}
	checkSkipped(t, s)
	checkQuick(t, s)
}

// checkSkipped compares NumberEnd with the official library where a value is not looked at.
func checkSkipped(t *testing.T, s string) {
	t.Helper()
	text := `{"x":` + s + `}`
	want := protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal([]byte(text), &emptypb.Empty{}) == nil
	end := NumberEnd([]byte(text), 5)
	if got := end >= 0 && strings.Trim(text[end:], " \n\r\t") == "}"; got != want {
		// More than a number and the bracket may follow.
		if end < 0 || !strings.ContainsAny(s, ",}") {
			t.Fatalf("NumberEnd(%q, 5) = %d; accepted: %t", text, end, want)
		}
	}
}

// checkQuick checks that what reads a number in place finds nothing that the other does
// not, and that it finds what is written the usual way.
func checkQuick(t *testing.T, s string) {
	t.Helper()
	for _, ahead := range []string{"", "[", `{"abcdefgh":`} {
		for _, after := range []string{"", ",", " ]", "}abcdefghi", "5", ".", "e", ",1234567890"} {
			checkPlace(t, []byte(ahead+s+after), len(ahead))
		}
	}
}

func checkPlace(t *testing.T, b []byte, i int) {
	t.Helper()
	end := NumberEnd(b, i)
	var usual, negative bool
	if end > 0 {
		negative = b[i] == '-'
		digits := strings.TrimPrefix(string(b[i:end]), "-")
		usual = len(digits) <= 18 && strings.Trim(digits, "0123456789") == ""
	}
	if x, got, ok := IntIn(b, i); ok != usual {
		t.Fatalf("IntIn(%q, %d): ok %t", b, i, ok)
	} else if want, wantOK := intAt(b, i, end); ok && (got != end || !wantOK || x != want) {
		t.Fatalf("IntIn(%q, %d) = %d, %d; want %d, %d", b, i, x, got, want, end)
	}
	if x, got, ok := UintIn(b, i); ok != (usual && !negative) {
		t.Fatalf("UintIn(%q, %d): ok %t", b, i, ok)
	} else if want, wantOK := intAt(b, i, end); ok && (got != end || !wantOK || int64(x) != want) {
		t.Fatalf("UintIn(%q, %d) = %d, %d; want %d, %d", b, i, x, got, want, end)
	}
	for _, bits := range []int{32, 64} {
		f, got, ok := FloatIn(b, i, bits)
		want, wantOK := 0.0, false
		if end > 0 {
			want, wantOK = Float(b[i:end], bits)
		}
		if ok != wantOK || ok && (got != end || math.Float64bits(f) != math.Float64bits(want)) {
			t.Fatalf("FloatIn(%q, %d, %d) = %v, %d, %t; want %v, %d, %t", b, i, bits, f, got, ok, want, end, wantOK)
		}
	}
}

func intAt(b []byte, i, end int) (int64, bool) {
	if end < 0 {
		return 0, false
	}
	return Int(b[i:end], 64)
}

// numbers are texts that are numbers, or nearly.
var numbers = []string{
	"0", "-0", "00", "01", "-", "--1", "1", "12", "1e", "1e ", "1e+", "1e+ ", "1e-\n", "0e", "0e ", "0e+ ", "0e- ", "1E5", "1E+5", "1e-5", "1e05", "1e+005", "100e-2", "100e-3", "-1e2",
	"1.", "1. ", "1.0", "1.50e1", "1.50e0", "1.5e", "1.5e ", "1.5e2", "0.00001e5", "0.00001e4", "0.0", "-0.0", "-0.0e5", "0e99999999999", "0.0e-99999999999", "1e99999999999", "1e-99999999999",
	"2147483647", "2147483648", "-2147483648", "-2147483649", "4294967295", "4294967296", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
	"18446744073709551615", "18446744073709551616", "99999999999999999999", "184467440737095516150e-1", "1844674407370955161500000e-5", "1e19", "1e20", "1e18", "0.1e20", "0.01e21", "10e19", "1e2147483647", "1e2147483648", "1e-2147483648",
	"123456789012345678", "1234567890123456789", "12345678", "1234567", "123456789", "1234567890123456", "1x", "1_", "1:", "1\"", "1/", "1\x00", "1é", "1.5.5", "1+", "1-", "-x", "-é", "1.e5", "1.x", "0x10",
	"16777217", "16777217.0000001", "3.4028235e38", "3.4028235677973366e38", "3.40282356779733e38", "3.4028236e38", "-3.5e38", "1e39", "1e308", "1e309", "1e-45", "7.006492321624085e-46", "7.0064923216240855e-46", "1.1754943508222875e-38", "1e-400", "-1e-400",
	"0.1", "0.3", "1.00000005960464477539", "1.000000059604644775390625", "1.00000005960464477539062500000000001", "8388608.5", "8388609.5", "8388609.4999999999999999999",
}

func TestToken(t *testing.T) {
	for _, s := range numbers {
		checkToken(t, s)
		checkToken(t, "-"+s)
		checkToken(t, s+" ")
		checkToken(t, s+" ]")
	}
	for length := range race.Rounds(30) {
		for exp := -30; exp < 30; exp++ {
			checkToken(t, "1"+strings.Repeat("0", length)+"e"+strconv.Itoa(exp))
			checkToken(t, "1."+strings.Repeat("0", length)+"7e"+strconv.Itoa(exp))
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range race.Rounds(2000) {
		x := r.Uint64() >> r.IntN(64)
		checkToken(t, strconv.FormatUint(x, 10))
		checkToken(t, fmt.Sprintf("%de%d", x, r.IntN(30)-15))
		checkToken(t, fmt.Sprintf("-%d.%de%d", r.IntN(100), x, r.IntN(30)-5))
		// Decimals next to the middle of two float32.
		f := float64(math.Float32frombits(r.Uint32()))
		if middle := math.Float64frombits(math.Float64bits(f) | 1<<28); middle-middle == 0 {
			s := strconv.FormatFloat(middle, 'e', -1+r.IntN(40), 64)
			checkToken(t, s)
			checkToken(t, strconv.FormatFloat(math.Nextafter(middle, math.Inf(r.IntN(2)*2-1)), 'e', -1, 64))
		}
	}
}

// tooLarge tells the numbers for which the official library needs gigabytes, because a sum
// overflows, where an int has 32 bits.
func tooLarge(s string) bool { return strconv.IntSize == 32 && strings.Contains(s, "21474836") }

// TestNumberEnd has what only the end of the text tells apart.
func TestNumberEnd(t *testing.T) {
	for _, c := range []struct {
		s   string
		end int
	}{{"1e+", -1}, {"1e+ ", 3}, {"1e", -1}, {"1e,", 2}, {"1.", -1}, {"-", -1}, {"", -1}, {"1.5E-7", 6}} {
		if got := NumberEnd([]byte(c.s), 0); got != c.end {
			t.Errorf("NumberEnd(%q) = %d, want %d", c.s, got, c.end)
		}
	}
	if x, ok := Int([]byte("1e2147483647"), 64); ok {
		t.Errorf("a number without end is %d", x)
	}
	for c := range 256 {
		b := []byte{byte(c)}
		if want := !regexp.MustCompile(`[-+._a-zA-Z0-9]`).Match(b); EndsAt(b, 0) != want || !EndsAt(b, 1) {
			t.Errorf("EndsAt(%q): %t", b, !want)
		}
	}
}

// TestTokenBytes puts every byte before, into and after numbers.
func TestTokenBytes(t *testing.T) {
	for c := range 256 {
		for _, s := range []string{"%s", "%s1", "1%s", "-%s1", "1%s2", "12345678%s", "123%s45678", "1.5%s", "1e5%s",
			"1e%s5", "1.%s5"} {
			checkToken(t, fmt.Sprintf(s, string([]byte{byte(c)})))
		}
	}
}

func FuzzToken(f *testing.F) {
	for _, s := range numbers {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { checkToken(t, s) })
}

// BenchmarkIntIn reads numbers of up to so many digits, one after the other.
func BenchmarkIntIn(b *testing.B) {
	for _, digits := range []int{1, 2, 5, 10, 18} {
		xs := integersOf(digits)
		var in []byte
		for _, x := range xs {
			in = append(strconv.AppendInt(in, x, 10), ',')
		}
		in = append(bytes.TrimSuffix(in, []byte(",")), ']')
		b.Run("digits="+strconv.Itoa(digits), func(b *testing.B) {
			b.ReportAllocs()
			i, k := 0, 0
			for b.Loop() {
				x, end, ok := IntIn(in, i)
				if !ok || x != xs[k] {
					b.Fatalf("number %d at %d: %d", k, i, x)
				}
				if i, k = end+1, k+1; k == len(xs) {
					i, k = 0, 0
				}
			}
		})
	}
}

func BenchmarkFloatIn(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, bits := range []int{32, 64} {
		xs := make([]float64, 1024)
		var in []byte
		for i := range xs {
			xs[i] = r.Float64() * 1000
			if bits == 32 {
				xs[i] = float64(float32(xs[i]))
			}
			in = append(strconv.AppendFloat(in, xs[i], 'f', -1, bits), ',')
		}
		b.Run(strconv.Itoa(bits), func(b *testing.B) {
			b.ReportAllocs()
			i, k := 0, 0
			for b.Loop() {
				x, end, ok := FloatIn(in, i, bits)
				if !ok || x != xs[k] {
					b.Fatalf("number %d at %d: %v", k, i, x)
				}
				if i, k = end+1, k+1; k == len(xs) {
					i, k = 0, 0
				}
			}
		})
	}
}
