package protean

import (
	"os/exec"
	"strings"
	"testing"
)

// allowed are the modules whose packages the runtime may link.
var allowed = []string{"github.com/protean-pb/protean", "google.golang.org/protobuf"}

// TestDependencies checks that a user of the runtime gets the official library
// and nothing else.
func TestDependencies(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	modules := strings.Fields(string(out))
	if len(modules) == 0 {
		t.Fatal("go list names no module, not even this one")
	}
	for _, m := range modules {
		if !contains(m) {
			t.Errorf("the runtime depends on %s", m)
		}
	}
}

func contains(module string) bool {
	for _, a := range allowed {
		if module == a {
			return true
		}
	}
	return false
}
