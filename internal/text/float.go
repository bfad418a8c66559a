package text

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"strconv"
)

// maxFloat is for how many bytes AppendFloat makes room: a number with a fraction has up to
// 17 digits before its last 24 bytes are written, of which not all count.
const maxFloat = 48

// AppendFloat appends a finite number: the shortest decimal that reads back as f, with
// an exponent only below 1e-6 and from 1e21 on.
func AppendFloat(dst []byte, f float64) []byte {
	dst = slices.Grow(dst, 1+maxFloat) // and the sign
	if math.Signbit(f) {
		dst, f = append(dst, '-'), -f
	}
	switch {
	case f < 1<<53:
		if x := uint64(f); float64(x) == f {
			return appendUint(dst, x)
		}
		if f >= 1e-6 {
			return appendDecimal(dst, f)
		}
	case f < 1e21:
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	// An exponent of one digit has no zero before it.
	if n := len(dst); dst[n-4] == 'e' && dst[n-3] == '-' && dst[n-2] == '0' {
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}

// A digits has room for a number of up to 24 digits, and to read 24 bytes from each of them.
type digits [48]byte

// put writes a positive x so that it ends at the 24th byte, and returns where it starts.
// Groups of eight digits are converted at once, each in one word.
func (d *digits) put(x uint64) int {
	if x < 1e8 {
		return d.put8(16, x)
	}
	high := x / 1e8
	d.put8(16, x-high*1e8)
	if high < 1e8 {
		return d.put8(8, high)
	}
	top := high / 1e8
	d.put8(8, high-top*1e8)
	return d.put8(0, top)
}

// put8 writes the eight digits of x, with zeros before it, and returns where the first one
// is that is not zero, if there is one. It splits x in two numbers of four digits, those in
// two of two digits and those in digits, all side by side in one word with the first ones
// in the lowest bits; instead of dividing it multiplies and shifts.
func (d *digits) put8(at int, x uint64) int {
	high := x / 10000
	w := high | (x-high*10000)<<32
	q := w * 5243 >> 19 & 0x0000007f0000007f // / 100
	w = q | (w-100*q)<<16
	q = w * 103 >> 10 & 0x000f000f000f000f // / 10
	w = q | (w-10*q)<<8
	binary.LittleEndian.PutUint64(d[at:], w+'0'*ones)
	return at + bits.TrailingZeros64(w)/8
}

// copyTo copies up to 24 digits from one of them on; 24 bytes are written.
func (d *digits) copyTo(out []byte, from int) {
	for i := 0; i < 24; i += 8 {
		binary.LittleEndian.PutUint64(out[i:], binary.LittleEndian.Uint64(d[from+i:]))
	}
}

func appendUint(dst []byte, x uint64) []byte {
	if x < 10 {
		return append(dst, '0'+byte(x))
	}
	var d digits
	start, n := d.put(x), len(dst)
	out := dst[:n+maxFloat]
	d.copyTo(out[n:], start)
	return out[:n+24-start]
}

// appendDecimal appends a number with a fraction, between 1e-6 and 2^53.
func appendDecimal(dst []byte, f float64) []byte {
	x, places := shortest(f)
	var d digits
	start, n := d.put(x), len(dst)
	out := dst[:n+maxFloat]
	if point := 24 - places; point > start {
		d.copyTo(out[n:], start)
		n += point - start
		start = point
		out[n] = '.'
		n++
	} else {
		n += copy(out[n:], "0.000000"[:2+start-point])
	}
	d.copyTo(out[n:], start)
	return out[:n+24-start]
}

// shortest returns the decimal x / 10**places with the fewest digits that reads back as
// f, which has a fraction and lies between 1e-6 and 2^53; of several, the one nearest to
// f. All products are exact: they have at most 55+52 bits.
//
// Decimals that read back as f lie between the middles to the neighbouring doubles. With
// enough places that the distance of two doubles is from 1 to 10 in units of the last
// one, there is an integer between the middles, and at most one multiple of ten.
func shortest(f float64) (x uint64, places int) {
	const one = 1 << 52
	b := math.Float64bits(f)
	exp := int(b>>52) - 1023 - 52 // f = m * 2**exp, exp from -72 to -1
	m := b&(one-1) | one
	below := uint64(2) // the middle to the neighbour below, in quarters of the distance
	if m == one {
		below = 1 // which is twice as near, so that there may be no integer at first
	}
	for places = -exp*78913>>18 + 1; ; places++ {
		power, shift := pow5[places], uint(2-exp-places)
		// The middles have one factor of two at most and the shift is two at least, so
		// that they are not integers themselves.
		from, _ := product(4*m-below, power, shift)
		to, _ := product(4*m+2, power, shift)
		from++
		if from > to {
			continue
		}
		if ten := to / 10; 10*ten >= from {
			return trimZeros(ten, places-1)
		}
		if from < to {
			x, rest := product(4*m, power, shift)
			if half := uint64(1) << (shift - 1); rest > half || rest == half && x&1 == 1 {
				x++
			}
			return x, places
		}
		return from, places
	}
}

// product returns x*y >> shift, and what is shifted out.
func product(x, y uint64, shift uint) (q, rest uint64) {
	hi, lo := bits.Mul64(x, y)
	return hi<<(64-shift) | lo>>shift, lo & (1<<shift - 1)
}

// trimZeros takes zeros from the end of x; mostly there are none.
func trimZeros(x uint64, places int) (uint64, int) {
	if x%10 != 0 {
		return x, places
	}
	for _, step := range [...]struct {
		power uint64
		zeros int
	}{{1e8, 8}, {1e4, 4}, {1e2, 2}, {1e1, 1}} {
		if q := x / step.power; q*step.power == x {
			x, places = q, places-step.zeros
		}
	}
	return x, places
}
