package layout

import (
	"fmt"
	"strings"
	"testing"
)

// TestNamesCollide adds names that differ only where the quick hash does not look. None may lie far from the place of
// its hash: adding and finding all of them would take quadratic time.
func TestNamesCollide(t *testing.T) {
	for _, c := range []struct {
		name   string
		format string
	}{
		{"apart", "field_%06d"},
		{"alike", "a_long_beginning_%06d_a_long_end"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var names Names
			const n = 20_000
			for i := range n {
				names.add(fmt.Sprintf(c.format, i))
			}
			if want := c.name == "alike"; names.whole != want {
				t.Errorf("names are hashed as a whole: %v, want %v", names.whole, want)
			}
			steps := 0
			for at, i := range names.table {
				if i > 0 {
					steps += (at - int(names.hash([]byte(names.list[i-1])))) & (len(names.table) - 1)
				}
			}
			if steps > 4*n {
				t.Errorf("%d names lie %d places away from theirs", n, steps)
			}
			for i := range n {
				if got := names.Find(fmt.Appendf(nil, c.format, i)); got != i {
					t.Fatalf("found %d for the name %d", got, i)
				}
			}
			if got := names.Find([]byte(strings.ReplaceAll(fmt.Sprintf(c.format, 1), "1", "x"))); got != -1 {
				t.Errorf("found %d for a name that is not there", got)
			}
		})
	}
}
