package beam

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"

	"github.com/protean-pb/protean/infer"
	"github.com/protean-pb/protean/records"
)

func TestMain(m *testing.M) {
	beam.Init()
	os.Exit(m.Run())
}

// documents are JSON lines of various shapes.
func documents(seed uint64, n int) []byte {
	random := rand.New(rand.NewPCG(seed, 1))
	var out bytes.Buffer
	for range n {
		fmt.Fprintf(&out, `{"id": "evt_%d", "amount": %v, "labels": {"key%d": %d}, "tags": %s}`+"\n", random.IntN(1000),
			random.NormFloat64(), random.IntN(50), random.Int64N(1<<60), []string{"[]", `["a", null]`,
				"null"}[random.IntN(3)])
	}
	return out.Bytes()
}

func write(t *testing.T, name string, data []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// ran runs a pipeline, and returns what it has written.
func ran(t *testing.T, splits []records.Split, o Options) ([]byte, error) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "profile")
	p, s := beam.NewPipelineWithRoot()
	Write(s, out, Profile(s, splits, o))
	if _, err := beam.Run(context.Background(), "prism", p); err != nil {
		return nil, err
	}
	return os.ReadFile(out)
}

// The profile is that of one pass over all, to the byte, whatever the splits.
func TestProfile(t *testing.T) {
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	if _, err := w.Write(documents(2, 100)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	broken := append(documents(3, 100), "broken\n{\"a\": 1}\n"...)
	files := []string{
		write(t, "a.jsonl", documents(1, 500)), write(t, "b.jsonl.gz", zipped.Bytes()), write(t, "c.jsonl", broken),
	}
	options := records.Options{Form: records.Lines}
	splits, err := records.Divide(files, options, 5000)
	if err != nil || len(splits) < 10 {
		t.Fatal(splits, err)
	}
	var tally records.Tally
	p, err := infer.Profile(context.Background(), infer.Input{
		Splits: records.Whole(files), Options: options, Workers: 1, Broken: tally.Add,
	})
	if err != nil {
		t.Fatal(err)
	}
	want, err := p.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	got, err := ran(t, splits, Options{Form: records.Lines, SkipInvalid: true})
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v, %d bytes\n%.300s\nwant %d\n%.300s", err, len(got), got, len(want), want)
	}
	if p.Documents != 701 || p.Invalid != 1 {
		t.Errorf("%d documents and %d broken ones, want 701 and 1", p.Documents, p.Invalid)
	}
}

// A broken document ends the pipeline, and the error says where it is.
func TestProfileBroken(t *testing.T) {
	file := write(t, "a.jsonl", []byte("{}\nbroken\n"))
	if _, err := ran(t, records.Whole([]string{file}), Options{}); err == nil || !strings.Contains(err.Error(),
		file+":2:") {
		t.Errorf("%v, want %s:2", err, file)
	}
	missing := filepath.Join(t.TempDir(), "missing.jsonl")
	if _, err := ran(t, records.Whole([]string{missing}), Options{}); err == nil || !strings.Contains(err.Error(),
		missing+": no such file") {
		t.Errorf("%v, want that there is no %s", err, missing)
	}
}
