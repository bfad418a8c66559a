package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/protean-pb/protean/infer/profile"
)

func TestMain(m *testing.M) {
	flag.Var(&data, "data", "")
	flag.Parse()
	beam.Init()
	os.Exit(m.Run())
}

// set gives flags values for one test.
func set(t *testing.T, files []string, values map[string]string) {
	t.Helper()
	for name, value := range values {
		f := flag.Lookup(name)
		before := f.Value.String()
		if err := f.Value.Set(value); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := f.Value.Set(before); err != nil {
				t.Error(err)
			}
		})
	}
	data = files
}

func TestRun(t *testing.T) {
	dir := t.TempDir()
	file, out := filepath.Join(dir, "a.jsonl"), filepath.Join(dir, "profile")
	if err := os.WriteFile(file, []byte(strings.Repeat("{\"a\": 1}\n", 50)+"broken\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	set(t, []string{file}, map[string]string{"save-profile": out, "split-size": "100"})
	if code := run(context.Background(), &stderr); code != 1 || !strings.HasPrefix(stderr.String(), "infer: "+file) {
		t.Errorf("exit code %d, %s", code, stderr.String())
	}
	set(t, []string{file}, map[string]string{"skip-invalid": "true"})
	if code := run(context.Background(), &stderr); code != 0 {
		t.Fatal(code, stderr.String())
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.Unmarshal(text)
	if err != nil || p.Documents != 50 || p.Invalid != 1 {
		t.Errorf("%v, %s", err, text)
	}
}

func TestMistakes(t *testing.T) {
	for _, tt := range []struct {
		files []string
		flags map[string]string
		want  string
	}{
		{nil, map[string]string{"save-profile": "p"}, "which data? give --data FILE"},
		{[]string{"a"}, nil, "where to? give --save-profile FILE"},
		{[]string{"-"}, map[string]string{"save-profile": "p"},
			"standard input cannot be read by workers; give --data FILE"},
		{[]string{"missing"}, map[string]string{"save-profile": "p"}, "missing: no such file"},
		{[]string{"a"}, map[string]string{"from": "proto"},
			"--from proto: want one of json, jsonl, value, struct, bson, msgpack"},
		{[]string{"a"}, map[string]string{"from": "xml"}, `--from: unknown form "xml"`},
		{[]string{"a"}, map[string]string{"data-format": "x"}, `--data-format: unknown format "x"`},
		{[]string{"a"}, map[string]string{"save-profile": "p", "memory": "0"},
			"--memory 0: expected a number of bytes"},
		{[]string{"main.go"}, map[string]string{"save-profile": "p", "split-size": "0"}, "splits of 0 bytes"},
	} {
		t.Run(tt.want, func(t *testing.T) {
			set(t, tt.files, tt.flags)
			var stderr bytes.Buffer
			if code := run(context.Background(), &stderr); code != 2 || !strings.HasPrefix(stderr.String(),
				"infer: "+tt.want) {
				t.Errorf("exit code %d, %s", code, stderr.String())
			}
		})
	}
	if got := cause(errors.New("a\n\tcaused by:\nb\n")); got != "b" {
		t.Error(got)
	}
}
