package report

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
)

// A document is what the formats for people show, without any layout: the table
// and the Markdown format differ only in how they lay it out.
type document struct {
	head     []string // about the machine and the command
	warnings []string
	sections []section
	losses   []string // "NAME, NAME: what they lose" of what the samples hold
	risks    []string // likewise, of what the samples do not hold
	legend   []entry
	summary  string
	// wordsLast says that a terminal shows the summary below all, and the head above.
	wordsLast bool
	short     bool   // a note is a line, and the legend a paragraph
	more      string // how to see more, where something is left out
}

// A section is one table with what stands above and below it.
type section struct {
	title, about string
	columns      []column
	rows         [][]cell // cells are in the order of columns
	notes        []string
	group        *group           // of whose payload the table is; nil for one of a whole run
	op           string           // the operation that it shows, if it is of one
	of           []*result.Result // the result that each row is of; empty where rows are of something else
	costs        []Cost           // that each row is of, in a table of costs
	missing      []*result.Result // those that have no figures; the notes tell of them
	breaks       []rowBreak
	short        []string // those of all tables of the payload, below the last, where they are lines
	under        []string // below the first cell of each row, in pictures
}

// A column says how its cells are to be shown.
type column struct {
	head string
	full string // head where there is room for it; empty if head will do
	left bool   // aligned to the left
	in   place
	drop int // where space is short, columns of the highest number go first; 0 never
}

// A place is where a column appears.
type place int

const (
	everywhere   place = iota
	terminalOnly       // bars
	roomy              // Markdown, and terminals of 100 columns
	markdownOnly
)

// A cell is one cell of a table.
type cell struct {
	text string
	full string // text where there is room for it; empty if text will do
	mark string // stays when text is cut short
	bar  bar    // draws the cell instead, where there is one
	tint tint
}

// An entry explains a mark or a column.
type entry struct {
	mark, text string
	in         place
	short      string // text where one line has to do for all; empty if the entry has none
	long       bool   // the table cannot be understood without the text
}

// A tint is what a cell may be coloured for.
type tint int

const (
	plain tint = iota
	faint
	faster
	slower
	bad
	famProto
	famJSON
	famJSONProto
	famJS
)

func familyTint(family string) tint {
	return map[string]tint{"proto": famProto, "json": famJSON, "jsonproto": famJSONProto, "js": famJS}[family]
}

// A group is the cells of one table.
type group struct {
	suite, payload, op string
	results            []*result.Result
}

// groups sorts the results into tables, in order of first appearance: payloads
// first, then operations.
func groups(r *Report) []*group {
	var (
		out      []*group
		byKey    = map[[3]string]*group{}
		payloads = map[[2]string]int{}
	)
	for i := range r.Results {
		c := &r.Results[i]
		key := [3]string{c.Suite, c.Payload, c.Op}
		if byKey[key] == nil {
			byKey[key] = &group{suite: c.Suite, payload: c.Payload, op: c.Op}
			out = append(out, byKey[key])
		}
		if _, ok := payloads[[2]string{c.Suite, c.Payload}]; !ok {
			payloads[[2]string{c.Suite, c.Payload}] = len(payloads)
		}
		byKey[key].results = append(byKey[key].results, c)
	}
	slices.SortStableFunc(out, func(a, b *group) int {
		return payloads[[2]string{a.suite, a.payload}] - payloads[[2]string{b.suite, b.payload}]
	})
	return out
}

// byPayload splits the groups into those of each payload.
func byPayload(all []*group) [][]*group {
	var out [][]*group
	for i, g := range all {
		if i == 0 || g.payload != all[i-1].payload || g.suite != all[i-1].suite {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], g)
	}
	return out
}

// title is "hidden-cost · medium · marshal".
func title(parts ...string) string {
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	return clean(strings.Join(parts, " · "))
}

// clean makes one line without control characters of s: reasons come from
// libraries, and names from files.
func clean(s string) string {
	printable := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
	return strings.Join(strings.Fields(printable), " ")
}

// newDocument lays out what r has to say.
func newDocument(r *Report) *document {
	d := &document{head: environment(r), summary: Summary(r)}
	for _, w := range r.Warnings {
		d.warnings = append(d.warnings, clean(w))
	}
	all := groups(r)
	scale := newScale(all)
	for _, payload := range byPayload(all) {
		general := generalNotes(payload)
		for _, g := range payload {
			if s := newSection(r, g, scale, general); len(s.rows)+len(s.notes) > 0 {
				d.sections = append(d.sections, s)
			}
		}
		if n := len(d.sections); n > 0 {
			last := &d.sections[n-1]
			last.notes = append(last.notes, general.lines()...)
			last.short = shortNotes(payload)
		}
		d.sections = append(d.sections, scripts(payload)...)
		d.sections = append(d.sections, costs(r, payload[0])...)
	}
	d.sections = append(d.sections, properties(byPayload(all))...)
	d.losses, d.risks = losses(r)
	d.legend = legend(r, d)
	return d
}

// shortDocument lays out what most want to know of r: the verdict, the tables, and a line for
// each variant without figures.
func shortDocument(r *Report, o Options) *document {
	d := newDocument(r)
	d.short, d.more, d.summary = true, o.More, Verdict(r)
	if !o.Properties {
		d.sections = slices.DeleteFunc(d.sections, section.isProperties)
	}
	d.legend = legend(r, d)
	return d
}

func newSection(r *Report, g *group, scale scale, general *notes) section {
	var s section
	switch {
	case g.op == result.SizeOp:
		s = sizes(r, g)
	case g.untimed():
		s = counts(g)
	default:
		s = timings(r, g, scale)
	}
	s.group, s.op = g, g.op
	own := &notes{told: general.told}
	for _, c := range g.results {
		if !general.covers(c) && !(g.untimed() && c.Counted()) {
			own.add(c)
		}
	}
	s.notes, s.missing = own.lines(), own.cells
	return s
}

func environment(r *Report) []string {
	e := r.Env
	measured := ""
	if e.Time > 0 {
		measured = digits(e.Time, max(2, wholeDigits(e.Time))) + " s measured"
	}
	version := ""
	if e.Protean != "" {
		version = "protean " + e.Protean
	}
	return slices.DeleteFunc([]string{
		machine(r),
		title(e.Date, measured, version, e.Command),
	}, func(s string) bool { return s == "" })
}

// machine is "AMD EPYC · linux/amd64 · go1.26.0 · GOMAXPROCS 1".
func machine(r *Report) string {
	e := r.Env
	gomaxprocs := ""
	if e.GOMAXPROCS > 0 {
		gomaxprocs = fmt.Sprintf("GOMAXPROCS %d", e.GOMAXPROCS)
	}
	return title(e.CPU, strings.Trim(e.GOOS+"/"+e.GOARCH, "/"), e.Go, gomaxprocs)
}

// How the lines on what variants lose begin: of what the samples hold, and of what others of
// the same schema may.
const (
	lossMark = "! loses data: "
	riskMark = "other samples may lose data: "
)

// losses lists the variants that lose what the samples of a payload hold, and those that may
// lose what others hold; those that lose the same are together.
func losses(r *Report) (lost, risked []string) {
	held, other := new(lossKinds), new(lossKinds)
	for i := range r.Results {
		held.add(&r.Results[i], r.Results[i].Losses())
	}
	for i := range r.Results {
		c := &r.Results[i]
		other.add(c, slices.DeleteFunc(c.Risks(),
			func(k string) bool { return slices.Contains(held.of[c.Variant], k) }))
	}
	return held.lines(), other.lines()
}

// lossKinds are the kinds of data that variants lose.
type lossKinds struct {
	variants []string // in order of first appearance
	of       map[string][]string
}

func (k *lossKinds) add(c *result.Result, what []string) {
	for _, w := range what {
		if k.of == nil {
			k.of = map[string][]string{}
		}
		if k.of[c.Variant] == nil {
			k.variants = append(k.variants, c.Variant)
		}
		if !slices.Contains(k.of[c.Variant], w) {
			k.of[c.Variant] = append(k.of[c.Variant], w)
		}
	}
}

// lines: "NAME, NAME: what they lose".
func (k *lossKinds) lines() []string {
	var out, order []string
	same := map[string][]string{}
	for _, v := range k.variants {
		what := strings.Join(k.of[v], ", ")
		if same[what] == nil {
			order = append(order, what)
		}
		same[what] = append(same[what], clean(v))
	}
	for _, what := range order {
		out = append(out, strings.Join(same[what], ", ")+": "+what)
	}
	return out
}
