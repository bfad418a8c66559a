package jsontext

import (
	"math/bits"
	"slices"
	"unsafe"

	"github.com/protean-pb/protean/internal/xunsafe"
)

// MaxInteger is how many bytes an integer may need while it is written: a sign, and three words of digits.
const MaxInteger = 1 + 24

// AppendInt appends x in decimal.
func AppendInt(dst []byte, x int64) []byte {
	n := len(dst)
	dst = slices.Grow(dst, MaxInteger)
	// Sound: there is room for what PutInt writes.
	return dst[:n+PutInt(unsafe.Add(unsafe.Pointer(unsafe.SliceData(dst)), n), x)]
}

// AppendUint appends x in decimal.
func AppendUint(dst []byte, x uint64) []byte {
	n := len(dst)
	dst = slices.Grow(dst, MaxInteger)
	// Sound: there is room for what PutUint writes.
	return dst[:n+PutUint(unsafe.Add(unsafe.Pointer(unsafe.SliceData(dst)), n), x)]
}

// PutInt writes x in decimal to p and returns how many bytes that are. The [MaxInteger]
// bytes from p on must be the caller's to write.
func PutInt(p unsafe.Pointer, x int64) int {
	sign := uint64(x) >> 63
	return putSigned(p, int(sign), (uint64(x)^-sign)+sign)
}

// PutUint writes x in decimal to p and returns how many digits that are. The 24 bytes from p
// on must be the caller's to write: whole words are written, of which those digits count.
func PutUint(p unsafe.Pointer, x uint64) int { return putSigned(p, 0, x) }

// putSigned writes a minus sign if sign is 1, none if it is 0, and then x in decimal. It returns
// how many bytes that are. The 24 bytes behind the sign must be the caller's to write.
func putSigned(p unsafe.Pointer, sign int, x uint64) int {
	// Signs are hard to foresee: one is always written, and overwritten if there is none.
	*(*byte)(p) = '-' // Sound: the caller vouches for p.
	p = unsafe.Add(p, sign)
	// Sound: no write goes beyond the 24 bytes.
	switch {
	case x < 10:
		*(*byte)(p) = '0' + byte(x)
		return sign + 1
	case x < 100:
		xunsafe.Store16(p, uint16(twoDigits(x)+zeros))
		return sign + 2
	case x < 1e8:
		return sign + putFirst(p, x)
	}
	high := x / 1e8
	low := eightOf(x-high*1e8) + zeros
	if high < 1e8 {
		n := putFirst(p, high)
		xunsafe.Store64(unsafe.Add(p, n), low)
		return sign + n + 8
	}
	top := high / 1e8
	n := putFirst(p, top)
	xunsafe.Store64(unsafe.Add(p, n), eightOf(high-top*1e8)+zeros)
	xunsafe.Store64(unsafe.Add(p, n+8), low)
	return sign + n + 16
}

// putFirst writes the digits of x, of which there are eight at most, to p and returns how many they
// are. The eight bytes from p on must be the caller's to write.
func putFirst(p unsafe.Pointer, x uint64) int {
	w := eightOf(x)
	k := bits.TrailingZeros64(w|1<<63) & 0x38
	xunsafe.Store64(p, (w+zeros)>>k) // Sound: the caller vouches for p.
	return 8 - k/8
}

// zeros are eight digits that are 0.
const zeros = '0' * ones

// digitWords returns the digits of a positive x, the first one in the lowest byte of a, and
// how many they are. What comes after them is undefined.
func digitWords(x uint64) (a, b, c uint64, n int) {
	if x < 1e8 {
		a = eightOf(x)
		k := bits.TrailingZeros64(a) & 0x38
		return (a + zeros) >> k, 0, 0, 8 - k/8
	}
	high := x / 1e8
	low := eightOf(x-high*1e8) + zeros
	if high < 1e8 {
		a = eightOf(high)
		k := bits.TrailingZeros64(a) & 0x38
		return (a+zeros)>>k | low<<1<<(63-k), low >> k, 0, 16 - k/8
	}
	top := high / 1e8
	b = eightOf(high-top*1e8) + zeros
	a = eightOf(top)
	k := bits.TrailingZeros64(a) & 0x38
	return (a+zeros)>>k | b<<1<<(63-k), b>>k | low<<1<<(63-k), low >> k, 24 - k/8
}

// eightOf returns the eight digits of x, each as a number in a byte of its own, the first
// one in the lowest. It splits x in two numbers of four digits, those in two of two digits
// and those in digits, all side by side; instead of dividing it multiplies and shifts.
func eightOf(x uint64) uint64 {
	high := x * 109951163 >> 40 // / 10000
	w := high | (x-high*10000)<<32
	q := w * 5243 >> 19 & 0x0000007f0000007f // / 100
	return twoDigits(w<<16 - q*(100<<16-1))  // q | (w-100*q)<<16
}

// twoDigits splits each of the four numbers of two digits in w, which lie 16 bits apart.
func twoDigits(w uint64) uint64 {
	q := w * 103 >> 10 & 0x000f000f000f000f // / 10
	return w<<8 - q*(10<<8-1)               // q | (w-10*q)<<8
}
