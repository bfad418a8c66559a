package value

import (
	"hash/maphash"
	"math/bits"
	"slices"

	"github.com/protean-pb/protean/internal/structval/index"
)

// manyKeys is from how many keys on an object has a table of them.
const manyKeys = 32

// A keySet tells whether a key comes twice in an object, for all open objects at once:
// their keys lie on a stack, and so do the tables of those that have many.
type keySet struct {
	keys  []keySpan
	table []uint32 // places in keys, counted from the object's first one and from 1; 0 is free
}

// A keySpan is where a key lies in the output.
type keySpan struct {
	start, end uint32
	hash       uint32 // of objects with a table
}

// objectKeys are the keys of one open object.
type objectKeys struct {
	first uint32 // in keys
	table uint32 // where the table starts
	size  uint32 // of the table, a power of two; 0 if there is none
	seen  uint64 // a bit for each key, by a quick hash: one that is not set has not been seen
}

func (s *keySet) reset() { s.keys, s.table = s.keys[:0], s.table[:0] }

func (s *keySet) release() {
	if cap(s.keys) > maxPooled/16 || cap(s.table) > maxPooled/4 {
		*s = keySet{}
	}
}

func (s *keySet) open() objectKeys {
	return objectKeys{first: uint32(len(s.keys)), table: uint32(len(s.table))}
}

func (s *keySet) close(n *objectKeys) {
	s.keys, s.table = s.keys[:n.first], s.table[:n.table]
}

// moveLast tells that the last key has been moved.
func (s *keySet) moveLast(by int) {
	k := &s.keys[len(s.keys)-1]
	k.start, k.end = k.start+uint32(by), k.end+uint32(by)
}

// add adds the key that is the end of out to the keys of the innermost object, and reports
// whether it is a new one.
func (s *keySet) add(n *objectKeys, out []byte, start int) bool {
	key := out[start:]
	s.keys = append(s.keys, keySpan{start: uint32(start), end: uint32(len(out))})
	count := uint32(len(s.keys)) - n.first
	if count > manyKeys {
		return s.addToTable(n, out, key, count)
	}
	bit := uint64(1) << quickHash(key)
	if n.seen&bit == 0 {
		n.seen |= bit
		return true
	}
	for _, k := range s.keys[n.first : len(s.keys)-1] {
		if string(out[k.start:k.end]) == string(key) {
			return false
		}
	}
	return true
}

// quickHash returns six bits that depend on both ends of a key and its length.
func quickHash(key []byte) uint {
	a, b := index.Ends(key)
	return uint((a ^ bits.RotateLeft64(b, 29) ^ uint64(len(key))) * 0x9e3779b97f4a7c15 >> 58)
}

// seed makes hashes unpredictable, so that colliding keys cannot be chosen.
var seed = maphash.MakeSeed()

func keyHash(key []byte) uint32 { return uint32(maphash.Bytes(seed, key)) }

// addToTable adds a key of an object with many keys.
func (s *keySet) addToTable(n *objectKeys, out, key []byte, count uint32) bool {
	keys := s.keys[n.first:]
	if n.size == 0 {
		for i := range keys {
			keys[i].hash = keyHash(out[keys[i].start:keys[i].end])
		}
	} else {
		keys[count-1].hash = keyHash(key)
	}
	if 2*count > n.size {
		// The tables of objects inside this one are gone, so it is the last one.
		n.size = 1 << bits.Len32(2*count)
		s.table = slices.Grow(s.table[:n.table], int(n.size))[:n.table+n.size]
		clear(s.table[n.table:])
		for i := range keys[:count-1] {
			s.insert(n, out, keys, uint32(i))
		}
	}
	return s.insert(n, out, keys, count-1)
}

// insert puts a key into the table, unless it is there already.
func (s *keySet) insert(n *objectKeys, out []byte, keys []keySpan, i uint32) bool {
	table, key := s.table[n.table:n.table+n.size], &keys[i]
	mask := n.size - 1
	for at := key.hash & mask; ; at = (at + 1) & mask {
		if table[at] == 0 {
			table[at] = i + 1
			return true
		}
		other := &keys[table[at]-1]
		if other.hash == key.hash && string(out[other.start:other.end]) == string(out[key.start:key.end]) {
			return false
		}
	}
}
