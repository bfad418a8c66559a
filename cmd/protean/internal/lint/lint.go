// Package lint is what protean lint finds: in a schema by the rules that the plugins of buf and
// protoc share ([schema.Check]), in samples what the fields that fall under them hold and cost, and
// in Go code by the analyzers of proteanvet.
package lint

import (
	"fmt"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/cmd/protean/internal/suite"
	"github.com/protean-pb/protean/lint/callsite"
	"github.com/protean-pb/protean/lint/schema"
)

// A Result is all that one run found.
type Result struct {
	Findings []Finding
	// Data is nil without samples, and Profile without a profile.
	Data    *Data
	Profile *callsite.Profile
}

// A Finding is one place that a rule or an analyzer is about.
type Finding struct {
	Rule string
	File string // as the user would write it
	// Line and Column begin with 1; 0 where they are not known.
	Line, Column int
	// Subject is the full name of the field or message, if it is about one.
	Subject string
	// What was found, what it costs and what is safe instead, in a clause each; of call sites the
	// last two are part of the first.
	What, Cost, WayOut string
	// Share is the part of the profile that the finding explains, from 0 to 1; -1 without one.
	Share float64
}

// Position is file:line:column as far as it is known.
func (f *Finding) Position() string {
	switch {
	case f.Line == 0:
		return f.File
	case f.Column == 0:
		return fmt.Sprintf("%s:%d", f.File, f.Line)
	}
	return fmt.Sprintf("%s:%d:%d", f.File, f.Line, f.Column)
}

// options are those of the rules: the command reads the comments of both linters.
var options = schema.Options{BufIgnores: true}

// Schema finds what the rules find in the user's files.
func Schema(s *suite.Schema) []Finding {
	var out []Finding
	for _, f := range schema.Check(s.Files(), options) {
		out = append(out, newFinding(s, f))
	}
	return out
}

func newFinding(s *suite.Schema, f schema.Finding) Finding {
	out := Finding{Rule: f.Rule.ID, File: s.Path(f.File), Line: f.Line, Column: f.Column,
		What: f.What, Cost: f.Rule.Cost, WayOut: f.WayOut(), Share: -1}
	if f.Descriptor != nil {
		out.Subject = string(f.Descriptor.FullName())
	}
	return out
}

// at makes a finding of a rule about data at the declaration of a field or a message; nil if a
// comment there excuses it.
func at(s *suite.Schema, id string, d protoreflect.Descriptor, what string) []Finding {
	if schema.Ignored(id, d, options) {
		return nil
	}
	return []Finding{newFinding(s, schema.NewFinding(id, d, what))}
}

// Calls finds what the analyzers find in Go packages, by the profile's order if there is one.
func Calls(patterns []string, p *callsite.Profile) ([]Finding, error) {
	found, err := callsite.Check("", patterns)
	if err != nil {
		return nil, err
	}
	if p != nil {
		p.Explain(found)
	}
	var out []Finding
	for _, f := range found {
		share := -1.0
		if p != nil {
			share = p.Share(&f)
		}
		out = append(out, Finding{Rule: f.Analyzer, File: relative(f.File), Line: f.Line, Column: f.Column,
			What: f.Message, Share: share})
	}
	return out, nil
}
