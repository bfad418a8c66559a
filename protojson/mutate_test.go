package protojson_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode/utf16"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/internal/testpb"
)

// A node is a JSON value that can be changed into almost JSON.
type node struct {
	open byte   // { or [, 0 for a scalar
	raw  string // a scalar, as it is written
	// kids are elements or members, and names what the members are called, as they are
	// written.
	kids  []*node
	names []string
}

// parseNode reads legal text.
func parseNode(text []byte) *node {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return nextNode(d)
}

func nextNode(d *json.Decoder) *node {
	token, err := d.Token()
	if err != nil {
		panic(fmt.Sprintf("the text to be changed is not legal: %v", err))
	}
	open, ok := token.(json.Delim)
	if !ok {
		return &node{raw: literal(token)}
	}
	n := &node{open: byte(open)}
	for d.More() {
		if n.open == '{' {
			name, _ := d.Token()
			n.names = append(n.names, literal(name))
		}
		n.kids = append(n.kids, nextNode(d))
	}
	_, _ = d.Token()
	return n
}

func literal(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// all returns n and what is below it.
func (n *node) all() []*node {
	list := []*node{n}
	for _, k := range n.kids {
		list = append(list, k.all()...)
	}
	return list
}

func (n *node) clone() *node {
	c := *n
	c.names, c.kids = slices.Clone(n.names), slices.Clone(n.kids)
	for i, k := range c.kids {
		c.kids[i] = k.clone()
	}
	return &c
}

// add puts a member or an element anywhere among the others.
func (n *node) add(r *rand.Rand, name string, kid *node) {
	at := r.IntN(len(n.kids) + 1)
	n.kids = slices.Insert(n.kids, at, kid)
	if n.open == '{' {
		n.names = slices.Insert(n.names, at, name)
	}
}

func (n *node) remove(at int) {
	n.kids = slices.Delete(n.kids, at, at+1)
	if n.open == '{' {
		n.names = slices.Delete(n.names, at, at+1)
	}
}

// append writes n, with white space here and there if there is a source of chance.
func (n *node) append(b []byte, r *rand.Rand) []byte {
	space := func() {
		for r != nil && r.IntN(8) == 0 {
			b = append(b, " \t\r\n"[r.IntN(4)])
		}
	}
	space()
	defer space()
	if n.open == 0 {
		return append(b, n.raw...)
	}
	b = append(b, n.open)
	for i, k := range n.kids {
		if i > 0 {
			space()
			b = append(b, ',')
		}
		if n.open == '{' {
			space()
			b = append(b, n.names[i]...)
			space()
			b = append(b, ':')
		}
		b = k.append(b, r)
	}
	space()
	return append(b, n.open+2)
}

// A mutator changes legal text of messages of a type.
type mutator struct {
	*rand.Rand
	mild  bool
	names []string // that fields have, of this type and of those below
	other *node    // a message of the same type
}

// mutate returns text that is like text, of another message of the type too: changed in
// some places or none.
func mutate(md protoreflect.MessageDescriptor, text, other []byte, r *rand.Rand) []byte {
	m := mutator{Rand: r, mild: r.IntN(2) == 0, names: fieldNames(md), other: parseNode(other)}
	root := parseNode(text)
	for range []int{0, 1, 1, 1, 1, 2, 4}[r.IntN(7)] {
		all := root.all()
		n := all[r.IntN(len(all))]
		if m.mild {
			m.changeMildly(n)
		} else {
			m.change(n)
		}
	}
	b := root.append(nil, r)
	if !m.mild && r.IntN(8) == 0 {
		b = m.breakBytes(b)
	}
	return b
}

// breakBytes changes text without regard to what it says.
func (m mutator) breakBytes(b []byte) []byte {
	at := m.IntN(len(b) + 1)
	switch m.IntN(4) {
	case 0:
		return b[:at]
	case 1:
		return slices.Delete(b, min(at, len(b)), min(at+1+m.IntN(3), len(b)))
	case 2:
		return slices.Insert(b, at, oddBytes[m.IntN(len(oddBytes))])
	}
	return slices.Insert(b, at, []byte(oddTokens[m.IntN(len(oddTokens))])...)
}

const oddBytes = "{}[],:\"\\ \n\x00\xff-+.eE0nt/"

// changeMildly says the same in another way, or less, as far as that can be known.
func (m mutator) changeMildly(n *node) {
	switch quoted := strings.HasPrefix(n.raw, `"`); {
	case quoted && m.IntN(6) == 0:
		n.raw = m.base64(n.raw)
	case quoted:
		n.raw = m.escaped(n.raw)
	case n.open == 0 && strings.Contains("tfn", n.raw[:1]):
		// true, false and null have no other form.
	case n.open == 0 && m.IntN(4) == 0:
		n.raw = `"` + n.raw + `"`
	case n.open == 0:
		n.raw = m.number(n.raw)
	case len(n.kids) == 0:
		*n = node{raw: "null"}
	case n.open == '{' && m.IntN(2) == 0:
		at := m.IntN(len(n.kids))
		n.names[at] = m.escaped(n.names[at])
	case m.IntN(2) == 0:
		n.remove(m.IntN(len(n.kids)))
	default:
		m.swap(n, true)
	}
}

// swap changes the order of what is in n, with the names or without.
func (m mutator) swap(n *node, names bool) {
	a, b := m.IntN(len(n.kids)), m.IntN(len(n.kids))
	n.kids[a], n.kids[b] = n.kids[b], n.kids[a]
	if n.open == '{' && names {
		n.names[a], n.names[b] = n.names[b], n.names[a]
	}
}

// change changes one node.
func (m mutator) change(n *node) {
	if n.open == 0 {
		m.changeScalar(n)
		return
	}
	if m.IntN(6) == 0 || len(n.kids) == 0 {
		m.replace(n)
		return
	}
	at := m.IntN(len(n.kids))
	switch m.IntN(8) {
	case 7:
		m.swap(n, m.IntN(2) == 0)
	case 0:
		n.remove(at)
	case 1:
		n.add(m.Rand, m.name(n, at), n.kids[at].clone())
	case 2:
		n.add(m.Rand, m.name(n, at), m.scalar())
	case 3:
		n.add(m.Rand, m.name(n, at), m.foreign())
	case 4:
		n.kids[at] = m.foreign()
	case 5:
		if n.open == '{' {
			n.names[at] = m.name(n, at)
		}
	case 6: // all that the other message says, so that fields and oneofs come twice
		if n.open == m.other.open {
			n.kids = append(n.kids, m.other.clone().kids...)
			n.names = append(n.names, m.other.names...)
		}
	}
}

// replace makes n something else.
func (m mutator) replace(n *node) {
	switch m.IntN(6) {
	case 0:
		*n = *m.scalar()
	case 1:
		*n = node{open: '['}
	case 2:
		*n = node{open: '{'}
	case 3:
		*n = *m.foreign()
	case 4: // one level or many around it
		for range 1 + m.IntN(2)*m.IntN(40) {
			*n = *m.around(n.clone())
		}
	case 5: // the other kind
		if n.open == '{' {
			*n = node{open: '[', kids: n.kids}
		} else if n.open == '[' {
			c := node{open: '{', kids: n.kids}
			for i := range c.kids {
				c.names = append(c.names, literal(fmt.Sprint(i)))
			}
			*n = c
		}
	}
}

func (m mutator) around(n *node) *node {
	if m.IntN(2) == 0 {
		return &node{open: '[', kids: []*node{n}}
	}
	return &node{open: '{', kids: []*node{n}, names: []string{m.name(nil, 0)}}
}

// foreign is a value from the other message.
func (m mutator) foreign() *node {
	all := m.other.all()
	return all[m.IntN(len(all))].clone()
}

// name is a name for a member of n: that of another member, of a field, an odd one.
func (m mutator) name(n *node, at int) string {
	name := ""
	switch k := m.IntN(8); {
	case k < 3 && n != nil && n.open == '{':
		name = n.names[at]
	case k < 6 && len(m.names) > 0:
		name = literal(m.names[m.IntN(len(m.names))])
	default:
		name = oddNames[m.IntN(len(oddNames))]
	}
	if m.IntN(8) == 0 {
		name = m.escaped(name)
	}
	return name
}

func (m mutator) scalar() *node {
	return &node{raw: oddTokens[m.IntN(len(oddTokens))]}
}

func (m mutator) changeScalar(n *node) {
	if m.IntN(5) == 0 {
		m.replace(n)
		return
	}
	quoted := strings.HasPrefix(n.raw, `"`)
	switch {
	case m.IntN(6) == 0:
		n.raw = oddTokens[m.IntN(len(oddTokens))]
	case quoted && m.IntN(3) == 0:
		n.raw = m.escaped(n.raw)
	case quoted && m.IntN(3) == 0:
		n.raw = m.base64(n.raw)
	case quoted && m.IntN(2) == 0:
		n.raw = strings.Trim(n.raw, `"`) // which may be a number
	case quoted:
		inside := strings.Trim(n.raw, `"`)
		n.raw = `"` + []string{" " + inside, inside + " ", inside + "0", "\\n" + inside, m.number(inside), inside + `\u0000`}[m.IntN(6)] + `"`
	case m.IntN(3) == 0:
		n.raw = `"` + n.raw + `"`
	default:
		n.raw = m.number(n.raw)
	}
}

// number writes a number in another way, or spoils it.
func (m mutator) number(s string) string {
	forms := []string{s + "e0", s + "E+00", s + ".0", s + ".000e1", s + "0e-1", s + "e1", s + "e-1", s + "e", s + "e+",
		s + ".", "-" + s, "+" + s, "0" + s, s + "00", s + "e400", s + "e-400", s + "e99999999999", s + "e-99999999999",
		s + ".5", s + "x", s + "_0"}
	if m.mild {
		return forms[m.IntN(5)]
	}
	return forms[m.IntN(len(forms))]
}

// base64 writes bytes in another way, or spoils them.
func (m mutator) base64(raw string) string {
	s := strings.Trim(raw, `"`)
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		b = []byte(s)
	}
	forms := []string{
		base64.URLEncoding.EncodeToString(b), base64.RawURLEncoding.EncodeToString(b),
		base64.RawStdEncoding.EncodeToString(b),
		s + "=", s + "A", s + "-", s + "_/", `\n` + s, s + `\r\n`, "=" + s, strings.ReplaceAll(s, "/", `\/`), s[:len(s)/2] + `\n` + s[len(s)/2:],
	}
	return `"` + forms[m.IntN(len(forms))] + `"`
}

// escaped writes a string with escapes where none are needed, sometimes broken ones.
func (m mutator) escaped(raw string) string {
	var s string
	if json.Unmarshal([]byte(raw), &s) != nil {
		return raw
	}
	b := []byte{'"'}
	for _, c := range s {
		switch {
		case !m.mild && m.IntN(40) == 0:
			b = append(b, oddEscapes[m.IntN(len(oddEscapes))]...)
		case m.IntN(2) == 0 && c != '"' && c != '\\' && c >= ' ':
			b = append(b, string(c)...)
		case c > 0xffff:
			high, low := utf16.EncodeRune(c)
			b = fmt.Appendf(b, `\u%04x\u%04X`, high, low)
		default:
			b = fmt.Appendf(b, `\u%04x`, c)
		}
	}
	return string(append(b, '"'))
}

var oddEscapes = []string{
	`\ud800`, `\udc00`, `\ud83d\ude00`, `\ud83d\u0041`, `\ud83dx`, `\ud83d\ud83d`, `\u12`, `\u+123`, `\u12G4`, `\u_123`, `\U0041`, `\x41`, `\0`, `\'`, `\ `,
	`\"`, `\\`, `\/`, `\b\f\n\r\t`, `\`, "\n", "\x00", "\x1f", "\x7f", "\xff", "\xed\xa0\x80", "\xc0\x80", "\ufffd", "\u2028", `\ufffd`, `\uD83D\uDE00`, `\u0000`, `\uffff`, `\ud83d\n`,
}

var oddNames = []string{
	`""`, `"@type"`, `"value"`, `"[]"`, `"[unknown.extension]"`, `"["`, `"]"`, `"[ protean.test.legacy.ext_int32 ]"`, `"unknown"`, `"a"`, `"0"`, `"-0"`, `"+1"`, `"01"`, `"1.0"`, `"true"`, `"True"`,
	`"99999999999"`, `"-9223372036854775808"`, `"18446744073709551615"`, `"fields"`, `"kind"`, `"typeUrl"`, `"type_url"`, `"seconds"`, `" name"`, `"name "`, `"NAME"`, `"\u006eame"`, `"\ud800"`, "\"\xff\"", `name`, `null`, `1`,
	`"@type" `, `"\u0040type"`, `"va\u006cue"`, `"[protean.test.legacy.ext_leaf"`,
}

// oddTokens are scalars, and some other things, in all the ways that may be right or wrong.
var oddTokens = []string{
	`null`, `true`, `false`, `"true"`, `"null"`, `nul`, `truex`, `True`, `NaN`, `Infinity`, `"NaN"`, `"Infinity"`, `"-Infinity"`, `"+Infinity"`, `"nan"`, `"inf"`, `"Inf"`,
	`0`, `-0`, `1`, `-1`, `1.0`, `-0.0`, `1e2`, `1E2`, `1e+2`, `1e-2`, `100e-2`, `10.50`, `1.5`, `0.1e1`, `0e`, `0e+`, `1e`, `1e+`, `1e-`, `1.`, `.5`, `+1`, `01`, `00`, `-01`, `-`, `--1`, `0x10`, `1_000`, `1e1e1`, `1.e1`, `0.0e0`,
	`2147483647`, `2147483648`, `-2147483648`, `-2147483649`, `4294967295`, `4294967296`, `9223372036854775807`, `9223372036854775808`, `-9223372036854775808`, `-9223372036854775809`,
	`18446744073709551615`, `18446744073709551616`, `123456789012345678901234567890`, `1e19`, `1e20`, `1e21`, `184467440737095516150e-1`, `18446744073709551615.0`, `0e99999999999999`, `1e-99999999999999`, `0.000e999`,
	`3.4028235e38`, `3.4028236e38`, `3.5e38`, `1e39`, `1.7976931348623157e308`, `1.8e308`, `1e400`, `-1e400`, `1e-400`, `5e-324`, `2e-324`, `1e-45`, `1e-46`, `0.1`, `16777217`, `9007199254740993`, `33554435.0000001`,
	`"0"`, `"-0"`, `"1"`, `"1.0"`, `"1e2"`, `"1e"`, `"1.5"`, `" 1"`, `"1 "`, `"\t1"`, `"+1"`, `"01"`, `"0x1"`, `"1_0"`, `""`, `" "`, `"1,2"`, `"{}"`, `"[1]"`, `"\"1\""`, `"1\u0000"`, `"\u0031"`, `"1\u00a0"`, `"1e400"`, `"9223372036854775808"`, `"18446744073709551615"`,
	`"AA=="`, `"AA"`, `"AA="`, `"A"`, `"A==="`, `"AAA"`, `"AAAA"`, `"_-8="`, `"/+8="`, `"_+8="`, `"AA\n=="`, `"AAAA\r\nAAAA"`, `"AB=="`, `"AAE="`, `"AAB"`, `"A A="`, `"\u0041A=="`, `"===="`, `"AAAA===="`,
	`"COLOR_RED"`, `"COLOR_FAR"`, `"FOO"`, `"color_red"`, `"CLOSED_TEN"`, `"ALIASED_ALSO_FIRST"`, `"NULL_VALUE"`, `"UNKNOWN_NAME"`,
	`"1970-01-01T00:00:00Z"`, `"0001-01-01T00:00:00Z"`, `"0000-12-31T23:59:59Z"`, `"9999-12-31T23:59:59.999999999Z"`, `"9999-12-31T23:59:60Z"`, `"10000-01-01T00:00:00Z"`, `"9999-12-31T23:59:59-01:00"`, `"0001-01-01T00:00:00+00:01"`,
	`"2024-02-29T12:00:00.1Z"`, `"2023-02-29T12:00:00Z"`, `"2024-02-30T12:00:00Z"`, `"2024-13-01T00:00:00Z"`, `"2024-00-01T00:00:00Z"`, `"2024-01-00T00:00:00Z"`, `"2024-1-1T0:0:0Z"`, `"2024-01-01T1:00:00Z"`, `"2024-01-01t00:00:00z"`, `"2024-01-01T00:00:00z"`, `"2024-01-01 00:00:00Z"`,
	`"2024-01-01T00:00:00"`, `"2024-01-01T00:00:00+01:00"`, `"2024-01-01T00:00:00-23:59"`, `"2024-01-01T00:00:00+24:00"`, `"2024-01-01T00:00:00+99:99"`, `"2024-01-01T00:00:00+0100"`, `"2024-01-01T00:00:00+01"`, `"2024-01-01T00:00:00,5Z"`, `"2024-01-01T00:00:00.Z"`, `"2024-01-01T00:00:00.1234567890Z"`, `"2024-01-01T00:00:00.123456789+01:00"`,
	`"2024-01-01T24:00:00Z"`, `"2024-01-01T00:60:00Z"`, `"2024-01-01T23:59:60Z"`, `"2024-01-01T00:00:00Zx"`, `" 2024-01-01T00:00:00Z"`, `"2024-01-01T00:00:00.5,5Z"`, `"2024-01-01T00:00:00.1234567891+01:00"`, `"2024-01-01T00:00:00,1234567891Z"`, `"2024-01-01T00:00:0Z"`, `"2024-01-01T00:00Z"`, `"-024-01-01T00:00:00Z"`,
	`"1s"`, `"0s"`, `"-0s"`, `"+1s"`, `"1.s"`, `".1s"`, `"-.5s"`, `"1.000000001s"`, `"1.0000000001s"`, `"315576000000s"`, `"315576000000.999999999s"`, `"315576000001s"`, `"-315576000000s"`, `"1"`, `"s"`, `"1S"`, `"1e1s"`, `"01s"`, `"00.5s"`, `"1.5"`, `"."`, `".s"`, `"-s"`, `"--1s"`, `"1s "`, `" 1s"`, `"1.1.1s"`, `"99999999999999999999s"`, `"+.s"`, `"0.s"`, `"1.-5s"`,
	`"a"`, `"a,b"`, `"fooBar,baz.quxQuux"`, `"foo_bar"`, `"a,"`, `",a"`, `"a,,b"`, `" a"`, `"a , b"`, `"FooBar"`, `"a.b"`, `"a..b"`, `".a"`, `"1a"`, `"a-b"`, `"é"`, `"aB,,"`, `","`, `"  "`,
	`"type.googleapis.com/google.protobuf.Value"`, `"type.googleapis.com/protean.test.bench.Leaf"`, `"google.protobuf.Any"`, `"/google.protobuf.Empty"`, `"type.googleapis.com/no.such.Type"`, `"type.googleapis.com/"`, `"/"`,
	`"\ud83d\ude00"`, `"\ud83d"`, `"\ude00\ud83d"`, `"\u0000"`, `"\u"`, `"\x"`, "\"\xff\"", "\"\n\"", "\"\t\"", "\"\x7f\"", `"`, `'a'`, `"\"`, `//`, `{`, `}`, `[`, `]`, `,`, `:`, ` `, `{}`, `[]`, `[[]]`, `[null]`, `{"a":null}`, `{"@type":""}`, `[1,]`, `{,}`, `[,]`,
	`{"@type":"type.googleapis.com/google.protobuf.Value","value":null}`, `{"@type":"type.googleapis.com/protean.test.bench.Leaf","id":1}`, `{"id":1,"@type":"type.googleapis.com/protean.test.bench.Leaf"}`,
	`{"value":"1s","@type":"type.googleapis.com/google.protobuf.Duration"}`, `{"@type":"type.googleapis.com/google.protobuf.Duration"}`, `{"@type":"type.googleapis.com/google.protobuf.Empty"}`, `{"@type":"type.googleapis.com/google.protobuf.Empty","value":{}}`,
	`{"@type":"type.googleapis.com/protean.test.bench.Leaf","@type":"type.googleapis.com/protean.test.bench.Leaf"}`, `{"@type":"type.googleapis.com/google.protobuf.Any","value":{"@type":"google.protobuf.BoolValue","value":true}}`,
	`{"@type":1}`, `{"@type":null}`, `{"@type":"google.protobuf.Int32Value","value":null}`, `{"@type":"google.protobuf.Struct","value":{"@type":1}}`, `{"@type":"google.protobuf.Duration","value":"1s","value":"1s"}`, `{"@type":"google.protobuf.Duration","value":"1s","other":[{"a":1}]}`,
	"\ufeff1", "\u00a01", "1\x00", `/**/1`, `1//`, `"a" "b"`, `1 2`, `[1 2]`, `{"a" 1}`, `{"a"::1}`, `{"a":1,,"b":2}`, `{"a":1 "b":2}`, `{a:1}`, `{1:1}`, `{null:1}`, `{"a"}`, `{"a":}`, `]1`, `{]`, `[}`,
}

// namesOf are the names of the fields of a type and of those below, of extension fields
// too.
var namesOf = map[protoreflect.FullName][]string{}

// fieldNames is not for several goroutines.
func fieldNames(md protoreflect.MessageDescriptor) []string {
	if names, ok := namesOf[md.FullName()]; ok {
		return names
	}
	var names []string
	seen := map[protoreflect.FullName]bool{}
	var collect func(md protoreflect.MessageDescriptor)
	add := func(fd protoreflect.FieldDescriptor) {
		names = append(names, fd.JSONName(), fd.TextName(), string(fd.Name()))
		if fd.Message() != nil && len(seen) < 8 {
			collect(fd.Message())
		}
	}
	collect = func(md protoreflect.MessageDescriptor) {
		if seen[md.FullName()] {
			return
		}
		seen[md.FullName()] = true
		for i := range md.Fields().Len() {
			add(md.Fields().Get(i))
		}
		for _, fd := range extensionsOf(md) {
			add(fd)
		}
	}
	collect(md)
	namesOf[md.FullName()] = names
	return names
}

// extensionsOf are the linked extension fields of messages of the type.
func extensionsOf(md protoreflect.MessageDescriptor) (fds []protoreflect.FieldDescriptor) {
	for _, mt := range testpb.Types() {
		if f := mt.Descriptor().ParentFile(); f.Package() == md.ParentFile().Package() {
			xds := f.Extensions()
			for i := range xds.Len() {
				if xds.Get(i).ContainingMessage().FullName() == md.FullName() {
					fds = append(fds, xds.Get(i))
				}
			}
			return fds
		}
	}
	return nil
}
