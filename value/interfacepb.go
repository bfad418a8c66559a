package value

import (
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/structval/anybuilder"
)

// Interface returns v in Go types: the same as v.AsInterface(), also for nil, and for
// NaN and infinities, which become strings. It allocates less, as strings and numbers
// share memory with others of the same result. The result does not alias v, save that
// strings, being immutable, are not copied.
//
// It panics with an [*Error] of [ErrDepth] when more than 100,000 objects and lists are nested, as in a Value that
// contains itself, on which v.AsInterface() overflows the stack.
func Interface(v *structpb.Value) any {
	t := anybuilder.Tree{Lenient: true}
	var n anybuilder.SizeHint
	n.Value(v)
	t.Reserve(&n, 1)
	x, ok := t.Value(v)
	if !ok {
		panic(&Error{Err: t.Err, Offset: -1, Path: "$" + t.Trace.String()})
	}
	return x
}
