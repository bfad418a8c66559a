package report

import (
	"math"
	"slices"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
)

// The fixture has the published figures of the hidden-cost suite, with made-up
// intervals and mishaps, so that every mark and note appears somewhere.

type kind struct{ name, family string }

var kinds = []kind{
	{"Concrete (JSON)", "json"}, {"Concrete (JSONv2)", "json"}, {"Map (JSON)", "json"}, {"Map (JSONv2)", "json"},
	{"Concrete (proto)", "proto"}, {"Concrete (vtproto)", "proto"}, {"google.protobuf.Any (proto)", "proto"},
	{"google.protobuf.Value (proto)", "proto"}, {"Protobuf + JSON", "proto"},
	{"Concrete (JSONProto)", "jsonproto"}, {"google.protobuf.Value (JSONProto)", "jsonproto"},
	{"google.protobuf.Any (JSONProto)", "jsonproto"}, {"hyperpb (proto, reuse)", "proto"}, {"gojapb", "js"},
}

// figures are ns, B/op and allocs/op by variant, in the order of the kinds.
type figures [3]float64

type timing struct {
	payload, op string
	cells       map[string]figures
}

var timingsOf = []timing{
	{"small", "marshal", map[string]figures{
		"Concrete (vtproto)": {31.2, 32, 1}, "google.protobuf.Any (proto)": {97.4, 80, 1},
		"Concrete (proto)": {98.1, 32, 1},
		"Concrete (JSON)":  {212, 64, 1}, "Protobuf + JSON": {361, 256, 4}, "Concrete (JSONv2)": {372, 112, 2},
		"Map (JSON)": {707, 352, 10}, "Concrete (JSONProto)": {774, 512, 12}, "Map (JSONv2)": {949, 151, 9},
		"google.protobuf.Value (proto)": {1598, 208, 9}, "google.protobuf.Value (JSONProto)": {2461, 704, 23},
		"gojapb": {5030, 9011, 83}}},
	{"small", "unmarshal", map[string]figures{
		"Concrete (vtproto)": {32, 16, 1}, "Concrete (proto)": {141, 96, 2},
		"google.protobuf.Any (proto)": {315, 256, 5},
		"Concrete (JSONv2)":           {430, 48, 1}, "Concrete (JSON)": {936, 280, 6}, "Map (JSONv2)": {964, 408, 8},
		"Protobuf + JSON": {1130, 472, 9}, "Concrete (JSONProto)": {1161, 336, 14}, "Map (JSON)": {1345, 648, 20},
		"google.protobuf.Value (proto)": {1715, 832, 26}, "google.protobuf.Value (JSONProto)": {3220, 1256, 43},
		"gojapb": {6670, 11840, 90}}},
	{"small", "construct", map[string]figures{"google.protobuf.Value (proto)": {504, 671, 13}}},
	{"large", "marshal", map[string]figures{
		"Concrete (vtproto)": {8818, 18432, 1}, "google.protobuf.Any (proto)": {13042, 22400, 100},
		"Concrete (proto)": {30748, 18432, 1},
		"Concrete (JSON)":  {50543, 32823, 2}, "Protobuf + JSON": {60580, 98877, 4},
		"Concrete (JSONv2)": {76952, 32837, 3},
		"Map (JSONv2)":      {106291, 35259, 303}, "Map (JSON)": {226032, 120907, 2702},
		"Concrete (JSONProto)":              {284717, 243744, 2728},
		"google.protobuf.Value (proto)":     {486336, 79360, 2401},
		"google.protobuf.Value (JSONProto)": {1.811368e6, 320172, 6260},
		"hyperpb (proto, reuse)":            {30801, 0, 0}}},
	{"large", "unmarshal", map[string]figures{
		"Concrete (vtproto)": {43925, 58168, 1508}, "Concrete (proto)": {67402, 58232, 1509},
		"google.protobuf.Any (proto)": {90635, 86400, 1800},
		"Concrete (JSONv2)":           {137095, 54303, 309}, "Map (JSONv2)": {219971, 144699, 3309},
		"Map (JSON)":      {337811, 162297, 4313},
		"Concrete (JSON)": {345927, 70584, 1216}, "Protobuf + JSON": {358199, 136184, 1219},
		"Concrete (JSONProto)":              {473163, 119256, 5713},
		"google.protobuf.Value (proto)":     {585077, 291106, 9011},
		"google.protobuf.Value (JSONProto)": {1.150365e6, 395331, 14414.5},
		"hyperpb (proto, reuse)":            {41800, 0, 0}}},
}

var bytesOf = map[string]map[string]float64{
	"small": {"Concrete (JSON)": 55, "Concrete (JSONv2)": 55, "Map (JSON)": 55, "Map (JSONv2)": 55,
		"Concrete (proto)":   25,
		"Concrete (vtproto)": 25, "Protobuf + JSON": 57, "google.protobuf.Any (proto)": 74,
		"google.protobuf.Value (proto)": 74,
		"Concrete (JSONProto)":          55, "google.protobuf.Value (JSONProto)": 55,
		"google.protobuf.Any (JSONProto)": 111},
	"large": {"Concrete (JSON)": 29201, "Concrete (JSONv2)": 29201, "Map (JSON)": 29201, "Map (JSONv2)": 29201,
		"Concrete (proto)":   16500,
		"Concrete (vtproto)": 16500, "Protobuf + JSON": 29205, "google.protobuf.Any (proto)": 21200,
		"google.protobuf.Value (proto)": 33104,
		"Concrete (JSONProto)":          29412.5, "google.protobuf.Value (JSONProto)": 29201,
		"google.protobuf.Any (JSONProto)": 34900},
}

func propertiesOf(k kind) result.Properties {
	p := result.Properties{UTF8: "refused", Input: "copied", Deterministic: "yes", Int64: "kept", NaN: "kept",
		Empty: "kept", Unknown: "kept", Order: "dropped", Memory: "fresh"}
	switch {
	case k.name == "Map (JSON)" || k.name == "Map (JSONv2)":
		p.Int64, p.NaN, p.Unknown, p.UTF8 = "altered", "refused", "refused", "replaced"
	case k.family == "json":
		p.NaN, p.Unknown, p.UTF8, p.Empty = "refused", "refused", "replaced", "altered"
	case k.name == "google.protobuf.Value (proto)" || k.name == "google.protobuf.Value (JSONProto)":
		p.Int64, p.Deterministic, p.Unknown = "altered", "no", ""
	case k.family == "jsonproto":
		p.Deterministic, p.Unknown = "no", "refused"
	case k.name == "Concrete (vtproto)":
		p.UTF8 = "passed"
	case k.name == "hyperpb (proto, reuse)":
		p.Input, p.Memory = "aliased", "reused"
	}
	return p
}

func around(x, share float64) stats.Interval {
	return stats.Interval{Median: x, Low: x * (1 - share), High: x * (1 + share)}
}

// full is a whole run with every mishap.
func full() *Report {
	r := &Report{
		Env: result.Env{Date: "2026-09-12T10:00:00Z",
			Command: "protean bench --suite hidden-cost --payloads small,large --precision 2%",
			Protean: "v0.1.0", Go: "go1.26.0", GOOS: "linux", GOARCH: "amd64",
			CPU: "AMD EPYC 9R14 96-Core Processor", GOMAXPROCS: 2, Precision: 0.02, Time: 60},
		Suite: "hidden-cost", Baseline: "Concrete (proto)",
		Warnings: []string{"hidden-cost/small marshal: 1 of 12 variants is known only to ±4.1 % (wanted ±2 %): the " +
			"machine was noisy or the time too short; a longer --time or a quieter machine would help"},
	}
	for _, k := range kinds {
		r.Variants = append(r.Variants,
			result.Variant{Name: k.name, Family: k.family, Library: "example.com/" + k.family, Version: "v1.2.3",
				About: "made up"})
	}
	for _, payload := range []string{"small", "large"} {
		for _, k := range kinds {
			r.Results = append(r.Results, sizeCell(payload, k))
		}
		for _, t := range timingsOf {
			if t.payload == payload {
				r.Results = append(r.Results, timingCells(t)...)
			}
		}
	}
	return r
}

func newCell(payload, op string, k kind) result.Result {
	return result.Result{Suite: "hidden-cost", Payload: payload, Variant: k.name, Family: k.family, Op: op,
		Status: result.OK,
		Held:   result.NewHeld(payload == "small", false, true), Properties: propertiesOf(k)}
}

// missing sets why a cell has no figures.
func missing(c result.Result) result.Result {
	c.Status = result.NotApplicable
	switch {
	case c.Variant == "gojapb":
		c.Reason = "goja cannot hold 100 events"
	case c.Variant == "hyperpb (proto, reuse)":
		c.Reason = "hyperpb only reads"
	case c.Variant == "google.protobuf.Any (JSONProto)" && c.Payload == "large":
		c.Refused, c.Reason = true, "../data/large.json:1: json: unsupported value: +Inf"
	case c.Variant == "google.protobuf.Any (JSONProto)":
		c.Status, c.Reason = result.Failed,
			"unmarshal: the result differs from the payload at events[17].actor.email:\n\twant \"user@example.com\", "+
				"got \"\""
	default:
		c.Reason = "has no such operation"
	}
	return c
}

func sizeCell(payload string, k kind) result.Result {
	c := newCell(payload, "size", k)
	bytes, ok := bytesOf[payload][k.name]
	if !ok {
		return missing(c)
	}
	c.WireBytes, c.GzipBytes, c.ZstdBytes = bytes, math.Round(bytes*0.11)+31, math.Round(bytes*0.09)+27
	return c
}

func timingCells(t timing) []result.Result {
	var out []result.Result
	base := "Concrete (proto)"
	if t.op == "construct" {
		base = "google.protobuf.Value (proto)"
	}
	group := stats.Group{Baseline: base}
	for _, k := range kinds {
		c := newCell(t.payload, t.op, k)
		f, ok := t.cells[k.name]
		if !ok {
			if t.op != "construct" {
				out = append(out, missing(c))
			}
			continue
		}
		c.BytesOp, c.AllocsOp, c.Baseline, c.Samples = f[1], f[2], base, 48
		c.NS, c.Converged = around(f[0], 0.004), true
		c.Ratio = around(f[0]/t.cells[base][0], 0.008)
		if k.name == base {
			c.Ratio = stats.Interval{Median: 1, Low: 1, High: 1}
		}
		spoil(&c)
		if k.name == "hyperpb (proto, reuse)" && t.op == "unmarshal" {
			c.Apart = result.Reused
		}
		group.Cells = append(group.Cells, stats.Cell{Variant: k.name, Turns: constant(&c), Apart: string(c.Apart)})
		c.Turns = group.Cells[len(group.Cells)-1].Turns[:3]
		out = append(out, c)
	}
	for _, e := range stats.Estimate(group, 0.02) {
		for i := range out {
			if out[i].Variant == e.Variant && out[i].Status == result.OK {
				out[i].Rank, out[i].Tied = e.Rank, e.Tied
			}
		}
	}
	return out
}

// constant returns turns that all took the cell's time.
func constant(c *result.Result) []stats.Turn {
	var out []stats.Turn
	for i := range 6 {
		out = append(out, stats.Turn{Key: stats.Key{Payload: c.Payload, Variant: c.Variant, Op: c.Op},
			Round: i, Ops: 1000, NS: c.NS.Median})
	}
	return out
}

// spoil adds what goes wrong with measurements.
func spoil(c *result.Result) {
	nan := math.NaN()
	switch {
	case c.Payload == "small" && c.Variant == "Map (JSONv2)":
		c.Ratio, c.NS, c.Converged = around(c.Ratio.Median, 0.041), around(c.NS.Median, 0.126), false
	case c.Payload == "large" && c.Variant == "Protobuf + JSON":
		c.NS.Low, c.NS.High, c.Ratio.Low, c.Ratio.High = nan, nan, nan, nan
		c.Converged, c.Samples = false, 4
	}
}

// minimal is a run of one variant.
func minimal() *Report {
	r := full()
	only := *r
	only.Results, only.Warnings, only.Variants = nil, nil, r.Variants[4:5]
	for _, c := range r.Results {
		if c.Payload == "small" && c.Variant == "Concrete (proto)" {
			if c.Timed() {
				c.Rank, c.Tied = 1, false
			}
			only.Results = append(only.Results, c)
		}
	}
	return &only
}

// usual is a run of what an overview is for.
func usual() *Report {
	r := full()
	r.Results = slices.DeleteFunc(r.Results, func(c result.Result) bool {
		return c.Payload != "small" || c.Status != result.OK ||
			!slices.Contains([]string{"Concrete (proto)", "Concrete (vtproto)",
				"Concrete (JSON)", "google.protobuf.Value (proto)", "gojapb"}, c.Variant)
	})
	for i := range r.Variants {
		r.Variants[i].Generator = map[string]string{"Concrete (proto)": "protoc-gen-go",
			"Concrete (JSON)":    "Go structs",
			"Concrete (vtproto)": "protoc-gen-go, protoc-gen-go-vtproto"}[r.Variants[i].Name]
	}
	for i := range r.Results {
		r.Results[i].Properties.Mutable = map[bool]string{true: "no", false: "yes"}[r.Results[i].Variant == "gojapb"]
	}
	return r
}

// counted is a run that timed nothing.
func counted() *Report {
	r := full()
	r.Warnings, r.Env.Time = nil, 0
	r.Results = r.Results[:2*len(kinds)]
	for i := range r.Results {
		c := &r.Results[i]
		c.NS, c.Ratio, c.Turns, c.Samples = stats.Interval{}, stats.Interval{}, nil, 0
		c.Rank, c.Tied, c.Converged, c.Baseline = 0, false, false, ""
	}
	return r
}

// interrupted is a run that ended before anything was timed but one cell.
func interrupted() *Report {
	r := full()
	r.Interrupted, r.Warnings = true, nil
	r.Results = r.Results[:2*len(kinds)]
	for i := range r.Results {
		if c := &r.Results[i]; c.Timed() && c.Variant != "Concrete (JSON)" {
			c.NS, c.Ratio, c.Turns, c.Samples = stats.Interval{}, stats.Interval{}, nil, 0
			c.Rank, c.Tied, c.Converged = 0, false, false
		} else if c.Timed() {
			c.Ratio, c.Rank, c.Tied, c.Converged, c.Baseline = stats.Interval{}, 1, false, false, ""
		}
	}
	return r
}

// priced is a run whose choice depends on prices, for all variants in another way
// than for those that lose nothing.
func priced() *Report {
	r := full()
	r.Results = slices.DeleteFunc(r.Results, func(c result.Result) bool {
		return c.Payload != "small" ||
			!slices.Contains([]string{"Concrete (proto)", "Concrete (JSON)", "Concrete (JSONv2)",
				"google.protobuf.Any (proto)", "google.protobuf.Any (JSONProto)", "Protobuf + JSON", "gojapb"},
				c.Variant)
	})
	for i := range r.Results {
		c := &r.Results[i]
		for variant, speed := range map[string]float64{"Concrete (JSONv2)": 5, "google.protobuf.Any (proto)": 3} {
			if c.Timed() && c.Variant == variant {
				c.NS, c.Ratio = around(c.NS.Median/speed, 0.004), around(c.Ratio.Median/speed, 0.008)
			}
		}
		c.Rank, c.Tied, c.Turns = 0, false, nil
	}
	r.Reckon(Load{Rate: 4e6, CorePrice: 25, TBPrice: 20})
	return r
}
