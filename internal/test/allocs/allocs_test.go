package allocs

import (
	"strings"
	"testing"

	"github.com/protean-pb/protean/internal/test/race"
)

// newInt allocates unless it is inlined.
func newInt() *int {
	x := 7
	return &x
}

// TestCompilerFlags holds what the flags are said to be against what the compiler has done.
func TestCompilerFlags(t *testing.T) {
	sum := 0
	inlined := testing.AllocsPerRun(10, func() { sum += *newInt() }) == 0
	flags := " " + strings.ReplaceAll(compilerFlags(), "=", " ") + " "
	if inlined == strings.Contains(flags, " -l ") {
		t.Errorf("compiled with -gcflags=%q, and inlined: %v", compilerFlags(), inlined)
	}
}

// TestNeedExact sees that nothing is skipped without need.
func TestNeedExact(t *testing.T) {
	if race.Enabled || compilerFlags() != "" || ^uint(0)>>63 == 0 {
		t.Skip("there is a need")
	}
	ran := false
	t.Run("count", func(t *testing.T) {
		NeedExact(t)
		ran = true
	})
	if !ran {
		t.Error("skipped")
	}
}
