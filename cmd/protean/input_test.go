package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/cmd/protean/internal/suite"
)

// orders loads the orders by itself, to know what the command must find.
func orders(t *testing.T) *suite.Payload {
	t.Helper()
	s, err := suite.Load(suite.Source{
		Protos: []string{orderSchema[1]}, ImportPaths: []string{orderSchema[3]}, Message: "Order",
		Data: []string{ordersData},
	})
	if err != nil {
		t.Fatal(err)
	}
	return s.Payloads[0]
}

// ordersSet writes the schema of the orders as a descriptor set, without comments.
func ordersSet(t *testing.T) string {
	t.Helper()
	s, err := suite.ParseSchema([]string{orderSchema[1]}, []string{orderSchema[3]})
	if err != nil {
		t.Fatal(err)
	}
	set, err := proto.Marshal(s.FileSet())
	if err != nil {
		t.Fatal(err)
	}
	return writeFile(t, filepath.Join(t.TempDir(), "orders.binpb"), string(set))
}

// meanSize is the mean size of samples as the JSON format rounds it.
func meanSize(samples []suite.Sample) float64 {
	sum := 0
	for _, s := range samples {
		sum += len(s.Wire)
	}
	return math.Round(float64(sum)/float64(len(samples))*1000) / 1000
}

// Data comes in many forms; the sizes say whether all of it was read.
func TestData(t *testing.T) {
	heavy(t)
	dir := t.TempDir()
	all := orders(t).Samples
	lines := strings.SplitAfter(strings.TrimSpace(readFile(t, ordersData)), "\n")
	if len(lines) != len(all) {
		t.Fatalf("%d lines, %d samples", len(lines), len(all))
	}
	few := writeFile(t, filepath.Join(dir, "few.jsonl"), strings.Join(lines[:5], ""))
	rest := writeFile(t, filepath.Join(dir, "rest.jsonl"), strings.Join(lines[5:], ""))
	array := writeFile(t, filepath.Join(dir, "array.json"), "[\n"+strings.Join(lines[:3], ",")+"\n]\n")
	binary := writeFile(t, filepath.Join(dir, "one.binpb"), string(all[7].Wire))
	for _, tt := range []struct {
		name    string
		stdin   string
		flags   []string
		payload string
		want    []suite.Sample
	}{
		{"lines", "", []string{"--data", few}, "few", all[:5]},
		{"array", "", []string{"--data", array}, "array", all[:3]},
		{"several files", "", []string{"--data", few, "--data", rest}, "data", all},
		{"binary", "", []string{"--data", binary}, "one", all[7:8]},
		{"named format", "", []string{"--data", binary, "--data-format", "binary"}, "one", all[7:8]},
		{"standard input", lines[9], []string{"--data", "-"}, "stdin", all[9:10]},
		{"standard input and a file", string(all[7].Wire), []string{"--data", "-", "--data", few}, "data",
			append([]suite.Sample{all[7]}, all[:5]...)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			args := flags(flags(orderSchema, onlyOneSize...), tt.flags...)
			o := protean(t, strings.NewReader(tt.stdin), flags([]string{"bench", "--format", "json"}, args...)...)
			d := parsed(t, o, exitOK)
			if got, want := number(d.cell(t, tt.payload, "Concrete (proto)", "size").Wire),
				meanSize(tt.want); got != want {
				t.Errorf("%v bytes, want %v", got, want)
			}
		})
	}
}

// A descriptor set does as well as sources, and needs no other program.
func TestDescriptorSet(t *testing.T) {
	heavy(t)
	file := ordersSet(t)
	benchJSON(t, exitOK, flags(ordersFlags, onlyOneSize...)...)
	before := programs(t)
	d := benchJSON(t, exitOK, flags(onlyOneSize, "--descriptor-set", file, "--message", "shop.orders.v1.Order",
		"--data", ordersData)...)
	if got, want := number(d.cell(t, "orders", "Concrete (proto)", "size").Wire),
		meanSize(orders(t).Samples); got != want {
		t.Errorf("%v bytes, want %v", got, want)
	}
	if after := programs(t); len(after) != len(before) {
		t.Errorf("%d programs after %d: the same schema was built again", len(after), len(before))
	}
}

// With rows, JSON is the bare list and Any packs each row: the sizes are those
// published for the large payload.
func TestRows(t *testing.T) {
	heavy(t)
	folder := absolute("internal/suite/builtin/hidden-cost")
	d := benchJSON(t, exitOK, "--proto", folder+"/event.proto", "--message", "LargeEventPayload", "--data",
		folder+"/large.json",
		"--rows", "events", "--ops", "size", "--variants",
		"Concrete (JSON),Concrete (proto),google.protobuf.Any (proto)")
	for _, p := range published {
		switch p.variant {
		case "Concrete (JSON)", "Concrete (proto)", "google.protobuf.Any (proto)":
			if got := number(d.cell(t, "large", p.variant, "size").Wire); got != p.large {
				t.Errorf("%s: %v bytes, want %v", p.variant, got, p.large)
			}
		}
	}
}

// programs returns the built programs of the cache by path.
func programs(t *testing.T) map[string]os.FileInfo {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(os.Getenv("PROTEAN_CACHE"), "*", "program.bin"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]os.FileInfo{}
	for _, path := range paths {
		if out[path], err = os.Stat(path); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// A second run with the schema runs the same program. In a checkout the go command
// looks whether the lab's own code has changed, and marks the file as looked at, so
// its time is no witness here; it is in TestRelease.
func TestNoRebuild(t *testing.T) {
	heavy(t)
	args := flags(ordersFlags, onlyOneSize...)
	benchJSON(t, exitOK, args...)
	before := programs(t)
	benchJSON(t, exitOK, args...)
	after := programs(t)
	if len(before) == 0 || len(after) != len(before) {
		t.Errorf("%d programs after %d", len(after), len(before))
	}
	for path, info := range before {
		if !os.SameFile(info, after[path]) {
			t.Errorf("%s was built again", path)
		}
	}
}

// Neither the user's folder nor the folder for temporary files keeps a trace.
func TestFoldersUntouched(t *testing.T) {
	heavy(t)
	dir, temporary := t.TempDir(), t.TempDir()
	writeFile(t, filepath.Join(dir, "go.mod"), "module example.com/mine\n\ngo 1.26\n")
	writeFile(t, filepath.Join(dir, "main.go"), "package main\n\nfunc main() {}\n")
	writeFile(t, filepath.Join(dir, "data.jsonl"), readFile(t, ordersData))
	t.Chdir(dir)
	t.Setenv("TMPDIR", temporary)
	before := listing(t, dir)
	benchJSON(t, exitOK, flags(orderSchema, flags(threeMarshal, "--data", "data.jsonl")...)...)
	if after := listing(t, dir); after != before {
		t.Errorf("the folder was\n%s and is\n%s", before, after)
	}
	if left := listing(t, temporary); left != "" {
		t.Errorf("temporary files are left:\n%s", left)
	}
}

// listing returns all files below a folder with their contents.
func listing(t *testing.T, dir string) string {
	t.Helper()
	var out strings.Builder
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		out.WriteString(strings.TrimPrefix(path, dir) + "\n")
		if !e.IsDir() {
			out.WriteString(readFile(t, path) + "\n")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}
