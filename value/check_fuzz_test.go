package value

import "testing"

// FuzzCheck compares Check with what the official library reads and protojson writes.
func FuzzCheck(f *testing.F) {
	for _, c := range wireCases() {
		if len(c.wire) < 2000 {
			f.Add(c.wire, uint8(100))
			f.Add(c.wire, uint8(5))
		}
	}
	for _, s := range shapes(f) {
		if len(s.wire) < 5000 {
			f.Add(s.wire, uint8(20))
		}
	}
	f.Fuzz(func(t *testing.T, wire []byte, maxDepth uint8) {
		checkCheck(t, wire, int(maxDepth)+1)
	})
}
