package value

import "testing"

// FuzzCanonical compares Canonical with what the official library writes in order.
func FuzzCanonical(f *testing.F) {
	for _, c := range wireCases() {
		if len(c.wire) < 2000 {
			f.Add(c.wire)
		}
	}
	for _, s := range shapes(f) {
		if len(s.wire) < 5000 {
			f.Add(s.wire)
		}
	}
	f.Fuzz(checkCanonical)
}
