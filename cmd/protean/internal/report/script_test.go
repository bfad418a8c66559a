package report

import (
	"testing"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
)

func part(name string, allocs, bytes float64) result.Component {
	return result.Component{Name: name, AllocsOp: allocs, BytesOp: bytes}
}

// scripted is a report of the suite script, with two operations and a floor.
func scripted() *Report {
	r := minimal()
	r.Suite, r.Baseline, r.Variants, r.Results = "script", nativeName, nil, nil
	parts := result.Components{part(result.Engine, 5, 300), part(result.Bridge, 1, 64), part(result.Runtime, 4.5, 144),
		part(result.GoOwn, 1, 24)}
	for _, c := range []struct {
		op, variant, family string
		ns, allocs          float64
		parts               result.Components
	}{
		{"marshal", scriptName, "js", 1000, 9, parts},
		{"marshal", protobufjsName, "js", 250_000, 989, result.Components{part(result.Engine, 989, 21_000)}},
		{"marshal", nativeName, "proto", 2000, 18, nil},
		{"create", scriptName, "js", 600, 11.5, parts},
		{"create", nativeName, "proto", 100, 3, nil},
		{"create", generatedName, "proto", 80, 1, nil},
		{"create", goCallsName, "js", 400, 3, result.Components{part(result.Engine, 3, 184)}},
		{"set+get", scriptName, "js", 300, 0, nil},
		{"set+get", goCallsName, "js", 250, 0, nil},
		{"set+get", plainObjectName, "js", 200, 0, nil},
	} {
		r.Results = append(r.Results, result.Result{
			Suite: "script", Payload: "user", Variant: c.variant, Family: c.family, Op: c.op, Status: result.OK,
			NS: stats.Interval{Median: c.ns, Low: c.ns * 0.99, High: c.ns * 1.01}, Samples: 17, Converged: true,
			AllocsOp: c.allocs, BytesOp: 48 * c.allocs, Components: c.parts,
		})
	}
	return r
}

// table returns the section of a report whose title ends so, by the heads of its columns
// and the first cells of its rows.
func table(t *testing.T, r *Report, ending string) map[string]map[string]string {
	t.Helper()
	for _, s := range newDocument(r).sections {
		if s.title != title("script", "user", ending) {
			continue
		}
		out := map[string]map[string]string{}
		for _, row := range s.rows {
			cells := map[string]string{}
			for i, c := range row {
				cells[s.columns[i].head] = c.text
			}
			out[row[0].text] = cells
		}
		return out
	}
	t.Fatalf("no table of %s", ending)
	return nil
}

func TestScriptTables(t *testing.T) {
	r := scripted()
	for _, want := range []struct{ table, row, column, text string }{
		{"overhead", "marshal", "time", "1.00µs"},
		{"overhead", "marshal", "dynpb", "0.50x"},
		{"overhead", "marshal", "pbjs", "0.004x"},
		{"overhead", "marshal", "floor", ""},
		{"overhead", "marshal", "in Go", "18"},
		{"overhead", "create", "floor", "1.50x"},
		{"overhead", "create", "gen", "7.50x"},
		{"overhead", "set+get", "floor", "1.50x"}, // of a plain object, not of calls
		{"overhead", "set+get", "dynpb", ""},
		{"allocations by component", "create", "total", "11.5"},
		{"allocations by component", "create", "goja", "5"},
		{"allocations by component", "create", "runtime", "4.5"},
		{"allocations by component", "create", "runtime B", "144"},
		{"allocations by component", "create", "other", ""},
		{"allocations by component", "set+get", "total", "0"},
		{"a thousand messages", "created", "gojapb", "0.600"},
		{"a thousand messages", "created", "dynamicpb", "0.100"},
		{"a thousand messages", "encoded", "generated", ""},
	} {
		if got, ok := table(t, r, want.table)[want.row][want.column]; !ok || got != want.text {
			t.Errorf("%s, %s, %s: %q, want %q", want.table, want.row, want.column, got, want.text)
		}
	}
	for i := range r.Results {
		r.Results[i].Components = nil
	}
	for _, s := range newDocument(r).sections {
		if s.title == title("script", "user", "allocations by component") {
			t.Error("a table of components where none were looked into")
		}
	}
}

// TestOtherSuitesHaveNoScripts checks that the tables stay out of other reports.
func TestOtherSuitesHaveNoScripts(t *testing.T) {
	if got := scripts(groups(full())); len(got) > 0 {
		t.Errorf("%d tables about scripts in a report without", len(got))
	}
}
