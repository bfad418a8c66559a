package tree

import (
	"slices"
	"strings"
	"sync"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/mem"
)

// A sorter has the entries of the objects that are being written in order, a stack.
type sorter struct{ entries []entry }

type entry struct {
	key   string
	value *structpb.Value
}

var sorters = sync.Pool{New: func() any { return new(sorter) }}

// maxSorter is for how many entries a sorter may have room that goes back to the pool.
const maxSorter = 1 << 14

func (s *sorter) release() {
	clear(s.entries) // there are some after an error
	s.entries = s.entries[:0]
	if cap(s.entries) <= maxSorter {
		sorters.Put(s)
	}
}

// entriesInOrder writes the entries of an object from the last key to the first.
func (w *writer) entriesInOrder(fields map[string]*structpb.Value, at int) int {
	s := w.sorted
	base := len(s.entries)
	for key, v := range mem.All(fields) {
		s.entries = append(s.entries, entry{key, v})
	}
	slices.SortFunc(s.entries[base:], func(a, b entry) int { return strings.Compare(b.key, a.key) })
	for i, end := base, len(s.entries); i < end; i++ {
		if at = w.entry(s.entries[i].key, s.entries[i].value, at); at == failed {
			return failed
		}
	}
	clear(s.entries[base:]) // lets go of them
	s.entries = s.entries[:base]
	return at
}
