// Package report writes and reads results, and makes tables of them.
package report

import (
	"encoding/json"
	"fmt"
	"math"
	"os"

	"github.com/protean-pb/protean/benchmarks/internal/measure"
)

// A File is what one run found out, or several.
type File struct {
	Environment map[string]string // what the results depend on: processor, versions, build tags
	Results     []Result
}

// A Result is of one job on one message in one mode. Its file form is for other programs, too.
type Result struct {
	Job, Against string // whose library the rival is
	Mode         string // empty if only memory was counted
	Type, Size   string // of the message
	Wire         int    // bytes of the message
	Ratio        measure.Ratio
	Rival        measure.Cost
	Protean      measure.Cost
}

// A key says what a result is of.
type key struct{ job, mode, typ, size string }

func (r Result) key() key { return key{r.Job, r.Mode, r.Type, r.Size} }

// Write writes the file, one result a line.
func (f File) Write(path string) error {
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	defer out.Close()
	environment, err := json.Marshal(f.Environment)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "{\"Environment\": %s,\n\"Results\": [", environment)
	for i, r := range f.Results {
		line, err := json.Marshal(r)
		if err != nil {
			return err
		}
		if i > 0 {
			fmt.Fprint(out, ",")
		}
		fmt.Fprintf(out, "\n%s", line)
	}
	fmt.Fprint(out, "\n]}\n")
	return out.Close()
}

// Read reads files. Of what several have a result for, ratios and costs are geometric means, and the interval goes from
// the least to the highest ratio of a run: what differs from run to run is not in the interval of one.
func Read(paths []string) (File, error) {
	merged := File{}
	runs := map[key][]Result{}
	var order []key
	for _, path := range paths {
		f, err := read(path)
		if err != nil {
			return File{}, fmt.Errorf("%s: %w", path, err)
		}
		if merged.Environment == nil {
			merged.Environment = f.Environment
		}
		for _, r := range f.Results {
			if runs[r.key()] == nil {
				order = append(order, r.key())
			}
			runs[r.key()] = append(runs[r.key()], r)
		}
	}
	for _, k := range order {
		merged.Results = append(merged.Results, merge(runs[k]))
	}
	return merged, nil
}

func read(path string) (f File, err error) {
	b, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(b, &f)
	}
	if err == nil && len(f.Results) == 0 {
		err = fmt.Errorf("no results")
	}
	return f, err
}

func merge(runs []Result) Result {
	r := runs[0]
	if len(runs) == 1 {
		return r
	}
	of := func(get func(Result) float64) float64 {
		var all []float64
		for _, run := range runs {
			all = append(all, get(run))
		}
		return mean(all)
	}
	for _, run := range runs {
		r.Ratio.Low, r.Ratio.High = min(r.Ratio.Low, run.Ratio.Median), max(r.Ratio.High, run.Ratio.Median)
	}
	r.Ratio.Median = of(func(r Result) float64 { return r.Ratio.Median })
	r.Rival.Ns = of(func(r Result) float64 { return r.Rival.Ns })
	r.Protean.Ns = of(func(r Result) float64 { return r.Protean.Ns })
	r.Rival.Speedup = of(func(r Result) float64 { return r.Rival.Speedup })
	r.Protean.Speedup = of(func(r Result) float64 { return r.Protean.Speedup })
	return r
}

// mean is the geometric mean of those that are positive; NaN if none is.
func mean(values []float64) float64 {
	logs, n := 0.0, 0.0
	for _, v := range values {
		if v > 0 {
			logs += math.Log(v)
			n++
		}
	}
	return math.Exp(logs / n)
}
