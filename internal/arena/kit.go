package arena

import (
	"math"
	"unsafe"

	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/mem"
)

// What Kits.Seen says of the messages since there is no kit: how many they were, and how many strings each had at least,
// or that this varies and there are lists of them. Of the kit that there is it says how many messages did not need all
// of it. And it says how many kits there have been. Kits.Least says for each place, in 8 bits, of how many of a type all
// of those messages had memory there.
const (
	seenStrings = 8
	seenCount   = 16
	seenMisses  = 32
	seenKits    = 48

	varies = 0xff
)

// maxKits is how many kits there are at most: each is what another so many messages had.
const maxKits = 4

// least is what Kits.Least is.
type least [layout.ManySlots / 8]uint64

// window is how many messages are looked at before there is a kit, if there have been so many others.
func window(kits uint64) uint64 { return 32 << (2 * kits) }

// maxMisses is how many messages may have not needed all of a kit before another is made.
const maxMisses = 64

// BeginKit allocates what messages have at least, before anything else is, if that is known.
func (a *Arena) BeginKit(k *layout.Kits) *layout.Kit {
	kit := k.Now.Load()
	if kit == nil {
		return nil
	}
	// Sound: the offsets are those of the kit's type.
	p := kit.New()
	for i := range kit.Parts {
		part := &kit.Parts[i]
		s := a.at(part.Of.Slot)
		s.setOf(part.Of)
		mem.SetLocal(&s.next, unsafe.Add(p, part.Offset))
		s.left, s.all = int32(part.N), int16(part.N)
	}
	if kit.Strings > 0 {
		s := &a.slabs.strings
		mem.SetLocal(&s.next, unsafe.Add(p, kit.Offset))
		s.left, s.kit = int32(kit.Strings), int32(kit.Strings)
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
		if s := a.at(kit.Parts[i].Of.Slot); s.last == 0 && s.left > 0 {
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
	count := seen>>seenCount&0xffff + 1
	strings := uint64(min(a.slabs.strings.taken+a.slabs.strings.alone, varies))
	if old := seen >> seenStrings & 0xff; count > 1 && strings != old {
		if a.slabs.strings.lists || old == varies {
			strings = varies
		} else {
			strings = min(strings, old)
		}
	}
	var least least
	blocks := a.blocks()
	for i := range blocks {
		old := uint64(math.MaxUint8)
		if count > 1 {
			old = k.Least[i/8].Load() >> (i % 8 * 8) & 0xff
		}
		if s := &blocks[i]; s.of != nil && s.of.Slot&a.mask == uint32(i) {
			least[i/8] |= min(uint64(s.all)-uint64(s.left), old) << (i % 8 * 8)
		}
	}
	kits := seen >> seenKits
	if count >= window(kits) {
		kits++
		if kit := a.kit(&least, strings); kit != nil {
			k.Now.Store(kit)
		} else {
			kits = maxKits
		}
		strings, count = 0, 0
	}
	for i := range least {
		k.Least[i].Store(least[i])
	}
	k.Seen.Store(kits<<seenKits | count<<seenCount | strings<<seenStrings)
}

// kit returns a kit of as many as least says of the types of this message, and of so many strings.
func (a *Arena) kit(least *least, strings uint64) *layout.Kit {
	if strings > MaxShortList {
		strings = 0
	}
	var parts []layout.Part
	blocks := a.blocks()
	for i := range blocks {
		if n := least[i/8] >> (i % 8 * 8) & 0xff; n > 0 {
			parts = append(parts, layout.Part{Of: blocks[i].of, N: int(n)})
		}
	}
	return layout.NewKit(parts, int(strings))
}
