package value

import (
	"reflect"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
)

func BenchmarkNew(b *testing.B) {
	for s := range eachShape(b) {
		for _, way := range []struct {
			name string
			make func(any) (*structpb.Value, error)
		}{{"protean", New}, {"official", structpb.NewValue}} {
			b.Run(by(s.name, way.name), func(b *testing.B) {
				if got, err := way.make(s.data); err != nil || !proto.Equal(got, s.tree) {
					b.Fatal("another tree", err)
				}
				b.ReportAllocs()
				for b.Loop() {
					if _, err := way.make(s.data); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkInterface(b *testing.B) {
	for s := range eachShape(b) {
		for _, way := range []struct {
			name string
			make func(*structpb.Value) any
		}{{"protean", Interface}, {"official", (*structpb.Value).AsInterface}} {
			b.Run(by(s.name, way.name), func(b *testing.B) {
				if !reflect.DeepEqual(way.make(s.tree), s.data) {
					b.Fatal("another value")
				}
				b.ReportAllocs()
				for b.Loop() {
					way.make(s.tree)
				}
			})
		}
	}
}

func BenchmarkDocValue(b *testing.B) {
	for s := range eachShape(b) {
		b.Run(by(s.name, "protean"), func(b *testing.B) {
			if d, err := Parse(s.wire); err != nil || !proto.Equal(d.Value(), s.tree) {
				b.Fatal("another tree", err)
			}
			b.ReportAllocs()
			for b.Loop() {
				d, err := Parse(s.wire)
				if err != nil {
					b.Fatal(err)
				}
				d.Value()
			}
		})
		b.Run(by(s.name, "official"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := proto.Unmarshal(s.wire, new(structpb.Value)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
