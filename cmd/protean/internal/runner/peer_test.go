package runner

import (
	"os"
	"testing"

	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

// playTwo times a cell of this program and two of another.
func playTwo(t *testing.T) []Event {
	t.Helper()
	const name = "Concrete (proto)"
	return play(t, variant.Find(name), &Request{Seconds: 0.2, Payloads: []Payload{{
		Name: "p", Type: "T", Block: 1,
		Cells: []Cell{
			{Variant: name, Op: variant.Marshal, Baseline: true, NS: 100, BytesOp: 16},
			{Variant: name, Op: variant.Unmarshal, Program: os.Args[0], NS: 100, BytesOp: 16},
			{Variant: "Concrete (protean)", Op: variant.Unmarshal, Program: os.Args[0], NS: 100, BytesOp: 16},
		},
	}}}, message("hello"))
}

// With two programs, cells of both have turns, and each has garbage of its own.
func TestPeer(t *testing.T) {
	turns, bytes := map[string]bool{}, map[string]float64{}
	for _, e := range playTwo(t) {
		switch {
		case e.Turn != nil:
			turns[e.Turn.Variant+e.Turn.Op] = true
			if e.Turn.NS <= 0 || e.Turn.Ops < 100 {
				t.Errorf("%+v", e.Turn)
			}
		case e.Garbage != nil:
			bytes[e.Garbage.Program] += e.Garbage.Bytes
		case e.Failed != nil:
			t.Errorf("%s failed: %s", e.Failed.Op, e.Failed.Reason)
		}
	}
	if len(turns) != 3 || len(bytes) != 2 || bytes[""] == 0 || bytes[os.Args[0]] == 0 {
		t.Errorf("turns of %v, garbage of %v", turns, bytes)
	}
}

// Where the other program crashes, the cell that it ran has failed, its other cells have
// no turn in this round, and the rest goes on.
func TestPeerCrash(t *testing.T) {
	t.Setenv("PROTEAN_TEST_CRASH", "1000")
	ours, theirs := false, []string(nil)
	for _, e := range playTwo(t) {
		switch {
		case e.Turn != nil && e.Turn.Op == variant.Marshal:
			ours = true
		case e.Turn != nil:
			t.Errorf("%s has a turn after the crash", e.Turn.Variant)
		case e.Failed != nil:
			theirs = append(theirs, e.Failed.Reason)
		}
	}
	if !ours || len(theirs) != 1 || theirs[0] != "it crashed the program: made to crash" {
		t.Errorf("the own cell has a turn: %v; the other's failures: %q", ours, theirs)
	}
}
