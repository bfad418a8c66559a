// Package golangci offers the analyzers of package vet to golangci-lint as a module plugin called
// proteanvet. In .custom-gcl.yml, for golangci-lint custom:
//
//	plugins:
//	  - module: github.com/protean-pb/protean/lint
//	    import: github.com/protean-pb/protean/lint/golangci
//	    version: latest
//
// And in .golangci.yml:
//
//	version: "2"
//	linters:
//	  enable: [proteanvet]
//	  settings:
//	    custom:
//	      proteanvet:
//	        type: module
//	        settings:
//	          disable: [asmaploop]
package golangci

import (
	"fmt"
	"slices"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/protean-pb/protean/lint/vet"
)

func init() { register.Plugin("proteanvet", New) }

// Settings are what .golangci.yml may have for the plugin.
type Settings struct {
	// Disable names analyzers that are left out.
	Disable []string `json:"disable"`
}

// New makes the plugin; golangci-lint calls it. A setting that does not exist is an error.
func New(settings any) (register.LinterPlugin, error) {
	s, err := register.DecodeSettings[Settings](settings)
	if err != nil {
		return nil, err
	}
	all := vet.Analyzers()
	for _, name := range s.Disable {
		if !slices.ContainsFunc(all, func(a *analysis.Analyzer) bool { return a.Name == name }) {
			return nil, fmt.Errorf("disable: there is no analyzer %s", name)
		}
	}
	disabled := func(a *analysis.Analyzer) bool { return slices.Contains(s.Disable, a.Name) }
	return plugin{slices.DeleteFunc(all, disabled)}, nil
}

type plugin struct{ analyzers []*analysis.Analyzer }

// BuildAnalyzers returns the analyzers to run.
func (p plugin) BuildAnalyzers() ([]*analysis.Analyzer, error) { return p.analyzers, nil }

// GetLoadMode says that the analyzers need types.
func (p plugin) GetLoadMode() string { return register.LoadModeTypesInfo }
