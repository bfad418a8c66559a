package harness

import (
	"os/exec"
	"strings"
	"testing"
)

func TestStandardSaysWhichJSON(t *testing.T) {
	old, now := &Program{Go: "go1.26.8"}, &Program{Go: "go1.27.3", jsonV2: true}
	for _, tt := range []struct {
		p             *Program
		library, want string
	}{
		{old, "encoding/json", "go1.26.8"}, {now, "encoding/json", "go1.27.3, v2 inside"},
		{now, "encoding/gob", "go1.27.3"},
	} {
		if got := tt.p.Standard(tt.library); got != tt.want {
			t.Errorf("%s of %s: %q, want %q", tt.library, tt.p.Go, got, tt.want)
		}
	}
}

// The toolchain is asked, since an experiment of it decides as well as its release.
func TestJSONHasV2AsToolchainSays(t *testing.T) {
	goTool, version, err := toolchain(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOEXPERIMENT", "jsonv2")
	if out, err := exec.Command(goTool, "list", "encoding/json/v2").CombinedOutput(); err != nil {
		t.Skipf("%s has no version 2: %s", version, strings.TrimSpace(string(out)))
	}
	if !jsonHasV2(t.Context(), goTool) {
		t.Errorf("%s with the experiment has no version 2 inside", version)
	}
	t.Setenv("GOEXPERIMENT", "nojsonv2")
	if jsonHasV2(t.Context(), goTool) {
		t.Errorf("%s without the experiment has version 2 inside", version)
	}
}
