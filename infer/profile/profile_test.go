package profile

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// build returns the profile of documents.
func build(t *testing.T, memory int, documents ...string) *Profile {
	t.Helper()
	b := NewBuilder(memory)
	for _, d := range documents {
		if end, err := b.Add([]byte(d)); err != nil || end != len(d) {
			t.Fatalf("%s: %d bytes, %v", d, end, err)
		}
	}
	return b.Profile()
}

func text(t *testing.T, p *Profile) string {
	t.Helper()
	b, err := p.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// samples are documents of every sort: with optional fields, mixed kinds, keys that never repeat, nesting.
func samples(n int) []string {
	r := rand.New(rand.NewPCG(1, 2))
	var out []string
	for i := range n {
		var b strings.Builder
		fmt.Fprintf(&b, `{"id":%d,"name":"n%d","at":"2026-01-%02dT10:00:00Z"`, r.Uint64(), r.IntN(100), 1+r.IntN(28))
		if i%3 == 0 {
			fmt.Fprintf(&b, `,"amount":%v,"tags":["a",null,%d]`, r.NormFloat64(), i)
		}
		if i%5 == 0 {
			fmt.Fprintf(&b, `,"mixed":%s`, []string{"1", `"x"`, "[]", "{}", "null", "true", "1e400", "-0", "99999999999999999999999"}[r.IntN(9)])
		}
		fmt.Fprintf(&b, `,"by":{"k%d":{"v":%d,"w%d":1}},"deep":%s1%s}`, i, i, i%700, strings.Repeat("[", i%80), strings.Repeat("]", i%80))
		out = append(out, b.String())
	}
	return out
}

// addsUp checks that the profiles of so many parts add up to the profile of all documents, in any order, to the byte. It
// returns that.
func addsUp(t *testing.T, all []string, numbers ...int) string {
	t.Helper()
	want := text(t, build(t, 0, all...))
	for _, parts := range numbers {
		r := rand.New(rand.NewPCG(3, uint64(parts)))
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		sum := New()
		for i := range parts {
			part := build(t, 0, all[i*len(all)/parts:(i+1)*len(all)/parts]...)
			saved, err := Unmarshal([]byte(text(t, part)))
			if err != nil {
				t.Fatal(err)
			}
			sum.Merge(saved, 0)
		}
		if text(t, sum) != want {
			t.Errorf("%d parts: another profile than in one pass", parts)
		}
	}
	return want
}

// Profiles of parts add up to the profile of all, in any order, to the byte, whether objects have too many keys in
// each part, in all together or never.
func TestMergeIsOnePass(t *testing.T) {
	all := samples(5000)
	want := addsUp(t, all, 1, 2, 7, 1000)
	if !strings.Contains(want, `"wild"`) || !strings.Contains(want, `"cut":true`) || !strings.Contains(want, `"full":true`) {
		t.Error("the samples do not reach every bound")
	}
}

// Memory stays bounded on keys that never repeat, at any depth.
func TestMemory(t *testing.T) {
	const memory = 4 << 20
	b := NewBuilder(memory)
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		d := fmt.Sprintf(`{"a%d":{"b%d":{"c%d":{"d%d":[{"e%d":1}]}}}}`, r.IntN(1900), r.IntN(1900), r.IntN(1900), r.Uint32(), r.Uint32())
		if _, err := b.Add([]byte(d)); err != nil {
			t.Fatal(err)
		}
	}
	p := b.Profile()
	if size := measure(p.Root); size > memory || p.Reduced == 0 {
		t.Errorf("%d bytes, reduced %d times", size, p.Reduced)
	}
}

// What the scanner takes for JSON is what encoding/json does, but for strings that are not UTF-8 and lone surrogates,
// which ProtoJSON has not either.
func FuzzScan(f *testing.F) {
	for _, s := range []string{`{"a":[1,-0,2.5e-7,"\u00e9\ud83d\ude00\n",null,true,false]}`, `[`, `01`, `"\ud800"`, "\"\xff\"", `{"a":1,}`,
		`[1,]`, `-`, `1.`, `1e`, `{"":{}}`, ` [ ] `, `"` + strings.Repeat("long string ", 9) + `"`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		b := NewBuilder(0)
		end, err := b.Check(text)
		ok := err == nil && end == len(text)
		if valid := json.Valid(text); ok && !valid {
			t.Fatalf("%q is not JSON", text)
		} else if valid && !ok && !strings.Contains(err.Error(), "UTF-8") && !strings.Contains(err.Error(), "escape") {
			t.Fatalf("%q is JSON: %v", text, err)
		}
		counted, err2 := b.Add(text)
		if ok && (err2 != nil || counted != end) {
			t.Fatalf("%q: checked, but not counted: %v", text, err2)
		}
		saved, err := b.Profile().Marshal()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Unmarshal(saved); err != nil {
			t.Fatal(err)
		}
	})
}

func TestSketch(t *testing.T) {
	var s Sketch
	for i := range 10000 {
		s.add(fmt.Append(nil, "value ", i%3000), 1)
	}
	if d := s.Distinct(); d < 2000 || d > 4500 {
		t.Errorf("%d distinct values, want about 3000", d)
	}
	for _, v := range s.Values {
		if v.Count != 3 && v.Count != 4 {
			t.Errorf("%s: %d times, want 3 or 4", v.Text, v.Count)
		}
	}
}

func TestForms(t *testing.T) {
	for s, want := range map[string]Form{
		"2026-01-02T03:04:05Z":                 Time | ExactTime,
		"2026-01-02T03:04:05.120Z":             Time | ExactTime,
		"2026-01-02T03:04:05.00Z":              Time,
		"2026-01-02T03:04:05.000Z":             Time,
		"2026-01-02T03:04:05.123456000Z":       Time,
		"2026-01-02T03:04:05.1234567891Z":      0,
		"2026-01-02T03:04:05+01:00":            Time,
		"2026-02-30T03:04:05Z":                 0,
		"0000-01-01T00:00:00Z":                 0,
		"2026-02-28":                           Date,
		"2026-02-30":                           0,
		"aGVsbG8=":                             Base64 | Padded,
		"aGVsbG9=":                             Padded,
		"aGVsbG8h":                             Base64,
		"123":                                  Integer | Hex,
		"0123":                                 Base64 | Hex,
		"-9223372036854775808":                 Integer,
		"9223372036854775808":                  Hex,
		"0f8fad5b-d9cb-469f-a165-70867728950e": UUID,
		"":                                     0,
	} {
		if got := (allForms &^ lacks([]byte(s), 0)) &^ Mixed; got != want {
			t.Errorf("%q: forms %b, want %b", s, got, want)
		}
	}
}

func TestSameNumber(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{"1", "1.0", true}, {"1e2", "100", true}, {"0.10", "1E-1", true}, {"-0", "0", false}, {"0.0", "0e9", true},
		{"9007199254740993", "9007199254740992", false}, {"1e99999999999999999999", "1e99999999999999999998", true}, {"12", "1.3e1", false},
	} {
		if got := SameNumber([]byte(tt.a), []byte(tt.b)); got != tt.same {
			t.Errorf("%s and %s: %v", tt.a, tt.b, got)
		}
	}
}

func BenchmarkAdd(b *testing.B) {
	documents := []byte(strings.Join(samples(500), "\n"))
	b.SetBytes(int64(len(documents)))
	builder := NewBuilder(0)
	for b.Loop() {
		for at := 0; at < len(documents); {
			end, err := builder.Add(documents[at:])
			if err != nil {
				b.Fatal(err)
			}
			at += end
		}
	}
}
