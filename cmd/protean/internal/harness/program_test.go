//go:build unix

package harness

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/protean-pb/protean/cmd/protean/internal/runner"
)

// A process that dies of Ctrl-C was interrupted, even where this process has not yet come
// to its own signal; of any other signal it crashed.
func TestInterruptedProgram(t *testing.T) {
	var crash *CrashError
	for _, tt := range []struct {
		signal string
		is     func(error) bool
	}{
		{"INT", func(err error) bool { return errors.Is(err, context.Canceled) }},
		{"KILL", func(err error) bool { return errors.As(err, &crash) && crash.Message == "signal: killed" }},
	} {
		dir := t.TempDir()
		p := &Program{binary: filepath.Join(dir, "program")}
		if err := os.WriteFile(p.binary, []byte("#!/bin/sh\nkill -"+tt.signal+" $$\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		err := p.Run(t.Context(), dir, new(runner.Request), func(runner.Event) {})
		if !tt.is(err) {
			t.Errorf("after SIG%s: %v", tt.signal, err)
		}
	}
}
