package layout

import (
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/runtime/protoimpl"
)

// An Extension is an extension field that a message has.
type Extension struct {
	Type  *ExtensionType
	Value protoreflect.Value
}

// An ExtensionType is what the wire form says of an extension field.
type ExtensionType struct {
	Field
	Type protoreflect.ExtensionType
	Desc protoreflect.ExtensionTypeDescriptor
	List bool

	json atomic.Pointer[JSONField]
}

// JSON returns how the field looks in ProtoJSON. It has no Sub.
func (t *ExtensionType) JSON() *JSONField {
	if f := t.json.Load(); f != nil {
		return f
	}
	f := JSONFieldOf(t.Desc, map[protoreflect.FullName]*Enum{})
	f.Field = &t.Field
	t.json.CompareAndSwap(nil, &f)
	return t.json.Load()
}

// Name returns the name of the field as paths have it.
func (t *ExtensionType) Name() string { return "(" + string(t.Desc.FullName()) + ")" }

// A DynamicExtension is how dynamic messages keep an extension field.
type DynamicExtension struct {
	Desc  protoreflect.ExtensionTypeDescriptor
	Value protoreflect.Value
}

// extensionTypes holds the types of generated extension fields met so far, *ExtensionType by
// *protoimpl.ExtensionInfo. Those that are made at run time are not kept.
var extensionTypes sync.Map

// ExtensionTypeOf returns what is known of xt.
func ExtensionTypeOf(xt protoreflect.ExtensionType) *ExtensionType {
	info, generated := xt.(*protoimpl.ExtensionInfo)
	if generated {
		if t, ok := extensionTypes.Load(info); ok {
			return t.(*ExtensionType)
		}
	}
	xd := xt.TypeDescriptor()
	t := &ExtensionType{Field: wired(xd, Implicit), Type: xt, Desc: xd, List: xd.IsList()}
	t.Sparse = false // what is there is set
	if generated {
		extensionTypes.Store(info, t)
	}
	return t
}

// generatedExtensions returns the extension fields of the generated message at p.
func (l *Layout) generatedExtensions(p unsafe.Pointer) *protoimpl.ExtensionFields {
	// Sound: l is compiled for a struct that has that type there.
	return (*protoimpl.ExtensionFields)(unsafe.Add(p, l.Extensions))
}

// dynamicExtensions returns the extension fields of the dynamic message at p.
func (l *Layout) dynamicExtensions(p unsafe.Pointer) *map[int32]DynamicExtension {
	// Sound: package dynamic keeps this type there.
	return (*map[int32]DynamicExtension)(unsafe.Add(p, l.Extensions))
}

// AppendExtensions appends to list the extension fields that the message at p has, in the
// order of their numbers, without lists that are empty. The layout must have Extensions.
func (l *Layout) AppendExtensions(list []Extension, p unsafe.Pointer) []Extension {
	if l.Dynamic {
		for _, x := range *l.dynamicExtensions(p) {
			list = appendExtension(list, x.Desc.Type(), x.Value)
		}
	} else {
		for _, x := range *l.generatedExtensions(p) {
			list = appendExtension(list, x.Type(), x.Value())
		}
	}
	if len(list) > 1 {
		slices.SortFunc(list, func(a, b Extension) int { return int(a.Type.Tag>>3) - int(b.Type.Tag>>3) })
	}
	return list
}

func appendExtension(list []Extension, xt protoreflect.ExtensionType, v protoreflect.Value) []Extension {
	t := ExtensionTypeOf(xt)
	if t.List && v.List().Len() == 0 {
		return list
	}
	return append(list, Extension{t, v})
}

// Extension returns the extension field of the number; its type is nil if there is none.
func (l *Layout) Extension(p unsafe.Pointer, number int32) (protoreflect.ExtensionType, protoreflect.Value) {
	if l.Dynamic {
		if x, ok := (*l.dynamicExtensions(p))[number]; ok {
			return x.Desc.Type(), x.Value
		}
		return nil, protoreflect.Value{}
	}
	x := (*l.generatedExtensions(p))[number]
	return x.Type(), x.Value()
}

// SetExtension sets an extension field. The value must be of its type.
func (l *Layout) SetExtension(p unsafe.Pointer, t *ExtensionType, v protoreflect.Value) {
	number := int32(t.Number())
	if l.Dynamic {
		all := l.dynamicExtensions(p)
		if *all == nil {
			*all = map[int32]DynamicExtension{}
		}
		(*all)[number] = DynamicExtension{t.Desc, v}
		return
	}
	all := l.generatedExtensions(p)
	if *all == nil {
		*all = protoimpl.ExtensionFields{}
	}
	var x protoimpl.ExtensionFieldV1
	x.Set(t.Type, v)
	(*all)[number] = x
}
