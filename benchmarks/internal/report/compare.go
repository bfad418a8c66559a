package report

import (
	"fmt"
	"io"
	"slices"
)

// Compare prints how the ratios of two runs differ: before and after a change, or with a switch on and off. Both are
// ratios to the same rival, measured beside it, so that a machine that was slower in one run does not count.
func Compare(w io.Writer, before, after File) error {
	old := map[key]Result{}
	for _, r := range before.Results {
		old[r.key()] = r
	}
	found := false
	for _, j := range jobs(after) {
		of := after.of(j)
		for _, m := range modes(of) {
			if compareJob(w, of, j, m, old) {
				found = true
			}
		}
	}
	if !found {
		return fmt.Errorf("no time of a job on a message is in both files")
	}
	return nil
}

// compareJob prints the table of a job in a mode, if there is anything to compare.
func compareJob(w io.Writer, f File, job, mode string, old map[key]Result) bool {
	var rows []string
	var changes, befores, afters []float64
	for _, g := range f.groups(false) {
		var b, a []float64
		clear := true // the intervals of no message overlap
		for _, r := range g.in(mode) {
			if o, ok := old[r.key()]; ok {
				b, a = append(b, o.Ratio.Median), append(a, r.Ratio.Median)
				clear = clear && (o.Ratio.High < r.Ratio.Low || r.Ratio.High < o.Ratio.Low)
			}
		}
		if len(b) == 0 {
			continue
		}
		change := mean(a) / mean(b)
		befores, afters, changes = append(befores, mean(b)), append(afters, mean(a)), append(changes, change)
		mark := ""
		if !clear {
			mark = " ~"
		}
		row := fmt.Sprintf("| %s | %s | %s | %.3f%s |", g.name, number(mean(b)), number(mean(a)), change, mark)
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return false
	}
	fmt.Fprintf(w, "%s, %s (~: intervals overlap)\n\n", job, title(mode))
	fmt.Fprint(w, "| type | before | after | change |\n|---|--:|--:|--:|\n")
	for _, row := range rows {
		fmt.Fprintln(w, row)
	}
	fmt.Fprintf(w, "| **geometric mean** | **%s** | **%s** | **%.3f** |\n",
		number(mean(befores)), number(mean(afters)), mean(changes))
	fmt.Fprintf(w, "| **least** | %s | %s | %.3f |\n",
		number(slices.Min(befores)), number(slices.Min(afters)), slices.Min(changes))
	fmt.Fprintf(w, "| **most** | | | %.3f |\n\n", slices.Max(changes))
	return true
}
