package tree

import (
	"math"
	"slices"
	"sync"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/swissmap"
)

// Tokens are a tree as a list of what it consists of, in the order of a text: for an object
// its entries, each a key and a value, for a list its elements. With the list at hand it is
// known how much memory the tree takes, and nothing but the tree is written to the heap.
//
// Tokens are for one goroutine. They come from [GetTokens]; one method adds each token, and
// then one of the Into methods makes the tree.
type Tokens struct {
	Builder
	list  []token
	size  Size
	keys  keys
	text  []byte // of which most strings are parts
	other []byte // and this of the rest

	next int // the token that is to be built
	// Twice is, after an Into method that failed, where the key is that comes twice, and Steps
	// how to get there, the last step first.
	Twice int
	Steps []protoerr.Step
}

// A token is a value, or the key of an entry.
type token struct {
	bits  uint64 // of a number, or the Part that a string is
	n     uint32 // how many entries or elements there are; of a key, where it is in the text
	kind  tokenKind
	known uint8 // of a key: what keys.find returned
}

type tokenKind uint8

const (
	nullToken tokenKind = iota
	falseToken
	trueToken
	numberToken
	objectToken
	listToken
	stringToken
)

// A Part is where a string starts and ends: in the text, or among the others, which has the
// highest bit set.
type Part uint64

const isOther = 1 << 63

// PartOf is the text from start to end.
func PartOf(start, end int) Part { return Part(start)<<32 | Part(end) }

// Keep keeps a string that is no part of the text.
func (t *Tokens) Keep(s []byte) Part {
	start := len(t.other)
	t.other = append(t.other, s...)
	return PartOf(start, len(t.other)) | isOther
}

// size returns how many bytes there are.
func (p Part) size() int { return int(uint32(p)) - int(p&^isOther>>32) }

// bytes returns what p is a part of t of.
func (t *Tokens) bytes(p Part) []byte {
	from := t.text
	if p&isOther != 0 {
		from = t.other
	}
	return from[p&^isOther>>32 : uint32(p)]
}

var tokensPool = sync.Pool{New: func() any { return new(Tokens) }}

// GetTokens returns Tokens without any. Text is what strings will be parts of; it is neither
// changed nor referred to by the tree, and less than 2 GB.
func GetTokens(text []byte) *Tokens {
	t := tokensPool.Get().(*Tokens)
	t.list, t.size, t.text, t.other = t.list[:0], Size{}, text, t.other[:0]
	t.keys.start()
	return t
}

// Release puts t back into the pool, without anything that belongs to a caller.
func (t *Tokens) Release() {
	t.Builder = Builder{}
	t.text, t.next, t.Twice, t.Steps = nil, 0, 0, nil
	if 16*cap(t.list)+cap(t.other) > 16*maxScratch {
		t.list, t.other = nil, nil
	}
	tokensPool.Put(t)
}

// Len returns how many tokens there are, which is the number of the next one.
func (t *Tokens) Len() int { return len(t.list) }

// Reserve makes room for an entry, where the text has been read from start to pos.
func (t *Tokens) Reserve(start, pos int) {
	if n := len(t.list); cap(t.list)-n < 2 {
		t.list = slices.Grow(t.list, t.expectedSize(start, pos))
	}
}

// expectedSize returns how many more tokens there are if the rest of the text is like what has been
// read of it, but at most three times as many as there are: the tree may end before the text.
func (t *Tokens) expectedSize(start, pos int) int {
	n, size := len(t.list), max(pos-start, 1)
	return max(min(n*(len(t.text)-pos)/size, 3*n), n/4, minTokens)
}

// minTokens is for how many tokens there is room at least.
const minTokens = 64

func (t *Tokens) leaf(kind tokenKind, bits uint64) {
	t.size.Leaves++
	t.list = append(t.list, token{kind: kind, bits: bits})
}

// Null adds a null.
func (t *Tokens) Null() { t.leaf(nullToken, 0) }

// Bool adds a truth value.
func (t *Tokens) Bool(x bool) {
	kind := falseToken
	if x {
		kind = trueToken
	}
	t.leaf(kind, 0)
}

// Number adds a number.
func (t *Tokens) Number(x float64) { t.leaf(numberToken, math.Float64bits(x)) }

// String adds a string.
func (t *Tokens) String(s Part) {
	t.size.Text(s.size())
	t.leaf(stringToken, uint64(s))
}

// Key adds the key of the nth entry of the object that is open, which is in the text at that
// place.
func (t *Tokens) Key(key Part, at, nth int) {
	known := uint8(0)
	if nth < maxKnown {
		known = t.keys.find(t.bytes(key))
	}
	if known == 0 {
		t.size.Text(key.size())
	}
	t.list = append(t.list, token{kind: stringToken, known: known, bits: uint64(key), n: uint32(at)})
}

// Open adds an object or a list, and returns its number for [Tokens.Close].
func (t *Tokens) Open(object bool) (number int) {
	kind := listToken
	if object {
		kind = objectToken
	}
	t.list = append(t.list, token{kind: kind})
	return len(t.list) - 1
}

// Close says how many entries or elements the object or list has.
func (t *Tokens) Close(number, n int) {
	x := &t.list[number]
	x.n = uint32(n)
	if x.kind == listToken {
		t.size.List(n)
		return
	}
	t.size.Object(n)
}

// KeyText returns the key with that number.
func (t *Tokens) KeyText(number int) string { return string(t.string(&t.list[number])) }

// string returns the string of a token.
func (t *Tokens) string(x *token) []byte { return t.bytes(Part(x.bits)) }

// IntoValue sets the kind of v. It is false if a key comes twice in an object.
func (t *Tokens) IntoValue(v *structpb.Value) bool {
	x := t.root()
	switch x.kind {
	case objectToken:
		// The Value is the caller's.
		if swissmap.IsSmall(int(x.n)) {
			o := new(smallKind)
			if !t.few(&o.room, &o.fields, int(x.n)) {
				return false
			}
			v.Kind = o.init()
			return true
		}
		o, fill := t.manyOwned(t.keys.known, int(x.n))
		if !t.many(&fill, &o.fields, int(x.n)) {
			return false
		}
		v.Kind = o.init()
	case listToken:
		l := new(listKind)
		if !t.elements(&l.values, int(x.n)) {
			return false
		}
		v.Kind = l.init()
	case nullToken:
		v.Kind = new(structpb.Value_NullValue)
	case falseToken, trueToken:
		v.Kind = &structpb.Value_BoolValue{BoolValue: x.kind == trueToken}
	case numberToken:
		v.Kind = &structpb.Value_NumberValue{NumberValue: math.Float64frombits(x.bits)}
	default:
		v.Kind = &structpb.Value_StringValue{StringValue: t.Own(t.string(x))}
	}
	return true
}

// IntoStruct gives s, which has none, the entries of the object that the first token is. It is
// false if a key comes twice in an object.
func (t *Tokens) IntoStruct(s *structpb.Struct) bool {
	n := int(t.root().n)
	if swissmap.IsSmall(n) {
		return t.few(new(smallMap), s, n)
	}
	fill := t.manyFields(t.keys.known, n)
	return t.many(&fill, s, n)
}

// IntoList gives l, which has none, the elements of the list that the first token is. It is
// false if a key comes twice in an object.
func (t *Tokens) IntoList(l *structpb.ListValue) bool { return t.elements(l, int(t.root().n)) }

// root returns the first token, which is not counted: it is the caller's, or has memory of its
// own.
func (t *Tokens) root() *token {
	x := &t.list[0]
	t.next = 1
	switch x.kind {
	case objectToken:
		t.size.owned(int(x.n))
	case listToken:
		t.size.lists--
	default:
		t.size.Leaves--
	}
	t.Init(t.size)
	return x
}

// value returns the next value; nil if a key comes twice in it.
func (t *Tokens) value() *structpb.Value {
	x := &t.list[t.next]
	t.next++
	switch x.kind {
	case nullToken:
		return t.Builder.Null()
	case falseToken, trueToken:
		return t.Builder.Bool(x.kind == trueToken)
	case numberToken:
		return t.Builder.Number(math.Float64frombits(x.bits))
	case objectToken:
		if swissmap.IsSmall(int(x.n)) {
			o := t.small.one()
			if !t.few(&o.room, &o.fields, int(x.n)) {
				return nil
			}
			return o.init()
		}
		o, fill := t.Builder.many(t.keys.known, int(x.n))
		if !t.many(&fill, &o.fields, int(x.n)) {
			return nil
		}
		return o.init()
	case listToken:
		l := t.lists.one()
		if !t.elements(&l.values, int(x.n)) {
			return nil
		}
		return l.init()
	}
	return t.Builder.String(t.Own(t.string(x)))
}

// elements gives l its elements.
func (t *Tokens) elements(l *structpb.ListValue, count int) bool {
	out := t.Builder.elements.run(count)
	for i := range out {
		if out[i] = t.value(); out[i] == nil {
			t.Steps = append(t.Steps, protoerr.Step{Index: i})
			return false
		}
	}
	l.Values = out
	return true
}

// few gives s its map, of a few entries.
func (t *Tokens) few(room *smallMap, s *structpb.Struct, count int) bool {
	fields := room.Map(t.keys.known)
	if !t.entries(fields, room, nil, count) {
		return false
	}
	s.Fields = fields
	return true
}

// many gives s its map, of no or many entries.
func (t *Tokens) many(fill *mapBuilder, s *structpb.Struct, count int) bool {
	if !t.entries(fill.Map(), nil, fill, count) {
		return false
	}
	s.Fields = fill.Map()
	return true
}

// entries fills the map of an object, which is in the room or what fill fills.
func (t *Tokens) entries(fields map[string]*structpb.Value, room *smallMap, fill *mapBuilder, count int) bool {
	known := t.keys.known
	var there keySet
	for i := range count {
		k := &t.list[t.next]
		t.next++
		v := t.value()
		switch {
		case v == nil:
			return t.within(k)
		case k.known == 0:
			fields[t.Own(t.string(k))] = v
		case !there.add(k.known):
			return t.twice(k)
		case room != nil:
			room.Put(known, int(k.known), v)
		default:
			fill.Put(int(k.known), v)
		}
		if len(fields) != i+1 {
			return t.twice(k)
		}
	}
	return true
}

// twice is the failure that a key comes twice.
func (t *Tokens) twice(k *token) bool {
	t.Twice = int(k.n)
	return t.within(k)
}

// within says, while a failure unwinds, in which entry it happened.
func (t *Tokens) within(k *token) bool {
	t.Steps = append(t.Steps, protoerr.Step{Key: string(t.string(k)), Index: -1})
	return false
}
