//lint:file-ignore U1000 constants are for the assembly

//go:build go1.26 && !go1.27 && !race && !msan && !asan && !purego

package decode

import (
	"unsafe"

	"github.com/protean-pb/protean/internal/arena"
	"github.com/protean-pb/protean/internal/layout"
)

// assembled is whether there is plain. It stores pointers as the compiler's code does while garbage is not being
// marked, for which it looks at a variable of the runtime that others rely upon, too (see
// runtime/mgc.go); so it is for the release of Go that it was written for, as are maps in package mem.
const assembled = true

// What plain knows of a decoder and of a ReadStep.
const (
	baseAt         = unsafe.Offsetof(decoder{}.Base)
	usedAt         = unsafe.Offsetof(decoder{}.Used)
	capAt          = unsafe.Offsetof(decoder{}.Cap)
	arenaAt        = unsafe.Offsetof(decoder{}.Arena)
	stringsNextAt  = arenaAt + arena.StringsNext
	stringsLeftAt  = arenaAt + arena.StringsLeft
	stringsTakenAt = arenaAt + arena.StringsTaken

	stepTag    = unsafe.Offsetof(layout.ReadStep{}.Tag)
	stepMust   = unsafe.Offsetof(layout.ReadStep{}.Must)
	stepOffset = unsafe.Offsetof(layout.ReadStep{}.Offset)
	stepBits   = unsafe.Offsetof(layout.ReadStep{}.Bits)
	stepMask   = unsafe.Offsetof(layout.ReadStep{}.Mask)
	stepCode   = unsafe.Offsetof(layout.ReadStep{}.Code)
)

// unpreempted is how many bytes plain reads at most: collections wait for it.
const unpreempted = 64 << 10

// plain reads fields of the message at p from pos on, and returns where the first begins that it does not
// read, and the required fields among those that it has. While garbage is marked it reads none, and
// says so.
//
//go:noescape
func plain(d *decoder, steps *layout.ReadStep, p unsafe.Pointer, pos, end int, alias bool) (next int, seen uint64, marking bool)

func codes() *[32]uintptr

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
)

func init() {
	all := codes()
	layout.Reader = func(f *layout.Field) uintptr {
		switch {
		case f.Code == layout.RepeatedString:
			return all[codeStrings]
		case f.Code == layout.RepeatedText:
			return all[codeTexts]
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
