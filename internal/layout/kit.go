package layout

import (
	"reflect"
	"strconv"
	"sync/atomic"
)

// Kits are what messages of a type mostly have one of each, so that it can be allocated together.
type Kits struct {
	Now  atomic.Pointer[Kit] // nil if there is none
	Seen atomic.Uint64       // for package arena, which changes both
}

// A Kit is an allocation of one each of several types, and of strings.
type Kit struct {
	Block
	Parts   []Part
	Strings int     // how many
	Offset  uintptr // of those
}

// A Part is where in a Kit one of a type is.
type Part struct {
	Of     *Block
	Offset uintptr
}

// maxKit is how many bytes a Kit may have, which are kept by who keeps one of its parts.
const maxKit = 1 << 10

// NewKit returns a Kit of one of each and that many strings, without what makes it too large; nil if it would have
// fewer than two parts. Go keeps the types of Kits for ever.
func NewKit(of []*Block, strings int) *Kit {
	k := new(Kit)
	var fields []reflect.StructField
	size := uintptr(0)
	add := func(t reflect.Type) bool {
		if size+t.Size() > maxKit {
			return false
		}
		size += t.Size()
		fields = append(fields, reflect.StructField{Name: "F" + strconv.Itoa(len(fields)), Type: t})
		return true
	}
	if strings > 0 && add(reflect.ArrayOf(strings, reflect.TypeFor[string]())) {
		k.Strings = strings
	}
	for _, b := range of {
		if add(b.Type) {
			k.Parts = append(k.Parts, Part{Of: b})
		}
	}
	if len(fields) < 2 {
		return nil
	}
	t := reflect.StructOf(fields)
	k.Block = BlockOf(t)
	for i := range k.Parts {
		k.Parts[len(k.Parts)-1-i].Offset = t.Field(len(fields) - 1 - i).Offset
	}
	return k
}

// kits returns what l.Kits is: nil for messages that cannot have two of what kits are for.
func (l *Layout) kits() *Kits {
	if l.Flat || l.Dynamic { // dynamic messages have few types because no others are made
		return nil
	}
	n := 0
	for i := range l.Fields {
		if f := &l.Fields[i]; f.Sub != nil || f.Code == RepeatedString || f.Code == RepeatedText {
			n++
		}
	}
	if n < 2 {
		return nil
	}
	return new(Kits)
}
