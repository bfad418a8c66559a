package inspect

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/protean-pb/protean/cmd/protean/internal/report"
)

// The article "The hidden cost of google.protobuf.Value" takes {"age":30} apart: 10
// bytes of JSON, 2 of them braces, 5 the key, 1 a colon and 2 digits; and 18 bytes of
// Struct, 2 + 5 + 2 + 9, of which 7 are tags and lengths.
func TestArticle(t *testing.T) {
	s := inspect(t, "", document(`{ "age" : 30 }`)).Shown[0]
	var sizes []int
	for _, l := range s.Listing.Lines {
		sizes = append(sizes, l.Size())
	}
	if want := []int{2, 5, 2, 9}; !slices.Equal(sizes, want) {
		t.Errorf("sizes %v, want %v", sizes, want)
	}
	for f, want := range map[Form]Counts{
		JSON:   {Brackets: 2, Keys: 5, Separators: 1, Numbers: 2},
		Struct: {Tags: 4, Lengths: 3, Keys: 3, Numbers: 8},
		Value:  {Tags: 5, Lengths: 4, Keys: 3, Numbers: 8},
	} {
		if got := s.Forms.Counts[f]; got != want {
			t.Errorf("%s: %v, want %v", f, got, want)
		}
	}
	if json, wire := s.Forms.Counts[JSON].Total(), s.Forms.Counts[Struct].Total(); json != 10 || wire != 18 {
		t.Errorf("%d bytes of JSON and %d of Struct", json, wire)
	}
}

// short is a line in words: how deep it is, its name, its value, and what is odd.
func short(l *Line) string {
	text := strings.Repeat(">", l.Depth) + l.Name
	if l.Name == "" {
		text += "?"
	}
	if l.Text != "" {
		text += " " + l.Text
	}
	if l.Nested >= 0 {
		text += " {}"
	}
	if l.Note != "" {
		text += " !" + l.Note
	}
	return text
}

func TestList(t *testing.T) {
	for _, c := range []struct {
		name   string
		known  bool // Event, or of no known type
		digits string
		want   []string // lines in short, and what is wrong
	}{
		{"empty", true, "", nil},
		{"map entry without key", true, "42 02 10 05", []string{`labels {}`, `>value 5`}},
		{"map entry, value first", true, "42 05 10 05 0a 01 61", []string{`labels {}`, `>value 5`, `>key "a"`}},
		{"list not packed", true, "38 02 38 03", []string{"deltas 1", "deltas -2"}},
		{"list packed against the schema", true, "d2 01 08 0500000000000000", []string{"stamps [5]"}},
		{"empty packed list", true, "3a 00", []string{"deltas []"}},
		{"unknown enum", true, "50 63", []string{"kind 99"}},
		{"negative enum", true, "50 ffffffffffffffffff01", []string{"kind -1"}},
		{"NaN and infinity", true, "b501 0000c07f b501 000080ff", []string{"single NaN", "single -Inf"}},
		{"32 bits of more", true, "10 8180808010", []string{"count 1"}},
		{"wrong wire type", true, "0a 01 61 08 05", []string{`id "a"`, `? 5 !wire type varint does not fit field id`}},
		{"unknown field", true, "f806 05", []string{"? 5 !unknown field"}},
		{"unknown text", true, "fa06 02 6869", []string{`? "hi" !unknown field`}},
		{"unknown message", true, "fa06 02 0801", []string{`? {} !unknown field`, `>? 1`}},
		{"not UTF-8", true, "0a 01 ff", []string{`id "\xff" !not UTF-8`}},
		{"long tag", true, "9000 05", []string{"count 5 !a number in 2 bytes that needs 1"}},
		{"long length", true, "0a 8100 61", []string{`id "a" !a number in 2 bytes that needs 1`}},
		{"long value", true, "10 8500", []string{"count 5 !a number in 2 bytes that needs 1"}},
		{"any, type last", true, "22 1f 1203 0a0161 0a18" + hexOf("example.com/acme.v1.Item"), []string{
			"extra {}", ">value {}", `>>name "a"`, `>type_url "example.com/acme.v1.Item"`}},
		{"any of unknown type", true, "22 0a 0a03" + hexOf("a/b") + "1203 0a0161",
			[]string{"extra {}", `>type_url "a/b"`, `>value 0x0a0161`}},
		{"any that does not fit", true, "22 1a 0a14" + hexOf("example/acme.v1.Item") + "1202 0a05", []string{
			"extra {}", `>type_url "example/acme.v1.Item"`, `>value 0x0a05`}},
		{"group of unknown type", false, "0b 1001 0c", []string{"? {}", ">? 1", "?"}},
		{"text that is a field", false, "0a 02 6869", []string{`? "hi"`}},
		{"text that is a message", false, "0a 22 22 20" + hexOf(strings.Repeat("x", 32)),
			[]string{"? {}", `>? "` + strings.Repeat("x", 32) + `"`}},
		{"bytes", false, "0a 03 ff0001", []string{"? 0xff0001"}},
		{"no bytes", false, "0a 00", []string{`? ""`}},
		{"double", false, "09 0000000000003e40", []string{"? 30 or 4629137466983448576"}},
		{"fixed integer", false, "09 0500000000000000", []string{"? 5"}},
		{"float", false, "0d 0000c03f", []string{"? 1.5 or 1069547520"}},
		{"negative varint", false, "08 ffffffffffffffffff01", []string{"? -1 or 18446744073709551615"}},

		{"tag cut off", true, "0a 01 61 80", []string{`id "a"`, "3: the tag of a field runs past the end"}},
		{"value cut off", true, "0a 01 61 10 80", []string{`id "a"`, "3 count: the value runs past the end"}},
		{"fixed cut off", true, "b901 0000", []string{"0 double: the value runs past the end"}},
		{"length cut off", true, "0a 80", []string{"0 id: the length runs past the end"}},
		{"text cut off", true, "10 01 0a 05 61", []string{"count 1", "2 id: 5 bytes long, but only 1 are left"}},
		{"message cut off", true, "1a 08 0a 01 78 15 00",
			[]string{"items {}", `>name "x"`, "0 items[0]: 8 bytes long, but only 5 are left"}},
		{"message in message too long", true, "1a 04 0a 05 78 79",
			[]string{"items {}", "2 items[0].name: 5 bytes long, but only 2 are left"}},
		{"unknown message cut off", false, "0a 10 1203 ff0001 10",
			[]string{"? {}", ">? 0xff0001", "0 1: 16 bytes long, but only 6 are left"}},
		{"huge length", true, "0a ffffffffffffffffff01",
			[]string{"0 id: 18446744073709551615 bytes long, but only 0 are left"}},
		{"overlong varint", true, "10 ffffffffffffffffffff01", []string{"0 count: the value takes more than 64 bits"}},
		{"field number 0", true, "10 01 00", []string{"count 1", "2: no tag of a field: its number is 0"}},
		{"field number of 2^29", true, "8080808010", []string{"0: no tag of a field: its number is 536870912"}},
		{"wire type 6", true, "0e", []string{"0: no tag of a field: its wire type is 6"}},
		{"end without group", true, "0c", []string{"0: the end of group 1, which has not begun"}},
		{"group without end", true, "6b 0a0161", []string{"grouped {}", `>name "a"`, "4 grouped: group 13 has no end"}},
		{"end of another group", true, "6b 0c",
			[]string{"grouped {}", "1 grouped: the end of group 1, which has not begun"}},
		{"packed list cut off", true, "3a 02 0180",
			[]string{"0 deltas: element 1 of the packed list runs past the end"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := wireMessage(t, nobodys, c.digits)
			if c.known {
				in = wireMessage(t, events(t), c.digits)
			}
			l := List(in.Records[0].Wire, in.Message, (&message{in: in}).types())
			var got []string
			for _, line := range l.Lines {
				got = append(got, short(&line))
			}
			if p := l.Problem; p != nil {
				got = append(got, strings.TrimSpace(fmt.Sprintf("%d %s", p.Offset, p.Path))+": "+p.Message)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("\n%s, want\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

func hexOf(text string) string { return spaced([]byte(text)) }

// Paths say where in the message a line is.
func TestPaths(t *testing.T) {
	in := events(t)
	var paths []string
	for _, l := range List(in.Records[0].Wire, in.Message, in.Schema.Types()).Lines {
		paths = append(paths, l.Path)
	}
	for _, want := range []string{"[acme.v1.bonus].name", "items[1].name", "extra.value.name", `labels["web"].value`,
		"by_number[-7].value.name",
		`meta.fields["a"].value.list_value.values[3].string_value`, "deltas", "stamps[1]", "grouped.name",
		"parent.id"} {
		if !slices.Contains(paths, want) {
			t.Errorf("no path %s in %q", want, paths)
		}
	}
}

// Messages may be nested as deep as Protobuf libraries read them, and no deeper; what is
// told of each stays small.
func TestDepth(t *testing.T) {
	in := events(t)
	nested := func(levels int) []byte {
		var b []byte
		for range levels {
			head := protowire.AppendTag(nil, 27, protowire.BytesType)
			b = append(protowire.AppendVarint(head, uint64(len(b))), b...)
		}
		return b
	}
	if l := List(nested(2000), in.Message, nil); l.Problem != nil || len(l.Lines) != 2000 ||
		len(l.Lines[1999].Path) > 2*longestPath {
		t.Errorf("%d lines, %v, a path of %d bytes", len(l.Lines), l.Problem, len(l.Lines[1999].Path))
	}
	l := List(nested(maxDepth+1), in.Message, nil)
	if l.Problem == nil || l.Problem.Message != "messages are nested too deeply" {
		t.Errorf("%+v", l.Problem)
	}
	if l := List(nested(500), nil, nil); l.Problem != nil || l.Lines[len(l.Lines)-1].Depth != maxGuessed {
		t.Errorf("%+v, %d deep", l.Problem, l.Lines[len(l.Lines)-1].Depth)
	}
}

// Whatever the width, a line is no wider, and nothing in it means anything to a
// terminal.
func TestWidth(t *testing.T) {
	for _, s := range inspect(t, "", events(t)).Shown {
		for width := 40; width <= 200; width += 7 {
			for _, line := range strings.Split(printed(t, &s, Options{Options: report.Options{Width: width}}), "\n") {
				if n := utf8.RuneCountInString(line); n > max(width, 70) {
					t.Errorf("width %d: %d columns: %s", width, n, line)
				}
				if strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) {
					t.Errorf("%q", line)
				}
			}
		}
	}
}
