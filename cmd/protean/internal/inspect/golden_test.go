package inspect

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/protean-pb/protean/cmd/protean/internal/report"
	"github.com/protean-pb/protean/cmd/protean/internal/suite"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata, and fail")

const golden = "testdata/golden"

// renderings are the golden files.
func renderings(t *testing.T) map[string][]byte {
	out := map[string][]byte{}
	render := func(name string, f report.Format, o Options, results ...*Result) {
		var b bytes.Buffer
		if err := Write(&b, results, f, o); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out[name] = b.Bytes()
	}
	all := inspect(t, "", events(t))
	article := inspect(t, "", document(`{"age":30}`))
	render("article.txt", report.Table, Options{}, article)
	render("article.md", report.Markdown, Options{}, article)
	render("article.json", report.JSON, Options{}, article)
	render("events.txt", report.Table, Options{}, all)
	render("events-140.txt", report.Table, Options{Options: report.Options{Width: 140}}, all)
	render("events-full.txt", report.Table, Options{Full: true}, all)
	render("events-color.txt", report.Table, Options{Options: report.Options{Color: true}}, all)
	render("events.md", report.Markdown, Options{}, all)

	// The same bytes, if nobody knows what they are.
	unknown := &suite.Records{}
	for _, r := range events(t).Records {
		unknown.Records = append(unknown.Records,
			suite.Record{Source: strings.Replace(r.Source, ".jsonl:", ".binpb#", 1), Wire: r.Wire})
	}
	render("unknown.txt", report.Table, Options{}, inspect(t, "", unknown))

	// Cut off in the middle.
	cut := events(t)
	cut.Records[0].Wire = cut.Records[0].Wire[:95]
	render("cut.txt", report.Table, Options{}, inspect(t, "", cut))
	render("cut.json", report.JSON, Options{},
		inspect(t, "", &suite.Records{Schema: cut.Schema, Message: cut.Message, Records: cut.Records[:1]}))

	var payloads []*Result
	s, err := suite.Builtin("hidden-cost")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range s.Payloads {
		payloads = append(payloads, inspect(t, p.Name, s.Records(p)))
	}
	render("hidden-cost.txt", report.Table, Options{}, payloads...)
	return out
}

func TestGolden(t *testing.T) {
	got := renderings(t)
	for name, b := range got {
		path := filepath.Join(golden, name)
		if *update {
			if err := os.WriteFile(path, b, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Errorf("%v: run with -update", err)
			continue
		}
		if d := cmp.Diff(string(want), string(b)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	entries, err := os.ReadDir(golden)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if got[e.Name()] == nil {
			t.Errorf("%s/%s is no longer made", golden, e.Name())
		}
	}
	if *update {
		t.Fatal("golden files rewritten; read the difference, then run without -update")
	}
}
