package proto_test

import (
	"testing"

	"github.com/protean-pb/protean/internal/test/snippet"
)

func TestSnippets(t *testing.T) { snippet.Check(t, "../docs/proto.md", "example_test.go") }

func TestImportsSnippets(t *testing.T) { snippet.Check(t, "../docs/imports.md", "imports_test.go") }
