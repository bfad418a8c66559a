//go:build unix

package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/protean-pb/protean/examples/service/internal/rig"
)

// The test binary is what rig starts as server and client.
func TestMain(m *testing.M) {
	rig.Child(app)
	os.Exit(m.Run())
}

// TestLoad measures a few calls of all kinds, with and without compression and at a fixed rate: there is a line for
// each.
func TestLoad(t *testing.T) {
	for _, test := range []struct {
		args string
		rows int
	}{
		{"-framework grpc,connect -kind unary,up,down,both -workload struct", 8},
		{"-workload small,otlp,list -gzip", 3},
		{"-workload small -rate 2000 -codec arena", 1},
	} {
		if testing.Short() {
			test.args, test.rows = "-framework grpc,connect -kind both -workload small -gzip", 2
		}
		var out bytes.Buffer
		args := append(strings.Fields(test.args), "-calls", "40", "-rounds", "1", "-callers", "4")
		if err := command(t.Context(), args, &out); err != nil {
			t.Fatalf("%s: %v", test.args, err)
		}
		if n := strings.Count(out.String(), "\n"); n != 2+test.rows {
			t.Errorf("%s:\n%s", test.args, out.String())
		}
		if testing.Short() {
			break
		}
	}
	t.Setenv("PROTEAN_RIG_PROFILES", "") // is as it was when the test ends
	dir := filepath.Join(t.TempDir(), "profiles")
	args := []string{"-workload", "small", "-calls", "8", "-rounds", "1", "-profile", dir}
	if err := command(t.Context(), args, new(bytes.Buffer)); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "grpc-*-small-unary-*.pprof"))
	if err != nil || len(files) != 4 {
		t.Errorf("%v, %v", files, err)
	}
	for _, args := range []string{"-kind x", "-calls 5", "-rounds 0", "-rate -1", "-codec x", "x",
		"-framework connect -codec arena", "-workload nope"} {
		if err := command(t.Context(), strings.Fields(args), new(bytes.Buffer)); !errors.As(err, new(usageError)) {
			t.Errorf("%s: %v", args, err)
		}
	}
}
