package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// hyperpb 0.1.3, the newest release as of November 2026, keeps the low 32 bits of a 64-bit varint in a oneof, and says
// nothing. Verification finds it without knowing of it: the row has no time, the reason names the field and both
// values, and the exit code is 1.
func TestVerificationFindsTruncatedOneof(t *testing.T) {
	builds(t)
	dir := filepath.Join("testdata", "hyperpb-oneof")
	d := benchJSON(t, exitFailed, "--proto", filepath.Join(dir, "reading.proto"), "--data",
		filepath.Join(dir, "readings.jsonl"),
		"--variants", "Concrete (proto),hyperpb", "--ops", "unmarshal", "--time", "0")
	for _, name := range []string{"hyperpb (proto)", "hyperpb (proto, reuse)"} {
		c := d.cell(t, "readings", name, "unmarshal")
		if c.Status != "failed" || c.NS != nil || c.Allocs != nil {
			t.Errorf("%s: %s, ns %v, allocations %v", c, c.Status, number(c.NS), number(c.Allocs))
		}
		for _, part := range []string{"readings.jsonl:2", "total", "505874847260352513", "1271013377"} {
			if !strings.Contains(c.Reason, part) {
				t.Errorf("%s: the reason does not name %s: %s", c, part, c.Reason)
			}
		}
	}
	if c := d.cell(t, "readings", "Concrete (proto)", "unmarshal"); c.Status != "ok" {
		t.Errorf("%s: %s (%s)", c, c.Status, c.Reason)
	}
}
