package main

import (
	"encoding/csv"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/perf/benchfmt"
)

func TestTable(t *testing.T) {
	heavy(t)
	o := bench(t, flags(ordersFlags, "--all")...)
	if o.code != exitFailed || o.stderr != "" {
		t.Fatalf("exit code %d, standard error %q", o.code, o.stderr)
	}
	if strings.ContainsRune(o.stdout, '\x1b') {
		t.Error("an escape sequence where there is no terminal")
	}
	for _, line := range strings.Split(o.stdout, "\n") {
		if n := utf8.RuneCountInString(line); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	for _, want := range []string{"shop.orders.v1.Order · orders · marshal", "failed: hyperpb (proto)",
		"became 4294967294",
		"not applicable in size, marshal, unmarshal, unmarshal+read: map<string, string> (proto)"} {
		if !strings.Contains(strings.Join(strings.Fields(o.stdout), " "), want) {
			t.Errorf("no %q in\n%s", want, o.stdout)
		}
	}
}

// Without flags the table begins with a verdict, and is short.
func TestShortTable(t *testing.T) {
	heavy(t)
	o := bench(t, ordersFlags...)
	if o.code != exitFailed || o.stderr != "" {
		t.Fatalf("exit code %d, standard error %q", o.code, o.stderr)
	}
	lines := strings.Split(strings.TrimSuffix(o.stdout, "\n"), "\n")
	if len(lines) > 60 {
		t.Errorf("%d lines:\n%s", len(lines), o.stdout)
	}
	if !strings.HasPrefix(lines[0], "orders: ") || strings.Count(o.stdout, "\n#")+strings.Count(o.stdout, "\n #") != 3 {
		t.Errorf("no verdict first, or not three tables:\n%s", o.stdout)
	}
	for _, line := range lines {
		if n := utf8.RuneCountInString(line); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	text := strings.Join(strings.Fields(o.stdout), " ")
	for want, times := range map[string]int{
		"failed in unmarshal: hyperpb (proto): ": 1, "became 4294967294": 1, moreHint: 1, "Concrete (vtproto) ": -1,
		"properties": 0, "Map (JSON)": 0, " · construct": 0, "unmarshal+read": 0,
	} {
		if n := strings.Count(text, want); n != times && (times >= 0 || n == 0) {
			t.Errorf("%q is there %d times, want %d (-1 for some):\n%s", want, n, times, o.stdout)
		}
	}
}

func TestCSV(t *testing.T) {
	heavy(t)
	o := bench(t, flags(flags(ordersFlags, threeMarshal...), "--format", "csv")...)
	rows, err := csv.NewReader(strings.NewReader(o.stdout)).ReadAll()
	if err != nil || o.code != exitOK || o.stderr != "" {
		t.Fatalf("exit code %d, standard error %q, %v", o.code, o.stderr, err)
	}
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	if len(rows) != 4 {
		t.Errorf("%d rows, want a head and three cells", len(rows))
	}
	for _, row := range rows[1:] {
		ns, err := strconv.ParseFloat(row[column["ns"]], 64)
		if err != nil || ns <= 0 || row[column["status"]] != "ok" || row[column["op"]] != "marshal" ||
			row[column["wire_bytes"]] != "" {
			t.Errorf("row %q", row)
		}
	}
}

// The benchmark format has a line for each turn, and nothing that its readers trip over.
func TestBenchFormat(t *testing.T) {
	heavy(t)
	o := bench(t, flags(flags(ordersFlags, "--variants", "Concrete (proto),hyperpb (proto)"), "--format", "bench")...)
	if o.code != exitFailed || o.stderr != "" {
		t.Fatalf("exit code %d, standard error %q", o.code, o.stderr)
	}
	lines := map[string]int{}
	for _, r := range benchLines(t, o.stdout) {
		if r.GetConfig("suite") != "shop.orders.v1.Order" || r.GetConfig("goarch") == "" {
			t.Errorf("%s: configuration %v", r.Name, r.Config)
		}
		name, units := string(r.Name), []string{"ns/op", "B/op", "allocs/op"}
		if strings.HasSuffix(name, "/op=size") {
			units = []string{"wire-B/msg", "gzip-B/msg", "zstd-B/msg"}
		}
		for _, unit := range units {
			// The reader turns ns into sec.
			if v, ok := r.Value(strings.Replace(unit, "ns/", "sec/", 1)); !ok || v <= 0 {
				t.Errorf("%s: %v %s", name, v, unit)
			}
		}
		lines[name]++
	}
	const cells = "ShopOrdersVOrder/payload=orders/variant=Concrete_(proto)/op="
	if len(lines) != 3 || lines[cells+"size"] != 1 || lines[cells+"marshal"] == 0 || lines[cells+"unmarshal"] == 0 {
		t.Errorf("lines %v, want one of size and some of marshal and unmarshal", lines)
	}
	if !strings.Contains(o.stdout,
		"--- FAIL: Benchmark"+strings.TrimSuffix(cells, "Concrete_(proto)/op=")+"hyperpb_(proto)/op=unmarshal") {
		t.Errorf("the failed cell is not told of in\n%s", o.stdout)
	}
}

// benchLines reads the benchmark format; nothing in it may be malformed.
func benchLines(t *testing.T, text string) []*benchfmt.Result {
	t.Helper()
	var out []*benchfmt.Result
	for r := benchfmt.NewReader(strings.NewReader(text), "test"); r.Scan(); {
		switch rec := r.Result().(type) {
		case *benchfmt.Result:
			out = append(out, rec.Clone())
		case *benchfmt.SyntaxError:
			t.Error(rec)
		}
	}
	return out
}

func TestMarkdown(t *testing.T) {
	heavy(t)
	o := bench(t, flags(flags(ordersFlags, "--variants", "Concrete (proto),Concrete (JSON)"), "--format",
		"markdown")...)
	if o.code != exitOK || o.stderr != "" {
		t.Fatalf("exit code %d, standard error %q", o.code, o.stderr)
	}
	for _, op := range []string{"size", "marshal", "unmarshal"} {
		_, section, found := strings.Cut(o.stdout, "### shop.orders.v1.Order · orders · "+op+"\n")
		section, _, _ = strings.Cut(section, "\n### ")
		if !found || !strings.Contains(section, "| --- |") || !strings.Contains(section, "| Concrete (proto) |") ||
			!strings.Contains(section, "| Concrete (JSON)") {
			t.Errorf("no table for %s in\n%s", op, o.stdout)
		}
	}
}

// --out writes what would have gone to standard output, in place of what was there.
func TestOut(t *testing.T) {
	heavy(t)
	path := writeFile(t, filepath.Join(t.TempDir(), "results.json"), strings.Repeat("older and longer\n", 1000))
	o := bench(t, flags(flags(ordersFlags, onlyOneSize...), "--format", "json", "--out", path)...)
	if o.code != exitOK || o.stdout != "" || o.stderr != "" {
		t.Errorf("exit code %d, standard output %q, standard error %q", o.code, o.stdout, o.stderr)
	}
	parse(t, readFile(t, path))
}

// A run that comes to nothing leaves the results of an earlier one alone, and no
// empty file.
func TestOutOfFailedRun(t *testing.T) {
	dir := t.TempDir()
	earlier := writeFile(t, filepath.Join(dir, "earlier.json"), "earlier\n")
	t.Setenv("PATH", dir) // no Go toolchain
	for _, path := range []string{earlier, filepath.Join(dir, "new.json")} {
		if o := bench(t, "--out", path); o.code != exitUsage {
			t.Errorf("exit code %d", o.code)
		}
	}
	if got := readFile(t, earlier); got != "earlier\n" {
		t.Errorf("the earlier results are now %q", got)
	}
	if _, err := os.Stat(filepath.Join(dir, "new.json")); !os.IsNotExist(err) {
		t.Errorf("a file without results is left: %v", err)
	}
	if o := bench(t, "--out", filepath.Join(dir, "no", "folder.json")); o.code != exitUsage ||
		!strings.Contains(o.stderr, "folder.json") {
		t.Errorf("exit code %d, %q", o.code, o.stderr)
	}
}

// A pipe that breaks is told of, and is no success.
func TestBrokenOutput(t *testing.T) {
	heavy(t)
	var stderr strings.Builder
	code := run(t.Context(), flags(flags([]string{"bench"}, ordersFlags...), onlyOneSize...), nil, brokenWriter{},
		&stderr)
	if code == exitOK || !strings.HasPrefix(stderr.String(), "protean: ") {
		t.Errorf("exit code %d, %q", code, stderr.String())
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
