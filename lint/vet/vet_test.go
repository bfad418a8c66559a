package vet_test

import (
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/protean-pb/protean/lint/vet"
)

// TestAnalyzers runs each analyzer on the package of its name below testdata, whose comments say
// what is to be found, and compares the fixed files with those that end in .golden.
func TestAnalyzers(t *testing.T) {
	for _, a := range vet.Analyzers() {
		t.Run(a.Name, func(t *testing.T) {
			analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), a, "./"+a.Name)
		})
	}
}

func TestValid(t *testing.T) {
	if err := analysis.Validate(vet.Analyzers()); err != nil {
		t.Error(err)
	}
}
