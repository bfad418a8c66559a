package decide_test

import (
	"strings"
	"testing"

	"github.com/protean-pb/protean/infer/decide"
	"github.com/protean-pb/protean/infer/proof"
)

// Where numbers lose digits, the comment of the field says so, whatever type it has.
func TestLostDigitsAreNoted(t *testing.T) {
	const note = "digits"
	for _, value := range []string{
		`1.2345678901234567890`,
		`[1.5,1.2345678901234567890]`,
		`[[65.613616999999977,43.420273000000009]]`,
		`[{"x":[[9007199254740993,1]]}]`,
		`{"17":[[0.1]],"18":[[65.613616999999977]]}`,
		`["a",9007199254740993]`,
	} {
		for _, wire := range []bool{false, true} {
			document := `{"f":` + value + `}`
			f, md := infer(t, decide.Options{Wire: wire}, document)
			lossy := false
			for _, d := range prove(f, md, document).Findings {
				lossy = lossy || d.Level == proof.Lossy
			}
			if noted := strings.Contains(string(f.Print()), note); noted != lossy {
				t.Errorf("%s, wire %v: lossy %v, noted %v:\n%s", value, wire, lossy, noted, f.Print())
			}
		}
	}
}
