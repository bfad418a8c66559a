package vet

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"
)

// callee is the full name of the function or method that a call is of, such as
// (*encoding/json.Decoder).Decode; "" if nobody knows before run time.
func (f *finder) callee(call *ast.CallExpr) string {
	if fn, ok := typeutil.Callee(f.pass.TypesInfo, call).(*types.Func); ok {
		return fn.Origin().FullName()
	}
	return ""
}

// receiver is the expression before the name of a method that is called.
func receiver(call *ast.CallExpr) ast.Expr {
	if s, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		return s.X
	}
	return nil
}

// maxSteps bounds how far a value is followed, whatever a program looks like.
const maxSteps = 32

// source returns what an expression's value was before variables, conversions, slicing, text
// encodings and readers around it.
func (f *finder) source(c inspector.Cursor, e ast.Expr) ast.Expr {
	for range maxSteps {
		inner := f.step(c, e)
		if inner == nil {
			return e
		}
		e = inner
	}
	return e
}

// sourceCall is the call that an expression's value comes from, or nil.
func (f *finder) sourceCall(c inspector.Cursor, e ast.Expr) *ast.CallExpr {
	call, _ := f.source(c, e).(*ast.CallExpr)
	return call
}

// wrappers are functions whose result stands for their first argument.
var wrappers = map[string]bool{
	"bytes.NewReader":                            true,
	"bytes.NewBuffer":                            true,
	"bytes.NewBufferString":                      true,
	"strings.NewReader":                          true,
	"encoding/hex.EncodeToString":                true,
	"(*encoding/base64.Encoding).EncodeToString": true,
	"(*encoding/base32.Encoding).EncodeToString": true,
}

// step goes one step back to where a value comes from; nil if there is none.
func (f *finder) step(c inspector.Cursor, e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return e.X
	case *ast.SliceExpr:
		return e.X
	case *ast.Ident:
		return f.definition(c, e)
	case *ast.CallExpr:
		if tv := f.pass.TypesInfo.Types[e.Fun]; len(e.Args) == 1 && (tv.IsType() || wrappers[f.callee(e)]) {
			return e.Args[0]
		}
	}
	return nil
}

// An assignment gives a variable a value.
type assignment struct {
	at     inspector.Cursor
	value  ast.Expr // nil if it is not the first value of an expression
	parent ast.Node
}

// definition returns the value that a local variable has where it is used: that of the last
// assignment before, in a block around the use. It is nil if there is another assignment that may
// come between, or if the variable's address is taken.
func (f *finder) definition(c inspector.Cursor, id *ast.Ident) ast.Expr {
	v, ok := f.pass.TypesInfo.Uses[id].(*types.Var)
	if !ok || v.IsField() || v.Parent() == f.pass.Pkg.Scope() {
		return nil
	}
	function, ok := outermost(c)
	if !ok {
		return nil
	}
	all, known := f.assignments(function, v)
	if !known {
		return nil
	}
	var last *assignment
	for i, a := range all {
		if a.at.Node().End() <= id.Pos() {
			last = &all[i]
		}
	}
	if last == nil || !encloses(last.parent, id.Pos()) {
		return nil
	}
	for _, a := range all { // that the next pass of a loop may come from
		if a.at.Node().Pos() < id.Pos() {
			continue
		}
		for loop := range c.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)) {
			if n := loop.Node(); encloses(n, a.at.Node().Pos()) && !encloses(n, last.at.Node().Pos()) {
				return nil
			}
		}
	}
	return last.value
}

func encloses(n ast.Node, pos token.Pos) bool { return n.Pos() <= pos && pos < n.End() }

// outermost is the function declaration around a place.
func outermost(c inspector.Cursor) (inspector.Cursor, bool) {
	for d := range c.Enclosing((*ast.FuncDecl)(nil)) {
		return d, true
	}
	return c, false
}

// assignments lists the assignments to a variable in their order; false if there may be others.
func (f *finder) assignments(function inspector.Cursor, v *types.Var) ([]assignment, bool) {
	var out []assignment
	is := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && f.pass.TypesInfo.ObjectOf(id) == v
	}
	add := func(c inspector.Cursor, i, n int, values []ast.Expr) {
		a := assignment{at: c, parent: c.Parent().Node()}
		switch {
		case len(values) == n:
			a.value = values[i]
		case len(values) == 1 && i == 0:
			a.value = values[0]
		}
		out = append(out, a)
	}
	kinds := []ast.Node{(*ast.AssignStmt)(nil), (*ast.ValueSpec)(nil), (*ast.RangeStmt)(nil), (*ast.UnaryExpr)(nil)}
	for c := range function.Preorder(kinds...) {
		switch n := c.Node().(type) {
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if is(left) {
					if n.Tok != token.ASSIGN && n.Tok != token.DEFINE {
						return nil, false
					}
					add(c, i, len(n.Lhs), n.Rhs)
				}
			}
		case *ast.ValueSpec:
			for i, name := range n.Names {
				if is(name) && len(n.Values) > 0 {
					add(inDeclaration(c), i, len(n.Names), n.Values)
				}
			}
		case *ast.RangeStmt:
			if n.Key != nil && is(n.Key) || n.Value != nil && is(n.Value) {
				return nil, false
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND && is(n.X) {
				return nil, false
			}
		}
	}
	return out, true
}

// inDeclaration is the statement that a specification of variables stands in, so that its parent
// is the block.
func inDeclaration(c inspector.Cursor) inspector.Cursor {
	for d := range c.Enclosing((*ast.DeclStmt)(nil)) {
		return d
	}
	return c
}
