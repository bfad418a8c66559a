package layout

import (
	"reflect"
	"sync/atomic"
	"unsafe"

	"github.com/protean-pb/protean/internal/xunsafe"
)

// maxBatch is how many bytes the messages of one allocation may take together, so that
// one that is kept keeps no more than that alive.
const maxBatch = 8 << 10

// A Block allocates memory of one type, alone or as arrays.
type Block struct {
	Type reflect.Type
	Size uintptr
	Slot uint32 // where to look for what is left of an allocation: the lower bits, as far as there are places
	typ  xunsafe.Type
	most int // how many are allocated together at most

	Owner *Layout // whose messages they are; nil for anything else
}

// Slots is how many places there are for what is left of allocations, ManySlots for messages that have more types in
// them. Types that are compiled one after the other, as those are that messages of one type consist of, have different
// ones.
const (
	Slots     = 8
	ManySlots = 32
)

var lastSlot atomic.Uint32

// BlockOf returns a Block of the type.
func BlockOf(t reflect.Type) Block {
	return Block{t, t.Size(), lastSlot.Add(1), xunsafe.TypeOf(t), int(maxBatch / max(t.Size(), 1)), nil}
}

var pointerBlock, sliceBlock = BlockOf(reflect.TypeFor[unsafe.Pointer]()), BlockOf(reflect.TypeFor[[]unsafe.Pointer]())

// blocks completes l's Blocks.
func (l *Layout) blocks() {
	l.Owner = l
	l.Pointers, l.Slices = pointerBlock, sliceBlock
	l.Pointers.Slot, l.Slices.Slot = l.Slot+Slots+1, l.Slot+2*Slots+3 // most often not where messages are
}

// New returns memory for one, all zero.
func (b *Block) New() unsafe.Pointer { return xunsafe.New(b.typ) }

// Batch returns how many there are best allocated together if n are needed: at least 1,
// at most n.
func (b *Block) Batch(n int) int { return max(min(n, b.most), 1) }

// NewArray returns memory for n, one after the other, all zero.
func (b *Block) NewArray(n int) unsafe.Pointer { return xunsafe.NewArray(b.typ, n) }

// NewMessage returns an empty message, which may be written to. The layout must be Ready.
func (l *Layout) NewMessage() unsafe.Pointer {
	return l.Begin(l.New())
}

// maxFresh is how many bytes a message has at most that may be fresh: to look through a longer one would be in vain if
// it is not.
const maxFresh = 4096

// IsFresh reports whether the message at p is as [Layout.NewMessage] has made it. It may be
// false for one that is: for a large one, and for a dynamic one, where [Layout.Reset] finds out.
func (l *Layout) IsFresh(p unsafe.Pointer) bool {
	return !l.Dynamic && l.Size <= maxFresh && zeros(p, 0, l.Size)
}

// zeros reports whether all bytes are 0 from one offset on up to another in the message at p.
//
// It looks at words, which takes large messages a few per cent less than to compare them with a
// string of zeros.
func zeros(p unsafe.Pointer, at, end uintptr) bool {
	// Sound: that many bytes are there, and any may be looked at. No pointer goes beyond them.
	for ; at+32 <= end; at += 32 {
		if xunsafe.Load64(unsafe.Add(p, at))|xunsafe.Load64(unsafe.Add(p, at+8))|xunsafe.Load64(unsafe.Add(p,
			at+16))|xunsafe.Load64(unsafe.Add(p, at+24)) != 0 {
			return false
		}
	}
	for ; at+8 <= end; at += 8 {
		if xunsafe.Load64(unsafe.Add(p, at)) != 0 {
			return false
		}
	}
	for ; at < end; at++ {
		if *(*byte)(unsafe.Add(p, at)) != 0 {
			return false
		}
	}
	return true
}

// counts are the numbers of strings, of slices, of pointers and of words that the block of a
// dynamic message may have. There are few, because Go keeps types for ever: that way the types
// that are made are bounded, however many descriptors are compiled.
var counts = [...]int{0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048,
	4096, 8192, 16384, 32768, 65536}

func roundUp(n int) int {
	for _, c := range counts {
		if c >= n {
			return c
		}
	}
	return n
}
