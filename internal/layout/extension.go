package layout

import (
	"maps"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
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

	slice *Layout        // see Slice; nil if that knows nothing
	word  unsafe.Pointer // what a protoreflect.List begins with that slice is good for

	json atomic.Pointer[JSONField]
}

// JSON returns how the field looks in ProtoJSON. It has no Sub.
func (t *ExtensionType) JSON() *JSONField {
	if f := t.json.Load(); f != nil {
		return f
	}
	f := JSONFieldOf(t.Desc)
	f.Field = &t.Field
	t.json.CompareAndSwap(nil, &f)
	return t.json.Load()
}

// Name returns the name of the field as paths have it.
func (t *ExtensionType) Name() string { return nameOf(t.Desc) }

// Slice returns the Go slice that has the elements of v, a list of this type, and a layout of which it is the
// only field. Both are nil where the elements can be got at by reflection alone.
func (t *ExtensionType) Slice(v protoreflect.Value) (*Layout, unsafe.Pointer) {
	if t.slice == nil {
		return nil, nil
	}
	list := v.List()
	// Sound: list is an interface with methods, and what begins with that word was looked at by findSlice.
	i := (*[2]unsafe.Pointer)(unsafe.Pointer(&list))
	if i[0] != t.word {
		return nil, nil
	}
	if q := (*reflect.Value)(i[1]).UnsafePointer(); q != nil {
		return t.slice, q
	}
	return nil, nil
}

// findSlice finds out whether lists of the type are what the official library makes of Go slices: a pointer
// to a struct that begins with a reflect.Value, of a pointer to the slice.
func (t *ExtensionType) findSlice() {
	list := t.Type.New().List()
	holder := reflect.TypeOf(list)
	if holder.Kind() != reflect.Pointer || holder.Elem().Kind() != reflect.Struct || holder.Elem().NumField() == 0 ||
		holder.Elem().Field(0).Type != reflect.TypeFor[reflect.Value]() {
		return
	}
	i := (*[2]unsafe.Pointer)(unsafe.Pointer(&list)) // Sound: as above.
	v := (*reflect.Value)(i[1])                      // Sound: the struct begins with one.
	if v.Kind() != reflect.Pointer || v.Type().Elem().Kind() != reflect.Slice {
		return
	}
	f := fieldOf(t.Desc, Repeated)
	if !f.typed(t.Desc, v.Type().Elem()) {
		return
	}
	f.ElementInstr = f.elementInstr()
	t.word = i[0]
	t.slice = &Layout{Desc: t.Desc.ContainingMessage(), Fields: []Field{f},
		Descs: []protoreflect.FieldDescriptor{t.Desc}}
	t.slice.class.Store(uint32(Fast))
}

// A DynamicExtension is how dynamic messages keep an extension field.
type DynamicExtension struct {
	Desc  protoreflect.ExtensionTypeDescriptor
	Value protoreflect.Value
}

// extensionTypes holds the types of generated extension fields met so far, *ExtensionType by
// *protoimpl.ExtensionInfo. Those that are made at run time are not kept.
var extensionTypes sync.Map

// recentExtensions is a quick way to those, by the address of the ExtensionInfo.
var recentExtensions [256]atomic.Pointer[ExtensionType]

// ExtensionTypeOf returns what is known of xt.
func ExtensionTypeOf(xt protoreflect.ExtensionType) *ExtensionType {
	info, generated := xt.(*protoimpl.ExtensionInfo)
	if !generated {
		return newExtensionType(xt)
	}
	slot := &recentExtensions[uintptr(unsafe.Pointer(info))>>5%uintptr(len(recentExtensions))]
	if t := slot.Load(); t != nil && t.Type == xt {
		return t
	}
	known, ok := extensionTypes.Load(info)
	if !ok {
		t := newExtensionType(xt)
		if t.List {
			t.findSlice()
		}
		known, _ = extensionTypes.LoadOrStore(info, t)
	}
	t := known.(*ExtensionType)
	slot.Store(t)
	return t
}

func newExtensionType(xt protoreflect.ExtensionType) *ExtensionType {
	xd := xt.TypeDescriptor()
	t := &ExtensionType{Field: fieldOf(xd, Implicit), Type: xt, Desc: xd, List: xd.IsList()}
	t.Sparse = false // what is there is set
	return t
}

// registered are the extension types of a layout's messages that were found in a registry.
type registered struct {
	in       *protoregistry.Types
	byNumber map[int32]*ExtensionType // not changed
}

// RegisteredExtension returns what the global registry has for the number, or its error.
func (l *Layout) RegisteredExtension(number int32) (*ExtensionType, error) {
	r := l.registered.Load()
	if r == nil || r.in != protoregistry.GlobalTypes {
		r = &registered{protoregistry.GlobalTypes, map[int32]*ExtensionType{}}
	} else if t := r.byNumber[number]; t != nil { // nothing leaves a registry
		return t, nil
	}
	xt, err := r.in.FindExtensionByNumber(l.Desc.FullName(), protoreflect.FieldNumber(number))
	if err != nil {
		return nil, err
	}
	more := &registered{r.in, maps.Clone(r.byNumber)}
	t := ExtensionTypeOf(xt)
	more.byNumber[number] = t
	l.registered.Store(more) // if others do so at the same time, some are looked for again
	return t, nil
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
