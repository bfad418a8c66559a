package dropin

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// packageOf returns the package with that source.
func packageOf(t *testing.T, name, source string) *types.Package {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name+".go", "package "+name+"\n"+source, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := new(types.Config).Check("example.com/"+name, set, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

// TestDescribeTellsTypesApart describes what two packages export under one name: the lines are the same only if one can
// take the place of the other.
func TestDescribeTellsTypesApart(t *testing.T) {
	for _, c := range []struct {
		name, theirs, ours string
		fits               bool
	}{
		{"the same function", `func X(a int) error { return nil }`, `func X(a int) error { return nil }`, true},
		{"a parameter of another name, which documents it", `func X(a int) {}`, `func X(b int) {}`, false},
		{"a result more", `func X() {}`, `func X() error { return nil }`, false},
		{"a function and a variable", `func X() {}`, `var X func()`, false},
		{"a type of its own package", `type O int; func X(O) {}`, `type O int; func X(O) {}`, true},
		{"a field more", `type X struct { A int }`, `type X struct { A, B int }`, true},
		{"a field less", `type X struct { A, B int }`, `type X struct { A int }`, false},
		{"a field of another type", `type X struct { A int }`, `type X struct { A int64 }`, false},
		{"fields that are not exported", `type X struct { a int }`, `type X struct { b string }`, true},
		{"a method more", `type X struct{}`, `type X struct{}; func (X) M() {}`, true},
		{"a method less", `type X struct{}; func (*X) M() {}`, `type X struct{}`, false},
		{"a method with another type", `type X struct{}; func (X) M(int) {}`, `type X struct{}; func (X) M(string) {}`, false},
		{"a constant", `const X = 1`, `const X = 2`, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			theirs, ours := packageOf(t, "theirs", c.theirs), packageOf(t, "ours", c.ours)
			have := describe(ours.Scope().Lookup("X"), theirs, ours)
			missing := slices.DeleteFunc(describe(theirs.Scope().Lookup("X"), theirs, ours), func(line string) bool {
				return slices.Contains(have, line)
			})
			if fits := len(missing) == 0; fits != c.fits {
				t.Errorf("it fits: %v; not among %q: %q", fits, have, missing)
			}
		})
	}
}

// inChild says that the test runs in a process of its own, where it may fail.
const inChild = "PROTEAN_DROPIN_CHILD"

// TestCheckFailsOfAnotherPackage checks a package against itself and against another, each in a process of its own.
func TestCheckFailsOfAnotherPackage(t *testing.T) {
	if ours := os.Getenv(inChild); ours != "" {
		Check(t, "errors", ours, 5)
		return
	}
	for ours, want := range map[string]string{"errors": "PASS", "unicode/utf8": "New is missing"} {
		test := exec.Command(os.Args[0], "-test.run=^TestCheckFailsOfAnotherPackage$")
		test.Env = append(os.Environ(), inChild+"="+ours)
		out, err := test.CombinedOutput()
		if !strings.Contains(string(out), want) || (err == nil) != (want == "PASS") {
			t.Errorf("%s: %v\n%s", ours, err, out)
		}
	}
}
