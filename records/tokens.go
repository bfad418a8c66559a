package records

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/vmihailenco/msgpack/v5"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
)

// A tokenReader reads JSON text to write it in another form.
type tokenReader struct {
	alterations *alterations
	path        valuePath
	dec         *jsontext.Decoder
	in          bytes.Buffer
}

// reset begins with a text.
func (t *tokenReader) reset(text []byte) {
	t.path = t.path[:0]
	t.in = *bytes.NewBuffer(text)
	if t.dec == nil {
		t.dec = jsontext.NewDecoder(&t.in)
		return
	}
	t.dec.Reset(&t.in)
}

// A numeral is a JSON number as the forms that tell integers from others have it.
type numeral struct {
	kind  byte // 'i' for an int64, 'u' for a uint64 beyond that, 'f'
	int   int64
	uint  uint64
	float float64
}

// numeral reads a number. One that is not to be had exactly is an alteration.
func (t *tokenReader) numeral(text string, unsigned bool) (n numeral, err error) {
	if text != "-0" && !strings.ContainsAny(text, ".eE") {
		if n.int, err = strconv.ParseInt(text, 10, 64); err == nil {
			n.kind = 'i'
			return n, nil
		}
		if n.uint, err = strconv.ParseUint(text, 10, 64); err == nil && unsigned {
			n.kind = 'u'
			return n, nil
		}
	}
	n.kind = 'f'
	if n.float, err = strconv.ParseFloat(text, 64); err != nil || math.IsInf(n.float, 0) {
		return n, t.path.at("the number %s is out of the range of a double", clip(text))
	}
	if exactDouble(text) {
		return n, nil
	}
	return n, t.alterations.note(t.path, "the number %s becomes the double %v", clip(text), n.float)
}

// clip shortens a number for a message.
func clip(s string) string {
	if len(s) > 50 {
		return s[:50] + "…"
	}
	return s
}

// appendBSON appends the BSON document that a text is.
func (t *tokenReader) appendBSON(dst, text []byte) ([]byte, error) {
	t.reset(text)
	if t.dec.PeekKind() != '{' {
		if _, err := t.dec.ReadValue(); err != nil {
			return nil, err
		}
		return nil, t.path.at("not an object, and so no BSON document")
	}
	index, dst := bsoncore.AppendDocumentStart(dst)
	dst, err := t.bsonElements(dst, '}')
	if err != nil {
		return nil, err
	}
	if err := t.end(); err != nil {
		return nil, err
	}
	return bsoncore.AppendDocumentEnd(dst, index)
}

// bsonElements appends the elements of the object or array that comes next.
func (t *tokenReader) bsonElements(dst []byte, end jsontext.Kind) ([]byte, error) {
	if _, err := t.dec.ReadToken(); err != nil {
		return nil, err
	}
	for n := 0; t.dec.PeekKind() != end; n++ {
		key, index := "", n
		if end == ']' {
			key = strconv.Itoa(n)
		} else {
			name, err := t.dec.ReadToken()
			if err != nil {
				return nil, err
			}
			if key, index = name.String(), -1; strings.IndexByte(key, 0) >= 0 {
				return nil, t.path.at("the key %q has a zero byte, which BSON has not", key)
			}
		}
		t.path.push([]byte(key), index)
		var err error
		if dst, err = t.bsonElement(dst, key); err != nil {
			return nil, err
		}
		t.path.pop()
	}
	_, err := t.dec.ReadToken()
	return dst, err
}

func (t *tokenReader) bsonElement(dst []byte, key string) ([]byte, error) {
	kind := t.dec.PeekKind()
	if kind == '{' || kind == '[' {
		start, end := bsoncore.AppendDocumentElementStart, jsontext.Kind('}')
		if kind == '[' {
			start, end = bsoncore.AppendArrayElementStart, ']'
		}
		index, dst := start(dst, key)
		dst, err := t.bsonElements(dst, end)
		if err != nil {
			return nil, err
		}
		return bsoncore.AppendDocumentEnd(dst, index)
	}
	token, err := t.dec.ReadToken()
	if err != nil {
		return nil, err
	}
	switch token.Kind() {
	case 'n':
		return bsoncore.AppendNullElement(dst, key), nil
	case 't', 'f':
		return bsoncore.AppendBooleanElement(dst, key, token.Bool()), nil
	case '"':
		return bsoncore.AppendStringElement(dst, key, token.String()), nil
	}
	n, err := t.numeral(token.String(), false)
	switch {
	case err != nil:
		return nil, err
	case n.kind == 'f':
		return bsoncore.AppendDoubleElement(dst, key, n.float), nil
	case n.int == int64(int32(n.int)):
		return bsoncore.AppendInt32Element(dst, key, int32(n.int)), nil
	}
	return bsoncore.AppendInt64Element(dst, key, n.int), nil
}

// A packWriter writes MessagePack.
type packWriter struct {
	tokenReader
	out     bytes.Buffer
	enc     *msgpack.Encoder
	lengths []int
}

// append appends the MessagePack value that a text is.
func (p *packWriter) append(dst, text []byte) ([]byte, error) {
	if p.enc == nil {
		p.enc = msgpack.NewEncoder(&p.out)
	}
	p.reset(text)
	p.out.Reset()
	p.lengths = appendLengths(p.lengths[:0], text)
	if _, err := p.value(p.lengths); err != nil {
		return nil, err
	}
	return append(dst, p.out.Bytes()...), p.end()
}

// appendLengths appends how many elements the arrays and objects of a JSON text have, in the order
// in which they begin. Of what is no JSON it finds something, too.
func appendLengths(dst []int, text []byte) []int {
	var open []int // places in dst
	fill := func() {
		if n := len(open); n > 0 && dst[open[n-1]] == 0 {
			dst[open[n-1]] = 1
		}
	}
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case ' ', '\t', '\r', '\n', ':':
		case ',':
			if n := len(open); n > 0 {
				dst[open[n-1]]++
			}
		case '{', '[':
			fill()
			open = append(open, len(dst))
			dst = append(dst, 0)
		case '}', ']':
			open = open[:max(len(open)-1, 0)]
		case '"':
			fill()
			i = stringEnd(text, i) - 1
		default:
			fill()
		}
	}
	return dst
}

// value writes the value that comes next. lengths are those of the arrays and objects to come; it
// returns those that come after the value.
func (p *packWriter) value(lengths []int) ([]int, error) {
	token, err := p.dec.ReadToken()
	if err != nil {
		return nil, err
	}
	switch token.Kind() {
	case 'n':
		return lengths, p.enc.EncodeNil()
	case 't', 'f':
		return lengths, p.enc.EncodeBool(token.Bool())
	case '"':
		return lengths, p.enc.EncodeString(token.String())
	case '0':
		return lengths, p.number(token.String())
	case '[':
		err = p.enc.EncodeArrayLen(lengths[0])
	default:
		err = p.enc.EncodeMapLen(lengths[0])
	}
	if err != nil {
		return nil, err
	}
	return p.elements(token.Kind() == '{', lengths[0], lengths[1:])
}

// elements writes the n elements of an array, or an object's, and reads its end.
func (p *packWriter) elements(object bool, n int, lengths []int) (rest []int, err error) {
	for i := range n {
		if object {
			name, err := p.dec.ReadToken()
			if err != nil {
				return nil, err
			}
			key := name.String()
			if err := p.enc.EncodeString(key); err != nil {
				return nil, err
			}
			p.path.push([]byte(key), -1)
		} else {
			p.path.push(nil, i)
		}
		if lengths, err = p.value(lengths); err != nil {
			return nil, err
		}
		p.path.pop()
	}
	_, err = p.dec.ReadToken()
	return lengths, err
}

func (p *packWriter) number(text string) error {
	n, err := p.numeral(text, true)
	switch {
	case err != nil:
		return err
	case n.kind == 'i' && n.int >= 0:
		return p.enc.EncodeUint(uint64(n.int))
	case n.kind == 'i':
		return p.enc.EncodeInt(n.int)
	case n.kind == 'u':
		return p.enc.EncodeUint(n.uint)
	}
	return p.enc.EncodeFloat64(n.float)
}
