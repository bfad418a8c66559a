package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/protean-pb/protean/cmd/protean/internal/report"
	"github.com/protean-pb/protean/cmd/protean/internal/suite"
	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

// What the plans of the built-in suites name is there.
func TestPlans(t *testing.T) {
	var ops []string
	for _, o := range variant.Ops() {
		ops = append(ops, o.Name)
	}
	for _, info := range suite.Builtins() {
		for _, name := range info.Plan.Variants {
			if variant.Find(name) == nil {
				t.Errorf("%s: no variant %s", info.Name, name)
			}
		}
		for what, lists := range map[string][2][]string{"column": {info.Plan.Columns, report.ExtraColumns()},
			"operation": {info.Plan.Ops, ops}} {
			for _, name := range lists[0] {
				if !slices.Contains(lists[1], name) {
					t.Errorf("%s: no %s %s", info.Name, what, name)
				}
			}
		}
		if n := len(planned(info.Plan)); len(info.Plan.Variants) > 0 && n != len(info.Plan.Variants) {
			t.Errorf("%s: %d variants of %d", info.Name, n, len(info.Plan.Variants))
		}
	}
}

// A list chooses among the suite's variants first, and then among all.
func TestChooseVariants(t *testing.T) {
	flat, err := suite.PlanOf("protobuf-vs-json")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		plan suite.Plan
		list []string
		want string
	}{
		{"part", suite.Plan{}, []string{"concrete (pro"},
			"Concrete (proto), Concrete (protean), Concrete (protean, aliased)"},
		{"part in a plan", flat, []string{"concrete (pro"},
			"Concrete (proto), Concrete (protean), Concrete (proto, reuse), Concrete (protean, reuse)"},
		{"on request", suite.Plan{}, []string{"generated struct"},
			"Generated struct (JSON), Generated struct (JSON, reuse)"},
		{"of no plan", flat, []string{"Concrete (JSON)", "Concrete (proto)"}, "Concrete (JSON), Concrete (proto)"},
		{"twice", flat, []string{"proto, reuse", "Concrete (proto, reuse)"}, "Concrete (proto, reuse)"},
	} {
		got, err := chooseVariants(tt.list, planned(tt.plan))
		if err != nil || names(got) != tt.want {
			t.Errorf("%s: %s (%v), want %s", tt.name, names(got), err, tt.want)
		}
	}
	for _, v := range planned(suite.Plan{}) {
		if v.OnRequest {
			t.Errorf("%s without being asked for", v.Name)
		}
	}
}

// The suite protobuf-vs-json has the published sizes, and what lies behind them.
func TestProtobufVsJSON(t *testing.T) {
	heavy(t)
	d := benchJSON(t, exitOK, "--suite", "protobuf-vs-json")
	for i := range d.Results {
		if c := &d.Results[i]; c.Status != "ok" {
			t.Errorf("%s: %s (%s)", c, c.Status, c.Reason)
		}
	}
	if got := cellsOf(d, opOf); got != "size; marshal; unmarshal" {
		t.Errorf("operations %q", got)
	}
	for _, tt := range []struct {
		variant         string
		bytes, capacity [3]float64
	}{
		{"Generated struct (JSON)", [3]float64{51, 398, 4060}, [3]float64{64, 416, 4096}},
		{"Concrete (proto)", [3]float64{28, 282, 3029}, [3]float64{28, 282, 3029}},
		{"Concrete (protean)", [3]float64{28, 282, 3029}, [3]float64{28, 282, 3029}},
	} {
		for i, payload := range []string{"Small", "Medium", "Large"} {
			c := d.cell(t, payload, tt.variant, "size")
			if number(c.Wire) != tt.bytes[i] || number(c.Capacity) != tt.capacity[i] {
				t.Errorf("%s: %v bytes of %v, published are %v of %v", c, number(c.Wire), number(c.Capacity),
					tt.bytes[i], tt.capacity[i])
			}
		}
	}
	// The published allocations are those of messages that are read into again.
	for variant, allocs := range map[string][3]float64{"Concrete (proto)": {3, 3, 5},
		"Concrete (proto, reuse)": {2, 2, 4}} {
		for i, payload := range []string{"Small", "Medium", "Large"} {
			if c := d.cell(t, payload, variant, "unmarshal"); number(c.Allocs) != allocs[i] {
				t.Errorf("%s: %v allocations, want %v", c, number(c.Allocs), allocs[i])
			}
		}
	}
	if c := d.cell(t, "Small", "Concrete (proto, reuse)", "unmarshal"); c.Properties["memory"] != "reused" {
		t.Errorf("%s: memory %q", c, c.Properties["memory"])
	}
}

// The plan of a suite holds for a user's own schema. That a reused struct keeps what the
// next text does not name is found, and what cannot serve a schema says why.
func TestPlanOnOwnSchema(t *testing.T) {
	heavy(t)
	for _, tt := range []struct {
		flags           []string
		variant, status string
		reason          string
	}{
		{reportFlags, "Generated struct (JSON, reuse)", "failed", "#2: position.satellites: 7 was added"},
		{ordersFlags, "Generated struct (JSON)", "not-applicable",
			"encoding/json cannot read a oneof, which shop.orders.v1.Order has"},
	} {
		o := bench(t, flags(tt.flags, "--suite", "protobuf-vs-json", "--format", "json", "--ops", "unmarshal")...)
		d := parse(t, o.stdout)
		if got := strings.Count(cellsOf(d, variantOf), ";") + 1; got != 8 {
			t.Errorf("%d variants: %s", got, cellsOf(d, variantOf))
		}
		if c := d.cell(t, "", tt.variant, "unmarshal"); c.Status != tt.status ||
			!strings.Contains(c.Reason, tt.reason) {
			t.Errorf("%s: %s (%s), want %s (%s)", c, c.Status, c.Reason, tt.status, tt.reason)
		}
	}
}
