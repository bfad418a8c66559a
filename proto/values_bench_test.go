package proto_test

import (
	"fmt"
	"testing"

	official "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/testpb/gen/open/wellknownpb"
	"github.com/protean-pb/protean/proto"
)

// BenchmarkListsOfValues reads lists of 300 messages of structpb's types (docs/decisions/021).
func BenchmarkListsOfValues(b *testing.B) {
	text := func(i int) *structpb.Value { return structpb.NewStringValue(fmt.Sprint("cell", i)) }
	list := func(n int) func(int) *structpb.Value {
		return func(i int) *structpb.Value {
			l := &structpb.ListValue{}
			for j := range n {
				l.Values = append(l.Values, text(i*j))
			}
			return structpb.NewListValue(l)
		}
	}
	object := func(n int) func(int) *structpb.Value {
		return func(i int) *structpb.Value {
			s := &structpb.Struct{Fields: map[string]*structpb.Value{}}
			for j := range n {
				s.Fields[fmt.Sprint("key", j)] = text(i * j)
			}
			return structpb.NewStructValue(s)
		}
	}
	for _, c := range []struct {
		name  string
		value func(i int) *structpb.Value
		rows  bool // a list of ListValues
	}{
		{"rows of 6", list(6), true},
		{"texts", text, false},
		{"lists of 4", list(4), false},
		{"objects of 1", object(1), false},
		{"objects of 8", object(8), false},
	} {
		m := &wellknownpb.Repeated{}
		for i := range 300 {
			if v := c.value(i); c.rows {
				m.ListListValue = append(m.ListListValue, v.GetListValue())
			} else {
				m.ListValue = append(m.ListValue, v)
			}
		}
		wire, err := official.Marshal(m)
		if err != nil {
			b.Fatal(err)
		}
		for _, side := range []struct {
			name      string
			unmarshal func([]byte, official.Message) error
		}{{"official", official.Unmarshal}, {"protean", proto.Unmarshal}} {
			b.Run(c.name+"/"+side.name, func(b *testing.B) {
				b.ReportAllocs()
				got := &wellknownpb.Repeated{}
				for b.Loop() {
					got = &wellknownpb.Repeated{}
					if err := side.unmarshal(wire, got); err != nil {
						b.Fatal(err)
					}
				}
				if !official.Equal(got, m) {
					b.Fatal("another message")
				}
			})
		}
	}
}
