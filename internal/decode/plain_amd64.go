//lint:file-ignore U1000 constants are for the assembly

//go:build go1.26 && !go1.27 && !race && !msan && !asan && !purego

package decode

import (
	"unsafe"

	"github.com/protean-pb/protean/internal/arena"
	"github.com/protean-pb/protean/internal/layout"
)

// assembled is whether there is plain. It stores pointers without telling the collector of them, even while that
// marks. Arena.Untold says why that is right; whether the collector marks is known by a variable of the runtime that
// others rely upon, too (see runtime/mgc.go). So it is for the release of Go that it was written for, as are maps in
// package mem.
const assembled = true

// What plain knows of a decoder and of a ReadStep.
const (
	baseAt         = unsafe.Offsetof(decoder{}.Base)
	usedAt         = unsafe.Offsetof(decoder{}.Used)
	capAt          = unsafe.Offsetof(decoder{}.Cap)
	arenaAt        = unsafe.Offsetof(decoder{}.Arena)
	untoldAt       = arenaAt + unsafe.Offsetof(arena.Arena{}.Untold)
	stringsNextAt  = arenaAt + arena.StringsNext
	stringsLeftAt  = arenaAt + arena.StringsLeft
	stringsTakenAt = arenaAt + arena.StringsTaken

	stepTag    = unsafe.Offsetof(layout.ReadStep{}.Tag)
	stepMust   = unsafe.Offsetof(layout.ReadStep{}.Must)
	stepOffset = unsafe.Offsetof(layout.ReadStep{}.Offset)
	stepBits   = unsafe.Offsetof(layout.ReadStep{}.Bits)
	stepMask   = unsafe.Offsetof(layout.ReadStep{}.Mask)
	stepCode   = unsafe.Offsetof(layout.ReadStep{}.Code)
	stepSub    = unsafe.Offsetof(layout.ReadStep{}.Sub)

	runAt     = arenaAt + unsafe.Offsetof(arena.Arena{}.Run)
	placesAt  = arenaAt + arena.PlacesAt
	maskAt    = arenaAt + arena.MaskAt
	slabOf    = arena.SlabOf
	slabNext  = arena.SlabNext
	slabLeft  = arena.SlabLeft
	blockAt   = layout.BlockAt
	blockSize = layout.BlockAt + unsafe.Offsetof(layout.Block{}.Size)
	dynamicAt = layout.DynamicAt
	innerAt   = layout.InnerAt
	mustAt    = layout.MustAt

	framesAt     = unsafe.Offsetof(decoder{}.frames)
	frameMessage = unsafe.Offsetof(frame{}.message)
	frameEnd     = unsafe.Offsetof(frame{}.end)
	frameStep    = unsafe.Offsetof(frame{}.step)
	frameSeen    = unsafe.Offsetof(frame{}.seen)
	frameRun     = unsafe.Offsetof(frame{}.run)
	innerCount   = unsafe.Offsetof(decoder{}.inner)

	maxShortList = arena.MaxShortList
	maxList      = arena.MaxList
)

// Slabs are found by multiplying with 3 and 8, frames with 5 and 8.
var _ = [1]struct{}{}[arena.SlabSize-24+unsafe.Sizeof(frame{})-40]

// And steps by multiplying with 32.
var _ = [1]struct{}{}[unsafe.Sizeof(layout.ReadStep{})-32]

// unpreempted is how many bytes plain reads at most: collections wait for it.
const unpreempted = 64 << 10

// plain reads fields of the message at p from pos on, and returns where the first begins that it does not
// read, and the required fields among those that it has. If that is in a message in that message, d.inner says so.
// At most depth messages may be nested in that at p.
//
//go:noescape
func plain(d *decoder, steps *layout.ReadStep, p unsafe.Pointer, pos, end, depth int, alias bool) (next int, seen uint64)

func codes() *[50]uintptr

// Where codes has the code for a value in its place: in the order of these kinds, and then bytes.
var plainKinds = [...]int8{
	layout.Bool:     0,
	layout.Int32:    1,
	layout.Uint32:   1,
	layout.Varint64: 2,
	layout.Sint32:   3,
	layout.Sint64:   4,
	layout.Fixed32:  5,
	layout.Fixed64:  6,
	layout.String:   7,
	layout.Text:     8,
	layout.Bytes:    9,
}

// Where it has that for values with a bit, and to which there is a pointer, in the same order; for
// strings with both; and for lists.
const (
	codeBit        = 10
	codePointer    = 19
	codePointerBit = 28 - 7
	codeStrings    = 30
	codeTexts      = 31
	codeMessage    = 32
	codeNumbers    = 33
	codeMessages   = 40
	codeGroup      = 41
	codeGroups     = 42
	codePacked     = 43
)

func init() {
	all := codes()
	layout.Reader = func(f *layout.Field) uintptr {
		switch {
		case f.Code == layout.RepeatedString:
			return all[codeStrings]
		case f.Code == layout.RepeatedText:
			return all[codeTexts]
		case f.Code == layout.Code(layout.Message) && f.Way == layout.InPlace:
			return all[codeMessage]
		case f.Code == layout.Code(layout.Group) && f.Way == layout.InPlace:
			return all[codeGroup]
		case f.Code == layout.RepeatedMessage:
			return all[codeMessages]
		case f.Op.Shape() == layout.Repeated && f.Op.Kind() == layout.Group:
			return all[codeGroups]
		case f.Op.Shape() == layout.Repeated && f.Op.Kind() < layout.String:
			return all[codeNumbers+plainKinds[f.Op.Kind()]]
		case f.Op.Shape() == layout.Packed:
			return all[codePacked+plainKinds[f.Op.Kind()]]
		case int(f.Code) >= len(plainKinds):
			return 0
		}
		code := int(plainKinds[f.Code])
		number := f.Code < layout.Code(layout.String)
		switch {
		case f.Way == layout.InPlace || f.Way == layout.NilSlice:
			return all[code]
		case f.Code == layout.Code(layout.Bytes):
			return 0
		case f.Way == layout.ByBit:
			return all[codeBit+code]
		case f.Way == layout.ByPointer:
			return all[codePointer+code]
		case f.Way == layout.BitAndPointer && !number:
			return all[codePointerBit+code]
		}
		return 0
	}
}
