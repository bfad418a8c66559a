package adapt_test

import (
	"strings"
	"testing"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/infer/adapt"
	"github.com/protean-pb/protean/infer/decide"
	"github.com/protean-pb/protean/infer/profile"
	"github.com/protean-pb/protean/infer/proof"
	"github.com/protean-pb/protean/protojson"
)

// Documents become the ProtoJSON of the schema that is inferred of them, and come back.
func TestDocuments(t *testing.T) {
	for _, tt := range []struct {
		name     string
		options  decide.Options
		document string
		times    int // so often there is evidence
		text     string
	}{
		{"as it is", decide.Options{}, `{"a":1}`, 1, `{"a":1}`},
		{"a list", decide.Options{}, `[1,2]`, 1, `{"value":[1,2]}`},
		{"lists of lists", decide.Options{Wire: true}, `{"a":[[1,2],[]]}`, 1, `{"a":[{"values":[1,2]},{"values":[]}]}`},
		{"maps of lists", decide.Options{Wire: true}, `{"a":{"17":[1],"18":[2]}}`, 1,
			`{"a":{"17":{"values":[1]},"18":{"values":[2]}}}`},
		{"enums", decide.Options{Wire: true}, `{"state":"on"}|{"state":"off"}`, 30,
			`{"state":"EVENT_STATE_ON"}|{"state":"EVENT_STATE_OFF"}`},
		{"unions", decide.Options{Wire: true}, `{"type":"X","of":{"a":1,"c":2}}|{"type":"Y","of":{"b":1,"d":"x"}}`, 30,
			`{"type":"EVENT_TYPE_X","xOf":{"a":1,"c":2}}|{"type":"EVENT_TYPE_Y","yOf":{"b":1,"d":"x"}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			documents := strings.Split(tt.document, "|")
			b := profile.NewBuilder(0)
			for range tt.times {
				for _, d := range documents {
					if _, err := b.Add([]byte(d)); err != nil {
						t.Fatal(err)
					}
				}
			}
			tt.options.Package, tt.options.Message = "acme.v1", "Event"
			file, err := decide.Schema(b.Profile(), tt.options)
			if err != nil {
				t.Fatal(err)
			}
			md, err := proof.Compile(file.Print(), "acme.v1.Event")
			if err != nil {
				t.Fatal(err)
			}
			a := adapt.New(file, md)
			for i, want := range strings.Split(tt.text, "|") {
				text, err := a.AppendProtoJSON(nil, []byte(documents[i]))
				if err != nil || string(text) != want {
					t.Errorf("got %s, %v, want %s\n%s", text, err, want, file.Print())
				}
				if err := protojson.Unmarshal(text, dynamic.NewMessage(md)); err != nil {
					t.Errorf("%s: %v", text, err)
				}
				if back, err := a.AppendDocument(nil, text); err != nil || string(back) != documents[i] {
					t.Errorf("%s comes back as %s, %v", documents[i], back, err)
				}
			}
		})
	}
}

// What is no JSON is left to those who read it.
func TestNoJSON(t *testing.T) {
	b := profile.NewBuilder(0)
	if _, err := b.Add([]byte(`[1]`)); err != nil {
		t.Fatal(err)
	}
	file, err := decide.Schema(b.Profile(), decide.Options{Package: "acme.v1", Message: "Event"})
	if err != nil {
		t.Fatal(err)
	}
	md, err := proof.Compile(file.Print(), "acme.v1.Event")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := adapt.New(file, md).AppendProtoJSON(nil, []byte(`[1`)); err != nil || string(got) != `[1` {
		t.Errorf("%s, %v", got, err)
	}
}
