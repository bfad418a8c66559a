package main

import (
	"bytes"
	"io"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"sync/atomic"
	"time"
)

// A node is of a tree that is alive, so that the collector has to mark it.
type node struct {
	left, right *node
	_           [3]uint64
}

var live atomic.Pointer[node]

func newTree(n int) *node {
	if n == 0 {
		return nil
	}
	return &node{left: newTree((n - 1) / 2), right: newTree(n - 1 - (n-1)/2)}
}

// park starts goroutines that wait, with deep stacks, and returns what ends them.
func park(n int) (end func()) {
	stop := make(chan struct{})
	for range n {
		go atDepth(6, func() { <-stop })
	}
	return func() { close(stop) }
}

// atDepth calls f with the stack so many frames of half a kilobyte deeper.
//
//go:noinline
func atDepth(depth int, f func()) byte {
	var frame [512]byte
	if depth == 0 {
		f()
		return 0
	}
	frame[depth%len(frame)] = byte(depth)
	return atDepth(depth-1, f) + frame[depth*7%len(frame)]
}

// onStacks calls f at a depth at which the stack may have to grow in its midst, or in a goroutine whose stack is small,
// or as it is.
func onStacks(r *rand.Rand, f func()) {
	switch r.IntN(4) {
	case 0:
		atDepth(r.IntN(64), f)
	case 1:
		done := make(chan struct{})
		go func() {
			defer close(done)
			f()
		}()
		<-done
	default:
		f()
	}
}

// A collector collects garbage without a pause; one that churns overwrites what has been freed.
type collector struct {
	*rand.Rand
	churns bool
	kept   [64][]byte
}

func startCollector(_ *stress, id int, r *rand.Rand) (worker, error) {
	return &collector{Rand: r, churns: id > 0}, nil
}

func (c *collector) turn() {
	if c.churns {
		for range 1000 {
			c.kept[c.IntN(len(c.kept))] = bytes.Repeat([]byte{0xfe}, 1+c.IntN(2048))
		}
		time.Sleep(time.Millisecond)
		return
	}
	runtime.GC()
	switch c.IntN(32) {
	case 0:
		debug.FreeOSMemory()
	case 1, 2, 3:
		if t := live.Load(); t != nil { // a tree of which nothing is marked yet
			t.left, t.right = newTree(1000), t.left
		}
	}
}

func (c *collector) end() {}

// An inspector has all stacks unwound.
type inspector struct{ buf []byte }

func startStacks(*stress, int, *rand.Rand) (worker, error) {
	return &inspector{make([]byte, 1<<18)}, nil
}

func (i *inspector) turn() {
	runtime.Stack(i.buf, true)
	if err := pprof.Lookup("goroutine").WriteTo(io.Discard, 1); err != nil {
		panic(err) // nothing can fail to be discarded
	}
	time.Sleep(10 * time.Millisecond)
}

func (i *inspector) end() {}
