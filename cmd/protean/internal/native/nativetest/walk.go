package nativetest

import (
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// Normalize removes from m, and from the messages in it, what native data is
// documented not to hold: unknown fields, and in an Any the order of the bytes and
// the number of a null that is not 0.
func Normalize(m protoreflect.Message) {
	walk(m, func(m protoreflect.Message) {
		if len(m.GetUnknown()) > 0 {
			m.SetUnknown(nil)
		}
		if m.Descriptor().FullName() == "google.protobuf.Any" {
			normalizeAny(m)
		}
	})
}

// normalizeAny marshals the content anew, if its type is known and it parses.
func normalizeAny(m protoreflect.Message) {
	url, value := m.Descriptor().Fields().ByNumber(1), m.Descriptor().Fields().ByNumber(2)
	mt, err := protoregistry.GlobalTypes.FindMessageByURL(m.Get(url).String())
	if err != nil {
		return
	}
	inner := mt.New()
	if (proto.UnmarshalOptions{AllowPartial: true}).Unmarshal(m.Get(value).Bytes(), inner.Interface()) != nil {
		return
	}
	Normalize(inner)
	walk(inner, func(m protoreflect.Message) {
		if isNull(m) {
			m.Set(m.Descriptor().Fields().ByNumber(1), protoreflect.ValueOfEnum(0))
		}
	})
	b, err := proto.MarshalOptions{AllowPartial: true, Deterministic: true}.Marshal(inner.Interface())
	if err == nil {
		m.Set(value, protoreflect.ValueOfBytes(b))
	}
}

// HasWellKnown reports whether m or a message in it is of package google.protobuf.
func HasWellKnown(m protoreflect.Message) bool {
	found := false
	walk(m, func(m protoreflect.Message) {
		found = found || strings.HasPrefix(string(m.Descriptor().FullName()), "google.protobuf.")
	})
	return found
}

// walk visits m and the messages in it.
func walk(m protoreflect.Message, visit func(protoreflect.Message)) {
	visit(m)
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case fd.IsMap() && fd.MapValue().Message() != nil:
			v.Map().Range(func(_ protoreflect.MapKey, v protoreflect.Value) bool {
				walk(v.Message(), visit)
				return true
			})
		case fd.IsMap() || fd.Message() == nil:
		case fd.IsList():
			for i := range v.List().Len() {
				walk(v.List().Get(i).Message(), visit)
			}
		default:
			walk(v.Message(), visit)
		}
		return true
	})
}
