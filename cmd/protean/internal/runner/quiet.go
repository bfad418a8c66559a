package runner

import (
	"slices"
	"time"
)

const (
	// quietMargin is by how much a witness that is called quiet may exceed what it takes
	// undisturbed.
	quietMargin = 1.05
	// firstWitnesses is how many witnesses are heard before the first slice.
	firstWitnesses = 300
	// patience is how long to wait for a quiet witness. If there was none for so long,
	// slices run as they come.
	patience = time.Second
)

// A quiet knows what the witness takes while nobody disturbs it, and when to wait for
// that. Times are in nanoseconds.
type quiet struct {
	heard  []int64 // of this process, but the last few in order
	known  int64   // what it took undisturbed in other processes; 0 if that is not known
	least  int64   // what it takes undisturbed
	waited int64   // for how long no witness has been quiet
}

// begin listens to the first witnesses.
func (q *quiet) begin(known int64) {
	q.known = known
	for range firstWitnesses {
		q.add(witness())
	}
	q.settle()
}

func (q *quiet) add(witness int64) { q.heard = append(q.heard, witness) }

// settle takes in what has been heard. That a hundredth was faster may be luck: a
// processor that ran above its speed for a moment.
func (q *quiet) settle() {
	slices.Sort(q.heard)
	q.least = q.heard[len(q.heard)/100]
	if q.known > 0 {
		q.least = min(q.least, q.known)
	}
}

// limit returns what a witness may take that is called quiet.
func (q *quiet) limit() int64 { return int64(quietMargin * float64(q.least)) }

// goAhead reports whether to wait no longer after a witness that took so long.
func (q *quiet) goAhead(witness int64) bool {
	switch {
	case witness <= q.limit():
		q.waited = 0
	case q.waited < patience.Nanoseconds():
		q.waited += witness
		return false
	}
	return true
}
