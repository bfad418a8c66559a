package index

import (
	"encoding/binary"
	"math/bits"

	"github.com/protean-pb/protean/internal/xunsafe"
)

// A table of an object's keys is a number of buckets. A bucket is a Node that holds the
// indexes of up to two children, and for each 16 bits of its key's hash.
const (
	// wide is up to how many children an object has no table: to look through all
	// keys is as fast.
	wide = 16
	// maxProbes is how many buckets a key may lie away from its own, which is the
	// first. Where keys are chosen so that all fall into one bucket, an object does
	// without a table.
	maxProbes = 16
	slots     = 2
)

// Ends returns both ends of a key: with its length they are all of a key of up to 16
// bytes.
func Ends(key []byte) (a, b uint64) {
	switch n := len(key); {
	case n >= 8:
		return binary.LittleEndian.Uint64(key), binary.LittleEndian.Uint64(key[n-8:])
	case n >= 4:
		return uint64(binary.LittleEndian.Uint32(key)), uint64(binary.LittleEndian.Uint32(key[n-4:]))
	case n > 0:
		return uint64(key[0]), uint64(key[n/2])<<8 | uint64(key[n-1])
	}
	return 0, 0
}

// hash mixes the length and both ends of a key.
func hash(n int, a, b uint64) uint32 {
	hi, lo := bits.Mul64(a^uint64(n)*0x9e3779b97f4a7c15^0x2545f4914f6cdd1d, b^0xd6e8feb86659fd93)
	return uint32((hi ^ lo) >> 16)
}

// buckets returns how many buckets a table for so many keys has: a power of two, at least
// half of the slots of which stay empty.
func buckets(count uint32) uint32 { return 1 << bits.Len32(count-1) }

// tag returns 16 bits of a hash, for the given slot of a bucket.
func tag(h uint32, slot int) uint32 { return h >> 16 << (16 * slot) }

const tagMask = 0xffff

// appendTable appends the table of an object whose count children end the nodes.
func appendTable(nodes []Node, wire []byte, object, count uint32) []Node {
	base := uint32(len(nodes))
	mask := buckets(count) - 1
	for range mask + 1 {
		nodes = append(nodes, Node{})
	}
	table := nodes[base:]
	for child := First(int(object)); child < int(base); child = Next(nodes, child) {
		key := nodes[child].Key(wire)
		a, b := Ends(key)
		if !insert(table, mask, hash(len(key), a, b), uint32(child)) {
			return nodes[:base]
		}
	}
	nodes[object][nodeKind] |= tableBit
	return nodes
}

// insert puts a child into the first free slot from its bucket on.
func insert(table []Node, mask, h, child uint32) bool {
	for probe := range uint32(maxProbes) {
		bucket := &table[(h+probe)&mask]
		for i := range slots {
			if bucket[i] == 0 { // the root has no parent
				bucket[i] = child
				bucket[slots] |= tag(h, i)
				return true
			}
		}
	}
	return false
}

// Find returns the child of the object that has the key, the last one if there are
// several; 0 if there is none.
func Find(nodes []Node, wire []byte, object int, key string) int {
	if nodes[object][nodeKind]&tableBit != 0 {
		return findInTable(nodes, wire, object, key)
	}
	found, child := 0, uint32(First(object))
	a, b := Ends(xunsafe.Bytes(key))
	for range nodes[object+1][extraCount] {
		n := &nodes[child]
		if n[nodeKind]>>keyShift == uint32(len(key)) {
			if k := n.Key(wire); same(k, key, a, b) {
				found = int(child)
			}
		}
		if child++; n.Kind() >= Object {
			child = nodes[child][extraNext]
		}
	}
	return found
}

// same reports whether k, which has the length of key, equals key, whose ends are a and b.
func same(k []byte, key string, a, b uint64) bool {
	c, d := Ends(k)
	return a == c && b == d && (len(k) <= 16 || string(k[8:len(k)-8]) == key[8:len(key)-8])
}

func findInTable(nodes []Node, wire []byte, object int, key string) int {
	extra := &nodes[object+1]
	size := buckets(extra[extraCount])
	table := nodes[extra[extraNext]-size : extra[extraNext]]
	a, b := Ends(xunsafe.Bytes(key))
	h, found := hash(len(key), a, b), uint32(0)
	for probe := range uint32(maxProbes) {
		bucket := &table[(h+probe)&(size-1)]
		for i := range slots {
			child := bucket[i]
			if child == 0 {
				return int(found)
			}
			// Later children come later, also those with the same key.
			if (bucket[slots]^tag(h, i))&(tagMask<<(16*i)) == 0 && string(nodes[child].Key(wire)) == key {
				found = child
			}
		}
	}
	return int(found)
}
