package arena

import (
	"math"
	"slices"
	"unsafe"

	"github.com/protean-pb/protean/internal/layout"
)

// What Kits.Seen says: how many messages there were since there is no kit, or how much more often than others those were of
// late that did not need half of the kit that there is; and how many kits there have been.
const (
	seenMisses = 32
	seenKits   = 48
)

// maxKits is how many kits there are at most: each is what others had.
const maxKits = 4

// every returns of how many messages one is in the sample if there have been so many kits.
func every(kits uint64) uint64 { return 1 << (2 * kits) }

// A message that does not need half of a kit counts for missed others, so that the kit stays if there are fewer than a third of
// them. It goes after maxMisses if there are no others.
const (
	missed    = 2
	maxMisses = 64
)

// BeginKit allocates what messages mostly have, before anything else is, if that is known.
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
		s.of, s.next = part.Of, unsafe.Add(p, part.Offset)
		s.left, s.all = int32(part.N), int16(part.N)
	}
	if kit.Strings > 0 {
		s := &a.slabs.strings
		s.next = unsafe.Add(p, kit.Offset)
		s.left, s.kit = int32(kit.Strings), int32(kit.Strings)
	}
	return kit
}

// LearnKit takes note of what a message had that began with the kit, which may be nil: with a kit of one of eight messages, by
// where their text lies. What other goroutines note at the same time may be lost.
func (a *Arena) LearnKit(k *layout.Kits, kit *layout.Kit) {
	if kit == nil || uint64(uintptr(a.Base))*scatter>>61 == 0 {
		a.learnKit(k, kit)
	}
}

// scatter is what numbers are multiplied with whose upper bits are to differ: 2^64 over the golden ratio.
const scatter = 0x9e3779b97f4a7c15

func (a *Arena) learnKit(k *layout.Kits, kit *layout.Kit) {
	seen := k.Seen.Load()
	switch {
	case kit == nil:
		if seen>>seenKits < maxKits {
			a.sample(k, seen)
		}
	case a.unused(kit)*2 > kit.Size:
		a.miss(k, seen)
	case seen>>seenMisses&0xffff > 0:
		k.Seen.Store(seen - 1<<seenMisses)
	}
}

// unused returns how many bytes of the kit have not been needed.
func (a *Arena) unused(kit *layout.Kit) uintptr {
	n := uintptr(0)
	for i := range kit.Parts {
		part := &kit.Parts[i]
		if s := a.at(part.Of.Slot); s.last == 0 {
			n += uintptr(s.left) * part.Of.Size
		}
	}
	if s := &a.slabs.strings; s.last == 0 {
		n += uintptr(int(s.left) * stringSize)
	}
	return n
}

// miss counts a miss.
func (a *Arena) miss(k *layout.Kits, seen uint64) {
	seen += missed << seenMisses
	if seen>>seenMisses&0xffff > missed*maxMisses {
		k.Now.Store(nil)
		seen = seen >> seenKits << seenKits
	}
	k.Seen.Store(seen)
}

// sample is LearnKit where there is no kit yet.
func (a *Arena) sample(k *layout.Kits, seen uint64) {
	s := k.Sample.Load()
	if s == nil {
		s = new(layout.Sample)
		k.Sample.Store(s)
	}
	kits, count := seen>>seenKits, seen&0xffff+1
	if count%every(kits) == 0 {
		n := int(count/every(kits)) - 1
		a.note(s, n)
		if n == layout.SampleSize-1 {
			k.Sample.Store(nil)
			kits, count = kits+1, 0
			if kit := newKit(s); kit != nil {
				k.Now.Store(kit)
			} else {
				kits = maxKits
			}
		}
	}
	k.Seen.Store(kits<<seenKits | count)
}

// note enters what this message has had as the nth of the sample.
func (a *Arena) note(s *layout.Sample, n int) {
	blocks := a.blocks()
	var row [len(s.Of) / 8]uint64
	for i := range blocks {
		b := &blocks[i]
		if b.of == nil || b.of.Slot&a.mask != uint32(i) {
			continue
		}
		if s.Of[i].Load() == nil {
			s.Of[i].Store(b.of)
		}
		if s.Of[i].Load() == b.of {
			row[i/8] |= uint64(min(int(b.all)-int(b.left), math.MaxUint8)) << (i % 8 * 8)
		}
	}
	for i := range row {
		s.Had[n][i].Store(row[i])
	}
	t := &a.slabs.strings
	strings := t.taken + t.alone
	if t.long {
		strings = MaxShortList + 1 // none in the kit
	}
	s.Strings[n].Store(uint32(strings))
	if t.lists {
		s.Lists.Store(true)
	}
}

// newKit returns a kit of what three quarters of the messages in the sample have had at least, and as many strings as half of
// them: those take little memory where they are not needed, and where they are missing the rest is allocated once more.
// Strings are in it for lists only if all had as many.
func newKit(s *layout.Sample) *layout.Kit {
	var had [layout.SampleSize]uint32
	least := func(quarters int) uint32 { // how many all but so many quarters of the messages had at least
		slices.Sort(had[:])
		return had[len(had)/4*quarters]
	}
	var parts []layout.Part
	for i := range s.Of {
		for n := range had {
			had[n] = uint32(s.Had[n][i/8].Load() >> (i % 8 * 8) & math.MaxUint8)
		}
		if n := least(1); n > 0 {
			parts = append(parts, layout.Part{Of: s.Of[i].Load(), N: int(n)})
		}
	}
	for n := range had {
		had[n] = s.Strings[n].Load()
	}
	strings := least(2)
	if strings > MaxShortList || s.Lists.Load() && had[0] != had[len(had)-1] {
		strings = 0
	}
	return layout.NewKit(parts, int(strings))
}
