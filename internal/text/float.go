package text

import (
	"math"
	"math/bits"
	"slices"
	"strconv"
	"unsafe"

	"github.com/protean-pb/protean/internal/mem"
)

// maxFloat is for how many bytes AppendFloat makes room: a sign, and what putDecimal writes.
const maxFloat = 1 + 32

// AppendFloat appends a finite number: the shortest decimal that reads back as f, with
// an exponent only below 1e-6 and from 1e21 on.
func AppendFloat(dst []byte, f float64) []byte {
	n := len(dst)
	dst = slices.Grow(dst, maxFloat)
	if math.Signbit(f) {
		dst, n, f = append(dst, '-'), n+1, -f
	}
	switch {
	case f < 1<<53:
		// Sound: there is room for what PutUint and putDecimal write.
		p := unsafe.Add(unsafe.Pointer(unsafe.SliceData(dst)), n)
		if x := uint64(f); float64(x) == f {
			return dst[:n+PutUint(p, x)]
		}
		// Most numbers have few places. All decimals of up to 15 digits read as different
		// doubles, so that the one that reads as f has the fewest digits.
		if f < 1e11 {
			if x := uint64(f*1e4 + 0.5); float64(x)/1e4 == f {
				return dst[:n+putDecimal(p, fewPlaces(x, 4))]
			}
		}
		if f >= 1e-6 {
			b := math.Float64bits(f)
			return dst[:n+putDecimal(p, shortest(b&(1<<52-1)|1<<52, int(b>>52)-1023-52))]
		}
	case f < 1e21:
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	return shortExponent(strconv.AppendFloat(dst, f, 'e', -1, 64))
}

// AppendFloat32 is [AppendFloat] for a float32: the decimal is the shortest that reads back
// as f when it is rounded to a float32.
func AppendFloat32(dst []byte, f float32) []byte {
	n := len(dst)
	dst = slices.Grow(dst, maxFloat)
	if math.Float32bits(f)>>31 != 0 {
		dst, n, f = append(dst, '-'), n+1, -f
	}
	if f < 1<<24 {
		// Sound: as in AppendFloat.
		p := unsafe.Add(unsafe.Pointer(unsafe.SliceData(dst)), n)
		if x := uint32(f); float32(x) == f {
			return dst[:n+PutUint(p, uint64(x))]
		}
		// As in AppendFloat, with six digits.
		if f < 1000 {
			if x := uint32(float64(f)*1e3 + 0.5); float32(x)/1e3 == f {
				return dst[:n+putDecimal(p, fewPlaces(uint64(x), 3))]
			}
		}
		// Of 2^-12, which lies in the middle of two shortest decimals, strconv has written
		// one or the other, depending on the release of Go. So it decides.
		if f >= 1e-6 && f != 0x1p-12 {
			b := math.Float32bits(f)
			return dst[:n+putDecimal(p, shortest(uint64(b&(1<<23-1)|1<<23), int(b>>23)-127-23))]
		}
	}
	if f >= 1e-6 && f < 1e21 {
		return strconv.AppendFloat(dst, float64(f), 'f', -1, 32)
	}
	return shortExponent(strconv.AppendFloat(dst, float64(f), 'e', -1, 32))
}

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
		mem.Store64(p, zeros+('.'-'0')<<8)
		p = unsafe.Add(p, 2-point)
		mem.Store64(p, a)
		mem.Store64(unsafe.Add(p, 8), b)
		mem.Store64(unsafe.Add(p, 16), c)
		return n + 2 - point
	case point < 8:
		mem.Store64(p, a)
		mem.Store64(unsafe.Add(p, point+1), a>>(8*point))
		mem.Store64(unsafe.Add(p, 9), b)
	default:
		mem.Store64(p, a)
		mem.Store64(unsafe.Add(p, 8), b)
		mem.Store64(unsafe.Add(p, point+1), b>>(8*(point-8))) // none of b if it is 16
	}
	mem.Store64(unsafe.Add(p, 17), c)
	*(*byte)(unsafe.Add(p, point)) = '.'
	return n + 1
}

// fewPlaces takes up to three zeros from the end of x.
func fewPlaces(x uint64, places int) decimal {
	if q := x / 100; 100*q == x {
		x, places = q, places-2
	}
	if q := x / 10; 10*q == x {
		x, places = q, places-1
	}
	return decimal{x, places}
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
	// The middles, in quarters of the distance, have one factor of two and the shift is two
	// at least, so that they are not integers themselves.
	from, _ := product(4*m-2, power, shift)
	to, _ := product(4*m+2, power, shift)
	from++
	if ten := to / 10; 10*ten >= from {
		return trimZeros(ten, places-1)
	}
	if from == to {
		return decimal{from, places}
	}
	x, rest := product(4*m, power, shift)
	if half := uint64(1) << (shift - 1); rest > half || rest == half && x&1 == 1 {
		x++
	}
	return decimal{x, places}
}

// product returns x*y >> shift, and what is shifted out.
func product(x, y uint64, shift uint) (q, rest uint64) {
	hi, lo := bits.Mul64(x, y)
	return hi<<(64-shift) | lo>>shift, lo & (1<<shift - 1)
}

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
