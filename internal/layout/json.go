package layout

import (
	"sync/atomic"
	"unsafe"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/internal/json/jsontext"
	"github.com/protean-pb/protean/internal/swissmap"
	"github.com/protean-pb/protean/internal/xunsafe"
)

// A Known says which messages have a form of their own in ProtoJSON.
type Known uint8

// The well-known types.
const (
	NotKnown Known = iota
	KnownAny
	KnownTimestamp
	KnownDuration
	KnownWrapper
	KnownStruct
	KnownList
	KnownValue
	KnownMask
	KnownEmpty
	KnownByName // a type with the name of one of these that is not made like it
)

// A JSON says how the messages of a layout look in ProtoJSON.
type JSON struct {
	Known  Known
	Object bool        // an object of the fields that are set: NotKnown, or KnownEmpty
	Fields []JSONField // in the order of their declaration, which is that of the text; see First

	names  Names
	fields []int32                          // for each of names, the index in Fields
	keys   [2]atomic.Pointer[swissmap.Keys] // by JSONName and ProtoName
}

// A PresenceCheck is how to find out whether a field is absent, and where its value is.
type PresenceCheck uint8

// The checks. With the first two, the field is absent if the bits ZeroBits of the word at ZeroAt are all zero. With the
// others there are no such bits.
const (
	InWord         PresenceCheck = iota // in place
	BehindPointer                       // where the pointer there points to
	Always                              // in place, and never absent
	IfWrapped                           // where the interface there points to, if that is the field's Wrap
	UnlessEmptyMap                      // in place, a map
	BehindList                          // where the pointer there points to, a list
	ByLocate                            // where [Layout.Locate] says
	End                                 // no field: what comes after the last one
)

// A JSONField is a field of a message. What the loops of the encoder and decoder need comes
// first, the Field's own among it, so that it is close together.
type JSONField struct {
	ZeroBits       uint64 // the bits that Find looks at, as [xunsafe.Load64] has them,
	ZeroAt, Offset uint32 // and the offset of their word; the Field's Offset

	PresenceCheck PresenceCheck // how to see whether it is there, and where
	FieldKind     JSONKind      // the ValueKind, or JSONList or JSONMap
	ValueKind     JSONKind      // of the value, an element or the value of an entry
	KeyKind       JSONKind      // of a map
	Addressing    Addressing    // the Field's
	// TakesNull says that null is a value of the field, as of google.protobuf.Value.
	TakesNull bool
	// HasPresence says that the field is absent or not, whatever its value.
	HasPresence bool
	Required    bool // the Field's

	Index int32 // the Field's: its place in the JSON's Fields
	Oneof int32 // the index of its oneof, an own one for a synthetic one; -1 for none

	Names [2]xunsafe.MemberPrefix // how the member begins: [JSONName] and [ProtoName]
	Sub   *Layout                 // of messages: of the value, an element or the value of an entry
	Enum  *Enum
	*Field
	Desc     protoreflect.FieldDescriptor
	PathStep string // what it is called in the path of an error; empty in well-known types
}

// The Names of a field.
const (
	JSONName  = iota
	ProtoName // as the schema has it
)

// An Enum has the names of an enum's values.
type Enum struct {
	names   Names // without quotes
	numbers []int32
	dense   []xunsafe.PaddedString // by number, quoted; empty for numbers without a name
	sparse  map[int32]xunsafe.PaddedString
	schema  *schema // keeps that of the enum's file, which finds this Enum again
}

// First returns the first of the Fields, or their [End].
func (j *JSON) First() *JSONField { return unsafe.SliceData(j.Fields) }

// Next returns the one of the Fields after f, or their [End].
func (f *JSONField) Next() *JSONField {
	// Sound: f is not the End, so that there is one more.
	return (*JSONField)(unsafe.Add(unsafe.Pointer(f), unsafe.Sizeof(*f)))
}

// JSON returns how the messages look in ProtoJSON. The layout must be Ready and not of
// the class Official.
func (l *Layout) JSON() *JSON {
	if j := l.json.Load(); j != nil {
		return j
	}
	return l.firstJSON()
}

//go:noinline
func (l *Layout) firstJSON() *JSON {
	l.json.CompareAndSwap(nil, compileJSON(l))
	j := l.json.Load()
	if l.Ready() == Fast && j.Object {
		l.object.Store(j)
	}
	return j
}

// Object returns the JSON of a layout whose messages are objects of their fields and of the
// class Fast; nil if they are not, or nobody has asked for the JSON yet.
func (l *Layout) Object() *JSON { return l.object.Load() }

func compileJSON(l *Layout) *JSON {
	j := &JSON{Known: knownOf(l)}
	j.Object = j.Known == NotKnown || j.Known == KnownEmpty
	if l.Ready() != Fast {
		return j // a type of structpb
	}
	fds := l.Desc.Fields()
	j.Fields = make([]JSONField, fds.Len()+1)
	for i := range fds.Len() {
		fd := fds.Get(i)
		f := JSONFieldOf(fd)
		f.Field = l.Find(uint32(fd.Number()))
		f.Offset, f.Addressing, f.Index, f.Required = f.Field.Offset, f.Field.Addressing, f.Field.Index,
			f.Field.Required
		if f.Sub = f.Field.Sub; f.Entry != nil {
			f.Sub = f.Entry.Sub
		}
		if j.Known != NotKnown {
			f.PathStep = ""
		}
		f.PresenceCheck = f.access(l)
		j.Fields[i] = f
	}
	j.Fields[fds.Len()].PresenceCheck = End
	j.Fields = j.Fields[:fds.Len()]
	j.index(fds)
	return j
}

// access returns the Access of the field, which is one of l's, and sets Zero and ZeroAt.
func (f *JSONField) access(l *Layout) PresenceCheck {
	const word = uint32(unsafe.Sizeof(uintptr(0)))
	pointer := uint64(1<<(8*word) - 1)
	switch s := f.Op.Storage(); {
	case s == Indirect:
		return BehindList
	case s == Map:
		return UnlessEmptyMap
	case s == Repeated || s == Packed || f.Sparse && (f.ValueKind == JSONString || f.ValueKind == JSONBytes):
		return f.inWord(l, f.Offset+word, word, pointer) // the length
	case f.Addressing == NilSlice || f.Sparse && f.ValueKind == JSONMessage:
		return f.inWord(l, f.Offset, word, pointer)
	case f.Sparse:
		size := uint32(f.Op.Kind().Size())
		return f.inWord(l, f.Offset, size, 1<<(8*size)-1)
	case f.Addressing == ByPointer || f.Addressing == BitAndPointer:
		if f.inWord(l, f.Offset, word, pointer) == InWord {
			return BehindPointer
		}
	case f.Addressing == ByBit:
		return f.inWord(l, f.Field.Bits, 4, uint64(f.Field.Mask))
	case f.Addressing == InPlace:
		return Always
	case s == Member:
		return IfWrapped
	}
	return ByLocate
}

// inWord makes Zero those bits of the number of that size at the offset that the mask has, and
// returns InWord; ByLocate if no word can be read around them.
//
// It is an aligned one: what else is in it are fields too, since generated code keeps what others
// write while a message is read, such as its cached size, apart from them by a slice.
func (f *JSONField) inWord(l *Layout, offset, size uint32, mask uint64) PresenceCheck {
	at := offset &^ 7
	if offset+size > at+8 || uintptr(at)+8 > l.Size {
		return ByLocate
	}
	// Sound: the number lies within the eight bytes.
	var bytes [8]byte
	switch q := unsafe.Pointer(&bytes[offset-at]); size {
	case 1:
		bytes[offset-at] = byte(mask)
	case 4:
		*(*uint32)(q) = uint32(mask)
	case 8:
		*(*uint64)(q) = mask
	}
	f.ZeroBits, f.ZeroAt = xunsafe.Load64(unsafe.Pointer(&bytes)), at
	return InWord
}

// At returns where the value of the field is in the message at p, which is one of l's; nil if it is
// absent, or an empty list or map.
func (f *JSONField) At(l *Layout, p unsafe.Pointer) unsafe.Pointer {
	// Sound: l says what lies at which offset.
	if xunsafe.Load64(unsafe.Add(p, f.ZeroAt))&f.ZeroBits == 0 {
		return f.Find(l, p)
	}
	q := unsafe.Add(p, f.Offset)
	if f.PresenceCheck == BehindPointer {
		q = *(*unsafe.Pointer)(q)
	}
	return q
}

// Find returns where the value of the field is in the message at p, nil if it is absent, for a field of which ZeroBits
// are zero, if it has such bits: what [JSONField.At] finds for any.
func (f *JSONField) Find(l *Layout, p unsafe.Pointer) unsafe.Pointer {
	q := unsafe.Add(p, f.Offset) // sound, as in At
	switch f.PresenceCheck {
	case InWord, BehindPointer:
		return nil
	case IfWrapped:
		if i := (*[2]unsafe.Pointer)(q); i[0] == f.Wrap.Word {
			return i[1]
		}
		return nil
	case UnlessEmptyMap:
		// Sound: all maps keep the number of their entries in the same place, and nothing else
		// is read.
		if len(*(*map[int32]struct{})(q)) == 0 {
			return nil
		}
	case BehindList:
		if q = *(*unsafe.Pointer)(q); q == nil || len(*(*[]unsafe.Pointer)(q)) == 0 {
			return nil
		}
	case ByLocate:
		if q = l.Locate(f.Field, p); q != nil && f.FieldKind == JSONList && len(*(*[]struct{})(q)) == 0 {
			return nil
		}
	}
	return q
}

// JSONFieldOf returns what ProtoJSON says of a field, without a place in a message.
func JSONFieldOf(fd protoreflect.FieldDescriptor) JSONField {
	f := JSONField{
		Desc: fd, Names: [2]xunsafe.MemberPrefix{memberName(fd.JSONName()), memberName(fd.TextName())},
		Oneof: -1, HasPresence: fd.HasPresence(), PathStep: string(fd.Name()),
	}
	if fd.IsExtension() {
		f.PathStep = "(" + string(fd.FullName()) + ")"
	}
	if od := fd.ContainingOneof(); od != nil {
		f.Oneof = int32(od.Index())
	}
	value := fd
	if fd.IsMap() {
		value = fd.MapValue()
		f.KeyKind = kinds[fd.MapKey().Kind()].json
	}
	f.ValueKind = kinds[value.Kind()].json
	if ed := value.Enum(); ed != nil {
		f.Enum = enumOf(ed)
		if ed.FullName() == "google.protobuf.NullValue" {
			f.ValueKind = JSONNull
		}
	}
	switch f.FieldKind = f.ValueKind; {
	case fd.IsMap():
		f.FieldKind = JSONMap
	case fd.IsList():
		f.FieldKind = JSONList
	}
	// Of the field itself, which for a map is of neither type.
	f.TakesNull = !fd.IsMap() && (f.ValueKind == JSONNull ||
		f.ValueKind == JSONMessage && fd.Message().FullName() == "google.protobuf.Value")
	return f
}

// index makes the table of names.
func (j *JSON) index(fds protoreflect.FieldDescriptors) {
	add := func(name string, fd protoreflect.FieldDescriptor) {
		if j.names.Find([]byte(name)) < 0 {
			j.names.add(name)
			j.fields = append(j.fields, int32(fd.Index()))
		}
	}
	for i := range fds.Len() {
		name := fds.Get(i).JSONName()
		add(name, fds.ByJSONName(name))
	}
	for i := range fds.Len() {
		name := fds.Get(i).TextName()
		add(name, fds.ByTextName(name))
	}
}

// Find returns the field that has that name in a text, which may be the JSON name or that of
// the schema; nil if there is none.
func (j *JSON) Find(name []byte) *JSONField {
	if i := j.names.Find(name); i >= 0 {
		return &j.Fields[j.fields[i]]
	}
	return nil
}

// parts are the fields that the well-known types must have: numbers from 1 on, with their kinds.
var parts = map[protoreflect.FullName]struct {
	known Known
	kinds []protoreflect.Kind
	list  bool
}{
	"google.protobuf.Any": {known: KnownAny,
		kinds: []protoreflect.Kind{protoreflect.StringKind, protoreflect.BytesKind}},
	"google.protobuf.Timestamp": {known: KnownTimestamp,
		kinds: []protoreflect.Kind{protoreflect.Int64Kind, protoreflect.Int32Kind}},
	"google.protobuf.Duration": {known: KnownDuration,
		kinds: []protoreflect.Kind{protoreflect.Int64Kind, protoreflect.Int32Kind}},
	"google.protobuf.BoolValue":   {known: KnownWrapper, kinds: []protoreflect.Kind{protoreflect.BoolKind}},
	"google.protobuf.Int32Value":  {known: KnownWrapper, kinds: []protoreflect.Kind{protoreflect.Int32Kind}},
	"google.protobuf.Int64Value":  {known: KnownWrapper, kinds: []protoreflect.Kind{protoreflect.Int64Kind}},
	"google.protobuf.UInt32Value": {known: KnownWrapper, kinds: []protoreflect.Kind{protoreflect.Uint32Kind}},
	"google.protobuf.UInt64Value": {known: KnownWrapper, kinds: []protoreflect.Kind{protoreflect.Uint64Kind}},
	"google.protobuf.FloatValue":  {known: KnownWrapper, kinds: []protoreflect.Kind{protoreflect.FloatKind}},
	"google.protobuf.DoubleValue": {known: KnownWrapper, kinds: []protoreflect.Kind{protoreflect.DoubleKind}},
	"google.protobuf.StringValue": {known: KnownWrapper, kinds: []protoreflect.Kind{protoreflect.StringKind}},
	"google.protobuf.BytesValue":  {known: KnownWrapper, kinds: []protoreflect.Kind{protoreflect.BytesKind}},
	"google.protobuf.Struct": {known: KnownStruct, kinds: []protoreflect.Kind{protoreflect.MessageKind},
		list: true},
	"google.protobuf.ListValue": {known: KnownList, kinds: []protoreflect.Kind{protoreflect.MessageKind}, list: true},
	"google.protobuf.Value": {known: KnownValue, kinds: []protoreflect.Kind{
		protoreflect.EnumKind, protoreflect.DoubleKind, protoreflect.StringKind, protoreflect.BoolKind,
		protoreflect.MessageKind, protoreflect.MessageKind}},
	"google.protobuf.FieldMask": {known: KnownMask, kinds: []protoreflect.Kind{protoreflect.StringKind}, list: true},
	"google.protobuf.Empty":     {known: KnownEmpty},
}

// knownOf returns which well-known type the messages are of. For these the fields are the
// ones of parts, in that order.
func knownOf(l *Layout) Known {
	p, ok := parts[l.Desc.FullName()]
	if !ok {
		return NotKnown
	}
	fds := l.Desc.Fields()
	if p.known == KnownEmpty {
		return KnownEmpty
	}
	if fds.Len() != len(p.kinds) {
		return KnownByName
	}
	for i, k := range p.kinds {
		fd := fds.Get(i)
		if int(fd.Number()) != i+1 || fd.Kind() != k || (fd.IsList() || fd.IsMap()) != p.list ||
			fd.IsMap() != (p.known == KnownStruct) ||
			(inOneof(fd) != nil) != (p.known == KnownValue) {
			return KnownByName
		}
	}
	if !likeStruct(l.Desc, p.known) {
		return KnownByName
	}
	return p.known
}

// likeStruct reports whether the messages in one of the types of structpb are of the
// types that they are there.
func likeStruct(md protoreflect.MessageDescriptor, k Known) bool {
	name := func(n int, want protoreflect.FullName) bool {
		return md.Fields().Get(n-1).Message().FullName() == want
	}
	switch k {
	case KnownStruct:
		fd := md.Fields().Get(0)
		return fd.MapKey().Kind() == protoreflect.StringKind && fd.MapValue().Kind() == protoreflect.MessageKind &&
			fd.MapValue().Message().FullName() == "google.protobuf.Value"
	case KnownList:
		return name(1, "google.protobuf.Value")
	case KnownValue:
		return md.Oneofs().Len() == 1 && name(5, "google.protobuf.Struct") && name(6, "google.protobuf.ListValue") &&
			md.Fields().Get(0).Enum().FullName() == "google.protobuf.NullValue"
	}
	return true
}

func newEnum(ed protoreflect.EnumDescriptor) *Enum {
	e := &Enum{}
	vs := ed.Values()
	for i := range vs.Len() {
		v := vs.Get(i)
		number, name := int32(v.Number()), string(v.Name())
		if e.names.Find([]byte(name)) < 0 {
			e.names.add(name)
			e.numbers = append(e.numbers, number)
		}
		if e.Name(number).Len() > 0 {
			continue // an alias
		}
		quoted := xunsafe.Pad(quote(name))
		if n := int(number); n >= 0 && n < 4*i+64 {
			for len(e.dense) <= n {
				e.dense = append(e.dense, xunsafe.PaddedString{})
			}
			e.dense[n] = quoted
			continue
		}
		if e.sparse == nil {
			e.sparse = map[int32]xunsafe.PaddedString{}
		}
		e.sparse[number] = quoted
	}
	return e
}

// Name returns the name of the first value that has the number, in quotes; an empty one if
// there is none.
func (e *Enum) Name(number int32) xunsafe.PaddedString {
	if uint32(number) < uint32(len(e.dense)) {
		if n := e.dense[number]; n.Len() > 0 {
			return n
		}
	}
	return e.sparse[number]
}

// Number returns the number of the value that has the name.
func (e *Enum) Number(name []byte) (int32, bool) {
	if i := e.names.Find(name); i >= 0 {
		return e.numbers[i], true
	}
	return 0, false
}

// quote returns a JSON string.
func quote(s string) string { return string(jsontext.AppendString(nil, []byte(s))) }

func memberName(name string) xunsafe.MemberPrefix { return xunsafe.NewMemberPrefix(quote(name) + ":") }
