package variant

import (
	"slices"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
)

// A codec is what the variants build their Codec from. S is what the program
// holds (a message, a struct, a map), W is what goes over the wire ([]byte, or
// [][]byte where each row is a message by itself).
type codec[S, W any] struct {
	// source makes what Marshal starts from; message is its inverse.
	source  func(proto.Message) (S, error)
	message func(S) (proto.Message, error)
	// encode makes what Unmarshal starts from: bytes that are the same each time,
	// where the library can. decode reads what Marshal wrote and is, where there
	// is a choice, not the code under test.
	encode func(S) (W, error)
	decode func(W) (proto.Message, error)
	// canonical takes away what the library adds at random; may be nil.
	canonical func([]byte) []byte
	// holdsAll says that the wire form has room for every sample there may be, so that it is
	// a failure to refuse one.
	holdsAll bool

	in   []S // a sample each
	wire []W

	held  S      // last result of an operation that decodes
	bytes W      // last result of an operation that encodes
	read  uint64 // what reading the fields of results has added up

	ops   []*Op
	loads []func([]proto.Message) error // further preparation, in order
}

func (c *codec[S, W]) Load(samples []proto.Message) error {
	var s S
	var w W
	c.held, c.bytes = s, w
	c.in, c.wire = make([]S, len(samples)), make([]W, len(samples))
	for i, m := range samples {
		var err error
		if c.in[i], err = c.source(m); err != nil {
			return c.refused(err)
		}
		if c.wire[i], err = c.encode(c.in[i]); err != nil {
			return c.refused(err)
		}
	}
	for _, load := range c.loads {
		if err := load(samples); err != nil {
			return c.refused(err)
		}
	}
	return nil
}

// refused returns what the error of making another form of a sample is.
func (c *codec[S, W]) refused(err error) error {
	if c.holdsAll {
		return err
	}
	return refusal(err)
}

func (c *codec[S, W]) Ops() []*Op { return c.ops }

func (c *codec[S, W]) Wire(i int) [][]byte { return Pieces(c.wire[i]) }

func (c *codec[S, W]) Reencode() ([][]byte, error) {
	w, err := c.encode(c.held)
	if err != nil {
		return nil, err
	}
	return Pieces(w), nil
}

// Pieces returns a wire form, the []byte or [][]byte that an operation results in, as
// its pieces.
func Pieces(w any) [][]byte {
	switch w := w.(type) {
	case []byte:
		return [][]byte{w}
	case [][]byte:
		return w
	}
	panic("unreachable: W is []byte or [][]byte")
}

func (c *codec[S, W]) SetWire(i int, pieces [][]byte) {
	switch w := any(&c.wire[i]).(type) {
	case *[]byte:
		*w = pieces[0]
	case *[][]byte:
		*w = pieces
	}
}

func (c *codec[S, W]) Canonical(piece []byte) []byte {
	if c.canonical == nil {
		return piece
	}
	return c.canonical(piece)
}

// encodes adds an operation that leaves its result in c.bytes.
func (c *codec[S, W]) encodes(name string, run func(i int) error) {
	c.ops = append(c.ops, &Op{
		Name:    name,
		Run:     run,
		Result:  func() any { return detached(c.bytes) },
		Message: func(r any) (proto.Message, error) { return c.decode(typed[W](r)) },
	})
}

// decodes adds an operation that leaves its result in c.held.
func (c *codec[S, W]) decodes(name string, run func(i int) error) {
	c.ops = append(c.ops, &Op{
		Name:    name,
		Run:     run,
		Result:  func() any { return detached(c.held) },
		Message: func(r any) (proto.Message, error) { return c.message(typed[S](r)) },
	})
}

// yields adds an operation that leaves its result in *result.
func yields[S, W, R any](c *codec[S, W], name string, result *R, message func(R) (proto.Message, error),
	run func(i int) error) {
	c.ops = append(c.ops, &Op{
		Name:    name,
		Run:     run,
		Result:  func() any { return detached(*result) },
		Message: func(r any) (proto.Message, error) { return message(typed[R](r)) },
	})
}

// typed returns a result as what it was before it was detached. The Go data of JSON's null
// is nil, which has no type.
func typed[T any](v any) T {
	t, _ := v.(T)
	return t
}

// detached returns the result v; where it is a list of results in a slice that
// the next call fills again, the list is a copy (its elements are not).
func detached(v any) any {
	switch v := v.(type) {
	case [][]byte:
		return slices.Clone(v)
	case []proto.Message:
		return slices.Clone(v)
	case []*anypb.Any:
		return slices.Clone(v)
	}
	return v
}
