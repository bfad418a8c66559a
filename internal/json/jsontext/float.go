package jsontext

import (
	"math"
	"math/bits"
	"slices"
	"strconv"
	"unsafe"

	"github.com/protean-pb/protean/internal/xunsafe"
)

// MaxFloat is how many bytes a float may need while it is written: a sign, and maxDecimal.
const MaxFloat = 1 + maxDecimal

// maxDecimal is how many bytes a positive float may need while it is written.
const maxDecimal = 32

// AppendFloat appends the shortest decimal that reads back as f, with an exponent only below
// 1e-6 and from 1e21 on; for what is not finite, ProtoJSON's "NaN", "Infinity" or "-Infinity",
// in quotes.
func AppendFloat(dst []byte, f float64) []byte {
	n := len(dst)
	dst = slices.Grow(dst, MaxFloat)
	// Sound: there is room for what PutFloat writes.
	return dst[:n+PutFloat(unsafe.Add(unsafe.Pointer(unsafe.SliceData(dst)), n), f)]
}

// AppendFloat32 appends a float32, formatted as by [AppendFloat]: the decimal is the shortest that reads back
// as f when it is rounded to a float32.
func AppendFloat32(dst []byte, f float32) []byte {
	n := len(dst)
	dst = slices.Grow(dst, MaxFloat)
	// Sound: there is room for what PutFloat32 writes.
	return dst[:n+PutFloat32(unsafe.Add(unsafe.Pointer(unsafe.SliceData(dst)), n), f)]
}

// PutFloat writes what [AppendFloat] appends to p, and returns how many bytes that are. The
// [MaxFloat] bytes from p on must be the caller's to write.
func PutFloat(p unsafe.Pointer, f float64) int {
	sign := int(math.Float64bits(f) >> 63)
	// As in putSigned.
	*(*byte)(p) = '-' // Sound: the caller vouches for p.
	p, f = unsafe.Add(p, sign), math.Abs(f)
	if f < 1<<53 {
		if x := int64(f); float64(x) == f {
			return sign + PutUint(p, uint64(x))
		}
	}
	switch {
	case f >= 1e-6 && f < 1<<53:
		b := math.Float64bits(f)
		return sign + putDecimal(p, shortest(b&(1<<52-1)|1<<52, int(b>>52)-1023-52))
	case f >= 1e-6 && f < 1e21:
		return sign + len(strconv.AppendFloat(decimalAt(p), f, 'f', -1, 64))
	case f-f != 0:
		return putSpecial(unsafe.Add(p, -sign), f, sign)
	}
	return sign + len(shortExponent(strconv.AppendFloat(decimalAt(p), f, 'e', -1, 64)))
}

// PutFloat32 writes what [AppendFloat32] appends to p, under the conditions of [PutFloat].
func PutFloat32(p unsafe.Pointer, f float32) int {
	sign := int(math.Float32bits(f) >> 31)
	*(*byte)(p) = '-' // Sound: the caller vouches for p.
	p, f = unsafe.Add(p, sign), math.Float32frombits(math.Float32bits(f)&^(1<<31))
	if f < 1<<24 {
		if x := int64(f); float32(x) == f {
			return sign + PutUint(p, uint64(x))
		}
	}
	switch {
	// Of 2^-12, which lies in the middle of two shortest decimals, strconv has written
	// one or the other, depending on the release of Go. So it decides.
	case f >= 1e-6 && f < 1<<24 && f != 0x1p-12:
		b := math.Float32bits(f)
		return sign + putDecimal(p, shortest(uint64(b&(1<<23-1)|1<<23), int(b>>23)-127-23))
	case f >= 1e-6 && f < 1e21:
		return sign + len(strconv.AppendFloat(decimalAt(p), float64(f), 'f', -1, 32))
	case f-f != 0:
		return putSpecial(unsafe.Add(p, -sign), float64(f), sign)
	}
	return sign + len(shortExponent(strconv.AppendFloat(decimalAt(p), float64(f), 'e', -1, 32)))
}

// putSpecial writes an f that is not finite, without its sign.
func putSpecial(p unsafe.Pointer, f float64, sign int) int {
	name := `"Infinity"`
	switch {
	case math.IsNaN(f):
		name = `"NaN"`
	case sign != 0:
		name = `"-Infinity"`
	}
	return copy(unsafe.Slice((*byte)(p), maxDecimal), name) // Sound: as decimalAt.
}

// decimalAt returns the bytes from p on as a slice to which a decimal fits that strconv
// writes: integers below 1e21, and 17 digits with a point and an exponent.
func decimalAt(p unsafe.Pointer) []byte { return unsafe.Slice((*byte)(p), maxDecimal)[:0] }

// shortExponent takes away the zero before an exponent of one digit.
func shortExponent(dst []byte) []byte {
	if n := len(dst); dst[n-4] == 'e' && dst[n-3] == '-' && dst[n-2] == '0' {
		dst[n-2] = dst[n-1]
		return dst[:n-1]
	}
	return dst
}

// A decimal is the number x / 10**places.
type decimal struct {
	x      uint64
	places int
}

// putDecimal writes a number with a fraction, of up to 17 digits and not below 1e-6, and
// returns its length. The 32 bytes from p on must be the caller's to write.
func putDecimal(p unsafe.Pointer, d decimal) int {
	// Sound: the last write ends at the 32nd byte at most.
	a, b, c, n := digitWords(d.x)
	point := n - d.places
	switch {
	case point <= 0:
		xunsafe.Store64(p, zeros+('.'-'0')<<8)
		p = unsafe.Add(p, 2-point)
		xunsafe.Store64(p, a)
		xunsafe.Store64(unsafe.Add(p, 8), b)
		xunsafe.Store64(unsafe.Add(p, 16), c)
		return n + 2 - point
	case point < 8:
		xunsafe.Store64(p, a)
		xunsafe.Store64(unsafe.Add(p, point+1), a>>(8*point))
		xunsafe.Store64(unsafe.Add(p, 9), b)
	default:
		xunsafe.Store64(p, a)
		xunsafe.Store64(unsafe.Add(p, 8), b)
		xunsafe.Store64(unsafe.Add(p, point+1), b>>(8*(point-8))) // none of b if it is 16
	}
	xunsafe.Store64(unsafe.Add(p, 17), c)
	*(*byte)(unsafe.Add(p, point)) = '.'
	return n + 1
}

// shortest returns the decimal with the fewest digits that reads back as m * 2**exp, which
// has a fraction and is not below 1e-6; of several, the one nearest to it. All products are
// exact: they have at most 55+52 bits.
//
// Decimals that read back lie between the middles to the neighbouring numbers. With
// enough places that the distance of two numbers is from 1 to 10 in units of the last
// one, there is an integer between the middles, and at most one multiple of ten.
//
// The neighbour below a power of two is twice as near as this takes it to be. That makes no
// difference for the few that there are in this range, from 2^-19 to 2^-1.
func shortest(m uint64, exp int) decimal {
	places := -exp*78913>>18 + 1
	power, shift := pow5[places], uint(2-exp-places)
	high, low := bits.Mul64(4*m, power)
	// The middles, in quarters of the distance, have one factor of two and the shift is two
	// at least, so that they are not integers themselves.
	l, borrow := bits.Sub64(low, 2*power, 0)
	from := shifted(high-borrow, l, shift) + 1
	l, carry := bits.Add64(low, 2*power, 0)
	to := shifted(high+carry, l, shift)
	if ten := to / 10; 10*ten >= from {
		return trimZeros(ten, places-1)
	}
	if from == to {
		return decimal{from, places}
	}
	x, rest := shifted(high, low, shift), low<<(-shift&63)
	if half := uint64(1) << 63; rest > half || rest == half && x&1 == 1 {
		x++
	}
	return decimal{x, places}
}

// shifted returns the two words >> shift, which must be from 1 to 63.
func shifted(high, low uint64, shift uint) uint64 { return high<<(-shift&63) | low>>(shift&63) }

// trimZeros takes zeros from the end of x; mostly there are none.
func trimZeros(x uint64, places int) decimal {
	if x%10 != 0 {
		return decimal{x, places}
	}
	for _, step := range [...]struct {
		power uint64
		zeros int
	}{{1e8, 8}, {1e4, 4}, {1e2, 2}, {1e1, 1}} {
		if q := x / step.power; q*step.power == x {
			x, places = q, places-step.zeros
		}
	}
	return decimal{x, places}
}
