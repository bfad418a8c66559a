package compare

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
)

// Options say what to compare, and what is too much.
type Options struct {
	Metrics []string // names or units; all that both files have, but the ratio, if empty
	Limits  Limits   // of what a figure may be worse by, over and above its uncertainty
	// Strict makes rows fail that have figures in one file only.
	Strict bool
}

// A Comparison is what two files differ in.
type Comparison struct {
	Old, New *Results
	Metrics  []Metric
	Changes  []*Change // row by row in the order of New, metric by metric
	// OnlyOld and OnlyNew are the rows that the other file does not have.
	OnlyOld, OnlyNew []*Row
	// Turned are the rows that have figures in one file and failed, or do not apply,
	// in the other; Without those that have figures in neither.
	Turned, Without []Turn
	// Lacking says of each metric that a row has on one side only.
	Lacking []Lack

	limits Limits
	strict bool
}

// A Turn is a row in both files.
type Turn struct{ Old, New *Row }

// A Lack is a metric that one file lacks in rows that both have.
type Lack struct {
	Metric Metric
	File   string // that has it
	Rows   int
}

// A Verdict says what became of a figure.
type Verdict string

// The verdicts.
const (
	Same    Verdict = "same"
	Better  Verdict = "better"
	Worse   Verdict = "worse"
	Changed Verdict = "changed" // of a metric that may be better higher or lower
	Unclear Verdict = "unclear" // too few samples to tell
)

// A Basis says by what a figure was compared.
type Basis string

// The bases.
const (
	Exactly     Basis = "exact"
	ByRanges    Basis = "ranges"    // of counts that vary: they differ if no two of them can be the same
	ByRuns      Basis = "runs"      // see stats.ChangeOfRuns
	BySamples   Basis = "samples"   // of one run a side: see stats.Change
	ByIntervals Basis = "intervals" // of one run a side: see stats.ChangeOf
)

// A Change is one metric of one row in both files.
type Change struct {
	Row        *Row
	Metric     Metric
	Old, New   stats.Interval // medians
	NOld, NNew int            // samples
	// RunsOld and RunsNew are how many runs these are from.
	RunsOld, RunsNew int
	// Ratio is New to Old; Low and High are NaN where nothing can be said.
	Ratio   stats.Interval
	Basis   Basis
	Verdict Verdict
	// Fails says that the figure is worse by more than its limit: all of the interval
	// is beyond it.
	Fails bool
}

// Compare holds after against before. An error is of the options, or that there is
// nothing to compare.
func Compare(before, after *Results, o Options) (*Comparison, error) {
	have := metrics(before, after)
	chosen, err := choose(have, o.Metrics)
	if err != nil {
		return nil, err
	}
	if err := o.Limits.check(chosen); err != nil {
		return nil, fmt.Errorf("--fail-above: %w", err)
	}
	c := &Comparison{Old: before, New: after, Metrics: chosen, limits: o.Limits, strict: o.Strict}
	c.match()
	if len(c.Changes) == 0 && len(c.Turned) == 0 {
		return nil, errors.New(c.nothing())
	}
	return c, c.checkGate()
}

// nothing says why there is nothing to compare.
func (c *Comparison) nothing() string {
	if len(c.OnlyOld) == 0 || len(c.OnlyNew) == 0 || len(c.Without)+len(c.Lacking) > 0 {
		return fmt.Sprintf("%s and %s have no figures in common", c.Old.File, c.New.File)
	}
	return fmt.Sprintf("%s and %s have no row in common: the first has %q and the like, the second %q",
		c.Old.File, c.New.File, c.OnlyOld[0].key, c.OnlyNew[0].key)
}

// match pairs the rows and compares each pair.
func (c *Comparison) match() {
	key := keys(c.Old, c.New)
	before := map[string]*Row{}
	for _, r := range c.Old.Rows {
		before[key(r)] = r
	}
	paired := map[*Row]bool{}
	for _, r := range c.New.Rows {
		old := before[key(r)]
		if old == nil {
			c.OnlyNew = append(c.OnlyNew, r)
			continue
		}
		paired[old] = true
		c.pair(old, r)
	}
	for _, r := range c.Old.Rows {
		if !paired[r] {
			c.OnlyOld = append(c.OnlyOld, r)
		}
	}
}

// keys returns what rows are paired by. GOMAXPROCS, with which the names of benchmarks
// end, is part of it only where a file has several.
func keys(files ...*Results) func(*Row) string {
	several := slices.ContainsFunc(files, func(f *Results) bool {
		// A benchmark that fails may lack what its name would have ended with.
		ran := slices.DeleteFunc(slices.Clone(f.Rows), func(r *Row) bool { return r.Status != result.OK })
		return slices.ContainsFunc(ran, func(r *Row) bool { return r.procs != ran[0].procs })
	})
	return func(r *Row) string {
		if several && r.procs != "" {
			return r.key + "-" + r.procs
		}
		return r.key
	}
}

func (c *Comparison) pair(old, now *Row) {
	switch {
	case old.Status != result.OK && now.Status != result.OK:
		c.Without = append(c.Without, Turn{old, now})
		return
	case old.Status != now.Status:
		c.Turned = append(c.Turned, Turn{old, now})
		return
	}
	shown := now
	if now.shortened && !old.shortened {
		shown = old
	}
	for _, m := range c.Metrics {
		a, b := old.Values[m.Name], now.Values[m.Name]
		switch {
		case a != nil && b != nil:
			c.Changes = append(c.Changes, c.change(shown, m, a, b))
		case a != nil:
			c.lack(m, c.Old.File)
		case b != nil:
			c.lack(m, c.New.File)
		}
	}
}

func (c *Comparison) lack(m Metric, file string) {
	for i := range c.Lacking {
		if l := &c.Lacking[i]; l.Metric.is(m) && l.File == file {
			l.Rows++
			return
		}
	}
	c.Lacking = append(c.Lacking, Lack{m, file, 1})
}

func (c *Comparison) change(row *Row, m Metric, a, b *Value) *Change {
	out := &Change{Row: row, Metric: m, Old: a.center(), New: b.center(), NOld: a.Count, NNew: b.Count,
		RunsOld: len(a.Runs), RunsNew: len(b.Runs)}
	switch {
	case m.exact && a.Samples != nil && b.Samples != nil:
		out.Old, out.New = stats.Median(a.Samples), stats.Median(b.Samples)
		out.Basis, out.Ratio = byRanges(a.Samples, b.Samples)
	case len(a.Runs)+len(b.Runs) >= stats.MinRuns && positive(a) && positive(b):
		out.Basis, out.Ratio = ByRuns, stats.ChangeOfRuns(a.medians(), b.medians())
	case a.Samples != nil && b.Samples != nil:
		shared, runs := math.Hypot(a.sharedError(), b.sharedError()), math.Hypot(a.runError(), b.runError())
		out.Basis, out.Ratio = BySamples, stats.Change(a.Samples, b.Samples).Widened(math.Hypot(shared, runs))
	default:
		out.Basis, out.Ratio = ByIntervals,
			stats.ChangeOf(out.Old, out.New).Widened(math.Hypot(a.runError(), b.runError()))
	}
	out.Verdict = verdict(m, out.Ratio)
	if limit, limited := c.limits.of(m); limited && out.Verdict == Worse {
		out.Fails = worseBy(m, out.Ratio) > limit+slack
	}
	return out
}

// positive reports whether every run has a value above 0, as times do; those of other units need not.
func positive(v *Value) bool {
	return !slices.ContainsFunc(v.medians(), func(x float64) bool { return !(x > 0) })
}

// byRanges compares counts. A count that varies, with the order of a map for instance,
// is the same in all turns of a run, so that many turns say no more of it than one.
func byRanges(before, after []float64) (Basis, stats.Interval) {
	low, high := slices.Min(before), slices.Max(before)
	lowNow, highNow := slices.Min(after), slices.Max(after)
	basis := ByRanges
	if low == high && lowNow == highNow {
		basis = Exactly
	}
	return basis, stats.Interval{
		Median: stats.Quotient(stats.Median(before).Median, stats.Median(after).Median),
		Low:    stats.Quotient(high, lowNow),
		High:   stats.Quotient(low, highNow),
	}
}

func verdict(m Metric, r stats.Interval) Verdict {
	more, less := r.Low > 1, r.High < 1
	switch {
	case math.IsNaN(r.Low) || math.IsNaN(r.High):
		return Unclear
	case !more && !less:
		return Same
	case m.Better == 0:
		return Changed
	case more == (m.Better > 0):
		return Better
	default:
		return Worse
	}
}

// worseBy returns by which fraction a figure is worse at least.
func worseBy(m Metric, r stats.Interval) float64 {
	if m.Better > 0 {
		return 1 - r.High
	}
	return r.Low - 1
}

// checkGate refuses limits that nothing could exceed, because no figure of the metric
// can be judged.
func (c *Comparison) checkGate() error {
	for _, m := range c.Metrics {
		if _, limited := c.limits.of(m); !limited {
			continue
		}
		var unclear []*Change
		judged := false
		for _, x := range c.Changes {
			if x.Metric.is(m) {
				judged = judged || x.Verdict != Unclear
				unclear = append(unclear, x)
			}
		}
		if len(unclear) > 0 && !judged {
			return fmt.Errorf("--fail-above: no %s can be judged by %d and %d samples; take %d or more (go test "+
				"-count), or name others with --metrics",
				m.Name, unclear[0].NOld, unclear[0].NNew, enough(unclear[0].Basis))
		}
	}
	return nil
}

// enough is how many samples a side must have so that something can be said.
func enough(b Basis) int {
	if b == ByIntervals {
		return stats.MinRounds
	}
	return 4
}

// Failures returns the figures that are worse by more than their limits.
func (c *Comparison) Failures() []*Change {
	return slices.DeleteFunc(slices.Clone(c.Changes), func(x *Change) bool { return !x.Fails })
}

// Failed reports whether there is a regression: a figure worse by more than its limit,
// or, where there are limits, a row that fails now and did not; with Strict, any row
// that has figures in one file only.
func (c *Comparison) Failed() bool {
	turned := slices.ContainsFunc(c.Turned, func(t Turn) bool { return t.New.Status == result.Failed })
	return len(c.Failures()) > 0 || c.limits.any() && turned ||
		c.strict && len(c.OnlyOld)+len(c.OnlyNew)+len(c.Turned)+len(c.Lacking) > 0
}
