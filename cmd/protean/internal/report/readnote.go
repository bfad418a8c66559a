package report

import (
	"regexp"
	"strings"
)

// A pageNote is what stands below the table of an operation.
type pageNote struct {
	of    Result // what cells of the table have in common
	lines []string
}

const noteKind = "^(" + failedNote + "|" + RefusedNote + "|" + inapplicableNote + "|" + waitingNote + ")"

var (
	noteStart = regexp.MustCompile(noteKind + `(?:: | in\b)`)
	noteText  = regexp.MustCompile(noteKind + `(?: in ([^:]+))?: (.*)$`)
)

// isNote reports whether a line, or the first of several, is one that [notes.lines] made.
func isNote(line string) bool { return noteStart.MatchString(line) }

// addNotes adds the cells without figures that the notes tell of.
func addNotes(r *Report, all []*pageNote) {
	known := map[string]bool{}
	for i := range r.Results {
		known[r.Results[i].Variant] = true
	}
	for _, n := range all {
		for _, line := range n.lines {
			m := noteText.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			for _, found := range noted(m[1], m[3], known) {
				for _, op := range n.ops(m[2], all) {
					c := n.of
					c.Op = op
					r.addNoted(c, found)
				}
			}
		}
	}
}

// ops returns the operations that a note names, or else that of its table.
func (n *pageNote) ops(named string, all []*pageNote) []string {
	switch {
	case named == "":
		return []string{n.of.Op}
	case " in "+named != inEvery:
		return strings.Split(named, ", ")
	}
	var out []string
	for _, o := range all {
		if o.of.Suite == n.of.Suite && o.of.Payload == n.of.Payload {
			out = append(out, o.of.Op)
		}
	}
	return out
}

// addNoted adds a cell, with the reason that was given further up if its own points there.
func (r *Report) addNoted(c, found Result) {
	c.Variant, c.Status, c.Reason, c.Refused, c.Samples = found.Variant, found.Status, found.Reason, found.Refused, 0
	for i := range r.Results {
		o := &r.Results[i]
		if c.Reason == asAbove && o.Reason != "" && o.Variant == c.Variant && o.Payload == c.Payload && o.Suite == c.Suite && o.Status == c.Status {
			c.Reason = o.Reason
		}
	}
	r.Results = append(r.Results, c)
}

// noted reads what follows the colon of a note.
func noted(kind, text string, known map[string]bool) []Result {
	var out []Result
	switch kind {
	case failedNote:
		name, reason, _ := strings.Cut(text, ": ")
		out = append(out, Result{Variant: name, Status: Failed, Reason: reason})
	case RefusedNote:
		name, reason, _ := strings.Cut(text, ": ")
		out = append(out, Result{Variant: name, Status: NotApplicable, Refused: true, Reason: reason})
	case inapplicableNote:
		for _, group := range splitOutside(text, "; ") {
			names, reason := cutReason(group, known)
			for _, name := range splitOutside(names, ", ") {
				out = append(out, Result{Variant: name, Status: NotApplicable, Reason: reason})
			}
		}
	case waitingNote:
		for _, name := range splitOutside(text, ", ") {
			out = append(out, Result{Variant: name, Status: OK})
		}
	}
	return out
}

// cutReason takes "A, B (x) (reason)" apart. Names end with parentheses too, so that of
// names alone the last must be known.
func cutReason(group string, known map[string]bool) (names, reason string) {
	list := splitOutside(group, ", ")
	if known[list[len(list)-1]] || !strings.HasSuffix(group, ")") {
		return group, ""
	}
	depth := 0
	for i := len(group) - 1; i >= 0; i-- {
		switch group[i] {
		case ')':
			depth++
		case '(':
			depth--
		}
		if depth == 0 {
			return strings.TrimSuffix(group[:i], " "), group[i+1 : len(group)-1]
		}
	}
	return group, ""
}

// splitOutside splits text at separators that are not within parentheses.
func splitOutside(text, separator string) []string {
	var out []string
	depth, from := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth <= 0 && i >= from && strings.HasPrefix(text[i:], separator) {
			out, from = append(out, text[from:i]), i+len(separator)
		}
	}
	return append(out, text[from:])
}
