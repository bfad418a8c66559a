package value

import "testing"

// FuzzEdit sets and deletes at paths that consist of the given key and index.
func FuzzEdit(f *testing.F) {
	for _, c := range wireCases() {
		if len(c.wire) < 1000 {
			f.Add(c.wire, "a", 0, uint8(0b10), "text")
			f.Add(c.wire, "k", 1, uint8(0b0101), "")
		}
	}
	for _, s := range shapes(f) {
		if len(s.wire) < 2000 {
			f.Add(s.wire, "name", 0, uint8(0b11), s.name)
		}
	}
	f.Fuzz(func(t *testing.T, wire []byte, key string, i int, steps uint8, text string) {
		// The bits of steps up to the highest one set say of which type each step is.
		var path []any
		for ; steps > 1; steps >>= 1 {
			if steps&1 == 0 {
				path = append(path, key)
			} else {
				path = append(path, i)
			}
		}
		checkEdit(t, wire, text, path)
	})
}
