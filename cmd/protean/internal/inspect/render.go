package inspect

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/protean-pb/protean/cmd/protean/internal/report"
)

// Options are how a listing is rendered.
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
	fewBytes     = 8 // in a line
	manyBytes    = 16
)

// A printer prints a listing as a table of five columns.
type printer struct {
	w       *bufio.Writer
	o       Options
	b       []byte // the message
	columns int    // of the terminal; 0 for as many as there are
	bytes   int    // in a line
	offset  int    // columns of each part
	size    int
	tag     int
}

// writeListing prints the lines of a message.
func writeListing(w io.Writer, s *Shown, o Options) error {
	p := &printer{w: bufio.NewWriter(w), o: o, b: s.Bytes, columns: o.Width, bytes: fewBytes}
	if p.columns == 0 {
		p.columns = defaultWidth
	}
	if p.columns >= wideTerminal {
		p.bytes = manyBytes
	}
	if o.Full {
		p.columns = 0
	}
	lines := s.Listing.Lines
	p.measure(lines)
	p.row("", "offset", "size", "bytes", "tag", "field")
	left := len(lines) - headLines - tailLines
	for i := range lines {
		switch {
		case o.Full || left <= 1 || i < headLines || i >= headLines+left:
			p.line(&lines[i])
		case i == headLines:
			p.row("2", "", "", "", "", fmt.Sprintf("… %d more fields, in %d bytes …", left, lines[i+left].Offset-lines[i].Offset))
		}
	}
	return p.w.Flush()
}

func (p *printer) measure(lines []Line) {
	p.offset, p.size, p.tag = len("offset"), len("size"), len("tag")
	for i := range lines {
		l := &lines[i]
		p.offset = max(p.offset, len(strconv.Itoa(l.Offset)))
		p.size = max(p.size, len(strconv.Itoa(l.Size())))
		p.tag = max(p.tag, len(tagText(l)))
	}
}

func tagText(l *Line) string { return fmt.Sprintf("%d %s", l.Number, wireName(l.WireType)) }

// row prints one line of text, cut where the terminal ends.
func (p *printer) row(code, offset, size, bytes, tag, field string) {
	text := fmt.Sprintf("%*s  %*s  %-*s  %-*s  %s", p.offset, offset, p.size, size, p.hexWidth(), bytes, p.tag, tag, field)
	p.print(p.paint(code, p.cut(text)))
}

// hexWidth is the width of the column of bytes, with room for the sign of more.
func (p *printer) hexWidth() int { return 3*p.bytes + 1 }

func (p *printer) print(text string) {
	p.w.WriteString(strings.TrimRight(text, " "))
	p.w.WriteByte('\n')
}

func (p *printer) cut(text string) string {
	if p.columns == 0 || utf8.RuneCountInString(text) <= p.columns {
		return text
	}
	return string([]rune(text)[:p.columns-1]) + "…"
}

func (p *printer) paint(code, text string) string {
	if !p.o.Color || code == "" || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// line prints a line of the listing, and with Full its further bytes below.
func (p *printer) line(l *Line) {
	all := p.b[l.Offset : l.Offset+l.Size()]
	first := all[:min(len(all), p.bytes)]
	more := " "
	if len(first) < len(all) && !p.o.Full {
		more = "…"
	}
	before := fmt.Sprintf("%*d  %*d  ", p.offset, l.Offset, p.size, l.Size())
	space := strings.Repeat(" ", p.hexWidth()-3*len(first)-1)
	tag := fmt.Sprintf("  %-*s  ", p.tag, tagText(l))
	rest := p.cut(strings.Repeat(" ", len(before)+p.hexWidth()+len(tag)) + fieldText(l))[len(before)+p.hexWidth()+len(tag):]
	p.print(p.paint("2", before) + p.hex(l, first) + more + space + tag + p.painted(l, rest))
	for at := p.bytes; p.o.Full && at < len(all); at += p.bytes {
		p.print(fmt.Sprintf("%s%s", p.paint("2", fmt.Sprintf("%*d  %*s  ", p.offset, l.Offset+at, p.size, "")),
			spaced(all[at:min(at+p.bytes, len(all))])))
	}
}

// painted marks what is odd about a field.
func (p *printer) painted(l *Line, text string) string {
	before, note, found := strings.Cut(text, noteSign)
	if l.Note == "" || !found {
		return text
	}
	return before + p.paint("31", noteSign+note)
}

// hex prints bytes, tag and length each in a colour of its own.
func (p *printer) hex(l *Line, b []byte) string {
	tag := b[:min(len(b), l.Tag)]
	length := b[len(tag):min(len(b), l.Tag+l.Length)]
	parts := []string{p.paint("36", spaced(tag))}
	if len(length) > 0 {
		parts = append(parts, p.paint("33", spaced(length)))
	}
	if v := b[len(tag)+len(length):]; len(v) > 0 {
		parts = append(parts, spaced(v))
	}
	return strings.Join(parts, " ")
}

// spaced writes bytes in hexadecimal with spaces between.
func spaced(b []byte) string {
	var out strings.Builder
	for i, x := range b {
		if i > 0 {
			out.WriteByte(' ')
		}
		out.WriteString(hex.EncodeToString([]byte{x}))
	}
	return out.String()
}

const noteSign = "  ! "

// mostIndented bounds the indentation; what is nested deeper has its depth in front.
const mostIndented = 12

// fieldText writes the name and the value of a field, as deep as it is nested.
func fieldText(l *Line) string {
	indent := strings.Repeat("  ", min(l.Depth, mostIndented))
	if l.Depth > mostIndented {
		indent += fmt.Sprintf("(%d) ", l.Depth)
	}
	text := indent + l.Name
	if l.Name == "" {
		text += strconv.Itoa(int(l.Number))
	}
	switch {
	case l.WireType == protowire.EndGroupType:
		text += ": end"
	case l.Nested >= 0:
		text += ": " + nestedText(l)
	default:
		text += ": " + l.Text
	}
	if l.Note != "" {
		text += noteSign + l.Note
	}
	return text
}

// nestedText says what a message is: its type and size, and what it means.
func nestedText(l *Line) string {
	text := l.Type
	if text == "" {
		text = "message"
	}
	text += fmt.Sprintf(", %d bytes", l.Nested)
	if l.Text != "" {
		text = l.Text + " (" + text + ")"
	}
	return text
}
