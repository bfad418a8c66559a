package report

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/protean-pb/protean/benchmarks/internal/measure"
)

// of returns the results of one job.
func (f File) of(job string) File {
	return File{f.Environment, slices.DeleteFunc(slices.Clone(f.Results), func(r Result) bool { return r.Job != job })}
}

// A group is a row of a table: the results of a job on the messages of a type, or on one of them.
type group struct {
	name    string
	results []Result
}

// groups are in the order of the file.
func (f File) groups(bySize bool) []group {
	var all []group
	for _, r := range f.Results {
		name := r.Type
		if bySize {
			name += " " + r.Size
		}
		i := slices.IndexFunc(all, func(g group) bool { return g.name == name })
		if i < 0 {
			i, all = len(all), append(all, group{name: name})
		}
		all[i].results = append(all[i].results, r)
	}
	return all
}

// in returns the results of one mode.
func (g group) in(mode string) []Result {
	return slices.DeleteFunc(slices.Clone(g.results), func(r Result) bool { return r.Mode != mode })
}

// median is the geometric mean of the messages' medians; NaN if the mode was not measured.
func (g group) median(mode string) float64 {
	return mean(each(g.in(mode), func(r Result) float64 { return r.Ratio.Median }))
}

// ratio is that mean with its spread: how far the 95 % interval goes on either side, in per cent. The messages' spreads
// are independent of one another.
func (g group) ratio(mode string) string {
	results := g.in(mode)
	squares := 0.0
	for _, r := range results {
		half := math.Log(r.Ratio.High/r.Ratio.Low) / 2
		squares += half * half
	}
	median := number(g.median(mode))
	if median == "" {
		return ""
	}
	return fmt.Sprintf("%s ±%.0f %%", median, 100*math.Sqrt(squares)/float64(len(results)))
}

// speedup is Protean's by more goroutines, and the rival's.
func (g group) speedup() string {
	results := g.in(parallel)
	ours := number(mean(each(results, func(r Result) float64 { return r.Protean.Speedup })))
	return ours + " / " + number(mean(each(results, func(r Result) float64 { return r.Rival.Speedup })))
}

func allocated(c measure.Cost) float64 { return c.Bytes }
func kept(c measure.Cost) float64      { return c.Kept }

// share is what Protean takes of something, as a part of what the rival takes.
func (g group) share(what func(measure.Cost) float64) float64 {
	return mean(each(g.messages(), func(r Result) float64 { return what(r.Protean) / what(r.Rival) }))
}

func (g group) bytes(what func(measure.Cost) float64) string { return number(g.share(what)) }

// allocs lists the allocations for each message: Protean's and the rival's.
func (g group) allocs() string {
	return strings.Join(each(g.messages(), func(r Result) string {
		return fmt.Sprintf("%.0f/%.0f", r.Protean.Allocs, r.Rival.Allocs)
	}), ", ")
}

// messages has one result for each message, whatever modes there are.
func (g group) messages() []Result {
	return slices.CompactFunc(slices.Clone(g.results), func(a, b Result) bool { return a.Size == b.Size })
}

// jobs and modes are those of which there are results, in the order of the file.
func jobs(f File) []string { return distinct(f, func(r Result) string { return r.Job }) }

func modes(f File) []string {
	all := distinct(f, func(r Result) string { return r.Mode })
	return slices.DeleteFunc(all, func(m string) bool { return m == "" })
}

func distinct(f File, of func(Result) string) []string {
	var all []string
	for _, r := range f.Results {
		if !slices.Contains(all, of(r)) {
			all = append(all, of(r))
		}
	}
	return all
}

func each[T, U any](list []T, of func(T) U) []U {
	all := make([]U, len(list))
	for i, x := range list {
		all[i] = of(x)
	}
	return all
}

func count(list []string, s string) int {
	return len(list) - len(slices.DeleteFunc(slices.Clone(list), func(x string) bool { return x == s }))
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
