package vet

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

// ProtoJSONMap reports ProtoJSON that is written only to be parsed into maps.
var ProtoJSONMap = newAnalyzer("protojsonmap", `report ProtoJSON that is marshalled and parsed again into maps

The text is written, validated and parsed for nothing: protojson.ToAny of Protean makes the same
Go values of a message, and AsMap those of a Struct.`, false, (*finder).protoJSONMap)

func (f *finder) protoJSONMap(c inspector.Cursor, call *ast.CallExpr) {
	text, target := f.parsed(c, call)
	if text == nil || !isDynamic(f.pass.TypesInfo.TypeOf(target)) {
		return
	}
	written := f.sourceCall(c, text)
	if written == nil {
		return
	}
	var message ast.Expr
	name := f.callee(written)
	switch {
	case isMethodOfStructpb(name, "MarshalJSON"):
		message = receiver(written)
	case (marshalProtoJSON[name] || marshalJSON[name]) && len(written.Args) > 0:
		message = written.Args[0]
	default:
		return
	}
	instead := "protojson.ToAny of github.com/protean-pb/protean"
	if kind := structpbType(f.pass.TypesInfo.TypeOf(message)); kind != "" {
		instead = asInterface(kind)
	} else if !marshalProtoJSON[name] {
		return
	}
	f.report(analysis.Diagnostic{
		Pos: call.Pos(), End: call.End(),
		Message: "ProtoJSON is marshalled and parsed again into maps; " + instead +
			" makes the same values without the text",
		Related: []analysis.RelatedInformation{{Pos: written.Pos(), End: written.End(), Message: "marshalled here"}},
	})
}

// parsed returns the text and the target of a call that parses JSON, or nil.
func (f *finder) parsed(c inspector.Cursor, call *ast.CallExpr) (text, target ast.Expr) {
	switch name := f.callee(call); {
	case unmarshalJSON[name] && len(call.Args) >= 2:
		return call.Args[0], call.Args[1]
	case decodeJSON[name] && len(call.Args) == 1:
		made := f.sourceCall(c, receiver(call))
		if made != nil && newDecoder[f.callee(made)] && len(made.Args) == 1 {
			return made.Args[0], call.Args[0]
		}
	}
	return nil, nil
}

// isDynamic reports whether t is a pointer to what holds any JSON: an interface, or maps or lists
// of those.
func isDynamic(t types.Type) bool {
	if t == nil {
		return false
	}
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	elem := p.Elem()
	for range maxSteps {
		switch u := elem.Underlying().(type) {
		case *types.Interface:
			_, parameter := types.Unalias(elem).(*types.TypeParam)
			return u.Empty() && !parameter
		case *types.Map:
			elem = u.Elem()
		case *types.Slice:
			elem = u.Elem()
		default:
			return false
		}
	}
	return false
}

// asInterface is the method that makes Go values of one of structpb's messages.
func asInterface(kind string) string {
	switch kind {
	case "Struct":
		return "AsMap"
	case "ListValue":
		return "AsSlice"
	}
	return "AsInterface"
}

// isMethodOfStructpb reports whether a full name is that of a method of Struct, Value or ListValue.
func isMethodOfStructpb(full, method string) bool {
	for _, kind := range []string{"Struct", "Value", "ListValue"} {
		if full == "(*"+structpbPath+"."+kind+")."+method {
			return true
		}
	}
	return false
}
