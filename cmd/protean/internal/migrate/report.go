package migrate

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/protean-pb/protean/cmd/protean/internal/report"
)

// A Report is a result and what is safe instead, as they are shown.
type Report struct {
	*Result
	Order Rollout
	Plans []Plan
}

// Failed reports whether something is lost, altered or refused in the order of the rollout.
func (r *Report) Failed() bool { return r.Worst(r.Order).Bad() }

// Write renders the report; the formats are [report.Table], [report.Markdown] and [report.JSON].
func (r *Report) Write(w io.Writer, f report.Format, o report.Options) error {
	switch f {
	case report.JSON:
		return r.writeJSON(w)
	case report.Table:
		return r.writeText(w)
	}
	return report.WritePage(w, r.page(), f, o)
}

// readers are those that were tried.
const readers = "google.golang.org/protobuf (Go), dynamic messages"

// heading: "acme.v1.Event → acme.v2.Event · 3 samples of old writers, 0 of new ones".
func (r *Report) heading() string {
	name := r.Old
	if r.New != r.Old {
		name += " → " + r.New
	}
	return fmt.Sprintf("%s · samples: %d of old writers, %d of new ones · rollout: %s",
		name, r.Samples[0], r.Samples[1], r.Order)
}

// shown are the findings worth a line, those of the rollout first and the paths that suffer
// before the others, and how many paths had nothing but the same.
func (r *Report) shown() (in, other []Finding, same int) {
	bad := map[string]bool{}
	for _, f := range r.Findings {
		if f.Changed || f.Class != Same {
			bad[f.Path] = true
		}
	}
	paths := map[string]bool{}
	for _, f := range r.Findings {
		switch {
		case !bad[f.Path]:
			paths[f.Path] = true
		case !f.Changed && f.Class == Same:
		case r.Order.Has(f.Direction):
			in = append(in, f)
		default:
			other = append(other, f)
		}
	}
	sufferersFirst(in)
	sufferersFirst(other)
	return in, other, len(paths)
}

func sufferersFirst(findings []Finding) {
	suffers := map[string]int{}
	for _, f := range findings {
		if f.Class.Bad() {
			suffers[f.Path] = 1
		}
	}
	slices.SortStableFunc(findings, func(a, b Finding) int { return suffers[b.Path] - suffers[a.Path] })
}

// path names the message itself too.
func (f *Finding) path() string {
	if f.Path == "" {
		return "(message)"
	}
	return f.Path
}

// values: "2 of the samples, 5 own".
func (f *Finding) values() string {
	switch {
	case f.Own == 0:
		return fmt.Sprintf("%d of the samples", f.Samples)
	case f.Samples == 0:
		return fmt.Sprintf("%d own", f.Own)
	}
	return fmt.Sprintf("%d of the samples, %d own", f.Samples, f.Own)
}

// plural: "1 sample", "2 samples".
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// example: "samples.jsonl:1 at items[3].price: 1.5 became 1".
func (f *Finding) example() string {
	var b strings.Builder
	b.WriteString(f.Source)
	if f.At != "" && f.At != f.Path {
		b.WriteString(" at " + f.At)
	}
	b.WriteString(": " + f.Wrote)
	switch {
	case f.Class == Error:
		b.WriteString(" → error")
	default:
		b.WriteString(" → " + f.Read)
	}
	if f.Why != "" {
		b.WriteString(" (" + f.Why + ")")
	}
	return b.String()
}

// verdict is the outcome in words.
func (r *Report) verdict() string {
	counts := map[Class]map[string]bool{}
	for _, f := range r.Findings {
		if r.Order.Has(f.Direction) && f.Class.Bad() {
			if counts[f.Class] == nil {
				counts[f.Class] = map[string]bool{}
			}
			counts[f.Class][f.path()] = true
		}
	}
	if len(counts) == 0 {
		return fmt.Sprintf("safe: nothing is lost, altered or refused (rollout: %s)", r.Order)
	}
	var parts []string
	for c := Altered; c >= Error; c-- {
		if n := len(counts[c]); n > 0 {
			text := c.Text()
			if c == Error {
				text = "refused with an error"
			}
			parts = append(parts, fmt.Sprintf("%s at %s", text, paths(counts[c])))
		}
	}
	return fmt.Sprintf("not safe (rollout: %s): %s", r.Order, strings.Join(parts, "; "))
}

// paths lists a few paths.
func paths(set map[string]bool) string {
	var all []string
	for p := range set {
		all = append(all, p)
	}
	slices.Sort(all)
	if len(all) > 5 {
		return fmt.Sprintf("%s and %d more", strings.Join(all[:5], ", "), len(all)-5)
	}
	return strings.Join(all, ", ")
}

// notes are what there is to know of the run.
func (r *Report) notes() []string {
	_, _, same := r.shown()
	out := []string{"readers tried: " + readers}
	if r.Disagreements == 0 {
		out = append(out, fmt.Sprintf("package dynamic of Protean read the same %d documents, and agrees", r.Compared))
	} else {
		out = append(out, fmt.Sprintf("package dynamic of Protean disagrees on %d of %d documents; the first: %s",
			r.Disagreements, r.Compared, r.Disagreement))
	}
	if same > 0 {
		out = append(out, plural(same, "other path")+": same")
	}
	if r.addsInJSON() {
		out = append(out,
			"new fields in JSON: a strict reader, such as Go's protojson without DiscardUnknown, refuses their names "+
				"until it has the new schema; that counts as no harm here")
	}
	for _, w := range []Wire{Binary, JSON} {
		if n := r.Unwritable[w]; n > 0 {
			out = append(out,
				fmt.Sprintf("%d samples cannot be written and read in %s by their own side, and were not tried in it",
					n, w))
		}
	}
	if r.Untried > 0 {
		out = append(out, fmt.Sprintf("%d own values were not tried: too many", r.Untried))
	}
	if r.Deep > 0 {
		out = append(out, fmt.Sprintf("known, not tried: %d samples, such as %s, nest deeper than %d messages, "+
			"which readers of C++, Java and Python refuse", r.Deep, r.DeepSource, depthElsewhere))
	}
	return out
}

// addsInJSON reports whether new writers set new fields in JSON, in the order of the rollout.
func (r *Report) addsInJSON() bool {
	return r.Order.Has(NewToOld) && slices.ContainsFunc(r.Findings, func(f Finding) bool {
		return f.Direction == NewToOld && f.Wire == JSON && strings.HasPrefix(f.Why, addedJSON)
	})
}

// page is the report in Markdown.
func (r *Report) page() *report.Page {
	in, other, _ := r.shown()
	p := &report.Page{Summary: r.heading() + "\n\n" + r.verdict()}
	if len(in) > 0 {
		p.Sections = append(p.Sections, section("What becomes of the data", in))
	}
	if len(other) > 0 {
		p.Sections = append(p.Sections, section("The other direction, which the rollout does not have", other))
	}
	if len(p.Sections) > 0 {
		p.Sections[len(p.Sections)-1].Notes = r.notes()
	} else {
		p.Head = r.notes()
	}
	if len(r.Plans) > 0 {
		s := report.Section{Title: "What is safe instead",
			Columns: columns("Way", "Schema", "Steps, in order", "Proven")}
		for _, plan := range r.Plans {
			var steps []string
			for i, step := range plan.Steps {
				steps = append(steps, fmt.Sprintf("%d. %s", i+1, step))
			}
			s.Rows = append(s.Rows, []report.Cell{{Text: plan.Title}, {Text: strings.Join(plan.Schema, " ")},
				{Text: strings.Join(steps, "; ")}, {Text: plan.Proof}})
		}
		p.Sections = append(p.Sections, s)
	}
	return p
}

// columns are columns of text.
func columns(heads ...string) []report.Column {
	var out []report.Column
	for _, head := range heads {
		out = append(out, report.Column{Head: head, Left: true})
	}
	return out
}

func section(title string, findings []Finding) report.Section {
	s := report.Section{Title: title, Columns: columns("Path", "Direction", "Form", "What becomes of it", "Values",
		"For example", "Elsewhere (known, not tried)")}
	for _, f := range findings {
		s.Rows = append(s.Rows, []report.Cell{{Text: f.path()}, {Text: f.Direction.Text()}, {Text: f.Wire.String()},
			{Text: f.Class.Text()}, {Text: f.values()}, {Text: f.example()}, {Text: f.Known}})
	}
	return s
}

// The JSON format. Absent is what does not exist.
type (
	reportFile struct {
		Old      string         `json:"old"`
		New      string         `json:"new"`
		Rollout  string         `json:"rollout"`
		Wires    []string       `json:"wires"`
		Safe     bool           `json:"safe"`
		Worst    string         `json:"worst"`
		Verdict  string         `json:"verdict"`
		Samples  map[string]int `json:"samples"`
		Readers  readersFile    `json:"readers"`
		Findings []findingFile  `json:"findings"`
		Instead  []planFile     `json:"instead"`
		Notes    []string       `json:"notes"`
	}
	readersFile struct {
		Tried         []string `json:"tried"`
		Documents     int      `json:"documents"`
		Disagreements int      `json:"disagreements"`
	}
	findingFile struct {
		Path      string `json:"path"`
		Direction string `json:"direction"`
		Wire      string `json:"wire"`
		Class     string `json:"class"`
		InRollout bool   `json:"in_rollout"`
		Changed   bool   `json:"changed"`
		Samples   int    `json:"samples"`
		Own       int    `json:"own"`
		Source    string `json:"source"`
		At        string `json:"at"`
		Wrote     string `json:"wrote"`
		Read      string `json:"read,omitempty"`
		Why       string `json:"why,omitempty"`
		Known     string `json:"known_not_tried,omitempty"`
	}
	planFile struct {
		Title  string   `json:"title"`
		Schema []string `json:"schema"`
		Steps  []string `json:"steps"`
		Proof  string   `json:"proof"`
	}
)

func (r *Report) writeJSON(w io.Writer) error {
	file := reportFile{Old: r.Old, New: r.New, Rollout: r.Order.String(), Safe: !r.Failed(),
		Worst:   r.Worst(r.Order).String(),
		Verdict: r.verdict(), Samples: map[string]int{"old": r.Samples[0], "new": r.Samples[1]},
		Readers:  readersFile{[]string{readers, "package dynamic of Protean"}, r.Compared, r.Disagreements},
		Findings: []findingFile{}, Instead: []planFile{}, Notes: r.notes()}
	for _, wire := range r.Wires {
		file.Wires = append(file.Wires, wire.String())
	}
	for _, f := range r.Findings {
		file.Findings = append(file.Findings,
			findingFile{f.Path, f.Direction.String(), f.Wire.String(), f.Class.String(),
				r.Order.Has(f.Direction), f.Changed, f.Samples, f.Own, f.Source, f.At, f.Wrote, f.Read, f.Why, f.Known})
	}
	for _, plan := range r.Plans {
		schema := append([]string{}, plan.Schema...)
		file.Instead = append(file.Instead, planFile{plan.Title, schema, plan.Steps, plan.Proof})
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(file)
}
