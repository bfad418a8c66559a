package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// A side is of which library the type of an expression is once the imports are rewritten.
type side int

const (
	neither  side = iota // the type is none of those that differ
	ours                 // what the module writes out with an import that is rewritten
	official             // what other modules and generated files declare
)

// dropOfType returns the drop that a type, or what it points to, belongs to, if it is one of those that differ.
func (p *pass) dropOfType(t types.Type) *drop {
	if t == nil {
		return nil
	}
	t = types.Unalias(t)
	if ptr, ok := t.(*types.Pointer); ok {
		t = types.Unalias(ptr.Elem())
	}
	named, ok := t.(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return nil
	}
	if d := dropOf(named.Obj().Pkg().Path()); d != nil && d.types[named.Obj().Name()] && !p.left[d.official] {
		return d
	}
	return nil
}

// sideOfObject returns the side of what is declared somewhere.
func (p *pass) sideOfObject(o types.Object) side {
	if o == nil || o.Pkg() == nil {
		return neither
	}
	if v, ok := o.(*types.Var); ok && v.Pkg() == p.Pkg {
		if init := p.inits[v]; init != nil {
			return p.sideOf(init)
		}
		if call := p.calls[v]; call != nil {
			return p.sideOfObject(p.callee(call))
		}
	}
	switch {
	case dropOf(o.Pkg().Path()) != nil:
		return ours
	case !p.inModule(o.Pkg().Path()), p.inGenerated(o.Pos()):
		return official
	}
	return ours
}

// inModule reports whether a package is rewritten, too.
func (p *pass) inModule(path string) bool {
	if path == p.Pkg.Path() || strings.TrimSuffix(p.Pkg.Path(), "_test") == path {
		return true
	}
	if p.Module == nil || p.Module.Path == "" {
		return false
	}
	return path == p.Module.Path || strings.HasPrefix(path, p.Module.Path+"/")
}

func (p *pass) inGenerated(pos token.Pos) bool {
	name := p.Fset.Position(pos).Filename
	for _, f := range p.Files {
		if f.FileStart <= pos && pos <= f.FileEnd {
			return ast.IsGenerated(f)
		}
	}
	return strings.HasSuffix(name, ".pb.go") || strings.HasSuffix(name, ".pb.gw.go")
}

// sideOf returns the side of an expression whose type is one of those that differ.
func (p *pass) sideOf(e ast.Expr) side {
	if p.dropOfType(p.TypesInfo.TypeOf(e)) == nil {
		return neither
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return p.sideOfObject(p.TypesInfo.ObjectOf(e))
	case *ast.SelectorExpr:
		return p.sideOfObject(p.TypesInfo.ObjectOf(e.Sel))
	case *ast.CallExpr:
		if callee := p.callee(e); callee != nil {
			return p.sideOfObject(callee)
		}
	case *ast.UnaryExpr:
		return p.sideOf(e.X)
	case *ast.StarExpr:
		return p.sideOf(e.X)
	}
	return ours // what is written out: composite literals, conversions, assertions
}

// callee returns the function, method or variable that a call names; nil for a conversion, and for what has no name.
func (p *pass) callee(call *ast.CallExpr) types.Object {
	if tv := p.TypesInfo.Types[call.Fun]; tv.IsType() {
		return nil
	}
	fun := ast.Unparen(call.Fun)
	switch indexed := fun.(type) {
	case *ast.IndexExpr:
		fun = indexed.X
	case *ast.IndexListExpr:
		fun = indexed.X
	}
	switch fun := fun.(type) {
	case *ast.Ident:
		return p.TypesInfo.Uses[fun]
	case *ast.SelectorExpr:
		return p.TypesInfo.Uses[fun.Sel]
	}
	return nil
}

// collectInits notes what variables are initialised with that have no type written out.
func (p *pass) collectInits(f *ast.File) {
	note := func(names []ast.Expr, values []ast.Expr) {
		if len(names) != len(values) {
			if len(values) != 1 {
				return
			}
			for _, n := range names { // of a call with several results
				if id, ok := n.(*ast.Ident); ok && p.TypesInfo.Defs[id] != nil {
					if call, ok := ast.Unparen(values[0]).(*ast.CallExpr); ok &&
						p.dropOfType(p.TypesInfo.Defs[id].Type()) != nil {
						p.calls[p.TypesInfo.Defs[id]] = call
					}
				}
			}
			return
		}
		for i, n := range names {
			if id, ok := n.(*ast.Ident); ok && p.TypesInfo.Defs[id] != nil {
				p.inits[p.TypesInfo.Defs[id]] = values[i]
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				note(n.Lhs, n.Rhs)
			}
		case *ast.ValueSpec:
			if n.Type == nil && len(n.Values) > 0 {
				names := make([]ast.Expr, len(n.Names))
				for i, id := range n.Names {
					names[i] = id
				}
				note(names, n.Values)
			}
		}
		return true
	})
}
