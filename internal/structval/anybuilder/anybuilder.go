// Package anybuilder makes Go values of the types that encoding/json reads JSON into, in few
// allocations: what values of type any refer to lies in memory for many of its kind, of at
// most 8 KB. So each value keeps its neighbours, and what those refer to, alive.
package anybuilder

import (
	"math"

	"github.com/protean-pb/protean/internal/swissmap"
	"github.com/protean-pb/protean/internal/xunsafe"
)

// A Builder makes values. The zero Maker is ready for use, by one goroutine.
type Builder struct {
	strings  slab[string]
	numbers  slab[float64]
	lists    slab[[]any]
	elements slab[any]
	small    slab[swissmap.Small[any]]
	large    slab[swissmap.Large[any]]
	groups   slab[swissmap.Group[any]]
	text     []byte
	nextText int // how many bytes are to be allocated the next time
}

// A SizeHint says what a value consists of: how many strings, numbers, lists with their
// elements, and bytes of text that is made for it.
type SizeHint struct {
	Strings, Numbers, Lists, Elements, Text int

	small         int // maps of a few entries
	large, groups int // and larger ones, in so many groups

	nodes int // of trees, counted so far
}

// Map adds a map of so many entries, without what is in it.
func (n *SizeHint) Map(entries int) {
	if swissmap.IsSmall(entries) {
		n.small++
		return
	}
	if groups := swissmap.Groups(entries); groups > 0 {
		n.large++
		n.groups += groups
	}
}

// Reserve says what is needed next, and as much for each of so many parts, the first
// included. It is advice: without it, or if it is wrong, more or larger allocations are made.
func (m *Builder) Reserve(n *SizeHint, parts int) {
	parts = min(parts, maxRoom) // which is more than anything has room for
	m.strings.expect(n.Strings, parts)
	m.numbers.expect(n.Numbers, parts)
	m.lists.expect(n.Lists, parts)
	m.elements.expect(n.Elements, parts)
	m.small.expect(n.small, parts)
	m.large.expect(n.large, parts)
	m.groups.expect(n.groups, parts)
	if missing := n.Text - (cap(m.text) - len(m.text)); missing > 0 {
		m.nextText = n.Text * parts
	}
}

// String returns s, which is not copied.
func (m *Builder) String(s string) any {
	r := &m.strings // whose one is not inlined
	if r.used >= len(r.items) {
		r.refill(1)
	}
	p := &r.items[r.used]
	r.used++
	*p = s
	return xunsafe.BoxString(p)
}

// Number returns x.
func (m *Builder) Number(x float64) any {
	r := &m.numbers // as in String
	if r.used >= len(r.items) {
		r.refill(1)
	}
	p := &r.items[r.used]
	r.used++
	*p = x
	return xunsafe.BoxFloat64(p)
}

// Numbers returns memory for n numbers, for the values that xunsafe.BoxFloat64 makes of them.
func (m *Builder) Numbers(n int) []float64 { return m.numbers.run(n) }

// NotFinite returns the name of a number that JSON does not have.
func NotFinite(x float64) string {
	switch {
	case x > math.MaxFloat64:
		return "Infinity"
	case x < -math.MaxFloat64:
		return "-Infinity"
	}
	return "NaN"
}

// noElements is a list without elements, which cannot be written to.
var noElements any = []any{}

// List returns a list and its n elements, which are nil and to be set.
func (m *Builder) List(n int) (list any, elements []any) {
	if n == 0 {
		return noElements, nil
	}
	p := m.lists.one()
	*p = m.elements.run(n)
	return xunsafe.BoxSlice(p), *p
}

// Map returns a map that is going to have n entries.
func (m *Builder) Map(n int) map[string]any {
	f := m.MapBuilder(nil, n)
	return f.Map()
}

// Small returns memory for a small map.
func (m *Builder) Small() *swissmap.Small[any] { return m.small.one() }

// MapBuilder returns what fills a map of n entries, with keys of k among others; k may be nil.
func (m *Builder) MapBuilder(k *swissmap.Keys, n int) swissmap.Builder[any] {
	if swissmap.IsSmall(n) {
		return m.small.one().Build(k)
	}
	groups := swissmap.Groups(n)
	if groups == 0 {
		return swissmap.NewBuilder[any](k, n)
	}
	return m.large.one().Build(k, m.groups.run(groups))
}

// maxText is how many bytes of text are allocated at once.
const maxText = 4 << 10

// Room returns memory that has room for n bytes, to be appended to and handed to
// [Maker.Own].
func (m *Builder) Room(n int) []byte {
	if cap(m.text)-len(m.text) < n {
		m.text = make([]byte, 0, max(n, min(max(m.nextText, cap(m.text)*3/2), maxText)))
		m.nextText = 0
	}
	return m.text
}

// Own returns what has been appended to the result of the last call of [Maker.Room], where
// there was room for it.
func (m *Builder) Own(text []byte) any {
	s := text[len(m.text):]
	m.text = text
	return m.String(xunsafe.String(s))
}
