package value

import (
	"reflect"
	"testing"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/test/corpus"
	"github.com/protean-pb/protean/internal/test/interrupt"
	"github.com/protean-pb/protean/internal/test/race"
)

// wireReaders are all functions that read wire form. They return a value that shows what they have read.
var wireReaders = map[string]func(wire []byte) (any, error){
	"Unmarshal":            func(b []byte) (any, error) { var v any; err := Unmarshal(b, &v); return v, err },
	"Unmarshal into a map": func(b []byte) (any, error) { v := map[string]any{}; err := Unmarshal(b, &v); return v, err },
	"Unmarshal into a message": func(b []byte) (any, error) {
		v := new(structpb.Value)
		err := Unmarshal(b, v)
		return v.AsInterface(), err
	},
	"Unmarshal with methods": func(b []byte) (any, error) { var v jsonData; err := Unmarshal(b, &v); return v, err },
	"Parse":                  func(b []byte) (any, error) { d, err := ParseOptions{Copy: true}.Parse(b); return d.Interface(), err },
	"AppendJSON":             func(b []byte) (any, error) { return AppendJSON(nil, b) },
	"Canonical":              func(b []byte) (any, error) { return AppendCanonical(nil, b) },
	"Set":                    func(b []byte) (any, error) { return Set(b, 1.5, "new") },
	"Delete":                 func(b []byte) (any, error) { return Delete(b, "id") },
	"Check":                  func(b []byte) (any, error) { return Check(b, Limits{}) },
}

// TestInterruptedByFaults reads from memory of which ever less can be read, as if the file that is mapped there were
// shorter now.
func TestInterruptedByFaults(t *testing.T) {
	u := newTreeUser(t)
	for shape := range corpus.Shapes(t) {
		for name, read := range wireReaders {
			u.name = name
			checkFaults(t, u, shape.Wire, read)
		}
		u.name = "FromJSON"
		checkFaults(t, u, shape.Text, func(text []byte) (any, error) { return AppendFromJSON(nil, text) })
	}
}

func checkFaults(t *testing.T, u *treeUser, in []byte, read func([]byte) (any, error)) {
	t.Helper()
	want, wantErr := read(in)
	var got any
	var err error
	interrupt.Reads(t, in, race.Rounds(24), func(in []byte) { got, err = read(in) }, func(faulted bool) {
		u.use()
		if faulted {
			got, err = read(in)
		}
		if (err != nil) != (wantErr != nil) || !reflect.DeepEqual(got, want) {
			t.Fatalf("%s after a fault (%v): %.300v, %v, want %.300v, %v", u.name, faulted, got, err, want, wantErr)
		}
	})
}

// TestReadNoFurther has an input end where memory does that may be read, at any of its bytes.
func TestReadNoFurther(t *testing.T) {
	for shape := range corpus.Shapes(t) {
		in := shape.Wire
		memory, err := interrupt.NewMemory(len(in) + len(shape.Text))
		if err != nil {
			t.Fatal(err)
		}
		by := 1 + len(in)/race.Rounds(200)
		for end := 0; end <= len(in); end += by {
			b := memory.Put(in[:end], end)
			for name, read := range wireReaders {
				if _, err := read(b); err == nil && end > 0 && end < len(in) && name != "Check" {
					t.Errorf("%s reads %d bytes of %d", name, end, len(in))
				}
			}
		}
		for end := 0; end <= len(shape.Text); end += by {
			if _, err := AppendFromJSON(nil,
				memory.Put(shape.Text[:end], end)); (err != nil) != (end < len(shape.Text)) {
				t.Errorf("FromJSON of %d bytes of %d: %v", end, len(shape.Text), err)
			}
		}
		memory.Free()
	}
}
