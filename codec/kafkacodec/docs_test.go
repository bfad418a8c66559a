package kafkacodec_test

import (
	"testing"

	"github.com/protean-pb/protean/internal/test/snippet"
)

func TestSnippets(t *testing.T) { snippet.Check(t, "../../docs/kafka.md", "example_test.go") }
