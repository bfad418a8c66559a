package protojson_test

import (
	"testing"

	"github.com/protean-pb/protean/internal/test/dropin"
)

// TestDropIn checks that what the official package exports is here, too.
func TestDropIn(t *testing.T) {
	if testing.Short() {
		t.Skip("it lists what the package imports")
	}
	dropin.Check(t, "google.golang.org/protobuf/encoding/protojson", "github.com/protean-pb/protean/protojson", 5)
}
