package runner_test

import (
	"fmt"
	"os"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/cmd/protean/internal/envelope/envelopepb"
	"github.com/protean-pb/protean/cmd/protean/internal/runner"
)

// TestMain lets the test binary be a program as the lab generates them, for tests that
// need a second one. Where the environment says so, it crashes when it has made so many
// messages.
func TestMain(m *testing.M) {
	limit, made := 0, 0
	_, _ = fmt.Sscan(os.Getenv("PROTEAN_TEST_CRASH"), &limit) // mostly not set
	runner.TestMain(m, runner.Types{"T": {New: func() proto.Message {
		if made++; made == limit {
			fmt.Fprintln(os.Stderr, "made to crash")
			os.Exit(2)
		}
		return new(envelopepb.JSONEnvelope)
	}}})
}
