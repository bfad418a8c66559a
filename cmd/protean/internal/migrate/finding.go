package migrate

import (
	"cmp"
	"slices"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// A Result is what a change does.
type Result struct {
	Old, New string // the full names of the messages
	Wires    []Wire
	Samples  [2]int // how many of the old side's and of the new side's there were
	// Findings are what became of values, a row each for path, direction, form and class, the
	// worst of a path first.
	Findings []Finding
	// Unwritable counts samples, by form, that their own side cannot write in it, or not read back.
	Unwritable [2]int
	// Untried counts own values that were left out because there would be too many.
	Untried int
	// Deep counts samples that nest deeper than readers of other languages go, DeepSource is one.
	Deep       int
	DeepSource string
	// Compared counts documents that package dynamic read beside the official library,
	// Disagreements those that it read otherwise, and Disagreement is the first of them.
	Compared, Disagreements int
	Disagreement            string
}

// A Finding is what became of the values at one path.
type Finding struct {
	// Path is that of the value in the writer's schema, with [] for elements and entries;
	// "" is the message as a whole.
	Path      string
	Direction Direction
	Wire      Wire
	Class     Class
	// Changed reports whether the field, or its type, differs between the sides.
	Changed bool
	// Samples and Own count the values, of the samples and the package's own.
	Samples, Own int
	// Source, At, Wrote and Read are one of the values: where it came from, its exact path, and
	// what it was on both sides. Why says in words what happened; it may be empty.
	Source, At, Wrote, Read, Why string
	// Known is what readers of other languages are known to do otherwise. It was not tried.
	Known string

	field protoreflect.FieldDescriptor // the innermost of the writer's fields at the path, or nil
}

// Worst returns the worst class in the directions and forms of a rollout.
func (r *Result) Worst(order Rollout) Class {
	worst := Same
	for _, f := range r.Findings {
		if order.Has(f.Direction) {
			worst = max(worst, f.Class)
		}
	}
	return worst
}

// WorstOf returns the worst class in one direction and form.
func (r *Result) WorstOf(d Direction, w Wire) Class {
	worst := Same
	for _, f := range r.Findings {
		if f.Direction == d && f.Wire == w {
			worst = max(worst, f.Class)
		}
	}
	return worst
}

// An outcome is what became of one value.
type outcome struct {
	class       Class
	wrote, read string
	why         string
}

// absent stands for a value that is not there.
const absent = "–"

// A findingKey is what the values of one finding have in common.
type findingKey struct {
	path  string
	dir   Direction
	wire  Wire
	class Class
}

// A tally sums outcomes up. A finding keeps one value, so its size depends on the schemas and
// not on the data.
type tally struct {
	all   map[findingKey]*Finding
	order []*Finding
}

func newTally() *tally { return &tally{all: map[findingKey]*Finding{}} }

// maxFindings bounds the findings of a tally: messages of a recursive type may have any number
// of paths. What comes later is counted below otherPaths.
const maxFindings = 2000

const otherPaths = "…"

// A recorder adds the outcomes of one message to a tally.
type recorder struct {
	tally  *tally
	graph  *graph
	source string
	own    bool
	errors map[string]bool // the exact paths of errors, which are counted once a message
}

func (r *recorder) record(at *place, o outcome) {
	changed := r.graph.changes(at)
	if r.own && o.class == Same && !changed {
		return // an own value beside one that is tried says nothing
	}
	if o.class == Error {
		if r.errors[at.exact()] {
			return
		}
		if r.errors == nil {
			r.errors = map[string]bool{}
		}
		r.errors[at.exact()] = true
	}
	k := findingKey{at.generic(), r.graph.dir, r.graph.wire, o.class}
	f := r.tally.all[k]
	if f == nil && len(r.tally.order) >= maxFindings {
		k.path = otherPaths
		f = r.tally.all[k]
	}
	if f == nil {
		f = &Finding{Path: k.path, Direction: k.dir, Wire: k.wire, Class: k.class, Changed: changed,
			field: at.innermost()}
		r.tally.all[k] = f
		r.tally.order = append(r.tally.order, f)
	}
	// A value of the samples says more than one of our own.
	if f.Samples+f.Own == 0 || f.Samples == 0 && !r.own {
		f.Source, f.At, f.Wrote, f.Read, f.Why = r.source, at.exact(), o.wrote, o.read, o.why
		f.Known = knownElsewhere(k.wire, o)
	}
	if r.own {
		f.Own++
	} else {
		f.Samples++
	}
}

// findings returns the sums in the order in which the paths were met.
func (t *tally) findings() []Finding {
	first := map[string]int{}
	for i, f := range t.order {
		if _, ok := first[f.Path]; !ok {
			first[f.Path] = i
		}
	}
	slices.SortStableFunc(t.order, func(a, b *Finding) int {
		return cmp.Or(cmp.Compare(first[a.Path], first[b.Path]), cmp.Compare(a.Direction, b.Direction),
			cmp.Compare(a.Wire, b.Wire), cmp.Compare(b.Class, a.Class))
	})
	out := make([]Finding, len(t.order))
	for i, f := range t.order {
		out[i] = *f
	}
	return out
}

// missingRequired returns the place of the first required field that is not set.
func missingRequired(m protoreflect.Message, at *place) *place {
	nums := m.Descriptor().RequiredNumbers()
	for i := range nums.Len() {
		if fd := m.Descriptor().Fields().ByNumber(nums.Get(i)); !m.Has(fd) {
			return at.field(fd)
		}
	}
	var found *place
	eachMessage(m, at, func(sub protoreflect.Message, at *place) bool {
		found = missingRequired(sub, at)
		return found == nil
	})
	return found
}
