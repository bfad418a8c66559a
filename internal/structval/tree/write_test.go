package tree

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/test/allocs"
	"github.com/protean-pb/protean/internal/test/corpus"
	"github.com/protean-pb/protean/internal/test/race"
	"github.com/protean-pb/protean/internal/wire"
)

// withUnknown returns m with an unknown field.
func withUnknown[M proto.Message](m M, b []byte) M {
	m.ProtoReflect().SetUnknown(b)
	return m
}

// oddities are Values that no reader makes.
func oddities() map[string]*structpb.Value {
	list := func(values ...*structpb.Value) *structpb.Value {
		return structpb.NewListValue(&structpb.ListValue{Values: values})
	}
	object := func(fields map[string]*structpb.Value) *structpb.Value {
		return structpb.NewStructValue(&structpb.Struct{Fields: fields})
	}
	unknown := cat(field(7, 1), field(2, "not a number"))
	return map[string]*structpb.Value{
		"nil":                 nil,
		"unset":               {},
		"nil null":            {Kind: (*structpb.Value_NullValue)(nil)},
		"nil number":          {Kind: (*structpb.Value_NumberValue)(nil)},
		"nil string":          {Kind: (*structpb.Value_StringValue)(nil)},
		"nil bool":            {Kind: (*structpb.Value_BoolValue)(nil)},
		"nil object":          {Kind: (*structpb.Value_StructValue)(nil)},
		"nil list":            {Kind: (*structpb.Value_ListValue)(nil)},
		"nil Struct":          {Kind: &structpb.Value_StructValue{}},
		"nil ListValue":       {Kind: &structpb.Value_ListValue{}},
		"nil in a list":       list(nil, structpb.NewBoolValue(true), nil),
		"nil in an object":    object(map[string]*structpb.Value{"a": nil, "b": structpb.NewNullValue(), "": nil}),
		"null 5":              {Kind: &structpb.Value_NullValue{NullValue: 5}},
		"null 300":            {Kind: &structpb.Value_NullValue{NullValue: 300}},
		"null -1":             {Kind: &structpb.Value_NullValue{NullValue: -1}},
		"null least":          {Kind: &structpb.Value_NullValue{NullValue: math.MinInt32}},
		"NaN":                 structpb.NewNumberValue(math.NaN()),
		"minus zero":          structpb.NewNumberValue(math.Copysign(0, -1)),
		"false":               structpb.NewBoolValue(false),
		"empty string":        structpb.NewStringValue(""),
		"127":                 structpb.NewStringValue(strings.Repeat("x", 127)),
		"128":                 structpb.NewStringValue(strings.Repeat("x", 128)),
		"naïve":               structpb.NewStringValue(strings.Repeat("naïve 漢字 ", 5000)),
		"invalid UTF-8":       structpb.NewStringValue("\xff"),
		"invalid key":         object(map[string]*structpb.Value{"a": structpb.NewNullValue(), "\xff": structpb.NewNullValue()}),
		"invalid in a list":   list(structpb.NewNullValue(), object(map[string]*structpb.Value{"k": structpb.NewStringValue("\xc0\x80")})),
		"unknown":             withUnknown(structpb.NewStringValue("x"), unknown),
		"unknown alone":       withUnknown(new(structpb.Value), unknown),
		"unknown beside nil":  withUnknown(&structpb.Value{Kind: (*structpb.Value_ListValue)(nil)}, unknown),
		"unknown in a list":   structpb.NewListValue(withUnknown(&structpb.ListValue{Values: []*structpb.Value{withUnknown(structpb.NewNumberValue(1), unknown), nil}}, unknown)),
		"unknown in a object": structpb.NewStructValue(withUnknown(&structpb.Struct{Fields: map[string]*structpb.Value{"k": withUnknown(structpb.NewBoolValue(true), unknown)}}, unknown)),
	}
}

func TestWriteOddities(t *testing.T) {
	failures := 0
	for name, v := range oddities() {
		t.Run(name, func(t *testing.T) {
			checkWrite(t, v)
			checkWrite(t, &structpb.ListValue{Values: []*structpb.Value{v, structpb.NewNullValue(), v}})
			checkWrite(t, &structpb.Struct{Fields: map[string]*structpb.Value{"a": v, "z": v}})
			if _, err := marshal(v, "", false); err != nil {
				failures++
			}
		})
	}
	if failures != 3 {
		t.Errorf("%d failures", failures)
	}
	checkWrite(t, (*structpb.Struct)(nil))
	checkWrite(t, (*structpb.ListValue)(nil))
	checkWrite(t, new(structpb.Struct))
	checkWrite(t, new(structpb.ListValue))
}

func TestWriteShapes(t *testing.T) {
	for s := range corpus.Shapes(t) {
		t.Run(s.Name, func(t *testing.T) { checkWrite(t, s.Tree) })
	}
	for _, c := range corpus.WireCases(!race.Brief()) {
		v := new(structpb.Value)
		if proto.Unmarshal(c.Wire, v) == nil {
			t.Run(c.Name, func(t *testing.T) { checkWrite(t, v) })
		}
	}
}

// TestWriteKeys has objects of many sizes, whose keys must come in order.
func TestWriteKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range race.Rounds(60) {
		s := &structpb.Struct{Fields: map[string]*structpb.Value{}}
		for range n * n {
			s.Fields[corpus.Word(r)[:r.IntN(4)]] = structpb.NewStructValue(
				&structpb.Struct{Fields: map[string]*structpb.Value{"b": nil, "a": nil}})
		}
		checkWrite(t, s)
	}
}

// TestUnknownOffsets sees that the way without offsets gives the same.
func TestUnknownOffsets(t *testing.T) {
	if unknownInValue == 0 || unknownInStruct == 0 || unknownInList == 0 {
		t.Error("the official library keeps unknown fields in another way")
	}
	if unknownOffset[struct{ A, unknownFields []string }]() != 0 || unknownOffset[struct{ A int }]() != 0 {
		t.Error("an offset of what is not there")
	}
	defer func(a, b, c uintptr) { unknownInValue, unknownInStruct, unknownInList = a, b, c }(unknownInValue,
		unknownInStruct, unknownInList)
	unknownInValue, unknownInStruct, unknownInList = 0, 0, 0
	for _, v := range oddities() {
		checkWrite(t, v)
	}
}

func TestWriteErrors(t *testing.T) {
	bad := structpb.NewStringValue("\xff")
	list := &structpb.ListValue{Values: []*structpb.Value{nil, bad}}
	for _, c := range []struct {
		m    proto.Message
		text string
	}{
		{bad, "string_value: invalid UTF-8"},
		{list, "values[1].string_value: invalid UTF-8"},
		{&structpb.Struct{Fields: map[string]*structpb.Value{"a": structpb.NewListValue(list)}}, `fields["a"].list_value.values[1].string_value: invalid UTF-8`},
		{structpb.NewStructValue(&structpb.Struct{Fields: map[string]*structpb.Value{"a \xff": nil}}), `struct_value.fields["a \xff"]: invalid UTF-8`},
	} {
		for _, deterministic := range []bool{false, true} {
			var e *Error
			if _, err := marshal(c.m, "", deterministic); !errors.Is(err, protoerr.ErrUTF8) || err.Error() != c.text ||
				!errors.As(err, &e) || e.Offset != -1 {
				t.Errorf("%v, want %s", err, c.text)
			}
		}
	}
}

// TestWriteSmallLimit writes trees that are large in comparison with the memory that is used again.
func TestWriteSmallLimit(t *testing.T) {
	defer func(limit int) { wire.Limit = limit }(wire.Limit)
	for _, wire.Limit = range []int{0, 1000, 5000, 50_000} {
		for _, v := range oddities() {
			checkWrite(t, v)
		}
		for s := range corpus.Shapes(t) {
			checkWrite(t, s.Tree)
		}
	}
}

// TestWriteItself writes and sizes trees that contain themselves.
func TestWriteItself(t *testing.T) {
	list := &structpb.ListValue{}
	list.Values = []*structpb.Value{structpb.NewListValue(list), structpb.NewListValue(list)}
	object := &structpb.Struct{}
	object.Fields = map[string]*structpb.Value{"a": structpb.NewStructValue(object),
		"b": structpb.NewStructValue(object)}
	for _, m := range []proto.Message{list, object} {
		if _, err := marshal(m, "", false); !errors.Is(err, protoerr.ErrDepth) {
			t.Errorf("%T: %v", m, err)
		}
		if n, ok := size(m); ok {
			t.Errorf("%T has the size %d", m, n)
		}
	}
}

func TestWriteAllocations(t *testing.T) {
	allocs.NeedExact(t)
	defer func(limit int) { wire.Limit = limit }(wire.Limit)
	wire.Limit = 8 << 20
	o := wire.Output{OutputState: new(wire.OutputState)}
	o.UsePooled()
	for s := range corpus.Shapes(t) {
		for _, deterministic := range []bool{false, true} {
			if n := testing.AllocsPerRun(20, func() {
				o.Resume()
				if _, err := WriteValue(o.OutputState, o.End, s.Tree, deterministic); err != nil {
					t.Error(err)
				}
			}); n != 0 {
				t.Errorf("%s, deterministic: %v: %v allocations", s.Name, deterministic, n)
			}
			if n := testing.AllocsPerRun(20, func() { _, _ = ValueSize(s.Tree) }); n != 0 {
				t.Errorf("%s: %v allocations for the size", s.Name, n)
			}
		}
	}
}
