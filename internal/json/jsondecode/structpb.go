package jsondecode

import (
	"math"
	"unsafe"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/json/jsontext"
	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/structval/tree"
)

// decodeStructpb reads a Value, Struct or ListValue of structpb's types, whose layout is l, into the one
// at p.
func (d *decoder) decodeStructpb(l *layout.Layout, p unsafe.Pointer, pos, depth int) int {
	if len(d.in) > math.MaxInt32 {
		return d.official(l.Interface(p), pos, depth+1)
	}
	t := tree.GetTokens(d.in)
	var next int
	ok := true
	// Sound: the class says what p points to.
	switch c := l.Ready(); {
	case c == layout.Struct && d.byte(pos) != '{':
		next = d.notOf(pos, "an object")
	case c == layout.List && d.byte(pos) != '[':
		next = d.notOf(pos, "an array")
	default:
		s := scanner{decoder: d, Tokens: t, start: pos}
		if next = s.value(pos, depth+1); next < 0 { // which counts it
			break
		}
		switch c {
		case layout.Value:
			ok = t.IntoValue((*structpb.Value)(p))
		case layout.Struct:
			ok = t.IntoStruct((*structpb.Struct)(p))
		default:
			ok = t.IntoList((*structpb.ListValue)(p))
		}
	}
	if !ok {
		for _, s := range t.Steps {
			if s.Index >= 0 {
				d.trace = append(d.trace, protoerr.Index(s.Index))
			} else {
				d.trace = append(d.trace, quoted(s.Key))
			}
		}
		next = d.fail(protoerr.ErrDuplicate, t.Twice, "a key")
	}
	t.Release()
	return next
}

// A scanner makes tokens of the text of a Value, Struct or ListValue.
type scanner struct {
	*decoder
	*tree.Tokens
	start int // where the tree starts
}

// value reads a Value.
func (s *scanner) value(pos, depth int) int {
	d := s.decoder
	if depth--; depth < 0 {
		return d.fail(protoerr.ErrDepth, pos, "")
	}
	switch d.byte(pos) {
	case '"':
		part, next := s.part(pos)
		s.String(part)
		return next
	case '{':
		return s.object(pos, depth)
	case '[':
		return s.list(pos, depth)
	case 't':
		s.Bool(true)
		return d.word(pos, "true")
	case 'f':
		s.Bool(false)
		return d.word(pos, "false")
	case 'n':
		s.Null()
		return d.word(pos, "null")
	}
	x, next, ok := jsontext.FloatIn(d.in, pos, 64)
	if !ok {
		x, next = d.unusualNumber(pos)
	}
	s.Number(x)
	return next
}

// object reads the object at pos.
func (s *scanner) object(pos, depth int) int {
	d, number, count := s.decoder, s.Open(true), 0
	pos = jsontext.SkipSpace(d.in, pos+1)
	if d.byte(pos) == '}' {
		s.Close(number, 0)
		return pos + 1
	}
	for done := false; !done; count++ {
		s.Reserve(s.start, pos)
		key := s.Len()
		if pos = s.key(pos, count); pos < 0 {
			return failed
		}
		if pos = s.value(pos, depth); pos < 0 {
			d.trace = append(d.trace, quoted(s.KeyText(key)))
			return failed
		}
		if pos, done = d.nextMember(pos); pos < 0 {
			return failed
		}
	}
	s.Close(number, count)
	return pos
}

// key reads the name of the nth member, and what follows up to the value.
func (s *scanner) key(pos, nth int) int {
	d := s.decoder
	if d.byte(pos) != '"' {
		return d.unexpected(pos, "a name")
	}
	part, next := s.part(pos)
	if next < 0 {
		return failed
	}
	s.Key(part, pos, nth)
	if pos = jsontext.SkipSpace(d.in, next); d.byte(pos) != ':' {
		return d.unexpected(pos, "':'")
	}
	return jsontext.SkipSpace(d.in, pos+1)
}

// part reads the string whose opening quote is at pos.
func (s *scanner) part(pos int) (tree.Part, int) {
	end, plain := jsontext.StringEnd(s.in, pos+1)
	if plain {
		return tree.PartOf(pos+1, end), end + 1
	}
	other, next := s.quoted(pos)
	return s.Keep(other), next
}

// list reads the array at pos.
func (s *scanner) list(pos, depth int) int {
	d, number := s.decoder, s.Open(false)
	pos = jsontext.SkipSpace(d.in, pos+1)
	if d.byte(pos) == ']' {
		s.Close(number, 0)
		return pos + 1
	}
	for count := 0; ; {
		s.Reserve(s.start, pos)
		next := s.value(pos, depth)
		if next < 0 {
			d.trace = append(d.trace, protoerr.Index(count))
			return failed
		}
		count++
		switch pos = jsontext.SkipSpace(d.in, next); d.byte(pos) {
		case ',':
			pos = skipComma(d.in, pos)
		case ']':
			s.Close(number, count)
			return pos + 1
		default:
			return d.unexpected(pos, "',' or ']'")
		}
	}
}

// unusualNumber reads a number that the fast path did not: one with an exponent or many digits. What is no number is
// an error.
func (d *decoder) unusualNumber(pos int) (float64, int) {
	end := jsontext.NumberEnd(d.in, pos)
	if end < 0 {
		return 0, d.unexpected(pos, "a value")
	}
	x, ok := jsontext.Float(d.in[pos:end], 64)
	if !ok {
		return 0, d.wrong(pos, end, wantFloat[64])
	}
	return x, end
}
