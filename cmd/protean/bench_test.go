package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// published is what the article that the suite hidden-cost reproduces says of a
// variant: bytes on the wire of small, medium and large. The article has one row
// for all variants that write JSON of a struct or a map.
var published = []struct {
	variant              string
	small, medium, large float64
}{
	{"Concrete (JSON)", 55, 291, 29201},
	{"Concrete (JSONv2)", 55, 291, 29201},
	{"Map (JSON)", 55, 291, 29201},
	{"Map (JSONv2)", 55, 291, 29201},
	{"Concrete (proto)", 25, 162, 16500},
	{"Concrete (vtproto)", 25, 162, 16500},
	{"Concrete (protean)", 25, 162, 16500},
	{"dynamic (protean)", 25, 162, 16500},
	{"google.protobuf.Any (proto)", 74, 212, 21200},
	{"Any (protean)", 74, 212, 21200},
	{"google.protobuf.Value (proto)", 74, 328, 33104},
	{"Value (protean proto)", 74, 328, 33104},
	{"value (protean)", 74, 328, 33104},
	{"Protobuf + JSON", 57, 294, 29205},
	{"Concrete (JSONProto)", 55, 293, 29412},
	{"Concrete (JSONProto, protean)", 55, 293, 29412},
	{"dynamicpb (JSONProto)", 55, 293, 29412},
	{"dynamic (JSONProto, protean)", 55, 293, 29412},
	{"google.protobuf.Value (JSONProto)", 55, 291, 29201},
	{"Value (protean JSONProto)", 55, 291, 29201},
	{"value (JSONProto, protean)", 55, 291, 29201},
	{"google.protobuf.Any (JSONProto)", 111, 349, 34900},
	{"Any (JSONProto, protean)", 111, 349, 34900},
}

// publishedAllocs are allocations that the article and today's libraries agree on.
var publishedAllocs = []struct {
	variant, op          string
	small, medium, large float64
}{
	{"Concrete (proto)", "marshal", 1, 1, 1},
	{"Concrete (vtproto)", "marshal", 1, 1, 1},
	{"Concrete (protean)", "marshal", 1, 1, 1},
	{"dynamic (protean)", "marshal", 1, 1, 1},
	{"Value (protean proto)", "marshal", 1, 1, 1},
	{"google.protobuf.Value (proto)", "marshal", 9, 25, 2401},
	{"Concrete (proto)", "unmarshal", 2, 15, 1509},
	{"google.protobuf.Any (proto)", "unmarshal", 5, 18, 1800},
	{"google.protobuf.Value (proto)", "unmarshal", 26, 90, 9011},
}

var hiddenCostPayloads = []string{"small", "medium", "large"}

func TestHiddenCost(t *testing.T) {
	heavy(t)
	o := bench(t, "--suite", "hidden-cost", "--format", "json", "--time", "3s")
	d := parsed(t, o, exitOK)
	checkKeys(t, o.stdout)
	for _, c := range d.Results {
		if c.Status == "failed" {
			t.Errorf("%s failed: %s", &c, c.Reason)
		}
	}
	for _, p := range published {
		for i, want := range []float64{p.small, p.medium, p.large} {
			payload := hiddenCostPayloads[i]
			size := d.cell(t, payload, p.variant, "size")
			if got := number(size.Wire); got != want {
				t.Errorf("%s: %v bytes, published are %v", size, got, want)
			}
			if size.NS != nil || size.Gzip == nil || size.Zstd == nil {
				t.Errorf("%s: ns %v, gzip %v, zstd %v: want sizes and no time", size, size.NS, size.Gzip, size.Zstd)
			}
			for _, op := range []string{"marshal", "unmarshal"} {
				c := d.cell(t, payload, p.variant, op)
				if c.Status != "ok" || c.Allocs == nil || c.Wire != nil {
					t.Errorf("%s: status %s (%s), allocations %v, want ok and no sizes", c, c.Status, c.Reason,
						number(c.Allocs))
				}
			}
		}
	}
	checkTimes(t, d)
	for _, p := range publishedAllocs {
		for i, want := range []float64{p.small, p.medium, p.large} {
			c := d.cell(t, hiddenCostPayloads[i], p.variant, p.op)
			if got := number(c.Allocs); got != want {
				t.Errorf("%s: %v allocations, published are %v", c, got, want)
			}
		}
	}
	reuse := d.cell(t, "medium", "hyperpb (proto, reuse)", "unmarshal")
	if got := reuse.Properties["memory"]; got != "reused" {
		t.Errorf("%s: memory %q, want reused", reuse, got)
	}
}

// checkTimes checks that cells have a time if they have samples, and that most have.
// All cannot be asked for: on a restless machine a second is too short for some.
func checkTimes(t *testing.T, d *document) {
	t.Helper()
	timed, total := 0, 0
	for i := range d.Results {
		c := &d.Results[i]
		if c.Status != "ok" || c.Op == "size" {
			continue
		}
		total++
		if number(c.NS) > 0 {
			timed++
		}
		if (number(c.NS) > 0) != (c.Samples > 0) {
			t.Errorf("%s: ns %v of %d samples", c, number(c.NS), c.Samples)
		}
	}
	if timed*2 < total {
		t.Errorf("%d of %d cells have a time", timed, total)
	}
}

// checkKeys holds the document against the design's.
func checkKeys(t *testing.T, text string) {
	t.Helper()
	var d map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	want := func(where string, object map[string]any, keys string) {
		for _, key := range strings.Fields(keys) {
			if _, ok := object[key]; !ok {
				t.Errorf("%s has no key %q", where, key)
			}
		}
	}
	var env map[string]any
	var results []map[string]any
	for key, into := range map[string]any{"env": &env, "results": &results} {
		if err := json.Unmarshal(d[key], into); err != nil {
			t.Fatalf("%s: %v", key, err)
		}
	}
	want("env", env, "date command protean go goos goarch cpu")
	for _, r := range results {
		want(fmt.Sprint(r["variant"], " ", r["op"]), r,
			"suite payload variant family op ns ns_low ns_high ratio ratio_low ratio_high "+
				"bytes_op allocs_op wire_bytes gzip_bytes zstd_bytes samples status reason")
	}
}

// A judgement is the outcome of cells that are not ok: those of the variant, in the
// operations, whose reason holds all the words.
type judgement struct {
	variant, ops, status string
	reason               []string
}

const (
	notCompiled = "vtprotobuf's code for this schema does not compile"
	noEditions  = "the vtprotobuf generator does not support editions ("
	onlyFlat    = "only flat messages fit"
)

// The integer of the sample that google.protobuf.Value and JSON maps cannot hold,
// and what becomes of it in a double.
var bigCounter = []string{"rows.json:", "pulses_meter_a: 104840788780558238 became 104840788780558240"}

var ownSchemas = []struct {
	name, suite, payload string
	flags                []string
	code                 int
	want                 []judgement
}{
	{"orders", "shop.orders.v1.Order", "orders", ordersFlags, exitFailed, []judgement{
		{"hyperpb (proto)", "unmarshal unmarshal+read", "failed",
			[]string{"orders.jsonl:2:", "number: -2 became 4294967294"}},
		{"hyperpb (proto, reuse)", "unmarshal unmarshal+read", "failed",
			[]string{"orders.jsonl:2:", "number: -2 became 4294967294"}},
		{"map<string, string> (proto)", "size marshal unmarshal unmarshal+read", "not-applicable",
			[]string{"Order.customer", onlyFlat}},
	}},
	{"telemetry", "fleet.telemetry.Report", "telemetry", reportFlags, exitOK, []judgement{
		{"Concrete (vtproto)", "size marshal unmarshal unmarshal+read", "not-applicable",
			[]string{notCompiled, "telemetry_vtproto.pb.go:", "m.Fault.MarshalToSizedBufferVT undefined"}},
		{"Concrete (vtproto, unsafe)", "unmarshal unmarshal+read", "not-applicable", []string{notCompiled}},
		{"map<string, string> (proto)", "size marshal unmarshal unmarshal+read", "not-applicable",
			[]string{"Report.position", onlyFlat}},
	}},
	{"wide", "wind.v1.DailyRecord", "rows", wideFlags, exitFailed, []judgement{
		{"Concrete (vtproto)", "size marshal unmarshal unmarshal+read", "not-applicable",
			[]string{noEditions, "wide.proto)"}},
		{"Concrete (vtproto, unsafe)", "unmarshal unmarshal+read", "not-applicable",
			[]string{noEditions, "wide.proto)"}},
		{"google.protobuf.Value (proto)",
			"marshal unmarshal unmarshal+read construct construct+marshal convert unmarshal+convert", "failed",
			bigCounter},
		{"Value (protean proto)", "marshal unmarshal unmarshal+read construct construct+marshal convert " +
			"unmarshal+convert", "failed", bigCounter},
		{"google.protobuf.Value (JSONProto)", "marshal unmarshal unmarshal+read", "failed", bigCounter},
		{"Value (protean JSONProto)", "marshal unmarshal unmarshal+read", "failed", bigCounter},
		{"value (protean)", "size marshal unmarshal unmarshal+read construct construct+marshal convert " +
			"unmarshal+convert", "not-applicable", []string{"rows.json:", "a double cannot hold the integer"}},
		{"value (JSONProto, protean)", "marshal unmarshal", "failed", bigCounter},
		{"Doc (protean)", "unmarshal unmarshal+read", "failed", bigCounter},
		{"Doc (protean, reuse)", "unmarshal unmarshal+read", "failed", bigCounter},
		{"Map (JSON)", "unmarshal unmarshal+read", "failed", bigCounter},
		{"Map (JSONv2)", "unmarshal unmarshal+read", "failed", bigCounter},
		{"Map (sonic)", "unmarshal unmarshal+read", "failed", bigCounter},
		{"Map (go-json)", "unmarshal unmarshal+read", "failed", bigCounter},
	}},
}

// Schemas of a user go from end to end, and every cell ends as it must.
func TestOwnSchemas(t *testing.T) {
	for _, tt := range ownSchemas {
		t.Run(tt.name, func(t *testing.T) {
			heavy(t)
			d := benchJSON(t, tt.code, flags(tt.flags, "--all")...)
			if d.Suite != tt.suite {
				t.Errorf("suite %q, want %q", d.Suite, tt.suite)
			}
			for _, j := range tt.want {
				for _, op := range strings.Fields(j.ops) {
					d.cell(t, tt.payload, j.variant, op) // is there
				}
			}
			for i := range d.Results {
				checkCell(t, &d.Results[i], tt.want)
			}
			checkTimes(t, d)
		})
	}
}

// The files of one Protobuf package may name several Go packages, as published schemas do.
func TestSchemaOfSeveralGoPackages(t *testing.T) {
	heavy(t)
	d := benchJSON(t, exitOK, flags(shelfFlags, "--time", "0",
		"--variants", "Concrete (proto),Concrete (vtproto),dynamic (protean)")...)
	for i := range d.Results {
		checkCell(t, &d.Results[i], nil)
	}
}

// Some of many samples are measured, and the report says of how many.
func TestSomeSamples(t *testing.T) {
	heavy(t)
	o := bench(t, flags(ordersFlags, flags(onlyOneSize, "--time", "0", "--samples", "5")...)...)
	const want = "orders: 5 samples, drawn at random from 16 (--samples)"
	if o.code != exitOK || !strings.Contains(o.stdout, want) {
		t.Errorf("exit code %d, %s\nwant %q in\n%s", o.code, o.stderr, want, o.stdout)
	}
}

// checkCell holds a cell against the judgement on it; without one it must be ok.
func checkCell(t *testing.T, c *cell, want []judgement) {
	t.Helper()
	at := slices.IndexFunc(want, func(j judgement) bool {
		return j.variant == c.Variant && slices.Contains(strings.Fields(j.ops), c.Op)
	})
	if at < 0 {
		if c.Status != "ok" || c.Reason != "" || (c.Op == "size") != (c.Wire != nil) ||
			(c.Op == "size") == (c.Allocs != nil) {
			t.Errorf("%s: %s (%s), %v bytes, %v allocations; want ok and either", c, c.Status, c.Reason, number(c.Wire),
				number(c.Allocs))
		}
		return
	}
	if c.Status != want[at].status {
		t.Errorf("%s: %s (%s), want %s", c, c.Status, c.Reason, want[at].status)
	}
	if c.NS != nil || c.Allocs != nil || c.Wire != nil || c.Samples != 0 {
		t.Errorf("%s: has figures although it is %s", c, c.Status)
	}
	for _, part := range want[at].reason {
		if !strings.Contains(c.Reason, part) {
			t.Errorf("%s: reason %q, want %q in it", c, c.Reason, part)
		}
	}
}

// Probing finds the traits that the libraries are known for.
func TestProperties(t *testing.T) {
	heavy(t)
	const utf8, input, det, i64, nan, unknown, memory = "utf8", "input", "deterministic", "int64", "nan", "unknown",
		"memory"
	const mutable = "mutable"
	d := benchJSON(t, exitOK, flags(ordersFlags, "--ops", "unmarshal",
		"--variants", "Concrete (proto),Concrete (vtproto),Concrete (vtproto, unsafe),google.protobuf.Value "+
			"(proto),Concrete (JSON),Doc (protean)")...)
	for _, tt := range []struct {
		variant string
		want    map[string]string
	}{
		{"Concrete (proto)", map[string]string{utf8: "refused", input: "copied", i64: "kept", nan: "kept",
			unknown: "kept", memory: "fresh", mutable: "yes"}},
		{"Doc (protean)", map[string]string{mutable: "no"}},
		{"Concrete (vtproto)", map[string]string{utf8: "passed", input: "copied", i64: "kept", unknown: "kept"}},
		{"Concrete (vtproto, unsafe)", map[string]string{utf8: "passed", input: "aliased", memory: "fresh"}},
		{"google.protobuf.Value (proto)",
			map[string]string{i64: "altered", nan: "kept", unknown: "dropped", mutable: "yes"}},
		{"Concrete (JSON)", map[string]string{utf8: "replaced", det: "yes", i64: "kept", nan: "refused",
			unknown: "dropped", mutable: "yes"}},
	} {
		got := d.cell(t, "", tt.variant, "unmarshal").Properties
		for name, want := range tt.want {
			if got[name] != want {
				t.Errorf("%s: %s %q, want %q", tt.variant, name, got[name], want)
			}
		}
	}
}

// A message that panics when it is changed is read-only.
func TestReadOnly(t *testing.T) {
	heavy(t)
	d := benchJSON(t, exitOK, "--payloads", "small", "--ops", "unmarshal", "--time", "0", "--variants",
		"hyperpb (proto)")
	if got := d.cell(t, "small", "hyperpb (proto)", "unmarshal").Properties["mutable"]; got != "no" {
		t.Errorf("mutable %q, want no", got)
	}
}

// Without time to measure, variants are verified and counted, and nothing is timed.
func TestCountOnly(t *testing.T) {
	heavy(t)
	d := benchJSON(t, exitOK, flags(flags(ordersFlags, threeMarshal...), "--ops", "marshal,size", "--time", "0")...)
	for _, c := range d.Results {
		timed, counted := c.NS != nil || c.Samples > 0, c.Allocs != nil && *c.Allocs > 0
		if c.Status != "ok" || timed || counted != (c.Op == "marshal") || (c.Wire != nil) != (c.Op == "size") {
			t.Errorf("%s: %+v", &c, c)
		}
	}
	if len(d.Results) != 6 {
		t.Errorf("%d cells, want 6", len(d.Results))
	}
}
