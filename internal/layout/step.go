package layout

import (
	"math/bits"
	"unsafe"
)

// A WriteStep is what the innermost loop of the encoder knows of a field that is a number,
// text or bytes, or a list of those. Of all others it knows no more than what says that they
// are not there.
type WriteStep struct {
	Tag    uint64 // as it is written before a byte, last byte second highest
	Offset uint32
	Bits   uint32 // offset of the word that says that the field is there, if StepByBit; size of an element, if StepList
	Code   StepCode
	Bit    uint8   // of that word
	Size   uint8   // of both, in bytes
	Place  uint32  // behind which of Fields it would be; 0 if there is nothing more
	Sub    *Layout // of a message to which there is a pointer, and that is not required
}

// Before returns the step before s, which must have a Place: all are in one array.
func (s *WriteStep) Before() *WriteStep {
	return (*WriteStep)(unsafe.Add(unsafe.Pointer(s), -int(unsafe.Sizeof(*s)))) // Sound: there is one.
}

// Steps returns the steps of what is encoded, the first of l.Fields first.
func (l *Layout) Steps() []WriteStep {
	if l.Encoded == 0 {
		return nil // a pointer to the first would be behind the array
	}
	// Sound: Last is the last of so many in one array, behind another.
	return unsafe.Slice((*WriteStep)(unsafe.Add(unsafe.Pointer(l.Last), -(l.Encoded-1)*int(unsafe.Sizeof(*l.Last)))), l.Encoded)
}

// A StepCode is the [Code] of a number, text or bytes, and what else is to be done; or what says
// that something else is not there.
type StepCode uint8

// What else is to be done, and what says that nothing is.
const (
	StepWord StepCode = 0x0d // a word that is 0
	StepHalf StepCode = 0x0e // a uint32 that is 0
	NoStep   StepCode = 0x0f // nothing is known

	StepByBit     StepCode = 0x10 // a bit says that the field is there
	StepByPointer StepCode = 0x20 // a pointer to it; with StepByBit that of the slice
	StepRequired  StepCode = 0x40 // the field is required
	StepList      StepCode = 0x80 // a list
	StepKind      StepCode = 0x0f // the rest
)

// step returns what the encoder's innermost loop knows of f.
func (f *Field) step() WriteStep {
	s := WriteStep{Tag: f.TagEnd >> 8, Offset: f.Offset, Bits: f.Bits, Code: NoStep, Size: f.TagSize + 1}
	const word = uint32(unsafe.Sizeof(uintptr(0)))
	k := f.Op.Kind()
	switch f.Op.Shape() {
	case Repeated:
		if k <= Bytes {
			s.Code = StepList | StepCode(k)
			s.Bits = uint32(k.Size())
			return s
		}
		fallthrough
	case Packed, Switch: // the length of the slice, what the interface points to
		s.Code = StepWord
		s.Offset += word
		return s
	case Map, Indirect:
		s.Code = StepWord
		return s
	case CaseSwitch:
		s.Code = StepHalf
		s.Offset = f.Bits
		return s
	}
	if k > Bytes {
		if f.Way == InPlace && !f.Must {
			s.Code = StepWord
			if k == Message {
				s.Sub = f.Sub
			}
		}
		return s
	}
	switch f.Way {
	case InPlace:
		s.Code = StepCode(k)
	case ByBit:
		s.Code = StepByBit | StepCode(k)
		s.Bit = uint8(bits.TrailingZeros32(f.Mask))
	case ByPointer, BitAndPointer:
		s.Code = StepByPointer | StepCode(k)
	case NilSlice:
		s.Code = StepByPointer | StepByBit | StepCode(k)
	default:
		return s
	}
	if f.Must {
		s.Code |= StepRequired
	}
	return s
}

// alone returns how the encoder's innermost loop writes a list of what f holds, beside no other
// field: the numbers of a packed list, which have no tags, or the only value of a member of a
// oneof. It returns nil for all others.
func (f *Field) alone() *[2]WriteStep {
	k := f.Op.Kind()
	s := WriteStep{Bits: uint32(k.Size()), Code: StepList | StepCode(k), Size: 1}
	switch sh := f.Op.Shape(); {
	case sh == Packed:
	case (sh == Member || sh == Case) && k <= Bytes:
		s.Tag, s.Size = f.TagEnd>>8, f.TagSize+1
	default:
		return nil
	}
	return &[2]WriteStep{{Code: NoStep}, s}
}

// steps makes what l.Last is the last of.
func (l *Layout) steps() {
	for i := range l.Fields {
		l.Fields[i].Alone = l.Fields[i].alone()
	}
	all := make([]WriteStep, l.Encoded+1)
	all[0].Code = NoStep
	l.Plain = l.Extensions == 0
	for i := range l.Encoded {
		f := &l.Fields[i]
		s := f.step()
		s.Place = uint32(i + 1)
		all[i+1] = s
		l.Plain = l.Plain && s.Code&StepKind <= StepCode(Bytes)
	}
	l.Last = &all[l.Encoded]
}
