package lab

import (
	"cmp"
	"slices"

	"github.com/protean-pb/protean/cmd/protean/internal/runner"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
)

const (
	// quietCollection is how much slower witnesses may be beside a collection that counts.
	// Where there are fewer than minCollections such, the quietest count.
	quietCollection = 1.03
	minCollections  = 8
	// borrowed is how many collections of all cells together weigh as much as a cell's own.
	borrowed = 3
)

// A garbage knows what collections take in a program on a payload, over all rounds. They
// take one cell longer than the other: while garbage is marked, every pointer that is written
// is noted, and every new object marked.
type garbage struct {
	bytes, collections float64 // how often there is one
	of                 map[stats.Key][]runner.Collection
	shared             *shared // from all of them; nil if there are new ones
}

// shared is what is known of all collections of a program.
type shared struct {
	limit float64 // how much slower witnesses may be beside those that count
	ns    float64 // their median
}

// garbageOf returns that of a program.
func (p *payload) garbageOf(program string) *garbage {
	if p.garbage[program] == nil {
		p.garbage[program] = &garbage{of: map[stats.Key][]runner.Collection{}}
	}
	return p.garbage[program]
}

// allocated enters what the program allocated in a round.
func (g *garbage) allocated(x *runner.Garbage) {
	g.bytes += x.Bytes
	g.collections += x.Collections
}

// collected enters the collections beside a cell in a round.
func (g *garbage) collected(k stats.Key, all []runner.Collection) {
	g.of[k], g.shared = append(g.of[k], all...), nil
}

// price returns what a byte costs that a cell allocates, in nanoseconds: the median of the
// collections beside it, as far as there are enough of them to know it; else that of all.
func (g *garbage) price(k stats.Key) float64 {
	if g.shared == nil {
		g.shared = g.share()
	}
	if g.bytes == 0 || g.shared == nil {
		return 0
	}
	ns := g.shared.ns
	if own := quietTimes(g.of[k], g.shared.limit); len(own) > 0 {
		ns += (stats.Median(own).Median - ns) * float64(len(own)) / float64(len(own)+borrowed)
	}
	return max(0, ns) * g.collections / g.bytes
}

// share returns what is known of all collections; nil if there were none.
func (g *garbage) share() *shared {
	var all []runner.Collection
	for _, of := range g.of {
		all = append(all, of...)
	}
	if len(all) == 0 {
		return nil
	}
	slices.SortFunc(all, func(a, b runner.Collection) int { return cmp.Compare(a.Slowdown, b.Slowdown) })
	limit := max(quietCollection, all[min(minCollections, len(all))-1].Slowdown)
	return &shared{limit, stats.Median(quietTimes(all, limit)).Median}
}

// quietTimes returns what the collections took that were disturbed no more than the limit.
func quietTimes(all []runner.Collection, limit float64) []float64 {
	var out []float64
	for _, c := range all {
		if c.Slowdown <= limit {
			out = append(out, c.NS)
		}
	}
	return out
}
