package gojapb

import (
	"os"
	"strings"
	"testing"

	"github.com/dop251/goja"
	"github.com/dop251/goja_nodejs/require"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/protean-pb/protean/proto"
)

// docsSchema is the schema of docs/gojapb.md, as a descriptor set.
const docsSchema = `{"file": [{
	"name": "event.proto", "package": "acme.v1", "syntax": "proto3", "dependency": ["google/protobuf/timestamp.proto"],
	"messageType": [
		{"name": "Event", "field": [
			{"name": "user_agent", "number": 1, "type": "TYPE_STRING", "label": "LABEL_OPTIONAL"},
			{"name": "at", "number": 2, "type": "TYPE_MESSAGE", "typeName": ".google.protobuf.Timestamp", "label": "LABEL_OPTIONAL"},
			{"name": "account", "number": 3, "type": "TYPE_INT64", "label": "LABEL_OPTIONAL"},
			{"name": "steps", "number": 4, "type": "TYPE_MESSAGE", "typeName": ".acme.v1.Step", "label": "LABEL_REPEATED"},
			{"name": "kind", "number": 5, "type": "TYPE_ENUM", "typeName": ".acme.v1.Kind", "label": "LABEL_OPTIONAL"}
		]},
		{"name": "Step", "field": [{"name": "name", "number": 1, "type": "TYPE_STRING", "label": "LABEL_OPTIONAL"}]}
	],
	"enumType": [{"name": "Kind", "value": [{"name": "KIND_UNSPECIFIED", "number": 0}, {"name": "KIND_CLICK", "number": 1}]}]
}]}`

// TestDocs runs the JavaScript of docs/gojapb.md.
func TestDocs(t *testing.T) {
	text, err := os.ReadFile("../docs/gojapb.md")
	if err != nil {
		t.Fatal(err)
	}
	set := new(descriptorpb.FileDescriptorSet)
	if err := protojson.Unmarshal([]byte(docsSchema), set); err != nil {
		t.Fatal(err)
	}
	b, err := proto.Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(text), "```js\n")[1:]
	if len(blocks) == 0 {
		t.Fatal("there is no block of language js")
	}
	for _, block := range blocks {
		body, _, _ := strings.Cut(block, "```")
		registry := require.NewRegistry()
		registry.RegisterNativeModule("protobuf", Require())
		rt := goja.New()
		registry.Enable(rt)
		if err := rt.Set("bytes", rt.NewArrayBuffer(b)); err != nil {
			t.Fatal(err)
		}
		v, err := rt.RunString(body + "\nJSON.stringify([same, same.kind, Object.keys(event.toObject()), same instanceof Event])")
		if err != nil {
			t.Fatal(err)
		}
		if got := v.String(); !strings.Contains(got, `{"userAgent":"curl/8","at":`) || !strings.Contains(got, `"steps":[{"name":"a"},{"name":"b"}],"kind":"KIND_CLICK"},1,["userAgent","at","steps","kind"],true]`) {
			t.Error(got)
		}
	}
}
