package runner

import (
	"errors"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

// A looping codec is a double whose marshal has a loop of its own, and whose unmarshal
// this type has not.
type looping struct {
	double
	loop  func(turns int) error
	turns int
}

func (l *looping) Ops() []*variant.Op {
	ops := l.double.Ops()
	ops[0].Loop = func(times, n int) error {
		l.turns += times * n
		return l.loop(times * n)
	}
	return []*variant.Op{ops[0], {Name: variant.Unmarshal, Unfit: variant.NotApplicable("no loop reads")}}
}

func (l *looping) variant() *variant.Variant {
	v := doubleVariant(false, nil)
	v.Ops = []string{variant.Marshal, variant.Unmarshal}
	v.Open = func(*variant.Type) (variant.Codec, error) {
		l.double = double{marshal: proto.Marshal}
		return l, nil
	}
	return v
}

// TestLoopIsCounted checks that the way into a loop is not billed to what is done in it,
// and that an operation that a type has not does not spoil the others.
func TestLoopIsCounted(t *testing.T) {
	var way, work []byte
	l := &looping{loop: func(turns int) error {
		for range 7 {
			way = make([]byte, 1000)
		}
		for range turns {
			work = make([]byte, 100)
		}
		return nil
	}}
	events := play(t, l.variant(), verifyRequest(), message("hello"), message("bye"))
	if v := verdictOn(t, events); v.Status != result.OK || v.AllocsOp != 1 || v.BytesOp != 112 || v.NS <= 0 {
		t.Errorf("got %+v; want one allocation of 112 bytes", v)
	}
	for _, e := range events {
		if v := e.Verified; v != nil && v.Op == variant.Unmarshal &&
			(v.Status != result.NotApplicable || v.Reason != "no loop reads") {
			t.Errorf("unmarshal is %s: %s", v.Status, v.Reason)
		}
	}
	_, _ = way, work
}

// TestLoopIsTimed checks that slices go by the loop, and that its error ends the run.
func TestLoopIsTimed(t *testing.T) {
	const firstSlice = 1000 // turns: it begins, and does not end; beside a neighbour there may be no second
	for _, tt := range []struct {
		name  string
		limit int
	}{{"to the end", 1 << 40}, {"worn out", firstSlice}} {
		t.Run(tt.name, func(t *testing.T) {
			l := &looping{}
			l.loop = func(turns int) error {
				for range turns {
					if _, err := proto.Marshal(message("hello")); err != nil {
						return err
					}
				}
				if l.turns > tt.limit {
					return errors.New("worn out")
				}
				return nil
			}
			ops, failed := 0, ""
			for _, e := range play(t, l.variant(), &Request{Seconds: 0.1, Payloads: []Payload{{
				Name: "p", Type: "T", Block: 1,
				Cells: []Cell{{Variant: "double", Op: variant.Marshal, NS: 100, BytesOp: 16}},
			}}}, message("hello")) {
				if e.Turn != nil {
					ops = e.Turn.Ops
				}
				if e.Failed != nil {
					failed = e.Failed.Reason
				}
			}
			if tt.limit == firstSlice {
				if failed != "in the timed loop: worn out" {
					t.Errorf("got %q; want that it is worn out", failed)
				}
				return
			}
			if failed != "" || ops == 0 || ops > l.turns {
				t.Errorf("%d operations timed in %d turns, error %q", ops, l.turns, failed)
			}
		})
	}
}
