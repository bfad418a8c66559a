package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
)

// An htmlPage is what the template of the HTML report is filled with.
type htmlPage struct {
	Title       string
	About       string
	Interrupted bool
	Headlines   []headlineSet
	Summary     []paragraph
	Warnings    []string
	Filters     []filter
	Blocks      []*htmlBlock
	Contents    []*htmlBlock // the blocks, where there are enough tables to look for one
	Losses      []string
	Legend      []fact
	Variants    []htmlVariant
	Env         []fact
	Command     string
	data        htmlData // for the script
}

// A paragraph of the summary begins with its payload, if it is about one.
type paragraph struct{ Payload, Text string }

// A fact is a name and what is to be said of it.
type fact struct{ Name, Text string }

// A filter is a row of buttons, each of which lets through one value.
type filter struct {
	Key, Name string
	Values    []choice
}

type choice struct{ Value, Label, Class, Title string }

// An htmlVariant is a variant in the list at the end of the page.
type htmlVariant struct {
	result.Variant
	Index  int
	Badges []badge
	Lossy  bool
}

// A badge is a property that people should know before they choose a variant.
type badge struct{ Name, Title string }

// An htmlBlock is all that belongs to one payload, or, without a Payload, to the run.
type htmlBlock struct {
	ID, Title, Payload string
	Tradeoffs          []int // charts of size against time
	Sections           []*htmlSection
	Missing            []missed // in every operation
}

// An htmlSection is one table and its chart.
type htmlSection struct {
	ID, Title, Op, About string
	Chart                int // its number; -1 for none
	Caption              string
	Head                 []htmlCell
	Rows                 []htmlRow
	Notes                []string
	Missing              []missed
}

type htmlRow struct {
	Heading string // above the row, where rows begin that are ranked apart
	Variant int    // its index; -1 if the row is of none
	Lossy   bool
	Cells   []htmlCell
}

// An htmlCell is a cell of a table; the one that names the variant has its badges.
type htmlCell struct {
	Text   string
	Left   bool
	Name   bool
	Family string
	Badges []badge
}

// A missed is a cell without figures.
type missed struct {
	Variant      int
	Lossy        bool
	Name, Status string
	Failed       bool
	Reason       string
}

// enoughToLook is how many tables a page has before it lists them.
const enoughToLook = 4

func newHTMLPage(r *Report) *htmlPage {
	d := newDocument(r)
	p := &htmlPage{
		Title: title(r.Suite), Interrupted: r.Interrupted, Warnings: d.warnings, Losses: d.losses,
		Env: environmentFacts(r), Command: clean(r.Env.Command),
	}
	p.listVariants(r)
	p.About = "What " + plural(len(p.Variants), "way") + " of serializing cost in time, bytes and allocations"
	p.Headlines = headlineSets(r)
	p.Summary = paragraphs(r, d.summary)
	all := groups(r)
	for _, s := range d.sections {
		p.addSection(&s, all)
	}
	if len(d.sections) >= enoughToLook {
		p.Contents = p.Blocks
	}
	for _, e := range d.legend {
		if e.in != terminalOnly {
			p.Legend = append(p.Legend, fact{strings.TrimSuffix(e.mark, ":"), e.text})
		}
	}
	p.Filters = p.filters(all)
	return p
}

// paragraphs splits the summary.
func paragraphs(r *Report, summary string) []paragraph {
	var out []paragraph
	for _, text := range strings.Split(summary, "\n\n") {
		name, rest, found := strings.Cut(text, ": ")
		of := slices.IndexFunc(r.Results, func(c result.Result) bool { return clean(c.Payload) == name })
		if found && of >= 0 {
			out = append(out, paragraph{r.Results[of].Payload, rest})
		} else {
			out = append(out, paragraph{Text: text})
		}
	}
	return out
}

// listVariants lists the variants, those too that only the results know.
func (p *htmlPage) listVariants(r *Report) {
	for _, v := range r.Variants {
		p.addVariant(v)
	}
	for i := range r.Results {
		c := &r.Results[i]
		if p.index(c.Variant) < 0 {
			p.addVariant(result.Variant{Name: c.Variant, Family: c.Family})
		}
		v := &p.Variants[p.index(c.Variant)]
		for _, b := range badges(c) {
			if !slices.ContainsFunc(v.Badges, func(o badge) bool { return o.Name == b.Name }) {
				v.Badges = append(v.Badges, b)
			}
		}
		v.Lossy = v.Lossy || c.Lossy()
	}
}

func (p *htmlPage) addVariant(v result.Variant) {
	p.Variants = append(p.Variants, htmlVariant{Variant: v, Index: len(p.Variants)})
	p.data.Variants = append(p.data.Variants, chartVariant{clean(v.Name), v.Family, v.Library})
}

func (p *htmlPage) index(name string) int {
	return slices.IndexFunc(p.Variants, func(v htmlVariant) bool { return v.Name == name })
}

func badges(c *result.Result) []badge {
	var out []badge
	if losses := c.Losses(); len(losses) > 0 {
		out = append(out, badge{"lossy", "silently loses data: " + strings.Join(losses, ", ")})
	}
	if c.Properties.Input == "aliased" {
		out = append(out, badge{"aliasing", "what it reads keeps pointing into the input"})
	}
	if c.Properties.Memory == "reused" {
		out = append(out, badge{"reusing", "a result is valid until the next call, which uses its memory again"})
	}
	return out
}

// addSection adds a table of the document to the block it belongs to.
func (p *htmlPage) addSection(s *section, all []*group) {
	b := p.block(s, all)
	out := &htmlSection{
		ID: fmt.Sprintf("%s-%d", b.ID, len(b.Sections)+1), Op: s.op, About: s.about, Chart: -1,
		Title: strings.TrimPrefix(s.title, b.Title+" · "),
	}
	switch {
	case s.op != "":
		out.Missing = p.missing(s.missing)
		out.Chart, out.Caption = p.addChart(s)
	default:
		out.Notes = s.notes
		out.Chart, out.Caption = p.addCostChart(s, out.Title)
	}
	p.fillTable(out, s)
	b.Sections = append(b.Sections, out)
}

// block returns the block of a section, which is the last one or a new one.
func (p *htmlPage) block(s *section, all []*group) *htmlBlock {
	fresh := &htmlBlock{ID: fmt.Sprintf("part-%d", len(p.Blocks)+1)}
	if s.group != nil {
		fresh.Payload = s.group.payload
		fresh.Title = title(s.group.suite, s.group.payload)
	}
	if n := len(p.Blocks); n > 0 && p.Blocks[n-1].Title == fresh.Title {
		return p.Blocks[n-1]
	}
	if s.group != nil {
		own := slices.DeleteFunc(slices.Clone(all), func(g *group) bool {
			return g.payload != s.group.payload || g.suite != s.group.suite
		})
		fresh.Tradeoffs = p.addTradeoffs(own)
		fresh.Missing = p.missing(generalNotes(own).cells)
	}
	p.Blocks = append(p.Blocks, fresh)
	return fresh
}

func (p *htmlPage) missing(cells []*result.Result) []missed {
	var out []missed
	for _, c := range cells {
		m := missed{Variant: p.index(c.Variant), Lossy: c.Lossy(), Name: clean(c.Variant),
			Status: strings.ReplaceAll(string(c.Status), "-", " "), Failed: c.Status == result.Failed,
			Reason: clean(c.Reason)}
		switch {
		case c.Status == result.OK:
			m.Status = "not measured"
		case c.Refused:
			m.Status = RefusedNote
		}
		out = append(out, m)
	}
	return out
}

// fillTable lays the rows out as the Markdown format does.
func (p *htmlPage) fillTable(out *htmlSection, s *section) {
	shown := s.shownInDocuments()
	for _, i := range shown {
		c := s.columns[i]
		out.Head = append(out.Head, htmlCell{Text: strings.TrimSpace(either(c.full, c.head)), Left: c.left})
	}
	for at, row := range s.rows {
		out.Rows = append(out.Rows, p.newRow(s, shown, at, row))
	}
}

// newRow marks a row with its variant, so that filters can find it.
func (p *htmlPage) newRow(s *section, shown []int, at int, row []cell) htmlRow {
	out := htmlRow{Variant: -1, Heading: s.headingAt(at)}
	var family string
	var found []badge
	if at < len(s.of) {
		c := s.of[at]
		out.Variant, out.Lossy, family, found = p.index(c.Variant), c.Lossy(), c.Family, badges(c)
	}
	for _, i := range shown {
		c := htmlCell{Text: strings.TrimSpace(either(row[i].full, row[i].text)), Left: s.columns[i].left}
		if c.Name = s.columns[i].head == "variant"; c.Name {
			if v := p.named(c.Text); out.Variant < 0 && v != nil {
				out.Variant, out.Lossy, family, found = v.Index, v.Lossy, v.Family, v.Badges
			}
			c.Family, c.Badges = familyClass(family), found
		}
		out.Cells = append(out.Cells, c)
	}
	return out
}

// named returns the variant that tables show by that name, or nil.
func (p *htmlPage) named(name string) *htmlVariant {
	for i := range p.Variants {
		if clean(p.Variants[i].Name) == name {
			return &p.Variants[i]
		}
	}
	return nil
}

// familyClass keeps families that are not known from being a class.
func familyClass(family string) string {
	if familyTint(family) == plain {
		return "other"
	}
	return family
}

// filters offers what the results have more than one of.
func (p *htmlPage) filters(all []*group) []filter {
	out := []filter{{Key: "payload", Name: "Payload"}, {Key: "op", Name: "Operation"}, {Key: "family", Name: "Family"},
		{Key: "lib", Name: "Library"}}
	for _, g := range all {
		out[0].add(choice{Value: g.payload, Label: clean(g.payload)})
		out[1].add(choice{Value: g.op, Label: clean(g.op)})
	}
	short := shortLibraries(p.Variants)
	for _, v := range p.Variants {
		out[2].add(choice{Value: v.Family, Label: clean(v.Family), Class: familyClass(v.Family)})
		out[3].add(choice{Value: v.Library, Label: clean(short[v.Library]), Title: clean(v.Library)})
	}
	return slices.DeleteFunc(out, func(f filter) bool { return len(f.Values) < 2 })
}

func (f *filter) add(c choice) {
	if c.Value != "" && !slices.Contains(f.Values, c) {
		f.Values = append(f.Values, c)
	}
}

// shortLibraries returns short names of the libraries, by their import paths: the last element without a major
// version, with so many before it as tell it from the others.
func shortLibraries(variants []htmlVariant) map[string]string {
	var paths []string
	for _, v := range variants {
		if !slices.Contains(paths, v.Library) {
			paths = append(paths, v.Library)
		}
	}
	out := map[string]string{}
	for _, path := range paths {
		for n := 1; ; n++ {
			out[path] = lastElements(path, n)
			alike := func(o string) bool { return o != path && lastElements(o, n) == out[path] }
			if out[path] == path || !slices.ContainsFunc(paths, alike) {
				break
			}
		}
	}
	return out
}

// lastElements returns the last n elements of an import path, without a major version at its end; all of it if
// it has no more.
func lastElements(path string, n int) string {
	parts := strings.Split(path, "/")
	kept := parts
	if last := parts[len(parts)-1]; len(parts) > 1 && len(last) > 1 && last[0] == 'v' &&
		strings.Trim(last[1:], "0123456789") == "" {
		kept = parts[:len(parts)-1]
	}
	if n >= len(kept) {
		return path
	}
	return strings.Join(kept[len(kept)-n:], "/")
}

func environmentFacts(r *Report) []fact {
	e := r.Env
	out := []fact{
		{"Date", clean(e.Date)},
		{"Processor", clean(e.CPU)},
		{"Platform", strings.Trim(e.GOOS+"/"+e.GOARCH, "/")},
		{"Go", clean(e.Go)},
		{"Protean", clean(e.Protean)},
		{"Baseline", clean(r.Baseline)},
	}
	if e.GOMAXPROCS > 0 {
		out = append(out, fact{"GOMAXPROCS", fmt.Sprint(e.GOMAXPROCS)})
	}
	if e.Precision > 0 {
		out = append(out, fact{"Wanted precision", "±" + percent(e.Precision)})
	}
	if e.Time > 0 {
		out = append(out, fact{"Measured", digits(e.Time, max(2, wholeDigits(e.Time))) + " s"})
	}
	return slices.DeleteFunc(out, func(f fact) bool { return f.Text == "" })
}
