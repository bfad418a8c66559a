package messages

import (
	"fmt"

	cel "cel.dev/expr"
	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/benchmarks/internal/fake"
)

// celChecked is a type-checked expression about a request: so many conditions, joined by && and ||.
func celChecked(conditions int) func() proto.Message {
	return func() proto.Message {
		b := newCELBuilder()
		e := b.condition()
		for range conditions - 1 {
			f, overload := b.r.Pick("_&&_", "_||_"), b.r.Pick("logical_and", "logical_or")
			e = b.call(f, overload, e, b.condition())
		}
		b.checked.Expr = e
		for i := range conditions {
			b.checked.SourceInfo.LineOffsets = append(b.checked.SourceInfo.LineOffsets, int32(i*60+60))
		}
		return b.checked
	}
}

// A celBuilder numbers nodes, and notes the type and the position of each.
type celBuilder struct {
	r       *fake.Source
	checked *cel.CheckedExpr
	id      int64
}

func newCELBuilder() *celBuilder {
	return &celBuilder{r: fake.New(10), checked: &cel.CheckedExpr{
		ReferenceMap: map[int64]*cel.Reference{},
		TypeMap:      map[int64]*cel.Type{},
		ExprVersion:  "cel-1",
		SourceInfo:   &cel.SourceInfo{SyntaxVersion: "cel1", Location: "<input>", Positions: map[int64]int32{}},
	}}
}

// condition is one of four: a field that is equal to a text, one that has a prefix, a key that is in a map, or a text
// that is in a list, which the macro exists makes a loop.
func (b *celBuilder) condition() *cel.Expr {
	switch b.r.IntN(4) {
	case 0:
		auth := b.field(b.request(), "auth", messageType("google.rpc.context.AttributeContext.Auth"))
		return b.call("_==_", "equals", b.field(auth, "principal", stringType()), b.text(b.r.Email()))
	case 1:
		path := b.field(b.request(), "path", stringType())
		return b.call("startsWith", "starts_with_string", path, b.text(b.r.Path()))
	case 2:
		headers := &cel.Type{TypeKind: &cel.Type_MapType_{
			MapType: &cel.Type_MapType{KeyType: stringType(), ValueType: stringType()},
		}}
		return b.call("@in", "in_map", b.text("x-"+b.r.Word()), b.field(b.request(), "headers", headers))
	default:
		return b.exists()
	}
}

func (b *celBuilder) exists() *cel.Expr {
	list := b.node(&cel.Type{TypeKind: &cel.Type_ListType_{ListType: &cel.Type_ListType{ElemType: stringType()}}})
	elements := new(cel.Expr_CreateList)
	for range b.r.Between(2, 6) {
		elements.Elements = append(elements.Elements, b.text(b.r.Word()))
	}
	list.ExprKind = &cel.Expr_ListExpr{ListExpr: elements}
	variable := fmt.Sprint("r", b.id)
	e := b.node(boolType())
	result := func() *cel.Expr { return b.ident("@result", boolType()) }
	loop := &cel.Expr_Comprehension{IterVar: variable, IterRange: list, AccuVar: "@result"}
	no := &cel.Constant{ConstantKind: &cel.Constant_BoolValue{BoolValue: false}}
	loop.AccuInit = b.constant(no, boolType())
	loop.LoopCondition = b.call("@not_strictly_false", "not_strictly_false", b.call("!_", "logical_not", result()))
	loop.LoopStep = b.call("_||_", "logical_or", result(), b.call("_==_", "equals",
		b.ident(variable, stringType()), b.field(b.request(), "method", stringType())))
	loop.Result = result()
	e.ExprKind = &cel.Expr_ComprehensionExpr{ComprehensionExpr: loop}
	return e
}

func (b *celBuilder) node(t *cel.Type) *cel.Expr {
	b.id++
	b.checked.TypeMap[b.id] = t
	b.checked.SourceInfo.Positions[b.id] = int32(b.id * 7)
	return &cel.Expr{Id: b.id}
}

func (b *celBuilder) ident(name string, t *cel.Type) *cel.Expr {
	e := b.node(t)
	e.ExprKind = &cel.Expr_IdentExpr{IdentExpr: &cel.Expr_Ident{Name: name}}
	b.checked.ReferenceMap[e.Id] = &cel.Reference{Name: name}
	return e
}

func (b *celBuilder) field(of *cel.Expr, name string, t *cel.Type) *cel.Expr {
	e := b.node(t)
	e.ExprKind = &cel.Expr_SelectExpr{SelectExpr: &cel.Expr_Select{Operand: of, Field: name}}
	return e
}

// call is a call of a function that returns a bool.
func (b *celBuilder) call(function, overload string, args ...*cel.Expr) *cel.Expr {
	e := b.node(boolType())
	e.ExprKind = &cel.Expr_CallExpr{CallExpr: &cel.Expr_Call{Function: function, Args: args}}
	b.checked.ReferenceMap[e.Id] = &cel.Reference{OverloadId: []string{overload}}
	return e
}

func (b *celBuilder) constant(c *cel.Constant, t *cel.Type) *cel.Expr {
	e := b.node(t)
	e.ExprKind = &cel.Expr_ConstExpr{ConstExpr: c}
	return e
}

func (b *celBuilder) text(s string) *cel.Expr {
	return b.constant(&cel.Constant{ConstantKind: &cel.Constant_StringValue{StringValue: s}}, stringType())
}

func (b *celBuilder) request() *cel.Expr {
	return b.ident("request", messageType("google.rpc.context.AttributeContext.Request"))
}

func boolType() *cel.Type { return &cel.Type{TypeKind: &cel.Type_Primitive{Primitive: cel.Type_BOOL}} }

func stringType() *cel.Type {
	return &cel.Type{TypeKind: &cel.Type_Primitive{Primitive: cel.Type_STRING}}
}

func messageType(name string) *cel.Type {
	return &cel.Type{TypeKind: &cel.Type_MessageType{MessageType: name}}
}
