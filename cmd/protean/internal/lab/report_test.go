package lab

import (
	"testing"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
	"github.com/protean-pb/protean/cmd/protean/internal/suite"
	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

// What a variant asks of the caller comes from what it declares, and from probing.
func TestApart(t *testing.T) {
	p := &payload{Payload: &suite.Payload{Name: "p"}}
	e := &experiment{properties: map[stats.Key]result.Properties{
		{Payload: "p", Variant: "Concrete (protean, aliased)"}: {Input: "aliased", Memory: "fresh"},
		{Payload: "p", Variant: "Doc (protean)"}:               {Input: "aliased", Memory: "fresh"},
		{Payload: "p", Variant: "Concrete (JSON)"}:             {Input: "copied", Memory: "reused"},
		{Payload: "p", Variant: "Concrete (proto)"}:            {Input: "copied", Memory: "fresh"},
	}}
	for _, tt := range []struct {
		variant, op string
		want        result.Apart
	}{
		{"Concrete (proto)", variant.Unmarshal, ""},
		{"Concrete (protean, aliased)", variant.Unmarshal, result.Aliased},
		{"Concrete (protean, aliased)", variant.UnmarshalRead, result.Aliased},
		{"Concrete (protean, aliased)", variant.Marshal, ""},
		{"Concrete (protean, aliased)", result.TotalOp, result.Aliased},
		{"hyperpb (proto, reuse)", variant.UnmarshalRead, result.Reused}, // it says so, though nobody has probed it
		{"Concrete (JSON)", variant.Marshal, result.Reused},
		{"Concrete (JSON)", variant.Size, ""},
		{"Doc (protean)", variant.Size, ""},
		{"Doc (protean)", variant.Unmarshal, result.Indexed},
		{"Doc (protean)", variant.UnmarshalRead, ""},
		{"Doc (protean, reuse)", variant.Unmarshal, result.Indexed},
		{"Doc (protean, reuse)", variant.UnmarshalRead, result.Reused},
	} {
		if got := e.apart(p, variant.Find(tt.variant), tt.op); got != tt.want {
			t.Errorf("%s, %s: %q, want %q", tt.variant, tt.op, got, tt.want)
		}
	}
}
