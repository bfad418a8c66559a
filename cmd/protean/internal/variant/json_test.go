package variant

import (
	"errors"
	"strings"
	"testing"
)

// A library that calls encoding/json where it has no code of its own is not measured by its
// own name there.
func TestSonicWithoutOwnCode(t *testing.T) {
	for _, name := range []string{"Concrete (sonic)", "Map (sonic)"} {
		_, err := Find(name).Open(&Type{Libraries: new(Libraries)})
		if !errors.Is(err, ErrNotApplicable) || !strings.Contains(err.Error(), "encoding/json") {
			t.Errorf("%s: %v, want that it is not applicable", name, err)
		}
	}
}
