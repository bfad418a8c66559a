package dynamic_test

import (
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/dynamic"
	protean "github.com/protean-pb/protean/proto"
)

// benchmark runs f with messages of both implementations.
func benchmark(b *testing.B, f func(b *testing.B, mt protoreflect.MessageType)) {
	md := descriptor(b, allTypes)
	b.Run("protean", func(b *testing.B) { f(b, dynamic.NewMessageType(md)) })
	b.Run("dynamicpb", func(b *testing.B) { f(b, dynamicpb.NewMessageType(md)) })
}

func field(mt protoreflect.MessageType, name protoreflect.Name) protoreflect.FieldDescriptor {
	return mt.Descriptor().Fields().ByName(name)
}

func BenchmarkNew(b *testing.B) {
	benchmark(b, func(b *testing.B, mt protoreflect.MessageType) {
		b.ReportAllocs()
		for b.Loop() {
			if !mt.New().IsValid() {
				b.Fatal("not valid")
			}
		}
	})
}

func BenchmarkGet(b *testing.B) {
	benchmark(b, func(b *testing.B, mt protoreflect.MessageType) {
		fd := field(mt, "optional_int32")
		m := mt.New()
		m.Set(fd, protoreflect.ValueOfInt32(1<<20))
		b.ReportAllocs()
		for b.Loop() {
			if m.Get(fd).Int() != 1<<20 {
				b.Fatal("another number")
			}
		}
	})
}

func BenchmarkSet(b *testing.B) {
	benchmark(b, func(b *testing.B, mt protoreflect.MessageType) {
		fd := field(mt, "optional_string")
		m := mt.New()
		v := protoreflect.ValueOfString("some text")
		b.ReportAllocs()
		for b.Loop() {
			m.Set(fd, v)
		}
		if m.Get(fd).String() != "some text" {
			b.Fatal("another text")
		}
	})
}

func BenchmarkRange(b *testing.B) {
	benchmark(b, func(b *testing.B, mt protoreflect.MessageType) {
		m := mt.New()
		_, theirs := filled(b, mt.Descriptor(), 1, 40)
		proto.Merge(m.Interface(), theirs)
		want := 0
		theirs.Range(func(protoreflect.FieldDescriptor, protoreflect.Value) bool { want++; return true })
		b.ReportAllocs()
		for b.Loop() {
			n := 0
			m.Range(func(protoreflect.FieldDescriptor, protoreflect.Value) bool { n++; return true })
			if n != want {
				b.Fatalf("%d fields, want %d", n, want)
			}
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	benchmark(b, func(b *testing.B, mt protoreflect.MessageType) {
		fd := field(mt, "repeated_int64")
		m := mt.New()
		b.ReportAllocs()
		for b.Loop() {
			m.Clear(fd)
			l := m.Mutable(fd).List()
			for i := range 32 {
				l.Append(protoreflect.ValueOfInt64(int64(i)))
			}
			if m.Get(fd).List().Len() != 32 {
				b.Fatal("another length")
			}
		}
	})
}

func BenchmarkMapSet(b *testing.B) {
	benchmark(b, func(b *testing.B, mt protoreflect.MessageType) {
		fd := field(mt, "map_string_string")
		entries := mt.New().Mutable(fd).Map()
		k, v := protoreflect.ValueOfString("key").MapKey(), protoreflect.ValueOfString("value")
		b.ReportAllocs()
		for b.Loop() {
			entries.Set(k, v)
		}
		if entries.Get(k).String() != "value" {
			b.Fatal("another value")
		}
	})
}

func BenchmarkClone(b *testing.B) {
	benchmark(b, func(b *testing.B, mt protoreflect.MessageType) {
		_, theirs := filled(b, mt.Descriptor(), 1, 40)
		m := mt.New()
		proto.Merge(m.Interface(), theirs)
		if !proto.Equal(proto.Clone(m.Interface()), theirs) {
			b.Fatal("the clone differs")
		}
		b.ReportAllocs()
		for b.Loop() {
			if clone := proto.Clone(m.Interface()); !clone.ProtoReflect().IsValid() {
				b.Fatal("not valid")
			}
		}
	})
}

// codecs are the functions of this module and of the official library.
func codecs(
	b *testing.B, f func(b *testing.B, m proto.Message, wire []byte, marshal func(proto.Message) ([]byte, error),
		unmarshal func([]byte, proto.Message) error),
) {
	ours, theirs := filled(b, descriptor(b, allTypes), 1, 40)
	wire, err := proto.MarshalOptions{Deterministic: true}.Marshal(theirs)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("protean", func(b *testing.B) { f(b, ours, wire, protean.Marshal, protean.Unmarshal) })
	b.Run("dynamicpb", func(b *testing.B) { f(b, theirs, wire, proto.Marshal, proto.Unmarshal) })
}

func BenchmarkMarshal(b *testing.B) {
	codecs(b, func(b *testing.B, m proto.Message, wire []byte, marshal func(proto.Message) ([]byte, error),
		_ func([]byte, proto.Message) error) {
		b.ReportAllocs()
		for b.Loop() {
			if got, err := marshal(m); err != nil || len(got) != len(wire) {
				b.Fatal(len(got), err)
			}
		}
	})
}

func BenchmarkUnmarshal(b *testing.B) {
	codecs(b, func(b *testing.B, m proto.Message, wire []byte, _ func(proto.Message) ([]byte, error),
		unmarshal func([]byte, proto.Message) error) {
		got := m.ProtoReflect().New().Interface()
		if err := unmarshal(wire, got); err != nil || !proto.Equal(got, m) {
			b.Fatal("another message", err)
		}
		b.ReportAllocs()
		for b.Loop() {
			if err := unmarshal(wire, m.ProtoReflect().New().Interface()); err != nil {
				b.Fatal(err)
			}
		}
	})
}
