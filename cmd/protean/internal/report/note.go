package report

import (
	"slices"
	"strings"
)

// notes are the cells that have no figures, to be told in words.
type notes struct {
	cells []*Result
	where map[string]string // by variant, in which operations; for notes on a payload
	told  map[told]bool     // what earlier tables of the payload have explained
}

// told is an explanation that need not be repeated.
type told struct {
	variant string
	status  Status
	reason  string
}

// asAbove stands for a reason that was given already.
const asAbove = "as above"

// explain returns a cell's reason, or a hint to it if it stands further up.
func (n *notes) explain(c *Result) string {
	key := told{c.Variant, c.Status, c.Reason}
	if n.told[key] {
		return asAbove
	}
	if n.told != nil {
		n.told[key] = true
	}
	return clean(c.Reason)
}

// generalNotes returns the variants that fail, or do not apply, in the same way in
// every operation of a payload that they have a cell of, so that no table need repeat it.
func generalNotes(payload []*group) *notes {
	byVariant := map[string][]*Result{}
	var order []string
	for _, g := range payload {
		for _, c := range g.results {
			if byVariant[c.Variant] == nil {
				order = append(order, c.Variant)
			}
			byVariant[c.Variant] = append(byVariant[c.Variant], c)
		}
	}
	out := &notes{where: map[string]string{}, told: map[told]bool{}}
	for _, name := range order {
		cells := byVariant[name]
		differs := slices.ContainsFunc(cells, func(c *Result) bool {
			return c.Status != cells[0].Status || c.Reason != cells[0].Reason
		})
		if len(cells) > 1 && cells[0].Status != OK && !differs {
			out.where[name] = inEvery
			if len(cells) < len(payload) {
				out.where[name] = " in " + strings.Join(opsOf(cells), ", ")
			}
			out.add(cells[0])
		}
	}
	return out
}

func opsOf(cells []*Result) []string {
	var out []string
	for _, c := range cells {
		out = append(out, clean(c.Op))
	}
	return out
}

func (n *notes) covers(c *Result) bool { return n.where[c.Variant] != "" }

// add notes a cell, unless it has figures to show.
func (n *notes) add(c *Result) {
	if !c.measured() {
		n.cells = append(n.cells, c)
	}
}

// How the lines begin, up to a colon.
const (
	failedNote  = "failed"
	uselessNote = "not applicable"
	waitingNote = "not measured"
	inEvery     = " in every operation" // of the payload
)

// lines says one line a failure, and all that does not apply in one.
func (n *notes) lines() []string {
	var out, waiting []string
	var useless []*Result
	for _, c := range n.cells {
		switch c.Status {
		case Failed:
			out = append(out, failedNote+n.where[c.Variant]+": "+clean(c.Variant)+": "+n.explain(c))
		case NotApplicable:
			useless = append(useless, c)
		default:
			waiting = append(waiting, clean(c.Variant))
		}
	}
	out = append(out, n.useless(useless)...)
	if len(waiting) > 0 {
		out = append(out, waitingNote+": "+strings.Join(waiting, ", "))
	}
	return out
}

// useless lists what does not apply by reason, a line for the same operations.
func (n *notes) useless(cells []*Result) []string {
	var out, wheres []string
	byWhere := map[string][]*Result{}
	for _, c := range cells {
		where := n.where[c.Variant]
		if byWhere[where] == nil {
			wheres = append(wheres, where)
		}
		byWhere[where] = append(byWhere[where], c)
	}
	for _, where := range wheres {
		out = append(out, uselessNote+where+": "+strings.Join(n.byReason(byWhere[where]), "; "))
	}
	return out
}

// byReason is "A, B (reason)", an item for each reason.
func (n *notes) byReason(cells []*Result) []string {
	var order []string
	names := map[string][]string{}
	for _, c := range cells {
		reason := n.explain(c)
		if names[reason] == nil {
			order = append(order, reason)
		}
		names[reason] = append(names[reason], clean(c.Variant))
	}
	for i, reason := range order {
		order[i] = strings.Join(names[reason], ", ")
		if reason != "" {
			order[i] += " (" + reason + ")"
		}
	}
	return order
}
