package value

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"github.com/protean-pb/protean/internal/mapsort"
	"github.com/protean-pb/protean/internal/structval/index"
	"github.com/protean-pb/protean/internal/wire"
)

// AppendCanonical appends to dst the canonical form of a google.protobuf.Value: one byte string
// for all wire forms that mean the same, to be hashed, compared, signed or used as a key.
// It is itself legal wire form of an equal Value.
//
// Canonical form is what the official library writes with the option Deterministic after
// it has read the input, with three differences, so that what means the same is the same:
//
//   - Every Value has one field or none, every entry of a Struct its key and then its
//     value; tags and lengths are varints of the least size.
//   - The entries of a Struct are in ascending order of their keys, compared byte by byte.
//     Of several with the same key only the last one is left.
//   - Fields that are merged on reading are merged.
//   - Unknown fields are dropped: the first difference.
//   - null_value is 0, whatever number it was: the second.
//   - A number keeps its bits, but -0 is written as 0, which proto.Equal has as equal, and
//     every NaN as 0x7ff8000000000000, also equal to one another there: the third.
//
// A Value with no field set stays one, and differs from null. Integers and fractions are
// the same doubles in all languages; text is not normalized, so that an accented letter
// and the same letter with a combining accent differ.
//
// The input must be as [Parse] accepts it; on error the result is dst as it was. Nothing
// is allocated if dst has room, else only the result is. dst and wire must not overlap.
func AppendCanonical(dst, wire []byte) ([]byte, error) { return canonical(dst, wire, index.Value) }

// AppendCanonicalStruct appends the canonical JSON text of a google.protobuf.Struct, with the rules of
// [AppendCanonical].
func AppendCanonicalStruct(dst, wire []byte) ([]byte, error) {
	return canonical(dst, wire, index.Struct)
}

// AppendCanonicalList appends the canonical JSON text of a google.protobuf.ListValue, with the rules of
// [AppendCanonical].
func AppendCanonicalList(dst, wire []byte) ([]byte, error) { return canonical(dst, wire, index.List) }

// AppendCanonical appends the [AppendCanonical] form of d, a google.protobuf.Value, to dst;
// nothing if d is absent.
func (d Doc) AppendCanonical(dst []byte) []byte {
	if d.state() == absent {
		return dst
	}
	return appendCanonical(dst, d.nodes, d.wire, d.at(), index.Value)
}

func canonical(dst, wire []byte, form index.Form) ([]byte, error) {
	err := indexed(wire, form, ParseOptions{}, func(nodes []index.Node, wire []byte) error {
		dst = appendCanonical(dst, nodes, wire, 0, form)
		return nil
	})
	return dst, err
}

// appendCanonical appends a node in the given form.
func appendCanonical(dst []byte, nodes []index.Node, wire []byte, at int, form index.Form) []byte {
	c := canons.Get().(*canon)
	c.nodes, c.wire = nodes, wire
	c.back.Reset()
	switch form {
	case index.Struct:
		c.object(at)
	case index.List:
		c.list(at)
	default:
		c.value(at)
	}
	dst = append(dst, c.back.Written()...)
	c.release()
	return dst
}

// A canon writes canonical form, from its end to its start.
type canon struct {
	nodes []index.Node
	wire  []byte
	back  wire.BackwardBuffer
	// The children of the containers that are being written, those of the innermost at
	// the end.
	children []child
}

// A child is an entry of an object or an element of a list.
type child struct {
	prefix uint64 // the first bytes of the key, which mostly decide the order
	at     uint32 // its node
	start  uint32 // where its field starts
}

var canons = sync.Pool{New: func() any { return new(canon) }}

func (c *canon) release() {
	c.nodes, c.wire = nil, nil
	if c.back.Cap() <= maxKept && cap(c.children) <= maxScratch {
		canons.Put(c)
	}
}

// value writes a Value.
func (c *canon) value(at int) {
	n := &c.nodes[at]
	start := c.back.Len()
	switch n.Kind() {
	case index.Object:
		c.object(at)
		c.back.Delimit(index.TagStruct, start)
	case index.Array:
		c.list(at)
		c.back.Delimit(index.TagList, start)
	case index.Number:
		c.back.Fixed64(canonicalBits(n.Float(c.wire)))
		c.back.Byte(index.TagNumber)
	default:
		c.back.Bytes(n.Wire(c.wire))
	}
}

func canonicalBits(f float64) uint64 {
	switch {
	case f == 0:
		return 0
	case f != f:
		return 0x7ff8000000000000
	}
	return math.Float64bits(f)
}

// verbatim reports whether the bytes of a node are canonical as they are.
func (c *canon) verbatim(at int) bool {
	switch n := &c.nodes[at]; n.Kind() {
	case index.Object, index.Array:
		return index.Len(c.nodes, at) == 0
	case index.Number:
		f := n.Float(c.wire)
		return canonicalBits(f) == math.Float64bits(f)
	}
	return true
}

// list writes the elements of a list.
func (c *canon) list(at int) {
	base := len(c.children)
	c.gather(at, false)
	for i := len(c.children) - 1; i >= base; i-- {
		e := c.children[i]
		n := &c.nodes[e.at]
		if c.verbatim(int(e.at)) {
			_, end := n.Bounds()
			c.back.Bytes(c.wire[e.start:end])
			continue
		}
		start := c.back.Len()
		c.value(int(e.at))
		c.back.Delimit(index.TagElement, start)
	}
	c.children = c.children[:base]
}

// object writes the entries of an object.
func (c *canon) object(at int) {
	base := len(c.children)
	if !c.gather(at, true) {
		slices.SortFunc(c.children[base:], c.compare)
	}
	for i := len(c.children) - 1; i >= base; i-- {
		e := c.children[i]
		n := &c.nodes[e.at]
		key := n.Key(c.wire)
		if c.verbatim(int(e.at)) {
			_, end := n.Bounds()
			c.back.Bytes(c.wire[e.start:end])
		} else {
			start := c.back.Len()
			c.value(int(e.at))
			c.back.Delimit(index.TagValue, start)
			before := c.back.Len()
			c.back.Bytes(key)
			c.back.Delimit(index.TagKey, before)
			c.back.Delimit(index.TagElement, start)
		}
		// The earlier entries with the same key do not count.
		for i > base && c.children[i-1].prefix == e.prefix &&
			string(c.nodes[c.children[i-1].at].Key(c.wire)) == string(key) {
			i--
		}
	}
	c.children = c.children[:base]
}

// gather appends the children of a node, and reports whether keys of an object ascend.
func (c *canon) gather(at int, object bool) bool {
	start, _ := c.nodes[at].Bounds()
	ascending := true
	count := index.Len(c.nodes, at)
	at = index.First(at)
	for i := range count {
		e := child{at: uint32(at), start: uint32(start)}
		n := &c.nodes[at]
		if object {
			e.prefix = mapsort.Prefix(n.KeyText(c.wire))
			if i > 0 && ascending {
				ascending = c.compare(c.children[len(c.children)-1], e) < 0
			}
		}
		c.children = append(c.children, e)
		_, start = n.Bounds()
		at = index.Next(c.nodes, at)
	}
	return ascending
}

// compare orders entries by key, and those with the same key as they were.
func (c *canon) compare(a, b child) int {
	if a.prefix != b.prefix {
		return cmp.Compare(a.prefix, b.prefix)
	}
	x, y := c.nodes[a.at].KeyText(c.wire), c.nodes[b.at].KeyText(c.wire)
	return cmp.Or(cmp.Compare(x, y), cmp.Compare(a.at, b.at))
}
