package encode

import (
	"unsafe"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/wire"
	"github.com/protean-pb/protean/internal/xunsafe"
)

// encodeFast writes numbers, short texts and bytes, and lists of those: the field of s first and then
// those before it. It passes over what is not there, and stops at what is something else or not
// as it mostly is: too long, not ASCII, required and missing, or without slack bytes before it.
// It returns where it stopped, at the instruction before the first field if all is written, where what
// is written begins, and how many elements of a list are left if some have been written. There
// is no call in it, so that all it needs is in registers.
func encodeFast(s *layout.Instr, p, base unsafe.Pointer, at int) (stop *layout.Instr, next, rest int) {
	for ; at >= slack; s = s.Prev() {
		// Sound: the instructions say what is at which offset of the message at p, the first of them that
		// there is nothing more; and slack bytes are free.
		q := unsafe.Add(p, s.Offset)
		code := s.Op
		left := 0    // of a list, behind this element
		var x uint64 // a number or length that is to be written before what is there, with the tag
	element:
		switch layout.Kind(code) {
		case layout.String, layout.Text, layout.Bytes:
			text := *(*xunsafe.StringHeader)(q)
			n := text.Len
			x = uint64(n)
			if uint(n-1) >= xunsafe.MaxShort {
				if n == 0 { // and no pointer may point behind the buffer
					break
				}
				return s, at, left + 1
			}
			to, from := unsafe.Add(base, at-n), text.Data
			var all uint64
			switch { // as xunsafe.CopyShort does, which would be a call
			case xunsafe.IsTwoWords(n):
				a, b := xunsafe.Load64(from), xunsafe.Load64(unsafe.Add(from, n-8))
				xunsafe.Store64(to, a)
				xunsafe.Store64(unsafe.Add(to, n-8), b)
				all = a | b
			case n > 32:
				all = xunsafe.Copy16(to, from) | xunsafe.Copy16(unsafe.Add(to, 16), unsafe.Add(from, 16)) |
					xunsafe.Copy16(unsafe.Add(to, n-32), unsafe.Add(from, n-32)) |
					xunsafe.Copy16(unsafe.Add(to, n-16), unsafe.Add(from, n-16))
			case n > 16:
				all = xunsafe.Copy16(to, from) | xunsafe.Copy16(unsafe.Add(to, n-16), unsafe.Add(from, n-16))
			case n >= 4:
				a, b := xunsafe.Load32(from), xunsafe.Load32(unsafe.Add(from, n-4))
				xunsafe.Store32(to, a)
				xunsafe.Store32(unsafe.Add(to, n-4), b)
				all = uint64(a | b)
			default:
				a, b, c := *(*byte)(from), *(*byte)(unsafe.Add(from, n>>1)), *(*byte)(unsafe.Add(from, n-1))
				*(*byte)(to), *(*byte)(unsafe.Add(to, n>>1)), *(*byte)(unsafe.Add(to, n-1)) = a, b, c
				all = uint64(a | b | c)
			}
			if all&xunsafe.Highs != 0 && layout.Kind(code) == layout.String {
				return s, at, left + 1
			}
			at -= n
		case layout.Int32:
			x = uint64(int64(*(*int32)(q)))
		case layout.Uint32:
			x = uint64(*(*uint32)(q))
		case layout.Varint64:
			x = *(*uint64)(q)
		case layout.Sint32:
			x = protowire.EncodeZigZag(int64(*(*int32)(q)))
		case layout.Sint64:
			x = protowire.EncodeZigZag(*(*int64)(q))
		case layout.Bool:
			x = uint64(*(*byte)(q))
		case layout.Fixed32:
			if x := *(*uint32)(q); x != 0 || s.Op > layout.KindMask {
				xunsafe.Store64(unsafe.Add(base, at-11), s.Tag)
				xunsafe.Store32(unsafe.Add(base, at-4), x)
				at -= int(s.Size) + 3
			}
			goto next
		case layout.Fixed64:
			if x := *(*uint64)(q); x != 0 || s.Op > layout.KindMask {
				xunsafe.Store64(unsafe.Add(base, at-15), s.Tag)
				xunsafe.Store64(unsafe.Add(base, at-8), x)
				at -= int(s.Size) + 7
			}
			goto next
		case layout.Kind(layout.IfWord):
			if *(*uintptr)(q) != 0 {
				return s, at, 0
			}
			continue
		case layout.Kind(layout.IfHalf):
			if *(*uint32)(q) != 0 {
				return s, at, 0
			}
			continue
		default:
			switch {
			case code&layout.ByPointerFlag != 0:
				to := *(*unsafe.Pointer)(q)
				if to == nil {
					if code&layout.RequiredFlag != 0 {
						return s, at, 0
					}
					continue
				}
				if code&layout.ByBitFlag == 0 {
					q = to
				}
			case code&layout.ByBitFlag != 0:
				if *(*uint32)(unsafe.Add(p, s.Bits))>>(s.Bit&31)&1 == 0 {
					if code&layout.RequiredFlag != 0 {
						return s, at, 0
					}
					continue
				}
			case code&layout.ListFlag != 0:
				list := *(*[]byte)(q) // of whatever type
				if left = len(list) - 1; left < 0 {
					continue
				}
				q = unsafe.Add(unsafe.Pointer(unsafe.SliceData(list)), left*int(s.Bits))
			default:
				return s, at, 0
			}
			code &= layout.KindMask
			goto element
		}
		// The number or length and the tag before it, in one word that reaches into what is free.
		if x < 0x80 {
			if x == 0 && s.Op <= layout.KindMask {
				continue
			}
			xunsafe.Store64(unsafe.Add(base, at-8), s.Tag|x<<56)
			at -= int(s.Size)
		} else if x < 1<<14 {
			xunsafe.Store64(unsafe.Add(base, at-8), s.Tag>>8|(x&0x7f|0x80)<<48|x>>7<<56)
			at -= int(s.Size) + 1
		} else {
			// The lower 56 bits become pairs of 28, those of 14 and those of 7, with a bit between.
			y := x&0x000000000fffffff | x&0x00fffffff0000000<<4
			y = y&0x00003fff00003fff | y&0x0fffc0000fffc000<<2
			y = y&0x007f007f007f007f | y&0x3f803f803f803f80<<1
			n := 8
			if x < 1<<56 {
				n = wire.SizeVarint(x)
				y |= xunsafe.Highs >> (8 * (9 - n) & 63) // all bytes but the last go on
				y <<= (64 - 8*n) & 63
			} else {
				y |= xunsafe.Highs
				if x >>= 56; x < 0x80 {
					at--
					*(*byte)(unsafe.Add(base, at)) = byte(x)
				} else {
					at -= 2
					xunsafe.Store16(unsafe.Add(base, at), uint16(x)|0x180)
				}
			}
			xunsafe.Store64(unsafe.Add(base, at-8), y)
			xunsafe.Store64(unsafe.Add(base, at-n-8), s.Tag<<8)
			at -= int(s.Size) + n - 1
		}
	next:
		if left != 0 {
			if at < slack {
				return s, at, left
			}
			left--
			q = unsafe.Add(q, -int(s.Bits))
			goto element
		}
	}
	return s, at, 0
}
