package harness

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

// The modules of this repository.
const (
	rootModule    = "github.com/protean-pb/protean"
	commandModule = rootModule + "/cmd/protean"
	scriptModule  = rootModule + "/gojapb"
	kafkaModule   = rootModule + "/codec/kafkacodec"
	recordsModule = rootModule + "/records"
	inferModule   = rootModule + "/infer"
	lintModule    = rootModule + "/lint"
)

// A Module is where programs take the lab, the runtime and all libraries from:
// the versions are those that the command itself was built with.
type Module struct {
	// GoMod and GoSum are the files of the command's module.
	GoMod, GoSum []byte
	// Checkout is the root of the checkout that the command was built from, and
	// Version the released version; one of them is set.
	Checkout, Version string
	// Root is the released version of the runtime's module.
	Root string
}

// NewModule finds out where this command comes from.
func NewModule(goMod, goSum []byte) (*Module, error) {
	m := &Module{GoMod: goMod, GoSum: goSum}
	info, ok := debug.ReadBuildInfo()
	if ok && info.Main.Path == commandModule && info.Main.Sum != "" {
		m.Version = info.Main.Version
		for _, d := range info.Deps {
			if d.Path == rootModule {
				m.Root = d.Version
			}
		}
		return m, nil
	}
	_, file, _, _ := runtime.Caller(0)
	here, _ := os.Getwd()
	for _, dir := range []string{filepath.Dir(file), here} {
		if m.Checkout = checkoutAbove(dir); m.Checkout != "" {
			return m, nil
		}
	}
	return nil, fmt.Errorf("this protean was built from a checkout that is no longer there; " +
		"build it again, or install a released version with go install " + commandModule + "@latest")
}

// checkoutAbove returns the root of the checkout of this repository that dir lies
// in, or "".
func checkoutAbove(dir string) string {
	for filepath.IsAbs(dir) {
		text, err := os.ReadFile(filepath.Join(dir, "cmd", "protean", "go.mod"))
		if err == nil && modfile.ModulePath(text) == commandModule {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			break
		}
		dir = parent
	}
	return ""
}

// String says where the command comes from, for reports.
func (m *Module) String() string {
	if m.Version != "" {
		return m.Version
	}
	info, _ := debug.ReadBuildInfo()
	var revision, dirty string
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = ", changed"
		}
	}
	if revision == "" {
		return "checkout"
	}
	return "checkout " + revision + dirty
}

// goSum returns the go.sum of a program with such code.
func (m *Module) goSum(code variant.Code) string {
	if code.Version() == "" {
		return string(m.GoSum)
	}
	return string(m.GoSum) + golangSums
}

// goMod returns the go.mod of a program with such code: the command's own requirements,
// and the command itself.
func (m *Module) goMod(code variant.Code) ([]byte, error) {
	f, err := modfile.Parse("go.mod", m.GoMod, nil)
	if err != nil {
		return nil, err
	}
	if err := f.AddModuleStmt(modulePath); err != nil {
		return nil, err
	}
	version := m.Version
	if m.Checkout != "" {
		version = "v0.0.0"
		for _, path := range []string{rootModule, commandModule, scriptModule, kafkaModule, recordsModule, inferModule,
			lintModule} {
			folder := filepath.Join(m.Checkout, filepath.FromSlash(strings.TrimPrefix(path, rootModule)))
			if err := f.AddReplace(path, "", folder, ""); err != nil {
				return nil, err
			}
		}
	} else if m.Root != "" {
		if err := f.AddRequire(rootModule, m.Root); err != nil {
			return nil, err
		}
	}
	if err := f.AddRequire(commandModule, version); err != nil {
		return nil, err
	}
	if v := code.Version(); v != "" {
		if err := f.AddReplace(golangModule, "", golangModule, v); err != nil {
			return nil, err
		}
	}
	f.Cleanup()
	return f.Format()
}

// Holding returns the module that holds a Go package; the standard library is in none.
func (m *Module) Holding(pkg string) module.Version {
	f, err := modfile.Parse("go.mod", m.GoMod, nil)
	if err != nil {
		return module.Version{}
	}
	var holds module.Version // a module may lie in another's folder
	for _, r := range f.Require {
		if len(r.Mod.Path) > len(holds.Path) && (pkg == r.Mod.Path || strings.HasPrefix(pkg, r.Mod.Path+"/")) {
			holds = r.Mod
		}
	}
	return holds
}
