// Package dropin checks that a package can take the place of another.
package dropin

import (
	"errors"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// Check fails the test unless what the one package exports, so many names at least, is in the
// other, too, and of the same type, fields and methods included.
func Check(t *testing.T, theirPath, ourPath string, atLeast int) {
	t.Helper()
	from, err := exports(theirPath, ourPath)
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := from.Import(theirPath)
	if err != nil {
		t.Fatal(err)
	}
	ours, err := from.Import(ourPath)
	if err != nil {
		t.Fatal(err)
	}
	names := 0
	for _, name := range theirs.Scope().Names() {
		if !token.IsExported(name) {
			continue
		}
		names++
		got := ours.Scope().Lookup(name)
		if got == nil {
			t.Errorf("%s is missing", name)
			continue
		}
		have := describe(got, theirs, ours)
		for _, want := range describe(theirs.Scope().Lookup(name), theirs, ours) {
			if !slices.Contains(have, want) {
				t.Errorf("%s: %s is not among\n%s", name, want, strings.Join(have, "\n"))
			}
		}
	}
	if names < atLeast {
		t.Errorf("%d names were compared, want %d", names, atLeast)
	}
}

// exports returns an importer of the packages as they are compiled: one, so that types from
// third packages are identical.
func exports(paths ...string) (types.Importer, error) {
	list := exec.Command("go", append([]string{"list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}"},
		paths...)...)
	out, err := list.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return nil, fmt.Errorf("%w: %s", err, exit.Stderr)
	} else if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[path] = file
	}
	return importer.ForCompiler(token.NewFileSet(), "gc",
		func(path string) (io.ReadCloser, error) { return os.Open(files[path]) }), nil
}

// describe returns a line for what o is, and for each exported field and method if it is
// a type, without the two packages' names.
func describe(o types.Object, theirs, ours *types.Package) []string {
	unqualified := func(p *types.Package) string {
		if p == theirs || p == ours {
			return ""
		}
		return p.Path()
	}
	show := func(t types.Type) string { return types.TypeString(t, unqualified) }
	of, isType := o.(*types.TypeName)
	if !isType {
		return []string{fmt.Sprintf("%T %s", o, show(o.Type()))}
	}
	// A name that is an alias of the official package's is the same as what it stands for.
	t := types.Unalias(of.Type())
	lines := []string{fmt.Sprintf("%T", t)}
	if s, ok := t.Underlying().(*types.Struct); ok {
		for f := range s.Fields() {
			if f.Exported() && !f.Embedded() { // what is embedded forbids literals without names
				lines = append(lines, "field "+f.Name()+" "+show(f.Type()))
			}
		}
	}
	for _, t := range []types.Type{t, types.NewPointer(t)} {
		for m := range types.NewMethodSet(t).Methods() {
			if m.Obj().Exported() {
				lines = append(lines, "method "+m.Obj().Name()+" "+show(m.Type()))
			}
		}
	}
	return lines
}
