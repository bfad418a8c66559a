package records

import (
	"cmp"
	"slices"
	"sync"
)

// maxListed is how many faults a [Tally] keeps.
const maxListed = 10

// A Tally counts faults of records and keeps the first ones, in the order of the data whatever the
// order in which they are found. The zero value is ready for use, by any number of goroutines.
type Tally struct {
	// Refuse makes Add return the fault, to end the work at the first one that is found; otherwise
	// broken records are to be skipped.
	Refuse bool

	mu    sync.Mutex
	n     int64
	first []tallied
}

type tallied struct {
	split int
	err   *Error
}

// Add counts a fault of a record of a batch. It returns nil if the record is to be skipped, else the
// fault.
func (t *Tally) Add(b *Batch, fault *Error) error {
	t.add(b.Split, fault)
	if t.Refuse {
		return fault
	}
	return nil
}

func (t *Tally) add(split int, fault *Error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n++
	x := tallied{split, fault}
	i, _ := slices.BinarySearchFunc(t.first, x, func(a, b tallied) int {
		return cmp.Or(cmp.Compare(a.split, b.split), cmp.Compare(a.err.Offset, b.err.Offset))
	})
	if i < maxListed {
		t.first = slices.Insert(t.first, i, x)
		t.first = t.first[:min(len(t.first), maxListed)]
	}
}

// Count returns how many faults there are.
func (t *Tally) Count() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.n
}

// First returns the first ten faults in the order of the data.
func (t *Tally) First() []*Error {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := make([]*Error, len(t.first))
	for i, x := range t.first {
		out[i] = x.err
	}
	return out
}
