package layout

import (
	"math/bits"
	"reflect"
	"sync/atomic"
	"unsafe"
)

// maxBatch is how many bytes the messages of one allocation may take together, so that
// whoever keeps one of them keeps no more than that.
const maxBatch = 8 << 10

// exact is up to which length an array may have any; longer ones are powers of two, so
// that the types of arrays, which Go keeps for ever, are few.
const exact = 16

// The arrays of a type of block that were needed so far, by [slot].
type arrays [exact + 16]atomic.Pointer[reflect.Type]

// A Block allocates memory of one type, alone or as arrays.
type Block struct {
	Type   reflect.Type
	Size   uintptr
	arrays arrays
}

// New returns memory for one, all zero.
func (b *Block) New() unsafe.Pointer { return reflect.New(b.Type).UnsafePointer() }

// Batch returns how many there are best allocated together if n are needed: at least 1,
// at most n.
func (b *Block) Batch(n int) int {
	if most := int(maxBatch / max(b.Size, 1)); n > most {
		n = max(most, 1)
	}
	if n > exact {
		n = 1 << (bits.Len(uint(n)) - 1)
	}
	return n
}

// NewArray returns memory for n, which must come from [Block.Batch], one after the
// other, all zero.
func (b *Block) NewArray(n int) unsafe.Pointer {
	if n == 1 {
		return b.New()
	}
	slot := n - 1
	if n > exact {
		slot = exact + bits.Len(uint(n)) - bits.Len(exact)
	}
	t := b.arrays[slot].Load()
	if t == nil {
		made := reflect.ArrayOf(n, b.Type)
		t = &made
		b.arrays[slot].Store(t)
	}
	return reflect.New(*t).UnsafePointer()
}

// shapes of dynamic messages: the numbers of strings, slices, pointers and words that a
// block may have. There are few, because Go keeps types for ever: that way the types
// that are made are bounded, however many descriptors are compiled.
var counts = [...]int{0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 4096, 8192, 16384, 32768, 65536}

func roundUp(n int) int {
	for _, c := range counts {
		if c >= n {
			return c
		}
	}
	return n
}
