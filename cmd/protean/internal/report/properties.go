package report

import (
	"reflect"
	"slices"
	"strings"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
)

// A property is a column of the properties table.
type property struct {
	name  string // as in the JSON
	short string // in the terminal, where nine columns stand beside the name
	about string
	of    func(result.Properties) string
}

var propertyList = []property{
	{"utf8", "utf8", "invalid UTF-8 in a string", func(p result.Properties) string { return p.UTF8 }},
	{"input", "input", "copied by unmarshal, or aliased", func(p result.Properties) string { return p.Input }},
	{"deterministic", "det", "equal messages give equal bytes",
		func(p result.Properties) string { return p.Deterministic }},
	{"int64", "i64", "integers above 2^53", func(p result.Properties) string { return p.Int64 }},
	{"nan", "nan", "not a number", func(p result.Properties) string { return p.NaN }},
	{"empty", "empty", "present but empty, against absent", func(p result.Properties) string { return p.Empty }},
	{"unknown", "unkn", "unknown fields", func(p result.Properties) string { return p.Unknown }},
	{"order", "order", "of the fields as received", func(p result.Properties) string { return p.Order }},
	{"memory", "mem", "of a result, fresh or reused", func(p result.Properties) string { return p.Memory }},
	{"mutable", "mut", "what is read can be changed", func(p result.Properties) string { return p.Mutable }},
}

// shortWords are the findings as the terminal shows them.
var shortWords = map[string]string{
	"refused": "err", "replaced": "repl", "passed": "pass",
	"copied": "copy", "aliased": "alias",
	"yes": "yes", "no": "no",
	"kept": "kept", "altered": "alt", "dropped": "drop",
	"fresh": "new", "reused": "pool",
}

// properties builds the tables of what probing found: one a payload, but payloads
// with equal findings share one.
func properties(payloads [][]*group) []section {
	var (
		out   []section
		names [][]string // the payloads of each section
	)
	for _, payload := range payloads {
		s := propertyTable(payload)
		if len(s.rows) == 0 {
			continue
		}
		same := slices.IndexFunc(out, func(o section) bool {
			return o.title == s.title && reflect.DeepEqual(o.rows, s.rows)
		})
		if same < 0 {
			out, names = append(out, s), append(names, nil)
			same = len(out) - 1
		}
		names[same] = append(names[same], payload[0].payload)
	}
	for i := range out {
		out[i].title = title(out[i].title, strings.Join(names[i], ", "), "properties")
	}
	return out
}

// isProperties reports whether s is one of those tables.
func (s section) isProperties() bool { return strings.HasSuffix(s.title, " properties") }

// propertyTable is titled by the suite alone.
func propertyTable(payload []*group) section {
	s := section{title: payload[0].suite, columns: []column{{head: "variant", full: "Variant", left: true}}}
	for _, p := range propertyList {
		s.columns = append(s.columns, column{head: p.short, full: p.name, left: true, drop: 1})
	}
	var seen []string
	for _, g := range payload {
		for _, c := range g.results {
			if c.Properties != (result.Properties{}) && !slices.Contains(seen, c.Variant) {
				seen = append(seen, c.Variant)
				s.rows = append(s.rows, propertyRow(c))
				s.of = append(s.of, c)
			}
		}
	}
	return s
}

func propertyRow(c *result.Result) []cell {
	row := []cell{{text: clean(c.Variant), tint: familyTint(c.Family)}}
	for _, p := range propertyList {
		found := p.of(c.Properties)
		one := cell{text: found, full: found}
		if short, ok := shortWords[found]; ok {
			one.text = short
		}
		if found == "altered" || found == "dropped" && p.name == "unknown" {
			one.tint = bad
		}
		row = append(row, one)
	}
	return row
}
