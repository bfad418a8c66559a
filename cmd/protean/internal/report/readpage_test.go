package report

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/protean-pb/protean/cmd/protean/internal/stats"
)

// readers are what reads the golden files that were laid out for people.
var pageReaders = map[string]func([]byte) (*Report, error){".txt": readTable, ".md": readMarkdown}

// What people read, programs can: each cell comes back, and with it each figure as near
// as its page has it.
func TestReadPages(t *testing.T) {
	for name, make := range reports {
		want := make()
		for ext, read := range pageReaders {
			t.Run(name+ext, func(t *testing.T) {
				got := readGolden(t, name+ext, read)
				checkCells(t, want, got)
				checkRun(t, want, got)
			})
		}
	}
	for _, name := range []string{"full-120.txt", "full-color.txt"} {
		checkCells(t, full(), readGolden(t, name, readTable))
	}
	checkCells(t, full(), readGolden(t, "short-full.md", readMarkdown))
	short := readGolden(t, "short-full.txt", readTable)
	want := full()
	want.Env.Command = "" // left out
	checkRun(t, want, short)
	checkCells(t, withoutReasons(want), withoutReasons(short))
}

// withoutReasons takes out of r what a short table cuts off.
func withoutReasons(r *Report) *Report {
	for i := range r.Results {
		r.Results[i].Reason = ""
	}
	return r
}

// What is ranked apart, and what refuses the data, comes back as such.
func TestReadApart(t *testing.T) {
	for name, read := range map[string]func([]byte) (*Report, error){"full.txt": readTable, "full.md": readMarkdown, "short-full.txt": readTable, "full.json": readJSON, "full.csv": readCSV} {
		apart, refused := 0, 0
		for _, c := range readGolden(t, name, read).Results {
			if c.Apart == Reused && c.Variant == "hyperpb (proto, reuse)" && c.Op == "unmarshal" {
				apart++
			} else if c.Apart != "" {
				t.Errorf("%s: %s, %s is apart: %s", name, c.Variant, c.Op, c.Apart)
			}
			if c.Refused {
				refused++
			}
		}
		if apart != 1 || refused != 2 {
			t.Errorf("%s: %d cells apart and %d refused, want 1 and 2", name, apart, refused)
		}
	}
}

// The HTML format holds all that JSON has.
func TestReadHTML(t *testing.T) {
	for _, name := range []string{"full", "interrupted", "priced"} {
		got := render(t, readGolden(t, name+".html", readHTML), JSON, Options{All: true})
		if d := cmp.Diff(render(t, readGolden(t, name+".json", readJSON), JSON, Options{All: true}), got); d != "" {
			t.Errorf("%s (-JSON +HTML):\n%s", name, d)
		}
	}
	for _, text := range []string{"", "<!DOCTYPE html><p>", "<!DOCTYPE html>" + resultsTag, resultsTag + "{}</script>"} {
		if got, err := readHTML([]byte(text)); err == nil {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func readGolden(t *testing.T, name string, read func([]byte) (*Report, error)) *Report {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	got, err := read(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return got
}

func checkCells(t *testing.T, want, got *Report) {
	t.Helper()
	type key [4]string
	cells := map[key]*Result{}
	for i := range got.Results {
		c := &got.Results[i]
		k := key{c.Suite, c.Payload, c.Variant, c.Op}
		if cells[k] != nil {
			t.Errorf("%q is there twice", k)
		}
		cells[k] = c
	}
	for i := range want.Results {
		c := &want.Results[i]
		k := key{c.Suite, c.Payload, c.Variant, c.Op}
		if cells[k] == nil {
			t.Errorf("%q is not there", k)
			continue
		}
		checkCell(t, c, cells[k])
		delete(cells, k)
	}
	for k := range cells {
		t.Errorf("%q is too much", k)
	}
}

func checkCell(t *testing.T, want, got *Result) {
	t.Helper()
	name := fmt.Sprintf("%s, %s, %s", want.Payload, want.Op, want.Variant)
	if got.Status != want.Status || got.Reason != clean(want.Reason) && want.Status != OK {
		t.Errorf("%s: %s (%q), want %s (%q)", name, got.Status, got.Reason, want.Status, want.Reason)
	}
	if want.timed() {
		checkInterval(t, name+": time", want.NS, got.NS, 0.006) // of three digits, and so is the spread
		if got.Ratio.Median > 0 && want.Ratio.Median > 0 {      // a table of one has none
			checkInterval(t, name+": ratio", want.Ratio, got.Ratio, 0.025) // below 1, of two digits
		}
		if got.Samples < want.Samples {
			t.Errorf("%s: %d samples, want %d", name, got.Samples, want.Samples)
		}
	}
	if want.counted() && got.BytesWithin == 0 && got.BytesOp == 0 { // where others have times, its counts are not shown
		return
	}
	for _, tt := range []struct {
		name              string
		want, got, within float64
	}{
		{"bytes", want.BytesOp, got.BytesOp, got.BytesWithin}, {"allocs", want.AllocsOp, got.AllocsOp, got.AllocsWithin},
		{"wire", want.WireBytes, got.WireBytes, got.WireWithin}, {"gzip", want.GzipBytes, got.GzipBytes, got.GzipWithin},
		{"zstd", want.ZstdBytes, got.ZstdBytes, got.ZstdWithin},
	} {
		if math.Abs(tt.got-tt.want) > tt.within+1e-9*tt.want || tt.within > 0.006*tt.want+0.05 {
			t.Errorf("%s: %s: %v ± %v, want %v", name, tt.name, tt.got, tt.within, tt.want)
		}
	}
}

// checkInterval wants the interval to hold all of the true one, and not much more.
func checkInterval(t *testing.T, name string, want, got stats.Interval, digits float64) {
	t.Helper()
	near := math.Abs(got.Median-want.Median) <= digits*want.Median
	if got.Known() {
		narrow := got.Low <= want.Low*(1+1e-6) && got.High >= want.High*(1-1e-6)
		wide := got.Low < want.Low-2*digits*want.Median || got.High > want.High+2*digits*want.Median
		near = near && want.Known() && narrow && !wide
	}
	if !near {
		t.Errorf("%s: %v, want %v", name, got, want)
	}
}

func checkRun(t *testing.T, want, got *Report) {
	t.Helper()
	env := want.Env
	env.Precision, env.Time = 0, 0
	if d := cmp.Diff(env, got.Env); d != "" {
		t.Errorf("environment (-want +got):\n%s", d)
	}
	if d := cmp.Diff(want.Warnings, got.Warnings); d != "" && len(want.Warnings)+len(got.Warnings) > 0 {
		t.Errorf("warnings (-want +got):\n%s", d)
	}
	if got.Interrupted != want.Interrupted {
		t.Errorf("interrupted: %v", got.Interrupted)
	}
}

// An excerpt within a document of any kind is read too.
func TestReadExcerpts(t *testing.T) {
	part := full()
	part.Results = slices.DeleteFunc(part.Results, func(c Result) bool { return c.Payload != "small" || c.Op != "marshal" })
	golden := readGolden(t, "excerpt.md", func(text []byte) (*Report, error) {
		return readMarkdown([]byte("# How fast\r\n\r\nIt *is* · fast.\r\n\r\n" + strings.ReplaceAll(string(text), "\n", "\r\n")))
	})
	checkCells(t, part, golden)
	part = full()
	part.Results = slices.DeleteFunc(part.Results, func(c Result) bool { return c.Payload != "small" || c.Op != "size" && c.Op != "unmarshal" })
	checkCells(t, withoutReasons(part), withoutReasons(readGolden(t, "excerpt-table.md", readTable)))
}

// A narrow terminal leaves columns out, and cuts names.
func TestReadNarrow(t *testing.T) {
	for _, width := range []int{40, 50, 60, 70} {
		got, err := readTable([]byte(render(t, full(), Table, Options{All: true, Width: width})))
		if err != nil {
			t.Fatal(err)
		}
		for i := range got.Results {
			c := &got.Results[i]
			at := slices.IndexFunc(full().Results, func(o Result) bool {
				return o.Payload == c.Payload && o.Op == c.Op && o.Variant == c.Variant
			})
			if at < 0 {
				t.Errorf("width %d: %s, %s: variant %q", width, c.Payload, c.Op, c.Variant)
			} else if c.Status == OK && !c.Sized() {
				checkInterval(t, c.Variant, full().Results[at].NS, c.NS, 0.006)
			}
		}
		for _, w := range got.Warnings[1:] {
			if !strings.Contains(w, " is left out: the terminal was too narrow for ") {
				t.Errorf("width %d: warning %q", width, w)
			}
		}
		if len(got.Results)+len(got.Warnings)-1 < 60 {
			t.Errorf("width %d: %d cells and %d warnings", width, len(got.Results), len(got.Warnings))
		}
	}
}

// Names come back whatever is in them.
func TestReadNames(t *testing.T) {
	for _, text := range append(attacks, ` (x, y)`, ` | \ \| a_b*c`+"`d` ~ [e] &lt; <f>") {
		want := forge(full(), text)
		for _, f := range []struct {
			format Format
			read   func([]byte) (*Report, error)
		}{{Markdown, readMarkdown}, {Table, readTable}} {
			got, err := f.read([]byte(render(t, want, f.format, Options{All: true, Width: 1000})))
			if err != nil {
				t.Errorf("%q: %s: %v", text, f.format, err)
				continue
			}
			names := map[string]bool{}
			for i := range got.Results {
				names[got.Results[i].Variant] = true
			}
			for i := range want.Results {
				if c := &want.Results[i]; c.measured() && !names[clean(c.Variant)] {
					t.Errorf("%q: %s: no %q", text, f.format, clean(c.Variant))
				}
			}
		}
	}
}

// An operation of which no cell has figures has notes in place of a table.
func TestReadNotesAlone(t *testing.T) {
	want := full()
	want.Results = slices.DeleteFunc(want.Results, func(c Result) bool {
		return c.Payload != "small" || c.Op == "unmarshal" && c.Status == OK
	})
	want.Results = append(want.Results, Result{Suite: want.Suite, Payload: "small", Variant: "broken", Op: "unmarshal", Status: Failed, Reason: "it broke"})
	for _, f := range []struct {
		format Format
		read   func([]byte) (*Report, error)
	}{{Markdown, readMarkdown}, {Table, readTable}} {
		got, err := f.read([]byte(render(t, want, f.format, Options{All: true})))
		if err != nil {
			t.Fatal(err)
		}
		checkCells(t, want, got)
	}
}

// The median is rounded more than its interval, which holds it all the same.
func TestReadInterval(t *testing.T) {
	for _, text := range []string{"180.2–180.4 ns", "179.5–179.7 ns"} {
		median, err := readDuration("180 ns")
		if err != nil {
			t.Fatal(err)
		}
		got, err := readInterval(median, text)
		if err != nil || got.Low > 180 || got.High < 180 {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
}
