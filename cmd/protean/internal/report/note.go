package report

import (
	"slices"
	"strings"
)

// notes are the cells that have no figures, to be told in words.
type notes struct {
	cells []*Result
	names map[string]bool // variants that the notes cover; for notes on a payload
	told  map[told]bool   // what earlier tables of the payload have explained
}

// told is an explanation that need not be repeated.
type told struct {
	variant string
	status  Status
	reason  string
}

// explain returns a cell's reason, or a hint to it if it stands further up.
func (n *notes) explain(c *Result) string {
	key := told{c.Variant, c.Status, c.Reason}
	if n.told[key] {
		return "as above"
	}
	if n.told != nil {
		n.told[key] = true
	}
	return clean(c.Reason)
}

// generalNotes returns the variants that fail, or do not apply, in the same way in
// every operation of a payload, so that no table need repeat it.
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
	out := &notes{names: map[string]bool{}, told: map[told]bool{}}
	for _, name := range order {
		cells := byVariant[name]
		differs := slices.ContainsFunc(cells, func(c *Result) bool {
			return c.Status != cells[0].Status || c.Reason != cells[0].Reason
		})
		if len(cells) > 1 && cells[0].Status != OK && !differs {
			out.names[name] = true
			out.add(cells[0])
		}
	}
	return out
}

func (n *notes) covers(c *Result) bool { return n.names[c.Variant] }

// add notes a cell, unless it has figures to show.
func (n *notes) add(c *Result) {
	if !c.measured() {
		n.cells = append(n.cells, c)
	}
}

// lines says one line a failure, and all that does not apply in one.
func (n *notes) lines() []string {
	var (
		out, order, waiting []string
		byReason            = map[string][]string{}
	)
	for _, c := range n.cells {
		name := clean(c.Variant)
		switch {
		case c.Status == Failed && n.names != nil:
			out = append(out, "failed in every operation: "+name+": "+n.explain(c))
		case c.Status == Failed:
			out = append(out, "failed: "+name+": "+n.explain(c))
		case c.Status == NotApplicable:
			reason := n.explain(c)
			if byReason[reason] == nil {
				order = append(order, reason)
			}
			byReason[reason] = append(byReason[reason], name)
		default:
			waiting = append(waiting, name)
		}
	}
	for i, reason := range order {
		order[i] = strings.Join(byReason[reason], ", ")
		if reason != "" {
			order[i] += " (" + reason + ")"
		}
	}
	if len(order) > 0 {
		out = append(out, "not applicable: "+strings.Join(order, "; "))
	}
	if len(waiting) > 0 {
		out = append(out, "not measured: "+strings.Join(waiting, ", "))
	}
	return out
}
