package tree

import (
	"math/bits"
	"strings"

	"github.com/protean-pb/protean/internal/structval/index"
	"github.com/protean-pb/protean/internal/swissmap"
	"github.com/protean-pb/protean/internal/utf"
)

const (
	// knownKeys is how many keys are known at most.
	knownKeys = 256
	// maxKnown is how many keys of an object are looked for at most: one with more entries has
	// keys that do not come again.
	maxKnown = 128
	// maxKey is how long a key may be that is remembered.
	maxKey = 32
	// fresh is in how many messages a key may not have come before it is forgotten for
	// another: keys that take turns would be remembered time and again.
	fresh = 256
)

// keys are those that came again and again: objects share the text of theirs, and are
// filled without hashing it. A key is remembered when it comes for the
// second time, so that keys that never do cost little. The zero Keys knows none.
type keys struct {
	known  *swissmap.Keys
	places [knownKeys]place
	reads  uint64  // how many messages have been read, the current one included
	learnt []uint8 // the numbers of the keys that the current message has added
}

// A place may have a key, whose number it is. It knows which one else was looked for here.
type place struct {
	first, last uint64 // the ends of the key
	size        uint16 // its length; 0 if there is none, or none that may be used
	rejected    uint32 // a part of the hash of another key
	used        uint64 // in which read it was found last
}

// start begins the next message.
func (k *keys) start() {
	if k.known == nil {
		k.known = swissmap.UnsetKeys(knownKeys)
	}
	for _, number := range k.learnt {
		k.places[number].size = uint16(len(k.known.Name(int(number))))
	}
	k.learnt = k.learnt[:0]
	k.reads++
}

// find returns the number of a key; 0 if it is not known. A number stands for the same key
// until the next message.
func (k *keys) find(key []byte) uint8 {
	n := uint32(len(key))
	if n-1 >= maxKey {
		return 0
	}
	a, b := index.Ends(key)
	hi, lo := bits.Mul64(a^uint64(n)*0x9e3779b97f4a7c15, b^0xd6e8feb86659fd93)
	h := hi ^ lo
	at := uint8(h)
	if p := &k.places[at]; p.first == a && p.last == b && uint32(p.size) == n && n <= 16 {
		p.used = k.reads
		return at
	}
	return k.search(key, a, b, h)
}

// search looks for a key that is long or not in its first place, and else remembers it: if it
// is the one that was looked for there last, and the place is free. It is not to be used
// before the next message, since an object may have got it already.
//
//go:noinline
func (k *keys) search(key []byte, a, b, h uint64) uint8 {
	at := uint8(h)
	for range 2 {
		p := &k.places[at]
		if p.first == a && p.last == b && int(p.size) == len(key) && k.known.Name(int(at)) == string(key) {
			p.used = k.reads
			return at
		}
		at ^= 1
	}
	if !k.isFree(at) {
		at ^= 1
	}
	p := &k.places[at]
	switch tag := uint32(h >> 32); {
	case !k.isFree(at):
	case p.rejected != tag:
		p.rejected = tag
	case !utf.Valid(key): // what is known is not looked at again
	default:
		*p = place{first: a, last: b, used: k.reads}
		k.known.Set(int(at), strings.Clone(string(key)))
		k.learnt = append(k.learnt, at)
	}
	return 0
}

// isFree reports whether a place has no key, or one that has not come for long.
func (k *keys) isFree(at uint8) bool {
	p := &k.places[at]
	return at != 0 && (p.used == 0 || k.reads-p.used > fresh)
}

// A keySet is a set of numbers of keys.
type keySet [knownKeys / 64]uint64

// add adds a number and reports whether it was not there.
func (s *keySet) add(number uint8) bool {
	w, bit := &s[number/64], uint64(1)<<(number%64)
	old := *w
	*w |= bit
	return old&bit == 0
}
