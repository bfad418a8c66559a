package grpccodec

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"google.golang.org/grpc/encoding"
	official "google.golang.org/grpc/encoding/proto"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/protoadapt"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/structpb"

	testpb "google.golang.org/grpc/interop/grpc_testing"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/proto"
)

// theirs is the codec of grpc-go, which is registered as no test has registered another.
var theirs = encoding.GetCodecV2(official.Name)

// raw is a codec that sends its own bytes, whatever the message is, and reads nothing.
type raw string

func (r raw) Marshal(any) (mem.BufferSlice, error) { return mem.BufferSlice{mem.SliceBuffer(r)}, nil }
func (r raw) Unmarshal(mem.BufferSlice, any) error { return nil }
func (r raw) Name() string                         { return Name }

// old is a message of the time before google.golang.org/protobuf.
type old struct {
	Name string `protobuf:"bytes,1,opt,name=name,proto3"`
}

func (m *old) Reset()         { *m = old{} }
func (m *old) String() string { return m.Name }
func (*old) ProtoMessage()    {}

// samples are messages, and what is none.
func samples() []any {
	dynamicOne := dynamic.NewMessage((&durationpb.Duration{}).ProtoReflect().Descriptor())
	if err := proto.Unmarshal([]byte{8, 5}, dynamicOne); err != nil {
		panic(err)
	}
	return []any{
		&testpb.SimpleRequest{ResponseSize: 7, Payload: &testpb.Payload{Body: bytes.Repeat([]byte("x"), 2000)}},
		&testpb.Empty{}, structOf(3000), structOf(50_000), dynamicOne, &old{"legacy"}, (*testpb.SimpleRequest)(nil),
		&descriptorpb.UninterpretedOption_NamePart{}, // which lacks required fields
		&structpb.Value{Kind: &structpb.Value_StringValue{StringValue: "\xff"}},
		nil, "text", 5, []byte("bytes"), testpb.PayloadType_COMPRESSABLE, struct{}{},
	}
}

// TestAgree holds the codec against grpc-go's on the same values: bytes that are equal messages, or an error from both.
func TestAgree(t *testing.T) {
	for _, v := range samples() {
		ours := New(Options{})
		for range 3 { // by what is known of the type
			got, err := ours.Marshal(v)
			want, wantErr := theirs.Marshal(v)
			if (err == nil) != (wantErr == nil) {
				t.Fatalf("%T: %v, want %v", v, err, wantErr)
			}
			if err != nil {
				if _, ok := v.(protoadapt.MessageV2); !ok && err.Error() != wantErr.Error() {
					t.Errorf("%v, want %v", err, wantErr)
				}
				continue
			}
			if len(got) != 1 || got.Len() != want.Len() {
				t.Errorf("%T: %d bytes in %d buffers, want %d", v, got.Len(), len(got), want.Len())
			}
			if m := messageOf(v); m.ProtoReflect().IsValid() {
				back := m.ProtoReflect().New().Interface()
				if err := theirs.Unmarshal(got, back); err != nil || !proto.Equal(back, m) {
					t.Errorf("%T: %v", v, err)
				}
			}
			got.Free()
			want.Free()
		}
	}
	for _, v := range samples() {
		if messageOf(v) != nil {
			continue
		}
		err, want := New(Options{}).Unmarshal(nil, v), theirs.Unmarshal(nil, v)
		if err == nil || err.Error() != want.Error() {
			t.Errorf("%v, want %v", err, want)
		}
	}
}

// TestPieces reads messages that come in one to many buffers, some of them empty and some of grpc-go's pool, and bytes
// that are wrong; the message must not refer to the buffers.
func TestPieces(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	codec := New(Options{})
	for round := range 400 {
		m := structOf(random.IntN(5000))
		wire, err := proto.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if round%3 == 0 && len(wire) > 0 {
			wire[random.IntN(len(wire))] ^= byte(1 << random.IntN(8))
		}
		var data mem.BufferSlice
		pool := mem.DefaultBufferPool()
		for rest := wire; len(rest) > 0; {
			n := random.IntN(len(rest) + 1)
			data, rest = append(data, mem.Copy(rest[:n], pool)), rest[n:]
		}
		want, wantErr := new(structpb.Struct), error(nil)
		wantErr = theirs.Unmarshal(data, want)
		got := new(structpb.Struct)
		err = codec.Unmarshal(data, got)
		for _, b := range data {
			clear(b.ReadOnlyData())
		}
		data.Free()
		if (err == nil) != (wantErr == nil) || err == nil && !proto.Equal(got, want) {
			t.Fatalf("round %d: %v, want %v", round, err, wantErr)
		}
	}
}

// TestFieldError finds package proto's error in the codec's.
func TestFieldError(t *testing.T) {
	var e *proto.FieldError
	err := New(Options{}).Unmarshal(mem.BufferSlice{mem.SliceBuffer("\x1a\x05")}, new(testpb.SimpleRequest))
	if !errors.As(err, &e) || e.Path != "payload" {
		t.Errorf("%v", err)
	}
}

// TestOptions shows that options reach package proto.
func TestOptions(t *testing.T) {
	codec := New(Options{
		Marshal:   proto.MarshalOptions{Deterministic: true, AllowPartial: true},
		Unmarshal: proto.UnmarshalOptions{DiscardUnknown: true},
	})
	m := structOf(2000)
	want, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		got, err := codec.Marshal(m)
		if err != nil || !bytes.Equal(got.Materialize(), want) {
			t.Fatal("the bytes differ", err)
		}
		got.Free()
	}
	if _, err := codec.Marshal(&descriptorpb.UninterpretedOption_NamePart{}); err != nil {
		t.Error(err)
	}
	empty := new(testpb.Empty)
	if err := codec.Unmarshal(mem.BufferSlice{mem.SliceBuffer("\x08\x01")}, empty); err != nil ||
		len(empty.ProtoReflect().GetUnknown()) > 0 {
		t.Error("the unknown field is there", err)
	}
}

// TestOwnMemory has options that would let a message refer to the input, or to an Arena: they have no effect.
func TestOwnMemory(t *testing.T) {
	arena := &proto.Arena{Poison: true}
	for _, o := range []proto.UnmarshalOptions{{AliasInput: true}, {Arena: arena}} {
		wire, err := proto.Marshal(&testpb.Payload{Body: []byte("a payload of its own")})
		if err != nil {
			t.Fatal(err)
		}
		got := new(testpb.Payload)
		if err := New(Options{Unmarshal: o}).Unmarshal(mem.BufferSlice{mem.SliceBuffer(wire)}, got); err != nil {
			t.Fatal(err)
		}
		clear(wire)
		arena.Reset()
		if string(got.Body) != "a payload of its own" {
			t.Errorf("%q", got.Body)
		}
	}
}

// TestPooled writes messages of sizes around the limits, some of them at the same time: buffers of the pool serve
// again, and none is handed out twice.
func TestPooled(t *testing.T) {
	codec := New(Options{})
	var group sync.WaitGroup
	for g := range 4 {
		group.Go(func() {
			random := rand.New(rand.NewPCG(uint64(g), 7))
			for range 300 {
				body := bytes.Repeat([]byte{byte(random.IntN(256))}, random.IntN(40_000))
				data, err := codec.Marshal(&testpb.Payload{Body: body})
				if err != nil {
					t.Error(err)
					return
				}
				other, err := codec.Marshal(&testpb.Payload{Body: []byte{1}})
				if err != nil {
					t.Error(err)
					return
				}
				got := new(testpb.Payload)
				if err := codec.Unmarshal(data, got); err != nil || !bytes.Equal(got.Body, body) {
					t.Error("the payload has changed", err)
				}
				data.Free()
				other.Free()
			}
		})
	}
	group.Wait()
}

// A countingPool counts the buffers that are out.
type countingPool struct {
	mem.BufferPool
	out int
}

func (p *countingPool) Get(n int) *[]byte { p.out++; return p.BufferPool.Get(n) }
func (p *countingPool) Put(b *[]byte)     { p.out--; p.BufferPool.Put(b) }

// TestBuffersComeBack writes messages that are shorter and longer than the last one, and some that cannot be written:
// each buffer goes back to the pool.
func TestBuffersComeBack(t *testing.T) {
	pool := &countingPool{BufferPool: mem.DefaultBufferPool()}
	codec := newCodec(Options{})
	codec.pool = func() mem.BufferPool { return pool }
	for _, n := range []int{2000, 2000, 0, 2000, 2000, 100, 2000, 5000, 5000, 40_000, 5000, 30_000, 30_000, 10} {
		for _, bad := range []string{"", "\xff"} {
			data, err := codec.Marshal(structpb.NewStringValue(strings.Repeat("x", n) + bad))
			if (err != nil) != (bad != "") {
				t.Fatal(err)
			}
			data.Free()
			if pool.out != 0 {
				t.Fatalf("%d bytes: %d buffers are out", n, pool.out)
			}
		}
	}
}

// TestAllocations counts what is allocated for a message of 1.8 KB besides the message: the slice of buffers.
func TestAllocations(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector, which runs with -short, has pools forget what is in them")
	}
	codec, m := New(Options{}), &testpb.Payload{Body: make([]byte, 1800)}
	n := testing.AllocsPerRun(200, func() {
		data, err := codec.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		data.Free()
	})
	if n > 1.5 {
		t.Errorf("%v allocations, want 1", n)
	}
}

// TestJoinMemory joins small and large messages in turn: each finds the memory of the one before, up to a size.
func TestJoinMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector, which runs with -short, has pools forget what is in them")
	}
	half := make(mem.SliceBuffer, largestKept/2)
	for _, test := range []struct {
		second int
		kept   bool
	}{{10, true}, {len(half), true}, {len(half) + 1, false}} {
		large := mem.BufferSlice{half, make(mem.SliceBuffer, test.second)}
		small := mem.BufferSlice{half[:100], half[:20_000]}
		n := testing.AllocsPerRun(20, func() {
			for _, s := range []mem.BufferSlice{large, small} {
				b := join(s)
				if len(b.data) != s.Len() {
					t.Errorf("%d bytes, want %d", len(b.data), s.Len())
				}
				b.release()
			}
		})
		if (n == 0) != test.kept {
			t.Errorf("%d bytes: %v allocations", large.Len(), n)
		}
	}
}

// It is not run here, since other tests have had servers by then; examples/service does.
func ExampleRegister() {
	Register() // in main or an init function, before there are clients and servers
}
