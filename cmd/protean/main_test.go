package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/protean-pb/protean/internal/test/race"
)

// checkout is the root of this repository, and schemas the folder of schemas that
// stand for a user's own.
var (
	checkout = absolute("../..")
	schemas  = absolute("internal/suite/testdata/schemas")
)

func absolute(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		panic(err)
	}
	return abs
}

// testFolder is removed after the tests.
var testFolder string

// TestMain gives all tests one cache, so that a program is built once a schema.
func TestMain(m *testing.M) {
	os.Exit(func() int {
		var err error
		if testFolder, err = os.MkdirTemp("", "protean-test-"); err != nil {
			panic(err)
		}
		defer os.RemoveAll(testFolder)
		if err := os.Setenv("PROTEAN_CACHE", filepath.Join(testFolder, "cache")); err != nil {
			panic(err)
		}
		return m.Run()
	}())
}

// The flags of the schemas below testdata.
var (
	orderSchema = []string{"--proto", schemas + "/orders/proto/shop/orders/v1/order.proto", "-I",
		schemas + "/orders/proto", "--message", "Order"}
	ordersData  = schemas + "/orders/orders.jsonl"
	ordersFlags = flags(orderSchema, "--data", ordersData)
	reportFlags = []string{"--proto", schemas + "/telemetry/telemetry.proto", "--message", "Report", "--data",
		schemas + "/telemetry/telemetry.delim"}
	wideFlags    = []string{"--proto", schemas + "/wide/wide.proto", "--data", schemas + "/wide/rows.json"}
	onlyOneSize  = []string{"--variants", "Concrete (proto)", "--ops", "size"}
	threeMarshal = []string{"--variants", "Concrete (proto),Concrete (vtproto),google.protobuf.Value (proto)", "--ops",
		"marshal"}
)

// shelfFlags are those of a schema whose files of one package name several Go packages.
var shelfFlags = []string{"--proto", schemas + "/annotated/proto/acme/shelf/v1/shelf.proto",
	"-I", schemas + "/annotated/proto",
	"--message", "Shelf", "--data", schemas + "/annotated/shelf.jsonl"}

// flags joins lists of flags and flags.
func flags(list []string, more ...string) []string {
	return append(append([]string{}, list...), more...)
}

// An outcome is what a command leaves.
type outcome struct {
	code           int
	stdout, stderr string
}

// protean runs a command line in this process.
func protean(t *testing.T, stdin io.Reader, args ...string) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := run(context.Background(), args, stdin, &stdout, &stderr)
	return outcome{code, stdout.String(), stderr.String()}
}

// bench runs protean bench for a second.
func bench(t *testing.T, args ...string) outcome {
	t.Helper()
	return protean(t, strings.NewReader(""), flags([]string{"bench", "--time", "1s"}, args...)...)
}

// A document is the JSON format, as far as the tests look at it.
type document struct {
	Env struct {
		Protean string `json:"protean"`
		Command string `json:"command"`
	} `json:"env"`
	Results     []cell `json:"results"`
	Interrupted bool   `json:"interrupted"`
	Suite       string `json:"suite"`
	Baseline    string `json:"baseline"`
}

type cell struct {
	Payload    string            `json:"payload"`
	Variant    string            `json:"variant"`
	Op         string            `json:"op"`
	NS         *float64          `json:"ns"`
	Allocs     *float64          `json:"allocs_op"`
	Wire       *float64          `json:"wire_bytes"`
	Gzip       *float64          `json:"gzip_bytes"`
	Zstd       *float64          `json:"zstd_bytes"`
	Capacity   *float64          `json:"capacity_bytes"`
	Samples    int               `json:"samples"`
	Status     string            `json:"status"`
	Reason     string            `json:"reason"`
	Baseline   *string           `json:"baseline"`
	Properties map[string]string `json:"properties"`
	Components []struct {
		Allocs float64 `json:"allocs_op"`
	} `json:"components"`
}

func (c *cell) String() string { return fmt.Sprintf("%s/%s/%s", c.Payload, c.Variant, c.Op) }

// parse reads the JSON format.
func parse(t *testing.T, text string) *document {
	t.Helper()
	d := new(document)
	if err := json.Unmarshal([]byte(text), d); err != nil {
		t.Fatalf("results are not JSON: %v\n%.500s", err, text)
	}
	if len(d.Results) == 0 {
		t.Fatal("no results")
	}
	return d
}

// benchJSON runs protean bench, checks the exit code and reads the results.
func benchJSON(t *testing.T, code int, args ...string) *document {
	t.Helper()
	return parsed(t, bench(t, flags(args, "--format", "json")...), code)
}

func parsed(t *testing.T, o outcome, code int) *document {
	t.Helper()
	if o.code != code || o.stderr != "" {
		t.Fatalf("exit code %d, want %d; standard error: %s", o.code, code, o.stderr)
	}
	return parse(t, o.stdout)
}

// cell finds a cell; the payload may be empty where there is one only.
func (d *document) cell(t *testing.T, payload, variant, op string) *cell {
	t.Helper()
	var found *cell
	for i := range d.Results {
		c := &d.Results[i]
		if c.Variant == variant && c.Op == op && c.Payload == cmp.Or(payload, c.Payload) {
			if found != nil {
				t.Fatalf("two cells: %s and %s", found, c)
			}
			found = c
		}
	}
	if found == nil {
		t.Fatalf("no cell for %s of %s on %q", op, variant, payload)
	}
	return found
}

// number is the value of a cell's figure, or -1 where it is null.
func number(p *float64) float64 {
	if p == nil {
		return -1
	}
	return *p
}

// binary is the command as a user would have it, built on first use.
var binary = sync.OnceValues(func() (string, error) {
	path := filepath.Join(testFolder, "bin", "protean")
	cmd := exec.Command("go", "build", "-o", path, ".")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

func mustBinary(t *testing.T) string {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// heavy skips a test that builds programs or measures. What it runs are other programs,
// which the race detector does not see.
func heavy(t *testing.T) {
	t.Helper()
	builds(t)
	if race.Enabled {
		t.Skip("the work is done by other programs")
	}
}

// builds skips a test that builds programs.
func builds(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds a benchmark program")
	}
}

func writeFile(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
