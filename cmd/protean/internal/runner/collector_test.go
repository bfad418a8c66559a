package runner

import (
	"runtime"
	"testing"
	"time"
)

// TestCollector checks that a collection under way is seen, and its end.
func TestCollector(t *testing.T) {
	live := make([]*[64]*byte, 1<<16) // enough for marking to take a while
	for i := range live {
		live[i] = new([64]*byte)
	}
	c := watchCollector()
	if c.running() {
		t.Fatal("a collection is said to run where none was started")
	}
	stop, done := make(chan bool), make(chan bool)
	go func() {
		defer close(done)
		for { // on a busy machine, one may be over before this test is at work again
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	}()
	seen := false
	for end := time.Now().Add(10 * time.Second); !seen && time.Now().Before(end); {
		seen = c.running()
	}
	close(stop)
	<-done
	if !seen {
		t.Error("a collection was not seen")
	}
	c.settle() // a third pause may have spoilt the count
	if c.running() {
		t.Error("a collection is said to run after it has ended")
	}
	runtime.KeepAlive(live)
}
