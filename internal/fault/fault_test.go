package fault_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/protean-pb/protean/internal/fault"
)

// TestErrorOfDeepPath prints paths with their middle left out, and keeps them whole.
func TestErrorOfDeepPath(t *testing.T) {
	deep := "outer" + strings.Repeat(".été", 10_000) + ".inner"
	for name, err := range map[string]error{
		"wire": &fault.Error{Err: fault.ErrDepth, Offset: 7, Path: deep, Message: "acme.Tree"},
		"text": &fault.TextError{Err: fault.ErrDepth, Offset: -1, Path: deep, Message: "acme.Tree"},
	} {
		got := err.Error()
		if len(got) > 500 || !strings.Contains(got, ": outer.é") || !strings.Contains(got, "…") ||
			!strings.Contains(got, "é.inner: ") || !utf8.ValidString(got) {
			t.Errorf("%s: %s", name, got)
		}
	}
	if short := strings.Repeat("a.", 199) + "bc"; fault.ClipPath(short) != short || fault.ClipPath(short+"d") == short+"d" {
		t.Error("a path of 400 bytes is printed whole, a longer one is not")
	}
}
