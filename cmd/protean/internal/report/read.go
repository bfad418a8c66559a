package report

import (
	"bytes"
	"fmt"
	"regexp"
)

// readers has the formats that [Read] reads.
var readers = map[Format]func(text []byte) (*Report, error){JSON: readJSON, CSV: readCSV, HTML: readHTML}

// FormatOf recognises the format of a file of results by its content: one of [Formats], [HTML], or "" for none. It
// recognises [Bench] whether [Write] wrote the file or go test did. [Table] and [Markdown] are recognised so that an
// error can name them: nothing reads them.
func FormatOf(text []byte) Format {
	first, _, _ := bytes.Cut(bytes.TrimSpace(withoutBOM(text)), []byte("\n"))
	lower := bytes.ToLower(first)
	switch {
	case bytes.HasPrefix(first, []byte("{")):
		return JSON
	case bytes.Contains(first, []byte("suite")) && bytes.Contains(first, []byte("variant,")):
		return CSV
	case hasBenchmark(text):
		return Bench
	case bytes.HasPrefix(lower, []byte("<!doctype html")), bytes.HasPrefix(lower, []byte("<html")):
		return HTML
	case bytes.Contains(text, []byte("| Variant |")):
		return Markdown
	case tableHead.Match(text):
		return Table
	}
	return ""
}

// tableHead matches the head of a table of an operation, coloured or not.
var tableHead = regexp.MustCompile(`(?m)^(?:\x1b\[[0-9;]*m|#| )*variant(?:\x1b\[[0-9;]*m| )+(?:time|bytes|B/op)`)

// hasBenchmark reports whether a line of the text is of Go's benchmark format.
func hasBenchmark(text []byte) bool {
	for line := range bytes.Lines(text) {
		if bytes.HasPrefix(line, []byte("Benchmark")) && len(bytes.Fields(line)) >= 4 ||
			bytes.HasPrefix(bytes.TrimSpace(line), []byte("--- FAIL: Benchmark")) {
			return true
		}
	}
	return false
}

// Read reads a report in the format [JSON], [CSV], or [HTML], whose page embeds the JSON. CSV lacks the environment and
// the warnings of the run. An error is a *ReadError.
func Read(text []byte) (*Report, error) {
	format := FormatOf(text)
	read := readers[format]
	switch {
	case read != nil:
		return read(withoutBOM(text))
	case format == Table || format == Markdown:
		return nil, &ReadError{Message: "a " + string(format) + " report, which is rounded for people"}
	}
	return nil, &ReadError{Message: "no results that can be recognised"}
}

// withoutBOM returns the text without the byte order mark that some programs on Windows write.
func withoutBOM(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\ufeff")) }

// A ReadError says what is wrong with a file of results.
type ReadError struct {
	Line    int // from 1; 0 is unknown
	Message string
}

func (e *ReadError) Error() string {
	if e.Line == 0 {
		return e.Message
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Message)
}
