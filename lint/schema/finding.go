package schema

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// A Finding is one place that a rule is about.
type Finding struct {
	Rule Rule
	// Descriptor is the field or message concerned; nil for a comment.
	Descriptor protoreflect.Descriptor
	// File is where it is declared, and Path what source information calls the place; Path is nil
	// where there is no source information.
	File protoreflect.FileDescriptor
	Path protoreflect.SourcePath
	// Line and Column begin with 1 and are those of protoc, to which a tab ends at a multiple of
	// eight; 0 where there is no source information.
	Line, Column int
	// What says in a clause what was found, with the full name of the field or message.
	What string
}

// Message says in one line what was found, what it costs and what is safe instead.
func (f *Finding) Message() string {
	return fmt.Sprintf("%s: %s. Safe: %s.", f.What, f.Rule.Cost, f.WayOut())
}

// WayOut says what is safe instead, and for a field of a message how to prove it on samples.
func (f *Finding) WayOut() string {
	fd, ok := f.Descriptor.(protoreflect.FieldDescriptor)
	if !ok || f.Rule.ID == Recursive || f.Rule.ID == Depth {
		return f.Rule.WayOut
	}
	return f.Rule.WayOut + "; proof: " + Migrate(fd)
}

// Migrate returns the command line that tries a change of a field on samples.
func Migrate(fd protoreflect.FieldDescriptor) string {
	return fmt.Sprintf("protean migrate --old OLD --new NEW --message %s --data SAMPLES",
		fd.ContainingMessage().FullName())
}

// String is the finding in one line, as compilers write it: file, line, column, message, rule.
func (f *Finding) String() string {
	return fmt.Sprintf("%s: %s (%s)", f.Position(), f.Message(), f.Rule.ID)
}

// Position is file:line:column, or the file where there is no source information.
func (f *Finding) Position() string {
	if f.Line == 0 {
		return f.File.Path()
	}
	return fmt.Sprintf("%s:%d:%d", f.File.Path(), f.Line, f.Column)
}

// NewFinding is a finding of a rule that exists about a field or a message, whose comments it does
// not look at.
func NewFinding(id string, d protoreflect.Descriptor, what string) Finding {
	f := Finding{Rule: mustRule(id), Descriptor: d, File: d.ParentFile(), What: what}
	f.locate(f.File.SourceLocations().ByDescriptor(d))
	return f
}

// locate sets where the finding is; a location that does not exist has no path.
func (f *Finding) locate(l protoreflect.SourceLocation) {
	if l.Path == nil {
		return
	}
	f.Path, f.Line, f.Column = l.Path, l.StartLine+1, l.StartColumn+1
}

// sortFindings puts findings in the order of the files that are checked, and of their lines.
func sortFindings(found []Finding, files []protoreflect.FileDescriptor) {
	order := make(map[string]int, len(files))
	for i, f := range files {
		order[f.Path()] = i
	}
	slices.SortStableFunc(found, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(order[a.File.Path()], order[b.File.Path()]),
			cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column),
			strings.Compare(a.Rule.ID, b.Rule.ID))
	})
}
