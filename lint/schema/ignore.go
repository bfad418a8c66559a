package schema

import (
	"fmt"
	"regexp"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// The comments that excuse: the rules' IDs follow, with commas or spaces between, and then any
// text.
var (
	ownIgnore = regexp.MustCompile(`(?m)^[\s*]*protean:lint:ignore\b(.*)$`)
	bufIgnore = regexp.MustCompile(`(?m)^[\s*]*buf:lint:ignore\b(.*)$`)
	ruleID    = regexp.MustCompile(`^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$`)
)

// ignores remembers what the comments of a declaration excuse.
type ignores struct {
	comments []*regexp.Regexp
	of       map[protoreflect.Descriptor]map[string]bool
}

func newIgnores(o Options) *ignores {
	i := &ignores{comments: []*regexp.Regexp{ownIgnore}, of: make(map[protoreflect.Descriptor]map[string]bool)}
	if o.BufIgnores {
		i.comments = append(i.comments, bufIgnore)
	}
	return i
}

// Ignored reports whether a comment excuses a field or message from a rule.
func Ignored(id string, d protoreflect.Descriptor, o Options) bool {
	return newIgnores(o).excuse(id, d)
}

// excuse reports whether a declaration, or one that encloses it, has a comment that names the rule.
func (i *ignores) excuse(id string, d protoreflect.Descriptor) bool {
	if fd, ok := d.(protoreflect.FieldDescriptor); ok && fd.ContainingOneof() != nil &&
		i.ids(fd.ContainingOneof())[id] {
		return true
	}
	for ; d != nil; d = d.Parent() {
		if i.ids(d)[id] {
			return true
		}
	}
	return false
}

// ids are the rules that the comments of one declaration name.
func (i *ignores) ids(d protoreflect.Descriptor) map[string]bool {
	if found, ok := i.of[d]; ok {
		return found
	}
	found := make(map[string]bool)
	for _, text := range commentsOf(d) {
		for _, re := range i.comments {
			for _, m := range re.FindAllStringSubmatch(text, -1) {
				for _, id := range namedRules(m[1]) {
					found[id] = true
				}
			}
		}
	}
	i.of[d] = found
	return found
}

// commentsOf returns the comments that belong to a declaration; of a file, those of its syntax or
// edition and of its package.
func commentsOf(d protoreflect.Descriptor) []string {
	locations := d.ParentFile().SourceLocations()
	if d != d.ParentFile() {
		l := locations.ByDescriptor(d)
		return []string{l.LeadingComments, l.TrailingComments}
	}
	var out []string
	for _, field := range []int32{syntaxNumber, editionNumber, packageNumber} {
		l := locations.ByPath(protoreflect.SourcePath{field})
		out = append(append(out, l.LeadingDetachedComments...), l.LeadingComments)
	}
	return out
}

// The numbers of fields of google.protobuf.FileDescriptorProto.
const (
	packageNumber = 2
	syntaxNumber  = 12
	editionNumber = 14
)

// namedRules are the IDs at the beginning of what follows the word ignore.
func namedRules(text string) []string {
	var out []string
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(", \t\r", r) }) {
		if !ruleID.MatchString(strings.TrimSuffix(word, ":")) {
			break
		}
		out = append(out, strings.TrimSuffix(word, ":"))
	}
	return out
}

// comments reports comments that excuse nothing because of what they name.
func (c *checker) comments(f protoreflect.FileDescriptor) {
	locations := f.SourceLocations()
	seen := make(map[string]bool) // one comment may belong to several places
	for i := range locations.Len() {
		l := locations.Get(i)
		for _, text := range append(l.LeadingDetachedComments, l.LeadingComments, l.TrailingComments) {
			if seen[text] || !strings.Contains(text, "protean:lint:ignore") {
				continue
			}
			seen[text] = true
			for _, m := range ownIgnore.FindAllStringSubmatch(text, -1) {
				c.comment(f, l, namedRules(m[1]))
			}
		}
	}
}

// comment reports one comment unless all that it names are rules, and there is one.
func (c *checker) comment(f protoreflect.FileDescriptor, l protoreflect.SourceLocation, ids []string) {
	what := ""
	if len(ids) == 0 {
		what = "a comment protean:lint:ignore names no rule"
	}
	for _, id := range ids {
		if _, ok := RuleByID(id); !ok {
			what = fmt.Sprintf("a comment protean:lint:ignore names %s, which is no rule", id)
			break
		}
	}
	if what == "" {
		return
	}
	found := Finding{Rule: mustRule(Ignore), File: f, What: what}
	found.locate(l)
	c.found = append(c.found, found)
}
