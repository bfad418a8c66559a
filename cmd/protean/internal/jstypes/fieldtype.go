package jstypes

import (
	"fmt"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// A fieldType is how a script reads a field, what it may set it to, and what
// toObject makes of it, in TypeScript.
type fieldType struct{ read, write, object string }

// typeOf is the type of a field in the declarations of n.
func (g *generator) typeOf(n *node, fd protoreflect.FieldDescriptor) fieldType {
	switch {
	case fd.IsMap():
		k, v := g.single(n, fd.MapKey()), g.single(n, fd.MapValue())
		return fieldType{
			read:   fmt.Sprintf("$Map<%s, %s, %s, %s>", k.read, v.read, k.write, v.write),
			write:  fmt.Sprintf("$MapInit<%s, %s>", k.write, v.write),
			object: fmt.Sprintf("{ [key: string]: %s }", v.object),
		}
	case fd.IsList():
		t := g.single(n, fd)
		return fieldType{
			read:   fmt.Sprintf("$List<%s, %s>", t.read, t.write),
			write:  fmt.Sprintf("$ListInit<%s>", t.write),
			object: t.object + "[]",
		}
	}
	t := g.single(n, fd)
	if fd.Message() != nil && fd.Message().FullName() != "google.protobuf.Value" {
		t.read += " | null"
	}
	return t
}

// single is the type of one value of a field.
func (g *generator) single(n *node, fd protoreflect.FieldDescriptor) fieldType {
	if md := fd.Message(); md != nil {
		return g.messageType(n, md)
	}
	if ed := fd.Enum(); ed != nil {
		return g.enumType(n, ed)
	}
	return scalars[fd.Kind()]
}

func (g *generator) messageType(n *node, md protoreflect.MessageDescriptor) fieldType {
	if t, ok := plainTypes[md.FullName()]; ok {
		return same(t)
	}
	name := g.reference(n, md)
	t := fieldType{name, name + " | " + name + ".$Init", name + ".$Object"}
	if md.FullName() == "google.protobuf.Timestamp" {
		t.write += " | $Date"
	}
	return t
}

func (g *generator) enumType(n *node, ed protoreflect.EnumDescriptor) fieldType {
	name := g.reference(n, ed)
	return fieldType{name, name + " | " + name + ".$Name", name}
}

// reference is the name of a type in the declarations of n.
func (g *generator) reference(n *node, d protoreflect.Descriptor) string {
	if target := g.root.lookup(d); target != nil {
		return n.ref(target)
	}
	return n.absolute(string(d.FullName()))
}

// same is a type that is the same in every place.
func same(t string) fieldType { return fieldType{t, t, t} }

// plainTypes are the messages that scripts see as plain values.
var plainTypes = map[protoreflect.FullName]string{
	"google.protobuf.Struct":    "$Struct",
	"google.protobuf.Value":     "$Value",
	"google.protobuf.ListValue": "$ListValue",
}

var scalars = map[protoreflect.Kind]fieldType{
	protoreflect.BoolKind:     same("boolean"),
	protoreflect.StringKind:   same("string"),
	protoreflect.BytesKind:    {"$Bytes", "$BytesInit", "$Bytes"},
	protoreflect.Int32Kind:    same("number"),
	protoreflect.Sint32Kind:   same("number"),
	protoreflect.Uint32Kind:   same("number"),
	protoreflect.Fixed32Kind:  same("number"),
	protoreflect.Sfixed32Kind: same("number"),
	protoreflect.FloatKind:    same("number"),
	protoreflect.DoubleKind:   same("number"),
	protoreflect.Int64Kind:    int64Type,
	protoreflect.Sint64Kind:   int64Type,
	protoreflect.Uint64Kind:   int64Type,
	protoreflect.Fixed64Kind:  int64Type,
	protoreflect.Sfixed64Kind: int64Type,
}

var int64Type = fieldType{"$Int64", "$Int64Init", "$Int64"}
