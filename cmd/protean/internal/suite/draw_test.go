package suite

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/protean-pb/protean/cmd/protean/internal/usererr"
)

// manyTexts returns n messages with the texts 1 to n, as JSON lines or after their lengths.
func manyTexts(n int, format DataFormat) string {
	var b []byte
	for i := range n {
		text := fmt.Sprintf("number %d, which is long enough for a file that is longer than the window", i+1)
		if format == JSON {
			b = fmt.Appendf(b, "{\"text\": %q}\n", text)
		} else {
			b = protowire.AppendBytes(b, protowire.AppendString([]byte("\x0a"), text))
		}
	}
	return string(b)
}

// drawFile reads a payload of so many samples from a file.
func drawFile(t *testing.T, name, data string, samples int, seed uint64) (*Payload, error) {
	t.Helper()
	s := binarySchema(t)
	fsys := linkedFiles(mapFS(map[string]string{name: data}))
	return loadPayload(fsys, s, message(t, s, "M"), Source{Data: []string{name}, Samples: samples, Seed: seed})
}

// Some of many samples are those that reading all of them gives, in their order, and others
// with another seed; however they lie in files that are long or short.
func TestDraw(t *testing.T) {
	s := binarySchema(t)
	md := message(t, s, "M")
	for _, tt := range []struct {
		name, data string
		n          int
	}{
		{"short.jsonl", manyTexts(50, JSON), 50},
		{"short.delim", manyTexts(50, Delimited), 50},
		{"long.jsonl", manyTexts(14000, JSON), 14000},
		{"long.jsonl.gz", gzipped(t, manyTexts(14000, JSON)), 14000},
		{"bom.jsonl", byteOrderMark + manyTexts(14000, JSON), 14000},
		{"array.json", "[\n" + strings.ReplaceAll(manyTexts(14000, JSON), "\n", ",\n") + "{}]", 14001},
		{"long.delim", manyTexts(14000, Delimited), 14000},
		{"unnamed", manyTexts(14000, Delimited), 14000},
	} {
		fsys := linkedFiles(mapFS(map[string]string{tt.name: tt.data}))
		all := must(readSamples(fsys, s, md, Source{Data: []string{tt.name}}))(t)
		want := make(map[string]Sample)
		place := make(map[string]int)
		for i, x := range all {
			want[x.Source], place[x.Source] = x, i
		}
		p := must(drawFile(t, tt.name, tt.data, 20, 1))(t)
		if len(p.Samples) != 20 || p.DrawnFrom != tt.n {
			t.Errorf("%s: %d samples of %d, want 20 of %d", tt.name, len(p.Samples), p.DrawnFrom, tt.n)
		}
		last := -1
		for _, x := range p.Samples {
			if w := want[x.Source]; string(x.Wire) != string(w.Wire) || string(x.Raw) != string(w.Raw) ||
				x.Offset != w.Offset {
				t.Errorf("%s: %s is not what reading all gives", tt.name, x.Source)
			}
			if place[x.Source] <= last {
				t.Errorf("%s: %s is out of order", tt.name, x.Source)
			}
			last = place[x.Source]
		}
		if again := must(drawFile(t, tt.name, tt.data, 20, 1))(t); sourcesOf(again.Samples) != sourcesOf(p.Samples) {
			t.Errorf("%s: drawn anew, others with the same seed", tt.name)
		}
		if others := must(drawFile(t, tt.name, tt.data, 20, 2))(t); sourcesOf(others.Samples) == sourcesOf(p.Samples) {
			t.Errorf("%s: the same with another seed", tt.name)
		}
		if few := must(drawFile(t, tt.name, tt.data, tt.n, 1))(t); len(few.Samples) != tt.n || few.DrawnFrom != 0 {
			t.Errorf("%s: %d samples drawn from %d, want all", tt.name, len(few.Samples), few.DrawnFrom)
		}
	}
}

// Each sample has the same chance.
func TestDrawIsFair(t *testing.T) {
	const most, of, draws = 3, 10, 20000
	count := make([]int, of)
	for seed := range uint64(draws) {
		d := newDraw(most, seed)
		for i := range of {
			d.add(func() (Sample, *usererr.InputError) { return Sample{Offset: i}, nil })
		}
		for _, s := range must(d.samples())(t) {
			count[s.Offset]++
		}
	}
	for i, n := range count {
		if want := draws * most / of; n < want*95/100 || n > want*105/100 {
			t.Errorf("sample %d was drawn %d times of some %d", i, n, want)
		}
	}
}

// What is wrong with a sample that is held is told with its place; syntax errors always are.
func TestDrawErrors(t *testing.T) {
	many := manyTexts(14000, JSON)
	framed := manyTexts(14000, Delimited)
	at := func(n int, problem string) string {
		return fmt.Sprintf("a.delim: record 14001 at byte %d: %s", n, problem)
	}
	for _, tt := range []struct {
		name, data string
		samples    int
		want       string
	}{
		{"a.jsonl", many + "  {\"text\": 1}\n", 14001, "a.jsonl:14001: field text: expected string, found 1"},
		{"a.jsonl", many + "{\n \"text\": 1}\n", 14001, "a.jsonl:14002:10: field text: expected string, found 1"},
		{"a.jsonl", many + "{\"text\": }\n", 1, "a.jsonl:14001: syntax error: invalid character '}' at start of value"},
		{"a.jsonl", many + "{\"text\"", 1, "a.jsonl:14001: syntax error: unexpected end of file"},
		{"a.jsonl", strings.Repeat(" ", 2*drawWindow), 1, "no samples in a.jsonl"},
		{"a.jsonl", "", 1, "no samples in a.jsonl"},
		{"a.delim", framed + "\x02\x0a", 1, at(len(framed), "2 bytes long, but the file has 1 more")},
		{"a.delim", framed + "\x80", 1, at(len(framed), "invalid length")},
		{"a.delim", framed + "\x02\x0a\x09", 14001, at(len(framed)+1, "field text: the value runs past the end")},
		{"a.delim", framed + strings.Repeat("\xff", 9), 1, at(len(framed), "invalid length")},
	} {
		_, err := drawFile(t, tt.name, tt.data, tt.samples, 1)
		if err == nil || err.Error() != tt.want {
			t.Errorf("%v, want %s", err, tt.want)
		}
	}
}

// repeated is text that is read so many times over, without being in memory.
type repeated struct {
	text  []byte
	times int
	rest  []byte
}

func (r *repeated) Read(b []byte) (int, error) {
	if len(r.rest) == 0 {
		if r.times == 0 {
			return 0, io.EOF
		}
		r.times, r.rest = r.times-1, r.text
	}
	n := copy(b, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// What it takes to draw from much data is not proportional to the data.
func TestDrawMemory(t *testing.T) {
	s := binarySchema(t)
	md := message(t, s, "M")
	for _, format := range []DataFormat{JSON, Delimited} {
		text := []byte(manyTexts(2000, format))
		live := func() uint64 {
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			return m.HeapAlloc
		}
		before, most := live(), uint64(0)
		atEnd := readerFunc(func([]byte) (int, error) { most = live(); return 0, io.EOF })
		in := io.MultiReader(&repeated{text: text, times: 200}, atEnd)
		src := Source{Data: []string{Stdin}, Format: format, Stdin: in, Samples: 10}
		samples, of, err := drawSamples(diskFiles, s, md, src)
		if err != nil || len(samples) != 10 || of != 400000 {
			t.Fatalf("%s: %d samples of %d, %v", format, len(samples), of, err)
		}
		if grown := int64(most) - int64(before); grown > 8<<20 {
			t.Errorf("%s: %d bytes are held to draw from %d", format, grown, 200*len(text))
		}
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }
