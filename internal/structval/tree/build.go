package tree

import (
	"unsafe"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/swissmap"
	"github.com/protean-pb/protean/internal/xunsafe"
)

// A Size says what a tree consists of.
type Size struct {
	Leaves   int // messages that are neither objects nor lists
	small    int // objects whose map is small, as swissmap.IsSmall says
	large    int // objects of more entries, with these groups of entries
	groups   int // that are not many
	objects  int // other objects
	lists    int
	elements int // of the lists that are not long
	text     int // bytes of the texts that are not long
}

// Object adds an object of n entries, without what is in them.
func (s *Size) Object(n int) {
	if swissmap.IsSmall(n) {
		s.small++
	} else {
		s.many(n)
	}
}

func (s *Size) many(n int) {
	groups := swissmap.Groups(n)
	if groups == 0 {
		s.objects++
		return
	}
	if s.large++; !isLong[group](groups) {
		s.groups += groups
	}
}

// owned takes away the memory for an object of n entries itself: the outermost one has its own.
func (s *Size) owned(n int) {
	switch {
	case swissmap.IsSmall(n):
		s.small--
	case swissmap.Groups(n) == 0:
		s.objects--
	default:
		s.large--
	}
}

// List adds a list of n elements, without what is in them.
func (s *Size) List(n int) {
	s.lists++
	if !isLong[*structpb.Value](n) {
		s.elements += n
	}
}

// Text adds a text of n bytes that the Builder is to own.
func (s *Size) Text(n int) {
	if !isLong[byte](n) {
		s.text += n
	}
}

// A Builder makes the messages of a tree, whose size must have been set. If the tree
// turns out to be larger it allocates more. The zero Builder is for the empty tree.
type Builder struct {
	leaves   slab[leaf]
	small    slab[small]
	large    slab[large]
	groups   slab[group]
	objects  slab[object]
	lists    slab[list]
	elements slab[*structpb.Value]
	text     slab[byte]

	// For outermost messages, whose Value or Struct is allocated elsewhere.
	smallKinds slab[smallKind]
	listKinds  slab[listKind]
	smallMaps  slab[smallMap]
}

// The messages, each with what it consists of.
type (
	// A leaf is a Value with memory for any of the kinds that hold no messages.
	leaf struct {
		text  structpb.Value_StringValue      // a pointer and a length
		_     [8 - unsafe.Sizeof(int(0))]byte // which with this takes 8 bytes at least
		value structpb.Value
	}
	object struct {
		value structpb.Value
		objectKind
	}
	// A small is an object with memory for its map.
	small struct {
		room smallMap
		object
	}
	// A large is an object with memory for its map, but for the groups of entries.
	large struct {
		room largeMap
		object
	}
	list struct {
		value structpb.Value
		listKind
	}
	objectKind struct {
		kind   structpb.Value_StructValue
		fields structpb.Struct
	}
	listKind struct {
		kind   structpb.Value_ListValue
		values structpb.ListValue
	}
	// A smallKind, and so on, is the same without the Value, which is allocated elsewhere.
	smallKind struct {
		room smallMap
		objectKind
	}
	largeKind struct {
		room largeMap
		objectKind
	}
	smallMap   = swissmap.Small[*structpb.Value]
	largeMap   = swissmap.Large[*structpb.Value]
	group      = swissmap.Group[*structpb.Value]
	mapBuilder = swissmap.Builder[*structpb.Value]
)

// init returns the Value that o is.
func (o *object) init() *structpb.Value {
	o.value.Kind = o.objectKind.init()
	return &o.value
}

func (o *objectKind) init() *structpb.Value_StructValue {
	o.kind.StructValue = &o.fields
	return &o.kind
}

// init returns the Value that l is.
func (l *list) init() *structpb.Value {
	l.value.Kind = l.listKind.init()
	return &l.value
}

func (l *listKind) init() *structpb.Value_ListValue {
	l.kind.ListValue = &l.values
	return &l.kind
}

// scalar returns memory for a kind that has no pointers and takes up to 8 bytes.
func (l *leaf) scalar() unsafe.Pointer {
	// Sound: the text is not in use, and what comes after its pointer is 8 bytes that the
	// garbage collector does not look at, aligned as the widest integer in a struct is.
	return unsafe.Add(unsafe.Pointer(&l.text), unsafe.Sizeof(uintptr(0)))
}

// Init makes b ready for a tree of that size.
func (b *Builder) Init(s Size) { b.reserve(s, 1) }

// reserve makes b ready for a tree of that size, and where there is too little memory for that, for so many of them.
func (b *Builder) reserve(s Size, times int) {
	b.leaves.reserve(s.Leaves, times)
	b.small.reserve(s.small, times)
	b.large.reserve(s.large, times)
	b.groups.reserve(s.groups, times)
	b.objects.reserve(s.objects, times)
	b.lists.reserve(s.lists, times)
	b.elements.reserve(s.elements, times)
	b.text.reserve(s.text, times)
	b.smallKinds.reserve(1, times)
	b.listKinds.reserve(1, times)
	b.smallMaps.reserve(1, times)
}

// InitUnsized makes b ready for a tree of unknown size, with so many leaves at first. At most
// half of the further memory is wasted.
func (b *Builder) InitUnsized(leaves int) {
	b.leaves.left, b.small.left, b.large.left, b.groups.left = -max(leaves, 1), -1, -1, -1
	b.objects.left, b.lists.left, b.elements.left, b.text.left = -1, -1, -1, -1
}

// Unset returns a Value of no kind.
func (b *Builder) Unset() *structpb.Value { return &b.leaves.one().value }

// Null returns a null.
func (b *Builder) Null() *structpb.Value {
	l := b.leaves.one()
	l.value.Kind = (*structpb.Value_NullValue)(l.scalar()) // sound: as scalar says
	return &l.value
}

// Bool returns a truth value.
func (b *Builder) Bool(x bool) *structpb.Value {
	l := b.leaves.one()
	k := (*structpb.Value_BoolValue)(l.scalar()) // sound: as scalar says
	k.BoolValue = x
	l.value.Kind = k
	return &l.value
}

// Number returns a number.
func (b *Builder) Number(x float64) *structpb.Value {
	l := b.leaves.one()
	k := (*structpb.Value_NumberValue)(l.scalar()) // sound: as scalar says
	k.NumberValue = x
	l.value.Kind = k
	return &l.value
}

// String returns a string, which is not copied.
func (b *Builder) String(s string) *structpb.Value {
	l := b.leaves.one()
	l.text.StringValue = s
	l.value.Kind = &l.text
	return &l.value
}

// Object returns an object, and what fills its map with n entries.
func (b *Builder) Object(n int) (*structpb.Value, swissmap.Builder[*structpb.Value]) {
	if swissmap.IsSmall(n) {
		o := b.small.one()
		fill := o.room.Build(nil)
		o.fields.Fields = fill.Map()
		return o.init(), fill
	}
	o, fill := b.many(nil, n)
	o.fields.Fields = fill.Map()
	return o.init(), fill
}

// many returns an object of no or many entries, which has no map yet, and what makes that.
func (b *Builder) many(k *swissmap.Keys, n int) (*object, mapBuilder) {
	groups := swissmap.Groups(n)
	if groups == 0 {
		return b.objects.one(), swissmap.NewBuilder[*structpb.Value](k, n)
	}
	o := b.large.one()
	return &o.object, o.room.Build(k, b.groups.run(groups))
}

// manyOwned builds an object as many does, but its Value is allocated elsewhere.
func (b *Builder) manyOwned(k *swissmap.Keys, n int) (*objectKind, mapBuilder) {
	groups := swissmap.Groups(n)
	if groups == 0 {
		return new(objectKind), swissmap.NewBuilder[*structpb.Value](k, n)
	}
	o := new(largeKind)
	return &o.objectKind, o.room.Build(k, b.groups.run(groups))
}

// manyFields builds the map of an object as many does; the rest is allocated elsewhere.
func (b *Builder) manyFields(k *swissmap.Keys, n int) mapBuilder {
	groups := swissmap.Groups(n)
	if groups == 0 {
		return swissmap.NewBuilder[*structpb.Value](k, n)
	}
	return new(largeMap).Build(k, b.groups.run(groups))
}

// List returns a list and its n elements, which are to be set.
func (b *Builder) List(n int) (*structpb.Value, []*structpb.Value) {
	l := b.lists.one()
	l.values.Values = b.elements.run(n)
	return l.init(), l.values.Values
}

// Own returns a copy of a text.
func (b *Builder) Own(text []byte) string {
	s, n := &b.text, len(text)
	if n == 0 || n > xunsafe.MaxShort || n > len(s.items)-s.used {
		return xunsafe.String(append(s.run(n)[:0], text...))
	}
	// Sound: there is room for n bytes, one at least.
	p := unsafe.Add(unsafe.Pointer(unsafe.SliceData(s.items)), s.used)
	s.used += n
	xunsafe.CopyShort(p, unsafe.Pointer(unsafe.SliceData(text)), n)
	return unsafe.String((*byte)(p), n)
}
