package variant

import (
	"slices"
	"testing"
)

// Every variant says what it needs of generated code, and the same as what the lab has to generate for it.
func TestGenerators(t *testing.T) {
	of := map[Code]string{VTCode: VTGenerator, StructCode: GoStructs, GogoCode: GogoGenerator,
		GolangCode: GolangGenerator}
	known := []string{NoGenerator, GoStructs, GoGenerator, VTGenerator, GogoGenerator, GolangGenerator}
	for _, v := range All() {
		if !slices.Contains(known, v.Generator) {
			t.Errorf("%s: generator %q", v.Name, v.Generator)
		}
		if want, ok := of[v.Needs]; ok && v.Generator != want {
			t.Errorf("%s: generator %q, want %q", v.Name, v.Generator, want)
		}
	}
}
