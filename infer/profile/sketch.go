package profile

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"unicode/utf8"
)

const (
	// sketchSize is how many distinct values a sketch keeps.
	sketchSize = 48
	// sampleSize is how many bytes of a value a sketch keeps.
	sampleSize = 64
)

// A Sketch is a sample of the distinct values of a node: those with the smallest hashes, each with
// the number of its occurrences. A value that is among the smallest at the end has been so since it
// first came, so that counts are exact, whatever the order.
type Sketch struct {
	// Values are in the order of their hashes.
	Values []Value `json:"values,omitempty"`
	// Full says that there were more distinct values than are kept.
	Full bool `json:"full,omitempty"`
}

// A Value is one distinct value.
type Value struct {
	Hash  uint64 `json:"hash"`
	Count uint64 `json:"count"`
	// Text is the value, a string without quotes; at most 64 bytes of it.
	Text string `json:"text"`
}

// Add counts a value n times.
func (s *Sketch) Add(text []byte, n uint64) { s.add(text, n) }

// add counts a value n times, and returns by how many bytes the sketch has grown.
func (s *Sketch) add(text []byte, n uint64) int {
	h := hash(text)
	if s.Full && h > s.Values[sketchSize-1].Hash {
		return 0
	}
	i, found := s.find(h)
	if found {
		s.Values[i].Count += n
		return 0
	}
	return s.insert(i, Value{h, n, sample(text)})
}

func (s *Sketch) find(h uint64) (int, bool) {
	lo, hi := 0, len(s.Values)
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		if s.Values[mid].Hash < h {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < len(s.Values) && s.Values[lo].Hash == h
}

func (s *Sketch) insert(i int, v Value) int {
	if len(s.Values) < sketchSize {
		s.Values = slices.Insert(s.Values, i, v)
		return valueBytes + len(v.Text)
	}
	s.Full = true
	if i == sketchSize {
		return 0
	}
	grown := len(v.Text) - len(s.Values[sketchSize-1].Text)
	copy(s.Values[i+1:], s.Values[i:sketchSize-1])
	s.Values[i] = v
	return grown
}

// merge adds what other has counted.
func (s *Sketch) merge(other *Sketch) {
	all := make([]Value, 0, len(s.Values)+len(other.Values))
	a, b := s.Values, other.Values
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].Hash < b[0].Hash:
			all, a = append(all, a[0]), a[1:]
		case len(a) == 0 || b[0].Hash < a[0].Hash:
			all, b = append(all, b[0]), b[1:]
		default:
			v := a[0]
			v.Count += b[0].Count
			all, a, b = append(all, v), a[1:], b[1:]
		}
	}
	s.Full = s.Full || other.Full || len(all) > sketchSize
	if len(all) > 0 {
		s.Values = all[:min(len(all), sketchSize)]
	}
}

// Distinct estimates the number of distinct values; it is exact unless the sketch is full, and
// within about 15 % otherwise.
func (s *Sketch) Distinct() uint64 {
	if !s.Full {
		return uint64(len(s.Values))
	}
	largest := float64(s.Values[len(s.Values)-1].Hash) + 1
	return uint64(float64(sketchSize-1) / largest * math.Exp2(64))
}

// sample returns the beginning of a text, cut between characters.
func sample(text []byte) string {
	if len(text) <= sampleSize {
		return string(text)
	}
	end := sampleSize
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return string(text[:end])
}

// hash is the same in every process and on every machine: profiles are merged by it.
func hash(b []byte) uint64 {
	const k0, k1, k2 = 0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9, 0x94d049bb133111eb
	h := uint64(len(b))*k0 ^ k2
	for len(b) >= 8 {
		h = fold(h^binary.LittleEndian.Uint64(b), k1)
		b = b[8:]
	}
	var last uint64
	for i, c := range b {
		last |= uint64(c) << (8 * i)
	}
	return fold(fold(h^last, k2)^k0, k1)
}

func fold(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}
