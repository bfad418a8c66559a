package callsite_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/protean-pb/protean/lint/callsite"
)

// calls is a module with a call site of each of two analyzers.
const calls = "../vet/testdata"

func check(t *testing.T, patterns ...string) []callsite.Finding {
	t.Helper()
	t.Setenv("GOWORK", "off")
	found, err := callsite.Check(calls, patterns)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 {
		t.Fatal("nothing is found")
	}
	return found
}

func TestCheck(t *testing.T) {
	found := check(t, "./protojsonmap", "./jsonstructpb")
	first := found[0].String()
	if want := "jsonstructpb/a.go:17:12: JSON is marshalled and parsed again into a Struct; value.NewStruct of " +
		"github.com/protean-pb/protean builds the same from the Go value (jsonstructpb)"; !strings.HasSuffix(first, want) {
		t.Errorf("%s, want %s", first, want)
	}
	if len(found[0].Spans) != 2 || found[0].Spans[1].First != 12 {
		t.Errorf("spans %v: the call that marshals is missing", found[0].Spans)
	}
	for i := 1; i < len(found); i++ {
		if found[i].String() == found[i-1].String() {
			t.Errorf("twice: %s", found[i].String())
		}
	}
}

func TestCheckErrors(t *testing.T) {
	t.Setenv("GOWORK", "off")
	dir := t.TempDir()
	write(t, dir, "go.mod", "module m\n\ngo 1.26.0\n")
	write(t, dir, "a/a.go", "package a\n\nvar x int = \"s\"\n")
	write(t, dir, "empty/README", "no Go files")
	for _, tt := range []struct{ pattern, want string }{
		{"./a", "a.go:3:13: cannot use"},
		{"./nope", "directory not found"},
		{"./nope/...", "no such file or directory"},
		{"./empty/...", "no packages match ./empty/..."},
	} {
		if _, err := callsite.Check(dir, []string{tt.pattern}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.pattern, err, tt.want)
		}
	}
}

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// A frame is a function at a line of a file.
type frame struct {
	function, file string
	line           int64
}

// newProfile writes a profile with stacks, leaf first, of such weights.
func newProfile(t *testing.T, stacks map[int64][]frame) *callsite.Profile {
	t.Helper()
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"},
	}
	for weight, stack := range stacks {
		s := &profile.Sample{Value: []int64{1, weight}}
		for _, f := range stack {
			fn := &profile.Function{ID: uint64(len(p.Function) + 1), Name: f.function, Filename: f.file}
			l := &profile.Location{ID: fn.ID, Line: []profile.Line{{Function: fn, Line: f.line}}}
			p.Function, p.Location, s.Location = append(p.Function, fn), append(p.Location, l), append(s.Location, l)
		}
		p.Sample = append(p.Sample, s)
	}
	path := filepath.Join(t.TempDir(), "cpu.pprof")
	w, err := os.Create(path)
	if err == nil {
		err = p.Write(w)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	read, err := callsite.ReadProfile(path)
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// Samples belong to the first line of a user's, from the leaf on, that is neither of Protobuf nor
// of the standard library nor generated; and findings come in the order of what they explain.
func TestExplain(t *testing.T) {
	found := check(t, "./protojsonmap", "./jsonstructpb")
	user := found[0].File // jsonstructpb/a.go: marshalled in line 12, parsed in 17
	protojson := frame{"google.golang.org/protobuf/encoding/protojson.Unmarshal",
		"/m/google.golang.org/protobuf@v1.36.12/encoding/protojson/decode.go", 9}
	p := newProfile(t, map[int64][]frame{
		100: {{"runtime.mallocgc", "/usr/local/go/src/runtime/malloc.go", 1}, protojson,
			{"example.com/calls/jsonstructpb.toStruct", user, 17}, {"main.main", "/x/main.go", 3}},
		200: {{"encoding/json.Marshal", "/usr/local/go/src/encoding/json/encode.go", 1},
			{"example.com/calls/jsonstructpb.toStruct", user, 12}},
		50: {{"aeshashbody", "/usr/local/go/src/runtime/asm_amd64.s", 1},
			{"slices.pdqsortCmpFunc[go.shape.struct { google.golang.org/protobuf/x.y string }]", "/usr/local/go/src/slices/zsort.go", 1},
			{"internal/runtime/maps.newarray", "runtime/malloc.go", 1}, {"example.com/calls/jsonstructpb.toStruct", user, 12}},
		10: {{"runtime.gcBgMarkWorker", "/usr/local/go/src/runtime/mgc.go", 1}},
		20: {{"strconv.ParseFloat", "strconv/atof.go", 5}, protojson,
			{"example.com/calls/protojsonmap.toMap", "example.com/calls@v1.2.3/protojsonmap/a.go", 22}},
		40: {protojson, {"main.work", "/elsewhere/main.go", 17}, {"example.com/calls/jsonstructpb.toStruct", user, 17}},
		30: {protojson, {"example.com/calls/eventpb.(*Event).Get", "/m/eventpb/event.pb.go", 7},
			{"example.com/calls/jsonstructpb.toStruct", user, 17}},
	})
	p.Explain(found)
	if p.Total != 450 {
		t.Errorf("total %d", p.Total)
	}
	if f := found[0]; f.Explained != 380 || f.Line != 17 || p.Share(&f) != 380./450 {
		t.Errorf("%s explains %d, want 380", f.String(), f.Explained)
	}
	if f := found[1]; f.Explained != 20 || f.Line != 22 || !strings.Contains(f.File, "protojsonmap") {
		t.Errorf("%s explains %d, want 20", f.String(), f.Explained)
	}
	for _, f := range found[2:] {
		if f.Explained != 0 {
			t.Errorf("%s explains %d", f.String(), f.Explained)
		}
	}
}

func TestProfileErrors(t *testing.T) {
	dir := t.TempDir()
	for path, want := range map[string]string{
		filepath.Join(dir, "nope"):    "nope: no such file",
		write(t, dir, "text", "text"): "text: not a profile of pprof: ",
		dir:                           ": is a directory",
	} {
		if _, err := callsite.ReadProfile(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
}
