package arena

import (
	"math/bits"
	"unsafe"

	"github.com/protean-pb/protean/internal/layout"
)

// What Kits.Seen says of the messages since there is no kit: which slots held a type of which each had one, how
// many strings of lists each had, or that this varies, and how many they were. Of the kit that there is it says how
// many messages did not need all of it. And it says how many kits there have been.
const (
	seenStrings = 8
	seenCount   = 16
	seenMisses  = 32
	seenKits    = 48

	varies = 0xff // not so many strings
)

// maxKits is how many kits there are at most: each is what another so many messages had.
const maxKits = 4

// window is how many messages are looked at before there is a kit, if there have been so many others.
func window(kits uint64) uint64 { return 32 << (3 * kits) }

// maxMisses is how many messages may have not needed all of a kit before another is made.
const maxMisses = 64

// BeginKit allocates what messages mostly have one of, which must not have begun, if that is known.
func (a *Arena) BeginKit(k *layout.Kits) *layout.Kit {
	kit := k.Now.Load()
	if kit == nil {
		return nil
	}
	// Sound: the offsets are those of the kit's type.
	p := kit.New()
	for i := range kit.Parts {
		part := &kit.Parts[i]
		s := &a.blocks[part.Of.Slot%layout.Slots]
		s.of, s.next, s.left = part.Of, unsafe.Add(p, part.Offset), 1
	}
	if kit.Strings > 0 {
		s := &a.slabs.strings
		s.next, s.left, s.kit = unsafe.Add(p, kit.Offset), int32(kit.Strings), int32(kit.Strings)
	}
	return kit
}

// LearnKit takes note of what a message had that began with the kit, which may be nil.
func (a *Arena) LearnKit(k *layout.Kits, kit *layout.Kit) {
	if kit != nil {
		if a.missed(kit) {
			a.miss(k)
		}
		return
	}
	if seen := k.Seen.Load(); seen>>seenKits < maxKits {
		a.learnKit(k, seen)
	}
}

// missed reports whether a part of the kit has not been needed.
func (a *Arena) missed(kit *layout.Kit) bool {
	for i := range kit.Parts {
		if s := &a.blocks[kit.Parts[i].Of.Slot%layout.Slots]; s.last == 0 && s.left > 0 {
			return true
		}
	}
	return a.slabs.strings.last == 0 && a.slabs.strings.left > 0
}

// miss counts a miss.
func (a *Arena) miss(k *layout.Kits) {
	seen := k.Seen.Load() + 1<<seenMisses
	if seen>>seenMisses&0xffff > maxMisses {
		k.Now.Store(nil)
		seen = seen >> seenKits << seenKits
	}
	k.Seen.Store(seen)
}

// learnKit is LearnKit where there is no kit yet. What other goroutines note at the same time may be lost.
func (a *Arena) learnKit(k *layout.Kits, seen uint64) {
	var one uint64 // the slots with a type of which there was one
	for i := range a.blocks {
		if s := &a.blocks[i]; s.of != nil && s.of.Slot == uint32(i) && s.last == 1 && s.left == 0 {
			one |= 1 << i
		}
	}
	n := uint64(min(a.slabs.strings.taken+a.slabs.strings.alone, varies))
	count := seen>>seenCount&0xffff + 1
	if count > 1 {
		one &= seen
		if n != seen>>seenStrings&0xff {
			n = varies
		}
	}
	kits := seen >> seenKits
	if count >= window(kits) {
		kits++
		if n > MaxShortList {
			n = 0
		}
		var of []*layout.Block
		for ; one != 0; one &= one - 1 {
			of = append(of, a.blocks[bits.TrailingZeros64(one)].of)
		}
		if kit := layout.NewKit(of, int(n)); kit != nil {
			k.Now.Store(kit)
		} else {
			kits = maxKits
		}
		one, n, count = 0, 0, 0
	}
	k.Seen.Store(kits<<seenKits | count<<seenCount | n<<seenStrings | one)
}
