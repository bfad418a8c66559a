package arena

import (
	"math"
	"reflect"
	"sync/atomic"
	"unsafe"

	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/xunsafe"
)

// A Pool is memory that the messages of many calls come from, and that is used again after Reset. The zero Pool is
// ready for use, by one call at a time.
//
// Memory never changes its type: an array of messages, of pointers to messages of one type, or of strings stays that,
// and a map stays that of one field. Numbers share memory with text, which has no pointers either, but for bools, of
// which the compiler assumes that they are 0 or 1. So a reference to memory that is used again may show other values,
// but never a pointer to what is not there.
type Pool struct {
	self *Pool       // to find out that it was copied
	busy atomic.Bool // whether a call uses it

	text   Text
	chunk  usage
	slots  []slab   // a power of two of them, looked up as those of Blocks are
	arrays []*array // what the slab of the same index is a part of
	types  int      // how many slots are taken
	maps   map[*layout.Entry]*maps
	resets uint

	chunks [][]byte // the chunks before that of text, which are full, since the last Reset
}

// usage is how much of something was in use between two Resets: since the last one in what has been replaced by more,
// and slotAt most since the last time that Reset looked for what is not needed.
type usage struct{ replaced, most int }

// isNeeded takes note of a Reset where so much was in use of something of that size. If it is time to look, it reports
// whether that size was ever needed, or a quarter of it.
func (u *usage) isNeeded(used, size int, look bool) bool {
	u.most = max(u.most, u.replaced+used)
	u.replaced = 0
	if !look {
		return true
	}
	needed := size/4 <= u.most
	u.most = 0
	return needed
}

// lookAfter is after how many Resets memory is given back that was not needed since the last time.
const lookAfter = 64

// An array is memory of one type. What a slab has given of it lies before what is left.
type array struct {
	usage
	n      int           // how many elements there are
	used   header        // those in use, while they are cleared
	slice  reflect.Value // used, as a slice
	before []header      // those before, which are full, since the last Reset
}

// A header is how a slice lies in memory.
type header struct {
	data     unsafe.Pointer
	len, cap int
}

// maps are the maps of a field, the first of which are in use.
type maps struct {
	all  []unsafe.Pointer
	used int
}

// maxMap is how many entries a map has at most that is used again: to clear one takes as long as it has had room.
const maxMap = 1 << 10

// minChunk is how many bytes there are at least for text.
const minChunk = 1 << 10

// What lies in arrays besides messages, and the pointers to those and slices of them, for which layouts have Blocks.
var (
	stringBlock = layout.BlockOf(reflect.TypeFor[string]())
	bytesBlock  = layout.BlockOf(reflect.TypeFor[[]byte]())
	boolBlock   = layout.BlockOf(reflect.TypeFor[bool]())
)

// Enter begins a call that uses p, which [Pool.Leave] ends. It panics if another has not ended, or if p is a copy.
func (p *Pool) Enter() {
	if !p.busy.CompareAndSwap(false, true) {
		panic("proto: an Arena is used by two calls at the same time")
	}
	if p.self != p {
		if p.self != nil {
			panic("proto: an Arena was copied")
		}
		p.self = p
		p.slots, p.arrays = make([]slab, layout.ManySlots), make([]*array, layout.ManySlots)
		p.maps = map[*layout.Entry]*maps{}
	}
}

// Leave ends a call.
func (p *Pool) Leave() { p.busy.Store(false) }

// PoolOf returns the Pool that package proto's Arena begins with.
func PoolOf[T any](a *T) *Pool {
	// Sound: the address of a struct is that of its first field.
	return (*Pool)(unsafe.Pointer(a))
}

// ResetMessage makes m empty, a dynamic message with storage from p.
func (p *Pool) ResetMessage(m proto.Message) {
	l, h := layout.Of(m)
	if !l.Dynamic || l.Ready() != layout.Fast {
		proto.Reset(m)
		return
	}
	var a Arena
	a.UsePool(p)
	// Sound: the memory of dynamic messages begins with a Storage, and h is where a Header is.
	(*layout.Header)(h).Storage = (*layout.DynamicStorage)(a.AllocMessage(l))
}

// UsePool has a, which has not given any memory, take all from the pool. The pool must be entered, and
// [Arena.ReturnToPool] called before it is left, also after a panic.
func (a *Arena) UsePool(p *Pool) {
	a.pool, a.Text = p, p.text
	a.useSlots(p)
}

// useSlots makes the slots of p those of a.
func (a *Arena) useSlots(p *Pool) {
	a.slots, a.mask = unsafe.Pointer(unsafe.SliceData(p.slots)), uint32(len(p.slots)-1)
}

// ReturnToPool tells the pool what a has taken.
func (a *Arena) ReturnToPool() { a.pool.text = a.Text }

// Pooled reports whether a takes memory from a pool.
func (a *Arena) Pooled() bool { return a.pool != nil }

// array returns memory of the pool for n, one after the other, all zero.
func (a *Arena) array(of *layout.Block, n int) unsafe.Pointer {
	s := a.slotAt(of.Slot)
	if s.of != of || int(s.left) < n {
		s = a.pooled(of, n)
	}
	at := s.next
	if s.left -= int32(n); s.left > 0 { // no pointer beyond the end of an allocation
		s.next = unsafe.Add(at, uintptr(n)*of.Size) // Sound: left says that there is one more.
	}
	return at
}

// pooled returns the slab of the type, with n left at least.
func (a *Arena) pooled(of *layout.Block, n int) *slab {
	p := a.pool
	i := p.find(of)
	if p.slots[i].of == nil {
		if p.types++; p.types*4 > len(p.slots)*3 {
			p.grow()
			a.useSlots(p)
			i = p.find(of)
		}
		p.slots[i].of = of
		p.arrays[i] = newArray(of)
	}
	s := &p.slots[i]
	if int(s.left) < n {
		p.arrays[i].refill(s, n)
	}
	return s
}

// find returns the slot of the type, or a free one for it.
func (p *Pool) find(of *layout.Block) uint32 {
	mask := uint32(len(p.slots) - 1)
	i := of.Slot & mask
	for p.slots[i].of != nil && p.slots[i].of != of {
		i = (i + 1) & mask
	}
	return i
}

// grow makes twice as many slots.
func (p *Pool) grow() {
	slots, arrays := p.slots, p.arrays
	p.slots, p.arrays = make([]slab, 2*len(slots)), make([]*array, 2*len(slots))
	for i := range slots {
		if of := slots[i].of; of != nil {
			to := p.find(of)
			p.slots[to], p.arrays[to] = slots[i], arrays[i]
		}
	}
}

func newArray(of *layout.Block) *array {
	r := new(array)
	// Sound: a header is laid out as a slice of any type is.
	r.slice = reflect.NewAt(reflect.SliceOf(of.Type), unsafe.Pointer(&r.used)).Elem()
	return r
}

// refill makes the array of s one of twice as many elements, and at least n.
func (r *array) refill(s *slab, n int) {
	if used := r.n - int(s.left); used > 0 {
		r.replaced += used
		r.before = append(r.before, header{r.used.data, used, used})
	}
	n = max(n, min(2*r.n, math.MaxInt32), 4)
	r.used = header{data: s.of.NewArray(n)}
	r.n = n
	s.next, s.left = r.used.data, int32(n)
}

// reset makes the array of s free, all zero. With poison, or if it is not needed, it is given up.
func (r *array) reset(s *slab, poison, look bool) {
	used := r.n - int(s.left)
	needed := r.isNeeded(used, r.n, look)
	r.clear(s.of, header{r.used.data, used, used}, poison)
	if poison {
		for _, h := range r.before {
			r.clear(s.of, h, true)
		}
	}
	r.before = nil
	if poison || !needed {
		r.used, r.n = header{}, 0
	}
	s.next, s.left = r.used.data, int32(r.n)
}

// clear makes that part of the array zero, or poisons it.
func (r *array) clear(of *layout.Block, h header, poison bool) {
	if h.len == 0 {
		return
	}
	at := r.used
	r.used = h
	r.slice.Clear()
	if poison {
		poisonAll(r.slice)
	}
	r.used = at
	if l := of.Owner; l != nil && l.Dynamic {
		for i := range h.len { // a reference that is left finds it empty
			l.Begin(unsafe.Add(h.data, uintptr(i)*of.Size)) // Sound: there are as many.
		}
	}
}

// newChunk begins a chunk of the pool, twice as large as the last, with room for n bytes.
func (a *Arena) newChunk(n int) {
	p := a.pool
	if a.size > 0 {
		used := a.Used + a.size - a.Cap
		p.chunk.replaced += used
		p.chunks = append(p.chunks, unsafe.Slice((*byte)(a.Base), a.size))
	}
	size := (max(n, 2*a.size, minChunk) + 7) &^ 7
	a.Text = Text{Base: xunsafe.AllocUncleared(size), Cap: size, size: size}
}

// newMap returns an empty map of the entry's type.
func (p *Pool) newMap(t *layout.Entry, hint int) unsafe.Pointer {
	m := p.maps[t]
	if m == nil {
		m = new(maps)
		p.maps[t] = m
	}
	if m.used == len(m.all) {
		var q unsafe.Pointer
		put(t, unsafe.Pointer(&q), nil, nil, hint)
		m.all = append(m.all, q)
	}
	m.used++
	return m.all[m.used-1]
}

// reset makes the maps free, all empty. With poison they are given up, as are those that are large, and if it is time
// to look those that were not in use.
func (m *maps) reset(t *layout.Entry, poison, look bool) {
	kept := m.all[:0]
	for i, q := range m.all {
		// Sound: all maps keep the number of their entries in the same place, and nothing else is read.
		large := len(*(*map[int32]struct{})(unsafe.Pointer(&q))) > maxMap
		if i < m.used {
			put(t, unsafe.Pointer(&q), nil, nil, emptied)
		}
		if !poison && !large && (!look || i < m.used) {
			kept = append(kept, q)
		}
	}
	clear(m.all[len(kept):])
	m.all, m.used = kept, 0
}

// Reset makes all memory free that calls have taken. With poison it is filled with conspicuous values, and not used
// again.
func (p *Pool) Reset(poison bool) {
	p.Enter()
	p.resets++
	look := p.resets%lookAfter == 0
	for i, r := range p.arrays {
		if r != nil {
			r.reset(&p.slots[i], poison, look)
		}
	}
	for t, m := range p.maps {
		m.reset(t, poison, look)
	}
	t := &p.text
	needed := p.chunk.isNeeded(t.Used+t.size-t.Cap, t.size, look)
	if poison {
		if t.size > 0 {
			p.chunks = append(p.chunks, unsafe.Slice((*byte)(t.Base), t.size))
		}
		for _, b := range p.chunks {
			poisonText(b)
		}
	}
	p.chunks = nil
	if poison || !needed {
		p.text = Text{}
	} else {
		p.text = Text{Base: t.Base, Cap: t.size, size: t.size}
	}
	p.Leave()
}

// Size returns how many bytes p holds, in use or free, without what maps take.
func (p *Pool) Size() int {
	p.Enter()
	defer p.Leave()
	n := p.text.size
	for _, b := range p.chunks {
		n += len(b)
	}
	for i, r := range p.arrays {
		if r != nil {
			n += (r.n + r.replaced) * int(p.slots[i].of.Size)
		}
	}
	return n
}

// poisoned is what text becomes that is used after Reset, and numbers beside it.
const poisoned = "used after Reset "

func poisonText(b []byte) {
	for len(b) > 0 {
		b = b[copy(b, poisoned):]
	}
}

// poisonAll sets the strings and numbers in the slice's elements, which are zero, or structs of which the fields are.
// Numbers in arrays say what is present, and stay.
func poisonAll(slice reflect.Value) {
	for i := range slice.Len() {
		v := slice.Index(i)
		if v.Kind() != reflect.Struct {
			poisonValue(v)
			continue
		}
		for f := range v.NumField() {
			// Sound: it is how fields are set that are not exported.
			poisonValue(reflect.NewAt(v.Field(f).Type(), v.Field(f).Addr().UnsafePointer()).Elem())
		}
	}
}

func poisonValue(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(poisoned)
	case reflect.Int32, reflect.Int64:
		v.SetInt(-0x5ee5ee5)
	case reflect.Uint32, reflect.Uint64:
		v.SetUint(0x5ee5ee5)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(-0x5ee5ee5)
	}
}
