package decode_test

import (
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/editionpb"
	"github.com/protean-pb/protean/internal/wire/decode"
)

// TestMergeChecksUTF8OfEveryStringField puts invalid text into every string field, list, map and oneof of all types.
func TestMergeChecksUTF8OfEveryStringField(t *testing.T) {
	eachType(t, func(t *testing.T, mt protoreflect.MessageType, empty func() proto.Message) {
		fds := mt.Descriptor().Fields()
		for i := range fds.Len() {
			fd := fds.Get(i)
			var wires []string
			switch {
			case fd.IsMap() && fd.MapKey().Kind() == protoreflect.StringKind:
				wires = []string{sub(fd.Number(), sub(1, bad)), sub(fd.Number(), sub(1, "k"))}
				fallthrough
			case fd.IsMap() && fd.MapValue().Kind() == protoreflect.StringKind:
				wires = append(wires, sub(fd.Number(), sub(2, bad)))
			case fd.Kind() == protoreflect.StringKind:
				wires = []string{sub(fd.Number(), bad), sub(fd.Number(), "valid"),
					sub(fd.Number(), "long enough to be copied another way: "+bad)}
			}
			for _, wire := range wires {
				_, _ = check(t, wire, empty, decode.Options{AllowPartial: true})
			}
		}
	})
}

// TestMergeReadsEmptyBytes checks that bytes are nil or empty as the official library has them.
func TestMergeReadsEmptyBytes(t *testing.T) {
	for _, test := range []struct {
		wire string
		m    proto.Message
		get  func(proto.Message) []byte
	}{
		{sub(15), new(benchpb.Wide), func(m proto.Message) []byte { return m.(*benchpb.Wide).F15 }},
		{sub(15, "a") + sub(15), new(benchpb.Wide), func(m proto.Message) []byte { return m.(*benchpb.Wide).F15 }},
		{sub(15), new(benchpb.Optional), func(m proto.Message) []byte { return m.(*benchpb.Optional).OptBytes }},
		{sub(15), new(benchpb.Packed), func(m proto.Message) []byte { return m.(*benchpb.Packed).ListBytes[0] }},
		{sub(16), new(benchpb.Choice), func(m proto.Message) []byte { return m.(*benchpb.Choice).GetOneBytes() }},
		{sub(15), new(benchpb.ValueMaps), func(m proto.Message) []byte { return m.(*benchpb.ValueMaps).ToBytes[""] }},
		{sub(15, sub(2)), new(benchpb.ValueMaps), func(m proto.Message) []byte { return m.(*benchpb.ValueMaps).ToBytes[""] }},
		{sub(35), new(editionpb.Presence), func(m proto.Message) []byte { return m.(*editionpb.Presence).ImplicitBytes }},
	} {
		want := test.m.ProtoReflect().New().Interface()
		o := decode.Options{AllowPartial: true}
		if err := merge(test.wire, test.m, o); err != nil {
			t.Fatal(err)
		}
		if err := official(o, false).Unmarshal([]byte(test.wire), want); err != nil {
			t.Fatal(err)
		}
		if g, w := test.get(test.m), test.get(want); (g == nil) != (w == nil) || len(g) != 0 {
			t.Errorf("%T %q: %#v, official %#v", want, test.wire, g, w)
		}
	}
}
