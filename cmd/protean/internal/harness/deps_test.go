package harness

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// A program links no more of the lab than it runs: no report, none of its templates and charts, no schema compiler.
func TestProgramLinksNoReport(t *testing.T) {
	const lab = "github.com/protean-pb/protean/cmd/protean/internal/"
	out, err := exec.Command("go", "list", "-deps", lab+"runner", lab+"apart", lab+"script").Output()
	if err != nil {
		t.Fatal(err)
	}
	linked := strings.Fields(string(out))
	if !slices.Contains(linked, lab+"result") {
		t.Fatalf("%d packages, without %sresult", len(linked), lab)
	}
	for _, unwanted := range []string{lab + "report", lab + "compare", lab + "suite", lab + "usererr",
		"html/template"} {
		if slices.Contains(linked, unwanted) {
			t.Errorf("benchmark programs link %s", unwanted)
		}
	}
}
