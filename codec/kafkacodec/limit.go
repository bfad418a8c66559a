package kafkacodec

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/types/descriptorpb"
)

// What a file of the registry may have. The compiler takes kilobytes for each bracket that is open, and writes out the
// full name of all that is declared, of which the names of what is around it are parts.
const (
	maxBrackets = 200
	maxNames    = 32 << 20 // bytes of all full names together
)

// A sourceScanner goes through a source as far as its limits need it.
type sourceScanner struct {
	text   string
	word   string // the last name, dots included
	before string // the one before it
	scopes []int  // how long the full names are of what the brackets that are open belong to
	names  int    // bytes of full names so far
}

// checkSource refuses a source that would take more memory than is in proportion to it. It need not be well-formed.
func checkSource(text string) error {
	s := sourceScanner{text: text, scopes: []int{0}}
	for i := 0; i < len(text); {
		i = s.next(i)
		if len(s.scopes) > maxBrackets+1 {
			return fmt.Errorf("brackets are nested more than %d deep", maxBrackets)
		}
		if s.names > maxNames {
			return errNames
		}
	}
	return nil
}

var errNames = fmt.Errorf("the full names in it have more than %d bytes together", maxNames)

// next reads what is at i, and returns where it ends.
func (s *sourceScanner) next(i int) int {
	top := len(s.scopes) - 1
	switch c := s.text[i]; {
	case isName(c):
		return s.name(i)
	case c == '{' || c == '[' || c == '(':
		s.scopes = append(s.scopes, s.scopes[top]+len(s.word)+1)
	case (c == '}' || c == ']' || c == ')') && top > 0:
		s.scopes = s.scopes[:top]
	case c == ';' || c == ',':
		if s.names += s.scopes[top] + len(s.word); s.before == "package" && top == 0 {
			s.scopes[0] = len(s.word) + 1
		}
	case c == '"' || c == '\'':
		return s.endOfString(i)
	case c == '/':
		return s.endOfComment(i)
	}
	return i + 1
}

func isName(c byte) bool {
	return c == '.' || c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// name reads a name, or a number, which is none.
func (s *sourceScanner) name(i int) int {
	end := i
	for end < len(s.text) && isName(s.text[end]) {
		end++
	}
	if c := s.text[i]; c < '0' || c > '9' {
		s.before, s.word = s.word, s.text[i:end]
	}
	return end
}

// endOfString returns where the string that begins at i ends: with the line if it has no second quote.
func (s *sourceScanner) endOfString(i int) int {
	for j := i + 1; j < len(s.text); j++ {
		switch s.text[j] {
		case s.text[i], '\n':
			return j + 1
		case '\\':
			j++
		}
	}
	return len(s.text)
}

// endOfComment returns where the comment that begins at i ends; behind the slash if that is none.
func (s *sourceScanner) endOfComment(i int) int {
	end := ""
	switch rest := s.text[i:]; {
	case strings.HasPrefix(rest, "//"):
		end = "\n"
	case strings.HasPrefix(rest, "/*"):
		end = "*/"
	default:
		return i + 1
	}
	if n := strings.Index(s.text[i+2:], end); n >= 0 {
		return i + 2 + n + len(end)
	}
	return len(s.text)
}

// checkDescriptor is checkSource for a descriptor.
func checkDescriptor(fdp *descriptorpb.FileDescriptorProto) error {
	if depth(fdp.MessageType) >= maxIndexes {
		return fmt.Errorf("message types are nested more than %d deep", maxIndexes)
	}
	prefix := len(fdp.GetPackage()) + 1
	total := namesIn(prefix, fdp.MessageType) + prefix*(len(fdp.Extension)+len(fdp.Service))
	for _, e := range fdp.EnumType {
		total += (prefix + len(e.GetName()) + 1) * (1 + len(e.Value))
	}
	if total > maxNames {
		return errNames
	}
	return nil
}

func depth(messages []*descriptorpb.DescriptorProto) int {
	deepest := 0
	for _, m := range messages {
		deepest = max(deepest, 1+depth(m.NestedType))
	}
	return deepest
}

func namesIn(prefix int, messages []*descriptorpb.DescriptorProto) int {
	total := 0
	for _, m := range messages {
		own := prefix + len(m.GetName()) + 1
		total += own * (1 + len(m.Field) + len(m.Extension) + len(m.OneofDecl))
		for _, e := range m.EnumType {
			total += (own + len(e.GetName()) + 1) * (1 + len(e.Value))
		}
		total += namesIn(own, m.NestedType)
	}
	return total
}
