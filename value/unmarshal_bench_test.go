package value

import (
	"encoding/json"
	"reflect"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
)

// officialUnmarshal is the official path from wire to dynamic data.
func officialUnmarshal(b []byte, v any) error {
	var tree structpb.Value
	if err := proto.Unmarshal(b, &tree); err != nil {
		return err
	}
	*v.(*any) = tree.AsInterface()
	return nil
}

// officialUnmarshalTyped is the official path from wire to a Go struct.
func officialUnmarshalTyped(b []byte, v any) error {
	var tree structpb.Value
	if err := proto.Unmarshal(b, &tree); err != nil {
		return err
	}
	text, err := protojson.Marshal(&tree)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, v)
}

// benchmarkUnmarshal times unmarshal after a look at what it makes; fresh returns a pointer
// to unmarshal into.
func benchmarkUnmarshal(b *testing.B, wire []byte, want any, fresh func() any, unmarshal func([]byte, any) error) {
	v := fresh()
	if err := unmarshal(wire, v); err != nil {
		b.Fatal(err)
	}
	if !reflect.DeepEqual(v, want) {
		b.Fatalf("got %v; want %v", v, want)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := unmarshal(wire, fresh()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkUnmarshal(b *testing.B) {
	fresh := func() any { return new(any) }
	for s := range eachShape(b) {
		b.Run(by(s.name, "official"),
			func(b *testing.B) { benchmarkUnmarshal(b, s.wire, &s.data, fresh, officialUnmarshal) })
		b.Run(by(s.name, "protean"), func(b *testing.B) { benchmarkUnmarshal(b, s.wire, &s.data, fresh, Unmarshal) })
		b.Run(by(s.name, "alias"), func(b *testing.B) {
			benchmarkUnmarshal(b, s.wire, &s.data, fresh, UnmarshalOptions{AliasInput: true}.Unmarshal)
		})
	}
}

func BenchmarkUnmarshalTyped(b *testing.B) {
	for s := range eachShape(b) {
		want := typedShape(b, s)
		if want == nil {
			continue
		}
		fresh := func() any { return reflect.New(reflect.TypeOf(want).Elem()).Interface() }
		b.Run(by(s.name, "official"),
			func(b *testing.B) { benchmarkUnmarshal(b, s.wire, want, fresh, officialUnmarshalTyped) })
		b.Run(by(s.name, "protean"), func(b *testing.B) { benchmarkUnmarshal(b, s.wire, want, fresh, Unmarshal) })
	}
}
