package runner

import (
	"runtime"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

// TestComponents has an operation that allocates in four places, so many times in each.
func TestComponents(t *testing.T) {
	rate := runtime.MemProfileRate
	defer func() { runtime.MemProfileRate = rate }()
	var way, own []byte
	var text string
	m := message(strings.Repeat("x", 100))
	op := &variant.Op{Loop: func(times, n int) error {
		way = make([]byte, 1000) // once, not in each turn
		for range times * n {
			for range 3 {
				text = strings.Repeat("y", 100)
			}
			own = make([]byte, 64)
			if _, err := proto.Marshal(m); err != nil {
				return err
			}
		}
		return nil
	}}
	for _, n := range []int{1, 7, 300} {
		found, err := components(op, n)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]result.Component{
			result.GoOwn:   {AllocsOp: 3, BytesOp: 3 * 112}, // 112 is the size class of 100
			result.Other:   {AllocsOp: 1, BytesOp: 64},
			result.Runtime: {AllocsOp: 1, BytesOp: 112},
		}
		for _, x := range found {
			if w := want[x.Name]; x.AllocsOp != w.AllocsOp || x.BytesOp != w.BytesOp {
				t.Errorf("%d samples: %s: %v allocations of %v bytes, want %v of %v", n, x.Name, x.AllocsOp, x.BytesOp,
					w.AllocsOp, w.BytesOp)
			}
			delete(want, x.Name)
		}
		for name := range want {
			t.Errorf("%d samples: nothing of %s", n, name)
		}
	}
	_, _, _ = way, own, text
}

func TestComponentOf(t *testing.T) {
	for pkg, want := range map[string]string{
		"github.com/dop251/goja":                                     result.Engine,
		"github.com/dop251/goja/unistring":                           result.Engine,
		"github.com/protean-pb/protean/gojapb":                       result.Bridge,
		"github.com/protean-pb/protean/dynamic":                      result.Runtime,
		"github.com/protean-pb/protean/internal/wire/decode":         result.Runtime,
		"google.golang.org/protobuf/internal/impl":                   result.Runtime,
		"github.com/protean-pb/protean/cmd/protean/internal/variant": result.Other,
		"github.com/elsewhere/goja":                                  result.Other,
		"strconv":                                                    result.GoOwn,
		"unicode/utf16":                                              result.GoOwn,
		"":                                                           result.Other,
	} {
		if got := componentOf(pkg); got != want {
			t.Errorf("%q is of %s, want %s", pkg, got, want)
		}
	}
}

// TestProfileEvents checks what a profiling process reports.
func TestProfileEvents(t *testing.T) {
	rate := runtime.MemProfileRate
	defer func() { runtime.MemProfileRate = rate }()
	open := func() (func(proto.Message) ([]byte, error), error) { return proto.Marshal, nil }
	req := &Request{Profile: true,
		Payloads: []Payload{{Name: "p", Type: "T", Cells: []Cell{{Variant: "double", Op: variant.Marshal}}}}}
	var found []*Profiled
	for _, e := range play(t, doubleVariant(false, open), req, message(strings.Repeat("hello", 20)),
		message(strings.Repeat("bye", 30))) {
		if e.Profiled != nil {
			found = append(found, e.Profiled)
		}
	}
	if len(found) != 1 || found[0].Op != variant.Marshal || found[0].Components.Of(result.Runtime).AllocsOp != 1 {
		t.Errorf("got %+v; want one allocation by the runtime", found)
	}
}
