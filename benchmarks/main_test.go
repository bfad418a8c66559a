package main

import (
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"
)

// measured runs the command for as short as it can.
func measured(t *testing.T, args ...string) string {
	t.Helper()
	var b strings.Builder
	if err := run(args, &b, io.Discard); err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	return b.String()
}

func TestMeasureWriteReadCompare(t *testing.T) {
	file := filepath.Join(t.TempDir(), "results.json")
	out := measured(t, "-types", "rpc-status/small,grpc", "-jobs", "marshal,vt-marshal", "-modes", "gc-off",
		"-time", "1ms", "-out", file)
	for _, want := range []string{"marshal against official", "| rpc-status |", "| grpc-health |", "| **least** |"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if strings.Contains(out, "vt-marshal") {
		t.Errorf("a job that does not apply has results:\n%s", out)
	}
	if again := measured(t, "-in", file); again != out {
		t.Errorf("what was written prints as\n%s\nwhat was measured as\n%s", again, out)
	}
	if same := measured(t, "-in", file, "-against", file); strings.Count(same, " | 1.000 ~ |") != 2 {
		t.Errorf("both types must be the same, compared with themselves:\n%s", same)
	}
}

func TestMemoryAlone(t *testing.T) {
	out := measured(t, "-types", "byte-stream/small", "-time", "0", "-jobs", "unmarshal")
	if !strings.Contains(out, "| byte-stream | ") || strings.Contains(out, "collector") {
		t.Errorf("memory alone:\n%s", out)
	}
}

func TestListNamesAll(t *testing.T) {
	out := measured(t, "-list")
	for _, want := range []string{"otlp-trace", "byte-stream", "structpb-new", "vt-unmarshal", "gc-off", "parallel"} {
		if !strings.Contains(out, want) {
			t.Errorf("%s is not in\n%s", want, out)
		}
	}
}

func TestMistakesOnTheCommandLine(t *testing.T) {
	for _, args := range [][]string{
		{"-jobs", "nothing"}, {"-modes", "gc"}, {"-types", "nothing"}, {"-nothing"}, {"otlp"},
	} {
		var u usageError
		if err := run(args, io.Discard, io.Discard); !errors.As(err, &u) {
			t.Errorf("%v: error %v, want one about usage", args, err)
		}
	}
	if err := run([]string{"-in", "none.json"}, io.Discard, io.Discard); err == nil {
		t.Error("a file that is not there is no error")
	}
}
