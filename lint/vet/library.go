package vet

import (
	"go/types"
	"strings"
)

// The paths of packages whose functions are known, by what they are for.
var (
	protoPaths = []string{
		"google.golang.org/protobuf/proto", "github.com/golang/protobuf/proto", "github.com/protean-pb/protean/proto",
	}
	protojsonPaths = []string{
		"google.golang.org/protobuf/encoding/protojson", "github.com/protean-pb/protean/protojson",
	}
	jsonPaths = []string{
		"encoding/json", "encoding/json/v2", "github.com/go-json-experiment/json", "github.com/goccy/go-json",
		"github.com/bytedance/sonic",
	}
)

const structpbPath = "google.golang.org/protobuf/types/known/structpb"

// functions returns the full names of functions and methods in several packages: PATH stands for
// the path of each.
func functions(paths []string, names ...string) map[string]bool {
	out := make(map[string]bool)
	for _, p := range paths {
		for _, n := range names {
			out[strings.ReplaceAll(n, "PATH", p)] = true
		}
	}
	return out
}

// marshalNames are what marshals ProtoJSON.
var marshalNames = []string{
	"PATH.Marshal", "(PATH.MarshalOptions).Marshal", "PATH.Format", "(PATH.MarshalOptions).Format",
}

var (
	marshalProtoJSON   = functions(protojsonPaths, marshalNames...)
	unmarshalProtoJSON = functions(protojsonPaths, "PATH.Unmarshal", "(PATH.UnmarshalOptions).Unmarshal")
	marshalJSON        = functions(jsonPaths, "PATH.Marshal", "PATH.MarshalIndent", "PATH.MarshalString")
	unmarshalJSON      = functions(jsonPaths, "PATH.Unmarshal", "PATH.UnmarshalString")
	decodeJSON         = functions(jsonPaths, "(*PATH.Decoder).Decode")
	newDecoder         = functions(jsonPaths, "PATH.NewDecoder")
)

// structpbType returns Struct, Value or ListValue if t is one, a pointer to one, or a pointer to a
// pointer, as encoding/json takes it, or else "".
func structpbType(t types.Type) string {
	if t == nil {
		return ""
	}
	for range 2 {
		if p, ok := types.Unalias(t).(*types.Pointer); ok {
			t = p.Elem()
		}
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != structpbPath {
		return ""
	}
	switch name := n.Obj().Name(); name {
	case "Struct", "Value", "ListValue":
		return name
	}
	return ""
}
