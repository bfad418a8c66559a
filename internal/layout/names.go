package layout

import (
	"hash/maphash"
	"math/bits"

	"github.com/protean-pb/protean/internal/structval/index"
)

// Names is a table of names, each with the number of those before it. The zero Names is
// empty.
type Names struct {
	list  []string
	table []int32 // by hash, and from there on the next that is free: a number and one
	whole bool    // whether names are hashed as a whole: too many have the same ends
}

// maxProbes is how many places a name may lie away from that of its hash, unless names are hashed as a whole: with
// more, a schema whose names are chosen so that they collide would take quadratic time.
const maxProbes = 64

// Find returns the number of a name; -1 if it is not in the table.
func (n *Names) Find(name []byte) int {
	if len(n.table) == 0 {
		return -1
	}
	mask := uint32(len(n.table) - 1)
	for h := n.hash(name) & mask; ; h = (h + 1) & mask {
		i := n.table[h] - 1
		if i < 0 || n.list[i] == string(name) {
			return int(i)
		}
	}
}

// add adds a name that is not in the table.
func (n *Names) add(name string) {
	n.list = append(n.list, name)
	if size := len(n.table); 2*len(n.list) > size {
		n.build(max(8, 2*size))
	} else if !n.insert(len(n.list) - 1) {
		n.whole = true
		n.build(size)
	}
}

// build makes a table of that size of all that is in the list.
func (n *Names) build(size int) {
	n.table = make([]int32, size)
	for i := 0; i < len(n.list); i++ {
		if !n.insert(i) {
			n.whole = true
			clear(n.table)
			i = -1 // and all again
		}
	}
}

// insert reports whether there was a place for the name that is near enough to that of its hash.
func (n *Names) insert(i int) bool {
	mask := uint32(len(n.table) - 1)
	h := n.hash([]byte(n.list[i])) & mask
	for probes := 0; n.table[h] != 0; probes++ {
		if probes == maxProbes && !n.whole {
			return false
		}
		h = (h + 1) & mask
	}
	n.table[h] = int32(i) + 1
	return true
}

// seed makes the hash of whole names unpredictable.
var seed = maphash.MakeSeed()

// hash depends on both ends of a name and its length, which is fast, and enough for the names of nearly all schemas.
func (n *Names) hash(name []byte) uint32 {
	if n.whole {
		return uint32(maphash.Bytes(seed, name))
	}
	a, b := index.Ends(name)
	hi, lo := bits.Mul64(a^uint64(len(name))*0x9e3779b97f4a7c15, b^0xd6e8feb86659fd93)
	return uint32((hi ^ lo) >> 16)
}
