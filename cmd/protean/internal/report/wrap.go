package report

import (
	"regexp"
	"slices"
	"strings"
)

// wrap breaks text at spaces into a first line of at most first columns and further lines of at most rest columns. It
// breaks a word that is longer than a line.
func wrap(text string, first, rest int) []string {
	var (
		lines []string
		line  string
		limit = first
	)
	for _, word := range words(text) {
		for {
			if joined := strings.TrimPrefix(line+" "+word, " "); width(joined) <= limit {
				line = joined
				break
			}
			if line == "" {
				line, word = string([]rune(word)[:limit]), string([]rune(word)[limit:])
			}
			lines, line, limit = append(lines, line), "", rest
		}
	}
	return append(lines, line)
}

// words splits text at spaces, but not between a number and its unit.
func words(text string) []string {
	var out []string
	for _, word := range strings.Fields(text) {
		switch unit := strings.TrimRight(word, ".,:;)"); {
		case len(out) > 0 && (unit == "%" || unit == "B" || slices.ContainsFunc(units, named(unit))):
			out[len(out)-1] += " " + word
		default:
			out = append(out, word)
		}
	}
	return out
}

// joinChunks joins chunks by spaces, and by breakLine where the line would be wider than limit columns. Chunks are
// never broken. The first line starts at column start, the others at column indent, which is what breakLine writes.
func joinChunks(chunks []string, start, limit int, breakLine string, indent int, mayBegin func(string) bool) string {
	var out strings.Builder
	column := start
	for i, chunk := range chunks {
		switch {
		case i == 0:
		case column+1+width(chunk) > limit && mayBegin(chunk):
			out.WriteString(breakLine)
			column = indent
		default:
			out.WriteByte(' ')
			column++
		}
		out.WriteString(chunk)
		column += width(chunk)
	}
	return out.String()
}

const (
	documentWidth = 120 // of lines in a Markdown document, in columns
	commandWidth  = 100 // of lines of a shell command
)

// opensBlock matches words that begin a Markdown block at the beginning of a line, such as an item of a list.
var opensBlock = regexp.MustCompile(`^([-+>]|#+|\d+[.)])$`)

// markdownLines breaks a paragraph at spaces, which leaves what Markdown renders as it is, within code spans too.
func markdownLines(paragraph string) string {
	mayBegin := func(word string) bool { return !opensBlock.MatchString(word) }
	return joinChunks(strings.Split(paragraph, " "), 0, documentWidth, "\n", 0, mayBegin)
}

// shellLines breaks a long command before flags, with backslashes at the ends of lines.
func shellLines(command string) string {
	const indent = "    "
	anywhere := func(string) bool { return true }
	return joinChunks(flagChunks(clean(command)), len("$ "), commandWidth, " \\\n"+indent, len(indent), anywhere)
}

// flagChunks splits a command before its flags, but not within quotes.
func flagChunks(command string) []string {
	var out []string
	quoted := false
	for _, word := range strings.Split(command, " ") {
		if len(out) == 0 || !quoted && strings.HasPrefix(word, "--") {
			out = append(out, word)
		} else {
			out[len(out)-1] += " " + word
		}
		quoted = quoted != (strings.Count(word, "'")%2 == 1)
	}
	return out
}
