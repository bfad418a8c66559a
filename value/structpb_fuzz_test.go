package value

import (
	"bytes"
	"encoding/json"
	"testing"
)

// FuzzTree reads wire form into trees and, if the bytes are JSON, data.
func FuzzTree(f *testing.F) {
	for _, c := range wireCases() {
		if len(c.wire) < 2000 {
			f.Add(c.wire)
		}
	}
	for _, s := range shapes(f) {
		if len(s.wire) < 5000 {
			f.Add(s.wire)
			f.Add(s.text)
		}
	}
	f.Add([]byte(`[9007199254740993,1e400,-0,1E5,"\ud800"]`))
	f.Fuzz(func(t *testing.T, b []byte) {
		checkTree(t, b)
		if d, err := Parse(b); err == nil {
			checkNew(t, d.Interface())
		}
		var v any
		if json.Unmarshal(b, &v) == nil {
			checkNew(t, v)
		}
		d := json.NewDecoder(bytes.NewReader(b))
		d.UseNumber()
		if d.Decode(&v) == nil {
			checkNew(t, v)
		}
	})
}
