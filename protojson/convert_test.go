package protojson_test

import (
	"testing"

	"github.com/protean-pb/protean/internal/test/dropin"
	"github.com/protean-pb/protean/protojson"
)

func TestOptionsBothWays(t *testing.T) {
	dropin.CheckOptions(t, protojson.MarshalOptionsOf, protojson.MarshalOptions.Official)
	dropin.CheckOptions(t, protojson.UnmarshalOptionsOf, protojson.UnmarshalOptions.Official)
}
