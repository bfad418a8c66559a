package report

import (
	"slices"
	"strings"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
)

// The variants of the suite script that its own tables are about.
const (
	scriptName      = "gojapb (goja)"
	nativeName      = "dynamicpb (Go)"
	generatedName   = "generated (Go)"
	nativeOwnName   = "dynamic (Go, protean)"
	plainObjectName = "plain object (goja)"
	goCallsName     = "Go calls (goja)"
	protobufjsName  = "protobufjs (goja)"
	protobufESName  = "protobuf-es (goja)"
)

// scripts builds the tables about what is done in scripts, where that was measured.
func scripts(payload []*group) []section {
	s := &script{payload}
	return slices.DeleteFunc([]section{s.overhead(), s.components(), s.thousand()},
		func(x section) bool { return len(x.rows) == 0 })
}

// A script is what was measured of scripts on one payload.
type script struct{ payload []*group }

// cell returns the cell of a variant among those of a group that have a time, or nil.
func (g *group) cell(variant string) *result.Result {
	i := slices.IndexFunc(g.results, func(c *result.Result) bool { return c.Variant == variant && c.Timed() })
	if i < 0 {
		return nil
	}
	return g.results[i]
}

// A rival is what a script's times are set beside.
type rival struct {
	head, full string
	names      []string // the first that has the operation counts
}

var rivals = []rival{
	{"dynpb", "of dynamicpb in Go", []string{nativeName}},
	{"gen", "of generated code in Go", []string{generatedName}},
	{"dyn", "of Protean in Go", []string{nativeOwnName}},
	{"floor", "of the floor", []string{goCallsName, plainObjectName}},
	{"pbjs", "of protobufjs", []string{protobufjsName}},
	{"pb-es", "of Protobuf-ES", []string{protobufESName}},
}

// of returns the rival's cell, or nil. The floor is the constructor in Go where messages are
// created, and a plain object elsewhere.
func (r rival) of(g *group) *result.Result {
	names := r.names
	if r.head == "floor" && g.op != "create" {
		names = names[1:]
	}
	for _, name := range names {
		if c := g.cell(name); c != nil {
			return c
		}
	}
	return nil
}

// overhead sets the times of a script beside those of others.
func (s *script) overhead() section {
	out := section{
		title: s.title("overhead"),
		about: "the time of " + scriptName + ", and as a multiple of others'",
		columns: []column{
			{head: "operation", full: "Operation", left: true},
			{head: "time", full: "Time/op"},
		},
	}
	for i, r := range rivals {
		out.columns = append(out.columns, column{head: r.head, full: r.full, drop: i})
	}
	out.columns = append(out.columns, column{head: "allocs", full: "Allocs/op"},
		column{head: "in Go", full: "in Go (dynamicpb)"})
	for _, g := range s.payload {
		if c := g.cell(scriptName); c != nil {
			out.rows = append(out.rows, overheadRow(g, c))
		}
	}
	return out
}

func overheadRow(g *group, c *result.Result) []cell {
	row := []cell{{text: clean(g.op)}, {text: duration(c.NS.Median, ""), full: duration(c.NS.Median, " ")}}
	for _, r := range rivals {
		one := cell{}
		if other := r.of(g); other != nil {
			x := relation(c, other).Median
			one = cell{text: ratio(x), tint: slower}
			if x < 1 {
				one.tint = faster
			}
		}
		row = append(row, one)
	}
	native := cell{}
	if other := g.cell(nativeName); other != nil {
		native.text = count(other.AllocsOp)
	}
	return append(row, cell{text: count(c.AllocsOp)}, native)
}

// components says who makes the allocations.
func (s *script) components() section {
	out := section{
		title: s.title("allocations by component"),
		about: "of " + scriptName + ", by the code that asks for the memory, from a heap profile that records all; " +
			"what is so small that it shares a block with others counts in the total alone",
		columns: []column{
			{head: "operation", full: "Operation", left: true},
			{head: "total", full: "Total"},
		},
	}
	for _, name := range result.ComponentNames {
		out.columns = append(out.columns, column{head: name})
	}
	for _, name := range result.ComponentNames {
		out.columns = append(out.columns, column{head: name + " B", full: name + ", bytes", in: roomy, drop: 1})
	}
	known := false
	for _, g := range s.payload {
		i := slices.IndexFunc(g.results,
			func(c *result.Result) bool { return c.Variant == scriptName && c.Status == result.OK })
		if i >= 0 {
			known = known || g.results[i].Components != nil
			out.rows = append(out.rows, componentRow(g.results[i]))
		}
	}
	if !known {
		out.rows = nil
	}
	return out
}

func componentRow(c *result.Result) []cell {
	figures := make([]cell, 2*len(result.ComponentNames))
	for i, name := range result.ComponentNames {
		x := c.Components.Of(name)
		figures[i] = cell{text: tenths(x.AllocsOp)}
		figures[len(result.ComponentNames)+i] = cell{text: tenths(x.BytesOp)}
	}
	total := cell{text: tenths(c.AllocsOp)}
	if c.AllocsOp == 0 {
		total.text = "0"
	}
	return append([]cell{{text: clean(c.Op)}, total}, figures...)
}

// tenths writes a mean of counts with one decimal where it has one; nothing for none.
func tenths(x float64) string {
	if x == 0 {
		return ""
	}
	return strings.TrimSuffix(digits(x, wholeDigits(x)+1), ".0")
}

// thousand says what a thousand operations take, in milliseconds.
func (s *script) thousand() section {
	columns := []struct{ name, head string }{
		{scriptName, "gojapb"}, {nativeName, "dynamicpb"}, {generatedName, "generated"}, {nativeOwnName, "dynamic"},
	}
	out := section{
		title:   s.title("a thousand messages"),
		about:   "in milliseconds: " + scriptName + ", and the same in Go",
		columns: []column{{head: "1,000", full: "1,000 messages", left: true}},
	}
	for _, c := range columns {
		out.columns = append(out.columns, column{head: c.head, full: c.name})
	}
	for _, done := range []struct{ op, text string }{
		{"create", "created"}, {"set+get", "fields set and read"}, {"marshal", "encoded"}, {"unmarshal", "decoded"},
	} {
		i := slices.IndexFunc(s.payload, func(g *group) bool { return g.op == done.op })
		if i < 0 || s.payload[i].cell(scriptName) == nil {
			continue
		}
		row := []cell{{text: done.text}}
		for _, c := range columns {
			one := cell{}
			if found := s.payload[i].cell(c.name); found != nil {
				one.text = digits(found.NS.Median*1000/1e6, 3)
			}
			row = append(row, one)
		}
		out.rows = append(out.rows, row)
	}
	return out
}

func (s *script) title(what string) string {
	return title(s.payload[0].suite, s.payload[0].payload, what)
}
