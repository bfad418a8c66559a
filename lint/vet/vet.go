// Package vet holds analyzers of go/analysis for call sites of Protobuf that waste time, fail at
// run time, or depend on the order of maps. Command proteanvet runs them under go vet and by
// itself, package golangci within golangci-lint, and protean lint ./... beside the rules on
// schemas.
//
// A comment //protean:lint:ignore NAME at the end of a line, or on the line above, excuses the line
// from an analyzer. Generated files are not looked at, and test files only by the analyzers that
// are about correctness.
//
// # What is known of a variable
//
// An analyzer follows a value from where it is made to where it is used within one function: by
// the last assignment before the use, in a block around it. What goes through parameters,
// fields, package variables or branches is not followed, and nothing is reported about it.
package vet

import (
	"go/ast"
	"regexp"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
)

// Analyzers returns all analyzers, in the order in which tables show them.
func Analyzers() []*analysis.Analyzer {
	return []*analysis.Analyzer{ProtoJSONMap, AsMapLoop, StructpbType, ProtoBytes, JSONStructpb}
}

const homepage = "https://github.com/protean-pb/protean/blob/main/docs/lint.md"

// newAnalyzer makes an analyzer that sees each call, in files that a person wrote, of tests too if
// it is about correctness.
func newAnalyzer(name, doc string, tests bool, see func(*finder, inspector.Cursor, *ast.CallExpr)) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name:     name,
		Doc:      doc,
		URL:      homepage,
		Requires: []*analysis.Analyzer{inspect.Analyzer},
		Run: func(pass *analysis.Pass) (any, error) {
			f := &finder{pass: pass}
			for file := range pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).Root().Preorder((*ast.File)(nil)) {
				node := file.Node().(*ast.File)
				if ast.IsGenerated(node) || !tests && strings.HasSuffix(pass.Fset.File(node.Pos()).Name(), "_test.go") {
					continue
				}
				f.excused = excused(pass, node)
				for c := range file.Preorder((*ast.CallExpr)(nil)) {
					see(f, c, c.Node().(*ast.CallExpr))
				}
			}
			return nil, nil
		},
	}
}

// A finder looks at one package.
type finder struct {
	pass *analysis.Pass
	// excused are the lines of the file at hand that a comment excuses.
	excused map[int]bool
}

// report reports unless a comment excuses the line.
func (f *finder) report(d analysis.Diagnostic) {
	if !f.excused[f.pass.Fset.Position(d.Pos).Line] {
		f.pass.Report(d)
	}
}

var ignoreComment = regexp.MustCompile(`^//\s*protean:lint:ignore\s+(.*)$`)

// excused returns the lines that comments excuse from the pass's analyzer: a comment's own, and
// the one below.
func excused(pass *analysis.Pass, file *ast.File) map[int]bool {
	out := make(map[int]bool)
	for _, group := range file.Comments {
		for _, c := range group.List {
			m := ignoreComment.FindStringSubmatch(c.Text)
			if m == nil {
				continue
			}
			for name := range strings.FieldsFuncSeq(m[1],
				func(r rune) bool { return r == ',' || r == ' ' || r == ':' }) {
				if name == pass.Analyzer.Name {
					line := pass.Fset.Position(c.Pos()).Line
					out[line], out[line+1] = true, true
				}
			}
		}
	}
	return out
}
