package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/protean-pb/protean/benchmarks/internal/job"
	"github.com/protean-pb/protean/benchmarks/internal/measure"
)

// Print prints a Markdown table for each job, and one of the means. A row is of a type, whatever messages there are of
// it, or of a message where they are to be shown one by one.
func Print(w io.Writer, f File, bySize bool) {
	for _, j := range jobs(f) {
		printJob(w, f.of(j), bySize)
	}
	printMeans(w, f)
	fmt.Fprintln(w)
	for _, name := range sortedKeys(f.Environment) {
		fmt.Fprintf(w, "%s: %s\n", name, f.Environment[name])
	}
}

func printJob(w io.Writer, f File, bySize bool) {
	first := f.Results[0]
	fmt.Fprintf(w, "%s against %s: %s\n\n", first.Job, first.Against, about(first.Job))
	modes := modes(f)
	fmt.Fprint(w, "| type ")
	for _, m := range modes {
		fmt.Fprintf(w, "| %s ", title(m))
		if m == parallel {
			fmt.Fprint(w, "| speed-up ")
		}
	}
	fmt.Fprintln(w, "| allocated | kept | allocations |")
	fmt.Fprintf(w, "|---%s|--:|--:|---|\n", strings.Repeat("|--:", len(modes)+count(modes, parallel)))
	for _, g := range f.groups(bySize) {
		fmt.Fprintf(w, "| %s ", g.name)
		for _, m := range modes {
			fmt.Fprintf(w, "| %s ", g.ratio(m))
			if m == parallel {
				fmt.Fprintf(w, "| %s ", g.speedup())
			}
		}
		fmt.Fprintf(w, "| %s | %s | %s |\n", g.bytes(allocated), g.bytes(kept), g.allocs())
	}
	groups := f.groups(false)
	footer := func(name string, of func([]float64) float64) {
		fmt.Fprintf(w, "| **%s** ", name)
		for _, m := range modes {
			fmt.Fprintf(w, "| **%s** ", number(of(each(groups, func(g group) float64 { return g.median(m) }))))
			if m == parallel {
				fmt.Fprint(w, "| ")
			}
		}
		fmt.Fprintln(w, "| | | |")
	}
	footer("geometric mean", mean)
	footer("least", slices.Min)
	fmt.Fprintln(w)
}

// printMeans prints a row for each job: the geometric mean over types in each mode, and the least type's.
func printMeans(w io.Writer, f File) {
	modes := modes(f)
	fmt.Fprint(w, "| job | against | types ")
	for _, m := range modes {
		fmt.Fprintf(w, "| %s | least ", title(m))
	}
	fmt.Fprintln(w, "| allocated | most | kept | most |")
	fmt.Fprintf(w, "|---|---|--:%s|--:|--:|--:|--:|\n", strings.Repeat("|--:|--:", len(modes)))
	for _, j := range jobs(f) {
		of := f.of(j)
		groups := of.groups(false)
		fmt.Fprintf(w, "| %s | %s | %d ", j, of.Results[0].Against, len(groups))
		for _, m := range modes {
			medians := each(groups, func(g group) float64 { return g.median(m) })
			fmt.Fprintf(w, "| **%s** | %s ", number(mean(medians)), number(slices.Min(medians)))
		}
		for _, what := range []func(measure.Cost) float64{allocated, kept} {
			shares := each(groups, func(g group) float64 { return g.share(what) })
			fmt.Fprintf(w, "| %s | %s ", number(mean(shares)), number(slices.Max(shares)))
		}
		fmt.Fprintln(w, "|")
	}
}

// parallel is the mode for which speed-ups are there.
const parallel = "parallel"

// about is what the job's table says of it.
func about(name string) string {
	i := slices.IndexFunc(job.All, func(j job.Job) bool { return j.Name == name })
	if i < 0 {
		return "a job of another version"
	}
	return job.All[i].About
}

func title(mode string) string {
	i := slices.IndexFunc(measure.Modes, func(m measure.Mode) bool { return m.Name == mode })
	if i < 0 {
		return mode
	}
	return measure.Modes[i].Title
}

// number prints what there is a number for.
func number(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) || x == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", x)
}
