package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

const (
	rootModule    = "github.com/protean-pb/protean"
	commandModule = rootModule + "/cmd/protean"
	scriptModule  = rootModule + "/gojapb"
	kafkaModule   = rootModule + "/codec/kafkacodec"
	release       = "v0.1.0"
)

// TestRelease installs the command as a user does, from a module proxy, and has the
// installed binary build its programs from released modules alone.
func TestRelease(t *testing.T) {
	heavy(t)
	proxy, bin, cache := t.TempDir(), t.TempDir(), t.TempDir()
	publish(t, proxy, commandModule, release, filepath.Join(checkout, "cmd", "protean"))
	publish(t, proxy, rootModule, required(t, goMod, rootModule), checkout)
	publish(t, proxy, scriptModule, required(t, goMod, scriptModule), filepath.Join(checkout, "gojapb"))
	publish(t, proxy, kafkaModule, required(t, goMod, kafkaModule), filepath.Join(checkout, "codec", "kafkacodec"))
	for _, name := range []string{"records", "infer", "lint"} {
		publish(t, proxy, rootModule+"/"+name, required(t, goMod, rootModule+"/"+name), filepath.Join(checkout, name))
	}
	for key, value := range releaseEnvironment(t, proxy) {
		t.Setenv(key, value)
	}
	t.Setenv("GOBIN", bin)
	t.Setenv("PROTEAN_CACHE", cache)
	t.Chdir(t.TempDir())

	mustRun(t, "go", "install", commandModule+"@"+release)
	args := []string{"bench", "--payloads", "small", "--variants", "Concrete (proto)", "--ops", "size", "--time", "1s",
		"--format", "json"}
	d := parse(t, mustRun(t, filepath.Join(bin, "protean"), args...))
	if d.Env.Protean != release {
		t.Errorf("it calls itself %q, want %s", d.Env.Protean, release)
	}
	if got := number(d.cell(t, "small", "Concrete (proto)", "size").Wire); got != 25 {
		t.Errorf("%v bytes, want 25", got)
	}
	checkProgramModule(t, cache)

	// A released version never changes: the program is not so much as looked at.
	before := programs(t)
	mustRun(t, filepath.Join(bin, "protean"), args...)
	for path, info := range programs(t) {
		if old := before[path]; old == nil || !info.ModTime().Equal(old.ModTime()) {
			t.Errorf("%s was built again", path)
		}
	}
}

// releaseEnvironment lets the go command see the published modules, and those that
// this machine has, as if from proxies. Its module cache is a new one: in the
// user's, what is published here would stay for ever.
func releaseEnvironment(t *testing.T, proxy string) map[string]string {
	have := strings.TrimSpace(mustRun(t, "go", "env", "GOMODCACHE"))
	next := strings.TrimSpace(mustRun(t, "go", "env", "GOPROXY"))
	return map[string]string{
		"GOPROXY":    fmt.Sprintf("file://%s,file://%s/cache/download,%s", proxy, have, next),
		"GOMODCACHE": t.TempDir(),
		// Without -trimpath, the new module cache would mean to compile everything anew.
		"GOFLAGS":   "-trimpath -modcacherw",
		"GOSUMDB":   "off",
		"GONOPROXY": "none",
		"GOPRIVATE": "",
		"GOWORK":    "off",
	}
}

// publish packs the module in a folder as a file tree that GOPROXY can name.
func publish(t *testing.T, proxy, path, version, dir string) {
	t.Helper()
	escaped, err := module.EscapePath(path)
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(proxy, escaped, "@v")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	if err := zip.CreateFromDir(&packed, module.Version{Path: path, Version: version}, dir); err != nil {
		t.Fatalf("packing %s: %v", path, err)
	}
	for name, text := range map[string]string{
		"list":            version + "\n",
		version + ".info": fmt.Sprintf(`{"Version":%q,"Time":%q}`, version, time.Now().UTC().Format(time.RFC3339)),
		version + ".mod":  readFile(t, filepath.Join(dir, "go.mod")),
		version + ".zip":  packed.String(),
	} {
		writeFile(t, filepath.Join(folder, name), text)
	}
}

// required returns the version of a module that a go.mod requires, or "".
func required(t *testing.T, text []byte, path string) string {
	t.Helper()
	f, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range f.Require {
		if r.Mod.Path == path {
			return r.Mod.Version
		}
	}
	return ""
}

// checkProgramModule holds the go.mod of the only program against the release.
func checkProgramModule(t *testing.T, cache string) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(cache, "*", "go.mod"))
	if err != nil || len(found) != 1 {
		t.Fatalf("go.mod files %q, %v; want one", found, err)
	}
	text := []byte(readFile(t, found[0]))
	if got := required(t, text, commandModule); got != release {
		t.Errorf("the program requires version %q of the command, want %s", got, release)
	}
	if got, want := required(t, text, rootModule), required(t, goMod, rootModule); got != want {
		t.Errorf("the program requires version %q of the runtime, want %q", got, want)
	}
	f, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range f.Replace {
		t.Errorf("the program replaces %s", r.Old.Path)
	}
}

// mustRun runs a command and returns its standard output.
func mustRun(t *testing.T, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, &stdout, &stderr)
	}
	return stdout.String()
}
