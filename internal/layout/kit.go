package layout

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"sync/atomic"
)

// Kits are what most messages of a type have, so that it can be allocated together.
type Kits struct {
	Now atomic.Pointer[Kit] // nil if there is none

	// For package arena, which changes them and Now.
	Seen   atomic.Uint64
	Sample atomic.Pointer[Sample] // while there is no kit
}

// SampleSize is how many messages there are in a [Sample].
const SampleSize = 32

// A Sample is what some messages have had: of the type that is Of a slot, in 8 bits for each slot, and how many strings.
type Sample struct {
	Of      [ManySlots]atomic.Pointer[Block]
	Had     [SampleSize][ManySlots / 8]atomic.Uint64
	Strings [SampleSize]atomic.Uint32
	Lists   atomic.Bool // whether there were lists of strings
}

// A Kit is an allocation of several types, and of strings.
type Kit struct {
	Block
	Parts   []Part
	Strings int     // how many
	Offset  uintptr // of those
}

// A Part is where in a Kit so many of a type are.
type Part struct {
	Of     *Block
	N      int
	Offset uintptr
}

// maxKit is how many bytes a Kit may have, which are kept by who keeps one of its parts: 1 KB with those that the allocator puts
// before what has pointers.
const maxKit = 1<<10 - 8

// NewKit returns a Kit of those parts and that many strings, as far as it does not get too large: one of each part, small ones
// before others, and the strings, and then another one of each, and so on. What would be too large by itself is left out. It
// returns nil if there are fewer than two things. Go keeps the types of Kits for ever.
func NewKit(parts []Part, strings int) *Kit {
	k := new(Kit)
	size, things := uintptr(0), 0
	add := func(more uintptr) bool {
		if size+more > maxKit {
			return false
		}
		size += more
		things++
		return true
	}
	parts = slices.DeleteFunc(parts, func(p Part) bool { return uintptr(p.N)*p.Of.Size > maxKit })
	slices.SortStableFunc(parts, func(a, b Part) int { return cmp.Compare(a.Of.Size, b.Of.Size) })
	added := make([]int, len(parts))
	for more := true; more; {
		more = false
		for i := range parts {
			if added[i] < parts[i].N && add(parts[i].Of.Size) {
				added[i]++
				more = true
			}
		}
		if k.Strings == 0 && strings > 0 && add(uintptr(strings)*stringType.Size()) { // of one list, mostly
			k.Strings = strings
		}
	}
	if things < 2 {
		return nil
	}
	var fields []reflect.StructField
	field := func(of reflect.Type, n int) {
		fields = append(fields, reflect.StructField{Name: "F" + strconv.Itoa(len(fields)), Type: reflect.ArrayOf(n, of)})
	}
	for i, n := range added {
		if n > 0 {
			k.Parts = append(k.Parts, Part{Of: parts[i].Of, N: n})
			field(parts[i].Of.Type, n)
		}
	}
	if k.Strings > 0 {
		field(stringType, k.Strings)
	}
	t := reflect.StructOf(fields)
	k.Block = BlockOf(t)
	for i := range k.Parts {
		k.Parts[i].Offset = t.Field(i).Offset
	}
	k.Offset = t.Field(len(fields) - 1).Offset
	return k
}

var stringType = reflect.TypeFor[string]()

// kits returns what l.Kits is: nil for messages that do not have two of what kits are for.
func (l *Layout) kits() *Kits {
	if l.Flat || l.Dynamic { // dynamic messages have few types because no others are made
		return nil
	}
	n := 0
	for i := range l.Fields {
		f := &l.Fields[i]
		switch {
		case f.Code == RepeatedMessage || f.Entry != nil:
			n += 2
		case f.Sub != nil || f.Wrap != nil || f.Code == RepeatedString || f.Code == RepeatedText:
			n++
		}
	}
	if n < 2 {
		return nil
	}
	return new(Kits)
}
