package main

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
)

// A crossing is a place where a value of one side goes to where the other is wanted.
type crossing struct {
	drop   *drop
	value  ast.Expr
	wanted side
	call   *ast.CallExpr // that value is an argument of; nil elsewhere
}

// crossings hands over those of a file.
func (p *pass) crossings(f *file, found func(crossing)) {
	at := func(value ast.Expr, wanted side, target types.Type, call *ast.CallExpr) {
		d := p.dropOfType(target)
		if d == nil || wanted == neither || p.TypesInfo.Types[value].IsNil() {
			return
		}
		if have := p.sideOf(value); have != neither && have != wanted {
			found(crossing{d, value, wanted, call})
		}
	}
	ast.Inspect(f.File, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			p.inCall(n, at)
		case *ast.CompositeLit:
			p.inLiteral(n, at)
		case *ast.AssignStmt:
			if n.Tok == token.ASSIGN && len(n.Lhs) == len(n.Rhs) {
				for i, to := range n.Lhs {
					at(n.Rhs[i], p.sideOf(to), p.TypesInfo.TypeOf(to), nil)
				}
			}
		case *ast.ValueSpec:
			if n.Type != nil {
				for _, v := range n.Values {
					at(v, ours, p.TypesInfo.TypeOf(n.Type), nil)
				}
			}
		case *ast.FuncDecl:
			if n.Body != nil {
				p.inReturns(n.Body, p.TypesInfo.Defs[n.Name].Type().(*types.Signature), at)
			}
		case *ast.FuncLit:
			p.inReturns(n.Body, p.TypesInfo.TypeOf(n).(*types.Signature), at)
		}
		return true
	})
}

type place func(value ast.Expr, wanted side, target types.Type, call *ast.CallExpr)

// inCall looks at the arguments of a call, and at what a conversion converts.
func (p *pass) inCall(call *ast.CallExpr, at place) {
	callee := p.callee(call)
	if callee == nil {
		if tv := p.TypesInfo.Types[call.Fun]; tv.IsType() && len(call.Args) == 1 {
			at(call.Args[0], ours, tv.Type, nil)
		}
		return
	}
	t := callee.Type()
	if fn, ok := callee.(*types.Func); ok {
		t = fn.Origin().Type() // a type parameter is of any type
	}
	signature, ok := t.Underlying().(*types.Signature)
	if !ok {
		return
	}
	wanted := p.sideOfObject(callee)
	for i, arg := range call.Args {
		if param := paramType(signature, i, call.Ellipsis.IsValid()); param != nil {
			at(arg, wanted, param, call)
		}
	}
}

// paramType returns the type of an argument's parameter.
func paramType(s *types.Signature, i int, spread bool) types.Type {
	last := s.Params().Len() - 1
	switch {
	case last < 0 || i > last && !s.Variadic():
		return nil
	case s.Variadic() && i >= last && !spread:
		if slice, ok := s.Params().At(last).Type().(*types.Slice); ok {
			return slice.Elem()
		}
		return nil
	}
	return s.Params().At(min(i, last)).Type()
}

// inLiteral looks at the fields and elements of a composite literal.
func (p *pass) inLiteral(lit *ast.CompositeLit, at place) {
	switch t := types.Unalias(p.TypesInfo.TypeOf(lit)).Underlying().(type) {
	case *types.Struct:
		for i, e := range lit.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				if key, ok := kv.Key.(*ast.Ident); ok {
					if field := p.TypesInfo.ObjectOf(key); field != nil {
						at(kv.Value, p.sideOfObject(field), field.Type(), nil)
					}
				}
			} else if i < t.NumFields() {
				at(e, p.sideOfObject(t.Field(i)), t.Field(i).Type(), nil)
			}
		}
	case interface{ Elem() types.Type }:
		for _, e := range lit.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				e = kv.Value
			}
			at(e, ours, t.Elem(), nil)
		}
	}
}

// inReturns looks at what a function returns, but not at the functions in it.
func (p *pass) inReturns(body *ast.BlockStmt, s *types.Signature, at place) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if len(n.Results) == s.Results().Len() {
				for i, v := range n.Results {
					at(v, ours, s.Results().At(i).Type(), nil)
				}
			}
		}
		return true
	})
}

// counterparts are functions of other packages that ours has a counterpart of, which takes the options of both.
var counterparts = map[string]bool{"MarshalFrom": true, "UnmarshalTo": true, "UnmarshalNew": true}

const (
	anypbPath = "google.golang.org/protobuf/types/known/anypb"
	protoPath = "google.golang.org/protobuf/proto"
)

// convert adds the edits that make a value one of the other side, or tells of a place that is to be changed by hand.
func (p *pass) convert(f *file, c crossing) {
	if p.useCounterpart(f, c) {
		return
	}
	value := ast.Unparen(c.value)
	_, pointer := types.Unalias(p.TypesInfo.TypeOf(c.value)).(*types.Pointer)
	name, option := f.nameOf(c.drop), typeName(p.TypesInfo.TypeOf(c.value))
	switch {
	case pointer && c.wanted == official && p.leaveLiteral(f, c, value):
	case pointer:
		p.Reportf(c.value.Pos(), "%s.%s is another type here than there, "+
			"and a pointer to it cannot be converted: change this by hand", c.drop.name, option)
	case c.wanted == official:
		f.wrap(c.value, "", ".Official()")
	case name == "":
		p.Reportf(c.value.Pos(), "the options are the official ones: convert them by %s.%sOf", c.drop.name, option)
	default:
		f.wrap(c.value, name+"."+option+"Of(", ")")
	}
}

// useCounterpart has a call of anypb call package proto in its place.
func (p *pass) useCounterpart(f *file, c crossing) bool {
	if c.call == nil {
		return false
	}
	callee, fun := p.callee(c.call), ast.Unparen(c.call.Fun)
	selector, ok := fun.(*ast.SelectorExpr)
	name := f.nameOf(dropOf(protoPath))
	if !ok || name == "" || callee.Pkg().Path() != anypbPath || !counterparts[callee.Name()] {
		return false
	}
	f.edits = append(f.edits, analysis.TextEdit{Pos: selector.X.Pos(), End: selector.X.End(), NewText: []byte(name)})
	return true
}

// leaveLiteral has a literal whose address is taken be of the official type.
func (p *pass) leaveLiteral(f *file, c crossing, value ast.Expr) bool {
	address, ok := value.(*ast.UnaryExpr)
	if !ok {
		return false
	}
	lit, ok := ast.Unparen(address.X).(*ast.CompositeLit)
	if !ok {
		return false
	}
	selector, ok := lit.Type.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	f.extra[c.drop.official] = true
	f.edits = append(f.edits, analysis.TextEdit{
		Pos: selector.X.Pos(), End: selector.X.End(), NewText: []byte(officialName(c.drop)),
	})
	return true
}

// wrap puts text around an expression.
func (f *file) wrap(e ast.Expr, before, after string) {
	switch ast.Unparen(e).(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.CallExpr, *ast.CompositeLit, *ast.IndexExpr:
	default:
		if before == "" {
			before, after = "(", ")"+after
		}
	}
	if before != "" {
		f.edits = append(f.edits, analysis.TextEdit{Pos: e.Pos(), End: e.Pos(), NewText: []byte(before)})
	}
	f.edits = append(f.edits, analysis.TextEdit{Pos: e.End(), End: e.End(), NewText: []byte(after)})
}

// nameOf returns what an official package is called in a file in which it is rewritten; empty elsewhere.
func (f *file) nameOf(d *drop) string {
	spec := f.imports[d.official]
	switch {
	case spec == nil:
		return ""
	case spec.Name != nil:
		return spec.Name.Name
	}
	return d.name
}

// typeName is the name of a type, or of what it points to.
func typeName(t types.Type) string {
	t = types.Unalias(t)
	if ptr, ok := t.(*types.Pointer); ok {
		t = types.Unalias(ptr.Elem())
	}
	return t.(*types.Named).Obj().Name()
}
