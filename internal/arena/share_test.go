package arena

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/protean-pb/protean/internal/layout"
)

// piece is memory that an arena has given.
type piece struct {
	at unsafe.Pointer
	n  int
}

// bytes are those of p.
func (p piece) bytes() []byte { return unsafe.Slice((*byte)(p.at), p.n) }

// TestPieces takes numbers, lists, strings and text in any order, with shares that are
// right, wrong or not known, and sees that all of it but lists is zero, and all aligned and nobody else's.
func TestPieces(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for round := range 400 {
		share := new(atomic.Uint64)
		for k := range 3 {
			if r.IntN(3) > 0 {
				share.Store(share.Load() | uint64(r.IntN(maxShare+1))<<(k*shareBits))
			}
		}
		a := Arena{Share: share, Size: r.IntN(2000), NoText: r.IntN(4) == 0, Run: r.IntN(20)}
		if round%5 == 0 {
			a.Share = nil
		}
		var all []piece
		add := func(p unsafe.Pointer, n, size int) {
			all = append(all, piece{p, n})
			if uintptr(p)%uintptr(min(size, 8)) != 0 {
				t.Fatalf("%d bytes of values of %d at %p", n, size, p)
			}
			for i, b := range all[len(all)-1].bytes() {
				if b != 0 && size > 1 {
					t.Fatalf("byte %d of %d is %#x", i, n, b)
				}
			}
			if size < 16 { // no pointers
				for i := range all[len(all)-1].bytes() {
					all[len(all)-1].bytes()[i] = byte(len(all))
				}
			}
		}
		for range r.IntN(60) {
			switch k := r.IntN(5); {
			case k < 2:
				size := 4 << r.IntN(2)
				add(a.Pointee(&layout.Field{Value: uint8(size), After: uint16(size + r.IntN(60))}), size, size)
			case k == 2:
				size := 1 << r.IntN(4)
				n, free := size*(1+r.IntN(40)), a.Cap-a.Used
				if p := a.List(n, size); p != nil {
					clear(piece{p, n}.bytes()) // it may be anything
					add(p, n, size)
				} else if n <= MaxList && n+7 <= free {
					t.Fatalf("%d bytes find no room in %d", n, free)
				}
			case k == 3:
				if n := 1 + r.IntN(40); r.IntN(2) == 0 {
					add(a.Pointee(&layout.Field{After: uint16(16 * n)}), stringSize, 16)
				} else if list := a.Strings(n); list != nil {
					if len(list) != 0 || cap(list) != n {
						t.Fatalf("%d of %d, not %d", len(list), cap(list), n)
					}
					add(unsafe.Pointer(unsafe.SliceData(list)), n*stringSize, 16)
				}
			case !a.NoText:
				n := 1 + r.IntN(100)
				if n <= a.Cap-a.Used {
					a.Used += n
					add(unsafe.Add(a.Base, a.Used-n), n, 1)
				} else {
					add(a.Chunk(n, n+r.IntN(1000)), n, 1)
				}
			}
		}
		for i, p := range all {
			for _, b := range p.bytes() {
				if b != byte(i+1) && b != 0 {
					t.Fatalf("what piece %d was set to has changed to %#x", i+1, b)
				}
			}
			for j, q := range all[:i] {
				if uintptr(p.at) < uintptr(q.at)+uintptr(q.n) && uintptr(q.at) < uintptr(p.at)+uintptr(p.n) {
					t.Fatalf("pieces %d and %d overlap", i, j)
				}
			}
		}
		a.Learn()
	}
}

// TestPointeeOverText sees that a number is zero where text was written and not kept.
func TestPointeeOverText(t *testing.T) {
	for _, size := range []int{4, 8} {
		var a Arena
		p := a.Chunk(64, 64)
		for i := range 64 {
			*(*byte)(unsafe.Add(p, i)) = 'x'
		}
		a.Used = 1
		for _, b := range (piece{a.Pointee(&layout.Field{Value: uint8(size), After: 8}), size}).bytes() {
			if b != 0 {
				t.Fatalf("a number of %d bytes has the byte %q", size, b)
			}
		}
	}
}

// message takes what a message has that is the same each time, and returns how many chunks and
// allocations of strings there were.
func message(share *atomic.Uint64, numbers, strings, text int) string {
	a := Arena{Share: share, Size: 300}
	before := share.Load()
	chunks := map[unsafe.Pointer]bool{}
	for range numbers {
		a.Pointee(&layout.Field{Value: 8, After: 1000})
		chunks[a.Base] = true
	}
	for range text {
		if a.Used == a.Cap {
			a.Chunk(1, 300)
		} else {
			a.Used++
		}
		chunks[a.Base] = true
	}
	many := 0
	for range strings {
		if a.slabs.strings.left == 0 {
			many++
		}
		a.Pointee(&layout.Field{After: 1000})
	}
	outside := a.slabs.numbers.last
	a.Learn()
	return fmt.Sprint(len(chunks), many, outside, share.Load() == before)
}

// TestStringsOfLists sees that the strings of short lists come with the one to which a pointer points before them, once it is
// known that there are lists.
func TestStringsOfLists(t *testing.T) {
	share := new(atomic.Uint64)
	for round := range 3 {
		a := Arena{Share: share, Size: 300}
		a.Pointee(&layout.Field{After: uint16(stringSize)}) // the last of its kind
		for _, n := range []int{2, 3, 1} {
			a.Strings(n)
		}
		s := &a.slabs.strings
		if got, want := fmt.Sprint(s.apart, s.taken), "0 7"; round > 0 && got != want {
			t.Errorf("lists with memory of their own, strings that share some: %s, not %s", got, want)
		}
		a.Learn()
	}
}

// TestLearn sees that the second message of a type has one chunk for text and numbers and one
// for strings, and that what is noted then stays, and falls when less comes.
func TestLearn(t *testing.T) {
	share := new(atomic.Uint64)
	message(share, 20, 12, 100)
	for range 3 {
		if got, want := message(share, 20, 12, 100), "1 1 0 true"; got != want {
			t.Errorf("chunks, allocations of strings, numbers outside, steady: %s, not %s", got, want)
		}
	}
	high := share.Load()
	for range 100 {
		message(share, 1, 1, 10)
	}
	for k := range 3 {
		if old, now := high>>(k*shareBits)&shareMask, share.Load()>>(k*shareBits)&shareMask; now*2 > old {
			t.Errorf("share %d has fallen from %d to %d only", k, old, now)
		}
	}
	empty := Arena{Share: share}
	empty.Chunk(1, 1)
	empty.Learn() // of an input of no bytes
}

// TestBlocks takes memory for messages in those of a list, and for others, and sees how much was allocated.
func TestBlocks(t *testing.T) {
	b := layout.BlockOf(reflect.TypeFor[[3]uintptr]())
	for _, c := range []struct {
		name      string
		list      int // how long it is; 0 outside of lists
		each      int // how many each of its messages needs
		first     int // only so many of them do
		allocated int
	}{
		{"one for each", 50, 1, 50, 50},
		{"one for each of many", 100, 1, 100, 100},
		{"one for each of few", 3, 1, 3, 3},
		{"two for each", 20, 2, 20, 8 + 16 + 8 + 8},
		{"one for some", 100, 1, 2, 8},
		{"one for the first tenth", 100, 1, 10, 8 + 32},
		{"no list", 0, 10, 1, 1 + 2 + 3 + 4},
	} {
		var a Arena
		var places Blocks
		a.Use(&places)
		allocated := 0
		for i := range max(c.list, 1) {
			if a.Run = c.list - i; i < c.first {
				for range c.each {
					s := a.at(b.Slot)
					refilled := s.left == 0
					if a.Block(&b); refilled {
						allocated += int(s.last)
					}
				}
			}
		}
		if allocated != c.allocated {
			t.Errorf("%s: memory for %d, not %d", c.name, allocated, c.allocated)
		}
	}
}
