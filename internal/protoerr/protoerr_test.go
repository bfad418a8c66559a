package protoerr_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/protean-pb/protean/internal/protoerr"
)

// TestErrorOfDeepPath prints paths with their middle left out, and keeps them whole.
func TestErrorOfDeepPath(t *testing.T) {
	deep := "outer" + strings.Repeat(".été", 10_000) + ".inner"
	for name, err := range map[string]error{
		"wire": &protoerr.Error{Err: protoerr.ErrDepth, Offset: 7, Path: deep, Message: "acme.Tree"},
		"text": &protoerr.TextError{Err: protoerr.ErrDepth, Offset: -1, Path: deep, Message: "acme.Tree"},
	} {
		got := err.Error()
		if len(got) > 500 || !strings.Contains(got, ": outer.é") || !strings.Contains(got, "…") ||
			!strings.Contains(got, "é.inner: ") || !utf8.ValidString(got) {
			t.Errorf("%s: %s", name, got)
		}
	}
	if short := strings.Repeat("a.", 199) + "bc"; protoerr.ClipPath(short) != short ||
		protoerr.ClipPath(short+"d") == short+"d" {
		t.Error("a path of 400 bytes is printed whole, a longer one is not")
	}
}
