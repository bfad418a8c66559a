package layout

import (
	"math/bits"
	"unsafe"
)

// An Instr is what encodeFast, the innermost loop of the encoder, knows of a field that is a number,
// text or bytes, or a list of those. Of all others it knows no more than what says that they
// are not there.
type Instr struct {
	Tag    uint64 // as it is written before a byte, last byte second highest
	Offset uint32
	Bits   uint32 // offset of the word that says that the field is there, if ByBitFlag; size of an element, if ListFlag
	Op     InstrOp
	Bit    uint8   // of that word
	Size   uint8   // of both, in bytes
	Index  uint32  // behind which of Fields it would be; 0 if there is nothing more
	Sub    *Layout // of a message to which there is a pointer, and that is not required
}

// Prev returns the instruction before s, which must not be the first: all are in one array.
func (s *Instr) Prev() *Instr {
	return (*Instr)(unsafe.Add(unsafe.Pointer(s), -int(unsafe.Sizeof(*s)))) // Sound: there is one.
}

// Instrs returns the instructions of what is encoded, the first of l.Fields first.
func (l *Layout) Instrs() []Instr {
	if l.Encoded == 0 {
		return nil // a pointer to the first would be behind the array
	}
	// Sound: LastInstr is the last of so many in one array, behind another.
	before := -(l.Encoded - 1) * int(unsafe.Sizeof(*l.LastInstr))
	return unsafe.Slice((*Instr)(unsafe.Add(unsafe.Pointer(l.LastInstr), before)), l.Encoded)
}

// An InstrOp is the [Opcode] of a number, text or bytes, and what else is to be done; or what says
// that something else is not there.
type InstrOp uint8

// What else is to be done, and what says that nothing is.
const (
	IfWord      InstrOp = 0x0d // a word that is 0
	IfHalf      InstrOp = 0x0e // a uint32 that is 0
	CallEncoder InstrOp = 0x0f // nothing is known

	ByBitFlag     InstrOp = 0x10 // a bit says that the field is there
	ByPointerFlag InstrOp = 0x20 // a pointer to it; with ByBitFlag that of the slice
	RequiredFlag  InstrOp = 0x40 // the field is required
	ListFlag      InstrOp = 0x80 // a list
	KindMask      InstrOp = 0x0f // the rest
)

// instr returns what the encoder's innermost loop knows of f.
func (f *Field) instr() Instr {
	s := Instr{Tag: f.TagEnd >> 8, Offset: f.Offset, Bits: f.Bits, Op: CallEncoder, Size: f.TagSize + 1}
	const word = uint32(unsafe.Sizeof(uintptr(0)))
	k := f.Op.Kind()
	switch f.Op.Storage() {
	case Repeated:
		if k <= Bytes {
			s.Op = ListFlag | InstrOp(k)
			s.Bits = uint32(k.Size())
			return s
		}
		fallthrough
	case Packed, Switch: // the length of the slice, what the interface points to
		s.Op = IfWord
		s.Offset += word
		return s
	case Map, Indirect:
		s.Op = IfWord
		return s
	case CaseSwitch:
		s.Op = IfHalf
		s.Offset = f.Bits
		return s
	}
	if k > Bytes {
		if f.Addressing == InPlace && !f.Required {
			s.Op = IfWord
			if k == Message {
				s.Sub = f.Sub
			}
		}
		return s
	}
	switch f.Addressing {
	case InPlace:
		s.Op = InstrOp(k)
	case ByBit:
		s.Op = ByBitFlag | InstrOp(k)
		s.Bit = uint8(bits.TrailingZeros32(f.Mask))
	case ByPointer, BitAndPointer:
		s.Op = ByPointerFlag | InstrOp(k)
	case NilSlice:
		s.Op = ByPointerFlag | ByBitFlag | InstrOp(k)
	default:
		return s
	}
	if f.Required {
		s.Op |= RequiredFlag
	}
	return s
}

// elementInstr returns how the encoder's innermost loop writes a list of what f holds, beside no other
// field: the numbers of a packed list, which have no tags, or the only value of a member of a
// oneof. It returns nil for all others.
func (f *Field) elementInstr() *[2]Instr {
	k := f.Op.Kind()
	s := Instr{Bits: uint32(k.Size()), Op: ListFlag | InstrOp(k), Size: 1}
	switch sh := f.Op.Storage(); {
	case sh == Packed:
	case (sh == Member || sh == Case) && k <= Bytes:
		s.Tag, s.Size = f.TagEnd>>8, f.TagSize+1
	default:
		return nil
	}
	return &[2]Instr{{Op: CallEncoder}, s}
}

// compileInstrs makes the array of instructions of which l.LastInstr is the last.
func (l *Layout) compileInstrs() {
	for i := range l.Fields {
		l.Fields[i].ElementInstr = l.Fields[i].elementInstr()
	}
	all := make([]Instr, l.Encoded+1)
	all[0].Op = CallEncoder
	l.FastLoop = l.Extensions == 0
	for i := range l.Encoded {
		f := &l.Fields[i]
		s := f.instr()
		s.Index = uint32(i + 1)
		all[i+1] = s
		l.FastLoop = l.FastLoop && s.Op&KindMask <= InstrOp(Bytes)
	}
	l.LastInstr = &all[l.Encoded]
}
