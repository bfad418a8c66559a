package layout

import (
	"math/bits"

	"github.com/protean-pb/protean/internal/index"
)

// Names is a table of names, each with the number of those before it. The zero Names is
// empty.
type Names struct {
	list  []string
	table []int32 // by hash, and from there on the next that is free: a number and one
}

// Find returns the number of a name; -1 if it is not in the table.
func (n *Names) Find(name []byte) int {
	if len(n.table) == 0 {
		return -1
	}
	mask := uint32(len(n.table) - 1)
	for h := hash(name) & mask; ; h = (h + 1) & mask {
		i := n.table[h] - 1
		if i < 0 || n.list[i] == string(name) {
			return int(i)
		}
	}
}

// add adds a name that is not in the table.
func (n *Names) add(name string) {
	n.list = append(n.list, name)
	if 2*len(n.list) <= len(n.table) {
		n.insert(len(n.list) - 1)
		return
	}
	n.table = make([]int32, max(8, 2*len(n.table)))
	for i := range n.list {
		n.insert(i)
	}
}

func (n *Names) insert(i int) {
	mask := uint32(len(n.table) - 1)
	h := hash([]byte(n.list[i])) & mask
	for n.table[h] != 0 {
		h = (h + 1) & mask
	}
	n.table[h] = int32(i) + 1
}

// hash depends on both ends of a name and its length. It need not resist an attack: what is
// in a table comes from a schema.
func hash(name []byte) uint32 {
	a, b := index.Ends(name)
	hi, lo := bits.Mul64(a^uint64(len(name))*0x9e3779b97f4a7c15, b^0xd6e8feb86659fd93)
	return uint32((hi ^ lo) >> 16)
}
