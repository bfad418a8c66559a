package arena

import (
	"math/bits"
	"reflect"
	"testing"
	"unsafe"

	"github.com/protean-pb/protean/internal/layout"
)

// A taker takes what a message has and sees that all of it is zero, and nobody else's.
type taker struct {
	t      *testing.T
	a      Arena
	blocks Blocks
	pieces []piece
}

func (k *taker) add(p unsafe.Pointer, n uintptr) {
	k.t.Helper()
	now := piece{p, int(n)}
	for _, b := range now.bytes() {
		if b != 0 {
			k.t.Fatalf("%d bytes are not zero", n)
		}
	}
	for _, old := range k.pieces {
		if uintptr(p) < uintptr(old.at)+uintptr(old.n) && uintptr(old.at) < uintptr(p)+n {
			k.t.Fatal("pieces overlap")
		}
	}
	k.pieces = append(k.pieces, now)
}

// take reads a message that has one of each type and a list of that many strings, and returns how many allocations
// that took.
func take(t *testing.T, kits *layout.Kits, of []*layout.Block, strings int) int {
	t.Helper()
	k := taker{t: t}
	k.a.Use(&k.blocks)
	kit := k.a.BeginKit(kits)
	for _, b := range of {
		k.add(k.a.Block(b), b.Size)
	}
	if strings > 0 {
		if list := k.a.Strings(strings); list != nil {
			if k.add(unsafe.Pointer(unsafe.SliceData(list)), uintptr(strings*stringSize)); len(list) != 0 || cap(list) != strings {
				t.Fatalf("a list of %d of %d", len(list), cap(list))
			}
		}
	}
	n := 0
	for _, s := range k.a.blocks() {
		n += bits.Len16(uint16(s.last)) // 1, 2, 4
	}
	if t := &k.a.slabs.strings; t.apart > 0 || t.long {
		n++
	}
	if kit != nil {
		n++
	}
	k.a.Learn()
	k.a.LearnKit(kits, kit)
	return n
}

type (
	first  struct{ A, B string }
	second struct {
		A *int
		B [3]uintptr // as large as first, whatever the size of a pointer is
	}
	third struct{ A [600]byte }
	huge  struct{ A [2000]byte }
)

func blocks(values ...any) (all []*layout.Block) {
	for _, v := range values {
		b := layout.BlockOf(reflect.TypeOf(v))
		all = append(all, &b)
	}
	return all
}

// TestKits reads messages until there is a kit, and others until there is none.
func TestKits(t *testing.T) {
	of := blocks(first{}, second{}, third{}, huge{})
	f, s, th, h := of[0], of[1], of[2], of[3]
	all := func(of ...*layout.Block) []*layout.Block { return of }
	for _, c := range []struct {
		name    string
		of      []*layout.Block
		strings int
		after   int // how many allocations it then takes
	}{
		{"two", all(f, s), 0, 1},
		{"two and strings", all(f, s), 3, 1},
		{"one and strings", all(f), 3, 1},
		{"one", all(f), 0, 1},
		{"none", nil, 0, 0},
		{"strings", nil, 3, 1},
		{"some of them more often", all(f, s, s, f, f, th), 0, 1},
		{"the same twice", all(f, f), 0, 1},
		{"too large together", all(f, h, s), 0, 2},
		{"too many strings", all(f, s), 40, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			kits := new(layout.Kits)
			n := 0
			for range layout.SampleSize + 1 {
				n = take(t, kits, c.of, c.strings)
			}
			if n != c.after {
				t.Errorf("%d allocations, not %d", n, c.after)
			}
			seen := kits.Seen.Load()
			if take(t, kits, c.of, c.strings); kits.Seen.Load() != seen {
				t.Error("there is still something to learn")
			}
		})
	}
}

// TestKitsOfOthers changes what messages have.
func TestKitsOfOthers(t *testing.T) {
	of := blocks(first{}, second{}, third{})
	kits := new(layout.Kits)
	types := map[reflect.Type]bool{}
	for round := range 3 * maxKits {
		part := of[round%2 : round%2+2] // the first two, the last two
		for range 2 * layout.SampleSize * every(uint64(min(round, maxKits-1))) {
			take(t, kits, part, 1+round) // a type for each round
			if kit := kits.Now.Load(); kit != nil {
				types[kit.Type] = true
			}
		}
		if kit := kits.Now.Load(); (kit != nil) != (round < maxKits) {
			t.Fatalf("round %d: a kit: %v", round, kit != nil)
		}
	}
	if len(types) != maxKits {
		t.Errorf("%d types of kits, not %d", len(types), maxKits)
	}
}

// TestKitsOfMost makes kits of what three quarters have, and reads messages that do not need all of it.
func TestKitsOfMost(t *testing.T) {
	of := blocks(first{}, second{}, third{})
	kits := new(layout.Kits)
	for i := range layout.SampleSize {
		had := []*layout.Block{of[0], of[0], of[1]}
		if i%4 == 0 {
			had = had[:1] // a quarter has less
		}
		if i%2 == 0 {
			had = append(had, of[2])
		}
		take(t, kits, had, 1+i%3)
	}
	kit := kits.Now.Load()
	if kit == nil || len(kit.Parts) != 2 || kit.Parts[0].Of != of[0] || kit.Parts[0].N != 2 || kit.Parts[1].Of != of[1] || kit.Parts[1].N != 1 || kit.Strings != 0 {
		t.Fatalf("the kit is %+v", kit)
	}
	hit := func() { take(t, kits, of[:2], 0) }
	miss := func() { take(t, kits, nil, 0) }
	for range 1000 {
		miss()
		hit()
		hit()
	}
	for range maxMisses {
		miss()
	}
	if kits.Now.Load() != kit {
		t.Error("the kit has gone too early")
	}
	if miss(); kits.Now.Load() != nil {
		t.Error("the kit is still there")
	}
}

// TestKitsOfStrings makes a kit of as many strings as half of the messages have.
func TestKitsOfStrings(t *testing.T) {
	b := blocks(first{})[0]
	kits := new(layout.Kits)
	for i := range layout.SampleSize {
		var a Arena
		var places Blocks
		a.Use(&places)
		kit := a.BeginKit(kits)
		a.Block(b)
		for range 1 + i%4 {
			a.string(&layout.Field{After: uint16(4 * stringSize)})
		}
		a.LearnKit(kits, kit)
	}
	if kit := kits.Now.Load(); kit == nil || kit.Strings != 3 {
		t.Errorf("the kit is %+v", kit)
	}
}

// TestKitsLookedAt sees that a kit goes that messages with text do not need, although few of them are looked at.
func TestKitsLookedAt(t *testing.T) {
	of := blocks(first{}, second{})
	kits := new(layout.Kits)
	for range layout.SampleSize {
		take(t, kits, of, 0)
	}
	n := 0
	for ; kits.Now.Load() != nil && n < 100*maxMisses; n++ {
		var a Arena
		var places Blocks
		a.Use(&places)
		kit := a.BeginKit(kits)
		a.chunk(24)
		a.LearnKit(kits, kit)
	}
	if n < 2*maxMisses || n > 50*maxMisses {
		t.Errorf("the kit has gone after %d messages", n)
	}
}
