package mem

// A Group is eight slots of a map, as Go 1.26 lays them out if neither the key nor the
// value takes more than 128 bytes.
type Group[V any] struct {
	control uint64 // a byte for each slot; its high bit is set if the slot is not in use
	Slots   [8]Slot[V]
}

// A Slot is an entry of a map.
type Slot[V any] struct {
	Key   string
	Value V
}

// Full returns a word in which the high bit of each byte says whether the slot of that
// number is in use.
func (g *Group[V]) Full() uint64 { return ^g.control & 0x8080808080808080 }
