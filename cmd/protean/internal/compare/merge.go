package compare

import (
	"slices"
	"strings"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
)

// Merge makes one side of several files, each of other runs of the same thing. A row that failed in one
// of them has failed.
func Merge(files []*Results) *Results {
	if len(files) == 1 {
		return files[0]
	}
	out := &Results{}
	var names []string
	for _, f := range files {
		names = append(names, f.File)
		for _, w := range f.Warnings {
			if !strings.HasPrefix(w, f.File+":") { // and a line, of one that could not be read
				w = f.File + ": " + w
			}
			out.Warnings = append(out.Warnings, w)
		}
		for _, s := range f.Env {
			out.set(s.Key, s.Value)
		}
		for _, r := range f.Rows {
			out.merge(r, f)
		}
	}
	out.File = strings.Join(names, ",")
	return out
}

// merge adds a row of a file.
func (r *Results) merge(from *Row, file *Results) {
	row, made := r.row(from.key, from.procs)
	if made {
		values := row.Values
		*row = *from
		row.Values = values
	}
	if row.shortened && !from.shortened {
		row.Variant, row.shortened = from.Variant, false
	}
	if from.Status != result.OK || row.Status != result.OK {
		if row.Status == result.OK {
			row.Status, row.Reason, row.Refused = from.Status, from.Reason, from.Refused
		}
		clear(row.Values)
		return
	}
	for _, m := range file.Metrics {
		v := from.Values[m.Name]
		if v == nil {
			continue
		}
		to := r.value(row, m)
		if len(to.Runs) == 0 || to.Samples != nil && v.Samples != nil {
			to.Samples = append(to.Samples, v.Samples...)
		} else {
			to.Samples = nil // some have intervals alone
		}
		to.Runs = slices.Concat(to.Runs, v.Runs)
		to.Count += v.Count
	}
}
