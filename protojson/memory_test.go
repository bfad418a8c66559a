package protojson_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"testing"

	official "google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/protean-pb/protean/internal/test/allocs"
	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/legacypb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/wellknownpb"
	"github.com/protean-pb/protean/protojson"
)

func order(lines int) *benchpb.Order {
	m := &benchpb.Order{
		Id: 1 << 50, Customer: "customer 4711",
		Shipping: &benchpb.Order_Address{Street: "Main Street 1", City: "Zürich", Zip: "12345"},
		State:    benchpb.Color_COLOR_GREEN, Balance: -12345, Trace: []uint64{1, 2, 1 << 60},
		Counters: map[string]int64{"views": 12, "clicks": 3},
		Payment:  &benchpb.Order_Card{Card: "4111-1111"}, Express: true, Discount: 0.5,
		Note: proto.String("leave at the door"),
	}
	for i := range lines {
		m.Lines = append(m.Lines, &benchpb.Order_Line{
			Sku: fmt.Sprint("SKU-", 1000+i), Quantity: int32(i), Price: 9.99, Tags: []string{"new", "sale"},
			Gift:       proto.Bool(i%2 == 0),
			Attributes: map[string]string{"color": "red", "size": "XL"},
		})
	}
	return m
}

// counted are messages, with the number of allocations that it takes at most to read each:
// one for the message itself, some for the text and bytes in it, and for each list, map and
// sort of message.
var counted = []struct {
	m         proto.Message
	unmarshal float64
}{
	{&benchpb.Leaf{Id: 17, Name: "a name"}, 2},
	{order(5), 40},
	{&benchpb.Packed{ListDouble: []float64{1, 2.5, 1e100}, ListInt32: []int32{1, 2, 3}, ListInt64: []int64{1, 1 << 60}, ListBytes: [][]byte{{1}, {2, 3}}, ListString: []string{"a", "b\n"}}, 8},
	{&benchpb.KeyMaps{ByInt32: map[int32]string{1: "a", 2: "b"}, ByString: map[string]string{"a": "1", "b": "2"}}, 8},
	{&legacypb.Leaf{Id: proto.Int32(1), Name: proto.String("x")}, 4},
	{&wellknownpb.Event{Id: "evt_1", At: &timestamppb.Timestamp{Seconds: 1_772_000_000, Nanos: 5}, Note: wrapperspb.String("note")}, 5},
	{structpb.NewStructValue(structOf(map[string]any{"id": "evt_1", "tags": []any{"web", "eu", 12.5, nil}, "actor": map[string]any{"name": "Ann", "verified": true}})), 16},
}

// TestAllocations pins how many allocations messages take: a text is written in one, or in
// none if there is room.
func TestAllocations(t *testing.T) {
	allocs.NeedExact(t)
	for _, c := range counted {
		for _, m := range forms(t, c.m) {
			if _, foreign := m.(*dynamicpb.Message); !foreign {
				checkAllocations(t, m, c.unmarshal)
			}
		}
	}
}

func checkAllocations(t *testing.T, m proto.Message, unmarshal float64) {
	t.Helper()
	text, err := protojson.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	if got := allocations(t, func() error { _, err := protojson.Marshal(m); return err }); got != 1 {
		t.Errorf("%T: Marshal: %v allocations, 1 wanted", m, got)
	}
	room := make([]byte, 0, 2*len(text))
	if got := allocations(t,
		func() error { _, err := protojson.MarshalOptions{}.MarshalAppend(room, m); return err }); got != 0 {
		t.Errorf("%T: MarshalAppend with room: %v allocations", m, got)
	}
	empty := func() proto.Message { return m.ProtoReflect().Type().New().Interface() }
	got := allocations(t, func() error { return protojson.Unmarshal(text, empty()) })
	if got > unmarshal || got < 1 {
		t.Errorf("%T: Unmarshal: %v allocations, at most %v wanted", m, got, unmarshal)
	}
	if theirs := allocations(t, func() error { return official.Unmarshal(text, emptyOfficial(m)) }); got > theirs/4 &&
		got > 4 {
		t.Errorf("%T: Unmarshal: %v allocations, official %v", m, got, theirs)
	}
}

func allocations(t *testing.T, f func() error) float64 {
	t.Helper()
	return testing.AllocsPerRun(50, func() {
		if err := f(); err != nil {
			t.Fatal(err)
		}
	})
}

// TestUnmarshalKeepsNothingOfTheText overwrites the text that messages were read from, and reads others: they stay as
// they are.
func TestUnmarshalKeepsNothingOfTheText(t *testing.T) {
	for _, c := range counted {
		for _, m := range forms(t, c.m) {
			text, err := protojson.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			kept := m.ProtoReflect().New().Interface()
			if err := protojson.Unmarshal(text, kept); err != nil {
				t.Fatal(err)
			}
			for i := range text {
				text[i] = 'x'
			}
			for range 10 { // which take what goes back to pools
				_ = protojson.Unmarshal([]byte(`{"name":"\u0041\u0041","listString":["\u0041","\n"],"listBytes":["AAAA"],"byString":{"\u0041":"\u0042"}`), m.ProtoReflect().New().Interface())
			}
			if !proto.Equal(kept, m) {
				t.Errorf("%T: %v has become %v", m, m, kept)
			}
		}
	}
}

// TestCapacity checks that appending to what was read changes nothing else in the message.
func TestCapacity(t *testing.T) {
	m := new(benchpb.Strings)
	if err := protojson.Unmarshal([]byte(`{"blobs":["b25l","dHdv","","dGhyZWU="],"a":"text","list":["x"]}`), m); err != nil {
		t.Fatal(err)
	}
	for _, b := range m.Blobs {
		if b == nil {
			t.Errorf("%q is nil", b)
		}
		_ = append(b, "overwritten"...)
	}
	if string(m.Blobs[1]) != "two" || string(m.Blobs[3]) != "three" || m.A != "text" || m.List[0] != "x" {
		t.Errorf("an append has changed the message: %v", m)
	}
}

// TestBytesBesideText reads bytes of lengths around those of chunks and of what has memory of its own. Their base64 is
// padded, so that there is room behind them, which may be used for what follows; nothing else may.
func TestBytesBesideText(t *testing.T) {
	for _, n := range []int{4, 100, 8 << 10, 16 << 10, 64 << 10} {
		for d := -2; d <= 2; d++ {
			blob := bytes.Repeat([]byte{0xa5}, n+d)
			want := &benchpb.Strings{A: "the first", List: []string{"one", "another"},
				Blobs: [][]byte{{1}, blob, {2, 3}, blob}, B: "the last"}
			text := fmt.Appendf(nil, `{"a":%q,"blobs":["AQ==",%q,"AgM=",%[2]q],"list":["one","another"],"b":%q}`,
				want.A, base64.StdEncoding.EncodeToString(blob), want.B)
			for range 3 { // it learns
				got := new(benchpb.Strings)
				if err := protojson.Unmarshal(text, got); err != nil || !proto.Equal(got, want) {
					t.Fatalf("%d bytes: %v (%v)", n+d, got, err)
				}
			}
		}
	}
}
