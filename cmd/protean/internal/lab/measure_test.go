package lab

import (
	"testing"

	"github.com/protean-pb/protean/cmd/protean/internal/runner"
)

// TestUndisturbed checks that disturbed rounds count only where there are too few others.
func TestUndisturbed(t *testing.T) {
	for _, x := range []struct{ disturbed, still, want int }{{0, 3, 3}, {5, minRounds, minRounds}, {5, minRounds - 1, minRounds + 4}, {3, 0, 3}, {0, 0, 0}} {
		turns := make([]runner.Turn, x.disturbed+x.still)
		for i := range x.disturbed {
			turns[i].Disturbed = true
		}
		if got := len(undisturbed(turns)); got != x.want {
			t.Errorf("%d of %d disturbed: %d turns count; want %d", x.disturbed, len(turns), got, x.want)
		}
	}
}
