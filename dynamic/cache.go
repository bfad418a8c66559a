package dynamic

import (
	"runtime"
	"sync"
	"sync/atomic"
	"weak"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/dynamic/internal/block"
)

// types are all types that are in use.
var types cache

// A cache finds the type of a descriptor. It keeps neither alive: a type, which holds its
// descriptor, lives as long as a program holds it or a message. Types that were used
// lately are kept nevertheless, so that a program that holds on to no message does not
// compile its types anew after each garbage collection.
type cache struct {
	recent [sets][ways]atomic.Pointer[Type] // by the identity of the descriptor
	turn   atomic.Uint32

	mu  sync.Mutex
	all map[uintptr]weak.Pointer[Type] // by the identity of the descriptor
}

// How many types are kept: for each of the sets, to which a descriptor belongs by its
// identity, so many.
const (
	sets = 16
	ways = 4
)

// find returns the type of md.
func (c *cache) find(md protoreflect.MessageDescriptor) *Type {
	if md == nil {
		return untyped
	}
	id := block.Identity(md)
	// Descriptors lie in arrays, so that their addresses differ in few bits.
	set := &c.recent[(uint64(id)*0x9e3779b97f4a7c15>>32)%sets]
	for i := range set {
		if t := set[i].Load(); t != nil && t.layout.Desc == md {
			return t
		}
	}
	t := c.lookUp(id, md)
	set[c.turn.Add(1)%ways].Store(t)
	return t
}

// lookUp finds a type that is not among the recent ones, or makes it.
func (c *cache) lookUp(id uintptr, md protoreflect.MessageDescriptor) *Type {
	c.mu.Lock()
	defer c.mu.Unlock()
	// An identity may be that of a descriptor that is gone, and so is its type then.
	if t := c.all[id].Value(); t != nil && t.layout.Desc == md {
		return t
	}
	t := newType(md)
	if c.all == nil {
		c.all = map[uintptr]weak.Pointer[Type]{}
	}
	c.all[id] = weak.Make(t)
	runtime.AddCleanup(t, c.forget, id)
	return t
}

// drop removes a type that could not be compiled. The next look-up of the descriptor compiles it again.
func (c *cache) drop(t *Type) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.recent {
		for j := range c.recent[i] {
			c.recent[i][j].CompareAndSwap(t, nil)
		}
	}
	if id := block.Identity(t.layout.Desc); c.all[id].Value() == t {
		delete(c.all, id)
	}
}

// forget removes what is left of a type that is gone.
func (c *cache) forget(id uintptr) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all[id].Value() == nil {
		delete(c.all, id)
	}
}
