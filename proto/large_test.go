package proto_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	official "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/test/allocs"
	"github.com/protean-pb/protean/internal/test/race"
	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/legacypb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/wellknownpb"
	"github.com/protean-pb/protean/internal/wire"
	"github.com/protean-pb/protean/proto"
)

// large returns messages of that many bytes, more or less.
func large(size int) []shape {
	r := rand.New(rand.NewPCG(9, 10))
	text := func(n int) string { return strings.Repeat("text ", n/5+1) }
	values := &structpb.ListValue{Values: each(size/50, func(i int) *structpb.Value {
		return structpb.NewStructValue(&structpb.Struct{Fields: map[string]*structpb.Value{
			"number": structpb.NewNumberValue(float64(i)), "text": structpb.NewStringValue(text(i % 30)),
		}})
	})}
	unknown := new(benchpb.Leaf)
	unknown.ProtoReflect().SetUnknown(protowire.AppendString(protowire.AppendTag(nil, 1000, protowire.BytesType),
		text(size)))
	extended := &legacypb.Extendable{}
	proto.SetExtension(extended, legacypb.E_ExtString, text(size/2))
	proto.SetExtension(extended, legacypb.E_ExtPackedInt32, make([]int32, size/2))
	return []shape{
		{"text", &benchpb.Strings{A: text(size), B: "short"}},
		{"bytes", &benchpb.Strings{A: "short", Blobs: [][]byte{make([]byte, size), {}, {1, 2}}}},
		{"texts", &benchpb.Strings{List: each(size/100, func(i int) string { return text(i % 200) })}},
		{"messages", &benchpb.Packed{ListLeaf: leaves(size / 20)}},
		{"varints", &benchpb.Packed{ListUint64: each(size/5, func(int) uint64 { return r.Uint64() >> r.IntN(64) })}},
		{"fixed", &benchpb.Packed{ListFixed64: make([]uint64, size/8)}},
		{"map", &benchpb.KeyMaps{LeafByString: byName(leaves(size / 30))}},
		{"trees", &benchpb.Tree{Name: "trees", Children: each(size/2000, func(int) *benchpb.Tree { return tree(5) })}},
		{"groups", groups(size / 40)},
		{"values", values},
		{"value", structpb.NewListValue(values)},
		{"text in a value", structpb.NewStringValue(text(size))},
		{"values in a message", &wellknownpb.Event{Id: "event", Arguments: values.Values, Causes: []*wellknownpb.Event{{Arguments: values.Values[:10]}}}},
		{"unknown", unknown},
		{"extensions", extended},
	}
}

// TestMarshalLarge writes messages for which there is no memory that is used again: in one allocation, and in none if
// there is room for them.
func TestMarshalLarge(t *testing.T) {
	for _, size := range []int{wire.Limit / 10, wire.Limit, 4 * wire.Limit} {
		if size > wire.Limit && (testing.Short() || race.Enabled) {
			continue
		}
		for _, s := range large(size) {
			t.Run(fmt.Sprint(s.name, "/", size), func(t *testing.T) {
				want, err := official.MarshalOptions{Deterministic: true}.Marshal(s.m)
				if err != nil {
					t.Fatal(err)
				}
				o := proto.MarshalOptions{Deterministic: true}
				if got, err := o.Marshal(s.m); err != nil || !bytes.Equal(got, want) {
					t.Fatalf("%d bytes that are not the official library's %d; %v", len(got), len(want), err)
				}
				if got := proto.Size(s.m); got != len(want) {
					t.Fatalf("the size is %d, want %d", got, len(want))
				}
				checkInPlace(t, s.m, len(want), 0, 0)
				checkInPlace(t, s.m, len(want), 1000, 10)
				if s.name == "extensions" {
					return
				}
				allocs.NeedExact(t)
				if got := allocationsOf(3, func() { mustMarshal(t, nil, s.m) }); got != 1 {
					t.Errorf("%v allocations, want 1", got)
				}
				room := make([]byte, 0, len(want))
				if got := allocationsOf(3, func() { mustMarshal(t, room, s.m) }); got != 0 {
					t.Errorf("%v allocations where there is room, want none", got)
				}
			})
		}
	}
}

func mustMarshal(t *testing.T, b []byte, m proto.Message) []byte {
	t.Helper()
	var err error
	if b == nil {
		b, err = proto.Marshal(m)
	} else {
		b, err = proto.MarshalOptions{}.MarshalAppend(b, m)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestMarshalLargeAny writes large messages in an Any.
func TestMarshalLargeAny(t *testing.T) {
	for _, s := range large(wire.Limit + 1000) {
		want, err := proto.Pack(s.m)
		if err != nil {
			t.Fatal(err)
		}
		b, err := proto.MarshalOptions{Deterministic: true}.AppendAny([]byte("before"), s.m)
		if err != nil {
			t.Fatal(err)
		}
		b, ok := bytes.CutPrefix(b, []byte("before"))
		if m, err := proto.UnmarshalAny(b); !ok || err != nil || !official.Equal(m, s.m) || len(b) != proto.Size(want) {
			t.Errorf("%s: another message, %d bytes, want %d; %v", s.name, len(b), proto.Size(want), err)
		}
	}
}

// TestMarshalLargeErrors sees that what cannot be written changes nothing in what it is appended to.
func TestMarshalLargeErrors(t *testing.T) {
	bad := &benchpb.Packed{ListString: []string{"\xff", strings.Repeat("x", 2*wire.Limit)}}
	room := append(make([]byte, 0, 4*wire.Limit), "before"...)
	for _, b := range [][]byte{nil, []byte("before"), room} {
		got, err := proto.MarshalOptions{}.MarshalAppend(b, bad)
		if !errors.Is(err, proto.ErrUTF8) || string(got) != string(b) || (got == nil) != (b == nil) {
			t.Errorf("%q appended to %q: %v", got, b, err)
		}
	}
	if got, err := proto.Marshal(bad); got != nil || !errors.Is(err, proto.ErrUTF8) {
		t.Errorf("%d bytes and %v", len(got), err)
	}
	partial := &legacypb.Required{}
	partial.ProtoReflect().SetUnknown(protowire.AppendBytes(protowire.AppendTag(nil, 1000, protowire.BytesType),
		make([]byte, 2*wire.Limit)))
	if got, err := proto.Marshal(partial); !errors.Is(err, proto.ErrRequired) || len(got) != proto.Size(partial) {
		t.Errorf("%d bytes and %v, want %d", len(got), err, proto.Size(partial))
	}
}

// TestMarshalBeyond2GB writes and sizes a message of more bytes than an int32 counts, as the official library does. Its
// parts share their memory.
func TestMarshalBeyond2GB(t *testing.T) {
	if math.MaxInt == math.MaxInt32 {
		t.Skip("no message is that long here")
	}
	blob := make([]byte, 100<<20)
	m := &benchpb.Strings{Blobs: each(22, func(int) []byte { return blob })}
	want := 22 * (1 + 4 + len(blob))
	if n := proto.Size(m); n != want || n != official.Size(m) {
		t.Errorf("the size is %d, want %d, official: %d", n, want, official.Size(m))
	}
	if testing.Short() || race.Enabled || available() < 6_000_000 {
		t.Skip("it takes 2.2 GB of memory")
	}
	b, err := proto.Marshal(m)
	if err != nil || len(b) != want || cap(b) > want+want/100 {
		t.Fatalf("%d bytes, room for %d, want %d; %v", len(b), cap(b), want, err)
	}
	for at := 0; at < want; at += 5 + len(blob) {
		if head := protowire.AppendVarint([]byte{6<<3 | 2}, uint64(len(blob))); !bytes.HasPrefix(b[at:], head) {
			t.Fatalf("at %d is %x, want %x", at, b[at:at+5], head)
		}
	}
}

// available returns how many kilobytes of memory there are, where the system says so.
func available() (n int) {
	info, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(info)) {
		if _, err := fmt.Sscanf(line, "MemAvailable: %d kB", &n); err == nil {
			return n
		}
	}
	return 0
}
