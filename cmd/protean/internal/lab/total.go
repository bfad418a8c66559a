package lab

import (
	"github.com/protean-pb/protean/cmd/protean/internal/result"
	"github.com/protean-pb/protean/cmd/protean/internal/runner"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

// totals returns marshal and unmarshal together, as an operation of its own: a cell for
// each variant that was timed in both. Its turns are the sums of theirs, round by round.
func (e *experiment) totals(p *payload) []result.Result {
	both := map[string]*cell{}
	g := stats.Group{Suite: e.Suite.Name, Payload: p.Name, Op: result.TotalOp}
	for _, v := range e.Variants {
		c := e.together(p, e.timed(p, v, variant.Marshal), e.timed(p, v, variant.Unmarshal))
		if c == nil {
			continue
		}
		both[v.Name] = c
		g.Cells = append(g.Cells, stats.Cell{Variant: v.Name, Turns: e.attributeGC(p, c.turns),
			Apart: string(e.apart(p, v, result.TotalOp))})
		if g.Baseline == "" || v.Name == e.Baseline {
			g.Baseline = v.Name
		}
	}
	return e.estimates(p, g, both)
}

// timed returns the cell if it has passed verification and has turns, else nil.
func (e *experiment) timed(p *payload, v *variant.Variant, op string) *cell {
	c := e.cells[stats.Key{Payload: p.Name, Variant: v.Name, Op: op}]
	if c == nil || c.Status != result.OK || len(c.turns) == 0 {
		return nil
	}
	return c
}

// together adds two cells up, round by round, with what their garbage cost; nil if they have no round in common. An
// operation is one of each.
func (e *experiment) together(p *payload, a, b *cell) *cell {
	if a == nil || b == nil {
		return nil
	}
	sum := &cell{judged: true}
	sum.Status = result.OK
	sum.BytesOp, sum.AllocsOp = a.BytesOp+b.BytesOp, a.AllocsOp+b.AllocsOp
	byRound := map[int]stats.Turn{}
	for _, t := range e.attributeGC(p, b.turns) {
		byRound[t.Round] = t
	}
	for _, t := range e.attributeGC(p, a.turns) {
		if u, ok := byRound[t.Round]; ok {
			t.Op = result.TotalOp
			// The prices of both come from the same collections, and may err alike.
			t.Ops, t.NS, t.Shared = min(t.Ops, u.Ops), t.NS+u.NS, t.Shared+u.Shared
			sum.turns = append(sum.turns, runner.Turn{Turn: t})
		}
	}
	if sum.turns == nil {
		return nil
	}
	return sum
}
