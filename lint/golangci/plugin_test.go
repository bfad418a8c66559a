package golangci

import (
	"slices"
	"testing"

	"github.com/golangci/plugin-module-register/register"

	"github.com/protean-pb/protean/lint/vet"
)

// golangci-lint finds the plugin by its name, hands it what .golangci.yml has, and asks it for its
// analyzers.
func TestPlugin(t *testing.T) {
	construct, err := register.GetPlugin("proteanvet")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		settings any
		without  []string
	}{
		{nil, nil},
		{map[string]any{"disable": []any{"asmaploop", "protobytes"}}, []string{"asmaploop", "protobytes"}},
	} {
		p, err := construct(tt.settings)
		if err != nil {
			t.Fatal(err)
		}
		analyzers, err := p.BuildAnalyzers()
		if err != nil || len(analyzers) != len(vet.Analyzers())-len(tt.without) ||
			p.GetLoadMode() != register.LoadModeTypesInfo {
			t.Errorf("%v: %d analyzers, %s, %v", tt.settings, len(analyzers), p.GetLoadMode(), err)
		}
		for _, a := range analyzers {
			if slices.Contains(tt.without, a.Name) {
				t.Errorf("%v: %s is there", tt.settings, a.Name)
			}
		}
	}
	for _, wrong := range []any{map[string]any{"disabel": []any{"asmaploop"}},
		map[string]any{"disable": []any{"nope"}}} {
		if _, err := construct(wrong); err == nil {
			t.Errorf("%v is taken", wrong)
		}
	}
}
