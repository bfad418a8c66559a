package jsontext

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/protean-pb/protean/internal/test/allocs"
	"github.com/protean-pb/protean/internal/test/race"
)

// slowFloat is AppendFloat without the fast paths.
func slowFloat(f float64) string {
	format := byte('f')
	if abs := math.Abs(f); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		format = 'e'
	}
	s := strconv.FormatFloat(f, format, -1, 64)
	if n := len(s); format == 'e' && s[n-4:n-1] == "e-0" {
		s = s[:n-2] + s[n-1:]
	}
	return s
}

// specialNames are the ProtoJSON of what Go prints for numbers that are not finite.
var specialNames = map[string]string{"NaN": `"NaN"`, "+Inf": `"Infinity"`, "-Inf": `"-Infinity"`}

func checkFloat(t *testing.T, f float64) {
	t.Helper()
	if f-f != 0 {
		if got, want := string(AppendFloat(nil, f)), specialNames[fmt.Sprint(f)]; got != want {
			t.Fatalf("AppendFloat(%v) = %s, want %s", f, got, want)
		}
		return
	}
	want := slowFloat(f)
	room := 1 + int(math.Float64bits(f)%64)
	got := string(AppendFloat(append(make([]byte, 0, room), 'x'), f))
	if got != "x"+want {
		t.Fatalf("AppendFloat(%x) = %s, want %s", math.Float64bits(f), got[1:], want)
	}
	checkNumber(t, want)
}

// checkNumber compares Number with the grammar of encoding/json and with strconv.
func checkNumber(t *testing.T, s string) {
	t.Helper()
	f, end, err := Number([]byte(s), 0)
	valid := s != "" && (s[0] == '-' || s[0]-'0' < 10) && strings.TrimSpace(s) == s && json.Valid([]byte(s))
	if accepted := end == len(s) && err != ErrSyntax; accepted != valid {
		t.Fatalf("Number(%q) ends at %d with error %v; valid JSON: %t", s, end, err, valid)
	}
	if !valid {
		return
	}
	want, wantErr := strconv.ParseFloat(s, 64)
	if (err != nil) != (wantErr != nil) || err == nil && math.Float64bits(f) != math.Float64bits(want) {
		t.Fatalf("Number(%q) = %v, %v; want %v, %v", s, f, err, want, wantErr)
	}
}

func TestFloat(t *testing.T) {
	for _, f := range []float64{
		0, math.Copysign(0, -1), 1, 9, 10, 99, 100, 101, 1e15, 1<<53 - 1, 1 << 53, 1<<53 + 2, 1e20, 1e21, 1e22,
		0.1, 0.5, 0.25, 0.125, 0.3, 1.5, 12.99, 1e-5, 1e-6, 9.999999999999999e-7, 1e-7, 1e-10, 5e-324, math.MaxFloat64,
		math.NaN(), math.Inf(1), 9999.9999, 9999.99995, 10000.5, 0.0001, 0.00009, 1.00001, 1e9 + 0.5,
		52.6081084, 9999999.99999999, 9999999.99999995, 1e7 + 0.5, 0.00000101, 0.00000099, 20480, 1234567.5, 99999999.5,
		4503599627370495.5, 4503599627370497.5, 0.1 + 0.2, 1.0 / 3, math.Pi, 100.001, 123456.789, 0.000001234,
	} {
		for _, g := range []float64{f, -f, math.Nextafter(f, math.Inf(1)), math.Nextafter(f, math.Inf(-1))} {
			checkFloat(t, g)
		}
	}
	for exp := -1074; exp < 1024; exp++ { // the powers of two, below which doubles lie closer
		f := math.Ldexp(1, exp)
		for _, g := range []float64{f, math.Nextafter(f, 0), math.Nextafter(f, math.Inf(1)), f * 3, f * 5} {
			checkFloat(t, g)
		}
	}
	for exp := -323; exp < 309; exp++ { // and those of ten, where the decimals get longer
		f := math.Pow10(exp)
		for range 3 {
			f = math.Nextafter(f, 0)
		}
		for range 6 {
			checkFloat(t, f)
			f = math.Nextafter(f, math.MaxFloat64)
		}
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range race.Rounds(100_000) {
		checkFloat(t, math.Float64frombits(r.Uint64()))
		checkFloat(t, math.Ldexp(1+r.Float64(), r.IntN(80)-24))
		checkFloat(t, float64(r.IntN(1e9))/pow10[r.IntN(12)])
		checkFloat(t, math.Round(r.Float64()*1e6)/1e3)
		checkFloat(t, float64(r.Uint64()%1e15>>r.IntN(50))/1e8)
		checkFloat(t, math.Nextafter(math.Round(r.Float64()*math.Pow10(r.IntN(16)))/1e4, math.Inf(1)))
	}
}

func TestNumber(t *testing.T) {
	for _, s := range []string{
		"", "-", "0", "-0", "00", "01", "-01", "1", "1.", ".1", "1.0", "1.e1", "1e", "1e+", "1e-", "1E5", "1e+5", "1e-5",
		"0e999999999999999999999", "1e999999999999999999999", "1e-999999999999999999999", "-1e400", "1e308", "1.8e308",
		"12345678", "123456789", "1234567890123456789", "12345678901234567890", "0.1234567890123456789", "0.000000000000000000001",
		"9007199254740993", "9007199254740993.0", "1.7976931348623157e308", "2.2250738585072011e-308", "4.9e-324", "2e-324",
		"0.5000000000000001110223024625156540", "1e22", "1e23", "8.5e22", "1+", "1-", "+1", "1x", "0x10", "1_0", " 1", "1 ", "NaN", "Infinity",
		"1234567a", "12345678.1234567b", "12345678.12345678", "9999999999999999999", "99999999999999999999e-10", "0.1e1", "1e0", "1e00005",
		"9007199254740992.5", "9007199254740993.5", "4503599627370496.25", "4503599627370496.75", "18014398509481985e-1", strings.Repeat("9", 400),
		"0." + strings.Repeat("0", 400) + "1", strings.Repeat("1", 30) + "." + strings.Repeat("2", 30) + "e-20",
	} {
		checkNumber(t, s)
		checkNumber(t, "-"+s)
	}
	r := rand.New(rand.NewPCG(5, 6))
	for range 50_000 {
		digits := strconv.FormatUint(r.Uint64()>>r.IntN(64), 10)
		if k := 1 + r.IntN(len(digits)); k < len(digits) {
			digits = digits[:k] + "." + digits[k:]
		}
		if digits[0] != '0' || len(digits) == 1 {
			checkNumber(t, digits)
			checkNumber(t, digits+"e"+strconv.Itoa(r.IntN(60)-30))
		}
	}
}

// Halfway cases, where only the exact rest of a division tells which way to round.
func TestNumberHalfway(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 30_000 {
		m := r.Uint64()>>11 | 1<<52
		exp := r.IntN(12)
		// (2m+1) / 2^(exp+1) has a finite decimal, halfway between two doubles.
		x := 2*m + 1
		s := strconv.FormatFloat(math.Ldexp(float64(m), -exp), 'f', -1, 64)
		checkNumber(t, s)
		if x%5 != 0 && exp == 0 {
			checkNumber(t, strconv.FormatUint(x, 10)+"e-1")
		}
		checkNumber(t, strconv.FormatUint(x/2, 10)+".5")
	}
}

func FuzzFloat(f *testing.F) {
	for _, x := range []float64{0, 0.5, 1e-6, 1e21, 5e-324, math.Pi, 0.3, 1 << 53} {
		f.Add(math.Float64bits(x))
	}
	f.Fuzz(func(t *testing.T, bits uint64) { checkFloat(t, math.Float64frombits(bits)) })
}

func FuzzNumber(f *testing.F) {
	for _, s := range []string{"0", "-0", "1.5", "1e5", "123456789012345678", "0.1", "1e-400", "9007199254740992.5",
		"01", "1."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { checkNumber(t, s) })
}

// slowQuote is AppendString without words: as encoding/json, but for fewer escapes.
func slowQuote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ':
			if k := strings.IndexRune("\b\f\n\r\t", r); k >= 0 {
				b.WriteByte('\\')
				b.WriteByte("bfnrt"[k])
			} else {
				b.WriteString(`\u00`)
				b.WriteByte(hexDigits[r>>4])
				b.WriteByte(hexDigits[r&15])
			}
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func checkString(t *testing.T, s string) {
	t.Helper()
	if !utf8.ValidString(s) {
		return
	}
	want := "x" + slowQuote(s)
	got := AppendString(append(make([]byte, 0, 1+len(s)/2), 'x'), []byte(s))
	if string(got) != want {
		t.Fatalf("AppendString(%q) = %s, want %s", s, got, want)
	}
	back, next, err := Unquote([]byte("y"), append(got, '!'), 1)
	if err != nil || next != len(got) || string(back) != "y"+s {
		t.Fatalf("Unquote(%s) = %q, %d, %v", got, back, next, err)
	}
}

func TestString(t *testing.T) {
	for c := range rune(0x180) {
		for n := range 20 {
			checkString(t, strings.Repeat("a", n)+string(c))
			checkString(t, strings.Repeat("a", n)+string(c)+"b")
			checkString(t, string(c)+strings.Repeat("ü", n))
			checkString(t, strings.Repeat(string(c), n))
		}
	}
	checkString(t, "\u2028𝄞\ufffd\x7f<>&'/")
}

// checkLiteral compares Unquote with encoding/json, which takes wrong surrogates and
// bytes that we do not.
func checkLiteral(t *testing.T, literal string) {
	t.Helper()
	b := []byte(`"` + literal + `"`)
	got, next, err := Unquote(nil, b, 0)
	if next < 1 || next > len(b) || string(b) != `"`+literal+`"` {
		t.Fatalf("%q: goes on at %d, %q", b, next, b)
	}
	ok := err == nil && next == len(b)
	var want string
	valid := json.Unmarshal(b, &want) == nil && utf8.ValidString(literal)
	if valid && strings.ContainsRune(want, utf8.RuneError) {
		// encoding/json replaces halves of pairs; those that are written as such remain.
		rest := strings.ReplaceAll(strings.ReplaceAll(strings.ToLower(literal), "\ufffd", ""), `\\`, "")
		valid = strings.Count(want, "\ufffd") == strings.Count(literal, "\ufffd")+strings.Count(rest, `\ufffd`)
	}
	if ok != valid || ok && string(got) != want {
		t.Fatalf("%q: accepted: %t (%v at %d), valid: %t; %q, want %q", b, ok, err, next, valid, got, want)
	}
}

var literals = []string{
	"", "a", `\`, `\\`, `\"`, `\/`, `\b\f\n\r\t`, `\x`, `\u`, `\u1`, `\u12`, `\u123`, `\u1234`, `\u12g4`, `\u00e9`, `\u00E9`, `\u0000`,
	`\ud834\udd1e`, `\ud834`, `\udd1e`, `\ud834\ud834`, `\ud834x`, `\ud834\n`, `\ud834\u`, `\uD834\uDD1E`, `\udbff\udfff`, `\ud800\udc00`, `\uffff`,
	"\x01", "a\nb", "\x7f", "\xff", "\xed\xa0\x80", "é", "漢字", "𝄞", "\ufffd", `\ufffd`, "aaaaaaa\\n", "aaaaaaaa\\n", "a\"b", `\é`, "\\\xc3", "\\\x01", `\U0041`, `\u+123`, `\u-123`, `\u_123`,
}

func TestLiteral(t *testing.T) {
	for _, s := range literals {
		for n := range 18 {
			checkLiteral(t, strings.Repeat("a", n)+s)
			checkLiteral(t, s+strings.Repeat("a", n))
			checkLiteral(t, strings.Repeat("a", n)+s+s)
		}
	}
}

func FuzzLiteral(f *testing.F) {
	for _, s := range literals {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		checkLiteral(t, s)
		checkString(t, s)
	})
}

func TestUnquoteErrors(t *testing.T) {
	whole := []byte("\"abcdefgh\\n\\\"ijklé\"")
	for n := 1; n < len(whole); n++ {
		if _, _, err := Unquote(nil, whole[:n:n], 0); err == nil {
			t.Errorf("Unquote(%s) has no error", whole[:n])
		}
	}
	for _, c := range []struct {
		s    string
		next int
		err  error
	}{
		{`"`, 1, ErrString}, {`"abcdefghi`, 10, ErrString}, {"\"abc\x00\"", 4, ErrString}, {`"\`, 1, ErrString},
		{`"ab\q"`, 3, ErrEscape}, {`"ab\ud834\u"`, 3, ErrEscape}, {"\"abcdefghé\xed\xa0\x80\"", 11, ErrUTF8},
	} {
		if _, next, err := Unquote(nil, []byte(c.s), 0); next != c.next || err != c.err {
			t.Errorf("Unquote(%q): %d, %v; want %d, %v", c.s, next, err, c.next, c.err)
		}
	}
}

// All starts of letters and of what is none.
func TestLetterSize(t *testing.T) {
	ends := []byte{0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff}
	for start := range 0x8000 {
		for end := range len(ends) * len(ends) {
			b := []byte{0x80 | byte(start>>8), byte(start), ends[end%len(ends)], ends[end/len(ends)]}
			r, want := utf8.DecodeRune(b)
			if r == utf8.RuneError && want == 1 {
				want = 0
			}
			if got := letterSize(binary.LittleEndian.Uint32(b)); got != want {
				t.Fatalf("letterSize(%x) = %d, want %d", b, got, want)
			}
		}
	}
}

func TestAllocations(t *testing.T) {
	allocs.NeedExact(t)
	dst := make([]byte, 0, 256)
	in, compact := []byte(`"abc\n déf \u0041"`), []byte(`{"a":[1,-0.5],"b":"text"}`)
	time, duration := []byte("2006-01-02T15:04:05.123Z"), []byte("-1.5s")
	if n := testing.AllocsPerRun(100, func() {
		AppendFloat(dst, 12.5)
		AppendFloat(dst, math.Pi)
		AppendFloat32(dst, math.Pi)
		AppendInt(dst, math.MinInt64)
		AppendString(dst, in)
		appendText(dst, "déf \n")
		AppendBase64(dst, in)
		AppendTimestamp(dst, 1e9, 1e6)
		AppendDuration(dst, -1e9, -1e6)
		AppendMask(dst, []string{"a_b", "c"})
		AppendIndented(dst, compact, "  ")
		AppendCompact(dst, compact)
		_, _, _ = Unquote(dst, in, 0)
		_, _ = StringEnd(in, 1)
		_, _, _ = Number([]byte("12345.678901234567891234"), 0)
		_, _ = Float([]byte("1.000000059604644775390625"), 32)
		Int([]byte("-1.50e3"), 64)
		StringInt([]byte("123"), 32)
		DecodeBase64(dst[:6], []byte("AAECAwQF"))
		ParseTimestamp(time)
		ParseDuration(duration)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	mask := []byte("aB,c.d,e")
	if n := testing.AllocsPerRun(100, func() { ParseMask(nil, mask) }); n != 2 {
		t.Errorf("%v allocations for a mask, want one for the texts and one for the paths", n)
	}
	if !bytes.Equal(in, []byte(`"abc\n déf \u0041"`)) {
		t.Error("the input has changed")
	}
}
