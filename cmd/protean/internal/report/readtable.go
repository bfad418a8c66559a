package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// readTable reads what [Write] wrote as [Table], in colour or not, as [readMarkdown]
// reads Markdown. Lines that are as wide as the terminal was leave columns out, and the
// ends of names; a row whose name was cut short becomes a warning.
func readTable(text []byte) (*Report, error) {
	t := tableReader{page: &page{rounded: true}}
	var block []string
	for i, line := range append(pageLines(colours.ReplaceAll(text, nil)), "") {
		line = strings.TrimRight(line, " ")
		switch {
		case strings.HasPrefix(line, "```"), len(block) == 0 && strings.HasPrefix(line, "$ "): // of an excerpt
		case line != "":
			block = append(block, line)
		case len(block) > 0:
			t.block(i+1-len(block), block)
			block = nil
		}
	}
	t.leaveOut()
	return t.page.report()
}

// colours are what a terminal does not show.
var colours = regexp.MustCompile("\x1b\\[[0-9;]*m")

// A tableReader goes through a text block by block; empty lines are between them.
type tableReader struct{ *page }

// block reads lines, the first of which has that number.
func (t *tableReader) block(n int, lines []string) {
	first := lines[0]
	head := slices.IndexFunc(lines, isTableHead)
	switch {
	case strings.HasPrefix(first, "warning: "):
		for _, w := range unwrapped(lines, func(line string) bool { return strings.HasPrefix(line, "warning: ") }) {
			t.warnings = append(t.warnings, strings.TrimPrefix(w, "warning: "))
		}
	case strings.HasPrefix(strings.Join(lines, " "), interruptedText):
		t.interrupted = true
	case head > 0:
		t.table(n, lines, head)
	case slices.ContainsFunc(lines, isNote):
		at := slices.IndexFunc(lines, isNote)
		if at == 0 {
			t.general(lines)
			return
		}
		t.sheets = append(t.sheets, &sheet{title: strings.Join(lines[:at], " "), notes: unwrapped(lines[at:], isNote)})
	case len(t.sheets) == 0 && strings.Contains(first, " · "), isEnvironment(first):
		t.lines = append(t.lines, unwrapped(lines, func(line string) bool { return !strings.HasPrefix(line, "  ") })...)
	}
}

// general adds notes on a payload as a whole to its last table.
func (t *tableReader) general(lines []string) {
	if len(t.sheets) == 0 {
		return
	}
	last := t.sheets[len(t.sheets)-1]
	for _, line := range unwrapped(lines, isNote) {
		if m := noteText.FindStringSubmatch(line); m != nil && m[2] == "" {
			line = m[1] + inEvery + ": " + m[3]
		}
		last.notes = append(last.notes, line)
	}
}

// unwrapped joins lines with those that go on from them.
func unwrapped(lines []string, begins func(string) bool) []string {
	var out []string
	for i, line := range lines {
		if i == 0 || begins(line) {
			out = append(out, line)
		} else {
			out[len(out)-1] += " " + strings.TrimSpace(line)
		}
	}
	return out
}

// isTableHead reports whether a line is the head of a table of an operation.
func isTableHead(line string) bool {
	names := strings.Fields(line)
	if len(names) > 0 && names[0] == "#" {
		names = names[1:]
	}
	return len(names) > 1 && names[0] == "variant" && slices.Contains([]string{"time", "bytes", "B/op"}, names[1])
}

// table reads the table whose head is lines[head]: a title above it, and a line about it,
// both of which may have been broken.
func (t *tableReader) table(n int, lines []string, head int) {
	about := slices.IndexFunc(lines, func(line string) bool {
		return sampled.MatchString(line) || strings.HasPrefix(line, sizesAbout) || line == countsAbout
	})
	if about < 1 || about > head {
		return
	}
	s := &sheet{title: strings.Join(lines[:about], " "), about: strings.Join(lines[about:head], " ")}
	c := newGrid(lines[head])
	s.head = c.names
	rest := lines[head+1:]
	end := slices.IndexFunc(rest, isNote)
	if end >= 0 {
		s.notes = unwrapped(rest[end:], isNote)
		rest = rest[:end]
	}
	apart := Apart("")
	for i, line := range rest {
		if strings.HasPrefix(line, apartMark) {
			apart = readApart(line)
			continue
		}
		s.rows = append(s.rows, sheetRow{n + head + 1 + i, c.cells(line), apart})
	}
	t.sheets = append(t.sheets, s)
}

// A grid is the places of a table's columns. All but the variant's are aligned to the
// right; a bar has a column without a head.
type grid struct {
	names   []string // the variant's first
	ends    []int    // where they end; the variant's ends where the next begins
	variant int      // where the variants begin
}

func newGrid(head string) grid {
	before, rest, _ := strings.Cut(head, "variant")
	at := width(before)
	c := grid{names: []string{"variant"}, ends: []int{0}, variant: at}
	at += len("variant")
	for _, word := range strings.SplitAfter(rest, " ") {
		at += width(word)
		if name := strings.TrimSpace(word); name != "" {
			c.names, c.ends = append(c.names, name), append(c.ends, at-width(word)+width(name))
		}
	}
	return c
}

// cells takes a row apart.
func (c grid) cells(line string) []string {
	row := []rune(line)
	out := make([]string, len(c.names))
	from := min(c.variant, len(row))
	for i := 1; i < len(c.names); i++ {
		to := min(max(c.ends[i], from), len(row))
		text := strings.TrimSpace(string(row[from:to]))
		cut := strings.LastIndexByte(text, ' ') + 1
		if i == 1 {
			out[0] = strings.TrimSpace(text[:cut])
		}
		if out[i] = text[cut:]; strings.ContainsFunc(out[i], isBar) {
			out[i] = ""
		}
		from = to
	}
	return out
}

// isBar reports whether r is one of those that bars are drawn with.
func isBar(r rune) bool { return '─' <= r && r <= '▟' }

// leaveOut takes out the rows whose names were cut short: nobody can tell them apart.
func (t *tableReader) leaveOut() {
	for _, s := range t.sheets {
		s.rows = slices.DeleteFunc(s.rows, func(row sheetRow) bool {
			name := row.cells[0]
			cut := strings.HasSuffix(strings.TrimSuffix(name, " !"), "…")
			if cut {
				t.warnings = append(t.warnings, fmt.Sprintf("line %d is left out: the terminal was too narrow for %s", row.line, name))
			}
			return cut
		})
	}
}
