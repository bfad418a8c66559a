package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata, and fail")

var reports = map[string]func() *Report{"full": full, "minimal": minimal, "interrupted": interrupted,
	"counted": counted, "priced": priced, "columns": columns, "scripted": scripted, "usual": usual}

// renderings are the golden files: each report in each format, and some tables more.
func renderings(t *testing.T) map[string][]byte {
	out := map[string][]byte{}
	render := func(name string, r *Report, f Format, o Options) {
		var b bytes.Buffer
		if err := Write(&b, r, f, o); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out[name] = b.Bytes()
	}
	ext := map[Format]string{Table: ".txt", Markdown: ".md", JSON: ".json", CSV: ".csv", Bench: ".bench"}
	for name, report := range reports {
		for _, f := range Formats() {
			render(name+ext[f], report(), f, Options{All: true})
		}
	}
	for _, name := range []string{"full", "interrupted", "priced"} {
		out[name+".html"] = renderBare(t, reports[name]())
	}
	for _, name := range []string{"full", "usual"} {
		var b bytes.Buffer
		if err := WriteSVG(&b, reports[name]()); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out["overview-"+name+".svg"] = b.Bytes()
	}
	render("full-120.txt", full(), Table, Options{All: true, Width: 120})
	render("full-color.txt", full(), Table, Options{All: true, Color: true})
	for _, name := range []string{"full", "counted", "scripted", "priced"} {
		render("short-"+name+".txt", reports[name](), Table, Options{More: "more: --all"})
	}
	render("short-full.md", full(), Markdown, Options{})
	render("short-properties.txt", full(), Table, Options{Properties: true})
	for name, e := range map[string]Excerpt{
		"excerpt-overview.md": {Payloads: []string{"small"}, Parts: []Part{InOverview}, Format: Markdown},
		"excerpt.md": {Payloads: []string{"small"}, Ops: []string{"marshal"}, Parts: []Part{Tables, Marks},
			Format: Markdown},
		"excerpt-all.md": {Suite: "hidden-cost", Payloads: []string{"large"}, Parts: Parts(), Format: Markdown},
		"excerpt-table.md": {Payloads: []string{"small"}, Ops: []string{"size", "unmarshal"},
			Parts: []Part{Tables, InWords}, Format: Table},
		"excerpt-summary.md": {Parts: []Part{InWords, Marks}, Format: Markdown},
	} {
		var b bytes.Buffer
		if err := WriteExcerpt(&b, full(), e); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out[name] = b.Bytes()
	}
	return out
}

func TestGolden(t *testing.T) {
	got := renderings(t)
	for name, b := range got {
		path := filepath.Join("testdata", name)
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
	stale(t, got)
	if *update {
		t.Fatal("golden files rewritten; read the difference, then run without -update")
	}
}

// stale complains of golden files that no rendering makes.
func stale(t *testing.T, got map[string][]byte) {
	entries, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if got[e.Name()] == nil {
			t.Errorf("testdata/%s is no longer made", e.Name())
		}
	}
}
