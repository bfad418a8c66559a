package messages

import (
	"github.com/substrait-io/substrait-protobuf/go/substraitpb"
	"github.com/substrait-io/substrait-protobuf/go/substraitpb/extensions"
	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/benchmarks/internal/fake"
)

// queryPlan is the plan of a query with so many joins, one in the other, as a planner hands it to an engine.
func queryPlan(joins int) func() proto.Message {
	return func() proto.Message {
		b := &planBuilder{r: fake.New(16)}
		rel := b.read()
		for range joins {
			rel = b.join(rel, b.filter(b.read()))
		}
		root := &substraitpb.RelRoot{Input: b.sort(b.project(b.filter(rel)))}
		for range planColumns {
			root.Names = append(root.Names, b.r.Word()+"_"+b.r.Word())
		}
		return &substraitpb.Plan{
			Version: &substraitpb.Version{MinorNumber: 85, Producer: "acme-planner"},
			ExtensionUrns: []*extensions.SimpleExtensionURN{
				{ExtensionUrnAnchor: 1, Urn: "extension:io.substrait:functions_comparison"},
				{ExtensionUrnAnchor: 2, Urn: "extension:io.substrait:functions_boolean"},
				{ExtensionUrnAnchor: 3, Urn: "extension:io.substrait:functions_arithmetic"},
			},
			Extensions: planFunctions(),
			Relations:  []*substraitpb.PlanRel{{RelType: &substraitpb.PlanRel_Root{Root: root}}},
		}
	}
}

// planColumns is how many columns each table has.
const planColumns = 8

func planFunctions() []*extensions.SimpleExtensionDeclaration {
	var all []*extensions.SimpleExtensionDeclaration
	for i, name := range []string{
		"equal:any_any", "gt:any_any", "and:bool", "or:bool", "add:i64_i64", "multiply:i64_i64",
	} {
		f := &extensions.SimpleExtensionDeclaration_ExtensionFunction{
			ExtensionUrnReference: uint32(i/2 + 1),
			FunctionAnchor:        uint32(i + 1),
			Name:                  name,
		}
		all = append(all, &extensions.SimpleExtensionDeclaration{
			MappingType: &extensions.SimpleExtensionDeclaration_ExtensionFunction_{ExtensionFunction: f},
		})
	}
	return all
}

// A planBuilder makes relations and expressions over tables of alternating texts and integers.
type planBuilder struct{ r *fake.Source }

func (b *planBuilder) read() *substraitpb.Rel {
	columns := &substraitpb.Type_Struct{Nullability: substraitpb.Type_NULLABILITY_REQUIRED}
	schema := &substraitpb.NamedStruct{Struct: columns}
	for i := range planColumns {
		schema.Names = append(schema.Names, b.r.Word()+"_"+b.r.Word())
		t := integer()
		if i%2 == 0 {
			t = text()
		}
		columns.Types = append(columns.Types, t)
	}
	table := &substraitpb.ReadRel_NamedTable{Names: []string{"warehouse", b.r.Word(), b.r.Word()}}
	return &substraitpb.Rel{RelType: &substraitpb.Rel_Read{Read: &substraitpb.ReadRel{
		Common:     direct(),
		BaseSchema: schema,
		ReadType:   &substraitpb.ReadRel_NamedTable_{NamedTable: table},
	}}}
}

func (b *planBuilder) join(left, right *substraitpb.Rel) *substraitpb.Rel {
	return &substraitpb.Rel{RelType: &substraitpb.Rel_Join{Join: &substraitpb.JoinRel{
		Common:     direct(),
		Left:       left,
		Right:      right,
		Expression: b.call(1, boolean(), b.column(), b.column()),
		Type:       substraitpb.JoinRel_JOIN_TYPE_INNER,
	}}}
}

func (b *planBuilder) filter(input *substraitpb.Rel) *substraitpb.Rel {
	return &substraitpb.Rel{RelType: &substraitpb.Rel_Filter{Filter: &substraitpb.FilterRel{
		Common:    direct(),
		Input:     input,
		Condition: b.condition(3),
	}}}
}

func (b *planBuilder) project(input *substraitpb.Rel) *substraitpb.Rel {
	p := &substraitpb.ProjectRel{Common: direct(), Input: input}
	for range planColumns {
		p.Expressions = append(p.Expressions, b.sum(b.r.Between(1, 4)))
	}
	return &substraitpb.Rel{RelType: &substraitpb.Rel_Project{Project: p}}
}

func (b *planBuilder) sort(input *substraitpb.Rel) *substraitpb.Rel {
	ascending := &substraitpb.SortField_Direction{Direction: substraitpb.SortField_SORT_DIRECTION_ASC_NULLS_FIRST}
	s := &substraitpb.SortRel{Common: direct(), Input: input}
	s.Sorts = append(s.Sorts, &substraitpb.SortField{Expr: b.column(), SortKind: ascending})
	return &substraitpb.Rel{RelType: &substraitpb.Rel_Sort{Sort: s}}
}

// condition is a tree of so many levels of and and or.
func (b *planBuilder) condition(levels int) *substraitpb.Expression {
	if levels == 0 {
		return b.call(uint32(b.r.Between(1, 2)), boolean(), b.column(), b.literal())
	}
	return b.call(uint32(b.r.Between(3, 4)), boolean(), b.condition(levels-1), b.condition(levels-1))
}

// sum is a chain of so many additions and multiplications.
func (b *planBuilder) sum(terms int) *substraitpb.Expression {
	e := b.column()
	for range terms {
		e = b.call(uint32(b.r.Between(5, 6)), integer(), e, b.literal())
	}
	return e
}

func (b *planBuilder) call(f uint32, t *substraitpb.Type, args ...*substraitpb.Expression) *substraitpb.Expression {
	c := &substraitpb.Expression_ScalarFunction{FunctionReference: f, OutputType: t}
	for _, a := range args {
		c.Arguments = append(c.Arguments, &substraitpb.FunctionArgument{
			ArgType: &substraitpb.FunctionArgument_Value{Value: a},
		})
	}
	return &substraitpb.Expression{RexType: &substraitpb.Expression_ScalarFunction_{ScalarFunction: c}}
}

func (b *planBuilder) column() *substraitpb.Expression {
	segment := &substraitpb.Expression_ReferenceSegment{
		ReferenceType: &substraitpb.Expression_ReferenceSegment_StructField_{
			StructField: &substraitpb.Expression_ReferenceSegment_StructField{Field: int32(b.r.IntN(planColumns))},
		},
	}
	return &substraitpb.Expression{RexType: &substraitpb.Expression_Selection{
		Selection: &substraitpb.Expression_FieldReference{
			ReferenceType: &substraitpb.Expression_FieldReference_DirectReference{DirectReference: segment},
			RootType: &substraitpb.Expression_FieldReference_RootReference_{
				RootReference: new(substraitpb.Expression_FieldReference_RootReference),
			},
		},
	}}
}

func (b *planBuilder) literal() *substraitpb.Expression {
	l := new(substraitpb.Expression_Literal)
	if b.r.Chance(0.5) {
		l.LiteralType = &substraitpb.Expression_Literal_String_{String_: b.r.Word()}
	} else {
		l.LiteralType = &substraitpb.Expression_Literal_I64{I64: b.r.Int64N(1 << 40)}
	}
	return &substraitpb.Expression{RexType: &substraitpb.Expression_Literal_{Literal: l}}
}

// direct says that a relation returns all of its columns, in order.
func direct() *substraitpb.RelCommon {
	return &substraitpb.RelCommon{EmitKind: &substraitpb.RelCommon_Direct_{Direct: new(substraitpb.RelCommon_Direct)}}
}

func boolean() *substraitpb.Type {
	t := &substraitpb.Type_Boolean{Nullability: substraitpb.Type_NULLABILITY_REQUIRED}
	return &substraitpb.Type{Kind: &substraitpb.Type_Bool{Bool: t}}
}

func integer() *substraitpb.Type {
	t := &substraitpb.Type_I64{Nullability: substraitpb.Type_NULLABILITY_REQUIRED}
	return &substraitpb.Type{Kind: &substraitpb.Type_I64_{I64: t}}
}

func text() *substraitpb.Type {
	t := &substraitpb.Type_String{Nullability: substraitpb.Type_NULLABILITY_NULLABLE}
	return &substraitpb.Type{Kind: &substraitpb.Type_String_{String_: t}}
}
