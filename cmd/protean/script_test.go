package main

import (
	"slices"
	"strings"
	"testing"
)

// TestScriptSuite runs the suite script but for its peers from npm, which a machine may not have.
func TestScriptSuite(t *testing.T) {
	heavy(t)
	t.Setenv("PROTEAN_PEERS_JS", t.TempDir())
	d := benchJSON(t, exitOK, "--suite", "script", "--ops", "create,set+get,marshal,to-json,loop")
	if d.Baseline != "dynamicpb (Go)" {
		t.Errorf("the baseline is %s", d.Baseline)
	}
	for i := range d.Results {
		c := &d.Results[i]
		if slices.Contains([]string{"protobufjs (goja)", "protobuf-es (goja)"}, c.Variant) {
			if c.Status != "not-applicable" || !strings.Contains(c.Reason, "make peers-js") {
				t.Errorf("%s: %s: %s", c, c.Status, c.Reason)
			}
			continue
		}
		if c.Status != "ok" || c.Allocs == nil {
			t.Errorf("%s: %s: %s", c, c.Status, c.Reason)
			continue
		}
		sum := 0.0
		for _, part := range c.Components {
			sum += part.Allocs
		}
		js := strings.Contains(c.Variant, "(goja")
		if total := number(c.Allocs); js && (sum > total+0.01 || sum < total/2) || !js && sum > 0 {
			t.Errorf("%s: parts make %v allocations of %v", c, sum, total)
		}
	}
	for _, name := range []string{"gojapb (goja)", "plain object (goja)"} {
		if got := number(d.cell(t, "user", name, "set+get").Allocs); got != 0 {
			t.Errorf("%s sets and gets with %v allocations, want none", name, got)
		}
	}
}
