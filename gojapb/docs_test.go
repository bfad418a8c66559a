package gojapb

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/protean-pb/protean/proto"
)

// docsSchema is the schema in docs/gojapb.md, as a descriptor set.
const docsSchema = `{"file": [{
	"name": "event.proto", "package": "acme.v1", "syntax": "proto3",
	"dependency": ["google/protobuf/struct.proto", "google/protobuf/timestamp.proto"],
	"messageType": [
		{"name": "Event", "field": [
			{"name": "user_agent", "number": 1, "type": "TYPE_STRING", "label": "LABEL_OPTIONAL"},
			{"name": "at", "number": 2, "type": "TYPE_MESSAGE", "label": "LABEL_OPTIONAL",
				"typeName": ".google.protobuf.Timestamp"},
			{"name": "account", "number": 3, "type": "TYPE_INT64", "label": "LABEL_OPTIONAL"},
			{"name": "steps", "number": 4, "type": "TYPE_MESSAGE", "typeName": ".acme.v1.Step", "label": "LABEL_REPEATED"},
			{"name": "kind", "number": 5, "type": "TYPE_ENUM", "typeName": ".acme.v1.Kind", "label": "LABEL_OPTIONAL"},
			{"name": "error", "number": 6, "type": "TYPE_STRING", "label": "LABEL_OPTIONAL", "oneofIndex": 0},
			{"name": "code", "number": 7, "type": "TYPE_INT32", "label": "LABEL_OPTIONAL", "oneofIndex": 0},
			{"name": "tags", "number": 8, "type": "TYPE_STRING", "label": "LABEL_REPEATED"},
			{"name": "labels", "number": 9, "type": "TYPE_MESSAGE", "label": "LABEL_REPEATED",
				"typeName": ".acme.v1.Event.LabelsEntry"},
			{"name": "done", "number": 10, "type": "TYPE_BOOL", "label": "LABEL_OPTIONAL"},
			{"name": "body", "number": 11, "type": "TYPE_BYTES", "label": "LABEL_OPTIONAL"},
			{"name": "details", "number": 12, "type": "TYPE_MESSAGE", "label": "LABEL_OPTIONAL",
				"typeName": ".google.protobuf.Struct"}
		], "oneofDecl": [{"name": "outcome"}], "nestedType": [
			{"name": "LabelsEntry", "options": {"mapEntry": true}, "field": [
				{"name": "key", "number": 1, "type": "TYPE_STRING", "label": "LABEL_OPTIONAL"},
				{"name": "value", "number": 2, "type": "TYPE_STRING", "label": "LABEL_OPTIONAL"}
			]}
		]},
		{"name": "Step", "field": [{"name": "name", "number": 1, "type": "TYPE_STRING", "label": "LABEL_OPTIONAL"}]}
	],
	"enumType": [{"name": "Kind", "value": [
		{"name": "KIND_UNSPECIFIED", "number": 0}, {"name": "KIND_CLICK", "number": 1}
	]}]
}]}`

var (
	// shown is a line of JavaScript in documentation that says what its expression is, or what error it throws.
	shown = regexp.MustCompile(`(?m)^(.+); // → (.+)$`)
	// declaredField is a field in the text of a schema.
	declaredField = regexp.MustCompile(`(?m)^ +[\w.<>, ]+ (\w+) = (\d+);`)
)

// checkShown is what such a line becomes. What is shown may end in an ellipsis.
const checkShown = `(f, want) => {
	let got;
	try {
		got = show(f());
	} catch (e) {
		got = show(e);
	}
	const right = want.endsWith('…') ? got.startsWith(want.slice(0, -1)) : got === want;
	if (!right) throw new Error(f + ' is ' + got + ', not ' + want);
}`

// TestDocs runs the JavaScript of docs/gojapb.md, and checks what it says of it.
func TestDocs(t *testing.T) {
	b, err := os.ReadFile("../docs/gojapb.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	schema := docsDescriptors(t, text)
	blocks, lines := strings.Split(text, "```js\n")[1:], 0
	for _, block := range blocks {
		body, _, _ := strings.Cut(block, "```")
		lines += len(shown.FindAllString(body, -1))
		rt, _ := newScript(t, false)
		set(t, rt, "bytes", rt.NewArrayBuffer(schema))
		set(t, rt, "check", must(t, rt, checkShown))
		body = shown.ReplaceAllStringFunc(body, func(line string) string {
			parts := shown.FindStringSubmatch(line)
			return "check(() => (" + parts[1] + "), " + strconv.Quote(parts[2]) + ");"
		})
		if _, err := rt.RunString("{" + body + "}"); err != nil { // a block, since the helpers have a pb of their own
			t.Error(thrown(err))
		}
	}
	if len(blocks) < 6 || lines < 40 {
		t.Errorf("%d blocks of JavaScript, with %d lines to check", len(blocks), lines)
	}
}

// docsDescriptors returns the descriptor set of the schema in a text, which must declare the same fields.
func docsDescriptors(t *testing.T, text string) []byte {
	set := new(descriptorpb.FileDescriptorSet)
	if err := protojson.Unmarshal([]byte(docsSchema), set); err != nil {
		t.Fatal(err)
	}
	_, proto3, _ := strings.Cut(text, "<<'EOP'\n")
	proto3, _, ok := strings.Cut(proto3, "EOP\n")
	if !ok {
		t.Fatal("there is no schema")
	}
	var got, want []string
	for _, field := range declaredField.FindAllStringSubmatch(proto3, -1) {
		want = append(want, field[1]+" "+field[2])
	}
	for _, m := range set.File[0].MessageType {
		for _, f := range m.Field {
			got = append(got, f.GetName()+" "+strconv.Itoa(int(f.GetNumber())))
		}
	}
	if strings.Join(got, ", ") != strings.Join(want, ", ") {
		t.Errorf("the fields are %v, but those of the test %v", want, got)
	}
	b, err := proto.Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
