package jsondecode

import (
	"unsafe"

	"github.com/protean-pb/protean/internal/arena"
	"github.com/protean-pb/protean/internal/json/jsontext"
	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/protoerr"
)

// stacks is scratch memory: the elements of the lists, and the entries of the maps, that
// are being read. How many they are is known at their ends, and then they get memory of
// their own. All are empty between calls.
type stacks struct {
	bools    []byte
	halves   []uint32
	words    []uint64
	texts    []string
	blobs    [][]byte
	pointers []unsafe.Pointer

	cells    []cells
	strings  []member[string]
	messages []member[unsafe.Pointer]

	scratch []byte // of a string with escapes
	open    []byte // the brackets that are open in a value that is skipped
}

// maxKept is how long a text may be after which stacks go back to the pool: the stacks are not
// longer than that.
const maxKept = 64 << 10

// grown adds one element to a stack, all zero.
func grown[T any](stack []T) []T {
	var zero T
	return append(stack, zero)
}

// popElements moves the elements from there on off the stack, to the slice at q.
func popElements[T any](d *decoder, f *layout.JSONField, stack *[]T, from int, q unsafe.Pointer) {
	elements := (*stack)[from:]
	if len(elements) > 0 {
		// Sound: the elements at q are like a T.
		*(*[]T)(q) = append(arena.Room[T](&d.Arena, f.Field, nil, len(elements)), elements...)
	}
	*stack = popped(*stack, from)
}

// decodeList reads an array into the list at q, which is empty.
func (d *decoder) decodeList(f *layout.JSONField, q unsafe.Pointer, pos, depth int) int {
	if d.byte(pos) != '[' {
		d.notOf(pos, "an array")
		return d.inField(f, "")
	}
	switch k := f.Op.Kind(); {
	case f.ValueKind == layout.JSONMessage:
		return decodeElements(d, &d.pointers, f, q, pos, depth)
	case k == layout.String || k == layout.Text:
		return decodeElements(d, &d.texts, f, q, pos, depth)
	case k == layout.Bytes:
		return decodeElements(d, &d.blobs, f, q, pos, depth)
	case k.Size() == 1:
		return decodeElements(d, &d.bools, f, q, pos, depth)
	case k.Size() == 4:
		return decodeElements(d, &d.halves, f, q, pos, depth)
	}
	return decodeElements(d, &d.words, f, q, pos, depth)
}

// decodeElements reads the elements of an array whose bracket is at pos. The stack's are like those
// of the list at q.
func decodeElements[T any](d *decoder, stack *[]T, f *layout.JSONField, q unsafe.Pointer, pos, depth int) int {
	from := len(*stack)
	n := 0
	for pos = jsontext.SkipSpace(d.in, pos+1); d.byte(pos) != ']' || n > 0; n++ {
		*stack = grown(*stack)
		// Sound: a T is what the list has for such values. A message is set before the stack
		// can move.
		known := false
		if pos, known = d.decodeElement(f, unsafe.Pointer(&(*stack)[len(*stack)-1]), pos, depth); !known {
			*stack = (*stack)[:len(*stack)-1]
		}
		if pos < 0 {
			return d.inField(f, protoerr.Index(n))
		}
		if pos = jsontext.SkipSpace(d.in, pos); d.byte(pos) == ']' {
			break
		}
		if d.byte(pos) != ',' {
			d.unexpected(pos, "',' or ']'")
			return d.inField(f, "")
		}
		pos = jsontext.SkipSpace(d.in, pos+1)
	}
	popElements(d, f, stack, from, q)
	return pos + 1
}

// decodeElement reads an element of a list or the value of an entry to q. It may be one that is
// not to be set.
func (d *decoder) decodeElement(f *layout.JSONField, q unsafe.Pointer, pos, depth int) (next int, known bool) {
	switch f.ValueKind {
	case layout.JSONMessage:
		m := d.AllocMessage(f.Sub)
		*(*unsafe.Pointer)(q) = m
		return d.decodeMessage(f.Sub, m, pos, depth), true
	case layout.JSONEnum, layout.JSONNull:
		x, next, known := d.enum(f, pos)
		if known {
			*(*int32)(q) = x
		}
		return next, known
	}
	return d.decodeScalar(f, q, pos), true
}
