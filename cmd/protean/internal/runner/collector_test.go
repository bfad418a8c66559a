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
	done := make(chan bool)
	go func() {
		runtime.GC()
		close(done)
	}()
	seen := false
	for end := time.Now().Add(10 * time.Second); !seen && time.Now().Before(end); {
		seen = c.running()
	}
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
