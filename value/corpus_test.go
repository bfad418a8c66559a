package value

import (
	"iter"
	"slices"
	"testing"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/test/corpus"
	"github.com/protean-pb/protean/internal/test/race"
)

// The tests here say field and cat so often that they have names of their own.
var (
	field = corpus.Field
	cat   = corpus.Cat
)

// A shape is a document for tests and benchmarks, as in package corpus.
type shape struct {
	name string
	text []byte
	data any
	tree *structpb.Value
	wire []byte
}

// eachShape yields the shapes of package corpus.
func eachShape(t testing.TB) iter.Seq[shape] {
	t.Helper()
	return func(yield func(shape) bool) {
		for s := range corpus.Shapes(t) {
			if !yield(shape{s.Name, s.Text, s.Data, s.Tree, s.Wire}) {
				return
			}
		}
	}
}

// shapes returns all of them.
func shapes(t testing.TB) []shape {
	t.Helper()
	return slices.Collect(eachShape(t))
}

// A wireCase is a Value on the wire, legal or not; the official library says which.
type wireCase struct {
	name string
	wire []byte
}

// wireCases returns those of package corpus. Under the race detector deep recursion is
// slow, and shows nothing about races.
func wireCases() []wireCase {
	var cases []wireCase
	for _, c := range corpus.WireCases(!race.Brief()) {
		cases = append(cases, wireCase{c.Name, c.Wire})
	}
	return cases
}
