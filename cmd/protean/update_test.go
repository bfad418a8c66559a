package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/protean-pb/protean/cmd/protean/internal/suite"
)

// A file that --update cannot use is told of before anything is built or measured.
func TestUpdateErrors(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir) // no Go toolchain: nothing can be built
	path := filepath.Join(dir, "x.md")
	place := func(attributes string) string {
		return "# Title\n\n<!-- protean:begin " + attributes + " -->\n<!-- protean:end -->\n"
	}
	for _, tt := range []struct{ name, text, want string }{
		{"no markers", "# Title\n", ": no markers: the results go between the lines <!-- protean:begin --> and <!-- " +
			"protean:end -->"},
		{"no end", "<!-- protean:begin -->\n", ":1: protean:begin has no protean:end"},
		{"attribute", place("payload=medium"),
			`:3: unknown attribute "payload"; did you mean payloads? (known are suite, payloads, ops, format, show)`},
		{"payload", place("suite=hidden-cost payloads=mediun"),
			`:3: unknown payload "mediun"; did you mean medium? (the payloads of hidden-cost are small, medium, large)`},
		{"operation", place("ops=marshl"),
			`:3: unknown operation "marshl"; did you mean marshal or unmarshal? (protean list ops lists all)`},
		{"format", place("format=csv"), ":3: format=csv: want markdown or table"},
		{"part", place("show=table"),
			`:3: show=table: unknown part "table"; want some of [overview tables properties marks summary]`},
		{"other run", place("suite=libraries") + place("payloads=large"),
			": none of its markers is for this run: the one in line 3 is for suite libraries, the one in line 7 is " +
				"for payload large"},
		{"other operation", place("ops=unmarshal,size"),
			": none of its markers is for this run: the one in line 3 is for operation size"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			writeFile(t, path, tt.text)
			o := bench(t, "--payloads", "medium", "--ops", "marshal,unmarshal", "--update", path)
			if want := "protean: --update: " + path + tt.want + "\n"; o.code != exitUsage || o.stderr != want {
				t.Errorf("exit code %d, %q, want %q", o.code, o.stderr, want)
			}
			if readFile(t, path) != tt.text {
				t.Error("the file has changed")
			}
		})
	}
	if o := bench(t, "--update", filepath.Join(dir, "none.md")); o.code != exitUsage ||
		!strings.HasSuffix(o.stderr, "none.md: no such file\n") {
		t.Errorf("no file: exit code %d, %q", o.code, o.stderr)
	}
}

// The results go into all places that are for them, in several files, and nowhere else;
// doing it again changes nothing.
func TestUpdate(t *testing.T) {
	heavy(t)
	dir := t.TempDir()
	one := writeFile(t, filepath.Join(dir, "one.md"),
		"# One\r\n\r\n<!-- protean:begin ops=size -->\r\nold\r\n<!-- protean:end -->\r\n\r\n<!-- protean:begin "+
			"suite=hidden-cost -->\nkept\n<!-- protean:end -->")
	two := writeFile(t, filepath.Join(dir, "two.md"),
		"<!-- protean:begin format=table show=tables payloads=orders ops=marshal -->\n<!-- protean:end -->\n<!-- "+
			"protean:begin ops=unmarshal -->\nkept\n<!-- protean:end -->\n")
	run := func() outcome {
		return bench(t, flags(flags(ordersFlags, threeMarshal...), "--ops", "marshal,size", "--time", "0", "--update",
			one, "--update", two)...)
	}
	o := run()
	if want := "protean: " + two + ":"; o.code != exitOK || !strings.HasPrefix(o.stderr, want) ||
		!strings.HasSuffix(o.stderr, ": left as it was: this run did not measure operation unmarshal\n") ||
		o.stdout == "" {
		t.Fatalf("exit code %d, standard error %q", o.code, o.stderr)
	}
	first, second := readFile(t, one), readFile(t, two)
	before, rest, _ := strings.Cut(first, "<!-- protean:begin ops=size -->\r\n")
	middle, after, _ := strings.Cut(rest, "<!-- protean:end -->\r\n")
	if before != "# One\r\n\r\n" ||
		after != "\r\n<!-- protean:begin suite=hidden-cost -->\nkept\n<!-- protean:end -->" {
		t.Errorf("outside of the markers, it is %q and %q", before, after)
	}
	if strings.Count(middle, "\n") != strings.Count(middle, "\r\n") {
		t.Errorf("lines end in different ways: %q", middle)
	}
	for _, want := range []string{"· size**", "| Concrete (proto) |", " · `protean bench --time "} {
		if !strings.Contains(middle, want) {
			t.Errorf("no %q in\n%s", want, middle)
		}
	}
	for _, want := range []string{"```text\n$ protean bench ", "· marshal\n", "counted, not timed\n",
		"\nConcrete (proto) ", "kept\n<!-- protean:end -->\n"} {
		if !strings.Contains(second, want) {
			t.Errorf("no %q in\n%s", want, second)
		}
	}
	if run(); readFile(t, one) != first || readFile(t, two) != second {
		t.Errorf("the second run changes\n%s%s", readFile(t, one), readFile(t, two))
	}
	if files, _ := os.ReadDir(dir); len(files) != 2 {
		t.Errorf("files left behind: %v", files)
	}
}

// The markers in this repository's own documents can be filled.
func TestOwnPlaces(t *testing.T) {
	docs, err := filepath.Glob(filepath.Join(checkout, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	places := 0
	for _, path := range append(docs, filepath.Join(checkout, "README.md")) {
		f, err := parseMarkdown(path)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, p := range f.Places {
			places++
			e, err := excerptOf(p)
			if err == nil && e.Suite == "" {
				err = errors.New("no suite: any run would fill it")
			}
			if err == nil {
				var s *suite.Suite
				if s, err = suite.Builtin(e.Suite); err == nil {
					err = (&update{suite: s.Name}).checkNames(e, s)
				}
			}
			if err != nil {
				t.Error(f.Errorf(p, "%s", err))
			}
		}
	}
	if places == 0 {
		t.Error("no document has a marker")
	}
}

// A place for the overview is filled by results with times, and left alone by those without; the
// table is that of the picture.
func TestUpdateOverview(t *testing.T) {
	dir := t.TempDir()
	path := writeFile(t, filepath.Join(dir, "x.md"),
		"<!-- protean:begin payloads=small show=overview -->\n<!-- protean:end -->\n")
	picture := filepath.Join(dir, "x.svg")
	if o := protean(t, nil, "report", saved, "--svg", picture, "--update", path); o != (outcome{}) {
		t.Fatalf("%+v, want silence", o)
	}
	text, drawn := readFile(t, path), readFile(t, picture)
	for _, want := range []string{"31.2 ns", "0.32x", "integers beyond 2^53", "example.com/proto"} {
		if !strings.Contains(text, want) || !strings.Contains(drawn, want) {
			t.Errorf("no %q in\n%s\n%s", want, text, drawn)
		}
	}
	o := protean(t, nil, "report", absolute("internal/report/testdata/counted.json"), "--update", path)
	if o.code != exitOK || !strings.Contains(o.stderr, "left as it was") || readFile(t, path) != text {
		t.Errorf("without times: exit code %d, %q", o.code, o.stderr)
	}
}

// Saved results go into a file as those of a run do, twice the same.
func TestUpdateFromSaved(t *testing.T) {
	path := writeFile(t, filepath.Join(t.TempDir(), "x.md"),
		"<!-- protean:begin suite=hidden-cost payloads=small ops=marshal -->\n<!-- protean:end -->\n<!-- "+
			"protean:begin payloads=huge -->\nkept\n<!-- protean:end -->\n")
	saved := comparable(t, "report/testdata/full.json")
	var text string
	for range 2 {
		o := protean(t, nil, "report", saved, "--update", path)
		if want := "protean: " + path + ":"; o.code != exitOK || !strings.HasPrefix(o.stderr, want) ||
			!strings.HasSuffix(o.stderr, ": left as it was: this run did not measure payload huge\n") {
			t.Fatalf("exit code %d, %q", o.code, o.stderr)
		}
		now := readFile(t, path)
		if text != "" && now != text {
			t.Errorf("the second time, it is\n%s", now)
		}
		text = now
	}
	if !strings.Contains(text, "| gojapb | 5.03 µs |") || !strings.Contains(text, "kept\n") ||
		strings.Contains(text, "unmarshal**") {
		t.Errorf("%s", text)
	}
	writeFile(t, path, "<!-- protean:begin suite=hidden-cost payloads=larg -->\n<!-- protean:end -->\n")
	o := protean(t, nil, "report", saved, "--update", path)
	if want := path + ":1: unknown payload \"larg\"; did you mean large?"; o.code != exitUsage ||
		!strings.Contains(o.stderr, want) || o.stdout != "" {
		t.Errorf("exit code %d, %q, want %q", o.code, o.stderr, want)
	}
	interrupted := comparable(t, "report/testdata/interrupted.json")
	writeFile(t, path, text)
	o = protean(t, nil, "report", interrupted, "--update", path)
	if o.stderr != "protean: "+path+": left as it was: the run was interrupted\n" || readFile(t, path) != text {
		t.Errorf("interrupted: %q", o.stderr)
	}
}
