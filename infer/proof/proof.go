// Package proof holds samples against a schema: each is read as JSON into a message, written in wire form, read from
// that, and written as JSON, which is compared with the sample.
package proof

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/infer/adapt"
	"github.com/protean-pb/protean/infer/schema"
	"github.com/protean-pb/protean/proto"
	"github.com/protean-pb/protean/protojson"
	"github.com/protean-pb/protean/value"
)

// A Level says how much of a sample comes back.
type Level uint8

// The levels, the best first.
const (
	// SameText is the same text but for white space.
	SameText Level = iota
	// SameJSON is the same JSON: members may have another order, numbers and strings another spelling.
	SameJSON
	// SameValue is a value that means the same to readers by the schema: absent instead of null or zero, a string
	// instead of a 64-bit integer, a time in another spelling.
	SameValue
	// Lossy is less, or an error.
	Lossy
	levels
)

// String returns the name of the level.
func (l Level) String() string {
	return [...]string{"same text", "same JSON", "same value", "lossy"}[l]
}

// A Finding is a difference at one path, in all samples.
type Finding struct {
	Path  string `json:"path"`
	What  string `json:"what"`
	Level Level  `json:"-"`
	Name  string `json:"level"`
	Times uint64 `json:"times"` // how many values there were, of which a sample may have several
	// Detail says more of the first sample.
	Detail string `json:"detail,omitempty"`
	// First is the place of the first sample, as "file:line" or "file".
	First string `json:"first"`
	order Order
}

// An Order is where a sample is among all.
type Order struct {
	Split  int
	Offset int64
}

func (o Order) before(other Order) bool {
	return cmp.Or(cmp.Compare(o.Split, other.Split), cmp.Compare(o.Offset, other.Offset)) < 0
}

// A Report is what was found in all samples.
type Report struct {
	Samples uint64         `json:"samples"`
	Levels  [levels]uint64 `json:"-"` // samples by Level
	// Findings are in the order of their paths.
	Findings []Finding `json:"findings,omitempty"`
	// Unlisted is how many differences there were at further paths.
	Unlisted uint64 `json:"unlisted,omitempty"`
	// The bytes of all samples: as compact JSON, as google.protobuf.Value, as messages. Samples that are no
	// messages of the schema count in none.
	JSON    uint64 `json:"json_bytes"`
	Value   uint64 `json:"value_bytes"`
	Message uint64 `json:"message_bytes"`

	found map[[2]string]*Finding
}

// maxFindings bounds the memory of a report.
const maxFindings = 10000

// FileName is what errors of Compile call the file.
const FileName = "inferred.proto"

// Compile compiles the text of a .proto file, and returns the message of a name. What is imported must be of
// google.protobuf.
func Compile(text []byte, message protoreflect.FullName) (protoreflect.MessageDescriptor, error) {
	c := protocompile.Compiler{
		Resolver: protocompile.WithStandardImports(&protocompile.SourceResolver{
			Accessor: protocompile.SourceAccessorFromMap(map[string]string{FileName: string(text)}),
		}),
		MaxParallelism: 1,
	}
	files, err := c.Compile(context.Background(), FileName)
	if err != nil {
		return nil, err
	}
	md := files[0].Messages().ByName(message.Name())
	if md == nil || md.FullName() != message {
		return nil, fmt.Errorf("there is no message %s", message)
	}
	return md, nil
}

// A Prover proves samples, one after the other. It is for one goroutine.
type Prover struct {
	md     protoreflect.MessageDescriptor
	file   *schema.File
	report Report

	// What one sample needs, in memory that is used again.
	text, wire, value, json []byte
	read, back              *dynamic.Message
	arena                   proto.Arena
	adapted                 []difference // by adapt
	differ                  differ
	adapter                 *adapt.Adapter
}

// New returns a prover of a schema, whose root message was compiled to md.
func New(file *schema.File, md protoreflect.MessageDescriptor) *Prover {
	p := &Prover{md: md, file: file, read: dynamic.NewMessage(md), back: dynamic.NewMessage(md)}
	p.adapter = adapt.New(file, md)
	p.differ.root = rootPlace(md, p.adapter)
	p.report.found = map[[2]string]*Finding{}
	return p
}

// Add proves one sample, which must be JSON. Where is its place, and order tells which sample is the first.
func (p *Prover) Add(sample []byte, where func() string, order Order) {
	p.setText(sample)
	p.report.Samples++
	found := p.prove(p.text)
	level := SameText
	for _, d := range found {
		level = max(level, d.level)
		if d.what != "" {
			p.report.add(d, where, order)
		}
	}
	p.report.Levels[level]++
}

// setText makes a sample the JSON of the root message, but for what adapt changes.
func (p *Prover) setText(sample []byte) {
	p.text = compact(p.text[:0], sample)
	if p.file.Wrapped {
		p.text = wrap(p.text, p.file.Root().Fields[0].Key)
	}
}

// ProtoJSON returns a sample, which must be JSON, as the ProtoJSON of the root message, and whether it is one. It is
// valid until the next call.
func (p *Prover) ProtoJSON(sample []byte) ([]byte, bool) {
	p.setText(sample)
	text := p.adapt(p.text)
	return text, p.unmarshal(text) == nil
}

// adapt does with a text what somebody who moves to the schema has to do, and notes in p.adapted what that was.
func (p *Prover) adapt(text []byte) []byte {
	p.adapted = p.adapted[:0]
	if p.adapter.Trivial() {
		return text
	}
	n := adapt.Parse(text)
	for _, m := range p.adapter.Forward(&n) {
		p.adapted = append(p.adapted, difference{path: m.Path, what: m.What, level: SameValue})
	}
	if len(p.adapted) == 0 {
		return text
	}
	return adapt.Append(nil, &n)
}

func wrap(text []byte, key string) []byte {
	return append(append(append([]byte(`{"`), key...), `":`...), append(text, '}')...)
}

// unmarshal reads a text into p.read, and makes all memory free that messages had.
func (p *Prover) unmarshal(text []byte) error {
	p.arena.Reset()
	return protojson.UnmarshalOptions{Arena: &p.arena}.Unmarshal(text, p.read)
}

// prove returns the differences, which are valid until the next call. One without words says that there is none but of
// order and spelling.
func (p *Prover) prove(text []byte) []difference {
	if err := p.unmarshal(p.adapt(text)); err != nil {
		return []difference{unread(err)}
	}
	var err error
	if p.wire, err = (proto.MarshalOptions{}).MarshalAppend(p.wire[:0], p.read); err != nil {
		return []difference{{path: "$", what: "is not written", detail: brief(err), level: Lossy}}
	}
	p.report.JSON += uint64(len(text))
	p.report.Message += uint64(len(p.wire))
	if v, err := value.AppendFromJSON(p.value[:0], text); err == nil {
		p.report.Value += uint64(len(v))
		p.value = v
	}
	if err := (proto.UnmarshalOptions{Arena: &p.arena}).Unmarshal(p.wire, p.back); err != nil {
		return []difference{{path: "$", what: "is not read back", detail: brief(err), level: Lossy}}
	}
	if p.json, err = (protojson.MarshalOptions{}).MarshalAppend(p.json[:0], p.back); err != nil {
		return []difference{{path: "$", what: "is not written back", detail: brief(err), level: Lossy}}
	}
	got := p.json
	if bytes.Equal(got, text) { // never so where it was adapted
		return nil
	}
	if !p.adapter.Trivial() {
		n := adapt.Parse(got)
		p.adapter.Back(&n)
		got = adapt.Append(nil, &n)
	}
	d := &p.differ
	d.found = append(d.found[:0], p.adapted...)
	d.compare(text, got)
	if len(d.found) == 0 {
		d.found = append(d.found, difference{level: SameJSON})
	}
	return d.found
}

// indexes are those of lists, and keys of maps, in the paths of errors.
var indexes = regexp.MustCompile(`\[\d+\]|\["(?:[^"\\]|\\.)*"\]`)

// unread says why a sample is no message of the schema.
func unread(err error) difference {
	d := difference{path: "$", what: "is not read", detail: brief(err), level: Lossy}
	var e *protojson.Error
	if !errors.As(err, &e) {
		return d
	}
	d.what += ": " + brief(e.Err)
	if e.Path != "" {
		d.path += "." + indexes.ReplaceAllStringFunc(e.Path, func(s string) string {
			if s[1] == '"' {
				return "{}"
			}
			return "[]"
		})
	}
	return d
}

// maxDetail is how many bytes of an error are shown: the path of one may be as long as a document.
const maxDetail = 300

// brief is the first line of an error, without its middle if it is long.
func brief(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	if len(line) > maxDetail {
		line = strings.ToValidUTF8(line[:maxDetail/3]+"…"+line[len(line)-maxDetail*2/3:], "")
	}
	return line
}

func (r *Report) add(d difference, where func() string, order Order) {
	key := [2]string{d.path, d.what}
	f := r.found[key]
	if f == nil {
		if len(r.found) >= maxFindings {
			r.Unlisted++
			return
		}
		f = &Finding{Path: d.path, What: d.what, Level: d.level, Name: d.level.String(), Detail: d.detail, order: order}
		f.First = where()
		r.found[key] = f
	}
	if order.before(f.order) { // batches of one worker come in no order
		f.First, f.order, f.Detail = where(), order, d.detail
	}
	f.Times++
}

// Merge adds the reports of other provers to the first, and returns it.
func Merge(provers ...*Prover) *Report {
	sum := &provers[0].report
	for _, p := range provers[1:] {
		r := &p.report
		sum.Samples += r.Samples
		for i, n := range r.Levels {
			sum.Levels[i] += n
		}
		sum.JSON += r.JSON
		sum.Value += r.Value
		sum.Message += r.Message
		sum.Unlisted += r.Unlisted
		for key, f := range r.found {
			own := sum.found[key]
			if own == nil {
				sum.found[key] = f
				continue
			}
			own.Times += f.Times
			if f.order.before(own.order) {
				own.First, own.order, own.Detail = f.First, f.order, f.Detail
			}
		}
	}
	for _, f := range sum.found {
		sum.Findings = append(sum.Findings, *f)
	}
	slices.SortFunc(sum.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(b.Level, a.Level), cmp.Compare(a.Path, b.Path), cmp.Compare(a.What, b.What))
	})
	return sum
}
