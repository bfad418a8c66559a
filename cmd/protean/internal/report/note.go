package report

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
)

// notes are the cells that have no figures, to be told in words.
type notes struct {
	cells []*result.Result
	where map[string]string // by variant, in which operations; for notes on a payload
	told  map[told]bool     // what earlier tables of the payload have explained
}

// told is an explanation that need not be repeated.
type told struct {
	variant string
	status  result.Status
	reason  string
}

// asAbove stands for a reason that was given already.
const asAbove = "as above"

// explain returns a cell's reason, or a hint to it if it stands further up.
func (n *notes) explain(c *result.Result) string {
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
	var all []*result.Result
	for _, g := range payload {
		all = append(all, g.results...)
	}
	order, byVariant := grouped(all, func(c *result.Result) string { return c.Variant })
	out := &notes{where: map[string]string{}, told: map[told]bool{}}
	for _, name := range order {
		cells := byVariant[name]
		differs := slices.ContainsFunc(cells, func(c *result.Result) bool {
			return c.Status != cells[0].Status || c.Reason != cells[0].Reason
		})
		if len(cells) > 1 && cells[0].Status != result.OK && !differs {
			out.where[name] = inEvery
			if len(cells) < len(payload) {
				out.where[name] = " in " + strings.Join(opsOf(cells), ", ")
			}
			out.add(cells[0])
		}
	}
	return out
}

func opsOf(cells []*result.Result) []string {
	var out []string
	for _, c := range cells {
		out = append(out, clean(c.Op))
	}
	return out
}

func (n *notes) covers(c *result.Result) bool { return n.where[c.Variant] != "" }

// add notes a cell, unless it has figures to show.
func (n *notes) add(c *result.Result) {
	if !c.Measured() {
		n.cells = append(n.cells, c)
	}
}

// RefusedNote is what is said of a cell that is Refused.
const RefusedNote = "cannot represent"

// How the lines begin, up to a colon, besides RefusedNote.
const (
	failedNote       = "failed"
	inapplicableNote = "not applicable"
	waitingNote      = "not measured"
	inEvery          = " in every operation" // of the payload
)

// lines says one line a failure and a refusal, and all that does not apply in one.
func (n *notes) lines() []string {
	var out, refused, waiting []string
	var inapplicable []*result.Result
	for _, c := range n.cells {
		switch c.Status {
		case result.Failed:
			out = append(out, failedNote+n.where[c.Variant]+": "+clean(c.Variant)+": "+n.explain(c))
		case result.NotApplicable:
			if c.Refused {
				refused = append(refused, RefusedNote+n.where[c.Variant]+": "+clean(c.Variant)+": "+n.explain(c))
				continue
			}
			inapplicable = append(inapplicable, c)
		default:
			waiting = append(waiting, clean(c.Variant))
		}
	}
	out = slices.Concat(out, refused, n.inapplicable(inapplicable))
	if len(waiting) > 0 {
		out = append(out, waitingNote+": "+strings.Join(waiting, ", "))
	}
	return out
}

// inapplicable lists what does not apply by reason, a line for the same operations.
func (n *notes) inapplicable(cells []*result.Result) []string {
	wheres, byWhere := grouped(cells, func(c *result.Result) string { return n.where[c.Variant] })
	for i, where := range wheres {
		wheres[i] = inapplicableNote + where + ": " + strings.Join(n.byReason(byWhere[where]), "; ")
	}
	return wheres
}

// byReason is "A, B (reason)", an item for each reason.
func (n *notes) byReason(cells []*result.Result) []string {
	reasons, byReason := grouped(cells, n.explain)
	for i, reason := range reasons {
		var names []string
		for _, c := range byReason[reason] {
			names = append(names, clean(c.Variant))
		}
		reasons[i] = strings.Join(names, ", ")
		if reason != "" {
			reasons[i] += " (" + reason + ")"
		}
	}
	return reasons
}

// withoutFolder finds the file and the line of a sample at the beginning of a reason, with the
// folder that the file is in.
var withoutFolder = regexp.MustCompile(`^(?:[^\s:]|[A-Za-z]:\\)*[/\\]([^\s:/\\]+:\d+: )`)

// shortNotes tells of all cells of a payload that have no figures, a line for each variant that
// fails or refuses in the same way, and for each reason why some do not apply. Those on every
// operation do not say so.
func shortNotes(payload []*group) []string {
	var cells []*result.Result
	for _, g := range payload {
		cells = append(cells, slices.DeleteFunc(slices.Clone(g.results), func(c *result.Result) bool {
			return c.Measured() || g.untimed() && c.Counted()
		})...)
	}
	_, same := grouped(cells, func(c *result.Result) string { return fmt.Sprint(c.Variant, c.Status, c.Reason) })
	begins := func(c *result.Result) string {
		kind := map[result.Status]string{result.Failed: failedNote, result.NotApplicable: inapplicableNote,
			result.OK: waitingNote}[c.Status]
		if c.Refused {
			kind = RefusedNote
		}
		if all := same[fmt.Sprint(c.Variant, c.Status, c.Reason)]; len(all) < len(payload) {
			kind += " in " + strings.Join(opsOf(all), ", ")
		}
		return kind + ": "
	}
	lines, of := grouped(cells, func(c *result.Result) string {
		reason := withoutFolder.ReplaceAllString(clean(c.Reason), "$1")
		switch {
		case c.Status == result.OK, reason == "":
			return begins(c) + "\x00"
		case c.Status == result.NotApplicable && !c.Refused:
			return begins(c) + "\x00 (" + reason + ")"
		default:
			return begins(c) + "\x00: " + reason
		}
	})
	for i, line := range lines {
		var names []string
		for _, c := range of[line] {
			if !slices.Contains(names, clean(c.Variant)) {
				names = append(names, clean(c.Variant))
			}
		}
		lines[i] = strings.ReplaceAll(line, "\x00", strings.Join(names, ", "))
	}
	slices.SortStableFunc(lines, func(a, b string) int { return cmp.Compare(kindOf(a), kindOf(b)) })
	return lines
}

// kindOf is the position of a note's kind in the order of notes.
func kindOf(line string) int {
	return slices.IndexFunc([]string{failedNote, RefusedNote, inapplicableNote, waitingNote},
		func(kind string) bool { return strings.HasPrefix(line, kind) })
}

// grouped puts cells of the same key together; keys and cells stay in their order.
func grouped(cells []*result.Result, key func(*result.Result) string) (keys []string,
	groups map[string][]*result.Result) {
	groups = map[string][]*result.Result{}
	for _, c := range cells {
		k := key(c)
		if groups[k] == nil {
			keys = append(keys, k)
		}
		groups[k] = append(groups[k], c)
	}
	return keys, groups
}
