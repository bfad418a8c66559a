package harness

import (
	"context"
	"os/exec"
	"slices"
	"strings"
)

// encodingJSON is the package whose inside depends on more than the release of Go: since 1.27 it is a layer
// over encoding/json/v2, unless the toolchain is told otherwise (GOEXPERIMENT=nojsonv2), and before, it is
// where the toolchain is told so.
const encodingJSON = "encoding/json"

// jsonHasV2 reports whether the toolchain's encoding/json is a layer over version 2. Where it cannot be
// asked, results say no more than the version of Go.
func jsonHasV2(ctx context.Context, goTool string) bool {
	out, err := exec.CommandContext(ctx, goTool, "list", "-deps", encodingJSON).Output()
	return err == nil && slices.Contains(strings.Fields(string(out)), encodingJSON+"/v2")
}

// Standard returns the version of a package of the standard library in the program, as results name it:
// that of Go, and for encoding/json which of its two implementations is inside.
func (p *Program) Standard(library string) string {
	if library == encodingJSON && p.jsonV2 {
		return p.Go + ", v2 inside"
	}
	return p.Go
}
