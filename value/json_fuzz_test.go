package value

import (
	"slices"
	"testing"
)

func FuzzFromJSON(f *testing.F) {
	for _, s := range shapes(f) {
		f.Add(s.text)
	}
	for _, text := range textCases() {
		if len(text) < 10000 {
			f.Add([]byte(text))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) { checkFromJSON(t, slices.Clone(text)) })
}

func FuzzAppendJSON(f *testing.F) {
	for _, s := range shapes(f) {
		f.Add(s.wire)
	}
	for _, c := range wireCases() {
		if len(c.wire) < 10000 {
			f.Add(c.wire)
		}
	}
	f.Fuzz(func(t *testing.T, wire []byte) { checkAppendJSON(t, wire) })
}
