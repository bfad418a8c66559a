package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// writeMarkdown lays a document out as GitHub's Markdown.
func writeMarkdown(w io.Writer, d *document) error {
	b := bufio.NewWriter(w)
	if d.summary != "" {
		fmt.Fprintf(b, "%s\n\n", escape(d.summary))
	}
	list(b, d.head)
	for _, warning := range d.warnings {
		fmt.Fprintf(b, "**Warning:** %s\n\n", escape(warning))
	}
	for _, s := range d.sections {
		markdownSection(b, s, "### %s")
	}
	markdownMarks(b, d)
	return b.Flush()
}

// markdownMarks explains the marks.
func markdownMarks(b *bufio.Writer, d *document) {
	var losses []string
	for _, l := range d.losses {
		losses = append(losses, lossMark+l)
	}
	for _, l := range d.risks {
		losses = append(losses, riskMark+l)
	}
	list(b, losses)
	var entries []string
	for _, e := range d.legend {
		if e.in != terminalOnly {
			entries = append(entries, e.mark+" "+e.text)
		}
	}
	list(b, entries)
}

func list(b *bufio.Writer, items []string) {
	for _, item := range items {
		fmt.Fprintf(b, "- %s\n", escape(item))
	}
	if len(items) > 0 {
		fmt.Fprintln(b)
	}
}

// markdownSection writes a table below its title, which heading formats.
func markdownSection(b *bufio.Writer, s section, heading string) {
	fmt.Fprintf(b, heading+"\n\n", escape(s.title))
	if s.about != "" && len(s.rows) > 0 {
		fmt.Fprintf(b, "%s\n\n", escape(s.about))
	}
	if len(s.rows) > 0 {
		markdownRows(b, s)
	}
	list(b, s.notes)
}

func markdownRows(b *bufio.Writer, s section) {
	shown := s.shownInDocuments()
	var head, rule []string
	for _, i := range shown {
		c := s.columns[i]
		head = append(head, strings.TrimSpace(either(c.full, c.head)))
		rule = append(rule, map[bool]string{true: "---", false: "--:"}[c.left])
	}
	if s.headingAt(0) == "" {
		fmt.Fprintf(b, "| %s |\n| %s |\n", strings.Join(head, " | "), strings.Join(rule, " | "))
	}
	for at, row := range s.rows {
		if h := s.headingAt(at); h != "" {
			if at > 0 {
				fmt.Fprintln(b)
			}
			fmt.Fprintf(b, "%s:\n\n| %s |\n| %s |\n", escape(h), strings.Join(head, " | "), strings.Join(rule, " | "))
		}
		var parts []string
		for _, i := range shown {
			parts = append(parts, escape(strings.TrimSpace(either(row[i].full, row[i].text)+row[i].mark)))
		}
		fmt.Fprintf(b, "| %s |\n", strings.Join(parts, " | "))
	}
	fmt.Fprintln(b)
}

// shownInDocuments returns the columns that Markdown and HTML show.
func (s *section) shownInDocuments() []int {
	var out []int
	for i, c := range s.columns {
		if c.in != terminalOnly && !s.empty(i) {
			out = append(out, i)
		}
	}
	return out
}

func either(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// escape keeps names and reasons from being read as markup.
var escape = strings.NewReplacer(`\`, `\\`, "|", `\|`, "&", "&amp;", "<", "&lt;", "*", `\*`, "_", `\_`, "`", "\\`", "~",
	`\~`, "[", `\[`).Replace
