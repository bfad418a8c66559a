package layout

import "unsafe"

// Locate returns where the value of f is in the message at p: the value, the slice or the
// map itself; nil if it is absent. A list or map that is empty may be absent or not.
func (l *Layout) Locate(f *Field, p unsafe.Pointer) unsafe.Pointer {
	// Sound: l says what lies at which offset.
	q := unsafe.Add(p, f.Offset)
	switch f.Op.Storage() {
	case Implicit:
		if Zero(f.Op.Kind(), q) {
			return nil
		}
	case Explicit:
		if *(*uint32)(unsafe.Add(p, f.Bits))&f.Mask == 0 {
			return nil
		}
	case Pointer, MarkedPointer:
		to := *(*unsafe.Pointer)(q)
		if to == nil || f.Op.Kind() != Bytes {
			return to
		}
	case Indirect:
		return *(*unsafe.Pointer)(q)
	case Member:
		i := *(*[2]unsafe.Pointer)(q)
		if i[0] != f.Wrap.Word {
			return nil
		}
		return i[1]
	case Case:
		if *(*uint32)(unsafe.Add(p, f.Bits)) != f.Mask {
			return nil
		}
	}
	return q
}

// Set returns the member of the oneof of that is set in the message at p, and where its
// value is; nil if none is.
func (l *Layout) Set(of *Field, p unsafe.Pointer) (*Field, unsafe.Pointer) {
	if of.Op.Storage() == CaseSwitch {
		c := *(*uint32)(unsafe.Add(p, of.Bits))
		if c == 0 {
			return nil, nil
		}
		f := l.Find(c)
		return f, unsafe.Add(p, f.Offset)
	}
	// Sound: there lies an interface with methods: two words, the second of which is the
	// pointer that it holds, since wrappers are pointers.
	i := *(*[2]unsafe.Pointer)(unsafe.Add(p, of.Offset))
	if i[1] == nil {
		return nil, nil
	}
	for _, c := range of.Members {
		if c.word == i[0] {
			return c.field, i[1]
		}
	}
	return nil, nil
}

// ExtensionCount returns how many extension fields the message at p has. The layout must
// have Extensions.
func (l *Layout) ExtensionCount(p unsafe.Pointer) int {
	// Sound: it is a map with keys of 4 bytes, of which only the number of entries is read.
	return len(*(*map[int32]struct{})(unsafe.Add(p, l.Extensions)))
}

// Zero reports whether the value at q is the zero of its kind; of a message, nil.
func Zero(k Kind, q unsafe.Pointer) bool {
	switch k {
	case Bool:
		return *(*byte)(q) == 0
	case Int32, Uint32, Sint32, Fixed32:
		return *(*uint32)(q) == 0
	case Varint64, Sint64, Fixed64:
		return *(*uint64)(q) == 0
	case String, Text:
		return len(*(*string)(q)) == 0
	case Bytes:
		return len(*(*[]byte)(q)) == 0
	}
	return *(*unsafe.Pointer)(q) == nil
}
