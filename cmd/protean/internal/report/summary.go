package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
)

// The variants that the summary compares, where they are there.
const (
	valueName    = "google.protobuf.Value (proto)"
	concreteName = "Concrete (proto)"
	opaqueName   = "Protobuf + JSON"
)

// interruptedText begins a summary of a run that was interrupted.
const interruptedText = "The run was interrupted: "

// Summary says in words what r found: a paragraph a payload, with an empty line
// between. Every sentence is computed from cells that have figures; where there
// are none, there is no sentence.
func Summary(r *Report) string { return inWords(r, (*summary).paragraph) }

// inWords says of each payload what say does, if it says anything.
func inWords(r *Report, say func(*summary) string) string {
	var out []string
	if r.Interrupted {
		out = append(out, interruptedText+"what follows rests on what was measured until then.")
	}
	for _, payload := range byPayload(groups(r)) {
		s := &summary{report: r, payload: payload}
		if text := say(s); text != "" {
			out = append(out, clean(payload[0].payload)+": "+text)
		}
	}
	if len(out) == 0 || len(out) == 1 && r.Interrupted {
		out = append(out, "Nothing was measured.")
	}
	return strings.Join(out, "\n\n")
}

// A summary is of one payload.
type summary struct {
	report  *Report
	payload []*group
}

func (s *summary) paragraph() string {
	return sentences(s.fastest(), s.smallest(), s.valueCosts(), s.opaque(), s.scripted(), s.lossless(), s.native(),
		s.failed(), s.refused(), s.lossy(), s.unsure(), s.untimed())
}

// mainOps are marshal and unmarshal; or whatever was timed, if neither was.
func (s *summary) mainOps() []string {
	var main, other []string
	for _, g := range s.payload {
		switch {
		case len(s.timed(g.op)) == 0:
		case g.op == "marshal", g.op == "unmarshal":
			main = append(main, g.op)
		default:
			other = append(other, g.op)
		}
	}
	if len(main) > 0 {
		return main
	}
	return other
}

// cells returns the measured cells of an operation in the order of the results.
func (s *summary) cells(op string) []*result.Result {
	for _, g := range s.payload {
		if g.op == op {
			return slices.DeleteFunc(slices.Clone(g.results), func(c *result.Result) bool { return !c.Measured() })
		}
	}
	return nil
}

// timed returns the cells of an operation that are ranked together, the fastest first.
func (s *summary) timed(op string) []*result.Result {
	if op == result.SizeOp {
		return nil
	}
	out := ranked(s.cells(op))
	slices.SortStableFunc(out, func(a, b *result.Result) int {
		return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.NS.Median, b.NS.Median))
	})
	return out
}

// cell returns the measured cell of a variant, or nil.
func (s *summary) cell(op, variant string) *result.Result {
	for _, c := range s.cells(op) {
		if c.Variant == variant {
			return c
		}
	}
	return nil
}

// relation returns how long a takes as a multiple of b: the paired ratio where
// there is one, else bounds that hold whatever the two times have in common.
func relation(a, b *result.Result) stats.Interval {
	switch {
	case a.Baseline == b.Variant && a.Ratio.Median > 0:
		return a.Ratio
	case b.Baseline == a.Variant && b.Ratio.Median > 0:
		return stats.Interval{Median: 1 / b.Ratio.Median, Low: 1 / b.Ratio.High, High: 1 / b.Ratio.Low}
	}
	if paired := stats.Ratio(a.Turns, b.Turns); paired.Known() {
		return paired
	}
	return stats.Interval{Median: a.NS.Median / b.NS.Median, Low: a.NS.Low / b.NS.High, High: a.NS.High / b.NS.Low}
}

// side says whether a ratio is below (-1), above (+1) or not to be told from 1 (0),
// by the rule of [stats.Estimate].
func (s *summary) side(i stats.Interval) int {
	margin := s.report.Env.Precision / 2
	switch {
	case i.High < 1-margin:
		return -1
	case i.Low > 1+margin:
		return 1
	default:
		return 0
	}
}

// winners returns the first of the cells and those that tie with it.
func (s *summary) winners(cells []*result.Result) []*result.Result {
	return slices.DeleteFunc(slices.Clone(cells), func(c *result.Result) bool {
		return c != cells[0] && (c.Rank != cells[0].Rank || s.side(relation(c, cells[0])) > 0)
	})
}

// fastest names who is fastest in each operation; operations with the same
// winners share a sentence.
func (s *summary) fastest() string {
	var (
		out   []string
		heads []string
		tails = map[string][]string{}
	)
	for _, op := range s.mainOps() {
		head, tail := s.fastestTo(op)
		if tails[head] == nil {
			heads = append(heads, head)
		}
		tails[head] = append(tails[head], tail)
	}
	for _, head := range heads {
		out = append(out, head+" "+join(tails[head])+".")
	}
	return strings.Join(out, " ")
}

// fastestTo: "A is the fastest", "to marshal (123 ns, 2.85 times as fast as B)".
func (s *summary) fastestTo(op string) (head, tail string) {
	cells := s.timed(op)
	first, time := cells[0], duration(cells[0].NS.Median, " ")
	if len(cells) == 1 {
		return clean(first.Variant) + " takes", time + " to " + opPhrase(op)
	}
	best := s.winners(cells)
	head = fmt.Sprintf("%s %s the fastest", names(best), isAre(len(best)))
	if len(best) > 1 {
		head = fmt.Sprintf("%s cannot be told apart and are the fastest", names(best))
	}
	base := s.cell(op, first.Baseline)
	if first.Ratio.Median > 0 && base != nil && !slices.Contains(best, base) {
		time += fmt.Sprintf(", %s times as fast as %s", multiple(1/first.Ratio.Median), clean(first.Baseline))
	}
	return head, fmt.Sprintf("to %s (%s)", opPhrase(op), time)
}

// smallest: "A and B are the smallest on the wire: 162 B, 55.7 % of Concrete (JSON)."
func (s *summary) smallest() string {
	cells := s.cells(result.SizeOp)
	if len(cells) == 0 {
		return ""
	}
	least := slices.MinFunc(cells, func(a, b *result.Result) int { return cmp.Compare(a.WireBytes, b.WireBytes) })
	if len(cells) == 1 {
		return fmt.Sprintf("%s takes %s B on the wire.", clean(least.Variant), exact(least.WireBytes))
	}
	best := slices.DeleteFunc(slices.Clone(cells),
		func(c *result.Result) bool { return c.WireBytes != least.WireBytes })
	text := fmt.Sprintf("%s %s the smallest on the wire: %s B", names(best), isAre(len(best)), exact(least.WireBytes))
	if json := reference(cells); json != nil && !slices.Contains(best, json) {
		text += ", " + shareOf(least, json) + " of " + clean(json.Variant)
	}
	return text + "."
}

// valueCosts compares Value with the static message and with plain JSON.
func (s *summary) valueCosts() string {
	var out []string
	for _, other := range []string{concreteName, jsonName} {
		times, _ := s.times(valueName, other)
		parts := append(times, s.bytes(valueName, other)...)
		if other == concreteName {
			parts = append(parts, s.allocs(valueName, other)...)
		}
		if len(parts) > 0 {
			out = append(out, fmt.Sprintf("Against %s, %s takes %s.", other, valueName, join(parts)))
		}
	}
	return strings.Join(out, " ")
}

// opaque says whether JSON text in a string does better than Value.
func (s *summary) opaque() string {
	times, sides := s.times(opaqueName, valueName)
	parts := append(times, s.bytes(opaqueName, valueName)...)
	if len(parts) == 0 {
		return ""
	}
	won, lost := slices.Contains(sides, -1), slices.Contains(sides, 1)
	verdict := ""
	switch {
	case len(sides) == 0: // no time is known well enough to judge
		return fmt.Sprintf("Against %s, JSON text in a string (%s) takes %s.", valueName, opaqueName, join(parts))
	case won && lost:
		verdict = "beats %s in part only"
	case won:
		verdict = "beats %s"
	case lost:
		verdict = "does not beat %s"
	default:
		verdict = "is as fast as %s"
	}
	return fmt.Sprintf("JSON text in a string (%s) "+verdict+": it takes %s.", opaqueName, valueName, join(parts))
}

// times says what time a takes against b to marshal and to unmarshal, and on which
// side of b those times are that are known.
func (s *summary) times(a, b string) (text []string, sides []int) {
	for _, op := range []string{"marshal", "unmarshal"} {
		x, y := s.cell(op, a), s.cell(op, b)
		if x == nil || y == nil {
			continue
		}
		ratio := relation(x, y)
		if ratio.Known() {
			sides = append(sides, s.side(ratio))
		}
		text = append(text, s.theTime(ratio)+" to "+op)
	}
	return text, sides
}

// theTime: "13.7 times the time", "23 % of the time", "the same time" where the two
// cannot be told apart.
func (s *summary) theTime(i stats.Interval) string {
	text := multiple(i.Median) + " times the time"
	switch {
	case i.Known() && s.side(i) == 0:
		return "the same time"
	case i.Median < 1:
		text = percent(i.Median) + " of the time"
	}
	if !i.Known() {
		return "about " + text
	}
	return text
}

// bytes says how large a is against b.
func (s *summary) bytes(a, b string) []string {
	x, y := s.cell(result.SizeOp, a), s.cell(result.SizeOp, b)
	switch {
	case x == nil || y == nil || y.WireBytes == 0:
		return nil
	case x.WireBytes == y.WireBytes:
		return []string{"as many bytes"}
	default:
		return []string{shareOf(x, y) + " of the bytes"}
	}
}

// allocs says how often a allocates against b.
func (s *summary) allocs(a, b string) []string {
	var out []string
	for _, op := range []string{"marshal", "unmarshal"} {
		x, y := s.cell(op, a), s.cell(op, b)
		if x != nil && y != nil {
			out = append(out, allocations(x.AllocsOp, y.AllocsOp, len(out) == 0)+" to "+op)
		}
	}
	return out
}

// scripted compares a script with what does the same in Go.
func (s *summary) scripted() string {
	var parts []string
	for _, op := range []string{"create", "set+get", "marshal", "unmarshal"} {
		if x, y := s.cell(op, scriptName), s.cell(op, nativeName); x != nil && y != nil {
			parts = append(parts, s.theTime(relation(x, y))+" to "+opPhrase(op))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("Against %s, %s takes %s.", nativeName, scriptName, join(parts))
}

// lossless names the fastest among those that lose nothing, where some do.
func (s *summary) lossless() string {
	var parts []string
	same, any := true, false
	for _, op := range s.mainOps() {
		all := s.timed(op)
		safe := slices.DeleteFunc(slices.Clone(all), func(c *result.Result) bool {
			return c.Properties == (result.Properties{}) || c.Lossy()
		})
		any = any || slices.ContainsFunc(all, func(c *result.Result) bool { return c.Lossy() })
		if len(safe) == 0 {
			same = false
			continue
		}
		best := s.winners(safe)
		same = same && slices.Equal(best, s.winners(all))
		parts = append(parts, fmt.Sprintf("%s %s the fastest to %s", names(best), isAre(len(best)), opPhrase(op)))
	}
	switch {
	case !any || len(parts) == 0:
		return ""
	case same:
		return "None of the fastest loses data."
	default:
		return "Of those that lose no data, " + strings.Join(parts, "; ") + "."
	}
}

// native is the cost of getting from native data to messages and back.
func (s *summary) native() string {
	construct, convert := s.nativeCell("construct"), s.nativeCell("convert")
	cost := func(c *result.Result) string {
		return duration(c.NS.Median, " ") + " and " + amountOf(c.AllocsOp, "allocation")
	}
	switch {
	case construct != nil && convert != nil && construct.Variant == convert.Variant:
		return fmt.Sprintf("To build %s from native data costs %s%s; to convert it back, %s.",
			clean(construct.Variant), s.another(construct), cost(construct), cost(convert))
	case construct != nil:
		return fmt.Sprintf("To build %s from native data costs %s%s.", clean(construct.Variant), s.another(construct),
			cost(construct))
	case convert != nil:
		return fmt.Sprintf("To convert %s to native data costs %s%s.", clean(convert.Variant), s.another(convert),
			cost(convert))
	}
	return ""
}

// another is "another " if the variant of c has a time that its cost adds to.
func (s *summary) another(c *result.Result) string {
	for _, op := range s.mainOps() {
		if s.cell(op, c.Variant) != nil {
			return "another "
		}
	}
	return ""
}

// nativeCell prefers Value; without it, the first variant there is.
func (s *summary) nativeCell(op string) *result.Result {
	if slices.Contains(s.mainOps(), op) {
		return nil // told already
	}
	if c := s.cell(op, valueName); c != nil {
		return c
	}
	if cells := s.cells(op); len(cells) > 0 {
		return cells[0]
	}
	return nil
}

func (s *summary) failed() string {
	failed := s.variants(func(c *result.Result) bool { return c.Status == result.Failed })
	if len(failed) == 0 {
		return ""
	}
	return fmt.Sprintf("%s failed: %s.", plural(len(failed), "variant"), names(failed))
}

func (s *summary) refused() string {
	refused := s.variants(func(c *result.Result) bool { return c.Refused })
	if len(refused) == 0 {
		return ""
	}
	return fmt.Sprintf("%s cannot represent the data: %s.", plural(len(refused), "variant"), names(refused))
}

func (s *summary) lossy() string {
	lossy := s.variants(func(c *result.Result) bool { return c.Lossy() })
	switch len(lossy) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("1 variant loses data: %s (%s).", names(lossy), strings.Join(lossy[0].Losses(), ", "))
	default:
		return fmt.Sprintf("%d variants lose data: %s.", len(lossy), names(lossy))
	}
}

// unsure says how many ratios are not known to the wanted precision.
func (s *summary) unsure() string {
	unsure, all := 0, 0
	for _, g := range s.payload {
		for _, c := range s.timed(g.op) {
			all++
			if !c.Converged {
				unsure++
			}
		}
	}
	precision := wanted(s.report.Env.Precision)
	switch {
	case unsure == 0:
		return ""
	case all == 1:
		return "The time is not known to the wanted precision" + precision + "."
	default:
		return fmt.Sprintf("%d of the %d times %s not known to the wanted precision%s.", unsure, all, isAre(unsure),
			precision)
	}
}

// untimed says that there are counts in place of times.
func (s *summary) untimed() string {
	if !slices.ContainsFunc(s.payload, (*group).untimed) || s.report.Interrupted {
		return ""
	}
	return "Allocations were counted; nothing was timed."
}

// variants returns a cell of each variant that has one of that kind.
func (s *summary) variants(is func(*result.Result) bool) []*result.Result {
	var out []*result.Result
	for _, g := range s.payload {
		for _, c := range g.results {
			if is(c) && !slices.ContainsFunc(out, func(o *result.Result) bool { return o.Variant == c.Variant }) {
				out = append(out, c)
			}
		}
	}
	return out
}
