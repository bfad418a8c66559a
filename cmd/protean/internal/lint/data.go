package lint

import (
	"cmp"
	"fmt"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/cmd/protean/internal/suite"
	"github.com/protean-pb/protean/lint/schema"
)

// Data is what samples say of their fields.
type Data struct {
	Message string // full name of their type
	Samples int
	// Bytes is the size of all samples, and Largest that of the largest.
	Bytes, Largest int
	LargestAt      string // its source
	// Deepest is the most messages that are nested in a sample, itself included.
	Deepest     int
	DeepestAt   string // the source of the sample
	DeepestPath string
	// Fields are those that a rule is about, of any message, the largest first.
	Fields []Field
	// Integers are typed fields of 64 bits with values beyond 2^53.
	Integers []*Integers
}

// A Field is what the samples have in one field, all places of it together.
type Field struct {
	Name, Type string // full names; of a map, the type of its values
	Rule       string
	// Values is how many there are: elements of lists and entries of maps one by one.
	Values int
	// Bytes is what the field takes, tags and lengths included. Keys of that are the keys of
	// objects, and Repeated the keys that occurred before, in this or an earlier sample.
	Bytes, Keys, Repeated int
	Times                 Times

	bodies [][]byte // the messages of the values, for the clock; they share memory with the samples
	kept   int      // bytes of bodies
	seen   map[string]bool
}

// Integers says how many values of a typed field are beyond 2^53, and where the first is.
type Integers struct {
	Field string
	Count int
	First string // the value and its place
}

// exact is the magnitude up to which a double holds every integer.
const exact = 1 << 53

// Look looks at all samples of a payload, and returns what is wrong with them.
func Look(s *suite.Suite, p *suite.Payload) (*Data, []Finding) {
	l := &look{
		data:   &Data{Message: string(p.Message.FullName()), Samples: len(p.Samples)},
		schema: s.Schema, fields: make(map[protoreflect.FullName]*Field),
		faults: make(map[fault]*occurrences), integers: make(map[protoreflect.FullName]*Integers),
	}
	for i := range p.Samples {
		l.sample(p.Message, &p.Samples[i])
	}
	for _, f := range l.order {
		l.data.Fields = append(l.data.Fields, *f)
	}
	slices.SortStableFunc(l.data.Fields, func(a, b Field) int { return cmp.Compare(b.Bytes, a.Bytes) })
	return l.data, l.findings(p.Message)
}

// A look walks samples and adds up.
type look struct {
	data     *Data
	schema   *suite.Schema
	fields   map[protoreflect.FullName]*Field
	order    []*Field
	faults   map[fault]*occurrences
	found    []fault // in the order of the first occurrences
	integers map[protoreflect.FullName]*Integers
	// Of the sample at hand:
	source string
	path   path
}

// A fault is what one rule finds in one field.
type fault struct {
	rule string
	in   protoreflect.FieldDescriptor
}

type occurrences struct {
	count int
	first string // what, and where
}

func (l *look) sample(md protoreflect.MessageDescriptor, s *suite.Sample) {
	l.source, l.path = s.Source, l.path[:0]
	size := len(s.Wire)
	l.data.Bytes += size
	if size > l.data.Largest || l.data.LargestAt == "" {
		l.data.Largest, l.data.LargestAt = size, s.Source
	}
	l.message(md, s.Wire, 1, nil, nil)
}

// findings are the faults as the rules have it, at the fields that hold them.
func (l *look) findings(md protoreflect.MessageDescriptor) []Finding {
	var out []Finding
	for _, f := range l.found {
		o := l.faults[f]
		what := fmt.Sprintf("%s %s has %s", kindOf(f.in), f.in.FullName(), o.text(f.rule))
		out = append(out, at(l.schema, f.rule, f.in, what)...)
	}
	if d := l.data; d.Deepest > schema.DepthLimit {
		out = append(out, at(l.schema, schema.DataDepth, md,
			fmt.Sprintf("a message %s is nested %d levels deep, at %s in %s",
				md.FullName(), d.Deepest, d.DeepestPath, d.DeepestAt))...)
	}
	if d := l.data; d.Largest > schema.SizeLimit {
		out = append(out, at(l.schema, schema.DataSize, md,
			fmt.Sprintf("a message %s takes %d bytes in binary form, %s",
				md.FullName(), d.Largest, d.LargestAt))...)
	}
	return out
}

func kindOf(fd protoreflect.FieldDescriptor) string {
	if fd.IsExtension() {
		return "extension"
	}
	return "field"
}

// text: "3 integers of 2^53 or more, the first 9007199254740993 at data.id in a.jsonl:3".
func (o *occurrences) text(rule string) string {
	one, many := "integer of 2^53 or more", "integers of 2^53 or more"
	switch rule {
	case schema.DataFinite:
		one, many = "number that is not finite", "numbers that are not finite"
	case schema.DataNoKind:
		one, many = "Value without a kind", "Values without a kind"
	}
	if o.count == 1 {
		return fmt.Sprintf("1 %s, %s", one, o.first)
	}
	return fmt.Sprintf("%d %s, the first %s", o.count, many, o.first)
}

// fault counts one; what is shown of the first alone.
func (l *look) fault(rule string, in protoreflect.FieldDescriptor, what func() string) {
	f := fault{rule, in}
	o := l.faults[f]
	if o == nil {
		o = &occurrences{first: what() + "at " + l.path.String() + " in " + l.source}
		l.faults[f] = o
		l.found = append(l.found, f)
	}
	o.count++
}

// entry accounts for one occurrence of a field that a rule is about.
func (l *look) entry(fd protoreflect.FieldDescriptor, rule string, size int) *Field {
	f := l.fields[fd.FullName()]
	if f == nil {
		md := fd.Message()
		if fd.IsMap() {
			md = fd.MapValue().Message()
		}
		f = &Field{Name: string(fd.FullName()), Type: string(md.FullName()), Rule: rule, seen: make(map[string]bool)}
		l.fields[fd.FullName()] = f
		l.order = append(l.order, f)
	}
	f.Values++
	f.Bytes += size
	return f
}

// maxTimed bounds the bytes of a field that are timed.
const maxTimed = 1 << 20

// keep remembers a value for the clock.
func (f *Field) keep(body []byte) {
	if f.kept == 0 || f.kept+len(body) <= maxTimed {
		f.bodies = append(f.bodies, body)
		f.kept += len(body)
	}
}

// key accounts for the key of an object: its tag, its length and its text.
func (f *Field) key(text []byte) {
	size := 1 + protowire.SizeBytes(len(text))
	f.Keys += size
	if f.seen[string(text)] {
		f.Repeated += size
	} else {
		f.seen[string(text)] = true
	}
}
