package inspect

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/protean-pb/protean/cmd/protean/internal/report"
)

// Options are how listings are rendered.
type Options struct {
	report.Options
	// Full leaves nothing out: no line, no byte, no character.
	Full bool
}

// What is shown of a long listing: a screen or two of its beginning, and its end,
// since that is where what is wrong is.
const (
	headLines = 150
	tailLines = 50
)

const (
	defaultWidth = 80
	wideTerminal = 120
	fewBytes     = 9 // of a line: a tag and a number of 64 bits
	manyBytes    = 16
	leastField   = 12 // columns of a field, however narrow the terminal
)

// The colours of a listing.
const (
	colorHead   = "1"
	colorFaint  = "2"
	colorNote   = "31"
	colorTag    = "36"
	colorLength = "33"
)

// A printer prints a listing as a table of five columns.
type printer struct {
	w     *bufio.Writer
	o     Options
	b     []byte // the message
	bytes int    // of a line
	// offset, size and tag are columns, and field those that are left; 0 for no end.
	offset, size, tag, field int
	step                     int // columns of indentation
}

// writeListing prints the lines of a message.
func writeListing(w io.Writer, s *Shown, o Options) error {
	p := &printer{w: bufio.NewWriter(w), o: o, b: s.Bytes}
	lines := s.Listing.Lines
	p.measure(s)
	p.head()
	left := len(lines) - headLines - tailLines
	for i := range lines {
		switch {
		case o.Full || left <= 1 || i < headLines || i >= headLines+left:
			p.line(&lines[i])
		case i == headLines:
			p.print("", "", nil, "", p.paint(colorFaint,
				fmt.Sprintf("… %d more lines, of %d bytes (--full)", left, lines[i+left].Offset-lines[i].Offset)))
		}
	}
	p.rest(s.Listing)
	return p.w.Flush()
}

// rest prints the bytes that have no lines because something is wrong.
func (p *printer) rest(l *Listing) {
	at := l.Counts.Total()
	rest := p.b[at:]
	if len(rest) == 0 {
		return
	}
	why := "no whole field"
	if l.Problem.Offset == at {
		why = l.Problem.Message
	}
	p.line(&Line{Offset: at, Value: len(rest), Nested: -1, Note: why})
}

// measure finds the widths of the columns.
func (p *printer) measure(s *Shown) {
	all, deepest := len(s.Bytes), 0
	p.offset, p.tag = max(len("at"), len(strconv.Itoa(all))), len("tag")
	p.size = max(len("size"), len(strconv.Itoa(all-s.Listing.Counts.Total())))
	for i := range s.Listing.Lines {
		l := &s.Listing.Lines[i]
		p.size = max(p.size, len(strconv.Itoa(l.Size())))
		p.tag = max(p.tag, len(tagText(l)))
		deepest = max(deepest, l.Depth)
	}
	columns := p.o.Width
	if columns == 0 {
		columns = defaultWidth
	}
	p.bytes = fewBytes
	if columns >= wideTerminal {
		p.bytes = manyBytes
	}
	if !p.o.Full {
		p.field = max(leastField, columns-p.offset-p.size-3*p.bytes-p.tag-7)
	}
	p.step = 2
	if p.field > 0 && 2*deepest > p.field/2 {
		p.step = 1
	}
}

func tagText(l *Line) string { return fmt.Sprintf("%d %s", l.Number, wireName(l.WireType)) }

func (p *printer) head() {
	p.print("at", "size", []string{"bytes"}, "tag", "field")
}

// print prints a line of which the parts of the bytes and the field have their colours.
func (p *printer) print(offset, size string, bytes []string, tag, field string) {
	before := fmt.Sprintf("%*s  %*s  ", p.offset, offset, p.size, size)
	text := strings.Join(bytes, "")
	space := strings.Repeat(" ", max(0, 3*p.bytes-utf8.RuneCountInString(text)))
	colors := []string{colorTag, colorLength, "", ""}
	if len(bytes) > 1 {
		for i := range bytes {
			bytes[i] = p.paint(colors[i], bytes[i])
		}
	}
	line := p.paint(colorFaint, before) + strings.Join(bytes, "") + space + fmt.Sprintf(" %-*s  ", p.tag, tag) + field
	p.w.WriteString(strings.TrimRight(line, " ") + "\n")
}

// paint colours text, but for the spaces at its end.
func (p *printer) paint(code, text string) string {
	core := strings.TrimRight(text, " ")
	if !p.o.Color || code == "" || core == "" {
		return text
	}
	return "\x1b[" + code + "m" + core + "\x1b[0m" + text[len(core):]
}

// line prints a line of the listing, and with Full its further bytes below.
func (p *printer) line(l *Line) {
	all := p.b[l.Offset : l.Offset+l.Size()]
	first := all[:min(len(all), p.bytes)]
	tag := first[:min(len(first), l.Tag)]
	length := first[len(tag):min(len(first), l.Tag+l.Length)]
	parts := []string{spaced(tag), spaced(length), spaced(first[len(tag)+len(length):]), ""}
	if len(first) < len(all) && !p.o.Full {
		parts[2], parts[3] = strings.TrimRight(parts[2], " "), "…"
	}
	tagged, field := tagText(l), p.fieldText(l)
	if l.Tag == 0 { // what is no field
		tagged, field = "", p.paint(colorNote, p.cut("! "+l.Note, p.field))
	}
	p.print(strconv.Itoa(l.Offset), strconv.Itoa(l.Size()), parts, tagged, field)
	for at := p.bytes; p.o.Full && at < len(all); at += p.bytes {
		p.print(strconv.Itoa(l.Offset+at), "", []string{spaced(all[at:min(at+p.bytes, len(all))])}, "", "")
	}
}

// spaced writes bytes in hexadecimal with a space after each.
func spaced(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	return fmt.Sprintf("% x ", b)
}

// fieldText writes the name and the value of a field, as deep as it is nested, and
// what is odd about it.
func (p *printer) fieldText(l *Line) string {
	text := p.indentation(l.Depth) + l.Name
	if l.Name == "" {
		text += strconv.Itoa(int(l.Number))
	}
	switch {
	case l.WireType == protowire.EndGroupType:
		text += ": end of the group"
	case l.Nested >= 0:
		text += ": " + nestedText(l)
	default:
		text += ": " + l.Text
	}
	if l.Note == "" {
		return p.cut(text, p.field)
	}
	note := "  ! " + l.Note
	return p.cut(text, max(leastField, p.field-utf8.RuneCountInString(note))) + p.paint(colorNote, note)
}

// cut shortens text to so many columns; 0 is no bound.
func (p *printer) cut(text string, columns int) string {
	if p.field == 0 || utf8.RuneCountInString(text) <= columns {
		return text
	}
	return string([]rune(text)[:columns-1]) + "…"
}

// mostIndented bounds the indentation, in columns; what is nested deeper has its depth in
// front.
const mostIndented = 20

func (p *printer) indentation(depth int) string {
	if n := depth * p.step; n <= mostIndented {
		return strings.Repeat(" ", n)
	}
	return strings.Repeat(" ", mostIndented) + fmt.Sprintf("(%d) ", depth)
}

// nestedText says what a message is: its type, without its package, and size, and what
// it means.
func nestedText(l *Line) string {
	kind := l.Type[strings.LastIndexByte(l.Type, '.')+1:]
	if kind == "" {
		kind = "message"
	}
	text := fmt.Sprintf("%s, %d bytes", kind, l.Nested)
	if l.Text != "" {
		text = l.Text + " (" + text + ")"
	}
	return text
}
