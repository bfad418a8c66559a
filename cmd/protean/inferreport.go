package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/protean-pb/protean/cmd/protean/internal/report"
	"github.com/protean-pb/protean/infer/lock"
	"github.com/protean-pb/protean/infer/proof"
	"github.com/protean-pb/protean/infer/schema"
)

// summarize says what was inferred and proved.
func (r *inference) summarize(w io.Writer) error {
	format, err := pageFormat(r.flags.format)
	if err != nil {
		return err
	}
	if format == report.JSON {
		return r.summarizeJSON(w)
	}
	p := &report.Page{Summary: strings.Join(r.summary(), "\n\n")}
	for _, b := range r.broken {
		p.Warnings = append(p.Warnings, "left out: "+b.Error())
	}
	if r.profile.Reduced > 0 {
		p.Warnings = append(p.Warnings,
			"the statistics were reduced to keep within --memory: objects with many keys are maps, and what is deep "+
				"is Struct")
	}
	if r.flags.explain {
		p.Sections = append(p.Sections, r.explanations()...)
	}
	if len(r.changes) > 0 {
		p.Sections = append(p.Sections, changesTable(r.changes))
	}
	if r.move != nil {
		p.Sections = append(p.Sections, moveTable(r.move)...)
	}
	if r.report != nil {
		if s := findingsTable(r.report, r.flags.check); len(s.Rows) > 0 {
			p.Sections = append(p.Sections, s)
		}
	}
	return report.WritePage(w, p, format, display(w))
}

func (r *inference) summary() []string {
	fields := 0
	for _, m := range r.file.Messages {
		fields += len(m.Fields)
	}
	text := []string{fmt.Sprintf("%s of %s: %s with %s.", counted(r.profile.Documents, "document"),
		size(r.profile.Bytes),
		counted(uint64(len(r.file.Messages)), "message"), counted(uint64(fields), "field"))}
	if r.profile.Invalid > 0 {
		text[0] += fmt.Sprintf(" %s left out, being broken.", counted(r.profile.Invalid, "document"))
	}
	if r.move != nil {
		text = append(text, moveSummary(r.move))
	}
	if r.report == nil {
		return append(text, "Nothing was proved: the documents were not read again.")
	}
	var levels []string
	for level, n := range r.report.Levels {
		levels = append(levels, fmt.Sprintf("%d %s", n, proof.Level(level)))
	}
	text = append(text, fmt.Sprintf("Proof: of %s come back %s.", counted(r.report.Samples, "document"),
		strings.Join(levels, ", ")))
	if b := r.report; b.JSON > 0 {
		text = append(text,
			fmt.Sprintf(
				"Bytes: %d as compact JSON, %d as google.protobuf.Value, %d as %s: %.2f of the JSON, %.2f of Value.",
				b.JSON, b.Value, b.Message, r.options.Message, float64(b.Message)/float64(b.JSON),
				float64(b.Message)/float64(max(b.Value, 1))))
	}
	return text
}

func counted(n uint64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// size writes a number of bytes for people.
func size(bytes uint64) string {
	switch {
	case bytes < 10_000:
		return fmt.Sprintf("%d bytes", bytes)
	case bytes < 10_000_000:
		return fmt.Sprintf("%d KB", bytes/1000)
	}
	return fmt.Sprintf("%d MB", bytes/1_000_000)
}

func findingsTable(r *proof.Report, check bool) report.Section {
	s := report.Section{
		Title: "What comes back otherwise",
		Columns: []report.Column{{Head: "Path", Left: true}, {Head: "What", Left: true}, {Head: "Level", Left: true},
			{Head: "Times"}, {Head: "First", Left: true}},
	}
	for _, f := range r.Findings {
		if check && f.Level != proof.Lossy {
			continue
		}
		what, tone := f.What, report.Neutral
		if f.Level == proof.Lossy {
			tone = report.Bad
		}
		if f.Detail != "" {
			what += " (" + f.Detail + ")"
		}
		s.Rows = append(s.Rows, []report.Cell{{Text: f.Path}, {Text: what}, {Text: f.Level.String(), Tone: tone},
			{Text: strconv.FormatUint(f.Times, 10)}, {Text: f.First}})
	}
	if r.Unlisted > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("and %d differences at further paths", r.Unlisted))
	}
	return s
}

func changesTable(changes []lock.Change) report.Section {
	s := report.Section{Title: "What the schema needs",
		Columns: []report.Column{{Head: "Path", Left: true}, {Head: "Change", Left: true}}}
	for _, c := range changes {
		s.Rows = append(s.Rows, []report.Cell{{Text: c.Path}, {Text: c.Change}})
	}
	return s
}

// explanations has a table for each message.
func (r *inference) explanations() []report.Section {
	var out []report.Section
	for _, m := range r.file.Messages {
		s := report.Section{Title: m.Name, About: strings.Join(m.Comment, " "), Columns: []report.Column{
			{Head: "Field", Left: true}, {Head: "Type", Left: true}, {Head: "Present"}, {Head: "Values", Left: true},
			{Head: "Distinct"}, {Head: "Examples", Left: true}, {Head: "Decided against", Left: true},
		}}
		for _, f := range m.Fields {
			s.Rows = append(s.Rows, explanation(m, f))
		}
		out = append(out, s)
	}
	return out
}

func explanation(m *schema.Message, f *schema.Field) []report.Cell {
	values := strings.Join(f.Facts.Kinds, ", ")
	if f.Facts.Range != "" {
		values += ": " + f.Facts.Range
	}
	t := f.Type.String()
	if f.Optional {
		t = "optional " + t
	}
	if m.InOneof(f) {
		t = "oneof " + m.Oneof + ": " + t
	}
	if f.Union != nil {
		t = "oneof " + f.Union.Oneof + ": " + t
	}
	return []report.Cell{{Text: f.Name}, {Text: t}, {Text: fmt.Sprintf("%d of %d", f.Facts.Present, f.Facts.Objects)},
		{Text: values},
		{Text: f.Facts.Distinct}, {Text: strings.Join(f.Facts.Examples, ", ")},
		{Text: strings.Join(f.Facts.Against, "; ")}}
}

// The summary as JSON.
type (
	inferDocument struct {
		Documents uint64         `json:"documents"`
		Bytes     uint64         `json:"bytes"`
		Invalid   uint64         `json:"invalid"`
		Reduced   int            `json:"reduced"`
		Messages  []inferMessage `json:"messages"`
		Changes   []lock.Change  `json:"changes,omitempty"`
		// Safe says whether the change from the schema so far is proven to harm no old data; absent if there is none.
		Safe  *bool       `json:"safe,omitempty"`
		Proof *inferProof `json:"proof,omitempty"`
	}
	inferMessage struct {
		Name    string       `json:"name"`
		Paths   []string     `json:"paths"`
		Objects uint64       `json:"objects"`
		Oneof   string       `json:"oneof,omitempty"` // that all fields are in but lists and maps
		Fields  []inferField `json:"fields"`
	}
	inferField struct {
		Key      string       `json:"key"`
		Name     string       `json:"name"`
		Number   int32        `json:"number"`
		Type     string       `json:"type"`
		Optional bool         `json:"optional"`
		Union    *lock.Union  `json:"union,omitempty"` // of which it is a member, and by what
		Comment  []string     `json:"comment,omitempty"`
		Facts    schema.Facts `json:"facts"`
	}
	inferProof struct {
		SameText  uint64 `json:"same_text"`
		SameJSON  uint64 `json:"same_json"`
		SameValue uint64 `json:"same_value"`
		Lossy     uint64 `json:"lossy"`
		*proof.Report
	}
)

func (r *inference) summarizeJSON(w io.Writer) error {
	d := inferDocument{Documents: r.profile.Documents, Bytes: r.profile.Bytes, Invalid: r.profile.Invalid,
		Reduced: r.profile.Reduced, Changes: r.changes}
	for _, m := range r.file.Messages {
		out := inferMessage{Name: m.Name, Paths: m.Paths, Objects: m.Objects, Oneof: m.Oneof,
			Fields: []inferField{}}
		for _, f := range m.Fields {
			out.Fields = append(out.Fields, inferField{f.Key, f.Name, f.Number, f.Type.String(), f.Optional,
				lock.UnionOf(f), f.Comment, f.Facts})
		}
		d.Messages = append(d.Messages, out)
	}
	if r.move != nil {
		safe := !r.move.Worst(inferOrder).Bad()
		d.Safe = &safe
	}
	if p := r.report; p != nil {
		d.Proof = &inferProof{p.Levels[proof.SameText], p.Levels[proof.SameJSON], p.Levels[proof.SameValue],
			p.Levels[proof.Lossy], p}
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(d)
}
