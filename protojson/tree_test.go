package protojson_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	officialjson "google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/test/corpus"
	"github.com/protean-pb/protean/protojson"
)

// TestUnmarshalOfStructs reads documents of many shapes again and again, so that their keys become known,
// and changes each tree, which must not show in the others.
func TestUnmarshalOfStructs(t *testing.T) {
	for s := range corpus.Shapes(t) {
		text, err := officialjson.Marshal(s.Tree)
		if err != nil {
			t.Fatal(err)
		}
		var trees []*structpb.Value
		for range 4 {
			v := new(structpb.Value)
			if err := protojson.Unmarshal(text, v); err != nil {
				t.Fatal(s.Name, err)
			}
			trees = append(trees, v)
		}
		clear(text)
		runtime.GC()
		for i, v := range trees {
			if !proto.Equal(v, s.Tree) {
				t.Errorf("%s: the tree of reading %d is another one", s.Name, i)
			}
			change(v)
		}
	}
}

// change changes all that is in a tree.
func change(v *structpb.Value) {
	switch k := v.Kind.(type) {
	case *structpb.Value_StructValue:
		for _, x := range k.StructValue.Fields {
			change(x)
		}
		for i := range 9 { // more than a small map has room for
			k.StructValue.Fields[fmt.Sprint("new", i)] = structpb.NewBoolValue(true)
		}
	case *structpb.Value_ListValue:
		for _, x := range k.ListValue.Values {
			change(x)
		}
		k.ListValue.Values = append(k.ListValue.Values, nil)
	case *structpb.Value_StringValue:
		k.StringValue += "!"
	case *structpb.Value_NumberValue:
		k.NumberValue++
	case *structpb.Value_BoolValue:
		k.BoolValue = !k.BoolValue
	}
}

// TestTreesAnywhere reads trees that are not the outermost message, have strings that are no
// part of the text, or no entries, which leaves them a map to write to.
func TestTreesAnywhere(t *testing.T) {
	long := strings.Repeat("long ", 100)
	for _, text := range []string{
		`{}`, `{"a":{}}`, ` { "a" : [ ] , "b" : { } } `,
		`{"\u0061":"\u00e9\n","é":"` + long + `\"","":"","` + long + `":"` + long + `"}`,
		`{"a":{"1":"\t","2":2,"3":null,"4":true,"5":false,"6":[[],[1],{"x":-0.0}],"7":"7","8":8,"9":{"1":1}}}`,
	} {
		want, got := new(structpb.Struct), new(structpb.Struct)
		if err := officialjson.Unmarshal([]byte(text), want); err != nil {
			t.Fatal(text, err)
		}
		for range 4 {
			if err := protojson.Unmarshal([]byte(text), got); err != nil || !proto.Equal(got, want) {
				t.Fatalf("%s: %v, %v", text, got, err)
			}
		}
		if got.Fields["new"] = nil; got.Fields["a"].GetStructValue() != nil {
			got.Fields["a"].GetStructValue().Fields["new"] = nil
		}
		list, values := new(structpb.ListValue), `[`+text+`,`+text+`,[`+text+`]]`
		if err := protojson.Unmarshal([]byte(values), list); err != nil || len(list.Values) != 3 ||
			!proto.Equal(list.Values[1].GetStructValue(), want) ||
			!proto.Equal(list.Values[2].GetListValue().Values[0].GetStructValue(), want) {
			t.Errorf("%s: %v, %v", values, list, err)
		}
	}
}

// TestKeysThatLookLikeOthers reads a key again and again, and then, in its place, text that looks
// like it but is another key, or none.
func TestKeysThatLookLikeOthers(t *testing.T) {
	for _, x := range []struct{ known, other string }{
		{`a\\b`, `a\b`}, {`\\n`, `\n`}, {`a\"`, `a"`}, {`\u0022`, `"`}, {`a\u001f`, "a\x1f"}, {`\u0061b`, `ab`}, {`ab`, `\u0061b`},
		{`é`, `\u00e9`}, {`\u00e9`, `é`}, {`ab`, `abc`}, {`abc`, `ab`}, {`twelve bytes`, `twelve Bytes`}, {`sixteen bytes in`, `sixteen bytes In`},
	} {
		const object = `{"key":0,"%s":{"x":1},"another":[]}`
		for range 4 {
			checkUnmarshal(t, fmt.Appendf(nil, object, x.known), new(structpb.Struct), protojson.UnmarshalOptions{})
		}
		checkUnmarshal(t, fmt.Appendf(nil, object, x.other), new(structpb.Struct), protojson.UnmarshalOptions{})
		checkUnmarshal(t, fmt.Appendf(nil, object, x.known), new(structpb.Struct), protojson.UnmarshalOptions{})
	}
}
