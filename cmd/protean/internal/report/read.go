package report

import (
	"bytes"
	"fmt"
)

// readers are what reads the formats that can be read back.
var readers = map[Format]func(text []byte) (*Report, error){
	Table:    readTable,
	Markdown: readMarkdown,
	JSON:     readJSON,
	CSV:      readCSV,
	HTML:     readHTML,
}

// FormatOf recognises the format of a file of results by its content: one of [Formats],
// [HTML], or none. Of Go's benchmark format it is whether [Write] wrote it or go test.
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
	case bytes.Contains(text, []byte("variant ")) && bytes.Contains(text, []byte(" · ")):
		return Table
	}
	return ""
}

// hasBenchmark reports whether a line of the text is of Go's benchmark format.
func hasBenchmark(text []byte) bool {
	for line := range bytes.Lines(text) {
		if bytes.HasPrefix(line, []byte("Benchmark")) && len(bytes.Fields(line)) >= 4 || bytes.HasPrefix(bytes.TrimSpace(line), []byte("--- FAIL: Benchmark")) {
			return true
		}
	}
	return false
}

// Read reads a report in any format that [FormatOf] recognises but [Bench]. Only [JSON]
// and [HTML] hold all of it: what others leave out is missing, and figures that were
// rounded for people are as near as they can be known. An error is a *ReadError.
func Read(text []byte) (*Report, error) {
	read := readers[FormatOf(text)]
	if read == nil {
		return nil, &ReadError{Message: "no results that can be recognised"}
	}
	return read(withoutBOM(text))
}

// withoutBOM leaves out the mark that some programs for Windows begin a file with.
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
