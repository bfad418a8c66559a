package arena

import (
	"math/rand/v2"
	"reflect"
	"slices"
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

// TestPieces takes numbers, lists, strings and text in any order, and sees that all of it but lists is zero, and all
// aligned and nobody else's.
func TestPieces(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 400 {
		a, noText := Arena{Run: r.IntN(20)}, r.IntN(4) == 0
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
				add(a.AllocScalar(&layout.Field{Op: layout.OpOf(layout.Pointer, layout.Fixed32), Value: uint8(size),
					PointeeBytes: uint16(size + r.IntN(60))}), size, size)
			case k == 2:
				size := 1 << r.IntN(4)
				n, free := size*(1+r.IntN(40)), a.Cap-a.Used
				if p := a.AllocNumbers(n, size); p != nil {
					clear(piece{p, n}.bytes()) // it may be anything
					add(p, n, size)
				} else if n <= MaxList && n+7 <= free {
					t.Fatalf("%d bytes find no room in %d", n, free)
				}
			case k == 3:
				if n := 1 + r.IntN(40); r.IntN(2) == 0 {
					add(a.AllocScalar(&layout.Field{Op: layout.OpOf(layout.Pointer, layout.String),
						PointeeBytes: uint16(16 * n)}), stringSize, 16)
				} else if list := a.AllocStrings(n); list != nil {
					if len(list) != 0 || cap(list) != n {
						t.Fatalf("%d of %d, not %d", len(list), cap(list), n)
					}
					add(unsafe.Pointer(unsafe.SliceData(list)), n*stringSize, 16)
				}
			case !noText:
				n := 1 + r.IntN(100)
				if n <= a.Cap-a.Used {
					a.Used += n
					add(unsafe.Add(a.Base, a.Used-n), n, 1)
				} else {
					add(a.AllocText(n, n+r.IntN(1000)), n, 1)
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
	}
}

// TestPointeeOverText sees that a number is zero where text was written and not kept.
func TestPointeeOverText(t *testing.T) {
	for _, size := range []int{4, 8} {
		var a Arena
		p := a.AllocText(64, 64)
		for i := range 64 {
			*(*byte)(unsafe.Add(p, i)) = 'x'
		}
		a.Used = 1
		f := &layout.Field{Op: layout.OpOf(layout.Pointer, layout.Fixed32), Value: uint8(size), PointeeBytes: 8}
		for _, b := range (piece{a.AllocScalar(f), size}).bytes() {
			if b != 0 {
				t.Fatalf("a number of %d bytes has the byte %q", size, b)
			}
		}
	}
}

// TestChunks copies texts, and sees that the first chunk is short, that few are needed, and that none is much longer
// than what there is, or than MaxChunk.
func TestChunks(t *testing.T) {
	for _, c := range []struct {
		name       string
		n, all     int // how long each text is, and how many bytes there are in all
		rest       int // and how many more bytes of something else
		chunks     int
		most, last int // how long chunks are at most, and the last one
	}{
		{"one text", 10, 10, 0, 1, 16, 16},
		{"little text, and numbers", 10, 100, 5000, 1, firstChunk, firstChunk},
		{"as much as is left", 10, 700, 0, 2, firstChunk, 192},
		{"twice as long as before", 16, 3 * firstChunk, 9000, 2, 2 * firstChunk, 2 * firstChunk},
		{"no longer than that", 64, 100_000, 1 << 20, 11, MaxChunk, MaxChunk},
		{"a text longer than a first chunk", 1000, 1000, 9000, 1, 1000, 1000},
	} {
		var a Arena
		var sizes []int
		for at := 0; at < c.all; at += c.n {
			if c.n > a.Cap-a.Used {
				a.AllocText(c.n, c.all+c.rest-at)
				sizes = append(sizes, a.size)
			} else {
				a.Used += c.n
			}
		}
		if n := len(sizes); n != c.chunks || slices.Max(sizes) != c.most || sizes[n-1] != c.last {
			t.Errorf("%s: chunks of %d bytes", c.name, sizes)
		}
	}
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
		{"one for each of few", 3, 1, 3, 5},
		{"two for each", 20, 2, 20, 2 + 6 + 18 + 15},
		{"one for some", 100, 1, 2, 2},
		{"one for the first tenth", 100, 1, 10, 2 + 6 + 18},
		{"no list", 0, 10, 1, 1 + 2 + 3 + 4},
	} {
		var a Arena
		var places Blocks
		a.Use(&places)
		allocated := 0
		for i := range max(c.list, 1) {
			if a.Run = c.list - i; i < c.first {
				for range c.each {
					s := a.slotAt(b.Slot)
					refilled := s.left == 0
					if a.AllocBlock(&b); refilled {
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

// TestManyTypes takes memory of far more types than there are slabs on the stack, and sees that each of them still has
// a slab of its own: the second allocation for a type is for two.
func TestManyTypes(t *testing.T) {
	blocks := make([]layout.Block, 20*layout.ManySlots)
	for i := range blocks {
		blocks[i] = layout.BlockOf(reflect.TypeFor[[3]uintptr]())
		blocks[i].Slot *= 3 // so that some meet in one place
	}
	var a Arena
	var places ManyBlocks
	a.UseMany(&places)
	seen := map[unsafe.Pointer]bool{}
	for range 3 {
		for i := range blocks {
			p := a.AllocBlock(&blocks[i])
			if words := (*[3]uintptr)(p); *words != [3]uintptr{} || seen[p] {
				t.Fatalf("type %d: memory that is in use: %v", i, *words)
			} else {
				words[2] = 1
			}
			seen[p] = true
		}
	}
	for i := range blocks {
		if s := a.slabOf(&blocks[i]); s.of != &blocks[i] || s.last != 2 || s.left != 0 {
			t.Errorf("type %d: an allocation for %d, %d of them left", i, s.last, s.left)
		}
	}
}
