package vet

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

// ProtoBytes reports uses of marshalled messages that need the same bytes each time.
var ProtoBytes = newAnalyzer("protobytes", `report marshalled messages with maps that are keys, hashed or signed

proto.Marshal writes the entries of maps in another order each time, and protojson.Marshal adds
white space at random, one choice for each build: equal messages have other bytes. The fix is
proto.MarshalOptions{Deterministic: true}. Even that is not the same in all languages and versions:
what leaves the process is best signed as the very bytes that are sent.`, true, (*finder).protoBytes)

var (
	marshalProto    = functions(protoPaths, "PATH.Marshal")
	marshalProtoSet = functions(protoPaths, "(PATH.MarshalOptions).Marshal")
	randomJSON      = functions([]string{"google.golang.org/protobuf/encoding/protojson"}, marshalNames...)
)

func (f *finder) protoBytes(c inspector.Cursor, call *ast.CallExpr) {
	if !f.marshalsUnordered(call) {
		return
	}
	function, ok := outermost(c)
	if !ok {
		return
	}
	fixed := false
	for use := range function.Preorder((*ast.CallExpr)(nil), (*ast.IndexExpr)(nil)) {
		for _, s := range f.sinks(use) {
			if f.sourceCall(use, s.bytes) == call {
				f.used(call, s, !fixed)
				fixed = true
			}
		}
	}
}

// A sink is a use of bytes that need to be the same each time.
type sink struct {
	bytes ast.Expr
	as    string
}

// sinks returns the parts of a call or index expression that need to be the same each time.
func (f *finder) sinks(c inspector.Cursor) []sink {
	if index, ok := c.Node().(*ast.IndexExpr); ok {
		if f.isMap(index.X) {
			return []sink{{index.Index, "the key of a map"}}
		}
		return nil
	}
	call := c.Node().(*ast.CallExpr)
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok && id.Name == "delete" && len(call.Args) == 2 {
		if _, builtin := f.pass.TypesInfo.Uses[id].(*types.Builtin); builtin {
			return []sink{{call.Args[1], "the key of a map"}}
		}
	}
	name := f.callee(call)
	switch {
	case name == "" || len(call.Args) == 0:
		return nil
	case strings.HasPrefix(name, "(*sync.Map)."):
		return []sink{{call.Args[0], "the key of a map"}}
	case (name == "crypto/ed25519.Sign" || name == "crypto/ed25519.Verify") && len(call.Args) >= 2:
		return []sink{{call.Args[1], "signed"}}
	case strings.HasSuffix(name, ").Write") && isHash(f.pass.TypesInfo.TypeOf(receiver(call))),
		isSum(name):
		var out []sink
		for _, a := range call.Args {
			out = append(out, sink{a, "hashed"})
		}
		return out
	}
	return nil
}

// hashPackages are those whose functions Sum… and Checksum… are of bytes, beside crypto and hash.
var hashPackages = []string{
	"crypto/", "hash/", "golang.org/x/crypto/", "github.com/cespare/xxhash", "github.com/zeebo/",
	"lukechampine.com/blake3", "github.com/spaolacci/murmur3",
	"github.com/twmb/murmur3",
	"github.com/dchest/siphash", "github.com/minio/highwayhash",
}

// isSum reports whether a function computes a hash of its argument.
func isSum(name string) bool {
	dot := strings.LastIndexByte(name, '.')
	if strings.HasPrefix(name, "(") || dot < 0 {
		return false
	}
	path, function := name[:dot], name[dot+1:]
	if path == "hash/maphash" {
		return function == "Bytes" || function == "String"
	}
	begins := func(prefix string) bool { return strings.HasPrefix(function, prefix) }
	return (begins("Sum") || begins("Checksum") || begins("Hash")) &&
		slices.ContainsFunc(hashPackages, func(p string) bool { return strings.HasPrefix(path, p) })
}

// isHash reports whether a type has the methods of hash.Hash.
func isHash(t types.Type) bool {
	if t == nil {
		return false
	}
	for _, method := range []string{"Sum", "Reset", "BlockSize", "Write"} {
		if obj, _, _ := types.LookupFieldOrMethod(t, true, nil, method); obj == nil {
			return false
		}
	}
	return true
}

func (f *finder) isMap(e ast.Expr) bool {
	t := f.pass.TypesInfo.TypeOf(e)
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Map)
	return ok
}

// marshalsUnordered reports whether a call marshals, and not deterministically.
func (f *finder) marshalsUnordered(call *ast.CallExpr) bool {
	name := f.callee(call)
	return len(call.Args) > 0 &&
		(randomJSON[name] || marshalProto[name] || marshalProtoSet[name] && f.leavesOrder(receiver(call)))
}

// used reports a use of marshalled bytes, unless the message has no maps. One fix does for all uses.
func (f *finder) used(call *ast.CallExpr, s sink, fix bool) {
	d := analysis.Diagnostic{
		Pos: s.bytes.Pos(), End: s.bytes.End(),
		Related: []analysis.RelatedInformation{{Pos: call.Pos(), End: call.End(), Message: "marshalled here"}},
	}
	name := f.callee(call)
	switch why := f.unordered(f.pass.TypesInfo.TypeOf(call.Args[0])); {
	case randomJSON[name]:
		d.Message = fmt.Sprintf(
			"ProtoJSON is %s, and the official library adds white space at random, one choice for each "+
				"build", s.as)
	case why == "":
		return
	default:
		d.Message = fmt.Sprintf(
			"a marshalled message is %s, and %s: equal messages have other bytes without Deterministic",
			s.as, why)
		if fix && marshalProto[name] && !strings.HasPrefix(name, "github.com/golang/") {
			d.SuggestedFixes = deterministic(call)
		}
	}
	f.report(d)
}

// deterministic is proto.MarshalOptions{Deterministic: true}.Marshal in place of proto.Marshal.
func deterministic(call *ast.CallExpr) []analysis.SuggestedFix {
	s, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	return []analysis.SuggestedFix{{
		Message: "Marshal deterministically",
		TextEdits: []analysis.TextEdit{{
			Pos: s.Sel.Pos(), End: s.Sel.Pos(), NewText: []byte("MarshalOptions{Deterministic: true}."),
		}},
	}}
}

// leavesOrder reports whether options are a literal that does not set Deterministic.
func (f *finder) leavesOrder(options ast.Expr) bool {
	lit, ok := ast.Unparen(options).(*ast.CompositeLit)
	if !ok {
		return false
	}
	for _, x := range lit.Elts {
		kv, ok := x.(*ast.KeyValueExpr)
		if !ok {
			return false
		}
		if key, ok := kv.Key.(*ast.Ident); ok && key.Name == "Deterministic" {
			value := f.pass.TypesInfo.Types[kv.Value].Value
			return value != nil && value.String() == "false"
		}
	}
	return true
}
