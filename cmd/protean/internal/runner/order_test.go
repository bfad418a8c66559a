package runner

import (
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/sourcecontextpb"
	"google.golang.org/protobuf/types/known/typepb"

	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

// A map that is ranged over comes in the order received now and then, which is not to keep
// it, and mostly in the same one, which is not to be deterministic.
func TestOrderOfMaps(t *testing.T) {
	p := &prober{
		typ:    &variant.Type{New: func() proto.Message { return new(typepb.Type) }},
		v:      variant.Find("Map (JSONv2)"),
		sample: &typepb.Type{Name: "acme", SourceContext: &sourcecontextpb.SourceContext{FileName: "acme.proto"}},
	}
	for range 200 {
		if got, err := p.order(); got != dropped {
			t.Fatalf("order %q, %v", got, err)
		}
		if got, err := p.deterministic(); got != no {
			t.Fatalf("deterministic: %q, %v", got, err)
		}
	}
}
