package tree

import (
	"math"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/structval/index"
	"github.com/protean-pb/protean/internal/test/corpus"
)

// FuzzRead reads bytes into a message that other bytes have filled.
func FuzzRead(f *testing.F) {
	for i, c := range corpus.WireCases(false) {
		for form := range uint8(3) {
			all := befores(index.Form(form))
			f.Add(c.Wire, []byte{}, form, uint16(limit), false, false)
			f.Add(c.Wire, all[i%len(all)], form, uint16(i), i%2 == 0, i%3 == 0)
		}
	}
	for s := range corpus.Shapes(f) {
		if len(s.Wire) < 2000 {
			f.Add(s.Wire, []byte{}, uint8(0), uint16(limit), false, false)
		}
	}
	f.Fuzz(func(t *testing.T, body, before []byte, form uint8, depth uint16, alias, discard bool) {
		o := ReadOptions{Depth: int(depth), Alias: alias, DiscardUnknown: discard}
		checkRead(t, index.Form(form%3), before, body, o)
	})
}

// A maker makes trees of bytes.
type maker struct{ bytes []byte }

func (m *maker) next() byte {
	if len(m.bytes) == 0 {
		return 0
	}
	c := m.bytes[0]
	m.bytes = m.bytes[1:]
	return c
}

func (m *maker) text() string {
	n := int(m.next())
	if n >= 0xf0 {
		return strings.Repeat("naïve ", n*(n-0xf0))
	}
	n = min(n&15, len(m.bytes))
	s := string(m.bytes[:n])
	m.bytes = m.bytes[n:]
	return s
}

func (m *maker) value(depth int) *structpb.Value {
	c := m.next()
	v := new(structpb.Value)
	if c&0x80 != 0 {
		m.unknown(v)
	}
	switch c & 31 {
	case 0:
		return nil
	case 1: // unset
	case 2:
		v.Kind = (*structpb.Value_NullValue)(nil)
	case 3:
		v.Kind = (*structpb.Value_NumberValue)(nil)
	case 4:
		v.Kind = (*structpb.Value_StringValue)(nil)
	case 5:
		v.Kind = (*structpb.Value_BoolValue)(nil)
	case 6:
		v.Kind = (*structpb.Value_StructValue)(nil)
	case 7:
		v.Kind = (*structpb.Value_ListValue)(nil)
	case 8:
		v.Kind = new(structpb.Value_StructValue)
	case 9:
		v.Kind = new(structpb.Value_ListValue)
	case 10, 11:
		v.Kind = &structpb.Value_NullValue{NullValue: structpb.NullValue(int8(m.next()))}
	case 12, 13, 14:
		v.Kind = &structpb.Value_NumberValue{NumberValue: math.Float64frombits(uint64(m.next())<<56 | uint64(m.next()))}
	case 15, 16:
		v.Kind = &structpb.Value_BoolValue{BoolValue: m.next()&1 != 0}
	case 17, 18, 19, 20:
		v.Kind = &structpb.Value_StringValue{StringValue: m.text()}
	case 21, 22, 23, 24, 25:
		v.Kind = &structpb.Value_ListValue{ListValue: m.list(depth)}
	default:
		v.Kind = &structpb.Value_StructValue{StructValue: m.object(depth)}
	}
	return v
}

func (m *maker) list(depth int) *structpb.ListValue {
	l := new(structpb.ListValue)
	c := m.next()
	if c&0x80 != 0 {
		m.unknown(l)
	}
	for range c & 7 {
		if depth < 20 && len(m.bytes) > 0 {
			l.Values = append(l.Values, m.value(depth+1))
		}
	}
	return l
}

func (m *maker) object(depth int) *structpb.Struct {
	s := &structpb.Struct{Fields: map[string]*structpb.Value{}}
	c := m.next()
	if c&0x80 != 0 {
		m.unknown(s)
	}
	for range c & 15 {
		if depth < 20 && len(m.bytes) > 0 {
			s.Fields[m.text()] = m.value(depth + 1)
		}
	}
	return s
}

// unknown adds unknown fields: any text in a field that no message here has.
func (m *maker) unknown(to proto.Message) {
	b := protowire.AppendTag(nil, protowire.Number(7+int(m.next())), protowire.BytesType)
	to.ProtoReflect().SetUnknown(protowire.AppendString(b, m.text()))
}

// FuzzWrite writes trees of all sorts.
func FuzzWrite(f *testing.F) {
	f.Add([]byte{21, 7, 1, 2, 3, 4, 5, 6, 7, 8, 9}, uint8(0))
	f.Add([]byte{26, 3, 1, 'a', 12, 1, 2, 2, 'b', 'c', 17, 3, 'x', 'y', 'z', 1, 'd', 0x80 | 26, 9, 1, 'u', 2, 1, 'k',
		15, 1}, uint8(0))
	f.Add([]byte{3, 0x80 | 22, 5, 2, 0xff, 0xff, 17, 2, 0xff, 0xff}, uint8(1))
	f.Add([]byte{5, 3, 'k', 'e', 'y', 17, 0xf5, 0, 10, 0xff, 3, 'a', 'b', 'c', 0}, uint8(2))
	f.Fuzz(func(t *testing.T, b []byte, form uint8) {
		m := &maker{b}
		switch form % 3 {
		case 0:
			checkWrite(t, m.value(0))
		case 1:
			checkWrite(t, m.list(0))
		case 2:
			checkWrite(t, m.object(0))
		}
	})
}
