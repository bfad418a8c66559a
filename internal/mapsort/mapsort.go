// Package mapsort puts what is named by text in the order of the names. It moves neither
// the names nor what they name, but marks without pointers: while garbage is collected, Go
// takes note of every pointer that is written to the heap, which for the entries of a small
// map took longer than to write them as JSON.
package mapsort

import (
	"cmp"
	"slices"
	"strings"
)

// A Mark is a name's start, which mostly suffices to compare it, and which of the names
// it is.
type Mark struct {
	Prefix uint64
	At     uint32
}

// MarkOf returns the mark of a name.
func MarkOf(name string, at uint32) Mark { return Mark{Prefix(name), at} }

// Prefix returns the first eight bytes of a name as a number that compares like them; of
// a shorter name, as if zeros followed.
func Prefix(name string) uint64 {
	n, at := uint64(0), 0
	if len(name) >= 8 {
		return uint64(name[0])<<56 | uint64(name[1])<<48 | uint64(name[2])<<40 | uint64(name[3])<<32 |
			uint64(name[4])<<24 | uint64(name[5])<<16 | uint64(name[6])<<8 | uint64(name[7])
	}
	for ; at < len(name); at++ {
		n = n<<8 | uint64(name[at])
	}
	return n << (64 - 8*at) // 0 if that is 64
}

// few is up to how many names insertion is the fastest way to sort.
const few = 12

// Sort sorts marks by the names that name returns; those of the same name by which they are.
func Sort(all []Mark, name func(at uint32) string) {
	if len(all) > few {
		slices.SortFunc(all, func(a, b Mark) int { return compare(a, b, name) })
		return
	}
	for i := 1; i < len(all); i++ {
		x, j := all[i], i
		for ; j > 0 && (x.Prefix < all[j-1].Prefix ||
			x.Prefix == all[j-1].Prefix && compare(x, all[j-1], name) < 0); j-- {
			all[j] = all[j-1]
		}
		all[j] = x
	}
}

func compare(a, b Mark, name func(at uint32) string) int {
	if a.Prefix != b.Prefix {
		return cmp.Compare(a.Prefix, b.Prefix)
	}
	return cmp.Or(strings.Compare(name(a.At), name(b.At)), cmp.Compare(a.At, b.At))
}
