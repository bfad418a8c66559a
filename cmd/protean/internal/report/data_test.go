package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/perf/benchfmt"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
)

const firstKeys = `"suite","payload","variant","family","op","ns","ns_low","ns_high","ratio","ratio_low","ratio_high",` +
	`"bytes_op","allocs_op","wire_bytes","gzip_bytes","zstd_bytes","samples","status","reason",` +
	`"baseline","rank","tied","converged","lossy","iterations","capacity_bytes","refused","apart","held","components","properties"`

func TestJSONShape(t *testing.T) {
	text := render(t, full(), JSON, Options{All: true})
	if !json.Valid([]byte(text)) {
		t.Fatal("not JSON")
	}
	key := regexp.MustCompile(`"[a-z_]+":`)
	for _, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, `{"suite"`) {
			line, _, _ = strings.Cut(line, `{"utf8"`)
			keys := strings.ReplaceAll(strings.Join(key.FindAllString(line, -1), ","), ":", "")
			if keys != firstKeys {
				t.Fatalf("keys %s, want %s", keys, firstKeys)
			}
		}
	}
	var f map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &f); err != nil {
		t.Fatal(err)
	}
	for _, k := range []string{"env", "results", "variants", "warnings", "summary", "interrupted"} {
		if f[k] == nil {
			t.Errorf("no %q", k)
		}
	}
}

// TestJSONNulls: what does not exist is null, never 0.
func TestJSONNulls(t *testing.T) {
	var f struct{ Results []map[string]any }
	if err := json.Unmarshal([]byte(render(t, full(), JSON, Options{All: true})), &f); err != nil {
		t.Fatal(err)
	}
	timing := []string{"ns", "ns_low", "ns_high", "ratio", "ratio_low", "ratio_high", "bytes_op", "allocs_op", "rank",
		"tied", "converged", "baseline"}
	sizes := []string{"wire_bytes", "gzip_bytes", "zstd_bytes"}
	seen := map[string]int{}
	for i, c := range f.Results {
		var exist, absent []string
		switch {
		case c["status"] != "ok":
			absent = append(timing, sizes...)
			seen["none"]++
		case c["op"] == "size":
			exist, absent = sizes, timing
			seen["size"]++
		case c["samples"] == 4.0: // too few for an interval
			exist, absent = []string{"ns", "ratio", "converged"},
				append(sizes, "ns_low", "ns_high", "ratio_low", "ratio_high")
			seen["few"]++
		default:
			exist, absent = timing, sizes
			seen["timed"]++
		}
		for _, k := range exist {
			if c[k] == nil {
				t.Errorf("results[%d] %v %v: %s is null", i, c["variant"], c["op"], k)
			}
		}
		for _, k := range absent {
			if c[k] != nil {
				t.Errorf("results[%d] %v %v: %s is %v, want null", i, c["variant"], c["op"], k, c[k])
			}
		}
	}
	for _, kind := range []string{"none", "size", "few", "timed"} {
		if seen[kind] == 0 {
			t.Errorf("the fixture has no cell of kind %s", kind)
		}
	}
}

// TestReadJSON: what is read back is what was written, but for digits and turns.
func TestReadJSON(t *testing.T) {
	for name, report := range reports {
		want := report()
		text := render(t, want, JSON, Options{All: true})
		got, err := readJSON([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for i := range want.Results {
			c := &want.Results[i]
			c.Turns = nil
			if !c.Timed() {
				c.Baseline = ""
			}
			if !c.Measured() && c.Status != result.OK {
				c.BytesOp, c.AllocsOp = 0, 0
			}
		}
		opts := cmp.Options{cmpopts.EquateApprox(1e-4, 0), cmpopts.EquateNaNs(), cmpopts.EquateEmpty()}
		if d := cmp.Diff(want, got, opts); d != "" {
			t.Errorf("%s (-written +read):\n%s", name, d)
		}
		if again := render(t, got, JSON, Options{All: true}); again != text {
			t.Errorf("%s: written again, it differs:\n%s", name, cmp.Diff(text, again))
		}
		if got, want := render(t, got, Table, Options{All: true}),
			render(t, report(), Table, Options{All: true}); got != want {
			t.Errorf("%s: its table differs (-want +got):\n%s", name, cmp.Diff(want, got))
		}
	}
}

func TestReadJSONErrors(t *testing.T) {
	for text, want := range map[string]string{
		``:                                "line 1: unexpected end of JSON input",
		`{"results": [`:                   "line 1: unexpected end of JSON input",
		`{"env": {}}`:                     `no "results"`,
		`{"results":[]}{"results":[]}`:    "line 1: invalid character '{' after top-level value",
		`{"results":[{"ns":"fast"}]}`:     `expected a number, found "fast"`,
		`{"results":[{"status":"fine"}]}`: `results[0]: unknown status "fine"`,
	} {
		if _, err := readJSON([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}

func TestCSVHasTheJSONFields(t *testing.T) {
	rows, err := csv.NewReader(strings.NewReader(render(t, full(), CSV, Options{All: true}))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	names := strings.TrimSuffix(strings.ReplaceAll(firstKeys, `"`, ""), "properties") +
		"utf8,input,deterministic,int64,nan,empty,unknown,order,memory,mutable"
	if got := strings.Join(rows[0], ","); got != names {
		t.Errorf("header %s, want %s", got, names)
	}
	if got, want := len(rows)-1, len(full().Results); got != want {
		t.Errorf("%d rows, want %d", got, want)
	}
	for _, row := range rows[1:] {
		for i, text := range row {
			if strings.Contains(text, "NaN") || strings.Contains(text, "e+") || strings.HasPrefix(text, "0x") {
				t.Errorf("%s %s: %s is %q", row[2], row[4], rows[0][i], text)
			}
		}
	}
}

// TestBenchReadsBack gives what was written to the reader that benchstat uses.
func TestBenchReadsBack(t *testing.T) {
	r := full()
	turns, sizes := 0, 0
	for _, c := range r.Results {
		turns += len(c.Turns)
		if c.Op == "size" && c.Status == result.OK {
			sizes++
		}
	}
	reader := benchfmt.NewReader(bytes.NewBufferString(render(t, r, Bench, Options{All: true})), "test")
	for reader.Scan() {
		switch rec := reader.Result().(type) {
		case *benchfmt.SyntaxError:
			t.Error(rec)
		case *benchfmt.Result:
			if _, ok := rec.Value("sec/op"); ok {
				turns--
			}
			if _, ok := rec.Value("wire-B/msg"); ok {
				sizes--
			}
			checkBenchResult(t, rec)
		}
	}
	if turns != 0 || sizes != 0 {
		t.Errorf("%d turns and %d sizes were lost", turns, sizes)
	}
}

func checkBenchResult(t *testing.T, rec *benchfmt.Result) {
	t.Helper()
	base, parts := rec.Name.Parts()
	if string(base) != "HiddenCost" || len(parts) != 4 || string(parts[3]) != "-2" {
		t.Fatalf("name %s has the parts %s %q", rec.Name, base, parts)
	}
	for i, key := range []string{"/payload=", "/variant=", "/op="} {
		if !bytes.HasPrefix(parts[i], []byte(key)) {
			t.Errorf("part %d of %s is %s, want %s…", i, rec.Name, parts[i], key)
		}
	}
	for key, want := range map[string]string{"goos": "linux", "goarch": "amd64", "suite": "hidden-cost",
		"go":      "go1.26.0",
		"protean": "v0.1.0", "cpu": "AMD EPYC 9R14 96-Core Processor"} {
		if got := rec.GetConfig(key); got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
	if rec.Iters < 1 {
		t.Errorf("%s: %d iterations", rec.Name, rec.Iters)
	}
}

func TestBenchNames(t *testing.T) {
	r := &Report{Env: result.Env{GOMAXPROCS: 1}}
	c := &result.Result{Suite: "protobuf-vs-json 2", Payload: "dir/a b.json", Variant: "Concrete (proto)",
		Op: "construct+marshal"}
	const want = "ProtobufVsJson/payload=dir_a_b.json/variant=Concrete_(proto)/op=construct+marshal"
	if got := benchName(r, c); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for suite, want := range map[string]string{"": "Suite", "42": "Suite", "élan vital": "ÉlanVital", "x": "X"} {
		if got := result.SuiteName(suite); got != want {
			t.Errorf("SuiteName(%q) = %q, want %q", suite, got, want)
		}
	}
}

// TestMarkdownTables: every row of a table has as many cells as its head.
func TestMarkdownTables(t *testing.T) {
	cellEnd := regexp.MustCompile(`(^|[^\\])\|`)
	for name, report := range map[string]func() *Report{"full": full, "hostile": hostile} {
		want := 0
		for _, line := range strings.Split(render(t, report(), Markdown, Options{All: true}), "\n") {
			n := len(cellEnd.FindAllString(line, -1))
			switch {
			case !strings.HasPrefix(line, "|"):
				n, want = 0, 0
			case want == 0:
				want = n
			}
			if n != want {
				t.Errorf("%s: %d separators, want %d: %s", name, n, want, line)
			}
			if strings.Contains(line, "<script>") {
				t.Errorf("%s: markup got through: %s", name, line)
			}
		}
	}
}
