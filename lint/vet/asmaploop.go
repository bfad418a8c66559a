package vet

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

// AsMapLoop reports trees of Go values that are built again and again, or for one member.
var AsMapLoop = newAnalyzer("asmaploop", `report AsMap, AsSlice and AsInterface in loops, and AsMap for one member

They build the whole tree of maps, slices and boxed values each time. GetFields reads a member in
place; value.Interface of Protean builds the same tree with fewer allocations. A call that the
loop ends with is not reported. The fix for one member is to read that alone.`, false, (*finder).asMapLoop)

func (f *finder) asMapLoop(c inspector.Cursor, call *ast.CallExpr) {
	name := ""
	for _, method := range []string{"AsMap", "AsSlice", "AsInterface"} {
		if isMethodOfStructpb(f.callee(call), method) {
			name = method
		}
	}
	of := receiver(call)
	if name == "" || of == nil || f.oneMember(c, call, name, of) {
		return
	}
	loop := loopAround(c)
	if loop == nil || name == "AsInterface" && isMember(of) {
		return
	}
	message := fmt.Sprintf("%s in a loop builds the whole tree on every pass; read members in place (GetFields, "+
		"GetValues), or build it by value.Interface of github.com/protean-pb/protean", name)
	if f.invariant(loop, of) {
		message = fmt.Sprintf("%s of %s builds the same tree on every pass of the loop; call it once before",
			name, types.ExprString(of))
	}
	f.report(analysis.Diagnostic{Pos: call.Pos(), End: call.End(), Message: message})
}

// oneMember reports s.AsMap()["name"].
func (f *finder) oneMember(c inspector.Cursor, call *ast.CallExpr, name string, of ast.Expr) bool {
	index, ok := c.Parent().Node().(*ast.IndexExpr)
	if !ok || name != "AsMap" || index.X != call {
		return false
	}
	d := analysis.Diagnostic{
		Pos: index.Pos(), End: index.End(),
		Message: "AsMap builds the whole tree for one member; GetFields reads it in place",
	}
	if !isCommaOK(c.Parent(), f.pass.TypesInfo) {
		selector := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		d.SuggestedFixes = []analysis.SuggestedFix{{
			Message: "Read the member alone",
			TextEdits: []analysis.TextEdit{
				{Pos: selector.Sel.Pos(), End: selector.Sel.End(), NewText: []byte("GetFields")},
				{Pos: index.End(), End: index.End(), NewText: []byte(".AsInterface()")},
			},
		}}
	}
	f.report(d)
	return true
}

// isCommaOK reports whether an index expression has two results, or is assigned to.
func isCommaOK(c inspector.Cursor, info *types.Info) bool {
	if tv := info.Types[c.Node().(ast.Expr)]; tv.Type != nil {
		if _, pair := tv.Type.(*types.Tuple); pair {
			return true
		}
	}
	switch n := c.Parent().Node().(type) {
	case *ast.AssignStmt:
		for _, left := range n.Lhs {
			if left == c.Node() {
				return true
			}
		}
	}
	return false
}

// isMember reports whether an expression is an element of a map or a list, which is converted
// alone: x.GetFields()["name"].
func isMember(e ast.Expr) bool {
	_, ok := ast.Unparen(e).(*ast.IndexExpr)
	return ok
}

// loopAround is the innermost loop, in the same function, that runs a call again and again, or nil.
// A loop does not where the statements around the call end with a way out of it.
func loopAround(c inspector.Cursor) ast.Node {
	for up := c; ; up = up.Parent() {
		n := up.Node()
		switch n := n.(type) {
		case nil, *ast.FuncDecl, *ast.FuncLit, *ast.ReturnStmt:
			return nil
		case *ast.BlockStmt:
			if leaves(n.List) {
				return nil
			}
		case *ast.CaseClause:
			if leaves(n.Body) {
				return nil
			}
		case *ast.ForStmt:
			if n.Init == nil || !encloses(n.Init, c.Node().Pos()) {
				return n
			}
		case *ast.RangeStmt:
			if !encloses(n.X, c.Node().Pos()) {
				return n
			}
		}
		if !up.Parent().Valid() {
			return nil
		}
	}
}

// leaves reports whether statements end with one after which the loop around them does not go on.
func leaves(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	switch last := list[len(list)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return last.Tok == token.BREAK || last.Tok == token.GOTO
	case *ast.ExprStmt:
		call, ok := last.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		id, ok := call.Fun.(*ast.Ident)
		return ok && id.Name == "panic"
	}
	return false
}

// invariant reports whether an expression is a variable, or a chain of fields and getters of one,
// that the loop neither declares nor assigns to.
func (f *finder) invariant(loop ast.Node, e ast.Expr) bool {
	root := rootOf(e)
	if root == nil {
		return false
	}
	v, ok := f.pass.TypesInfo.Uses[root].(*types.Var)
	if !ok || encloses(loop, v.Pos()) {
		return false
	}
	same := true
	ast.Inspect(loop, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				if id := rootOf(left); id != nil && f.pass.TypesInfo.ObjectOf(id) == v {
					same = false
				}
			}
		case *ast.UnaryExpr:
			if id := rootOf(n.X); n.Op == token.AND && id != nil && f.pass.TypesInfo.ObjectOf(id) == v {
				same = false
			}
		}
		return same
	})
	return same
}

// rootOf is the variable that a chain of fields and getters without arguments begins with, or nil.
func rootOf(e ast.Expr) *ast.Ident {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			return x
		case *ast.SelectorExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.CallExpr:
			s, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr)
			if !ok || len(x.Args) > 0 || len(s.Sel.Name) < 4 || s.Sel.Name[:3] != "Get" {
				return nil
			}
			e = s.X
		default:
			return nil
		}
	}
}
