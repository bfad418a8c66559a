package vet

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

// StructpbType reports what structpb's constructors refuse at run time.
var StructpbType = newAnalyzer("structpbtype", `report values that structpb.NewStruct, NewValue and NewList refuse

They take nil, bools, numbers, strings, []byte, json.Number, map[string]any and []any, and end with
an error on all else at any depth: []string, map[string]string, time.Time, pointers, structs, and
named types of any kind. The fix converts where the meaning is plain; value.New of Protean takes
any Go value.`, true, (*finder).structpbType)

var newStructpb = functions([]string{structpbPath}, "PATH.NewStruct", "PATH.NewValue", "PATH.NewList")

func (f *finder) structpbType(c inspector.Cursor, call *ast.CallExpr) {
	name := f.callee(call)
	if !newStructpb[name] || len(call.Args) != 1 {
		return
	}
	r := &refusals{finder: f, c: c, call: call, seen: make(map[ast.Expr]bool)}
	if name == structpbPath+".NewValue" {
		r.value(call.Args[0])
	} else {
		r.elements(call.Args[0])
	}
}

// refusals looks for what one call refuses.
type refusals struct {
	*finder
	c    inspector.Cursor
	call *ast.CallExpr
	seen map[ast.Expr]bool
}

// value looks at one value, and what it holds.
func (r *refusals) value(e ast.Expr) {
	e = ast.Unparen(e)
	if t := r.pass.TypesInfo.TypeOf(e); !accepted(t) {
		r.refuse(e, t)
		return
	}
	r.elements(e)
}

// elements looks at the elements of a map or a list, as far as they can be seen: of a literal, and
// what is assigned to keys of a variable.
func (r *refusals) elements(e ast.Expr) {
	e = ast.Unparen(e)
	if r.seen[e] {
		return
	}
	r.seen[e] = true
	if !holdsAny(r.pass.TypesInfo.TypeOf(e)) {
		return
	}
	switch e := e.(type) {
	case *ast.CompositeLit:
		for _, x := range e.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				x = kv.Value
			}
			r.value(x)
		}
	case *ast.Ident:
		if made := r.definition(r.c, e); made != nil {
			r.variable(e, made)
		}
	}
}

// variable looks at what a variable is made of, and what is assigned to its keys before the call. If
// it is handed to others, or keys that are not constant are assigned to, what it holds at the call
// is not known.
func (r *refusals) variable(id *ast.Ident, made ast.Expr) {
	set, known := r.assigned(id, made.End())
	if !known {
		return
	}
	if lit, ok := ast.Unparen(made).(*ast.CompositeLit); ok {
		for _, x := range lit.Elts {
			kv, ok := x.(*ast.KeyValueExpr)
			if !ok {
				r.value(x)
			} else if !set.again(r.constant(kv.Key), kv.End(), r.call.Pos()) {
				r.value(kv.Value)
			}
		}
	} else {
		r.elements(made)
	}
	for _, s := range set {
		if !set.again(s.key, s.at.End(), r.call.Pos()) {
			r.value(s.value)
		}
	}
}

// A keyed is an assignment to a constant key.
type keyed struct {
	key   string
	value ast.Expr
	at    ast.Node // the statement
	block ast.Node // that the statement stands in
}

type keyeds []keyed

// again reports whether a key is assigned to once more after a place, wherever the program goes
// between that and the use.
func (k keyeds) again(key string, after, use token.Pos) bool {
	return slices.ContainsFunc(k, func(s keyed) bool {
		return s.key == key && s.at.Pos() >= after && s.block != nil && encloses(s.block, use)
	})
}

// constant is the exact form of a constant, or "".
func (r *refusals) constant(e ast.Expr) string {
	if v := r.pass.TypesInfo.Types[e].Value; v != nil {
		return v.ExactString()
	}
	return ""
}

// assigned lists what is assigned to constant keys of a variable between its definition and the
// call, in the function of both; false if something else may change it there.
func (r *refusals) assigned(id *ast.Ident, from token.Pos) (out keyeds, known bool) {
	function, ok := outermost(r.c)
	if !ok {
		return nil, false
	}
	is := func(e ast.Expr) bool {
		x, ok := ast.Unparen(e).(*ast.Ident)
		return ok && r.pass.TypesInfo.Uses[x] == r.pass.TypesInfo.Uses[id]
	}
	for c := range function.Preorder((*ast.AssignStmt)(nil), (*ast.CallExpr)(nil)) {
		if n := c.Node(); n.Pos() < from || n.Pos() >= r.call.Pos() {
			continue
		}
		switch n := c.Node().(type) {
		case *ast.CallExpr:
			if slices.ContainsFunc(n.Args, is) && !r.onlyReads(n) {
				return nil, false
			}
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				index, ok := ast.Unparen(left).(*ast.IndexExpr)
				if !ok || !is(index.X) || leavesBefore(c, r.call.Pos()) {
					continue
				}
				key := r.constant(index.Index)
				if key == "" || len(n.Lhs) != len(n.Rhs) || n.Tok != token.ASSIGN {
					return nil, false
				}
				out = append(out, keyed{key, n.Rhs[i], n, c.Parent().Node()})
			}
		}
	}
	return out, true
}

// onlyReads reports whether a call does not change a map or a list that it is given.
func (r *refusals) onlyReads(call *ast.CallExpr) bool {
	name := r.callee(call)
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok && id.Name == "len" {
		return true
	}
	return newStructpb[name] || marshalJSON[name] || strings.HasPrefix(name, "fmt.") || strings.HasPrefix(name, "log.")
}

// leavesBefore reports whether a block around a statement, but not around pos, ends with a way out,
// so that what the statement does is not seen at pos.
func leavesBefore(c inspector.Cursor, pos token.Pos) bool {
	for up := c.Parent(); up.Valid() && up.Node() != nil && !encloses(up.Node(), pos); up = up.Parent() {
		switch n := up.Node().(type) {
		case *ast.BlockStmt:
			if leaves(n.List) {
				return true
			}
		case *ast.CaseClause:
			if leaves(n.Body) {
				return true
			}
		}
	}
	return false
}

func (r *refusals) refuse(e ast.Expr, t types.Type) {
	constructor := ast.Unparen(r.call.Fun)
	r.report(analysis.Diagnostic{
		Pos: e.Pos(), End: e.End(),
		Message: fmt.Sprintf(
			"%s refuses a %s at run time; value.New of github.com/protean-pb/protean takes any Go value",
			types.ExprString(constructor), types.TypeString(t, types.RelativeTo(r.pass.Pkg))),
		SuggestedFixes: conversion(e, t),
	})
}

// holdsAny reports whether t is a map or slice of any.
func holdsAny(t types.Type) bool {
	if t == nil {
		return false
	}
	var elem types.Type
	switch u := t.Underlying().(type) {
	case *types.Map:
		elem = u.Elem()
	case *types.Slice:
		elem = u.Elem()
	default:
		return false
	}
	i, ok := elem.Underlying().(*types.Interface)
	return ok && i.Empty()
}

// accepted reports whether structpb.NewValue takes values of a static type, or may take them.
func accepted(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case nil, *types.Interface, *types.TypeParam:
		return true
	case *types.Basic:
		return t.Info()&(types.IsBoolean|types.IsString|types.IsUntyped) != 0 && t.Info()&types.IsComplex == 0 ||
			t.Info()&types.IsNumeric != 0 && t.Info()&types.IsComplex == 0 && t.Kind() != types.Uintptr ||
			t.Kind() == types.UntypedNil || t.Kind() == types.Invalid
	case *types.Slice:
		elem, basic := types.Unalias(t.Elem()).(*types.Basic)
		return basic && elem.Kind() == types.Byte || isEmptyInterface(t.Elem())
	case *types.Map:
		key, basic := types.Unalias(t.Key()).(*types.Basic)
		return basic && key.Kind() == types.String && isEmptyInterface(t.Elem())
	case *types.Named:
		if types.IsInterface(t) {
			return true
		}
		return t.Obj().Pkg() != nil && t.Obj().Pkg().Path() == "encoding/json" && t.Obj().Name() == "Number"
	}
	return false
}

// isEmptyInterface reports whether t is any, and not a named type like it.
func isEmptyInterface(t types.Type) bool {
	i, ok := types.Unalias(t).(*types.Interface)
	return ok && i.Empty()
}

// conversion is the fix where the meaning is plain, or nil: a literal of strings or bools becomes
// one of any, and a value of a named type without methods its basic type.
func conversion(e ast.Expr, t types.Type) []analysis.SuggestedFix {
	if lit, ok := e.(*ast.CompositeLit); ok && lit.Type != nil {
		var elem types.Type
		text := ""
		switch u := types.Unalias(t).(type) {
		case *types.Slice:
			elem, text = u.Elem(), "[]any"
		case *types.Map:
			if key, ok := types.Unalias(u.Key()).(*types.Basic); ok && key.Kind() == types.String {
				elem, text = u.Elem(), "map[string]any"
			}
		}
		if elem == nil || !isPlain(elem) {
			return nil
		}
		return []analysis.SuggestedFix{{
			Message:   "Make it a " + text,
			TextEdits: []analysis.TextEdit{{Pos: lit.Type.Pos(), End: lit.Type.End(), NewText: []byte(text)}},
		}}
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.NumMethods() > 0 {
		return nil
	}
	basic, ok := named.Underlying().(*types.Basic)
	if !ok || !accepted(basic) {
		return nil
	}
	return []analysis.SuggestedFix{{
		Message: "Convert it to " + basic.Name(),
		TextEdits: []analysis.TextEdit{
			{Pos: e.Pos(), End: e.Pos(), NewText: []byte(basic.Name() + "(")},
			{Pos: e.End(), End: e.End(), NewText: []byte(")")},
		},
	}}
}

// isPlain reports whether elements of a literal keep their type when the literal holds any.
func isPlain(t types.Type) bool {
	b, ok := types.Unalias(t).(*types.Basic)
	return ok && (b.Kind() == types.String || b.Kind() == types.Bool)
}
