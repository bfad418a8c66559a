package layout

import (
	"unsafe"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// A Header is all that a dynamic message consists of for its users: what they hold, copy and
// overwrite is a Header. Fields, lists and maps of dynamic messages point to Headers as well.
// It is one word, so that no copy of it can be half done.
//
// Safe code can copy any Header over any other, also over one that a field points to. So
// nothing may be concluded from where a Header lies: the storage is found by its pointer
// alone, and the type by what the storage begins with.
type Header struct {
	Storage *DynamicStorage // nil in the zero message
}

// A DynamicStorage begins the memory that has the fields of a dynamic message. It does not change its
// type: the fields behind it lie as Layout says for as long as anybody refers to it.
type DynamicStorage struct {
	Home   Header  // the Header in the same allocation; its users may copy others over it
	Layout *Layout // not changed
}

// A foreign is the storage of what a field of a dynamic message holds if that is a message of
// another implementation. No user gets hold of its Header.
type foreign struct {
	DynamicStorage
	message protoreflect.Message
}

// foreignLayout tells the storage of a foreign.
var foreignLayout = &Layout{Dynamic: true, compile: func(*Layout) Class { return Official }}

// What package dynamic has registered; nil in a program without it.
var (
	dynamicWord    unsafe.Pointer // the word of the type of dynamic messages
	dynamicMessage func(*Header) protoreflect.Message
	zeroLayout     *Layout
)

// RegisterDynamic says that dynamic messages have the type of m, a pointer to a struct that
// consists of a [Header]. message returns the one that has that Header, and zero is the layout
// of the zero message. It is called once, while the program is initialized.
func RegisterDynamic(m proto.Message, message func(*Header) protoreflect.Message, zero *Layout) {
	dynamicWord, dynamicMessage, zeroLayout = wordOf(m).typ, message, zero
}

// dynamicOf returns the layout of the dynamic message.
func dynamicOf(h *Header) *Layout {
	if s := h.Storage; s != nil {
		return s.Layout
	}
	return zeroLayout
}

// AddressOf returns what a field, list or map of a dynamic message that holds m refers to: m
// itself if it is a dynamic message, which must not be nil.
func AddressOf(m protoreflect.Message) Address {
	if e := wordOf(m); e.typ == dynamicWord {
		return e.data
	}
	f := &foreign{DynamicStorage{Layout: foreignLayout}, m}
	f.Home.Storage = &f.DynamicStorage
	return Address(f)
}

// MessageAt returns the message that a field, list or map of a dynamic message refers to.
func MessageAt(p Address) protoreflect.Message {
	// Sound: p is what AddressOf has returned or Begin has made a message of, and begins with a
	// Header.
	h := (*Header)(p)
	if s := h.Storage; s != nil && s.Layout == foreignLayout {
		// Sound: AddressOf alone makes storage with that layout, as a part of a foreign.
		return (*foreign)(unsafe.Pointer(s)).message
	}
	return dynamicMessage(h)
}

// FieldsOf returns where the fields of the message at p lie, p itself unless the layout is
// Dynamic. It returns nil if the message is of another type than the layout's: whatever its
// field is declared as, a dynamic message may hold one of another implementation, or one over
// which another has been copied. [MessageAt] returns those.
func (l *Layout) FieldsOf(p Address) Address {
	if !l.Dynamic {
		return p
	}
	// Sound: p points to a Header, as in MessageAt.
	s := (*Header)(p).Storage
	if s == nil || s.Layout != l {
		return nil
	}
	return Address(s)
}

// MustFieldsOf returns where the fields lie of a message that is known to be of the layout's type: it is new,
// or the layout is what [Of] has returned. It panics if it has been overwritten meanwhile.
func (l *Layout) MustFieldsOf(p Address) Address {
	q := l.FieldsOf(p)
	if q == nil {
		panic("proto: a message is overwritten while it is in use")
	}
	return q
}

// Begin makes memory for a message, all zero, an empty one, which may be written to, and returns
// it. The layout must be Ready.
func (l *Layout) Begin(p unsafe.Pointer) unsafe.Pointer {
	if l.Dynamic {
		// Sound: the type of the memory of dynamic messages begins as Storage does.
		s := (*DynamicStorage)(p)
		s.Home.Storage, s.Layout = s, l
	}
	return p
}

// Reset makes the message of h empty, with storage as l says, which must be Ready.
//
// The storage is new, because copies of the message may share the old one, and keep what they
// have. It is the old one if the message is reset for the first time, and holds nothing: that
// spares what is made and then unmarshaled a second allocation. Copies that were made before go
// on sharing it.
func (l *Layout) Reset(h *Header) {
	s := h.Storage
	if s != nil && s.Layout == l && h == &s.Home && zeros(unsafe.Pointer(s), unsafe.Sizeof(*s), l.Size) {
		// Sound: l says where the unknown fields are in its storage.
		*(*[]byte)(unsafe.Add(unsafe.Pointer(s), l.Unknown)) = wasReset[:0:0]
		return
	}
	// Sound: NewMessage returns memory that begins with a Storage if the layout is Dynamic.
	h.Storage = (*DynamicStorage)(l.NewMessage())
}

// wasReset is where the unknown fields begin, of which there are none, of a message that was
// reset in place, so that it is not all zero.
var wasReset [1]byte

// WasReset reports whether unknown fields are none but not nil for that reason.
func WasReset(unknown []byte) bool {
	return cap(unknown) == 0 && unsafe.SliceData(unknown) == &wasReset[0]
}
