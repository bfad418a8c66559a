package shapes

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// scalar returns a made-up value of the kind and size of v. If set it is not zero where v is not.
func scalar(v protoreflect.Value, fd protoreflect.FieldDescriptor, set bool) protoreflect.Value {
	switch fd.Kind() {
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(set || rand.IntN(2) == 0)
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(text(v.String(), rand.IntN))
	case protoreflect.BytesKind:
		b := make([]byte, len(v.Bytes()))
		for i := range b {
			b[i] = byte(rand.IntN(256))
		}
		return protoreflect.ValueOfBytes(b)
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(enum(v.Enum(), fd.Enum(), set))
	case protoreflect.Int32Kind:
		return protoreflect.ValueOfInt32(int32(signed(v.Int(), math.MaxInt32)))
	case protoreflect.Int64Kind:
		return protoreflect.ValueOfInt64(signed(v.Int(), math.MaxInt64))
	case protoreflect.Sint32Kind:
		return protoreflect.ValueOfInt32(int32(zigzag(v.Int(), math.MaxUint32)))
	case protoreflect.Sint64Kind:
		return protoreflect.ValueOfInt64(zigzag(v.Int(), math.MaxUint64))
	case protoreflect.Uint32Kind:
		return protoreflect.ValueOfUint32(uint32(varint(v.Uint(), math.MaxUint32)))
	case protoreflect.Uint64Kind:
		return protoreflect.ValueOfUint64(varint(v.Uint(), math.MaxUint64))
	case protoreflect.Fixed32Kind:
		return protoreflect.ValueOfUint32(uint32(sameBits(v.Uint())))
	case protoreflect.Fixed64Kind:
		return protoreflect.ValueOfUint64(sameBits(v.Uint()))
	case protoreflect.Sfixed32Kind:
		return protoreflect.ValueOfInt32(int32(sameMagnitude(v.Int())))
	case protoreflect.Sfixed64Kind:
		return protoreflect.ValueOfInt64(sameMagnitude(v.Int()))
	case protoreflect.FloatKind:
		return protoreflect.ValueOfFloat32(float32(float(v.Float(), 32)))
	}
	return protoreflect.ValueOfFloat64(float(v.Float(), 64))
}

// between returns a number from low to high, both included.
func between(low, high uint64) uint64 {
	if low == 0 && high == math.MaxUint64 {
		return rand.Uint64()
	}
	return low + rand.Uint64N(high-low+1)
}

// varint returns a number of at most highest that takes as many bytes as v. Zero, which may stand for absence, stays.
func varint(v, highest uint64) uint64 {
	if v == 0 {
		return 0
	}
	n := protowire.SizeVarint(v)
	low, high := uint64(1), highest
	if n > 1 {
		low = 1 << (7 * (n - 1))
	}
	if n < 10 {
		high = min(high, 1<<(7*n)-1)
	}
	return between(low, high)
}

// signed is varint for numbers of which the negative ones always take ten bytes; of those it keeps the length in bits.
func signed(v int64, highest uint64) int64 {
	if v < 0 {
		return sameMagnitude(v)
	}
	return int64(varint(uint64(v), highest))
}

// zigzag is varint for numbers whose sign is their lowest bit on the wire. The sign may change.
func zigzag(v int64, highest uint64) int64 {
	return protowire.DecodeZigZag(varint(protowire.EncodeZigZag(v), highest))
}

// sameBits returns a number with as many bits as v.
func sameBits(v uint64) uint64 {
	if v == 0 {
		return 0
	}
	high := uint64(1)<<(bits.Len64(v)-1) - 1
	return high + 1 + between(0, high)
}

// sameMagnitude is sameBits for numbers with a sign.
func sameMagnitude(v int64) int64 {
	switch {
	case v >= 0:
		return int64(sameBits(uint64(v)))
	case v == math.MinInt32 || v == math.MinInt64: // whose magnitude has a bit more
		return v
	}
	return -int64(sameBits(uint64(-v)))
}

// enum returns a value that the enum has, and that takes as many bytes.
func enum(v protoreflect.EnumNumber, ed protoreflect.EnumDescriptor, set bool) protoreflect.EnumNumber {
	var like []protoreflect.EnumNumber
	for i := range ed.Values().Len() {
		n := ed.Values().Get(i).Number()
		if protowire.SizeVarint(uint64(n)) == protowire.SizeVarint(uint64(v)) && !(set && n == 0) {
			like = append(like, n)
		}
	}
	if len(like) == 0 {
		return protoreflect.EnumNumber(signed(int64(v), math.MaxInt32))
	}
	return like[rand.IntN(len(like))]
}

// float returns a number with as many digits as f has, and its exponent and sign.
func float(f float64, size int) float64 {
	if f == 0 || math.IsInf(f, 0) || math.IsNaN(f) {
		return f
	}
	shown := strconv.FormatFloat(f, 'g', -1, size)
	for range attempts {
		made, err := strconv.ParseFloat(digits(shown), size)
		if err == nil && made != 0 {
			return made
		}
	}
	return math.Copysign(1, f)
}

// digits replaces the digits of a decimal, but not zeros at its beginning and the exponent; the last is not zero.
func digits(shown string) string {
	mantissa, exponent, _ := strings.Cut(shown, "e")
	b := []byte(mantissa)
	begun := false
	for i, c := range b {
		if c < '0' || c > '9' || c == '0' && !begun {
			continue
		}
		if !begun || i == len(b)-1 {
			b[i] = byte('1' + rand.IntN(9))
		} else {
			b[i] = byte('0' + rand.IntN(10))
		}
		begun = true
	}
	if exponent != "" {
		return string(b) + "e" + exponent
	}
	return string(b)
}
