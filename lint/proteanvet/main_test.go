package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestVet runs the command by itself and under go vet, on a module of its own.
func TestVet(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a program")
	}
	tool := filepath.Join(t.TempDir(), "proteanvet")
	if out, err := exec.Command("go", "build", "-o", tool, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := func(name string, args ...string) (int, string) {
		cmd := exec.Command(name, args...)
		cmd.Dir, cmd.Env = filepath.Join("..", "vet", "testdata"), append(os.Environ(), "GOWORK=off")
		out, _ := cmd.CombinedOutput()
		return cmd.ProcessState.ExitCode(), string(out)
	}
	const want = "jsonstructpb/a.go:17:12: JSON is marshalled and parsed again into a Struct"
	for _, tt := range []struct {
		code    int
		command []string
		want    string
	}{
		{1, []string{"go", "vet", "-vettool=" + tool, "./jsonstructpb"}, want},
		{0, []string{"go", "vet", "-vettool=" + tool, "-asmaploop", "./jsonstructpb"}, ""},
		{3, []string{tool, "./jsonstructpb"}, want},
		{0, []string{tool, "./eventpb"}, ""},
		{2, []string{tool, "-profile", "nope", "./eventpb"}, "proteanvet: nope: no such file\n"},
		{2, []string{tool, "-profile", "go.mod", "./eventpb"}, "proteanvet: go.mod: not a profile of pprof: "},
	} {
		code, out := run(tt.command[0], tt.command[1:]...)
		if code != tt.code || !strings.Contains(out, tt.want) {
			t.Errorf("%v: exit code %d, want %d\n%s", tt.command, code, tt.code, out)
		}
	}
}

func TestModes(t *testing.T) {
	for _, tt := range []struct {
		args        []string
		vet, ranked bool
	}{
		{[]string{"-V=full"}, true, false},
		{[]string{"-flags"}, true, false},
		{[]string{"-asmaploop", "/tmp/vet.cfg"}, true, false},
		{[]string{"./..."}, false, false},
		{[]string{"-profile=cpu.pprof", "./..."}, false, true},
		{[]string{"--profile", "cpu.pprof", "./..."}, false, true},
		{[]string{"./profile"}, false, false},
	} {
		if isVetTool(tt.args) != tt.vet || hasProfile(tt.args) != tt.ranked {
			t.Errorf("%v", tt.args)
		}
	}
	var out, errs bytes.Buffer
	if code := ranked([]string{"-nope"}, &out, &errs); code != 2 || out.Len() > 0 || errs.Len() == 0 {
		t.Errorf("exit code %d, %q", code, errs.String())
	}
}
