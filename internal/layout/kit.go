package layout

import (
	"reflect"
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

// maxKit is how many bytes a Kit may have, which are kept by who keeps one of its parts.
const maxKit = 1 << 10

// NewKit returns a Kit of those parts and that many strings, without what makes it too large; nil if there are fewer
// than two things in it. Go keeps the types of Kits for ever.
func NewKit(parts []Part, strings int) *Kit {
	k := new(Kit)
	var fields []reflect.StructField
	size, things := uintptr(0), 0
	add := func(of reflect.Type, n int) bool {
		if n == 0 || size+uintptr(n)*of.Size() > maxKit {
			return false
		}
		size += uintptr(n) * of.Size()
		things += n
		fields = append(fields, reflect.StructField{Name: "F" + strconv.Itoa(len(fields)), Type: reflect.ArrayOf(n, of)})
		return true
	}
	for _, p := range parts {
		if add(p.Of.Type, p.N) {
			k.Parts = append(k.Parts, p)
		}
	}
	if add(reflect.TypeFor[string](), strings) {
		k.Strings = strings
		things -= strings - 1 // of one list, mostly
	}
	if things < 2 {
		return nil
	}
	t := reflect.StructOf(fields)
	k.Block = BlockOf(t)
	for i := range k.Parts {
		k.Parts[i].Offset = t.Field(i).Offset
	}
	k.Offset = t.Field(len(fields) - 1).Offset
	return k
}

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
