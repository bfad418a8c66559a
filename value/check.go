package value

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/structval/index"
	"github.com/protean-pb/protean/internal/wire"
	"github.com/protean-pb/protean/internal/xunsafe"
)

// An IssueKind is what an [Issue] is about.
type IssueKind uint8

// The kinds.
const (
	// TooDeep: messages are nested beyond the limit. It is reported once for the
	// outermost object or list that goes beyond, not for what is inside it.
	TooDeep IssueKind = iota + 1
	// TooLarge: a number that has no fraction and is too large in magnitude to be distinguished
	// from its neighbours, as a reader with integers or a writer's rounded integer shows.
	TooLarge
	// NotFinite: a number is NaN or infinite, which JSON cannot express.
	NotFinite
	// DuplicateKey: an object has a key again. The last entry counts; some readers keep
	// all, or the first.
	DuplicateKey
	// InvalidUTF8: a string or a key is not UTF-8. This package and most others refuse it.
	InvalidUTF8
	// NoKind: a Value has no field set. It has no JSON form.
	NoKind
	// NullNumber: a null_value is another number than 0. A re-encoder may write 0.
	NullNumber
	// UnknownField: a field that the three messages do not have, or one with another wire
	// type. JSON and some readers drop it.
	UnknownField
	// Irregular: the wire form is legal but not as libraries write it: several fields in a
	// Value, which may be merged; an entry without key or value, with several, or with the
	// value first; varints that are longer than need be. A re-encoder writes other bytes.
	Irregular
)

// String returns the kind in a few words.
func (k IssueKind) String() string {
	if int(k) < len(issueNames) {
		return issueNames[k]
	}
	return "unknown issue"
}

var issueNames = [...]string{
	"no issue", "nested too deeply", "integer too large", "not a finite number", "duplicate key", "invalid UTF-8",
	"no kind is set", "null_value is not 0", "unknown field", "irregular wire form",
}

// An Issue is something in a message that other readers refuse or alter.
type Issue struct {
	Kind IssueKind
	// Offset is the position in the wire form, from 0, of the field or text concerned.
	Offset int
	// Path leads to the Value, as in [Error].
	Path string
	// Message says in one line what was found.
	Message string
}

// String returns all of the issue in one line.
func (i Issue) String() string {
	return fmt.Sprintf("%s: byte %d: %s", i.Path, i.Offset, i.Message)
}

// Limits say what [Check] lets pass. The zero Limits are those of most other
// implementations of Protobuf and of JSON.
type Limits struct {
	// MaxDepth is how many messages may be nested; 0 stands for 100, the limit of C++,
	// Java and others. It cannot be raised beyond [DefaultMaxDepth]. Each Value, Struct,
	// ListValue and entry of a Struct is a message.
	MaxDepth int
	// Outer is how many messages the one that is checked will lie in.
	Outer int
	// MaxInteger is the magnitude up to which numbers without a fraction may go; 0 stands
	// for 2^53, up to which a double holds every integer.
	MaxInteger float64
	// MaxIssues is how many issues are reported; 0 stands for 100. The rest of the message
	// is not searched for more.
	MaxIssues int
}

// maxIssueText is how many bytes the paths of all issues together may have, more or less:
// keys may be long, and each path shows them again.
const maxIssueText = 1 << 20

// Check reports what in the wire form of a google.protobuf.Value other readers would
// refuse or alter, in the order in which it is met. No issues and no error mean that every
// reader sees the same value, and that encoding it again gives the same bytes but for the
// order of the keys.
//
// The error is an [*Error] if the bytes are no legal message at all; the issues found before
// are returned too. What is reported as an issue, invalid UTF-8 and depth, is not an error
// here. Messages that lie deeper than [DefaultMaxDepth] are not looked into.
//
// What a later field replaces is checked only for what makes a reader refuse it.
//
// The time is proportional to the input.
func Check(wire []byte, limits Limits) ([]Issue, error) {
	return check(wire, limits, index.Value)
}

// CheckStruct reports what peers may find wrong with a google.protobuf.Struct, with the rules of [Check].
func CheckStruct(wire []byte, limits Limits) ([]Issue, error) {
	return check(wire, limits, index.Struct)
}

// CheckList reports what peers may find wrong with a google.protobuf.ListValue, with the rules of [Check].
func CheckList(wire []byte, limits Limits) ([]Issue, error) {
	return check(wire, limits, index.List)
}

func check(in []byte, l Limits, form index.Form) ([]Issue, error) {
	if l.MaxDepth <= 0 {
		l.MaxDepth = 100
	}
	l.MaxDepth = min(l.MaxDepth, DefaultMaxDepth)
	if l.MaxInteger <= 0 {
		l.MaxInteger = exact
	}
	if l.MaxIssues <= 0 {
		l.MaxIssues = 100
	}
	c := checker{in: in, limits: l}
	all := []checkSpan{{0, len(in)}}
	var err error
	switch form {
	case index.Struct:
		err = c.object(all, 1+l.Outer)
	case index.List:
		err = c.list(all, 1+l.Outer)
	default:
		err = c.value(all, 1+l.Outer)
	}
	return c.issues, err
}

// A checker walks over a message, in a tolerant way. A message may lie in several pieces,
// which readers merge.
type checker struct {
	in       []byte
	limits   Limits
	issues   []Issue
	text     int             // of the paths of all issues
	path     []protoerr.Step // to where the checker is
	deep     bool            // what is beyond the limit here has been reported
	replaced bool            // what is being read does not count
}

// A checkSpan is a part of the input.
type checkSpan struct{ start, end int }

// report adds an issue.
func (c *checker) report(kind IssueKind, at int, detail string) {
	if c.replaced && kind != InvalidUTF8 && kind != TooDeep || len(c.issues) >= c.limits.MaxIssues ||
		c.text > maxIssueText {
		return
	}
	message := kind.String()
	if detail != "" {
		message += ": " + detail
	}
	path := protoerr.FormatValuePath(c.path)
	c.text += len(path)
	c.issues = append(c.issues, Issue{Kind: kind, Offset: at, Path: path, Message: message})
}

// at calls visit one step further down.
func (c *checker) at(s protoerr.Step, visit func() error) error {
	c.path = append(c.path, s)
	err := visit()
	c.path = c.path[:len(c.path)-1]
	return err
}

// enter reports whether a message that lies so deep is to be looked into.
func (c *checker) enter(depth, at int) bool {
	if depth > c.limits.MaxDepth && !c.deep {
		c.deep = true
		c.report(TooDeep, at, fmt.Sprintf("message %d, the limit is %d", depth, c.limits.MaxDepth))
	}
	return depth <= DefaultMaxDepth
}

// A checkField is a field of the wire form.
type checkField struct {
	num       protowire.Number
	typ       protowire.Type
	at        int // where it starts
	checkSpan     // what follows the tag and, if there is one, the length
}

// is reports whether the field has a tag.
func (f *checkField) is(tag byte) bool { return uint64(f.num)<<3|uint64(f.typ) == uint64(tag) }

// fields calls visit for all fields of a message in pieces.
func (c *checker) fields(pieces []checkSpan, visit func(f checkField) error) error {
	for _, p := range pieces {
		for pos := p.start; pos < p.end; {
			f, next, err := c.field(pos, p.end)
			if err == nil {
				err = visit(f)
			}
			if err != nil {
				return err
			}
			pos = next
		}
	}
	return nil
}

// field reads the field at pos.
func (c *checker) field(pos, end int) (f checkField, next int, err error) {
	tag, n := protowire.ConsumeVarint(c.in[pos:end])
	if n < 0 {
		return f, 0, c.wireError(n, pos)
	}
	num, typ := protowire.DecodeTag(tag)
	if num < protowire.MinValidNumber || num > protowire.MaxValidNumber {
		return f, 0, c.wireError(-2, pos)
	}
	f = checkField{num: num, typ: typ, at: pos, checkSpan: checkSpan{start: pos + n}}
	regular := n == wire.SizeVarint(tag)
	n = protowire.ConsumeFieldValue(num, typ, c.in[f.start:end])
	if n < 0 {
		return f, 0, c.wireError(n, pos)
	}
	f.end = f.start + n
	if typ == protowire.BytesType || typ == protowire.VarintType {
		x, n := protowire.ConsumeVarint(c.in[f.start:end])
		regular = regular && n == wire.SizeVarint(x)
		if typ == protowire.BytesType {
			f.start += n
		}
	}
	if !regular {
		c.report(Irregular, pos, "a varint is longer than need be")
	}
	return f, f.end, nil
}

func (c *checker) wireError(n, at int) error {
	e := &Error{Err: ErrMalformed, Offset: at, Path: protoerr.FormatValuePath(c.path)}
	if errors.Is(protowire.ParseError(n), io.ErrUnexpectedEOF) {
		e.Err = ErrTruncated
	}
	return e
}

// value checks a Value.
func (c *checker) value(pieces []checkSpan, depth int) error {
	if !c.enter(depth, pieces[0].start) {
		return nil
	}
	var (
		last   checkField  // of those of Value
		inside []checkSpan // the pieces of last, if it is an object or list
		count  int
	)
	err := c.fields(pieces, func(f checkField) error {
		tag := byte(f.num)<<3 | byte(f.typ)
		if f.num > 6 || !isKind(tag) {
			c.report(UnknownField, f.at, fmt.Sprintf("number %d", f.num))
			return nil
		}
		if count++; count == 2 {
			c.report(Irregular, f.at, "several fields in a Value")
		}
		if count > 1 && !(inside != nil && last.is(tag)) {
			if err := c.replacedContent(last, inside, depth); err != nil {
				return err
			}
			inside = nil
		}
		if last = f; tag == index.TagStruct || tag == index.TagList {
			inside = append(inside, f.checkSpan)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if count == 0 {
		c.report(NoKind, pieces[0].start, "")
		return nil
	}
	return c.content(last, inside, depth)
}

func isKind(tag byte) bool {
	switch tag {
	case index.TagNull, index.TagNumber, index.TagString, index.TagBool, index.TagStruct, index.TagList:
		return true
	}
	return false
}

// replacedContent checks content that a later field replaces.
func (c *checker) replacedContent(f checkField, inside []checkSpan, depth int) error {
	before := c.replaced
	c.replaced = true
	err := c.content(f, inside, depth)
	c.replaced = before
	return err
}

// content checks what a Value holds: a field, and all pieces if it is an object or list.
func (c *checker) content(f checkField, inside []checkSpan, depth int) error {
	switch {
	case f.is(index.TagStruct):
		return c.object(inside, depth+1)
	case f.is(index.TagList):
		return c.list(inside, depth+1)
	case f.is(index.TagString):
		c.utf8(f.checkSpan, "")
	case f.is(index.TagNumber):
		bits, _ := protowire.ConsumeFixed64(c.in[f.start:])
		c.number(math.Float64frombits(bits), f.at)
	case f.is(index.TagNull):
		if x, _ := protowire.ConsumeVarint(c.in[f.start:]); x != 0 {
			c.report(NullNumber, f.at, strconv.Itoa(int(int32(x))))
		}
	case f.is(index.TagBool):
		if x, _ := protowire.ConsumeVarint(c.in[f.start:]); x > 1 {
			c.report(Irregular, f.at, "a bool is neither 0 nor 1")
		}
	}
	return nil
}

func (c *checker) number(f float64, at int) {
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		c.report(NotFinite, at, strconv.FormatFloat(f, 'g', -1, 64))
	case math.Abs(f) > c.limits.MaxInteger && f == math.Trunc(f):
		c.report(TooLarge, at, strconv.FormatFloat(f, 'f', -1, 64))
	}
}

// utf8 checks a text.
func (c *checker) utf8(s checkSpan, what string) {
	text := xunsafe.String(c.in[s.start:s.end])
	if utf8.ValidString(text) {
		return
	}
	for i, r := range text {
		if _, n := utf8.DecodeRuneInString(text[i:]); r == utf8.RuneError && n == 1 {
			c.report(InvalidUTF8, s.start+i, what)
			return
		}
	}
}

// elements calls visit for each element of an object or list, which is the depth-th
// message.
func (c *checker) elements(pieces []checkSpan, depth int, visit func(i int, e checkSpan) error) error {
	// What lies too deep in here is reported once.
	before := c.deep
	defer func() { c.deep = before }()
	if !c.enter(depth, pieces[0].start) {
		return nil
	}
	i := 0
	return c.fields(pieces, func(f checkField) error {
		if !f.is(index.TagElement) {
			c.report(UnknownField, f.at, fmt.Sprintf("number %d in an object or list", f.num))
			return nil
		}
		i++
		return visit(i-1, f.checkSpan)
	})
}

func (c *checker) list(pieces []checkSpan, depth int) error {
	return c.elements(pieces, depth, func(i int, e checkSpan) error {
		return c.at(protoerr.Step{Index: i}, func() error { return c.value([]checkSpan{e}, depth+1) })
	})
}

func (c *checker) object(pieces []checkSpan, depth int) error {
	seen := map[string]bool{}
	return c.elements(pieces, depth, func(_ int, e checkSpan) error {
		if !c.enter(depth+1, e.start) {
			return nil
		}
		return c.entry(e, depth+1, seen)
	})
}

// entry checks an entry of an object in which some keys have been seen.
func (c *checker) entry(e checkSpan, depth int, seen map[string]bool) error {
	var key checkSpan
	var values []checkSpan
	keys, ordered := 0, true
	err := c.fields([]checkSpan{e}, func(f checkField) error {
		switch {
		case f.is(index.TagKey):
			c.utf8(f.checkSpan, "the key of an entry")
			key, ordered = f.checkSpan, ordered && values == nil
			keys++
		case f.is(index.TagValue):
			values = append(values, f.checkSpan)
		default:
			c.report(UnknownField, f.at, fmt.Sprintf("number %d in an entry", f.num))
		}
		return nil
	})
	if err != nil {
		return err
	}
	text := xunsafe.String(c.in[key.start:key.end])
	return c.at(protoerr.Step{Key: strings.ToValidUTF8(text, "\ufffd"), Index: -1}, func() error {
		if seen[text] {
			c.report(DuplicateKey, e.start, "")
		}
		seen[text] = true
		switch {
		case keys != 1:
			c.report(Irregular, e.start, fmt.Sprintf("an entry with %d keys", keys))
		case len(values) != 1:
			c.report(Irregular, e.start, fmt.Sprintf("an entry with %d values", len(values)))
		case !ordered:
			c.report(Irregular, e.start, "an entry with the value before the key")
		}
		if values == nil {
			c.report(NoKind, e.end, "")
			return nil
		}
		return c.value(values, depth+1)
	})
}
