package report

import (
	"strings"
	"testing"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
)

// An excerpt has the results that it names and no others.
func TestExcerpt(t *testing.T) {
	for _, tt := range []struct {
		e         Excerpt
		covers    bool
		has, lack string
	}{
		{Excerpt{Ops: []string{"marshal"}, Parts: []Part{Tables}}, true, "**hidden-cost · large · marshal**",
			"unmarshal**"},
		{Excerpt{Payloads: []string{"small"}, Parts: []Part{Tables}}, true, "**hidden-cost · small · size**",
			"large ·"},
		{Excerpt{Suite: "hidden-cost", Parts: []Part{PropertyTab}}, true, "**hidden-cost · small, large · properties**",
			"marshal**"},
		{Excerpt{Suite: "other", Parts: []Part{Tables}}, false, "linux/amd64", "|"},
		{Excerpt{Payloads: []string{"tiny"}, Parts: []Part{Tables}}, false, "linux/amd64", "|"},
	} {
		var b strings.Builder
		if err := WriteExcerpt(&b, full(), tt.e); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), tt.has) || strings.Contains(b.String(), tt.lack) ||
			tt.e.Covers(full()) != tt.covers {
			t.Errorf("%+v: covers %v, want %q and no %q in\n%s", tt.e, tt.e.Covers(full()), tt.has, tt.lack, &b)
		}
	}
}

// What a rate costs is of a payload as a whole.
func TestExcerptCosts(t *testing.T) {
	for _, tt := range []struct {
		ops  []string
		want bool
	}{{nil, true}, {[]string{"marshal"}, false}} {
		var b strings.Builder
		if err := WriteExcerpt(&b, priced(), Excerpt{Ops: tt.ops, Parts: []Part{Tables, Marks}}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(b.String(), "TB/mo"); got != tt.want {
			t.Errorf("%v: costs are shown: %v", tt.ops, got)
		}
	}
}

// Below the figures stands what they come from, with the modules and their versions.
func TestProvenance(t *testing.T) {
	r := only("small", "marshal", "Concrete (proto)", "Concrete (JSON)", "gojapb")
	r.Env.Command = "protean bench --data 'a`b.json'"
	r.Variants = []result.Variant{
		{Name: "Concrete (proto)", Library: "example.com/lib/proto", Module: "example.com/lib", Version: "v1.2.3"},
		{Name: "gojapb", Library: "example.com/lib/more", Module: "example.com/lib", Version: "v1.2.3"},
		{Name: "Concrete (JSON)", Library: "encoding/json", Version: r.Env.Go},
		{Name: "not measured", Library: "example.com/other", Version: "v1.0.0"},
	}
	want := "AMD EPYC 9R14 96-Core Processor · linux/amd64 · go1.26.0 · GOMAXPROCS 2 · example.com/lib v1.2.3 · " +
		"protean v0.1.0 · 2026-09-12"
	if got := provenance(r, ""); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := provenance(r, r.Env.Command); got != want+" · protean bench --data 'a\\`b.json'" {
		t.Errorf("a back quote in the command: %s", got)
	}
	if got := provenance(r, "protean bench"); got != want+" · `protean bench`" {
		t.Errorf("the command: %s", got)
	}
}

func TestShellLines(t *testing.T) {
	long := "'" + strings.Repeat("x --y ", 12) + "'"
	for command, want := range map[string]string{
		"protean bench":                             "protean bench",
		"protean bench --a 1 --b 2":                 "protean bench --a 1 --b 2",
		"protean bench --list " + long + " --b 2":   "protean bench --list " + long + " \\\n    --b 2",
		"protean bench --b 2 --c 3 --list " + long:  "protean bench --b 2 --c 3 \\\n    --list " + long,
		"protean bench --b 'it'\\''s --not' --more": "protean bench --b 'it'\\''s --not' --more",
	} {
		if got := shellLines(clean(command)); got != want {
			t.Errorf("%s: %s, want %s", command, got, want)
		}
	}
}

// Lines of a document break between words, and not before one that would begin a list.
func TestMarkdownLines(t *testing.T) {
	long := strings.Repeat("x", documentWidth-2)
	for text, want := range map[string]string{
		"a b":                  "a b",
		long + " b":            long + " b",
		long + " bc":           long + "\nbc",
		long + " `--data - c`": long + "\n`--data - c`",
		long + "x - c":         long + "x -\nc",
		long + "x 1. c":        long + "x 1.\nc",
	} {
		if got := markdownLines(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
