package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Analyzer finds imports of the official packages that Protean's can take the place of, and the places where an import
// path is not enough. Each file has one diagnostic with all that its import path entails as the fix, and others for
// what is to be looked at.
var Analyzer = &analysis.Analyzer{
	Name: "proteanfix",
	Doc: "rewrite imports of google.golang.org/protobuf to github.com/protean-pb/protean, " +
		"and convert options where that is needed",
	Run: run,
}

// A drop is an official package and the one that takes its place.
type drop struct {
	official, ours string
	name           string          // of the official package
	types          map[string]bool // those that are other types in ours
}

var drops = []*drop{
	{"google.golang.org/protobuf/proto", "github.com/protean-pb/protean/proto", "proto", optionTypes},
	{"google.golang.org/protobuf/encoding/protojson", "github.com/protean-pb/protean/protojson", "protojson",
		optionTypes},
	{"google.golang.org/protobuf/encoding/protodelim", "github.com/protean-pb/protean/protodelim", "protodelim",
		optionTypes},
	{"google.golang.org/protobuf/types/dynamicpb", "github.com/protean-pb/protean/dynamic", "dynamicpb", dynamicTypes},
}

var (
	optionTypes  = map[string]bool{"MarshalOptions": true, "UnmarshalOptions": true}
	dynamicTypes = map[string]bool{"Message": true, "Types": true}
)

const dynamicpbPath = "google.golang.org/protobuf/types/dynamicpb"

// dropOf returns the drop of an official package, or nil.
func dropOf(path string) *drop {
	for _, d := range drops {
		if d.official == path {
			return d
		}
	}
	return nil
}

// A pass is the analysis of one package.
type pass struct {
	*analysis.Pass
	inits map[types.Object]ast.Expr      // what variables without a type of their own are initialised with
	calls map[types.Object]*ast.CallExpr // the same where a call has several results
	left  map[string]bool                // official packages that stay in this package
	files []*file
}

// A file is a file of the package that is not generated.
type file struct {
	*ast.File
	test    bool
	imports map[string]*ast.ImportSpec // by official path, those that are to be rewritten
	edits   []analysis.TextEdit
	extra   map[string]bool // official packages that are needed under a second name
}

func run(p *analysis.Pass) (any, error) {
	ps := &pass{Pass: p, inits: map[types.Object]ast.Expr{}, calls: map[types.Object]*ast.CallExpr{},
		left: map[string]bool{}}
	for _, f := range p.Files {
		ps.collectInits(f)
		if ast.IsGenerated(f) {
			continue
		}
		ps.files = append(ps.files, newFile(f, p.Fset))
	}
	// What dynamicpb's messages are handed to must be known before: they cannot be converted.
	for _, f := range ps.files {
		if !f.test {
			ps.crossings(f, func(c crossing) {
				if c.drop.official == dynamicpbPath {
					ps.left[dynamicpbPath] = true
				}
			})
		}
	}
	for _, f := range ps.files {
		ps.fix(f)
	}
	return nil, nil
}

func newFile(f *ast.File, fset *token.FileSet) *file {
	out := &file{File: f, imports: map[string]*ast.ImportSpec{}, extra: map[string]bool{}}
	out.test = strings.HasSuffix(fset.Position(f.FileStart).Filename, "_test.go")
	for _, spec := range f.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err == nil && dropOf(path) != nil {
			out.imports[path] = spec
		}
	}
	return out
}

// fix reports what is to be done in a file.
func (p *pass) fix(f *file) {
	for path := range p.left {
		if spec := f.imports[path]; spec != nil {
			p.Reportf(spec.Pos(), "%s stays: its messages are handed to another module as such", path)
			delete(f.imports, path)
		}
	}
	where := ast.Node(f.firstImport())
	p.crossings(f, func(c crossing) {
		p.convert(f, c)
		if len(f.imports) == 0 {
			where = c.value
		}
	})
	p.assertions(f)
	for _, d := range drops {
		if spec := f.imports[d.official]; spec != nil {
			f.edits = append(f.edits, p.importEdit(f, d, spec))
		}
	}
	if len(f.edits) == 0 {
		return
	}
	p.Report(analysis.Diagnostic{
		Pos: where.Pos(), End: where.End(), Message: "Protean's packages can take the place of the official ones",
		SuggestedFixes: []analysis.SuggestedFix{{Message: "rewrite imports", TextEdits: f.edits}},
	})
}

// firstImport returns the first import that is to be rewritten.
func (f *file) firstImport() *ast.ImportSpec {
	for _, spec := range f.Imports {
		for _, found := range f.imports {
			if found == spec {
				return spec
			}
		}
	}
	return nil
}

// importEdit replaces an import; the package keeps its name in the file.
func (p *pass) importEdit(f *file, d *drop, spec *ast.ImportSpec) analysis.TextEdit {
	text := strconv.Quote(d.ours)
	if spec.Name == nil && d.name != filepath.Base(d.ours) {
		text = d.name + " " + text
	}
	start := spec.Path.Pos()
	if f.extra[d.official] {
		text += "\n\t" + officialName(d) + " " + strconv.Quote(d.official)
	}
	return analysis.TextEdit{Pos: start, End: spec.Path.End(), NewText: []byte(text)}
}

// officialName is what an official package is called that is needed beside ours.
func officialName(d *drop) string { return "official" + d.name }

// assertions tells of assertions of dynamicpb's type, which hold for other messages once the import is another.
func (p *pass) assertions(f *file) {
	if f.imports[dynamicpbPath] == nil {
		return
	}
	tell := func(e ast.Expr) {
		if d := p.dropOfType(p.TypesInfo.TypeOf(e)); d != nil && d.official == dynamicpbPath {
			p.Reportf(e.Pos(), "the assertion will hold for messages of Protean's package dynamic, "+
				"and not for those that other modules make with dynamicpb")
		}
	}
	ast.Inspect(f.File, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeAssertExpr:
			if n.Type != nil {
				tell(n.Type)
			}
		case *ast.TypeSwitchStmt:
			for _, clause := range n.Body.List {
				for _, e := range clause.(*ast.CaseClause).List {
					tell(e)
				}
			}
		}
		return true
	})
}
