package profile

import (
	"math"
	"slices"
	"strings"
)

// The estimated memory of what a profile is made of, in bytes.
const (
	nodeBytes  = 640
	valueBytes = 48
)

// A Form is a set of properties that strings may have. A node keeps those that some string lacks.
type Form uint32

// The properties of a string.
const (
	// Time is a time of RFC 3339.
	Time Form = 1 << iota
	// ExactTime is a time as ProtoJSON prints it: in UTC, with 0, 3, 6 or 9 digits of a second.
	ExactTime
	// Date is year-month-day.
	Date
	// Base64 is standard base64, of four characters or more.
	Base64
	// Padded ends in "=".
	Padded
	// Mixed has an upper-case letter, a lower-case one and a digit.
	Mixed
	// Integer is a decimal integer of 64 bits, as it is printed.
	Integer
	// UUID is the usual form of a UUID.
	UUID
	// Hex is hexadecimal digits alone.
	Hex
	allForms = Hex<<1 - 1
)

// A Node holds the statistics of all values at one path.
type Node struct {
	// How many values there were of each kind.
	Nulls   uint64 `json:"nulls,omitempty"`
	Bools   uint64 `json:"bools,omitempty"`
	Ints    uint64 `json:"ints,omitempty"`   // numbers without fraction and exponent, but for -0
	Floats  uint64 `json:"floats,omitempty"` // other numbers
	Strings uint64 `json:"strings,omitempty"`
	Arrays  uint64 `json:"arrays,omitempty"`
	Objects uint64 `json:"objects,omitempty"`

	// How many of them were false, 0, "", [] and {}.
	False        uint64 `json:"false,omitempty"`
	Zeros        uint64 `json:"zeros,omitempty"`
	EmptyStrings uint64 `json:"empty_strings,omitempty"`
	EmptyArrays  uint64 `json:"empty_arrays,omitempty"`
	EmptyObjects uint64 `json:"empty_objects,omitempty"`

	// IntMin and IntMax are the range of integers, but for Huge ones, as far as an int64 goes. Unsigned counts
	// those from 2^63 to 2^64-1, Huge those beyond 64 bits, Unsafe those beyond 2^53 and Huge.
	IntMin   int64  `json:"int_min,omitempty"`
	IntMax   int64  `json:"int_max,omitempty"`
	Unsigned uint64 `json:"unsigned,omitempty"`
	Huge     uint64 `json:"huge,omitempty"`
	Unsafe   uint64 `json:"unsafe,omitempty"`
	// FloatMin and FloatMax are the range of numbers that are not integers, Inexact counts those that a double
	// does not hold.
	FloatMin float64 `json:"float_min,omitempty"`
	FloatMax float64 `json:"float_max,omitempty"`
	Inexact  uint64  `json:"inexact,omitempty"`

	// The lengths of strings in bytes and of arrays in elements. LenSum is that of strings.
	LenMin   uint64 `json:"len_min,omitempty"`
	LenMax   uint64 `json:"len_max,omitempty"`
	LenSum   uint64 `json:"len_sum,omitempty"`
	ItemsMin uint64 `json:"items_min,omitempty"`
	ItemsMax uint64 `json:"items_max,omitempty"`

	// Lacks are the properties that some string has not.
	Lacks Form `json:"lacks,omitempty"`
	// Values is a sample of distinct strings and numbers.
	Values Sketch `json:"sketch,omitzero"`

	// Position is the sum of the positions in the parent object, the first of which is 0.
	Position uint64 `json:"position,omitempty"`
	// Where a child is in the order of its parent, and whether its strings may say what other members are. They are
	// here since each value needs them with its position.
	at  int32
	tag bool
	// Cut says that what was in arrays or objects has not been looked at, since it was too deep.
	Cut bool `json:"cut,omitempty"`

	// Elem has the elements of all arrays; nil if there were none.
	Elem *Node `json:"elem,omitempty"`
	// Fields are the children of objects by their keys; nil if there are too many.
	Fields map[string]*Node `json:"fields,omitempty"`
	// Wild has all children of objects with too many keys, Keys a sample of these.
	Wild *Node  `json:"wild,omitempty"`
	Keys Sketch `json:"keys,omitzero"`

	// Tagged are the objects that were members of other objects, by the strings beside them that may say what they
	// are, in the order of the keys of these.
	Tagged []*Tagged `json:"tagged,omitempty"`

	// The children in the order in which they came, and where the next is expected.
	order []member
	next  int
}

// A member is a child of an object.
type member struct {
	key  string
	node *Node
}

// Count returns the number of values.
func (n *Node) Count() uint64 {
	return n.Nulls + n.Bools + n.Ints + n.Floats + n.Strings + n.Arrays + n.Objects
}

// Has reports whether every string has all properties of f; false if there are no strings.
func (n *Node) Has(f Form) bool { return n.Strings > 0 && n.Lacks&f == 0 }

// SortedKeys returns the keys of the children in the order of their bytes.
func (n *Node) SortedKeys() []string {
	keys := make([]string, 0, len(n.Fields))
	for k := range n.Fields {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// Merge adds to n what other counted, but for children.
func (n *Node) Merge(other *Node) {
	n.mergeRanges(other)
	n.Nulls += other.Nulls
	n.Bools += other.Bools
	n.Ints += other.Ints
	n.Floats += other.Floats
	n.Strings += other.Strings
	n.Arrays += other.Arrays
	n.Objects += other.Objects
	n.False += other.False
	n.Zeros += other.Zeros
	n.EmptyStrings += other.EmptyStrings
	n.EmptyArrays += other.EmptyArrays
	n.EmptyObjects += other.EmptyObjects
	n.Unsigned += other.Unsigned
	n.Huge += other.Huge
	n.Unsafe += other.Unsafe
	n.Inexact += other.Inexact
	n.LenSum += other.LenSum
	n.Lacks |= other.Lacks
	n.Values.merge(&other.Values)
	n.Position += other.Position
	n.Cut = n.Cut || other.Cut
	n.Keys.merge(&other.Keys)
}

// mergeRanges is called before the counts are added: they say whether there is a range.
func (n *Node) mergeRanges(other *Node) {
	if other.Ints > other.Huge {
		n.IntMin, n.IntMax = merged(n.Ints == n.Huge, n.IntMin, n.IntMax, other.IntMin, other.IntMax)
	}
	if other.Floats > 0 {
		n.FloatMin, n.FloatMax = merged(n.Floats == 0, n.FloatMin, n.FloatMax, other.FloatMin, other.FloatMax)
	}
	if other.Strings > 0 {
		n.LenMin, n.LenMax = merged(n.Strings == 0, n.LenMin, n.LenMax, other.LenMin, other.LenMax)
	}
	if other.Arrays > 0 {
		n.ItemsMin, n.ItemsMax = merged(n.Arrays == 0, n.ItemsMin, n.ItemsMax, other.ItemsMin, other.ItemsMax)
	}
}

func merged[T int64 | uint64 | float64](none bool, lo, hi, otherLo, otherHi T) (T, T) {
	if none {
		return otherLo, otherHi
	}
	return min(lo, otherLo), max(hi, otherHi)
}

// addInt counts an integer; ok is false if it has more than 64 bits, unsigned true if it has all of them.
func (n *Node) addInt(v int64, unsigned, ok bool) {
	switch {
	case !ok:
		n.Ints++
		n.Huge++
		n.Unsafe++
		return
	case unsigned:
		n.Unsigned++
		n.Unsafe++
		v = math.MaxInt64
	case v > 1<<53 || v < -1<<53:
		n.Unsafe++
	case v == 0:
		n.Zeros++
	}
	n.IntMin, n.IntMax = merged(n.Ints == n.Huge, n.IntMin, n.IntMax, v, v)
	n.Ints++
}

// addFloat counts a number that is not an integer.
func (n *Node) addFloat(v float64, exact bool) {
	if !exact {
		n.Inexact++
	}
	if v == 0 {
		n.Zeros++
	}
	n.FloatMin, n.FloatMax = merged(n.Floats == 0, n.FloatMin, n.FloatMax, v, v)
	n.Floats++
}

// addString counts a string.
func (n *Node) addString(s []byte) {
	if n.Lacks != allForms {
		n.Lacks |= lacks(s, n.Lacks)
	}
	if len(s) == 0 {
		n.EmptyStrings++
	}
	size := uint64(len(s))
	n.LenMin, n.LenMax = merged(n.Strings == 0, n.LenMin, n.LenMax, size, size)
	n.LenSum += size
	n.Strings++
}

func (n *Node) addArray(items uint64) {
	if items == 0 {
		n.EmptyArrays++
	}
	n.ItemsMin, n.ItemsMax = merged(n.Arrays == 0, n.ItemsMin, n.ItemsMax, items, items)
	n.Arrays++
}

// child returns the child of a key, which is made if there is none.
func (n *Node) child(key []byte) (node *Node, made bool) {
	if n.next < len(n.order) && n.order[n.next].key == string(key) {
		n.next++
		return n.order[n.next-1].node, false
	}
	if c := n.Fields[string(key)]; c != nil {
		for i := n.next + 1; i < min(n.next+8, len(n.order)); i++ {
			if n.order[i].node == c {
				n.next = i + 1
				break
			}
		}
		return c, false
	}
	return n.addChild(strings.Clone(string(key))), true
}

func (n *Node) addChild(key string) *Node {
	c := &Node{at: int32(len(n.order)), tag: isTag(key)}
	if n.Fields == nil {
		n.Fields = map[string]*Node{}
	}
	n.Fields[key] = c
	if len(n.Fields) > maxTagKeys {
		n.untag()
	}
	n.order = append(n.order, member{key, c})
	n.next = len(n.order)
	return c
}
