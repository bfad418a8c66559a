package jsontext

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/protean-pb/protean/internal/test/race"
)

// officialText returns how the official library writes a message that it writes as a string.
func officialText(m proto.Message) (s string, ok bool) {
	b, err := protojson.Marshal(m)
	if err != nil {
		return "", false
	}
	return strings.Trim(string(b), `"`), true
}

// checkAppend compares what app appends with what is wanted.
func checkAppend(t *testing.T, app func(dst []byte) ([]byte, bool), want string, wantOK bool) {
	t.Helper()
	for _, room := range []int{1, 30, 64} {
		got, ok := app(append(make([]byte, 0, room), 'x'))
		if ok != wantOK || ok && string(got) != "x"+want || !ok && string(got) != "x" {
			t.Fatalf("got %s, %t; want %s, %t", got[1:], ok, want, wantOK)
		}
	}
}

// checkTime writes both messages and reads them back.
func checkTime(t *testing.T, seconds int64, nanos int32) {
	t.Helper()
	want, wantOK := officialText(&timestamppb.Timestamp{Seconds: seconds, Nanos: nanos})
	checkAppend(t, func(dst []byte) ([]byte, bool) { return AppendTimestamp(dst, seconds, nanos) }, want, wantOK)
	if s, n, ok := ParseTimestamp([]byte(want)); ok != wantOK || ok && (s != seconds || n != nanos) {
		t.Fatalf("ParseTimestamp(%q) = %d, %d, %t", want, s, n, ok)
	}
	if s, ok := parseWhole(append([]byte(want), make([]byte, 19)...)); ok != wantOK || ok && s != seconds {
		t.Fatalf("parseWhole(%q) = %d, %t", want, s, ok)
	}
	want, wantOK = officialText(&durationpb.Duration{Seconds: seconds, Nanos: nanos})
	checkAppend(t, func(dst []byte) ([]byte, bool) { return AppendDuration(dst, seconds, nanos) }, want, wantOK)
	if s, n, ok := ParseDuration([]byte(want)); ok != wantOK || ok && (s != seconds || n != nanos) {
		t.Fatalf("ParseDuration(%q) = %d, %d, %t", want, s, n, ok)
	}
}

func TestTime(t *testing.T) {
	nanos := []int32{0, 1, 9, 10, 100, 1000, 999000, 1e6, 1e7, 1e8, 123e6, 123456000, 123456789, 5e8, 999999999, 1e9,
		-1, -999999999, -1e9, math.MaxInt32, math.MinInt32}
	for _, s := range []int64{0, 1, 59, 86399, 86400, minTimestamp, maxTimestamp, maxDuration, math.MaxInt64, 1 << 40} {
		for _, x := range []int64{s - 1, s, s + 1, -s - 1, -s, -s + 1} {
			for _, n := range nanos {
				checkTime(t, x, n)
				checkTime(t, x, -n)
			}
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		checkTime(t, r.Int64N(maxTimestamp-minTimestamp)+minTimestamp, r.Int32N(1e9))
		checkTime(t, r.Int64N(2*maxDuration)-maxDuration, (r.Int32N(2e3)-1e3)*1e6)
		checkTime(t, r.Int64N(4e9), r.Int32N(1e6)*1000)
	}
}

// TestDays writes and reads every day that a Timestamp can have.
func TestDays(t *testing.T) {
	if race.Brief() {
		t.Skip("so many days take long; TestTime reads and writes some")
	}
	at := time.Unix(minTimestamp, 0).UTC()
	var buf, want []byte
	for ; at.Year() < 10000; at = at.Add(day * time.Second) {
		want = at.AppendFormat(want[:0], time.RFC3339)
		buf, _ = AppendTimestamp(buf[:0], at.Unix(), 0)
		if string(buf) != string(want) {
			t.Fatalf("%s, want %s", buf, want)
		}
		if s, ok := parseWhole(buf); !ok || s != at.Unix() {
			t.Fatalf("parseWhole(%s) = %d, want %d", buf, s, at.Unix())
		}
	}
}

// checkParse compares what reads the messages with the official library.
func checkParse(t *testing.T, s string) {
	t.Helper()
	if !utf8.ValidString(s) {
		return
	}
	ts, wantOK := official(&timestamppb.Timestamp{}, slowQuote(s))
	if sec, n, ok := ParseTimestamp([]byte(s)); ok != wantOK || ok && (sec != ts.Seconds || n != ts.Nanos) {
		t.Fatalf("ParseTimestamp(%q) = %d, %d, %t; want %v, %t", s, sec, n, ok, ts, wantOK)
	}
	d, wantOK := official(&durationpb.Duration{}, slowQuote(s))
	if sec, n, ok := ParseDuration([]byte(s)); ok != wantOK || ok && (sec != d.Seconds || n != d.Nanos) {
		t.Fatalf("ParseDuration(%q) = %d, %d, %t; want %v, %t", s, sec, n, ok, d, wantOK)
	}
}

var times = []string{
	"", "Z", "2006-01-02T15:04:05Z", "2006-01-02T15:04:05.Z", "2006-01-02T15:04:05.1Z", "2006-01-02T15:04:05,1Z", "2006-01-02T15:04:05.123456789Z", "2006-01-02T15:04:05.1234567891Z", "2006-01-02T15:04:05,1234567891Z",
	"2006-01-02T5:04:05Z", "2006-1-02T15:04:05Z", "2006-01-02t15:04:05z", "2006-01-02 15:04:05Z", "2006-01-02T15:04:05+01:00", "2006-01-02T15:04:05-23:59", "2006-01-02T15:04:05+24:00", "2006-01-02T15:04:05+24:60", "2006-01-02T15:04:05+25:00",
	"2006-01-02T15:04:05.999999999+01:00", "2006-01-02T15:04:05.0000000000+01:00", "2006-01-02T15:04:05+0100", "2006-01-02T15:04:05", "2006-01-02T15:04:60Z", "2006-01-02T24:00:00Z", "2006-01-02T15:60:00Z", "2006-02-29T00:00:00Z", "2004-02-29T00:00:00Z",
	"1900-02-29T00:00:00Z", "2000-02-29T00:00:00Z", "2000-02-30T00:00:00Z", "2000-04-31T00:00:00Z", "2000-13-01T00:00:00Z", "2000-00-01T00:00:00Z", "2000-01-00T00:00:00Z", "2000-01-32T00:00:00Z", "0000-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z",
	"0001-01-01T00:00:00+00:01", "0001-01-01T00:00:00-00:01", "9999-12-31T23:59:59-00:01", "9999-12-31T23:59:59+00:01", "10000-01-01T00:00:00Z", "-001-01-01T00:00:00Z", "2006-01-02T15:04:05.12345678Zx", "2006-01-02T15:04:05.+1Z", "2006-01-02T15:04:05ZZ", " 2006-01-02T15:04:05Z", "2006-01-02T15:04:05Z ",
	"1s", "0s", "s", "-s", "+s", "+1s", "-1s", "--1s", "1.s", ".1s", ".s", "-.s", "+.5s", "-.5s", "01s", "00s", "0.0s", "1.123456789s", "1.1234567890s", "1.0000000000s", "315576000000s", "315576000000.999999999s", "315576000001s", "-315576000000s", "-315576000001s",
	"9223372036854775807s", "9223372036854775808s", "99999999999999999999999s", "1S", "1", "1 s", " 1s", "1s ", "1e2s", "1.1.1s", "1,5s", "1.-5s", "1.5", "-0s", "-0.000000001s", "0.000000001s", "1.éss", "é1s", "0és",
}

func TestParseTime(t *testing.T) {
	for _, s := range times {
		checkParse(t, s)
		checkParse(t, "-"+s)
	}
	for _, s := range []string{"2006-01-02T15:04:05Z", "1999-12-31T23:59:59.999Z", "-12.345s",
		"2006-01-02T15:04:05.123456789+01:00"} {
		for i := range len(s) {
			for c := range rune(256) {
				checkParse(t, s[:i]+string(c)+s[i+1:])
			}
			checkParse(t, s[:i]+s[i+1:])
			checkParse(t, s[:i]+"0"+s[i:])
		}
	}
	for field := range 100 {
		checkParse(t, fmt.Sprintf("2024-%02d-15T12:30:45Z", field))
		checkParse(t, fmt.Sprintf("2024-02-%02dT12:30:45Z", field))
		checkParse(t, fmt.Sprintf("2024-06-%02dT12:30:45Z", field))
		checkParse(t, fmt.Sprintf("2024-08-%02dT12:30:45Z", field))
		checkParse(t, fmt.Sprintf("2024-06-15T%02d:30:45Z", field))
		checkParse(t, fmt.Sprintf("2024-06-15T12:%02d:45Z", field))
		checkParse(t, fmt.Sprintf("2024-06-15T12:30:%02dZ", field))
	}
}

func FuzzTime(f *testing.F) {
	for i, s := range times {
		f.Add(s, int64(i)*1e9, int32(i)*1e7)
	}
	f.Fuzz(func(t *testing.T, s string, seconds int64, nanos int32) {
		checkParse(t, s)
		checkTime(t, seconds, nanos)
	})
}

func BenchmarkTime(b *testing.B) {
	buf := make([]byte, 0, 64)
	b.Run("AppendTimestamp", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if out, ok := AppendTimestamp(buf, 1700000000, 123456000); !ok ||
				string(out) != "2023-11-14T22:13:20.123456Z" {
				b.Fatalf("%s", out)
			}
		}
	})
	in := []byte("2023-11-14T22:13:20.123456Z")
	b.Run("ParseTimestamp", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if s, n, ok := ParseTimestamp(in); !ok || s != 1700000000 || n != 123456000 {
				b.Fatal(s, n)
			}
		}
	})
	b.Run("AppendDuration", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if out, ok := AppendDuration(buf, 1700, 123000000); !ok || string(out) != "1700.123s" {
				b.Fatalf("%s", out)
			}
		}
	})
	in = []byte("1700.123s")
	b.Run("ParseDuration", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if s, n, ok := ParseDuration(in); !ok || s != 1700 || n != 123000000 {
				b.Fatal(s, n)
			}
		}
	})
}
