package corpus

import (
	"bytes"
	"fmt"
	"math"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
)

// Field writes one field of wire format, for messages that no library writes.
func Field(num protowire.Number, v any) []byte {
	switch v := v.(type) {
	case int:
		return protowire.AppendVarint(protowire.AppendTag(nil, num, protowire.VarintType), uint64(v))
	case float64:
		return protowire.AppendFixed64(protowire.AppendTag(nil, num, protowire.Fixed64Type), math.Float64bits(v))
	case string:
		return protowire.AppendString(protowire.AppendTag(nil, num, protowire.BytesType), v)
	case []byte:
		return protowire.AppendBytes(protowire.AppendTag(nil, num, protowire.BytesType), v)
	}
	panic("a field of another type")
}

// Cat returns the parts one after the other.
func Cat(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

// A WireCase is a Value on the wire, legal or not; the official library says which.
type WireCase struct {
	Name string
	Wire []byte
}

// WireCases are the points at which a quick decoder goes wrong. With deeper, messages at the
// limit of recursion are among them.
func WireCases(deeper bool) []WireCase {
	str := func(s string) []byte { return Field(3, s) }
	entry := func(key string, value []byte) []byte { return Field(1, Cat(Field(1, key), Field(2, value))) }
	object := func(entries ...[]byte) []byte { return Field(5, Cat(entries...)) }
	list := func(values ...[]byte) []byte {
		var b []byte
		for _, v := range values {
			b = append(b, Field(1, v)...)
		}
		return Field(6, b)
	}
	deep := func(levels int, list bool) []byte {
		b := str("x")
		for range levels {
			if list {
				b = Field(6, Field(1, b))
			} else {
				b = object(entry("k", b))
			}
		}
		return b
	}
	group := func(num protowire.Number, inside []byte) []byte {
		b := protowire.AppendTag(nil, num, protowire.StartGroupType)
		b = append(b, inside...)
		return protowire.AppendTag(b, num, protowire.EndGroupType)
	}
	cases := []WireCase{
		{"nothing", nil},
		{"null", Field(1, 0)},
		{"null 5", Field(1, 5)},
		{"null -1", Field(1, -1)},
		{"zero", Field(2, 0.0)},
		{"minus zero", Field(2, math.Copysign(0, -1))},
		{"NaN", Field(2, math.NaN())},
		{"infinite", Field(2, math.Inf(1))},
		{"minus infinite", Field(2, math.Inf(-1))},
		{"largest", Field(2, math.MaxFloat64)},
		{"least", Field(2, 5e-324)},
		{"2^53+1", Field(2, 9007199254740993.0)},
		{"1e21", Field(2, 1e21)},
		{"1e-7", Field(2, 1e-7)},
		{"empty string", str("")},
		{"string", str("naïve 漢字 \x00 \"")},
		{"invalid UTF-8", str("abc\xff")},
		{"surrogate in UTF-8", str("\xed\xa0\x80")},
		{"long string", str(strings.Repeat("long ", 1000))},
		{"true", Field(4, 1)},
		{"false", Field(4, 0)},
		{"bool 2", Field(4, 2)},
		{"bool in ten bytes", Cat([]byte{0x20}, []byte{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01})},
		{"bool in eleven bytes", Cat([]byte{0x20}, bytes.Repeat([]byte{0x80}, 10), []byte{0x01})},
		{"overlong tag", []byte{0xa0, 0x00, 0x01}},
		{"overlong length", []byte{0x1a, 0x81, 0x00, 'x'}},
		{"empty object", object()},
		{"empty list", list()},
		{"object", object(entry("a", str("x")), entry("b", Field(2, 1.5)), entry("", Field(1, 0)))},
		{"same key twice", object(entry("a", str("x")), entry("b", str("y")), entry("a", Field(4, 1)))},
		{"same key three times, objects", object(entry("a", object(entry("x", str("1")))),
			entry("a", object(entry("y", str("2")))), entry("a", object(entry("z", str("3")))))},
		{"many keys", object(func() (all [][]byte) {
			for i := range 60 {
				all = append(all, entry(fmt.Sprint("key", i%50), Field(2, float64(i))))
			}
			return all
		}()...)},
		{"list", list(str("x"), Field(1, 0), list(Field(4, 1)), object(entry("k", str("v"))), nil)},
		{"two scalars", Cat(str("x"), Field(2, 2.0))},
		{"object merged", Cat(object(entry("a", str("1"))), object(entry("b", str("2")), entry("a", str("3"))))},
		{"object merged three times", Cat(object(entry("a", str("1"))), object(), object(entry("a", str("3"))))},
		{"object, scalar, object", Cat(object(entry("a", str("1"))), Field(4, 1), object(entry("b", str("2"))))},
		{"object, list", Cat(object(entry("a", str("1"))), list(str("x")))},
		{"list merged", Cat(list(str("1")), list(str("2"), str("3")))},
		{"bad object, then scalar", Cat(Field(5, Field(1, []byte{0x0a})), str("x"))},
		{"bad text, then scalar", Cat(str("\xff"), Field(4, 1))},
		{"entry without key", object(Field(1, Field(2, str("x"))))},
		{"entry without value", object(Field(1, Field(1, "k")))},
		{"empty entry", object(Field(1, ""))},
		{"value before key", object(Field(1, Cat(Field(2, str("x")), Field(1, "k"))))},
		{"two keys in an entry", object(Field(1, Cat(Field(1, "k"), Field(1, "l"), Field(2, str("x")))))},
		{"two values in an entry", object(Field(1, Cat(Field(1, "k"), Field(2, str("x")), Field(2, Field(4, 1)))))},
		{"two objects in an entry", object(Field(1,
			Cat(Field(1, "k"), Field(2, object(entry("a", str("1")))), Field(2, object(entry("b", str("2")))))))},
		{"two lists in an entry, apart",
			object(Field(1, Cat(Field(2, list(str("1"))), Field(1, "k"), Field(2, list(str("2"))))))},
		{"invalid UTF-8 in a key", object(entry("\xff", str("x")))},
		{"unknown field", Cat(Field(7, 1), str("x"), Field(100, "unknown"))},
		{"unknown field alone", Field(9, 1.0)},
		{"unknown in object",
			Field(5, Cat(Field(2, "x"), Field(1, Cat(Field(3, 4), Field(1, "k"), Field(2, str("v")), Field(4, "z")))))},
		{"unknown in list", Field(6, Cat(Field(2, 1), Field(1, str("v"))))},
		{"unknown group", Cat(group(8, str("x")), Field(4, 1))},
		{"unknown group not closed", Cat(protowire.AppendTag(nil, 8, protowire.StartGroupType), Field(4, 1))},
		{"end of group", protowire.AppendTag(nil, 8, protowire.EndGroupType)},
		{"null as text", Field(1, "x")},
		{"number as varint", Field(2, 7)},
		{"string as varint", Field(3, 7)},
		{"object as varint", Field(5, 7)},
		{"key as varint", object(Field(1, Cat(Field(1, 7), Field(2, str("v")))))},
		{"entry as varint", Field(5, Field(1, 7))},
		{"value as varint", object(Field(1, Cat(Field(1, "k"), Field(2, 7))))},
		{"field number 0", []byte{0x00, 0x00}},
		{"field number too large", Cat(protowire.AppendVarint(nil, uint64(protowire.MaxValidNumber+1)<<3), []byte{0})},
		{"tag of 35 bits", Cat(protowire.AppendVarint(nil, 1<<35|3<<3|2), []byte{0})},
		{"wire type 6", []byte{0x1e, 0x00}},
		{"wire type 7", []byte{0x1f, 0x00}},
		{"tag alone", []byte{0x1a}},
		{"length past the end", []byte{0x1a, 0x05, 'x'}},
		{"2 GiB claimed", []byte{0x1a, 0xff, 0xff, 0xff, 0xff, 0x07, 'x', 'x', 'x', 'x'}},
		{"2^64 claimed", []byte{0x1a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}},
		{"number cut", []byte{0x11, 1, 2, 3}},
		{"inner length past the outer", []byte{0x2a, 0x04, 0x0a, 0x09, 0x0a, 0x00}},
		{"depth 30", deep(30, false)},
	}
	if !deeper {
		return cases
	}
	return append(cases, []WireCase{
		{"objects at the limit", deep(3333, false)},
		{"objects beyond the limit", deep(3334, false)},
		{"lists at the limit", deep(4999, true)},
		{"lists near the limit", deep(5000, true)},
		{"lists beyond the limit", deep(5001, true)},
	}...)
}
