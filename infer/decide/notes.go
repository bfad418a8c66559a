package decide

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/protean-pb/protean/infer/profile"
	"github.com/protean-pb/protean/infer/schema"
)

// share writes how many of all, as in "3 of 12 (25 %)".
func share(part, all uint64) string {
	if part == all {
		return fmt.Sprintf("all of %d", all)
	}
	return fmt.Sprintf("%d of %d (%s)", part, all, percent(part, all))
}

func percent(part, all uint64) string {
	p := 100 * float64(part) / float64(max(all, 1))
	switch {
	case p > 0 && p < 0.1:
		return "under 0.1 %"
	case p < 10:
		return strconv.FormatFloat(p, 'f', 1, 64) + " %"
	case p > 99 && p < 100:
		return "over 99 %"
	}
	return strconv.FormatFloat(p, 'f', 0, 64) + " %"
}

// kinds lists the kinds of values with their numbers, the most frequent first.
func kinds(n *profile.Node) []string {
	type kind struct {
		count     uint64
		one, many string
	}
	all := []kind{
		{n.Strings, "string", "strings"}, {n.Ints, "integer", "integers"},
		{n.Floats, "number with a fraction", "numbers with a fraction"},
		{n.Bools, "bool", "bools"}, {n.Objects, "object", "objects"}, {n.Arrays, "array", "arrays"},
		{n.Nulls, "null", "nulls"},
	}
	slices.SortStableFunc(all, func(a, b kind) int { return cmp.Compare(b.count, a.count) })
	var out []string
	for _, k := range all {
		switch {
		case k.count == 1:
			out = append(out, "1 "+k.one)
		case k.count > 1:
			out = append(out, fmt.Sprintf("%d %s", k.count, k.many))
		}
	}
	return out
}

// What a comment lists as the values of a field: few, short, without spaces, and each often enough.
const (
	maxValues    = 12
	maxValueSize = 32
	minTimes     = 4
)

// fewValues lists the values of strings with their rates, if they are few; empty otherwise.
func fewValues(n *profile.Node) string {
	v := slices.Clone(n.Values.Values)
	if n.Values.Full || len(v) < 2 || len(v) > maxValues || n.Strings < uint64(minTimes*len(v)) {
		return ""
	}
	slices.SortFunc(v, func(a, b profile.Value) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Text, b.Text))
	})
	var out []string
	for _, one := range v {
		if !word(one.Text) {
			return ""
		}
		out = append(out, fmt.Sprintf("%s (%s)", one.Text, percent(one.Count, n.Strings)))
	}
	return strings.Join(out, ", ")
}

// word reports whether a value may be the name of something, not text.
func word(s string) bool {
	if s == "" || len(s) > maxValueSize || s[0] >= '0' && s[0] <= '9' {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.') {
			return false
		}
	}
	return true
}

// examples returns the most frequent values of a sketch.
func examples(s *profile.Sketch, count int) []string {
	v := slices.Clone(s.Values)
	slices.SortFunc(v, func(a, b profile.Value) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Text, b.Text))
	})
	var out []string
	for _, one := range v[:min(count, len(v))] {
		out = append(out, one.Text)
	}
	return out
}

func quoteAll(texts []string) string {
	var out []string
	for _, t := range texts {
		out = append(out, strconv.Quote(t))
	}
	return strings.Join(out, ", ")
}

// facts are what is known of a field's values, for those who want to know why.
func facts(n *profile.Node, path string, objects uint64, v *verdict) schema.Facts {
	f := schema.Facts{
		Path: path, Objects: objects, Present: n.Count(), Nulls: n.Nulls, Kinds: kinds(n),
		Examples: examples(&n.Values, 3), Against: v.against,
	}
	var ranges []string
	if n.Ints > n.Huge {
		ranges = append(ranges, fmt.Sprintf("integers from %d to %d", n.IntMin, n.IntMax))
	}
	if n.Floats > 0 {
		ranges = append(ranges, fmt.Sprintf("other numbers from %v to %v", n.FloatMin, n.FloatMax))
	}
	if n.Strings > 0 {
		ranges = append(ranges, fmt.Sprintf("strings of %d to %d bytes", n.LenMin, n.LenMax))
	}
	if n.Arrays > 0 {
		ranges = append(ranges, fmt.Sprintf("arrays of %d to %d elements", n.ItemsMin, n.ItemsMax))
	}
	f.Range = strings.Join(ranges, "; ")
	switch values := n.Values.Distinct(); {
	case values == 0:
	case n.Values.Full:
		f.Distinct = fmt.Sprintf("about %d", values)
	default:
		f.Distinct = strconv.FormatUint(values, 10)
	}
	return f
}

// noteDigits says how many numbers there are in a value without fields of its own that lose digits.
func (v *verdict) noteDigits(s *slot) {
	lost, all := uint64(0), uint64(0)
	seen := map[*shape]bool{} // an object may hold its own shape
	var walk func(*slot)
	walk = func(s *slot) {
		if s == nil {
			return
		}
		lost, all = lost+digitsLost(&s.stats), all+s.stats.Ints+s.stats.Floats
		if of := s.shape(); !seen[of] {
			seen[of] = true
			for _, c := range of.fields {
				walk(c)
			}
			walk(of.elem)
			walk(of.wild)
		}
	}
	if walk(s); lost > 0 {
		v.note("%s numbers in it have more digits than a double.", share(lost, all))
	}
}

// digitsLost counts the numbers that are no doubles.
func digitsLost(n *profile.Node) uint64 { return n.Unsafe + n.Huge + n.Inexact }
