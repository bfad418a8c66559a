// Package block reads and changes the memory of dynamic messages: the blocks that package
// layout defines, and the lists and maps that they refer to.
//
// Nothing here checks types. What lies at an address is what the caller's layout says;
// the values that are stored must be of the kind that they are stored as.
package block

import (
	"unsafe"

	"github.com/protean-pb/protean/internal/layout"
)

// An Address is where the fields of a message, a value, a slice or a map lies.
type Address = layout.Address

// Owner returns the T that l is a part of, and must be the first field of.
func Owner[T any](l *layout.Layout) *T {
	// Sound: the address of a struct is that of its first field.
	return (*T)(Address(l))
}

// Struct returns the struct that consists of the header alone.
func Struct[T any](h *layout.Header) *T {
	// Sound: the two have one address and one size.
	return (*T)(Address(h))
}

// Identity returns a number that no other value has as long as v is reachable. v must be
// a pointer, or the identity is that of this interface alone.
func Identity(v any) uintptr {
	// Sound: an any is two words, of which the second is a pointer to the value or the
	// pointer itself; it is only compared.
	return uintptr((*[2]unsafe.Pointer)(unsafe.Pointer(&v))[1])
}

// New returns an empty message with storage as l says, which must be Ready, and which names as
// its layout of: l, or another for messages that the codecs must keep away from.
func New(l, of *layout.Layout) *layout.Header {
	// Sound: the layout is one of dynamic messages, which begin with their Storage.
	s := (*layout.DynamicStorage)(l.NewMessage())
	s.Layout = of
	return &s.Home
}

// Unknown returns where the message at p has its unknown fields.
func Unknown(l *layout.Layout, p Address) *[]byte {
	// Sound, here and below: l says what lies at which offset of the message at p.
	return (*[]byte)(unsafe.Add(p, l.Unknown))
}

// Extensions returns where the message at p has its extension fields, by their numbers. l
// must have a place for them.
func Extensions(l *layout.Layout, p Address) *map[int32]layout.DynamicExtension {
	return (*map[int32]layout.DynamicExtension)(unsafe.Add(p, l.Extensions))
}

// Field returns where the value, list or map of f lies in the message at p, present or
// not.
func Field(f *layout.Field, p Address) Address { return unsafe.Add(p, f.Offset) }

// SetPresence makes f, which is neither list nor map, present in the message at p, and returns
// where its value is. Another member of the same oneof is cleared.
func SetPresence(l *layout.Layout, f *layout.Field, p Address) Address {
	switch f.Op.Storage() {
	case layout.Explicit:
		*(*uint32)(unsafe.Add(p, f.Bits)) |= f.Mask
	case layout.Case:
		which := (*uint32)(unsafe.Add(p, f.Bits))
		if *which != f.Mask {
			if *which != 0 {
				Clear(l.Find(*which), p) // or it would be kept alive
			}
			*which = f.Mask
			// The decoder leaves what a member held when it chooses another.
			layout.Clear(f.Op.Kind(), Field(f, p))
		}
	}
	return Field(f, p)
}

// Clear makes f absent in the message at p.
func Clear(f *layout.Field, p Address) {
	q := Field(f, p)
	switch f.Op.Storage() {
	case layout.Repeated, layout.Packed:
		*(*[]Address)(q) = nil
		return
	case layout.Map:
		*(*Address)(q) = nil
		return
	case layout.Explicit:
		*(*uint32)(unsafe.Add(p, f.Bits)) &^= f.Mask
	case layout.Case:
		which := (*uint32)(unsafe.Add(p, f.Bits))
		if *which != f.Mask {
			return
		}
		*which = 0
	}
	layout.Clear(f.Op.Kind(), q)
}

// Which returns the number of the member that is set in the oneof of f, 0 for none.
func Which(f *layout.Field, p Address) uint32 { return *(*uint32)(unsafe.Add(p, f.Bits)) }

// Pointer returns the pointer at q: to a map, or what [layout.AddressOf] returns for a message.
func Pointer(q Address) *Address { return (*Address)(q) }
