package interrupt

import (
	"testing"
)

func TestReadsInterruptsEachOffset(t *testing.T) {
	b := []byte("some input")
	var read []int
	last := 0
	Reads(t, b, len(b), func(in []byte) {
		last = 0
		for i := range in {
			if in[i] != b[i] {
				t.Errorf("byte %d is %q", i, in[i])
			}
			last++
		}
	}, func(faulted bool) {
		if faulted != (last < len(b)) {
			t.Errorf("a fault after %d bytes: %v", last, faulted)
		}
		read = append(read, last)
	})
	for i, n := range read {
		if i != n {
			t.Errorf("run %d read %d bytes", i, n)
		}
	}
	if len(read) != len(b)+1 {
		t.Errorf("%d runs", len(read))
	}
}

func TestFaultsLeavesOtherPanics(t *testing.T) {
	for _, f := range []func(){
		func() { panic("another") },
		func() { var p *int; *p = 1 },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("the panic is gone")
				}
			}()
			if Faults(f) {
				t.Error("taken for a fault")
			}
		}()
	}
}
