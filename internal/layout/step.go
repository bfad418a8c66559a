package layout

import (
	"math"
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

// A ReadStep is what the assembly of package decode knows of a field.
type ReadStep struct {
	Tag    uint16  // as it is written, first byte lowest; one that no field has if this one is left to others
	High   uint8   // its third byte
	Must   uint8   // which bit of its layout's Must; one that is none of those if the field is not required
	Offset uint32  // in the message. In the first step, which is no field's: how many bytes of steps are found by their number
	Bits   uint32  // as Field has it; of a message, the Slot of its Block
	Mask   uint32  // as Field has it; of a message, where in the array this step begins, in bytes. In the first: see Layout.farSteps
	Code   uintptr // the code that reads it. In the first: Layout.farSteps, if there is any
	Sub    *Layout // of a message
}

// Number returns the number of the field.
func (s *ReadStep) Number() uint32 {
	tag := uint32(s.Tag & 0x7f)
	if s.Tag&0x80 != 0 {
		tag |= uint32(s.Tag>>8&0x7f) << 7
		if s.Tag>>15 != 0 {
			tag |= uint32(s.High) << 14
		}
	}
	return tag >> 3
}

// What the assembly of package decode knows of the layout of messages in messages.
const (
	BlockAt   = unsafe.Offsetof(Layout{}.Block)
	DynamicAt = unsafe.Offsetof(Layout{}.Dynamic)
	InnerAt   = unsafe.Offsetof(Layout{}.inner)
	MustAt    = unsafe.Offsetof(Layout{}.Must)
)

// IsPlain reports whether Steps may have the field whose tag begins with that byte: one of two bytes or more may.
func (l *Layout) IsPlain(tag byte) bool {
	return l.Steps != nil && (tag >= 0x80 || byte(l.Steps[tag>>3].Tag) == tag)
}

// IsInner reports whether what reads the fields of a message around may read those of l, which must be ready.
func (l *Layout) IsInner() bool { return l.inner.Load() != nil }

// Reader returns the code that reads the field; 0 if there is none. Package decode sets it while the program is
// initialized, if it has any.
var Reader func(*Field) uintptr

// noTag is the Tag, and the High, that no tag of three bytes or fewer has.
const noTag = 1<<16 - 1

// noMust is the bit of fields that are not required: [Layout.must] gives it to nobody.
const noMust = 63

// readSteps makes l.Steps, with a step for every number of one byte, those of more as far as l.dense goes, and then those of
// l.sparse of up to three bytes.
func (l *Layout) readSteps() {
	if Reader == nil {
		return
	}
	all := make([]ReadStep, max(16, len(l.dense)))
	all[0].Offset = uint32(len(all)) * uint32(unsafe.Sizeof(ReadStep{}))
	found := false
	add := func(n int, f *Field) bool {
		all[n].Tag, all[n].High = noTag, noTag&0xff
		if f.IsAbsent() || f.TagSize > 3 || f.Must && f.MustBit == 0 {
			return false
		}
		code := Reader(f)
		if code == 0 {
			return false
		}
		all[n] = ReadStep{Tag: uint16(f.TagBytes), High: uint8(f.TagBytes >> 16), Must: noMust, Offset: f.Offset, Bits: f.Bits, Mask: f.Mask, Code: code}
		if f.Must {
			all[n].Must = uint8(bits.TrailingZeros64(f.MustBit))
		}
		if f.Sub != nil {
			all[n].Sub, all[n].Bits, all[n].Mask = f.Sub, f.Sub.Slot, uint32(n)*uint32(unsafe.Sizeof(ReadStep{}))
		}
		found = true
		return true
	}
	for n := 1; n < len(all); n++ {
		f := &absent
		if n < len(l.dense) {
			f = l.dense[n]
		}
		add(n, f)
	}
	all[0].Tag, all[0].High = noTag, noTag&0xff
	l.farSteps = farTable(l.sparse)
	for _, f := range l.sparse {
		if at := &l.farSteps[int(f.Number())&(len(l.farSteps)-1)]; *at == 0 && len(all) < math.MaxUint16 {
			all = append(all, ReadStep{})
			if n := len(all) - 1; add(n, f) {
				*at = uint16(n)
			} else {
				all = all[:n]
			}
		}
	}
	if len(l.farSteps) > 0 {
		all[0].Mask, all[0].Code = uint32(len(l.farSteps)-1), uintptr(unsafe.Pointer(&l.farSteps[0])) // which l keeps
	}
	if found {
		l.Steps = all
	}
}

// maxFar is how long a table of far fields is at most.
const maxFar = 1 << 10

// farTable returns a table for fields by the lower bits of their numbers, as many bits as tell most of them apart: of a power
// of two of zeros. It is empty if there are none.
func farTable(fields []*Field) []uint16 {
	if len(fields) == 0 {
		return nil
	}
	for size := 1; ; size *= 2 {
		seen := map[int]bool{}
		for _, f := range fields {
			seen[int(f.Number())&(size-1)] = true
		}
		if len(seen) == len(fields) || size == maxFar {
			return make([]uint16, size)
		}
	}
}
