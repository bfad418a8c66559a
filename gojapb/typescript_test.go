package gojapb

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/dop251/goja"
)

// declared are the names that a pattern finds in a part of the declarations.
func declared(t *testing.T, begin, end, pattern string) []string {
	t.Helper()
	_, part, ok := strings.Cut(TypeScript, begin)
	part, _, ends := strings.Cut(part, end)
	if !ok || !ends {
		t.Fatalf("no declarations between %q and %q", begin, end)
	}
	names := map[string]bool{}
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(part, -1) {
		names[m[1]] = true
	}
	return slices.Sorted(maps.Keys(names))
}

// The declarations have the functions and methods that the module has, and no others.
func TestTypeScript(t *testing.T) {
	m, err := New(goja.New())
	if err != nil {
		t.Fatal(err)
	}
	const method = `(?m)^    (\w+)[(<]`
	for _, tt := range []struct {
		what      string
		functions []function
		got       []string
	}{
		{"module", m.functions(), declared(t, "declare module", "// ---- What generated", `(?m)^  function (\w+)`)},
		{"message", m.messageMethods(), declared(t, "interface Message {", "\n  }\n", method)},
		{"list", m.listMethods(), declared(t, "interface List<", "\n  }\n", method)},
		{"map", m.mapMethods(), declared(t, "interface MapField<", "\n  }\n", method)},
	} {
		var want []string
		for _, f := range tt.functions {
			want = append(want, f.name)
		}
		slices.Sort(want)
		if !slices.Equal(tt.got, want) {
			t.Errorf("%s\n got %v\nwant %v", tt.what, tt.got, want)
		}
	}
}
