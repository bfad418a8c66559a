package runner

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

// order probes whether a variant keeps the order in which fields were received. It has the variant read the sample with
// its fields in reverse order and write the message again.
func (p *prober) order() (string, error) {
	c, o, err := p.opened(variant.Unmarshal, p.sample)
	if err != nil || o == nil {
		return "", err
	}
	piece := c.Canonical(c.Wire(0)[0])
	turned := reversed(piece)
	if turned == nil || bytes.Equal(turned, piece) {
		return "", nil
	}
	pieces := slices.Clone(c.Wire(0))
	pieces[0] = turned
	c.SetWire(0, pieces)
	if err := o.Run(0); err != nil {
		return "", err
	}
	for range tries(len(turned)) {
		again, err := c.Reencode()
		if err != nil {
			return "", err
		}
		if !bytes.Equal(c.Canonical(again[0]), turned) {
			return dropped, nil
		}
	}
	return kept, nil
}

// reversed returns an encoded message with the fields of its outermost level that
// has several in reverse order, or nil if it is neither JSON nor Protobuf.
func reversed(b []byte) []byte {
	if json.Valid(b) {
		return reversedJSON(b)
	}
	var fields [][]byte
	for rest := b; len(rest) > 0; {
		_, _, n := protowire.ConsumeField(rest)
		if n < 0 {
			return nil
		}
		fields = append(fields, rest[:n])
		rest = rest[n:]
	}
	if len(fields) != 1 {
		slices.Reverse(fields)
		return bytes.Join(fields, nil)
	}
	num, typ, n := protowire.ConsumeTag(b)
	if typ != protowire.BytesType {
		return nil
	}
	inside, _ := protowire.ConsumeBytes(b[n:])
	turned := reversed(inside)
	if turned == nil {
		return nil
	}
	return protowire.AppendBytes(protowire.AppendTag(nil, num, typ), turned)
}

// reversedJSON is reversed for compact JSON text, where the outermost level may be the first element of a list.
func reversedJSON(text []byte) []byte {
	d := jsontext.NewDecoder(bytes.NewReader(text))
	begin, err := d.ReadToken()
	if err != nil || begin.Kind() != jsontext.KindBeginObject && begin.Kind() != jsontext.KindBeginArray {
		return nil
	}
	var values [][]byte
	for k := d.PeekKind(); k != jsontext.KindEndObject && k != jsontext.KindEndArray; k = d.PeekKind() {
		v, err := d.ReadValue()
		if err != nil {
			return nil
		}
		values = append(values, slices.Clone(v))
	}
	if begin.Kind() == jsontext.KindBeginArray {
		if len(values) > 0 {
			values[0] = reversedJSON(values[0])
		}
		return slices.Concat([]byte("["), bytes.Join(values, []byte(",")), []byte("]"))
	}
	var members [][]byte
	for member := range slices.Chunk(values, 2) {
		members = append(members, bytes.Join(member, []byte(":")))
	}
	slices.Reverse(members)
	return slices.Concat([]byte("{"), bytes.Join(members, []byte(",")), []byte("}"))
}
