package harness

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/protean-pb/protean/cmd/protean/internal/suite"
	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

// A Program is a built benchmark program.
type Program struct {
	// Dir is its folder: a Go module that can be read, and run with go test -bench.
	Dir string
	// Go is the version of the toolchain that built it, such as go1.26.1.
	Go     string
	jsonV2 bool // see Standard
	binary string
}

// Build returns the program for a suite, with the code that its variants need. Programs stay in the user's cache
// folder, one for each schema, set of needs and version of the command, and are built again only when something has
// changed. Build calls note before steps that take long.
func Build(ctx context.Context, s *suite.Suite, m *Module, needs []variant.Code, note func(string)) (*Program, error) {
	goTool, version, err := toolchain(ctx)
	if err != nil {
		return nil, err
	}
	g, err := generate(s, needs)
	if err != nil {
		return nil, err
	}
	code := second(needs)
	if err := g.addV1(ctx, goTool, version, s, m, code); err != nil {
		return nil, err
	}
	if err := g.addModule(m, code); err != nil {
		return nil, err
	}
	cache, err := cacheDir()
	if err != nil {
		return nil, err
	}
	p := &Program{Go: version, jsonV2: jsonHasV2(ctx, goTool)}
	p.Dir = filepath.Join(cache, g.key(m, p.Standard(encodingJSON)))
	p.binary = filepath.Join(p.Dir, binaryName)
	known := false
	if _, err := os.Stat(p.binary); err == nil {
		known = true
		use(p.Dir)
		if m.Checkout == "" {
			return p, nil // a released version never changes
		}
	}
	if !known {
		note("building the benchmark program for this schema; the first time takes about a minute")
		if err := g.write(p.Dir); err != nil {
			return nil, err
		}
	}
	if err := p.build(ctx, goTool, g); err != nil {
		return nil, err
	}
	return p, trim(cache, maxCache, time.Now())
}

const binaryName = "program.bin"

// toolchain finds the go command and its version.
func toolchain(ctx context.Context) (path, version string, err error) {
	path, err = exec.LookPath("go")
	if err != nil {
		return "", "", errors.New("no Go toolchain: the command go is not on PATH, and the benchmark program must be " +
			"built with it; see https://go.dev/doc/install")
	}
	out, err := exec.CommandContext(ctx, path, "env", "GOVERSION").Output()
	if err != nil {
		return "", "", fmt.Errorf("no usable Go toolchain: %s env GOVERSION: %w", path, err)
	}
	return path, strings.TrimSpace(string(out)), nil
}

func (g *generation) addModule(m *Module, code variant.Code) error {
	text, err := m.goMod(code)
	if err != nil {
		return fmt.Errorf("go.mod of the benchmark program: %w", err)
	}
	g.files["go.mod"], g.files["go.sum"] = string(text), m.goSum(code)
	return nil
}

// key returns the name of the program's folder: a hash of everything that goes into the program, except the checkout's
// own code, whose changes go build detects.
func (g *generation) key(m *Module, goVersion string) string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(g.files)) {
		fmt.Fprintf(h, "%s %d\n%s", name, len(g.files[name]), g.files[name])
	}
	fmt.Fprintln(h, goVersion, m.Checkout, m.Version)
	return hex.EncodeToString(h.Sum(nil))[:20]
}

// write puts the files into dir, all or none.
func (g *generation) write(dir string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(dir), "new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if err := g.writeFiles(tmp); err != nil {
		return err
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	return os.Rename(tmp, dir)
}

func (g *generation) writeFiles(dir string) error {
	for name, text := range g.files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// build compiles the program. If vtprotobuf's methods for the schema, or the messages of the second generator, do not
// compile, it leaves them out.
func (p *Program) build(ctx context.Context, goTool string, g *generation) error {
	text, err := p.compile(ctx, goTool)
	for _, part := range []struct {
		mark, of string
		drop     func(why string) error
	}{{vtSuffix, "vtprotobuf", g.withoutVT}, {v1Folder + "/", g.v1, g.withoutV1}} {
		if err == nil || !strings.Contains(text, part.mark) {
			continue
		}
		if err := part.drop(fmt.Sprintf("%s's code for this schema does not compile: %s", part.of,
			errorIn(text, part.mark))); err != nil {
			return err
		}
		if err := g.write(p.Dir); err != nil {
			return err
		}
		text, err = p.compile(ctx, goTool)
	}
	if err == nil {
		return nil
	}
	if err := interrupted(ctx, err); err != nil {
		return err
	}
	return buildError(text, err)
}

// compile runs go build and returns what it printed.
func (p *Program) compile(ctx context.Context, goTool string) (string, error) {
	cmd := exec.CommandContext(ctx, goTool, "test", "-c", "-vet=off", "-mod=mod", "-o", binaryName, ".")
	cmd.Dir = p.Dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// compileErrorLine is how the compiler reports an error in generated code.
var compileErrorLine = regexp.MustCompile(`(?m)^(?:\./)?(?:(?:pb|structs|v1)/[^\s:]+|types)\.go:\d+:\d+: .+$`)

// missingModule is how the go command reports a module that it cannot fetch.
var missingModule = regexp.MustCompile(`(?m)([a-zA-Z0-9./_\-]+@v[0-9][^\s:]*): (.*)$`)

// proxyOff is what the go command says where GOPROXY is off.
const proxyOff = "module lookup disabled by GOPROXY=off"

// errorIn returns the compiler's first error in files whose paths have the mark in them,
// or else the first line.
func errorIn(text, mark string) string {
	for _, line := range compileErrorLine.FindAllString(text, -1) {
		if strings.Contains(line, mark) {
			return line
		}
	}
	return firstLine(text)
}

// buildError says in one line why the go command failed.
func buildError(text string, err error) error {
	if m := missingModule.FindStringSubmatch(text); m != nil {
		return fmt.Errorf("cannot build the benchmark program: the module %s is not on this machine and cannot be "+
			"downloaded (%s); "+
			"the first build needs the network, or a GOPROXY that has it", m[1], strings.TrimSpace(m[2]))
	}
	if strings.Contains(text, proxyOff) {
		return errors.New("cannot build the benchmark program: modules that it needs are not on this machine, and " +
			"GOPROXY=off forbids to download them")
	}
	if m := compileErrorLine.FindString(text); m != "" {
		return fmt.Errorf("the Go code generated for this schema does not compile: %s", m)
	}
	if text = strings.Join(strings.Fields(text), " "); text != "" {
		return fmt.Errorf("cannot build the benchmark program: %s", text)
	}
	return fmt.Errorf("cannot build the benchmark program: %w", err)
}
