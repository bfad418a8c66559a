package layout

import (
	"reflect"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/runtime/protoimpl"
	"google.golang.org/protobuf/types/known/structpb"
)

// An eface is how an any is laid out: a word for its dynamic type, and for a type that is
// a pointer that pointer.
type eface struct{ typ, data unsafe.Pointer }

// generated holds the layout of every Go type of message met so far: *Layout by
// reflect.Type. Go's types live for ever, so their layouts may.
var generated sync.Map

// recent is a quick way to the layouts of types, by the word that a proto.Message has for
// the type.
var recent [1024]atomic.Pointer[known]

type known struct {
	word   unsafe.Pointer
	layout *Layout
}

// wordOf returns m as an any.
func wordOf(m any) eface {
	// Sound: an any is laid out as an eface.
	return *(*eface)(unsafe.Pointer(&m))
}

// An iface is how a proto.Message is laid out: a word for its dynamic type and how that implements the interface, and
// the pointer.
type iface struct{ itab, data unsafe.Pointer }

// Of returns the layout of m's type, and the pointer to m, which may be nil and which
// is of use only if the class is not Official. The pointer to a dynamic message is one to its
// [Header].
func Of(m proto.Message) (*Layout, unsafe.Pointer) {
	i := *(*iface)(unsafe.Pointer(&m)) // Sound: m is laid out so.
	if k := slotOf(i.itab).Load(); k != nil && k.word == i.itab {
		return k.layout, i.data
	}
	return of(m)
}

func slotOf(itab unsafe.Pointer) *atomic.Pointer[known] {
	return &recent[uintptr(itab)>>5%uintptr(len(recent))]
}

// of looks up the layout of a type that is not among the recent ones.
func of(m proto.Message) (*Layout, unsafe.Pointer) {
	e := wordOf(m)
	if e.typ == dynamicWord && e.data != nil {
		// Sound: a dynamic message consists of a Header.
		return dynamicOf((*Header)(e.data)), e.data
	}
	l := OfType(reflect.TypeOf(m))
	if e.typ != dynamicWord {
		itab := (*iface)(unsafe.Pointer(&m)).itab
		slotOf(itab).Store(&known{itab, l})
	}
	return l, e.data
}

// OfType returns the layout of a Go type that implements proto.Message.
func OfType(t reflect.Type) *Layout {
	if l, ok := generated.Load(t); ok {
		return l.(*Layout)
	}
	l := &Layout{compile: func(*Layout) Class { return Official }}
	if t.Kind() == reflect.Pointer {
		l.Block = BlockOf(t.Elem())
		l.compile = compileGenerated
	}
	actual, _ := generated.LoadOrStore(t, l)
	return actual.(*Layout)
}

// Interface returns the message at p as what its users hold. A dynamic one may be of another
// type than the layout's, as [Layout.FieldsOf] says.
func (l *Layout) Interface(p unsafe.Pointer) proto.Message {
	if l.Dynamic {
		return MessageAt(p).Interface()
	}
	// Sound: p points to a message of this type, since it came from a field of the type.
	return reflect.NewAt(l.Type, p).Interface().(proto.Message)
}

var (
	stateType      = reflect.TypeFor[protoimpl.MessageState]()
	bytesType      = reflect.TypeFor[[]byte]()
	extensionsType = reflect.TypeFor[protoimpl.ExtensionFields]()
	knownTypes     = map[reflect.Type]Class{
		reflect.TypeFor[structpb.Value]():     Value,
		reflect.TypeFor[structpb.Struct]():    Struct,
		reflect.TypeFor[structpb.ListValue](): List,
	}
)

// A goStruct is what the fields of a generated struct are for.
type goStruct struct {
	opaque   bool
	byNumber map[protoreflect.FieldNumber]reflect.StructField
	oneofs   map[protoreflect.Name]reflect.StructField
	wrappers map[protoreflect.FieldNumber]reflect.Type
	presence uintptr
	bits     []uint32 // those of presence, by the index of the field
}

// compileGenerated compiles l from its Go type. Whatever it does not know for certain
// makes the type the official library's.
func compileGenerated(l *Layout) Class {
	info := infoOf(l.Type)
	if info == nil || isMessageSet(info.Desc) {
		return Official
	}
	l.Desc = info.Desc
	if c, ok := knownTypes[l.Type]; ok && !l.structural {
		return c
	}
	s, ok := l.readStruct(info)
	if !ok || l.Unknown == 0 {
		return Official
	}
	fds := l.Desc.Fields()
	fields := make([]Field, fds.Len())
	for i := range fields {
		if fields[i], ok = s.field(fds.Get(i)); !ok {
			return Official
		}
	}
	l.assemble(fields, func(od protoreflect.OneofDescriptor) Field {
		return Field{Op: OpOf(Switch, 0), Addressing: ByOneof, Offset: uint32(s.oneofs[od.Name()].Offset)}
	})
	return Fast
}

// infoOf returns what the official library knows of a type that its generator wrote, and
// nil for all others: those of other generators, and what only wraps a message.
func infoOf(t reflect.Type) *protoimpl.MessageInfo {
	if t.Kind() != reflect.Struct || t.NumField() == 0 || t.Field(0).Type != stateType || t.Field(0).Offset != 0 {
		return nil
	}
	m, ok := reflect.Zero(reflect.PointerTo(t)).Interface().(proto.Message)
	if !ok {
		return nil
	}
	info, ok := m.ProtoReflect().Type().(*protoimpl.MessageInfo)
	if !ok || info.GoReflectType != reflect.PointerTo(t) {
		return nil
	}
	return info
}

// readStruct finds out what the fields of l's Go type are for.
func (l *Layout) readStruct(info *protoimpl.MessageInfo) (*goStruct, bool) {
	t := l.Type
	s := &goStruct{
		opaque:   strings.HasPrefix(t.Field(0).Tag.Get("protogen"), "opaque."),
		byNumber: map[protoreflect.FieldNumber]reflect.StructField{},
		oneofs:   map[protoreflect.Name]reflect.StructField{},
		wrappers: map[protoreflect.FieldNumber]reflect.Type{},
	}
	for i := range t.NumField() {
		f := t.Field(i)
		switch {
		case f.Name == "unknownFields" && f.Type == bytesType:
			l.Unknown = uint32(f.Offset)
		case f.Name == "extensionFields" && f.Type == extensionsType:
			l.Extensions = uint32(f.Offset)
		case f.Name == "XXX_presence":
			s.presence = f.Offset
		case f.Name == "XXX_lazyUnmarshalInfo":
			return nil, false
		case f.Tag.Get("protobuf_oneof") != "":
			s.oneofs[protoreflect.Name(f.Tag.Get("protobuf_oneof"))] = f
		default:
			if n, ok := numberIn(f); ok {
				s.byNumber[n] = f
			}
		}
	}
	if s.presence != 0 {
		s.bits = presenceBits(info.Desc.Fields())
	}
	for _, w := range info.OneofWrappers {
		t := reflect.TypeOf(w).Elem()
		if n, ok := numberIn(t.Field(0)); ok {
			s.wrappers[n] = t
		}
	}
	return s, true
}

// numberIn returns the field number in a struct field's tag.
func numberIn(f reflect.StructField) (protoreflect.FieldNumber, bool) {
	for part := range strings.SplitSeq(f.Tag.Get("protobuf"), ",") {
		if n, err := strconv.ParseUint(part, 10, 29); err == nil {
			return protoreflect.FieldNumber(n), true
		}
	}
	return 0, false
}

// field describes a field of the struct.
func (s *goStruct) field(fd protoreflect.FieldDescriptor) (Field, bool) {
	if od := inOneof(fd); od != nil {
		return s.member(fd, s.oneofs[od.Name()])
	}
	sf, ok := s.byNumber[fd.Number()]
	if !ok {
		return Field{}, false
	}
	f := fieldOf(fd, s.shape(fd, sf.Type))
	f.Offset = uint32(sf.Offset)
	if sh := f.Op.Storage(); sh == Explicit || sh == MarkedPointer {
		if s.presence == 0 {
			return f, false
		}
		bit := s.bits[fd.Index()]
		f.Bits, f.Mask = uint32(s.presence)+bit/32*4, 1<<(bit%32)
	}
	return f, f.typed(fd, sf.Type)
}

// shape returns how a field that is not in a oneof lies in its struct.
func (s *goStruct) shape(fd protoreflect.FieldDescriptor, t reflect.Type) Storage {
	switch {
	case fd.IsMap():
		return Map
	case fd.IsList() && t.Kind() == reflect.Pointer:
		return Indirect
	case fd.IsList():
		return Repeated
	case fd.Message() != nil || !fd.HasPresence():
		return Implicit
	case s.opaque && t.Kind() == reflect.Pointer:
		return MarkedPointer
	case s.opaque:
		return Explicit
	}
	return Pointer
}

// presenceBits returns, by the index of a field of the opaque API, which bit says that it is present. All members of a
// oneof count as one field.
func presenceBits(fds protoreflect.FieldDescriptors) []uint32 {
	bits := make([]uint32, fds.Len())
	next := uint32(0)
	for i := range bits {
		bits[i] = next
		f := fds.Get(i)
		od := f.ContainingOneof()
		if od == nil || od.Fields().Get(od.Fields().Len()-1) == f {
			next++
		}
	}
	return bits
}

// typed completes f with what its Go type says, and reports whether it is the type that
// the generator gives to such a field.
func (f *Field) typed(fd protoreflect.FieldDescriptor, t reflect.Type) bool {
	switch f.Op.Storage() {
	case Map:
		if t.Kind() != reflect.Map || !mapsAreAlike {
			return false
		}
		f.Entry = entryOf(fd)
		if f.Entry.Value == Message {
			f.Entry.Sub = subOf(t.Elem())
		}
		return goKind(f.Entry.Key, t.Key()) && goKind(f.Entry.Value, t.Elem())
	case Indirect:
		t = t.Elem()
		fallthrough
	case Repeated, Packed:
		if t.Kind() != reflect.Slice {
			return false
		}
		t = t.Elem()
	case Pointer, MarkedPointer:
		if f.Op.Kind() != Bytes {
			if t.Kind() != reflect.Pointer {
				return false
			}
			t = t.Elem()
		}
	}
	if k := f.Op.Kind(); k == Message || k == Group {
		f.Sub = subOf(t)
	}
	return goKind(f.Op.Kind(), t)
}

// goKind reports whether values of the kind are of the Go type in generated code.
func goKind(k Kind, t reflect.Type) bool {
	switch k {
	case Bool:
		return t.Kind() == reflect.Bool
	case String, Text:
		return t.Kind() == reflect.String
	case Bytes:
		return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8
	case Message, Group:
		return t.Kind() == reflect.Pointer && t.Implements(reflect.TypeFor[proto.Message]())
	}
	switch t.Kind() {
	case reflect.Int32, reflect.Uint32, reflect.Float32, reflect.Int64, reflect.Uint64, reflect.Float64:
		return t.Size() == k.Size()
	}
	return false
}

func subOf(t reflect.Type) *Layout {
	if t.Kind() != reflect.Pointer || !t.Implements(reflect.TypeFor[proto.Message]()) {
		return nil
	}
	return OfType(t)
}

// member describes a member of a oneof, whose interface is the struct field of.
func (s *goStruct) member(fd protoreflect.FieldDescriptor, of reflect.StructField) (Field, bool) {
	w := s.wrappers[fd.Number()]
	if w == nil || of.Type == nil || of.Type.Kind() != reflect.Interface || w.NumField() != 1 ||
		!reflect.PointerTo(w).Implements(of.Type) {
		return Field{}, false
	}
	f := fieldOf(fd, Member)
	f.Offset = uint32(of.Offset)
	f.Wrap = &Wrapper{Block: BlockOf(w)}
	holder := reflect.New(of.Type)
	holder.Elem().Set(reflect.New(w))
	// Sound: holder points to an interface, of which the first word is that which every
	// interface of this type has that holds a pointer to a w.
	f.Wrap.Word = *(*unsafe.Pointer)(holder.UnsafePointer())
	return f, f.typed(fd, w.Field(0).Type)
}
