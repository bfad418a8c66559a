package jstypes

import (
	"bytes"
	"fmt"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

// A printer gathers lines, indented by the blocks that are open.
type printer struct {
	text  bytes.Buffer
	depth int
}

func (p *printer) linef(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	if line != "" {
		p.text.WriteString(strings.Repeat("  ", p.depth))
	}
	p.text.WriteString(line)
	p.text.WriteByte('\n')
}

// open writes the line that begins a block.
func (p *printer) open(format string, args ...any) {
	p.linef(format, args...)
	p.depth++
}

// close ends the innermost block.
func (p *printer) close() {
	p.depth--
	p.linef("}")
}

// doc writes the comment of a declaration in the schema as a JSDoc comment.
func (p *printer) doc(d protoreflect.Descriptor) {
	lines := comment(d)
	if isDeprecated(d) {
		lines = append(lines, "@deprecated")
	}
	switch len(lines) {
	case 0:
	case 1:
		p.linef("/** %s */", lines[0])
	default:
		p.linef("/**")
		for _, line := range lines {
			p.linef("%s", strings.TrimRight(" * "+line, " "))
		}
		p.linef(" */")
	}
}

// comment returns the lines of the comments before and behind a declaration.
func comment(d protoreflect.Descriptor) []string {
	location := d.ParentFile().SourceLocations().ByDescriptor(d)
	var lines []string
	for _, text := range []string{location.LeadingComments, location.TrailingComments} {
		text = strings.Trim(text, "\n")
		if strings.TrimSpace(text) == "" {
			continue
		}
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		for _, line := range strings.Split(text, "\n") {
			line = strings.TrimRight(strings.TrimPrefix(line, " "), " \t\r")
			lines = append(lines, strings.ReplaceAll(line, "*/", "*\\/"))
		}
	}
	return lines
}

// isDeprecated reports whether the schema marks a declaration so.
func isDeprecated(d protoreflect.Descriptor) bool {
	switch o := d.Options().(type) {
	case *descriptorpb.MessageOptions:
		return o.GetDeprecated()
	case *descriptorpb.FieldOptions:
		return o.GetDeprecated()
	case *descriptorpb.EnumOptions:
		return o.GetDeprecated()
	case *descriptorpb.EnumValueOptions:
		return o.GetDeprecated()
	}
	return false
}
