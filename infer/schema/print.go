package schema

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// imports are the files of the types that are not the file's own.
var imports = map[string]string{
	Timestamp: "google/protobuf/timestamp.proto",
	Value:     "google/protobuf/struct.proto",
	Struct:    "google/protobuf/struct.proto",
	ListValue: "google/protobuf/struct.proto",
}

// commentWidth is how wide a line of a comment is at most, in characters; words that are longer stay whole.
const commentWidth = 96

// Print returns the file as buf format would write it.
func (f *File) Print() []byte {
	p := &printer{file: f}
	p.line(0, `syntax = "proto3";`)
	p.line(0, "")
	p.line(0, "package %s;", f.Package)
	if used := f.imports(); len(used) > 0 {
		p.line(0, "")
		for _, path := range used {
			p.line(0, "import %q;", path)
		}
	}
	if f.GoPackage != "" {
		p.line(0, "")
		p.line(0, "option go_package = %s;", Quote(f.GoPackage))
	}
	for _, m := range f.Messages {
		p.line(0, "")
		p.message(m)
	}
	for _, e := range f.Enums {
		p.line(0, "")
		p.enum(e)
	}
	return []byte(p.out.String())
}

func (f *File) imports() []string {
	var used []string
	for _, m := range f.Messages {
		for _, field := range m.Fields {
			if path := imports[field.Type.Name]; path != "" && !slices.Contains(used, path) {
				used = append(used, path)
			}
		}
	}
	slices.Sort(used)
	return used
}

type printer struct {
	file *File
	out  strings.Builder
}

func (p *printer) line(indent int, format string, args ...any) {
	p.out.WriteString(strings.Repeat("  ", indent))
	fmt.Fprintf(&p.out, format, args...)
	p.out.WriteByte('\n')
}

func (p *printer) comment(indent int, sentences []string) {
	for _, s := range sentences {
		for _, l := range wrap(s, commentWidth-2*indent) {
			p.line(indent, "// %s", l)
		}
	}
}

// wrap breaks a text into lines. What is not printable is escaped: a comment ends with its line.
func wrap(s string, width int) []string {
	var lines []string
	line, room := "", 0
	for _, word := range strings.Fields(printable(s)) {
		size := utf8.RuneCountInString(word)
		if line != "" && size+1 > room {
			lines = append(lines, line)
			line = ""
		}
		if line == "" {
			line, room = word, width-size
			continue
		}
		line += " " + word
		room -= size + 1
	}
	return append(lines, line)
}

func printable(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strconv.IsPrint(r) {
			b.WriteRune(r)
		} else {
			q := strconv.QuoteRune(r)
			b.WriteString(q[1 : len(q)-1])
		}
	}
	return b.String()
}

func (p *printer) message(m *Message) {
	p.comment(0, m.Comment)
	if len(m.Fields) == 0 && len(m.Reserved) == 0 {
		p.line(0, "message %s {}", m.Name)
		return
	}
	p.line(0, "message %s {", m.Name)
	p.reserved(m)
	var in, out []*Field
	for _, f := range m.Fields {
		if m.InOneof(f) {
			in = append(in, f)
		} else {
			out = append(out, f)
		}
	}
	if len(in) > 0 {
		p.line(1, "oneof %s {", m.Oneof)
		p.fields(2, in)
		p.line(1, "}")
		if len(out) > 0 {
			p.line(0, "")
		}
	}
	p.fields(1, out)
	p.line(0, "}")
}

// fields prints fields, and unions where their first members are.
func (p *printer) fields(indent int, fields []*Field) {
	blank, first := false, true
	var done []*Union
	for _, f := range fields {
		if slices.Contains(done, f.Union) {
			continue
		}
		if (blank || len(f.Comment) > 0 || f.Union != nil) && !first {
			p.line(0, "")
		}
		first, blank = false, len(f.Comment) > 0 || f.Union != nil
		if f.Union == nil {
			p.comment(indent, f.Comment)
			p.field(indent, f)
			continue
		}
		done = append(done, f.Union)
		p.union(indent, f.Union, fields)
	}
}

func (p *printer) union(indent int, u *Union, fields []*Field) {
	p.comment(indent, u.Comment)
	p.line(indent, "oneof %s {", u.Oneof)
	first := true
	for _, f := range fields {
		if f.Union != u {
			continue
		}
		if !first {
			p.line(0, "")
		}
		first = false
		p.comment(indent+1, f.Comment)
		p.field(indent+1, f)
	}
	p.line(indent, "}")
}

func (p *printer) reserved(m *Message) {
	if len(m.Reserved) == 0 {
		return
	}
	var numbers, names []string
	for _, f := range m.Reserved {
		numbers = append(numbers, strconv.Itoa(int(f.Number)))
		if !f.NameInUse && !slices.Contains(names, Quote(f.Name)) {
			names = append(names, Quote(f.Name))
		}
	}
	p.list("reserved", numbers)
	p.list("reserved", names)
	if len(m.Fields) > 0 {
		p.line(0, "")
	}
}

// list writes a statement with a list.
func (p *printer) list(statement string, items []string) {
	if len(items) > 0 {
		p.line(1, "%s %s;", statement, strings.Join(items, ", "))
	}
}

func (p *printer) field(indent int, f *Field) {
	t := f.Type
	if t.Message == nil && t.Enum == nil && strings.Contains("."+p.file.Package, ".google") {
		t.Name = strings.Replace(t.Name, "google.", ".google.", 1)
	}
	text := t.String()
	if f.Optional && t.Cardinality == Singular && t.Scalar() {
		text = "optional " + text
	}
	text += fmt.Sprintf(" %s = %d", f.Name, f.Number)
	if f.Key != JSONName(f.Name) {
		text += fmt.Sprintf(" [json_name = %s]", Quote(f.Key))
	}
	p.line(indent, "%s;", text)
}

func (p *printer) enum(e *Enum) {
	p.line(0, "enum %s {", e.Name)
	for _, v := range e.Values {
		p.line(1, "%s = %d;", v.Name, v.Number)
	}
	p.line(0, "}")
}

// JSONName returns the name that a field has in JSON if nothing is said.
func JSONName(name string) string {
	var b strings.Builder
	upper := false
	for i := range len(name) {
		c := name[i]
		switch {
		case c == '_':
			upper = true
			continue
		case upper && c >= 'a' && c <= 'z':
			c -= 'a' - 'A'
		}
		upper = false
		b.WriteByte(c)
	}
	return b.String()
}

// Quote returns a string literal of a .proto file. Bytes beyond ASCII stay as they are if they are printable.
func Quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case strconv.IsPrint(r):
			b.WriteRune(r)
		default:
			for _, c := range []byte(string(r)) {
				fmt.Fprintf(&b, `\%03o`, c)
			}
		}
	}
	b.WriteByte('"')
	return b.String()
}
