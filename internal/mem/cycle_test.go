//go:build amd64 && go1.26 && !go1.27 && !race && !msan && !asan && !purego

package mem

import (
	"runtime"
	"testing"
	"time"
	"unsafe"
)

// TestCycle asks what is marked while the collector marks: with a cycle that has begun since, with one that has ended, and with
// none, before and after anybody has asked in that cycle.
func TestCycle(t *testing.T) {
	type node struct{ next *node }
	var list *node
	for range 1 << 20 { // for the collector to do
		list = &node{list}
	}
	stop, stopped := make(chan bool), make(chan bool)
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	}()
	defer func() {
		close(stop)
		<-stopped
		runtime.KeepAlive(list)
	}()
	now, before, never, wrong := 0, 0, 0, 0 // how often the answers were seen
	var old unsafe.Pointer
	for end := time.Now().Add(20 * time.Second); min(now, before, never) < 5; runtime.Gosched() {
		if time.Now().After(end) {
			t.Fatalf("the same cycle: %d, another: %d, none: %d", now, before, never)
		}
		if !writeBarrier.enabled {
			continue
		}
		unknown, ended := Marked(nil), Marked(old)
		if !writeBarrier.enabled {
			continue // it may have been so before
		}
		if unknown || ended { // it may also have stopped and begun again in between, but hardly ever
			if wrong++; wrong > 3 {
				t.Fatalf("it marks, and is said to have marked since a cycle before (%v), or since no cycle (%v)", ended, unknown)
			}
			continue
		}
		never++
		if old != nil {
			before++
		}
		if c := Cycle(); c != nil && Marked(c) && writeBarrier.enabled {
			if c == old {
				t.Fatal("two cycles are one")
			}
			now++
			old = c
			runtime.GC() // the end of this one, and another
		}
	}
}
