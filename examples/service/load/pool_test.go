//go:build unix

package main

import (
	"sync/atomic"

	"google.golang.org/grpc/experimental"
	"google.golang.org/grpc/mem"
)

// buffers is grpc-go's buffer pool in tests, of clients, servers and codecs.
var buffers = &countingPool{BufferPool: mem.DefaultBufferPool()}

func init() { experimental.SetDefaultBufferPool(buffers) }

// A countingPool counts the buffers that have been taken from a pool and not been put back. Small ones do not count:
// grpc-go leaves them to the garbage collector.
type countingPool struct {
	mem.BufferPool
	out atomic.Int64
}

func (p *countingPool) Get(length int) *[]byte {
	b := p.BufferPool.Get(length)
	if !mem.IsBelowBufferPoolingThreshold(cap(*b)) {
		p.out.Add(1)
	}
	return b
}

func (p *countingPool) Put(b *[]byte) {
	if !mem.IsBelowBufferPoolingThreshold(cap(*b)) {
		p.out.Add(-1)
	}
	p.BufferPool.Put(b)
}
