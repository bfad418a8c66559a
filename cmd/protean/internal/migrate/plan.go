package migrate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// A Plan is a way to the same end that does no harm, proven like the change itself.
type Plan struct {
	Title string
	// Schema are the lines of the new schema that make the difference; it may be empty.
	Schema []string
	// Steps are in the order of the rollout.
	Steps []string
	// Proof says what was tried, in which forms, and what came of it.
	Proof string
}

// A planner makes plans for a change and proves them.
type planner struct {
	ctx           context.Context
	before, after *Side
	samples       Samples
	options       Options
	result        *Result
	order         Rollout
	graph         *graph // from old to new, in binary form
	causes        []cause
	plans         []Plan
}

// A cause is a field whose values suffer. One of the sides may not have it; in is the new
// message that it is in, or would be.
type cause struct {
	before, after protoreflect.FieldDescriptor
	in            protoreflect.MessageDescriptor
}

// Plans returns what is safe instead of a change that [Prove] found to do harm in the order of
// a rollout, each proven with the same samples and with own values. It may be nothing.
func Plans(
	ctx context.Context, before, after *Side, samples Samples, o Options, r *Result, order Rollout,
) ([]Plan, error) {
	if !r.Worst(order).Bad() {
		return nil, nil
	}
	p := &planner{ctx: ctx, before: before, after: after, samples: samples, options: o, result: r, order: order}
	p.graph = newGraph(before, after, Binary, OldToNew)
	p.findCauses()
	p.byOrder()
	if len(p.causes) == 0 {
		return p.plans, nil
	}
	for _, try := range []func() error{p.jsonName, p.beside, p.oneof, p.bytes, p.pairs, p.text} {
		if err := try(); err != nil {
			return nil, err
		}
	}
	return p.plans, nil
}

// maxCauses bounds the fields that plans are made for.
const maxCauses = 20

func (p *planner) findCauses() {
	for _, f := range p.result.Findings {
		if !f.Class.Bad() || !p.order.Has(f.Direction) || f.field == nil || !f.Changed || len(p.causes) == maxCauses {
			continue
		}
		if c, ok := p.causeOf(f.field, f.Direction); ok && !slices.Contains(p.causes, c) {
			p.causes = append(p.causes, c)
		}
	}
}

// causeOf finds the field of the other side, by number, or else by name.
func (p *planner) causeOf(fd protoreflect.FieldDescriptor, d Direction) (cause, bool) {
	for _, n := range p.graph.order {
		if d == OldToNew && n.a.FullName() == fd.ContainingMessage().FullName() {
			c := cause{before: fd, after: n.b.Fields().ByNumber(fd.Number()), in: n.b}
			if c.after == nil {
				c.after = n.b.Fields().ByName(fd.Name())
			}
			return c, true
		}
		if d == NewToOld && n.b.FullName() == fd.ContainingMessage().FullName() {
			c := cause{before: n.a.Fields().ByNumber(fd.Number()), after: fd, in: n.b}
			if c.before == nil {
				c.before = n.a.Fields().ByName(fd.Name())
			}
			return c, c.before != nil
		}
	}
	return cause{}, false
}

// renamed reports whether only the name differs.
func (c cause) renamed() bool {
	return c.after != nil && c.before.Number() == c.after.Number() && c.before.JSONName() != c.after.JSONName() &&
		!c.retyped()
}

// retyped reports whether the fields are of different types.
func (c cause) retyped() bool {
	a, b := c.before, c.after
	return reshapes(&link{a: a, b: b}) || a.Kind() != b.Kind() || typeName(a) != typeName(b) ||
		a.IsMap() && !sameEntries(a, b)
}

func sameEntries(a, b protoreflect.FieldDescriptor) bool {
	return a.MapKey().Kind() == b.MapKey().Kind() && a.MapValue().Kind() == b.MapValue().Kind() &&
		typeName(a.MapValue()) == typeName(b.MapValue())
}

func typeName(fd protoreflect.FieldDescriptor) protoreflect.FullName {
	switch {
	case fd.IsMap():
		return ""
	case fd.Message() != nil:
		return fd.Message().FullName()
	case fd.Enum() != nil:
		return fd.Enum().FullName()
	}
	return ""
}

// knownField reports whether a field of the old version holds one message of these well-known types.
func (c cause) knownField(names ...protoreflect.Name) bool {
	fd := c.before
	return isSingle(fd) && hasJSONForm(fd.Message()) && slices.Contains(names, fd.Message().Name())
}

// leavesKnown reports whether such a field is given up for another type.
func (c cause) leavesKnown(names ...protoreflect.Name) bool {
	return c.knownField(names...) && (c.after == nil || c.retyped())
}

// prove tries a candidate, in these forms, and returns the words of the proof; "" if it does
// harm or cannot be made.
func (p *planner) prove(c *candidate, o Options, orders ...Rollout) (string, error) {
	s := c.side()
	if s == nil {
		return "", nil
	}
	o.SamplesOnly = false
	r, err := Prove(p.ctx, p.before, s, Samples{Old: p.samples.Old}, o)
	if err != nil {
		return "", err
	}
	order := Both
	if len(orders) > 0 {
		order = orders[0]
	}
	if r.Worst(order).Bad() || r.Disagreements > 0 {
		return "", nil
	}
	var parts []string
	for _, d := range []Direction{OldToNew, NewToOld} {
		var forms []string
		for _, w := range o.wires() {
			forms = append(forms, w.String()+" "+r.WorstOf(d, w).Text())
		}
		if order.Has(d) {
			parts = append(parts, d.Text()+": "+strings.Join(forms, ", "))
		}
	}
	return fmt.Sprintf("%s (%s and own values; %s written and read)", strings.Join(parts, "; "),
		plural(len(p.samples.Old), "sample"), plural(r.Compared, "message")), nil
}

func (p *planner) add(plan Plan) {
	if plan.Proof != "" {
		p.plans = append(p.plans, plan)
	}
}

// byOrder says whether the change itself is safe in one order of the rollout.
func (p *planner) byOrder() {
	for _, o := range []Rollout{ReadersFirst, WritersFirst} {
		if o == p.order || p.result.Worst(o).Bad() {
			continue
		}
		first, then, d := "reader", "writer", OldToNew
		if o == WritersFirst {
			first, then, d = "writer", "reader", NewToOld
		}
		tried := "the run above"
		if p.options.SamplesOnly {
			tried += " (samples alone)"
		}
		plan := Plan{
			Title: fmt.Sprintf("the same change, %ss first", first),
			Steps: []string{
				fmt.Sprintf("give every %s the new schema", first),
				fmt.Sprintf(
					"only then give it to the first %s: what goes %s does no harm, what goes the other way does",
					then, d.Text()),
			},
			Proof: fmt.Sprintf("%s, %s: nothing is lost, altered or refused", tried, d.Text()),
		}
		if changed := p.inForm(d); changed != "" {
			plan.Steps[0] += "; its code must take what changes in form: " + changed
		}
		p.add(plan)
	}
}

// inForm lists the paths whose values change in form.
func (p *planner) inForm(d Direction) string {
	at := map[string]bool{}
	for _, f := range p.result.Findings {
		if f.Class == Form && f.Direction == d {
			at[f.path()] = true
		}
	}
	return paths(at)
}
