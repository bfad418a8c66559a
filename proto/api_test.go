package proto_test

import (
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/protean-pb/protean/internal/race"
)

const (
	officialPath = "google.golang.org/protobuf/proto"
	proteanPath  = "github.com/protean-pb/protean/proto"
)

// TestDropIn checks that what the official package exports is here, too, and of the same
// type, fields and methods included.
func TestDropIn(t *testing.T) {
	if testing.Short() || race.Enabled {
		t.Skip("it type-checks what the package imports")
	}
	// One importer, so that types from third packages are identical.
	from := importer.ForCompiler(token.NewFileSet(), "source", nil)
	theirs, err := from.Import(officialPath)
	if err != nil {
		t.Fatal(err)
	}
	ours, err := from.Import(proteanPath)
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
		have := describe(got)
		for _, want := range describe(theirs.Scope().Lookup(name)) {
			if !slices.Contains(have, want) {
				t.Errorf("%s: %s is not among\n%s", name, want, strings.Join(have, "\n"))
			}
		}
	}
	if names < 30 {
		t.Errorf("only %d names were compared", names)
	}
}

// describe returns a line for what o is, and for each exported field and method if it is
// a type, without the package that it is from.
func describe(o types.Object) []string {
	unqualified := func(p *types.Package) string {
		if p.Path() == officialPath || p.Path() == proteanPath {
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
