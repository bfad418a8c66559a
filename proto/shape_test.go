package proto_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	official "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/editionpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/legacypb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/wellknownpb"
	"github.com/protean-pb/protean/proto"
)

// A shape is a message as services have them, the same each time.
type shape struct {
	name string
	m    proto.Message // with the open API
}

// shapes returns messages that are unlike one another.
func shapes() []shape {
	return []shape{
		{"leaf", &benchpb.Leaf{Id: 17, Name: "a name"}},
		{"wide", filled(new(benchpb.Wide))},
		{"optional", filled(new(benchpb.Optional))},
		{"required", filled(new(legacypb.Required))},
		{"many-required", filled(new(legacypb.ManyRequired))},
		{"presence", filled(new(editionpb.Presence))},
		{"sparse", filled(new(benchpb.Sparse))},
		{"strings", smallStrings()},
		{"long-text", &benchpb.Strings{A: strings.Repeat("plain text. ", 2000), B: strings.Repeat("Zürich, 日本. ", 1500)}},
		{"long-bytes", &benchpb.Strings{Blobs: [][]byte{make([]byte, 50_000), make([]byte, 100)}}},
		{"packed", packedLists()},
		{"expanded", expandedLists()},
		{"leaves", &benchpb.Packed{ListLeaf: leaves(100)}},
		{"maps", manyMaps()},
		{"map-of-messages", &benchpb.KeyMaps{LeafByString: byName(leaves(50))}},
		{"deep", deep()},
		{"tree", tree(5)},
		{"oneofs", oneofs(20)},
		{"order", order(5)},
		{"orders", &benchpb.Tree{Name: "one element each", Children: single(40)}},
		{"groups", groups(10)},
		{"extensions", extended()},
		{"event", event()},
		{"unknown", unknown()},
	}
}

// filled sets every field of m that is not a list or a map: numbers of
// one to five bytes, short texts.
func filled[M proto.Message](m M) M {
	fill(m.ProtoReflect(), rand.New(rand.NewPCG(7, 8)))
	return m
}

func fill(m protoreflect.Message, r *rand.Rand) {
	fds := m.Descriptor().Fields()
	for i := range fds.Len() {
		fd := fds.Get(i)
		switch {
		case fd.IsList() || fd.IsMap():
		case fd.Message() != nil:
			fill(m.Mutable(fd).Message(), r)
		default:
			m.Set(fd, scalar(fd, r))
		}
	}
}

func scalar(fd protoreflect.FieldDescriptor, r *rand.Rand) protoreflect.Value {
	n := r.Int32N(1 << r.IntN(31))
	switch fd.Kind() {
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(true)
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(fd.Enum().Values().Get(1).Number())
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return protoreflect.ValueOfInt32(n)
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return protoreflect.ValueOfUint32(uint32(n))
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return protoreflect.ValueOfInt64(int64(n))
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return protoreflect.ValueOfUint64(uint64(n))
	case protoreflect.FloatKind:
		return protoreflect.ValueOfFloat32(float32(n))
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(float64(n) / 7)
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(fmt.Sprintf("text %d", n))
	}
	return protoreflect.ValueOfBytes(fmt.Appendf(nil, "blob %d", n))
}

// each returns n values of f.
func each[T any](n int, f func(i int) T) []T {
	list := make([]T, n)
	for i := range list {
		list[i] = f(i)
	}
	return list
}

func leaves(n int) []*benchpb.Leaf {
	return each(n, func(i int) *benchpb.Leaf { return &benchpb.Leaf{Id: int32(i * i), Name: fmt.Sprint("leaf ", i)} })
}

func byName(list []*benchpb.Leaf) map[string]*benchpb.Leaf {
	m := map[string]*benchpb.Leaf{}
	for _, l := range list {
		m[l.Name] = l
	}
	return m
}

func smallStrings() *benchpb.Strings {
	word := func(i int) string { return strings.Repeat("word", 1+i%5) + fmt.Sprint(i) }
	return &benchpb.Strings{
		A: "a", B: "a longer text of some words", C: "Zürich", D: "evt_0123456789",
		List: each(30, word), Blobs: each(10, func(i int) []byte { return []byte(word(i)) }),
		Labels: each(15,
			func(i int) *benchpb.Label { return &benchpb.Label{Key: fmt.Sprint("key", i), Value: word(i)} }),
	}
}

func packedLists() *benchpb.Packed {
	const n = 100
	return &benchpb.Packed{
		ListDouble:  each(n, func(i int) float64 { return float64(i) / 3 }),
		ListInt32:   each(n, func(i int) int32 { return int32(i * i * 17) }),
		ListInt64:   each(n, func(i int) int64 { return int64(i) << (i % 40) }),
		ListSint32:  each(n, func(i int) int32 { return int32(50 - i) }),
		ListFixed32: each(n, func(i int) uint32 { return uint32(i) << 20 }),
		ListBool:    each(n, func(i int) bool { return i%3 == 0 }),
		ListColor:   each(n, func(i int) benchpb.Color { return benchpb.Color(i % 3) }),
	}
}

func expandedLists() *benchpb.Expanded {
	p := packedLists()
	return &benchpb.Expanded{
		ListDouble: p.ListDouble, ListInt32: p.ListInt32, ListInt64: p.ListInt64, ListSint32: p.ListSint32,
		ListFixed32: p.ListFixed32, ListBool: p.ListBool, ListColor: p.ListColor,
	}
}

func manyMaps() *benchpb.ValueMaps {
	m := &benchpb.ValueMaps{
		ToDouble: map[string]float64{}, ToInt64: map[string]int64{}, ToString: map[string]string{},
		ToBytes:      map[string][]byte{},
		BlobByNumber: map[int32][]byte{}, DoubleByNumber: map[uint64]float64{},
	}
	for i := range 20 {
		k := fmt.Sprint("key ", i)
		m.ToDouble[k], m.ToInt64[k], m.ToString[k], m.ToBytes[k] = float64(i), int64(i*i*i), "value of "+k, []byte(k)
		m.BlobByNumber[int32(i)], m.DoubleByNumber[uint64(i)] = []byte(k), float64(i)/3
	}
	return m
}

// deep fills twelve levels.
func deep() *benchpb.Deep {
	m := new(benchpb.Deep)
	for at := m.ProtoReflect(); ; {
		fds := at.Descriptor().Fields()
		if name := fds.ByName("name"); name != nil {
			at.Set(name, protoreflect.ValueOfString("level of "+string(at.Descriptor().Name())))
			at.Set(fds.ByName("level"), protoreflect.ValueOfInt32(7))
		}
		next := fds.ByName("next")
		if next == nil {
			next = fds.ByName("top")
		}
		if next == nil {
			return m
		}
		at = at.Mutable(next).Message()
	}
}

func tree(depth int) *benchpb.Tree {
	t := &benchpb.Tree{Name: fmt.Sprint("tree of ", depth)}
	if depth > 0 {
		t.Left, t.Right = tree(depth-1), tree(depth-1)
		t.Kind = &benchpb.Tree_Leaf{Leaf: &benchpb.Leaf{Id: int32(depth)}}
	}
	return t
}

// oneofs nests n messages, each in the oneof of the one before, which has another besides.
func oneofs(n int) *benchpb.Choice {
	m := &benchpb.Choice{Before: "before", After: "after"}
	switch n % 3 {
	case 0:
		m.Other = &benchpb.Choice_Text{Text: "some text"}
	case 1:
		m.Other = &benchpb.Choice_Leaf{Leaf: &benchpb.Leaf{Id: int32(n)}}
	}
	if n > 0 {
		m.Choice = &benchpb.Choice_OneSelf{OneSelf: oneofs(n - 1)}
	} else {
		m.Choice = &benchpb.Choice_OneFar{OneFar: 9}
	}
	return m
}

func order(lines int) *benchpb.Order {
	return &benchpb.Order{
		Id: 1 << 50, Customer: "customer 4711",
		Shipping: &benchpb.Order_Address{Street: "Main Street 1", City: "Springfield", Zip: "12345", Country: "US"},
		Billing:  &benchpb.Order_Address{Street: "Bahnhofstrasse 20", City: "Zürich", Zip: "8001", Country: "CH"},
		Lines: each(lines, func(i int) *benchpb.Order_Line {
			l := &benchpb.Order_Line{Sku: fmt.Sprint("SKU-", 1000+i), Quantity: int32(i), Price: 9.99,
				Tags: []string{"new", "sale"}, Gift: proto.Bool(i%2 == 0)}
			l.Attributes = map[string]string{"color": "red", "size": "XL"}
			return l
		}),
		State: benchpb.Color_COLOR_GREEN, Balance: -12345, Trace: []uint64{1, 2, 1 << 60},
		Counters: map[string]int64{"views": 12, "clicks": 3},
		Payment:  &benchpb.Order_Card{Card: "4111-1111"}, Express: true, Discount: 0.5,
		Note: proto.String("leave at the door"),
	}
}

// single returns lists of one element each.
func single(n int) []*benchpb.Tree {
	return each(n, func(i int) *benchpb.Tree {
		return &benchpb.Tree{Name: fmt.Sprint(i), Children: []*benchpb.Tree{{Name: "only child"}}}
	})
}

func groups(n int) *legacypb.Groups {
	m := &legacypb.Groups{
		Single: &legacypb.Groups_Single{One: proto.Int32(1), Far: proto.String("far")},
		Choice: &legacypb.Groups_Chosen_{Chosen: &legacypb.Groups_Chosen{Name: proto.String("chosen")}},
		Last:   &legacypb.Groups_Last{Number: proto.Float64(1.5)},
	}
	m.Many = each(n, func(i int) *legacypb.Groups_Many {
		return &legacypb.Groups_Many{Id: proto.Int32(int32(i)), Groups: &legacypb.Groups{Single: m.Single}}
	})
	return m
}

func extended() *legacypb.Extendable {
	m := &legacypb.Extendable{Id: proto.Int32(1), Name: proto.String("name")}
	proto.SetExtension(m, legacypb.E_ExtInt32, int32(7))
	proto.SetExtension(m, legacypb.E_ExtString, "an extension")
	proto.SetExtension(m, legacypb.E_ExtLeaf, &legacypb.Leaf{Id: proto.Int32(3), Name: proto.String("leaf")})
	proto.SetExtension(m, legacypb.E_ExtPackedInt32, []int32{1, 2, 3, 400, 500})
	return m
}

func event() *wellknownpb.Event {
	payload, err := structpb.NewStruct(map[string]any{
		"id": "evt_1", "actor": map[string]any{"email": "ann@example.com", "verified": true}, "tags": []any{"web", "eu", 12.5, nil},
	})
	if err != nil {
		panic(err)
	}
	detail, err := anypb.New(wrapperspb.String("detail"))
	if err != nil {
		panic(err)
	}
	return &wellknownpb.Event{
		Id: "evt_1", At: &timestamppb.Timestamp{Seconds: 1_772_000_000, Nanos: 5}, Payload: payload, Detail: detail,
		Arguments: []*structpb.Value{structpb.NewNumberValue(1), structpb.NewStringValue("two"),
			structpb.NewStructValue(payload)},
		Note:   wrapperspb.String("note"),
		Causes: []*wellknownpb.Event{{Id: "evt_0", At: &timestamppb.Timestamp{Seconds: 1_771_000_000}}},
	}
}

// unknown is a message from a writer with a newer schema: twenty fields that this one lacks.
func unknown() *benchpb.Leaf {
	m := &benchpb.Leaf{Name: "known"}
	var b []byte
	for i := range 20 {
		b = protowire.AppendTag(b, protowire.Number(100+i), protowire.BytesType)
		b = protowire.AppendString(b, fmt.Sprint("field ", i))
	}
	m.ProtoReflect().SetUnknown(b)
	return m
}

// A way is how the types are made that messages of a shape are read into.
type way struct {
	name string
	// news returns a maker of messages for the official library, and one for this module;
	// nil if the type cannot be had.
	news func(protoreflect.MessageDescriptor) (theirs, ours func() proto.Message)
}

var ways = []way{
	{"generated", func(md protoreflect.MessageDescriptor) (theirs, ours func() proto.Message) {
		return generated(md.FullName())
	}},
	{"opaque", func(md protoreflect.MessageDescriptor) (theirs, ours func() proto.Message) {
		return generated("opaque." + md.FullName())
	}},
	{"dynamic", func(md protoreflect.MessageDescriptor) (theirs, ours func() proto.Message) {
		t := dynamic.NewType(md)
		return func() proto.Message { return dynamicpb.NewMessage(md) }, func() proto.Message { return t.New() }
	}},
}

func generated(name protoreflect.FullName) (theirs, ours func() proto.Message) {
	mt, err := protoregistry.GlobalTypes.FindMessageByName(name)
	if err != nil {
		return nil, nil
	}
	make := func() proto.Message { return mt.New().Interface() }
	return make, make
}

// eachShape runs test for every shape and way: with the wire form, and makers of empty
// messages.
func eachShape[T testing.TB](
	t T, run func(name string, test func(T)) bool, test func(t T, wire []byte, theirs, ours func() proto.Message),
) {
	for _, s := range shapes() {
		wire, err := official.MarshalOptions{Deterministic: true}.Marshal(s.m)
		if err != nil {
			t.Fatal(s.name, err)
		}
		for _, w := range ways {
			theirs, ours := w.news(s.m.ProtoReflect().Descriptor())
			if theirs == nil {
				continue
			}
			run("shape="+s.name+"/kind="+w.name, func(t T) { test(t, wire, theirs, ours) })
		}
	}
}

// TestManyEmpty writes lists of values that take no room of their own, beyond the end of any
// buffer.
func TestManyEmpty(t *testing.T) {
	for n := 1; n < 100_000; n = 3*n + 7 {
		for _, m := range []proto.Message{
			&benchpb.Strings{List: make([]string, n)},
			&benchpb.Strings{Blobs: make([][]byte, n)},
			&benchpb.Tree{Children: slices.Repeat([]*benchpb.Tree{nil}, n)},
			&benchpb.Packed{ListBool: make([]bool, n)},
			structpb.NewListValue(&structpb.ListValue{Values: make([]*structpb.Value, n)}),
		} {
			got, err := proto.Marshal(m)
			want, wantErr := official.Marshal(m)
			if err != nil || wantErr != nil || !bytes.Equal(got, want) {
				t.Errorf("%T of %d: %v, official: %v; %d bytes, official: %d", m, n, err, wantErr, len(got), len(want))
			}
		}
	}
}

// TestMarshalLengths writes messages of all lengths about those at which it is decided where
// to write, the short and the long ones mixed, and looks at the results when all are written:
// nothing else may have got their memory.
func TestMarshalLengths(t *testing.T) {
	type pair struct{ got, want []byte }
	var all []pair
	for i := range 3000 {
		n := i * 611 % 1000
		m := &benchpb.Order{Shipping: &benchpb.Order_Address{Street: strings.Repeat("x", n/3)},
			Customer: strings.Repeat("é", n/3)}
		got, err := proto.Marshal(m)
		want, wantErr := official.Marshal(m)
		if err != nil || wantErr != nil {
			t.Fatalf("length %d: %v, official: %v", n, err, wantErr)
		}
		all = append(all, pair{got, want})
		if m.Customer += "\xff"; i%7 == 0 {
			if _, err := proto.Marshal(m); !errors.Is(err, proto.ErrUTF8) {
				t.Fatalf("length %d: %v", n, err)
			}
		}
	}
	for _, p := range all {
		if !bytes.Equal(p.got, p.want) {
			t.Errorf("%q, official: %q", p.got, p.want)
		}
	}
}
