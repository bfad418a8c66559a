package decode

import (
	"encoding/binary"
	"math/bits"
	"unsafe"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/protean-pb/protean/internal/arena"
	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/utf"
	"github.com/protean-pb/protean/internal/wire"
	"github.com/protean-pb/protean/internal/xunsafe"
)

// repeatedTag returns where the value of the field at pos starts, if its tag is that one, of that
// size; else -1.
func repeatedTag(tag uint32, size int, b []byte, pos int) int {
	if pos+size > len(b) {
		return -1
	}
	switch {
	case size == 1 && uint32(b[pos]) == tag:
		return pos + 1
	case size == 2 && uint32(b[pos]) == tag&0x7f|0x80 && uint32(b[pos+1]) == tag>>7:
		return pos + 2
	case size <= 2:
		return -1
	}
	if x, n := protowire.ConsumeVarint(b[pos : pos+size]); n != size || x != uint64(tag) {
		return -1
	}
	return pos + size
}

// countRun returns how many fields f follow one another, the first of which has its length
// at pos. What is wrong with them is found later.
func (d *decoder) countRun(f *layout.Field, b []byte, pos int) int {
	for n := 1; ; n++ {
		if pos < len(b) && b[pos] < 0x80 {
			pos += 1 + int(b[pos])
		} else if pos+1 < len(b) && b[pos+1] < 0x80 {
			pos += 2 + int(b[pos]&0x7f) + int(b[pos+1])<<7
		} else if length, next := d.longVarint(b, pos); next >= 0 && length <= uint64(len(b)-next) {
			pos = next + int(length)
		} else {
			return n
		}
		if pos >= len(b) || b[pos] != byte(f.TagBytes) {
			return n
		}
		if f.TagSize == 1 {
			pos++
		} else if pos = repeatedTag(f.Tag, int(f.TagSize), b, pos); pos < 0 {
			return n
		}
	}
}

// roomForNumbers returns the list of f with room for n more numbers. A short one may share an allocation.
func roomForNumbers[T byte | uint32 | uint64](d *decoder, f *layout.Field, list []T, n int) []T {
	if list == nil && n > 0 {
		size := int(unsafe.Sizeof(T(0)))
		p := d.AllocNumbers(n*size, size)
		if p == nil {
			p = xunsafe.AllocUncleared(n * size)
		}
		// Sound: so many bytes were reserved at a multiple of the size.
		return unsafe.Slice((*T)(p), n)[:0]
	}
	return arena.Room(&d.Arena, f, list, n)
}

// decodeMessages reads a run of a list's messages, the first of which has its length at pos.
func (d *decoder) decodeMessages(
	l *layout.Layout, f *layout.Field, list *[]unsafe.Pointer, b []byte, pos, depth int,
) int {
	sub := f.Sub
	sub.Ready()
	elements := *list
	n := d.countRun(f, b, pos)
	if elements == nil {
		elements = d.AllocPointers(sub, n)
	} else {
		elements = arena.Room(&d.Arena, f, elements, n)
	}
	outer := d.Run
	var next unsafe.Pointer // if there is no place for so many
	batch := 0
	for ; n > 0; n-- {
		var m unsafe.Pointer
		if batch == 0 && d.Reserve(&sub.Block, n) {
			m = d.AllocMessage(sub)
		} else {
			if batch == 0 {
				batch = sub.Batch(n)
				next = sub.NewArray(batch)
			}
			m = sub.Begin(next)
			if batch--; batch > 0 {
				// Sound: there is one more in the array.
				next = unsafe.Add(m, sub.Size)
			}
		}
		elements = append(elements, m)
		d.Run = n
		start, end := d.lengthPrefix(b, pos)
		if end < 0 || d.decodeFields(sub, m, start, end, depth, 0) < 0 {
			*list = elements
			return d.inField(l, f, protoerr.Index(len(elements)-1))
		}
		pos = end
		if n > 1 {
			pos += int(f.TagSize)
		}
	}
	*list = elements
	d.Run = outer
	return pos
}

// decodeStrings reads a run of a list's strings, the first of which has its length at pos.
func (d *decoder) decodeStrings(l *layout.Layout, f *layout.Field, list *[]string, b []byte, pos int) int {
	elements := *list
	if len(elements) == cap(elements) {
		n := d.countRun(f, b, pos)
		if elements == nil {
			elements = d.AllocStrings(n)
		}
		elements = arena.Room(&d.Arena, f, elements, n)
	}
	checked := f.Op.Kind() == layout.String
	for {
		start, end := pos+1, len(b)+1
		if pos < len(b) && b[pos] < 0x80 {
			end = start + int(b[pos]) // loaded once: what is checked is what is used, even if the input changes
		}
		if end > len(b) {
			start, end = d.lengthPrefix(b, pos)
		}
		var s string
		if end >= 0 {
			s, end = d.decodeString(checked, start, end)
		}
		if end < 0 {
			*list = elements
			return d.inField(l, f, protoerr.Index(len(elements)))
		}
		elements = append(elements, s)
		if pos = end; pos == len(b) || b[pos] != byte(f.TagBytes) {
			break
		}
		if f.TagSize == 1 {
			pos++
		} else if pos = repeatedTag(f.Tag, int(f.TagSize), b, pos); pos < 0 {
			pos = end
			break
		}
	}
	*list = elements
	return pos
}

// decodeString returns the text from start to end of the input, and where it ends.
func (d *decoder) decodeString(checked bool, start, end int) (string, int) {
	n := end - start
	if d.Alias || n == 0 || n > xunsafe.MaxShort {
		if checked && !utf.Valid(d.in[start:end]) {
			return "", d.fail(protoerr.ErrUTF8, start)
		}
		return d.text(start, end), end
	}
	// Sound: there are n bytes in the input, and as many reserved; one at least.
	to := d.reserve(start, n)
	if !xunsafe.CopyShort(to, unsafe.Add(unsafe.Pointer(unsafe.SliceData(d.in)), start), n) && checked &&
		!utf.Valid(d.in[start:end]) {
		return "", d.fail(protoerr.ErrUTF8, start)
	}
	return unsafe.String((*byte)(to), n), end
}

// decodeList reads one element, or a run of messages or strings.
func (d *decoder) decodeList(l *layout.Layout, f *layout.Field, q unsafe.Pointer, b []byte, pos, depth int) int {
	switch k := f.Op.Kind(); k {
	case layout.Message:
		return d.decodeMessages(l, f, (*[]unsafe.Pointer)(q), b, pos, depth)
	case layout.String, layout.Text:
		return d.decodeStrings(l, f, (*[]string)(q), b, pos)
	case layout.Bytes:
		list := (*[][]byte)(q)
		start, end := d.lengthPrefix(b, pos)
		if end < 0 {
			return d.inField(l, f, protoerr.Index(len(*list)))
		}
		if len(*list) == cap(*list) {
			*list = arena.Room(&d.Arena, f, *list, d.countRun(f, b, pos))
		}
		*list = append(*list, d.bytes(start, end))
		return end
	case layout.Group:
		list := (*[]unsafe.Pointer)(q)
		m := d.AllocMessage(f.Sub)
		if *list == nil {
			*list = arena.Room(&d.Arena, f, *list, minGroups)
		}
		*list = append(*list, m)
		if pos = d.decodeGroup(f.Sub, m, f.Number(), b, pos, depth); pos < 0 {
			return d.inField(l, f, protoerr.Index(len(*list)-1))
		}
		return pos
	default:
		return d.decodeNumbers(l, f, q, b, pos)
	}
}

// minGroups is for how many groups a list has room at first: they are not counted, since
// to find the end of one is to read it.
const minGroups = 4

// decodeOtherPacking reads numbers in the form in which the field is not written.
func (d *decoder) decodeOtherPacking(l *layout.Layout, f *layout.Field, q unsafe.Pointer, b []byte, pos int) int {
	if f.Op.Storage() == layout.Packed {
		return d.decodeNumbers(l, f, q, b, pos)
	}
	return d.decodePacked(l, f, q, b, pos)
}

// decodeNumbers reads a run of numbers that are not packed.
func (d *decoder) decodeNumbers(l *layout.Layout, f *layout.Field, q unsafe.Pointer, b []byte, pos int) int {
	switch k := f.Op.Kind(); k.Size() {
	case 1:
		pos = decodeUnpacked(d, (*[]byte)(q), f, b, pos)
	case 4:
		pos = decodeUnpacked(d, (*[]uint32)(q), f, b, pos)
	default:
		pos = decodeUnpacked(d, (*[]uint64)(q), f, b, pos)
	}
	if pos < 0 {
		return d.inField(l, f, protoerr.Index(length(q)))
	}
	return pos
}

func decodeUnpacked[T byte | uint32 | uint64](d *decoder, list *[]T, f *layout.Field, b []byte, pos int) int {
	tag := f.Tag
	if f.Op.Storage() == layout.Packed {
		tag = f.AltTag
	}
	k := f.Op.Kind()
	size := protowire.SizeVarint(uint64(tag))
	numbers := *list
	if len(numbers) == cap(numbers) {
		numbers = roomForNumbers(d, f, numbers, countUnpacked(tag, size, b, pos))
	}
	for {
		x, end := d.decodeNumber(k, b, pos)
		if end < 0 {
			*list = numbers
			return failed
		}
		numbers = append(numbers, T(x))
		if pos = repeatedTag(tag, size, b, end); pos < 0 {
			*list = numbers
			return end
		}
	}
}

// countUnpacked returns how many numbers with the tag, of that size, follow one another, the first of
// which begins at pos. What is wrong with them is found later.
func countUnpacked(tag uint32, size int, b []byte, pos int) int {
	for n := 1; ; n++ {
		switch tag & 7 {
		case 0:
			for pos < len(b) && b[pos] >= 0x80 {
				pos++
			}
			pos++
		case 1:
			pos += 8
		default:
			pos += 4
		}
		if pos = repeatedTag(tag, size, b, pos); pos < 0 {
			return n
		}
	}
}

// length returns that of the slice at q, whatever its type.
func length(q unsafe.Pointer) int {
	// Sound: all slices are laid out alike, and the elements are not touched.
	return len(*(*[]struct{})(q))
}

// decodePacked reads packed numbers.
func (d *decoder) decodePacked(l *layout.Layout, f *layout.Field, q unsafe.Pointer, b []byte, pos int) int {
	start, end := d.lengthPrefix(b, pos)
	if end < 0 {
		return d.inField(l, f, "")
	}
	b = b[:end]
	switch f.Op.Kind() {
	case layout.Fixed32:
		pos = decodePackedFixed(d, f, (*[]uint32)(q), b, start)
	case layout.Fixed64:
		pos = decodePackedFixed(d, f, (*[]uint64)(q), b, start)
	case layout.Bool:
		pos = decodePackedVarints(d, f, (*[]byte)(q), b, start)
	case layout.Varint64, layout.Sint64:
		pos = decodePackedVarints(d, f, (*[]uint64)(q), b, start)
	default:
		pos = decodePackedVarints(d, f, (*[]uint32)(q), b, start)
	}
	if pos < 0 {
		return d.inField(l, f, protoerr.Index(length(q)))
	}
	return pos
}

// decodePackedFixed adds packed numbers of fixed size to the list.
func decodePackedFixed[T uint32 | uint64](d *decoder, f *layout.Field, list *[]T, b []byte, pos int) int {
	size := int(unsafe.Sizeof(T(0)))
	n := (len(b) - pos) / size
	if (len(b)-pos)%size != 0 {
		return d.fail(protoerr.ErrTruncated, len(b))
	}
	if n == 0 {
		return pos
	}
	old := len(*list)
	*list = roomForNumbers(d, f, *list, n)[:old+n]
	// Sound: these are the n new elements, and numbers may have any bytes.
	wire.CopyFixed(unsafe.Slice((*byte)(unsafe.Pointer(&(*list)[old])), n*size), b[pos:], size)
	return len(b)
}

// decodePackedVarints adds packed varints to the list.
func decodePackedVarints[T byte | uint32 | uint64](d *decoder, f *layout.Field, list *[]T, b []byte, start int) int {
	n := countVarints(b[start:])
	if n == 0 {
		if start == len(b) {
			return start
		}
		return d.wireError(b, start)
	}
	old := len(*list)
	all := roomForNumbers(d, f, *list, n)[:old+n]
	*list = all
	numbers := all[old:]
	i, pos := 0, start
	for i < len(numbers) {
		more, next := unpackVarints(numbers[i:], b[pos:])
		i += more
		if pos += next; i == len(numbers) {
			break
		}
		var x uint64
		if x, pos = d.longVarint(b, pos); pos < 0 {
			break
		}
		numbers[i] = elementOf[T](x)
		i++
	}
	if pos >= 0 && pos < len(b) { // after the last that ends
		pos = d.wireError(b, pos)
	}
	*list = all[:old+i]
	if k := f.Op.Kind(); k == layout.Sint32 || k == layout.Sint64 {
		for j, x := range numbers[:i] {
			numbers[j] = x>>1 ^ -(x & 1)
		}
	}
	return pos
}

// unpackVarints reads varints from b as long as they are of one or two bytes, or there are 8, or 10 for the longest,
// and nothing is wrong. It returns how many it has read and where they end. There must be room for all that end in b.
//
//go:noinline
func unpackVarints[T byte | uint32 | uint64](numbers []T, b []byte) (n, pos int) {
	in := unsafe.Pointer(unsafe.SliceData(b)) // Sound: read only where it has as many bytes.
	for pos <= len(b)-8 {
		x := xunsafe.Load64(unsafe.Add(in, pos))
		last := ^x & xunsafe.Highs
		if x&0x80 == 0 {
			if last == xunsafe.Highs {
				eight := (*[8]T)(numbers[n:])
				eight[0] = elementOf[T](x & 0x7f)
				eight[1] = elementOf[T](x >> 8 & 0x7f)
				eight[2] = elementOf[T](x >> 16 & 0x7f)
				eight[3] = elementOf[T](x >> 24 & 0x7f)
				eight[4] = elementOf[T](x >> 32 & 0x7f)
				eight[5] = elementOf[T](x >> 40 & 0x7f)
				eight[6] = elementOf[T](x >> 48 & 0x7f)
				eight[7] = elementOf[T](x >> 56)
				n += 8
				pos += 8
				continue
			}
			x &= 0x7f
			pos++
		} else if x&0x8000 == 0 {
			x = x&0x7f | x>>1&0x3f80
			pos += 2
		} else if last == 0 {
			if pos > len(b)-10 {
				return n, pos
			}
			var size int
			if x, size = varintOf9Or10(x, b[pos+8], b[pos+9]); size == 0 {
				return n, pos
			}
			pos += size
		} else {
			through := last ^ (last - 1) // the bytes up to the first that has its high bit clear
			x = join7Bits(x & through)
			pos += bits.OnesCount64(through) / 8
		}
		numbers[n] = elementOf[T](x)
		n++
	}
	for pos < len(b) {
		x := uint64(b[pos])
		pos++
		if x >= 0x80 {
			if pos == len(b) || b[pos] >= 0x80 {
				return n, pos - 1
			}
			x = x&0x7f | uint64(b[pos])<<7
			pos++
		}
		numbers[n] = elementOf[T](x)
		n++
	}
	return n, pos
}

// elementOf returns the element of a list that has that varint: a bool if it is a byte.
func elementOf[T byte | uint32 | uint64](x uint64) T {
	if unsafe.Sizeof(T(0)) > 1 {
		return T(x)
	}
	if x != 0 {
		return 1
	}
	return 0
}

// countVarints returns how many varints end in b: the last byte of each has its high bit clear.
//
//go:noinline
func countVarints(b []byte) int {
	n := 0
	for ; len(b) >= 8; b = b[8:] {
		n += bits.OnesCount64(^binary.LittleEndian.Uint64(b) & xunsafe.Highs)
	}
	for _, c := range b {
		n += int(^c >> 7)
	}
	return n
}
