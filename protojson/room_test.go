package protojson_test

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/internal/test/race"
	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/legacypb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/wellknownpb"
	"github.com/protean-pb/protean/protojson"
)

// A row is a message with n elements in a list, and the text of one of them.
type row struct {
	name    string
	make    func(n int) proto.Message
	element string
}

func values(kind func() *structpb.Value) func(n int) proto.Message {
	return func(n int) proto.Message {
		return &structpb.ListValue{Values: slices.Repeat([]*structpb.Value{kind()}, n)}
	}
}

// rows have elements that are as short as may be, or as long as may be without memory of their
// own: what is written before there is room for it goes wrong there.
var rows = []row{
	{"strings", func(n int) proto.Message { return &benchpb.Strings{List: make([]string, n)} }, `""`},
	{"strings of a letter", func(n int) proto.Message { return &benchpb.Strings{List: slices.Repeat([]string{"a"}, n)} }, `"a"`},
	{"escapes", func(n int) proto.Message { return &benchpb.Strings{List: slices.Repeat([]string{"\x01\n\""}, n)} }, `"\u0001\n\""`},
	{"long strings", func(n int) proto.Message {
		return &benchpb.Strings{List: slices.Repeat([]string{strings.Repeat("long", 20)}, n)}
	}, `"` + strings.Repeat("long", 20) + `"`},
	{"bytes", func(n int) proto.Message { return &benchpb.Strings{Blobs: make([][]byte, n)} }, `""`},
	{"some bytes", func(n int) proto.Message { return &benchpb.Strings{Blobs: slices.Repeat([][]byte{{1, 2, 3, 4}}, n)} }, `"AQIDBA=="`},
	{"messages", func(n int) proto.Message { return &benchpb.Tree{Children: slices.Repeat([]*benchpb.Tree{{}}, n)} }, `{}`},
	{"messages in messages", func(n int) proto.Message {
		return &benchpb.Tree{Children: slices.Repeat(
			[]*benchpb.Tree{{Left: &benchpb.Tree{Left: &benchpb.Tree{Left: &benchpb.Tree{}}}}}, n)}
	}, `{"left":{"left":{"left":{}}}}`},
	{"maps", func(n int) proto.Message {
		return &benchpb.Tree{Children: slices.Repeat([]*benchpb.Tree{{ByName: map[string]*benchpb.Tree{"": nil}}}, n)}
	}, `{"byName":{"":{}}}`},
	{"bools", func(n int) proto.Message { return &benchpb.Packed{ListBool: make([]bool, n)} }, `false`},
	{"int32", func(n int) proto.Message { return &benchpb.Packed{ListInt32: make([]int32, n)} }, `0`},
	{"long int32", func(n int) proto.Message { return &benchpb.Packed{ListInt32: slices.Repeat([]int32{math.MinInt32}, n)} }, `-2147483648`},
	{"int64", func(n int) proto.Message { return &benchpb.Packed{ListInt64: make([]int64, n)} }, `"0"`},
	{"long int64", func(n int) proto.Message { return &benchpb.Packed{ListInt64: slices.Repeat([]int64{math.MinInt64}, n)} }, `"-9223372036854775808"`},
	{"doubles", func(n int) proto.Message { return &benchpb.Packed{ListDouble: make([]float64, n)} }, `0`},
	{"long doubles", func(n int) proto.Message {
		return &benchpb.Packed{ListDouble: slices.Repeat([]float64{-1.2345678901234567e-6}, n)}
	}, `-0.0000012345678901234567`},
	{"NaN", func(n int) proto.Message {
		return &benchpb.Packed{ListFloat: slices.Repeat([]float32{float32(math.NaN())}, n)}
	}, `"NaN"`},
	{"infinite", func(n int) proto.Message {
		return &benchpb.Packed{ListFloat: slices.Repeat([]float32{float32(math.Inf(-1))}, n)}
	}, `"-Infinity"`},
	{"enums", func(n int) proto.Message { return &benchpb.Packed{ListColor: make([]benchpb.Color, n)} }, `"COLOR_UNSPECIFIED"`},
	{"numbers of enums", func(n int) proto.Message { return &benchpb.Packed{ListColor: slices.Repeat([]benchpb.Color{5}, n)} }, `5`},
	{"groups", func(n int) proto.Message {
		return &legacypb.Groups{Many: slices.Repeat([]*legacypb.Groups_Many{{}}, n)}
	}, `{}`},
	{"extensions", func(n int) proto.Message {
		return extended(&legacypb.Extendable{}, legacypb.E_ExtListString, make([]string, n))
	}, `""`},
	{"extension messages", func(n int) proto.Message {
		return extended(&legacypb.Extendable{}, legacypb.E_ExtListLeaf, slices.Repeat([]*legacypb.Leaf{{}}, n))
	}, `{}`},
	{"null", values(structpb.NewNullValue), `null`},
	{"values", values(func() *structpb.Value { return structpb.NewNumberValue(0) }), `0`},
	{"texts", values(func() *structpb.Value { return structpb.NewStringValue("") }), `""`},
	{"lists", values(func() *structpb.Value { return structpb.NewListValue(nil) }), `[]`},
	{"objects", values(func() *structpb.Value { return structpb.NewStructValue(nil) }), `{}`},
	{"objects of one", values(func() *structpb.Value {
		return structpb.NewStructValue(
			&structpb.Struct{Fields: map[string]*structpb.Value{"": structpb.NewBoolValue(true)}})
	}), `{"":true}`},
	{"timestamps", func(n int) proto.Message {
		return &wellknownpb.Repeated{ListTimestamp: slices.Repeat([]*timestamppb.Timestamp{{Nanos: 1}}, n)}
	}, `"1970-01-01T00:00:00.000000001Z"`},
	{"durations", func(n int) proto.Message {
		return &wellknownpb.Repeated{ListDuration: slices.Repeat(
			[]*durationpb.Duration{{Seconds: -315576000000, Nanos: -1}}, n)}
	}, `"-315576000000.000000001s"`},
	{"wrappers", func(n int) proto.Message {
		return &wellknownpb.Repeated{ListString: slices.Repeat([]*wrapperspb.StringValue{{}}, n)}
	}, `""`},
	{"empty", func(n int) proto.Message {
		return &wellknownpb.Repeated{ListEmpty: slices.Repeat([]*emptypb.Empty{{}}, n)}
	}, `{}`},
	{"Any", func(n int) proto.Message { return &wellknownpb.Repeated{ListAny: slices.Repeat([]*anypb.Any{{}}, n)} }, `{}`},
	{"Any with Empty", func(n int) proto.Message {
		return &wellknownpb.Repeated{ListAny: slices.Repeat([]*anypb.Any{{TypeUrl: "google.protobuf.Empty"}}, n)}
	}, `{"@type":"google.protobuf.Empty"}`},
}

// TestMarshalGrowsItsBuffer writes many elements, so that every one of them comes upon the end of a buffer
// somewhere, and reads them again.
func TestMarshalGrowsItsBuffer(t *testing.T) {
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			n, shifts := 50_000/len(r.element), 8
			if race.Brief() {
				n, shifts = n/8, 1
			}
			m := r.make(n)
			runtime.GC()
			runtime.GC() // so that the buffers are as short as they are at first
			checkRow(t, r, m, n, protojson.MarshalOptions{})
			checkRow(t, r, sameDynamic(m), n, protojson.MarshalOptions{})
			for shift := range shifts { // at which the elements are written
				a := &anypb.Any{TypeUrl: strings.Repeat("x", shift) + "/" +
					string(m.ProtoReflect().Descriptor().FullName()), Value: wire(t, m)}
				checkRow(t, r, a, n, protojson.MarshalOptions{})
				checkRow(t, r, a, n, protojson.MarshalOptions{Resolver: linkedTypes})
			}
		})
	}
}

// sameDynamic is a dynamic message like m.
func sameDynamic(m proto.Message) proto.Message {
	same := kinds[1].New(m.ProtoReflect().Type())
	proto.Merge(same, m)
	return same
}

func checkRow(t *testing.T, r row, m proto.Message, n int, o protojson.MarshalOptions) {
	t.Helper()
	text, err := o.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	got := string(text)
	before, after, _ := strings.Cut(":"+got, ":[")
	if want := strings.Repeat(r.element+",", n-1) + r.element + "]"; !strings.HasPrefix(after, want) ||
		len(before) > 200 || len(after) > len(want)+1 {
		t.Fatalf("%T of %d elements: %.300s, want elements %s", m, n, got, r.element)
	}
	back := m.ProtoReflect().New().Interface()
	if err := (protojson.UnmarshalOptions{Resolver: o.Resolver}).Unmarshal(text, back); err != nil {
		t.Fatal(err)
	}
	if again, err := o.Marshal(back); err != nil || string(again) != got {
		t.Fatalf("%T of %d elements, read again: %.300s, %v", m, n, again, err)
	}
}

// TestMarshalGrowsItsBufferForBrackets closes many brackets one after the other.
func TestMarshalGrowsItsBufferForBrackets(t *testing.T) {
	for depth := 1; depth < 2_000; depth += 1 + depth/3 {
		if race.Brief() && depth > 1_000 {
			break
		}
		tree, value := &benchpb.Tree{}, structpb.NewListValue(nil)
		for range depth {
			tree = &benchpb.Tree{Children: []*benchpb.Tree{tree}}
			value = structpb.NewListValue(&structpb.ListValue{Values: []*structpb.Value{value}})
		}
		runtime.GC()
		runtime.GC()
		for want, m := range map[string]proto.Message{
			nested(depth, `{"children":[`, `{}`, `]}`): tree, nested(depth, `[`, `[]`, `]`): value,
		} {
			for _, m := range []proto.Message{m, sameDynamic(m)} {
				if got, err := protojson.Marshal(m); err != nil || string(got) != want {
					t.Fatalf("%T of depth %d: %.100s, %v", m, depth, got, err)
				}
			}
		}
	}
}

// TestRoomForNames writes names of many lengths, so that each of them comes upon the end of a
// buffer somewhere, before a number that is as long as may be.
func TestRoomForNames(t *testing.T) {
	for n := 1; n < 100; n++ {
		if race.Brief() && n%8 > 1 {
			continue
		}
		name := strings.Repeat("x", n)
		md := compile(t, fmt.Sprintf(`
			name: "long.proto" package: "long" syntax: "proto3"
			message_type {
				name: "M"
				field { name: "%[1]s" number: 1 label: LABEL_OPTIONAL type: TYPE_INT64 }
				field { name: "%[1]sm" number: 2 label: LABEL_OPTIONAL type: TYPE_MESSAGE type_name: ".long.M" }
			}`, name)).ByName("M")
		m := dynamic.NewMessage(md)
		number, sub := md.Fields().Get(0), md.Fields().Get(1)
		const depth = 60
		at := m.ProtoReflect()
		for range depth {
			at.Set(number, protoreflect.ValueOfInt64(math.MinInt64))
			at = at.Mutable(sub).Message()
		}
		runtime.GC()
		runtime.GC()
		want := nested(depth, `{"`+name+`":"-9223372036854775808","`+name+`m":`, `{}`, `}`)
		if got, err := protojson.Marshal(m); err != nil || string(got) != want {
			t.Fatalf("a name of %d letters: %s, %v", n, got, err)
		}
	}
}
