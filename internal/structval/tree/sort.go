package tree

import (
	"sync"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/mapsort"
)

var sorters = sync.Pool{New: func() any { return new(mapsort.Entries) }}

// maxSorter is for how many entries there may be room in what goes back to the pool.
const maxSorter = 1 << 14

// release gives back the entries that were sorted.
func release(s *mapsort.Entries) {
	s.Pop(0) // there are some after an error
	if s.Cap() <= maxSorter {
		sorters.Put(s)
	}
}

// entriesInOrder writes the entries of an object from the last key to the first.
func (w *writer) entriesInOrder(fields map[string]*structpb.Value, at int) int {
	from, to := mapsort.Push(w.sorted, fields)
	for i := to - 1; i >= from; i-- {
		key, v := mapsort.At(w.sorted, fields, i)
		if at = w.entry(key, v, at); at == failed {
			return failed
		}
	}
	w.sorted.Pop(from)
	return at
}
