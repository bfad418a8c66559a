package mapsort

import (
	"slices"

	"github.com/protean-pb/protean/internal/swissmap"
)

// Entries are a stack of the entries of maps, each map's in the order of its keys. The zero
// value is ready. One goroutine may use it at a time.
type Entries struct {
	marks []Mark   // where entries lie in their maps
	keys  []string // instead, where it is not known how maps lie in memory
}

// Push puts the entries of m on the stack, from one position to before another. Until they are
// popped the map must not change.
func Push[V any](s *Entries, m map[string]V) (from, to int) {
	if !swissmap.HasPositions() {
		from = len(s.keys)
		for k := range m {
			s.keys = append(s.keys, k)
		}
		slices.Sort(s.keys[from:])
		return from, len(s.keys)
	}
	from = len(s.marks)
	for k, place := range swissmap.Positions(m) {
		s.marks = append(s.marks, MarkOf(k, uint32(place)))
	}
	Sort(s.marks[from:], func(at uint32) string {
		k, _ := swissmap.EntryAt(m, swissmap.Position(at))
		return k
	})
	return from, len(s.marks)
}

// At returns the entry of m, which has been pushed, at a position of the stack.
func At[V any](s *Entries, m map[string]V, i int) (key string, value V) {
	if len(s.keys) > 0 {
		key = s.keys[i]
		return key, m[key]
	}
	return swissmap.EntryAt(m, swissmap.Position(s.marks[i].At))
}

// Pop takes the entries from a position on off the stack.
func (s *Entries) Pop(from int) {
	if len(s.keys) > 0 {
		clear(s.keys[from:]) // lets go of them
		s.keys = s.keys[:from]
		return
	}
	s.marks = s.marks[:from]
}

// Cap returns for how many entries there is room.
func (s *Entries) Cap() int { return max(cap(s.marks), cap(s.keys)) }
