package proto_test

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	official "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/protean-pb/protean/internal/swissmap"
	"github.com/protean-pb/protean/internal/test/allocs"
	"github.com/protean-pb/protean/internal/test/race"
	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/wellknownpb"
	"github.com/protean-pb/protean/proto"
)

// TestAllocations pins how many allocations messages take: with the message itself, the
// chunks that text is copied to, and a block for each type and list in it.
func TestAllocations(t *testing.T) {
	allocs.NeedExact(t)
	most := map[string]float64{
		"leaf": 2, "wide": 2, "sparse": 5, "strings": 8, "leaves": 6, "packed": 8, "deep": 14, "order": 22, "map-of-messages": 11, "event": 30, "long-text": 3,
	}
	if !swissmap.Enabled() { // each map takes an allocation more
		most["event"] = 35
	}
	eachShape(t, t.Run, func(t *testing.T, wire []byte, _, ours func() proto.Message) {
		name := strings.TrimPrefix(strings.Split(t.Name(), "/")[1], "shape=")
		n, known := most[name]
		if !known {
			t.Skip("not counted")
		}
		m := ours()
		if err := proto.Unmarshal(wire, m); err != nil {
			t.Fatal(err)
		}
		got := allocations(func() {
			if err := proto.Unmarshal(wire, ours()); err != nil {
				t.Fatal(err)
			}
		})
		if got > n || got < 1 {
			t.Errorf("Unmarshal: %v allocations, at most %v wanted", got, n)
		}
		got = allocations(func() {
			if err := (proto.UnmarshalOptions{AliasInput: true}).Unmarshal(wire, ours()); err != nil {
				t.Fatal(err)
			}
		})
		if n == 2 && got != 1 { // the message alone
			t.Errorf("Unmarshal with AliasInput: %v allocations, 1 wanted", got)
		}
		got = allocations(func() {
			if _, err := proto.Marshal(m); err != nil {
				t.Fatal(err)
			}
		})
		if got != 1 {
			t.Errorf("Marshal: %v allocations, 1 wanted", got)
		}
		buf := make([]byte, 0, 1<<17)
		got = allocations(func() {
			if _, err := (proto.MarshalOptions{}).MarshalAppend(buf, m); err != nil {
				t.Fatal(err)
			}
		})
		if got != 0 {
			t.Errorf("MarshalAppend with room: %v allocations", got)
		}
	})
}

// allocations returns how many f takes, in the best of some runs: what other tests have left is cleaned up meanwhile.
func allocations(f func()) float64 { return allocationsOf(20, f) }

// allocationsOf is allocations, of so many calls in each of the runs.
func allocationsOf(calls int, f func()) float64 {
	n := testing.AllocsPerRun(calls, f)
	for range 4 {
		n = min(n, testing.AllocsPerRun(calls, f))
	}
	return n
}

// retained returns how many bytes of memory are held by each of what n calls of keep return.
func retained[T any](n int, keep func() T) int {
	held := make([]T, n)
	before := heap()
	for i := range held {
		held[i] = keep()
	}
	after := heap()
	runtime.KeepAlive(held)
	return max(0, int(after)-int(before)) / n
}

func heap() uint64 {
	runtime.GC()
	runtime.GC() // what the first took from pools
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestRetained measures what decoded messages hold: no more than half as much again as those
// of the official library, and the input.
func TestRetained(t *testing.T) {
	if race.Brief() {
		t.Skip("it takes long, and the race detector takes memory")
	}
	eachShape(t, t.Run, func(t *testing.T, wire []byte, theirs, ours func() proto.Message) {
		const n = 200
		read := func(c codec, empty func() proto.Message) proto.Message {
			m := empty()
			if err := c.unmarshal(wire, m); err != nil {
				t.Fatal(err)
			}
			return m
		}
		for range 20 { // whatever is made once
			read(officialCodec, theirs)
			read(proteanCodec, ours)
		}
		want := retained(n, func() proto.Message { return read(officialCodec, theirs) })
		got := retained(n, func() proto.Message { return read(proteanCodec, ours) })
		t.Logf("%6d bytes on the wire, %6d in memory, official %6d: %.2f", len(wire), got, want,
			float64(got)/float64(want))
		if got > want*3/2+len(wire)+256 {
			t.Errorf("%d bytes, official %d", got, want)
		}
	})
}

// TestRetainedPart measures what a part that is kept keeps with it.
func TestRetainedPart(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector takes memory")
	}
	const chunk, batch = 16 << 10, 8 << 10
	list := make([]string, 20_000)
	for i := range list {
		list[i] = fmt.Sprintf("text number %06d, and more of it", i)
	}
	wire, err := official.Marshal(&benchpb.Strings{List: list, B: strings.Repeat("long ", 100_000),
		Labels: []*benchpb.Label{{Key: "key"}}})
	if err != nil {
		t.Fatal(err)
	}
	leafWire, err := official.Marshal(&benchpb.Packed{ListLeaf: leaves(10_000)})
	if err != nil {
		t.Fatal(err)
	}
	file := new(descriptorpb.FileDescriptorProto)
	for i := range 10_000 {
		file.MessageType = append(file.MessageType, &descriptorpb.DescriptorProto{
			ReservedName: []string{fmt.Sprint("name", i), fmt.Sprint("other", i)},
			ReservedRange: []*descriptorpb.DescriptorProto_ReservedRange{{Start: official.Int32(int32(i)),
				End: official.Int32(int32(i + 1))}},
		})
	}
	fileWire, err := official.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	readFile := func() *descriptorpb.FileDescriptorProto {
		return readNew(t, fileWire, new(descriptorpb.FileDescriptorProto))
	}
	read := func() *benchpb.Strings {
		m := new(benchpb.Strings)
		if err := proto.Unmarshal(wire, m); err != nil {
			t.Fatal(err)
		}
		return m
	}
	for _, part := range []struct {
		name string
		most int
		keep func() any
	}{
		{"a string of the list", chunk, func() any { return read().List[10_000] }},
		{"the last string", chunk, func() any { m := read(); return m.List[len(m.List)-1] }},
		{"the long string", 500_000 + batch, func() any { return read().B }},
		{"a message", batch + chunk, func() any { return read().Labels[0] }},
		{"a message of a long list", batch + chunk, func() any {
			m := new(benchpb.Packed)
			if err := proto.Unmarshal(leafWire, m); err != nil {
				t.Fatal(err)
			}
			return m.ListLeaf[5_000]
		}},
		// Its texts lie in one chunk or at the border of two, by the sizes of what comes before.
		{"a list of a message of a long list", batch + 2*chunk, func() any { return readFile().MessageType[5_000].ReservedName }},
		{"a number of a message of a long list", chunk, func() any { return readFile().MessageType[5_000].ReservedRange[0].Start }},
	} {
		got := retained(20, part.keep)
		t.Logf("%s keeps %d bytes of %d", part.name, got, len(wire))
		// The allocator's size classes add up to an eighth.
		if got > part.most+part.most/8 || got < 20 {
			t.Errorf("%s keeps %d bytes, %d are the most", part.name, got, part.most)
		}
	}
}

// TestAliasInput checks that strings and bytes are parts of the input if that is wanted, and
// never else.
func TestAliasInput(t *testing.T) {
	m := &wellknownpb.Event{Id: "an id", Payload: event().Payload, Detail: event().Detail, Note: event().Note}
	wire, err := official.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	for _, alias := range []bool{false, true} {
		in := bytes.Clone(wire)
		got := new(wellknownpb.Event)
		if err := (proto.UnmarshalOptions{AliasInput: alias}).Unmarshal(in, got); err != nil {
			t.Fatal(err)
		}
		for _, part := range []struct {
			name string
			at   *byte
		}{
			{"a string", unsafe.StringData(got.Id)}, {"bytes", unsafe.SliceData(got.Detail.Value)}, {"a string below", unsafe.StringData(got.Note.Value)},
			{"a string in a Struct", unsafe.StringData(got.Payload.Fields["id"].GetStringValue())},
		} {
			first, at := uintptr(unsafe.Pointer(unsafe.SliceData(in))), uintptr(unsafe.Pointer(part.at))
			if inside := at >= first && at < first+uintptr(len(in)); inside != alias {
				t.Errorf("AliasInput %v: %s is a part of the input: %v", alias, part.name, inside)
			}
		}
		runtime.KeepAlive(in)
	}
}

// TestAppendToBytesOfAMessage checks that appending to bytes of a message changes nothing else in it.
func TestAppendToBytesOfAMessage(t *testing.T) {
	m := new(benchpb.Strings)
	if err := proto.Unmarshal([]byte(sub(6, "one")+sub(6, "two")+sub(6)+sub(1, "text")), m); err != nil {
		t.Fatal(err)
	}
	for _, b := range m.Blobs {
		if len(b) != cap(b) || b == nil {
			t.Errorf("%q has the capacity %d", b, cap(b))
		}
		_ = append(b, "overwritten"...)
	}
	if string(m.Blobs[1]) != "two" || m.A != "text" {
		t.Errorf("an append has changed the message: %v", m)
	}
}

// readNew reads the wire form into m, which is empty, and returns it.
func readNew[M proto.Message](t *testing.T, wire []byte, m M) M {
	t.Helper()
	if err := proto.Unmarshal(wire, m); err != nil {
		t.Fatal(err)
	}
	return m
}
