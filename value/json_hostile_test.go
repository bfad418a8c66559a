package value

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/protean-pb/protean/internal/test/race"
)

// memoryOf returns how many bytes f allocates.
func memoryOf(f func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

// Whatever the input is, time is about linear in its size and so is memory.
func TestJSONHostile(t *testing.T) {
	if race.Enabled {
		t.Skip("what memory it takes means nothing under the race detector")
	}
	const n = 1 << 17
	keys := func(format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return "{" + b.String()[1:] + "}"
	}
	half := strings.Repeat("a", 5000)
	for _, c := range []struct {
		name string
		text string
		err  error
	}{
		{"open arrays", strings.Repeat("[", n), ErrDepth},
		{"open objects", strings.Repeat(`{"a":`, n), ErrDepth},
		{"empty arrays", "[" + strings.Repeat("[],", 1<<20) + "[]]", nil},
		{"empty objects", "[" + strings.Repeat("{},", n) + "{}]", nil},
		{"digits", "[" + strings.Repeat("1,", n) + "1]", nil},
		{"one long number", strings.Repeat("1", n), ErrNumber},
		{"one long fraction", "0." + strings.Repeat("1", n), nil},
		{"unterminated string", `"` + strings.Repeat("a", n), ErrSyntax},
		{"unterminated escapes", `"` + strings.Repeat(`\"`, n), ErrSyntax},
		{"escapes", `"` + strings.Repeat(`\u0000`, n) + `"`, nil},
		{"spaces", strings.Repeat(" ", n), ErrSyntax},
		{"keys", keys(`,"%d":0`), nil},
		{"keys that differ in the middle", keys(`,"aaaaaaaa%dbbbbbbbb":0`), nil},
		{"objects with 32 long keys that differ in the middle", "[" + strings.Repeat(`{"`+half+"1"+half+`":0,"`+half+"2"+half+`":0},`, 100) + "1]", nil},
		{"deep and wide", strings.Repeat(`{"a":"`+half[:200]+`","b":`, 5000) + "1" + strings.Repeat("}", 5000), nil},
		{"deep arrays", strings.Repeat("[", 9999) + "1" + strings.Repeat("]", 9999), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var err error
			var out []byte
			used := memoryOf(func() { out, err = AppendFromJSON(nil, []byte(c.text)) })
			if !errors.Is(err, c.err) {
				t.Fatal(err)
			}
			// A digit and a comma become 11 bytes, in buffers that double.
			if limit := 50*len(c.text) + 4<<20; used > limit {
				t.Errorf("%d bytes for a text of %d and %d of output", used, len(c.text), len(out))
			}
			if err != nil {
				return
			}
			var back []byte
			used = memoryOf(func() { back, err = JSONOptions{MaxDepth: 1 << 20}.AppendJSON(nil, out) })
			if err != nil {
				t.Fatal(err)
			}
			if limit := 50*len(out) + 4<<20; used > limit {
				t.Errorf("%d bytes for a wire form of %d and %d of output", used, len(out), len(back))
			}
			again, err := AppendFromJSON(nil, back)
			if err != nil || len(again) != len(out) {
				t.Errorf("%d bytes of wire form, %d the second time; %v", len(out), len(again), err)
			}
			if len(c.text) <= 1<<20 { // the official library takes long for more
				checkFromJSON(t, []byte(c.text))
			}
		})
	}
}
