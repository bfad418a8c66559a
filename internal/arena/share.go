package arena

// Shares say how much memory messages of a type lately had: of text and numbers together, of
// numbers, and of strings to which pointers point. Each is in parts of 256 of the input,
// and one more, since 0 means that it is not known.
const (
	shareBits = 16
	shareMask = 1<<shareBits - 1
	maxShare  = 9*256 + 1 // a byte may be a number of 8 bytes
)

// maxKnown is for how much of the input something is expected: allocations are never for
// more, and products with a share fit into 32 bits.
const maxKnown = 1 << 19

// expected returns how much there will be of what has the lowest of the shares.
func (a *Arena) expected(share uint64) int {
	size := uint64(min(a.Size, maxKnown))
	return int(size*(share&shareMask)/256 + size/64)
}

// spare returns by how much a chunk of that size may be too long and be about right: the allocator rounds lengths up as well.
func spare(size int) int { return size/4 + 8 }

// Learn notes how much there was of everything, if that was not about what was expected. What
// it notes rises at once and falls slowly, and it does not write what hardly differs: a layout
// is shared by all processors.
func (a *Arena) Learn() {
	if a.more || a.Cap-a.Used > a.spare {
		a.learnAll()
	}
}

// scattered reports whether lists had memory of their own which could have shared it.
func (s *texts) scattered() bool { return s.apart > 1 || s.apart == 1 && s.last > 0 }

// learnAll is Learn where what was expected may not have been right.
func (a *Arena) learnAll() {
	s := &a.slabs.strings
	wrong := a.Cap-a.Used > a.spare || a.texts|a.numbers != 0 ||
		s.last > 0 && s.left*4 > s.last || s.taken+s.left > s.last || s.scattered()
	if !wrong || a.Share == nil || a.Size == 0 {
		return
	}
	old := a.Share.Load()
	numbers, strings := a.numbers+a.size-a.Cap, int(s.taken)*stringSize
	if s.scattered() {
		strings += int(s.alone) * stringSize
	}
	all := a.texts + a.Used + numbers
	now := old & shareMask
	switch {
	case a.NoText:
	case all > 0:
		now = a.learn(old, all)
	case a.size > 0: // in vain
		now = 0
	}
	if numbers|strings != 0 || old > shareMask {
		now |= a.learn(old>>shareBits, numbers)<<shareBits | a.learn(old>>(2*shareBits), strings)<<(2*shareBits)
	}
	if now != old {
		a.Share.Store(now)
	}
}

// steady reports whether n bytes hardly differ from the lowest of the shares.
func (a *Arena) steady(old uint64, n int) bool {
	share, size, n256 := int64(old&shareMask), int64(a.Size), int64(n)*256
	return (share-2)*size < n256 && n256 < (share+1)*size
}

// learn returns what the lowest of the shares becomes by n bytes.
func (a *Arena) learn(old uint64, n int) uint64 {
	old &= shareMask
	if a.steady(old, n) { // and a division is spared
		return old
	}
	now := uint64(min(int64(n)*256/int64(a.Size)+1, maxShare))
	if old > now {
		now = old - (old-now)/8
	}
	if now > old+2 || now+2 < old {
		return now
	}
	return old
}
