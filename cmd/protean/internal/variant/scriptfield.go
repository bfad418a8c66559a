package variant

import (
	"errors"
	"fmt"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/cmd/protean/internal/native"
)

// FieldOf returns the field of a message type that one of the operations [SetGet],
// [SetGetProperty], [Repeated] and [Map] is made on: the first that is text, a list or a map
// with keys of text; lists and maps of text, booleans or integers of 32 bits, which scripts
// have in one form only. The error is one of [NotApplicable].
func FieldOf(md protoreflect.MessageDescriptor, op string) (protoreflect.FieldDescriptor, error) {
	fits, what := isText, "text"
	switch op {
	case Repeated:
		fits, what = isScriptList, "a list of text, booleans or integers of 32 bits"
	case Map:
		fits, what = isScriptMap, "a map from text to text, booleans or integers of 32 bits"
	}
	for i := range md.Fields().Len() {
		if f := md.Fields().Get(i); fits(f) {
			return f, nil
		}
	}
	return nil, NotApplicable("%s has no field that is %s", md.Name(), what)
}

func isText(f protoreflect.FieldDescriptor) bool {
	return f.Kind() == protoreflect.StringKind && f.Cardinality() != protoreflect.Repeated
}

func isScriptList(f protoreflect.FieldDescriptor) bool { return f.IsList() && isPlain(f.Kind()) }

func isScriptMap(f protoreflect.FieldDescriptor) bool {
	return f.IsMap() && f.MapKey().Kind() == protoreflect.StringKind && isPlain(f.MapValue().Kind())
}

func isPlain(k protoreflect.Kind) bool {
	switch k {
	case protoreflect.StringKind, protoreflect.BoolKind, protoreflect.Int32Kind, protoreflect.Sint32Kind,
		protoreflect.Sfixed32Kind, protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return true
	}
	return false
}

// The number of items and entries of a field that a sample has nothing in.
const (
	standInItems   = 5
	standInEntries = 3
)

// Only returns a new message with what m has in the field f and nothing else. Where m has
// nothing there, it is text, five items or three entries that were made up.
func Only(m proto.Message, f protoreflect.FieldDescriptor) protoreflect.Message {
	out := dynamicpb.NewMessage(f.ContainingMessage())
	if from := m.ProtoReflect(); from.Has(f) {
		proto.Merge(out, m) // copies lists and maps, whatever they are
		out.Range(func(other protoreflect.FieldDescriptor, _ protoreflect.Value) bool {
			if other != f {
				out.Clear(other)
			}
			return true
		})
		out.SetUnknown(nil)
		return out
	}
	switch {
	case f.IsList():
		for i := range standInItems {
			out.Mutable(f).List().Append(standIn(f.Kind(), i))
		}
	case f.IsMap():
		for i := range standInEntries {
			key := protoreflect.ValueOfString(fmt.Sprintf("key %d", i)).MapKey()
			out.Mutable(f).Map().Set(key, standIn(f.MapValue().Kind(), i))
		}
	default:
		out.Set(f, standIn(f.Kind(), 0))
	}
	return out
}

// standIn returns a plain value that no reader takes for nothing.
func standIn(k protoreflect.Kind, i int) protoreflect.Value {
	switch k {
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(fmt.Sprintf("text %d", i))
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(true)
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return protoreflect.ValueOfUint32(uint32(i + 1))
	}
	return protoreflect.ValueOfInt32(int32(i + 1))
}

// CheckOnly says how got differs from what [Only] says of m and f, or nil.
func CheckOnly(m proto.Message, f protoreflect.FieldDescriptor, got proto.Message) error {
	if d := native.Difference(Only(m, f), got.ProtoReflect()); d != "" {
		return errors.New(d)
	}
	return nil
}
