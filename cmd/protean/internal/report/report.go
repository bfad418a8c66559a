// Package report renders the results of a run for people and for programs.
//
// For people there are two formats, [Table] and [Markdown]. Both lay out the same
// document: a table for each payload and operation, the fastest first, a table of
// properties, an explanation of the marks, and a [Summary] in words; [WriteHTML]
// makes a page with charts of it. For programs
// there are [JSON], [CSV] with the same fields, and [Bench], the raw turns as
// benchstat reads them. [Read] reads JSON, CSV, and the JSON that is embedded in a page.
//
// A cell that failed or does not apply has no figures in any format, but is never
// left out: tables name it below, JSON and CSV have its status and reason, and the
// benchmark format tells of it as go test does.
package report

import (
	"github.com/protean-pb/protean/cmd/protean/internal/result"
)

// A Report is everything that one run found.
type Report struct {
	Env      result.Env
	Suite    string
	Baseline string           // name of the baseline variant
	Variants []result.Variant // in registry order
	Results  []result.Result  // one a cell, payload by payload, operation by operation, variant by variant
	Warnings []string         // about the machine or the run as a whole, a sentence each
	Columns  []string         // of tables, besides the usual ones; see [ExtraColumns]
	// Interrupted says that the user ended the run before it was done.
	Interrupted bool
	// Costs are what [Costs] returns for Load; without a rate there are none.
	Load  Load
	Costs []PayloadCost
}

// Reckon gives r the costs at a load.
func (r *Report) Reckon(l Load) {
	r.Load, r.Costs = l, nil
	if l.Rate > 0 {
		r.Costs = Costs(r, l)
	}
}
