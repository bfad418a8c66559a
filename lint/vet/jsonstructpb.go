package vet

import (
	"fmt"
	"go/ast"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

// JSONStructpb reports JSON text that is written only to be parsed into structpb's messages.
var JSONStructpb = newAnalyzer("jsonstructpb", `report JSON that is marshalled and parsed again into structpb's messages

The text is written, validated and parsed for nothing: value.NewStruct, value.New and
value.NewList of Protean build the messages from any Go value, structs by their json tags too,
and value.Marshal writes their wire form without building them.`, false, (*finder).jsonStructpb)

func (f *finder) jsonStructpb(c inspector.Cursor, call *ast.CallExpr) {
	var text, target ast.Expr
	switch name := f.callee(call); {
	case unmarshalProtoJSON[name] && len(call.Args) == 2, unmarshalJSON[name] && len(call.Args) >= 2:
		text, target = call.Args[0], call.Args[1]
	case isMethodOfStructpb(name, "UnmarshalJSON") && len(call.Args) == 1:
		text, target = call.Args[0], receiver(call)
	default:
		return
	}
	kind := structpbType(f.pass.TypesInfo.TypeOf(target))
	if kind == "" {
		return
	}
	written := f.sourceCall(c, text)
	if written == nil || !marshalJSON[f.callee(written)] {
		return
	}
	f.report(analysis.Diagnostic{
		Pos: call.Pos(), End: call.End(),
		Message: fmt.Sprintf(
			"JSON is marshalled and parsed again into a %s; value.%s of github.com/protean-pb/protean "+
				"builds the same from the Go value", kind, constructors[kind]),
		Related: []analysis.RelatedInformation{{Pos: written.Pos(), End: written.End(), Message: "marshalled here"}},
	})
}

// constructors are the functions of package value that build structpb's messages.
var constructors = map[string]string{"Struct": "NewStruct", "Value": "New", "ListValue": "NewList"}
