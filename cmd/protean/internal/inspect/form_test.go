package inspect

import (
	"bytes"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/protean-pb/protean/cmd/protean/internal/suite"
	"github.com/protean-pb/protean/cmd/protean/internal/usererr"
)

// The sizes are those that the article publishes for its payloads, and that protean
// bench finds: of the message, of google.protobuf.Value and of JSON.
func TestPublishedSizes(t *testing.T) {
	s, err := suite.Builtin("hidden-cost")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][numForms]int{"small": {25, 74, 72, 55}, "medium": {162, 328, 325, 291},
		"large": {16500, 33104, 0, 29201}}
	for _, p := range s.Payloads {
		r := inspect(t, p.Name, s.Records(p))
		for f, n := range want[p.Name] {
			if got := r.Sum[f].Total(); got != n || r.InAll[f] != (n > 0) {
				t.Errorf("%s: %d bytes of %s (%v), want %d", p.Name, got, Form(f), r.InAll[f], n)
			}
		}
	}
}

// The counts of every form are those of its bytes, and the forms hold the same data.
func TestFormsAreWhole(t *testing.T) {
	for _, in := range []*suite.Records{events(t), document(`{"a":[1,null,true,"t",{"b":{}}],"c":"\u20ac"}`),
		document("[]"), document("3"), document(`"x"`)} {
		for _, s := range inspect(t, "", in).Shown {
			for f := range numForms {
				if !s.Forms.Has(f) {
					continue
				}
				if got := s.Forms.Counts[f].Total(); got != len(s.Forms.Wire[f]) {
					t.Errorf("%s, %s: %d bytes are counted of %d", s.Source, f, got, len(s.Forms.Wire[f]))
				}
			}
			if s.Forms.Has(Struct) {
				n := len(s.Forms.Wire[Struct])
				if got, want := len(s.Forms.Wire[Value]), 1+protowire.SizeBytes(n); got != want {
					t.Errorf("%s: a Value of %d bytes, want %d", s.Source, got, want)
				}
			}
			if text := s.Forms.Wire[JSON]; bytes.HasPrefix(text, []byte("{")) != s.Forms.Has(Struct) {
				t.Errorf("%s: is a Struct: %v", text, s.Forms.Has(Struct))
			}
		}
	}
}

// What an Any holds is written out, though its type is in no program.
func TestFormsOfAny(t *testing.T) {
	text := string(inspect(t, "", events(t)).Shown[0].Forms.Wire[JSON])
	if want := `"extra":{"@type":"type.googleapis.com/acme.v1.Item","name":"packed","price":2}`; !strings.Contains(text,
		want) {
		t.Errorf("%s lacks %s", text, want)
	}
}

func TestSum(t *testing.T) {
	in := events(t)
	nan := wireMessage(t, in, "b9 01 000000000000f87f").Records[0] // JSON has no NaN
	bad := wireMessage(t, in, "0a 05 61").Records[0]
	r := inspect(t, "", &suite.Records{Schema: in.Schema, Message: in.Message,
		Records: append(in.Records[:2:2], bad, nan)})
	if r.Messages != 4 || r.Counted != 3 || len(r.Shown) != 4 || r.Shown[2].Forms != nil {
		t.Errorf("%d messages, %d counted, %d shown", r.Messages, r.Counted, len(r.Shown))
	}
	if want := [numForms]bool{true, false, false, false}; r.InAll != want {
		t.Errorf("forms %v, want %v", r.InAll, want)
	}
	if got, want := r.Sum[Protobuf].Total(),
		len(in.Records[0].Wire)+len(in.Records[1].Wire)+len(nan.Wire); got != want {
		t.Errorf("%d bytes, want %d", got, want)
	}
	if len(r.Problems) != 1 || r.Problems[0].Error() != "x.binpb: at byte 0: field id: 5 bytes long, but only 1 "+
		"are left" {
		t.Errorf("problems %v", r.Problems)
	}
	if len(r.Notes) != 1 || !strings.HasPrefix(r.Notes[0], "x.binpb has no other form: ") {
		t.Errorf("notes %q", r.Notes)
	}
}

func TestWhereItIsWrong(t *testing.T) {
	in := events(t)
	m := wireMessage(t, in, "1a 04 0a 05 78 79")
	m.Records[0].Offset = 100
	if got, want := inspect(t, "", m).Problems[0].Error(),
		"x.binpb: at byte 2, 102 of the file: field items[0].name: 5 bytes long, but only 2 are left"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	m.Records[0].Problem = &usererr.InputError{File: "x.delim", Message: "cut off"}
	if got, want := inspect(t, "", m).Problems[0].Error(), "x.delim: cut off"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	whole := wireMessage(t, in, "10 01") // as far as it goes
	whole.Records[0].Problem = m.Records[0].Problem
	if r := inspect(t, "", whole); r.Counted != 0 || len(r.Problems) != 1 || r.Shown[0].Forms != nil ||
		len(r.Shown[0].Listing.Lines) != 1 {
		t.Errorf("%+v", r)
	}
	if _, err := Inspect("", document(`{"a":1,}`), func(int) bool { return true }); err == nil ||
		!strings.HasPrefix(err.Error(), "x.json:1: ") {
		t.Errorf("%v", err)
	}
}

func TestCountJSON(t *testing.T) {
	for text, want := range map[string]Counts{
		`{"age":30}`:                  {Brackets: 2, Keys: 5, Separators: 1, Numbers: 2},
		`[true,false,null]`:           {Brackets: 2, Separators: 2, Literals: 13},
		`{"a\"":"b\\","c":[-1.5e+3]}`: {Brackets: 4, Separators: 3, Keys: 8, Text: 5, Numbers: 7},
		`"x"`:                         {Text: 3},
		``:                            {},
	} {
		if got := CountJSON([]byte(text)); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}
