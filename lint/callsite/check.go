package callsite

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/protean-pb/protean/lint/vet"
)

// A Finding is what an analyzer found at one place.
type Finding struct {
	Analyzer string
	// File is the full path of the file; Line and Column begin with 1, the column counts bytes.
	File         string
	Line, Column int
	Message      string
	// Spans are the lines that samples of a profile are attributed to which the finding explains.
	Spans []Span
	// Explained is the value of those samples, see [Profile.Explain].
	Explained int64
}

// A Span is lines of a file, from 1, the last included.
type Span struct {
	File        string
	First, Last int
}

// String is the finding in one line, as compilers write it.
func (f *Finding) String() string {
	return fmt.Sprintf("%s:%d:%d: %s (%s)", f.File, f.Line, f.Column, f.Message, f.Analyzer)
}

// Check runs all analyzers on the packages that the patterns name in a folder, tests included, and
// returns what they find in the order of files and lines. "" is the working directory.
//
// The error says, a line each, what kept packages from being loaded and type-checked.
func Check(dir string, patterns []string) ([]Finding, error) {
	mode := packages.LoadSyntax | packages.NeedModule
	loaded, err := packages.Load(&packages.Config{Mode: mode, Dir: dir, Tests: true}, patterns...)
	if err != nil {
		return nil, err
	}
	if err := loadErrors(loaded, patterns); err != nil {
		return nil, err
	}
	graph, err := checker.Analyze(vet.Analyzers(), loaded, nil)
	if err != nil {
		return nil, err
	}
	var found []Finding
	for action := range graph.All() {
		if action.Err != nil {
			return nil, fmt.Errorf("%s: %w", action.Package.PkgPath, action.Err)
		}
		if !action.IsRoot {
			continue
		}
		for _, d := range action.Diagnostics {
			found = append(found, newFinding(action.Analyzer.Name, action.Package.Fset, d))
		}
	}
	slices.SortFunc(found, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			strings.Compare(a.Analyzer, b.Analyzer), strings.Compare(a.Message, b.Message))
	})
	// Files of a package are in its tests, too.
	return slices.CompactFunc(found, func(a, b Finding) bool {
		return a.String() == b.String()
	}), nil
}

// loadErrors joins what is wrong with packages, or says that there are none.
func loadErrors(loaded []*packages.Package, patterns []string) error {
	var lines, outputs []string
	for _, p := range loaded {
		for _, e := range p.Errors {
			line := strings.TrimPrefix(strings.Join(strings.Fields(e.Error()), " "), "-: ") // of no file
			switch {
			case strings.HasPrefix(e.Msg, "# "): // the compiler's output, whose lines mostly come by themselves
				outputs = append(outputs, line)
			case !slices.Contains(lines, line):
				lines = append(lines, line)
			}
		}
	}
	if len(lines) == 0 {
		lines = outputs
	}
	switch {
	case len(lines) > 0:
		return fmt.Errorf("%s", strings.Join(lines, "\n"))
	case len(loaded) == 0:
		return fmt.Errorf("no packages match %s", strings.Join(patterns, " "))
	}
	return nil
}

func newFinding(analyzer string, files *token.FileSet, d analysis.Diagnostic) Finding {
	at := files.Position(d.Pos)
	f := Finding{Analyzer: analyzer, File: at.Filename, Line: at.Line, Column: at.Column, Message: d.Message}
	f.Spans = append(f.Spans, newSpan(files, d.Pos, d.End))
	for _, r := range d.Related {
		f.Spans = append(f.Spans, newSpan(files, r.Pos, r.End))
	}
	return f
}

func newSpan(files *token.FileSet, pos, end token.Pos) Span {
	first, last := files.Position(pos), files.Position(end)
	return Span{File: first.Filename, First: first.Line, Last: max(first.Line, last.Line)}
}
