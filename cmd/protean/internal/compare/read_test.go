package compare

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/protean-pb/protean/cmd/protean/internal/report"
	"github.com/protean-pb/protean/cmd/protean/internal/result"
	"github.com/protean-pb/protean/cmd/protean/internal/usererr"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata, and fail")

func TestReadErrors(t *testing.T) {
	const head = "suite,payload,variant,op,status,ns\n"
	for _, tt := range []struct{ name, text, want string }{
		{"empty", "", "x: the file is empty; " + readable},
		{"blank", "\ufeff \r\n", "x: the file is empty; " + readable},
		{"prose", "Dear all,\nit is faster now.\n", "x: no results that can be recognised; " + readable},
		{"go test without benchmarks", "PASS\nok  \tacme\t0.1s\n", "x: no results that can be recognised; " + readable},
		{"go test -json", `{"Action":"start","Package":"acme"}` + "\n",
			"x: output of go test -json, which needs to be without -json; " + readable},
		{"other JSON", "{\n  \"a\": 1\n}", `x: no "results"`},
		{"no results", `{"results": []}`, "x: no results in it; " + readable},
		{"cut off", "{\n  \"results\": [\n", "x:2: unexpected end of JSON input"},
		{"JSON with an error", "{\n  \"results\": [\n  oops]}",
			"x:3: invalid character 'o' looking for beginning of value"},
		{"JSON of other types", "{\n  \"results\": [\n  {\"suite\": 7}]}",
			"x:3: field results.suite cannot be a number"},
		{"JSON twice", `{"results": []}{"results": []}`, "x:1: invalid character '{' after top-level value"},
		{"cell twice", `{"results": [{"suite":"s","variant":"v","op":"size","status":"ok"},{"suite":"s","variant":"v","op":"size","status":"ok"}]}`, "x: s · size · v is there twice"},
		{"CSV without rows", head, "x: no results in it; " + readable},
		{"CSV with an error", head + "s,p,v,marshal,ok,fast\n", `x:2: ns: cannot read "fast"`},
		{"CSV with few fields", head + "s,p\n", "x:2: wrong number of fields"},
		{"page of somebody else's", "<!DOCTYPE html>\n<html>", "x: an HTML page without results of protean"},
		{"page with an error", "<!DOCTYPE html>\n<script type=\"application/json\" id=\"results\">oops</script>",
			"x:2: invalid character 'o' looking for beginning of value"},
		{"Markdown", "### s · p · marshal\n\n6 rounds\n\n| Variant | Time/op |\n| --- | --: |\n| v | fast |\n",
			"x: a markdown report, which is rounded for people; " + readable},
		{"table", "s · p · marshal\n6 rounds\nvariant  time\nv        5 xs\n",
			"x: a table report, which is rounded for people; " + readable},
		{"bench with nothing in it", "BenchmarkA oops oops oops\n", "x: no results in it; " + readable},
	} {
		r, err := Read("x", []byte(tt.text))
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s: %v, %v, want %s", tt.name, r, err, tt.want)
		}
	}
}

// Logs and broken lines between the benchmarks do not stop the reader, and are told of.
func TestReadLogs(t *testing.T) {
	r := parse(t, "x", "\ufeffgoos: linux\nhello\nBenchmarkA-2 \t 100\t 5 ns/op\nBenchmarkB-2 2026/11/21 "+
		"log\nBenchmarkC 1 NaN ns/op\nBenchmarkA-2 100 6 ns/op\n")
	want := "x:4: parsing iteration count: invalid syntax; x:5: NaN sec/op is no figure to compare"
	if got := strings.Join(r.Warnings, "; "); got != want {
		t.Errorf("warnings %q, want %q", got, want)
	}
	if len(r.Rows) != 2 || len(r.Rows[0].Values["time"].Samples) != 2 || r.setting("goos") != "linux" {
		t.Errorf("%d rows, %v", len(r.Rows), r.Env)
	}
}

// What go test says of benchmarks that fail or are skipped.
func TestReadFailing(t *testing.T) {
	r := read(t, "testdata/gotest-failing.txt")
	var got []string
	for _, row := range r.Rows {
		got = append(got, strings.TrimSpace(row.Variant+" "+string(row.Status)+" "+row.Reason))
	}
	want := "Good ok; Sub/ok ok; Sub/log ok; Bad failed a_test.go:5: before; Sub/bad failed a_test.go:9: wrong answer"
	if strings.Join(got, "; ") != want {
		t.Errorf("%s, want %s", strings.Join(got, "; "), want)
	}
	// The second time, it fails; before, it did not.
	before := "BenchmarkA-2 1 5 ns/op\n"
	after := before + "--- FAIL: BenchmarkA\n    no luck\n--- SKIP: BenchmarkB\n    not here\n"
	c := compared(t, parse(t, "old", before), parse(t, "new", after), Options{Limits: limit(t, "5%")})
	if len(c.Turned) != 1 || len(c.Changes) != 0 || len(c.OnlyNew) != 1 || list(c.OnlyNew)[0] != "B (not-applicable)" ||
		!c.Failed() {
		t.Errorf("turned %v, only in new %v", c.Turned, c.OnlyNew)
	}
}

// FuzzRead reads whatever bytes there are, without a panic. What can be read differs
// in nothing from itself, and can be shown.
func FuzzRead(f *testing.F) {
	for _, path := range []string{"../report/testdata/minimal.json", "../report/testdata/minimal.csv",
		"../report/testdata/minimal.bench", "testdata/gotest-old.txt"} {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte("<!DOCTYPE html><script type=\"application/json\" " +
		"id=\"results\">{\"results\":[{\"suite\":\"s\",\"op\":\"size\",\"status\":\"ok\"}]}</script>"))
	f.Add([]byte("suite,payload,variant,op,status,ns,wire_bytes\ns,p,v,size,ok,1e400,-1\ns,p,w,marshal,failed,,\n"))
	f.Add([]byte("pkg: a\nBenchmarkA-2 1 0 ns/op -5 x 1e308 MB/s\n    --- FAIL: BenchmarkA/b\n        why\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := Read("x", text)
		if err != nil {
			if _, ok := err.(*usererr.InputError); !ok || strings.Contains(err.Error(), "\n") ||
				!strings.HasPrefix(err.Error(), "x:") {
				t.Errorf("error %T %q", err, err)
			}
			return
		}
		c, err := Compare(r, r, Options{Limits: limit(t, "0%")})
		if err != nil {
			return
		}
		for _, x := range c.Changes {
			if x.Verdict != Same && x.Verdict != Unclear || x.Fails {
				t.Errorf("%s: %s of itself is %s: %+v", x.Row, x.Metric.Name, x.Verdict, x)
			}
		}
		for _, format := range []report.Format{report.Table, report.Markdown, report.JSON} {
			if err := Write(&strings.Builder{}, c, true, format, report.Options{}); err != nil {
				t.Error(err)
			}
		}
	})
}

// TestRefusedCells has a variant that cannot represent the data: told in the words of the run's own tables.
func TestRefusedCells(t *testing.T) {
	cell := result.Result{
		Suite: "s", Payload: "p", Variant: "JSON", Op: "marshal", Status: result.NotApplicable, Refused: true,
		Reason: "+Inf",
	}
	read := func(c result.Result) *Row {
		results, err := fromReport("new.json", &report.Report{Results: []result.Result{c}})
		if err != nil || len(results.Rows) != 1 {
			t.Fatal(results, err)
		}
		return results.Rows[0]
	}
	refused := read(cell)
	cell.Status, cell.Refused, cell.Reason = result.OK, false, ""
	lines := append(list([]*Row{refused}), told([]Turn{{Old: read(cell), New: refused}})...)
	if len(lines) != 2 || !strings.Contains(lines[0], "JSON (cannot represent)") ||
		!strings.Contains(lines[1], ": cannot represent, was ok (+Inf)") {
		t.Errorf("%q", lines)
	}
}
