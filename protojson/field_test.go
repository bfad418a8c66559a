package protojson_test

import (
	"testing"

	official "google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/internal/testpb"
	"github.com/protean-pb/protean/protojson"
)

// TestUnmarshalReadsEveryField reads every field of all types: alone, twice, by both of its names, null, and
// beside every other member of its oneof.
func TestUnmarshalReadsEveryField(t *testing.T) {
	skipIfBrief(t)
	eachType(t, func(t *testing.T, k kind, mt protoreflect.MessageType) {
		o := protojson.UnmarshalOptions{AllowPartial: true}
		check := func(text string) {
			t.Helper()
			checkUnmarshal(t, []byte(text), k.New(mt), o)
		}
		fds := mt.Descriptor().Fields()
		for i := range fds.Len() {
			fd := fds.Get(i)
			text := memberOf(mt, fd)
			if text == "" {
				continue
			}
			null, again := literal(fd.JSONName())+":null", literal(fd.TextName())+":null"
			for _, members := range []string{
				text, null, text + "," + text, text + "," + null, null + "," + text, null + "," + null,
				null + "," + again, text + "," + again, again,
			} {
				check("{" + members + "}")
			}
			if od := fd.ContainingOneof(); od != nil {
				for j := range od.Fields().Len() {
					if other := od.Fields().Get(j); other != fd {
						check("{" + text + "," + memberOf(mt, other) + "}")
						check("{" + text + "," + literal(other.JSONName()) + ":null}")
					}
				}
			}
		}
	})
}

// memberOf returns the field as a member of an object, with some value; none for message sets,
// and for well-known types, whose fields are no members.
func memberOf(mt protoreflect.MessageType, fd protoreflect.FieldDescriptor) string {
	m := mt.New()
	switch {
	case fd.IsList():
		l := m.Mutable(fd).List()
		l.Append(l.NewElement())
	case fd.IsMap():
		mp := m.Mutable(fd).Map()
		key := fd.MapKey().Default()
		if fd.MapKey().Kind() == protoreflect.StringKind {
			key = protoreflect.ValueOfString("key")
		}
		mp.Set(key.MapKey(), mp.NewValue())
	case fd.Message() != nil:
		m.Mutable(fd)
	case fd.Kind() == protoreflect.EnumKind:
		m.Set(fd, protoreflect.ValueOfEnum(fd.Enum().Values().Get(fd.Enum().Values().Len()-1).Number()))
	default:
		m.Set(fd, nonzero(fd))
	}
	testpb.Legalize(m, seeded(1), 0)
	text, err := official.MarshalOptions{AllowPartial: true}.Marshal(m.Interface())
	if err != nil || len(text) < 2 || text[0] != '{' {
		return ""
	}
	return string(text[1 : len(text)-1])
}

func nonzero(fd protoreflect.FieldDescriptor) protoreflect.Value {
	switch fd.Kind() {
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(true)
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return protoreflect.ValueOfInt32(-7)
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return protoreflect.ValueOfUint32(7)
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return protoreflect.ValueOfInt64(-1 << 40)
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return protoreflect.ValueOfUint64(1 << 63)
	case protoreflect.FloatKind:
		return protoreflect.ValueOfFloat32(0.5)
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(1e100)
	case protoreflect.StringKind:
		return protoreflect.ValueOfString("é\n")
	}
	return protoreflect.ValueOfBytes([]byte{0xff})
}
