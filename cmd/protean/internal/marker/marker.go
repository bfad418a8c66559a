// Package marker finds what stands between two HTML comments in a Markdown file, and
// replaces it.
//
//	<!-- protean:begin payloads=medium ops=marshal -->
//	… a place: what stands here is replaced
//	<!-- protean:end -->
//
// Each marker has a line to itself. The first one names what stands between them, in
// attributes: NAME=VALUE, the value in double quotes where it has spaces. Markers in
// fenced blocks of code are text like any other.
package marker

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/protean-pb/protean/cmd/protean/internal/usererr"
)

// A File is a Markdown file with its places.
type File struct {
	Path   string
	Places []*Place // in order

	text []byte
}

// A Place is what stands between two markers.
type Place struct {
	Line       int // of the first marker, from 1
	Attributes []Attribute

	start, end int    // of the text between the markers' lines
	indent     string // of the first marker
	newline    string // that ends its line
}

// An Attribute is a NAME=VALUE of a marker.
type Attribute struct{ Name, Value string }

// Parse finds the places in a file's text. Markers that are not in order, or that
// cannot be understood, are a *usererr.InputError; a file without markers is not.
func Parse(path string, text []byte) (*File, error) {
	f := &File{Path: path, text: text}
	var (
		fence fence
		open  *Place
		at    int
	)
	for number := 1; at < len(text); number++ {
		line, next := cutLine(text, at)
		m, err := parseMarker(line)
		switch inFence := fence.step(line); {
		case inFence:
		case err != nil:
			return nil, f.errorf(number, "%s", err)
		case m == nil:
		case m.verb == "begin" && open != nil:
			return nil, f.errorf(number, "protean:begin before the protean:end of the one in line %d", open.Line)
		case m.verb == "begin":
			open = &Place{Line: number, Attributes: m.attributes, start: next, indent: m.indent,
				newline: string(text[at+len(line) : next])}
		case open == nil:
			return nil, f.errorf(number, "protean:end without a protean:begin")
		default:
			open.end = at
			f.Places = append(f.Places, open)
			open = nil
		}
		at = next
	}
	if open != nil {
		return nil, f.errorf(open.Line, "protean:begin has no protean:end")
	}
	return f, nil
}

func (f *File) errorf(line int, format string, args ...any) error {
	return &usererr.InputError{File: f.Path, Line: line, Message: fmt.Sprintf(format, args...)}
}

// Errorf makes an error about a place, with its line.
func (f *File) Errorf(p *Place, format string, args ...any) error {
	return f.errorf(p.Line, format, args...)
}

// Replace returns the file's text with other text in the places that have some; all
// else is the same, byte for byte. Lines of the new text end as the marker's does, and
// are indented as it is.
func (f *File) Replace(with map[*Place]string) []byte {
	var out []byte
	at := 0
	for _, p := range f.Places {
		text, ok := with[p]
		if !ok {
			continue
		}
		out = append(out, f.text[at:p.start]...)
		for line := range strings.Lines(text) {
			if line = strings.TrimRight(line, "\r\n"); line != "" {
				line = p.indent + line
			}
			out = append(out, line+p.newline...)
		}
		at = p.end
	}
	return append(out, f.text[at:]...)
}

// cutLine returns the line that begins at an offset, without its end, and where the
// next one begins.
func cutLine(text []byte, at int) (line string, next int) {
	rest := text[at:]
	end := bytes.IndexByte(rest, '\n')
	if end < 0 {
		return string(rest), len(text)
	}
	return strings.TrimSuffix(string(rest[:end]), "\r"), at + end + 1
}

// A command is what a marker says.
type command struct {
	indent, verb string
	attributes   []Attribute
}

const opening = "<!-- protean:"

// parseMarker returns nil for a line that is no marker.
func parseMarker(line string) (*command, error) {
	trimmed := strings.TrimSpace(line)
	body, ok := strings.CutPrefix(trimmed, opening)
	if !ok {
		return nil, nil
	}
	body, ok = strings.CutSuffix(body, "-->")
	if !ok {
		return nil, fmt.Errorf("a marker must end with --> on its line, and nothing may follow")
	}
	verb, rest, _ := strings.Cut(strings.TrimSpace(body), " ")
	if verb != "begin" && verb != "end" {
		return nil, fmt.Errorf("unknown marker protean:%s%s", verb, usererr.DidYouMean(verb, []string{"begin", "end"}))
	}
	m := &command{indent: line[:strings.Index(line, opening)], verb: verb}
	var err error
	if m.attributes, err = parseAttributes(rest); err != nil {
		return nil, err
	}
	if verb == "end" && len(m.attributes) > 0 {
		return nil, fmt.Errorf("protean:end has no attributes")
	}
	return m, nil
}

var attribute = regexp.MustCompile(`^\s*([a-z-]+)=(?:"([^"]*)"|([^\s"]+))(?:\s+|$)`)

func parseAttributes(text string) ([]Attribute, error) {
	var out []Attribute
	for text = strings.TrimSpace(text); text != ""; {
		m := attribute.FindStringSubmatch(text)
		if m == nil {
			return nil, fmt.Errorf(`%q: expected NAME=VALUE or NAME="VALUE"`, text)
		}
		for _, a := range out {
			if a.Name == m[1] {
				return nil, fmt.Errorf("%s is given twice", a.Name)
			}
		}
		out = append(out, Attribute{m[1], m[2] + m[3]})
		text = text[len(m[0]):]
	}
	return out, nil
}

// A fence is the state of fenced blocks of code: what the open one began with.
type fence struct{ open string }

var fenceLine = regexp.MustCompile("^ *(```+|~~~+)(.*)$")

// step takes in a line, and reports whether it is in a fenced block or an edge of one.
func (f *fence) step(line string) bool {
	m := fenceLine.FindStringSubmatch(line)
	switch {
	case f.open == "" && m == nil, f.open == "" && m[1][0] == '`' && strings.Contains(m[2], "`"):
		return false // the latter is code within a line
	case f.open == "":
		f.open = m[1]
	case m != nil && strings.HasPrefix(m[1], f.open) && strings.TrimSpace(m[2]) == "":
		f.open = ""
	}
	return true
}
