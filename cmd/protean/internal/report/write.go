package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Format is a form in which a report is written.
type Format string

// The formats.
const (
	Table    Format = "table"    // for a terminal
	Markdown Format = "markdown" // GitHub's
	JSON     Format = "json"     // one document
	CSV      Format = "csv"      // one row a cell
	Bench    Format = "bench"    // Go's benchmark format, for benchstat; the raw turns
	HTML     Format = "html"     // a page; only [WriteHTML] writes it
)

// Formats lists the formats that [Write] writes.
func Formats() []Format { return []Format{Table, Markdown, JSON, CSV, Bench} }

// ParseFormat returns the format of that name.
func ParseFormat(name string) (Format, error) {
	if slices.Contains(Formats(), Format(name)) {
		return Format(name), nil
	}
	var names []string
	for _, f := range Formats() {
		names = append(names, string(f))
	}
	return "", fmt.Errorf("unknown format %q; want one of %s", name, strings.Join(names, ", "))
}

// Options are how [Write] renders what people read; the other formats ignore them, and are
// always whole.
type Options struct {
	Width int  // of the terminal in columns; 80 if 0, never taken as less than 40
	Color bool // use ANSI colours
	// All asks for all that is known, Markdown too: the [Summary] in place of the [Verdict],
	// the table of properties, and notes and marks at length.
	All bool
	// Properties asks for the table of properties; All has it.
	Properties bool
	// More is a line that says how to see more, where not All is shown.
	More string
}

func (o Options) document(r *Report) *document {
	if o.All {
		return newDocument(r)
	}
	return shortDocument(r, o)
}

// Write renders r.
func Write(w io.Writer, r *Report, f Format, o Options) error {
	switch f {
	case Table:
		d := o.document(r)
		if !o.All { // the reader has just typed the command
			bare := *r
			bare.Env.Command = ""
			d.head = environment(&bare)
		}
		return writeTable(w, d, o)
	case Markdown:
		return writeMarkdown(w, o.document(r))
	case JSON:
		return writeJSON(w, r)
	case CSV:
		return writeCSV(w, r)
	case Bench:
		return writeBench(w, r)
	}
	return fmt.Errorf("unknown format %q", f)
}
