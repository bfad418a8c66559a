package proto_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	official "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/internal/test/allocs"
	"github.com/protean-pb/protean/internal/test/race"
	"github.com/protean-pb/protean/internal/testpb"
	opaquebenchpb "github.com/protean-pb/protean/internal/testpb/gen/opaque/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/wire"
	"github.com/protean-pb/protean/proto"
)

// checkSize compares the size of m with the official library's, and with what is written: into a slice that has room
// for just that.
func checkSize(t *testing.T, m proto.Message) {
	t.Helper()
	same := m
	if _, ok := m.(*dynamic.Message); ok {
		same = emptyOfficial(m)
		official.Merge(same, m)
	}
	n := proto.Size(m)
	if want := official.Size(same); n != want {
		t.Fatalf("Size of %v is %d, official: %d", m, n, want)
	}
	wire, err := official.MarshalOptions{AllowPartial: true}.Marshal(same)
	if err == nil && len(wire) != n {
		return // a message set: the official Size counts unknown fields that Marshal leaves out, and it is left to that
	}
	if got := (proto.MarshalOptions{Deterministic: true, AllowPartial: true, UseCachedSize: true}).Size(m); got != n {
		t.Fatalf("Size with options is %d, without %d", got, n)
	}
	for _, before := range []int{0, 1, 300} {
		for _, more := range []int{0, 1, 500} {
			checkInPlace(t, m, n, before, more)
		}
	}
}

// checkInPlace appends m, which has that size, to as many bytes as before says, with room for m and more.
func checkInPlace(t *testing.T, m proto.Message, size, before, more int) {
	t.Helper()
	o := proto.MarshalOptions{Deterministic: true, AllowPartial: true}
	want, wantErr := o.Marshal(m)
	all := bytes.Repeat([]byte{0xa5}, before+size+more)
	b, err := o.MarshalAppend(all[:before:before+size], m)
	if (err != nil) != (wantErr != nil) {
		t.Fatalf("MarshalAppend: %v, Marshal: %v", err, wantErr)
	}
	if wantErr != nil {
		return
	}
	if len(want) != size || len(b) != before+size || !bytes.Equal(b[before:], want) {
		t.Fatalf("MarshalAppend to %d bytes, of size %d: %x, Marshal: %x", before, size, b, want)
	}
	if len(all) > 0 && len(b) > 0 && &b[0] != &all[0] {
		t.Fatalf("MarshalAppend to %d bytes with room for %d is not in place", before, size)
	}
	for i, x := range all {
		if x != 0xa5 && (i < before || i >= before+size) {
			t.Fatalf("MarshalAppend to %d bytes with room for %d has changed byte %d", before, size, i)
		}
	}
}

func TestSizeRandom(t *testing.T) {
	eachType(t, func(t *testing.T, k kind, mt protoreflect.MessageType) {
		r := rand.New(rand.NewPCG(5, 6))
		for range race.Rounds(10) {
			m := k.New(mt)
			testpb.Fill(m.ProtoReflect(), r, 1+r.IntN(40))
			checkSize(t, m)
		}
	})
}

// TestSizeShapes has messages that are unlike one another, and what the official library writes of them into messages
// of descriptors alone.
func TestSizeShapes(t *testing.T) {
	for _, s := range shapes() {
		t.Run(s.name, func(t *testing.T) {
			checkSize(t, s.m)
			b, err := official.Marshal(s.m)
			if err != nil {
				t.Fatal(err)
			}
			d := dynamic.NewMessage(s.m.ProtoReflect().Descriptor())
			if err := proto.Unmarshal(b, d); err != nil {
				t.Fatal(err)
			}
			checkSize(t, d)
		})
	}
}

// TestSizeSmallLimit has memory that is used again for few bytes only, so that most messages are written where they are
// to be in the end.
func TestSizeSmallLimit(t *testing.T) {
	defer func(limit int) { wire.Limit = limit }(wire.Limit)
	r := rand.New(rand.NewPCG(7, 8))
	for _, wire.Limit = range []int{500, 0, 2000}[:race.Rounds(3)] {
		for _, s := range shapes() {
			checkSize(t, s.m)
			checkMarshal(t, s.m)
		}
		for _, c := range choices() {
			m := c.Empty()
			testpb.Fill(m.ProtoReflect(), r, 1+r.IntN(40))
			checkSize(t, m)
			checkMarshal(t, m)
		}
	}
}

// TestSizeNil has what is nil in all places.
func TestSizeNil(t *testing.T) {
	if n := proto.Size(nil); n != 0 {
		t.Errorf("the size of nil is %d", n)
	}
	for _, m := range []proto.Message{
		(*benchpb.Tree)(nil), (*structpb.Value)(nil), (*structpb.Struct)(nil),
		dynamic.NewType((*benchpb.Tree)(nil).ProtoReflect().Descriptor()).MessageType().Zero().Interface(),
		&benchpb.Tree{Children: []*benchpb.Tree{nil, {}, nil}},
		&benchpb.KeyMaps{LeafByString: map[string]*benchpb.Leaf{"nil": nil, "": {}}},
		&structpb.ListValue{Values: []*structpb.Value{nil, {Kind: (*structpb.Value_NumberValue)(nil)},
			{Kind: &structpb.Value_ListValue{}}}},
	} {
		if _, ok := m.(*dynamic.Message); !ok {
			checkSize(t, m)
		} else if n := proto.Size(m); n != 0 {
			t.Errorf("the size of an absent message is %d", n)
		}
	}
}

// TestSizeLazy has messages with lazy fields, read from wire form that is longer than it need be, before and after the
// fields are decoded.
func TestSizeLazy(t *testing.T) {
	overlong := []byte{4<<3 | 2, 0x86, 0x80, 0x00, 3<<3 | 2, 0x83, 0x00, 0, 1, 2} // a packed list in a lazy field
	b := append([]byte{1<<3 | 2, 1, 'x'}, overlong...)
	md := (*opaquebenchpb.Lazy)(nil).ProtoReflect().Descriptor()
	self := md.Fields().ByName("self")
	for _, decoded := range []bool{false, true} {
		m, holder := new(opaquebenchpb.Lazy), dynamic.NewMessage(md)
		if err := proto.Unmarshal(b, m); err != nil {
			t.Fatal(err)
		}
		if decoded {
			m.GetPacked()
		}
		holder.Set(self, protoreflect.ValueOfMessage(m.ProtoReflect()))
		for _, m := range []proto.Message{m, holder} {
			n := proto.Size(m)
			if _, generated := m.(*opaquebenchpb.Lazy); generated && n != official.Size(m) {
				t.Errorf("decoded: %v: the size is %d, official: %d", decoded, n, official.Size(m))
			}
			room := make([]byte, 0, n)
			if got, err := (proto.MarshalOptions{}).MarshalAppend(room, m); err != nil || len(got) == 0 ||
				len(got) > n || &got[0] != &room[:1][0] {
				t.Errorf("decoded: %v: %d bytes of size %d, not in place, or %v", decoded, len(got), n, err)
			}
		}
	}
}

// TestSizeItself has messages that contain themselves.
func TestSizeItself(t *testing.T) {
	m := &benchpb.Tree{Name: "name"}
	m.Children = []*benchpb.Tree{m, m}
	v := &structpb.ListValue{}
	v.Values = []*structpb.Value{structpb.NewListValue(v), structpb.NewListValue(v)}
	for _, m := range []proto.Message{m, v} {
		if n := proto.Size(m); n != 0 {
			t.Errorf("the size of %T is %d", m, n)
		}
	}
}

// TestSizeAllocations sees that nothing is allocated for the size of a message of any shape.
func TestSizeAllocations(t *testing.T) {
	allocs.NeedExact(t)
	for _, s := range shapes() {
		if n := allocations(func() { proto.Size(s.m) }); n != 0 {
			t.Errorf("%s: %v allocations", s.name, n)
		}
	}
}
