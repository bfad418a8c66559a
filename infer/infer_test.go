package infer_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/protean-pb/protean/infer"
	"github.com/protean-pb/protean/infer/decide"
	"github.com/protean-pb/protean/infer/profile"
	"github.com/protean-pb/protean/infer/proof"
	"github.com/protean-pb/protean/records"
)

// file writes a file of a test, and returns its path.
func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func lines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"id":%d,"name":"n%d","tags":["a","b%d"],"by":{"k%d":1.5}}`+"\n", i, i%7, i%100, i)
	}
	return b.String()
}

func marshal(t *testing.T, p *profile.Profile) string {
	t.Helper()
	text, err := p.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Splits of a file, read by any number of workers or one by one, add up to the profile of the whole.
func TestSplits(t *testing.T) {
	path := file(t, "a.jsonl", lines(5000))
	read := func(splits []records.Split, workers int) *profile.Profile {
		t.Helper()
		p, err := infer.Profile(context.Background(), infer.Input{Splits: splits, Workers: workers,
			Options: records.Options{Form: records.Lines, BatchSize: 10_000}})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	want := marshal(t, read(records.Whole([]string{path}), 1))
	splits, err := records.Divide([]string{path}, records.Options{Form: records.Lines}, 50_000)
	if err != nil || len(splits) < 5 {
		t.Fatalf("%d splits, %v", len(splits), err)
	}
	if marshal(t, read(splits, 3)) != want {
		t.Error("read at once by three workers: another profile")
	}
	sum := profile.New()
	for i := len(splits) - 1; i >= 0; i-- {
		sum.Merge(read(splits[i:i+1], 2), 0)
	}
	if marshal(t, sum) != want {
		t.Error("read one by one: another profile")
	}
}

// A broken document ends the work with its place, or is left out and counted, without a trace in the profile.
func TestBroken(t *testing.T) {
	good, broken := `{"a":1}`+"\n", `{"a":1,"b":[{"c":}]}`+"\n"
	path := file(t, "a.jsonl", good+broken+good)
	in := infer.Input{Splits: records.Whole([]string{path})}
	_, err := infer.Profile(context.Background(), in)
	var fault *records.Error
	if !errors.As(err, &fault) || fault.Line != 2 || fault.Column != 18 ||
		!strings.Contains(err.Error(), "expected a value") {
		t.Errorf("%v", err)
	}
	var tally records.Tally
	in.Broken = tally.Add
	p, err := infer.Profile(context.Background(), in)
	if err != nil || tally.Count() != 1 || p.Invalid != 1 {
		t.Fatalf("%d broken documents, %v", tally.Count(), err)
	}
	p.Invalid = 0
	whole, err := infer.Profile(context.Background(),
		infer.Input{Splits: records.Whole([]string{file(t, "b.jsonl", good+good)})})
	if err != nil || marshal(t, p) != marshal(t, whole) {
		t.Errorf("the broken document left a trace: %v", err)
	}
}

// Every document of a corpus is proved, and a finding names the first one, whichever worker had it.
func TestProve(t *testing.T) {
	path := file(t, "a.jsonl", lines(3000)+strings.Repeat(`{"id":1,"name":null,"tags":[],"by":{}}`+"\n", 50))
	in := infer.Input{Splits: records.Whole([]string{path}), Workers: 3, Options: records.Options{BatchSize: 1000}}
	p, err := infer.Profile(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	f, err := decide.Schema(p, decide.Options{Package: "acme.v1", Message: "Event"})
	if err != nil {
		t.Fatal(err)
	}
	md, err := proof.Compile(f.Print(), "acme.v1.Event")
	if err != nil {
		t.Fatal(err)
	}
	r, err := infer.Prove(context.Background(), in, f, md)
	if err != nil {
		t.Fatal(err)
	}
	if want := [...]uint64{3000, 0, 50, 0}; r.Samples != 3050 || r.Levels != want {
		t.Errorf("%d samples, levels %v", r.Samples, r.Levels)
	}
	var found []string
	for _, x := range r.Findings {
		found = append(found, fmt.Sprintf("%s %s %d %s", x.Path, x.What, x.Times, filepath.Base(x.First)))
	}
	want :=
		"$.by {} becomes absent 50 a.jsonl:3001|$.name null becomes absent 50 a.jsonl:3001|$.tags [] becomes absent 50 a.jsonl:3001"
	if got := strings.Join(found, "|"); got != want {
		t.Errorf("got %s", got)
	}
}

// Hostile documents take neither the process nor memory beyond what is asked for.
func TestHostile(t *testing.T) {
	var keys strings.Builder
	for i := range 200_000 {
		fmt.Fprintf(&keys, `,"key%d":{"v%d":%d}`, i, i%5, i)
	}
	for name, text := range map[string]string{
		"many keys":    "{" + keys.String()[1:] + "}",
		"deep arrays":  `{"a":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + "}",
		"deep objects": strings.Repeat(`{"a":`, 1000) + "1" + strings.Repeat("}", 1000),
		"long keys":    `{"` + strings.Repeat("k", 1<<20) + `":1,"` + strings.Repeat("l", 1<<20) + `":2}`,
		"mixed":        `{"a":1}` + "\n[{\"a\":[]}]\n" + `{"a":{"a":"x"}}` + "\n{\"a\":null}\n{\"a\":[[null]]}",
	} {
		in := infer.Input{Splits: records.Whole([]string{file(t, "a.json", text)}), Memory: 8 << 20}
		p, err := infer.Profile(context.Background(), in)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		f, err := decide.Schema(p, decide.Options{Package: "acme.v1", Message: "Event"})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		md, err := proof.Compile(f.Print(), "acme.v1.Event")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if r, err := infer.Prove(context.Background(), in, f, md); err != nil || r.Levels[proof.Lossy] > 0 {
			t.Errorf("%s: %v %v", name, err, r)
		}
	}
}
