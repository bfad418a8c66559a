package testpb

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/known/structpb"
)

const (
	// maxDepth bounds the nesting of what is not required.
	maxDepth = 8
	// maxRequired bounds the nesting of required messages, which is endless in types
	// of the conformance suite: no message of those is ever complete.
	maxRequired = maxDepth + 2
)

// Fill sets fields of the message at random, on top of what it holds: about size of
// them, fewer in each message below, at most 6·size values in all (required fields
// not counted). It sets every kind of field with ordinary values and with extremes:
// NaN, negative zero, values present but empty, numbers that an open enum does not
// name; lists, maps, oneofs; extensions that protoregistry.GlobalTypes knows; and
// unknown fields with valid wire data, whose numbers are no field's and no
// extension's. One message in eight lacks required fields, somewhere; the others have
// them all (two levels of them). Strings are valid UTF-8 wherever the official library checks it, and
// sometimes not where it does not.
//
// A message set gets extensions when it is m itself; fields of such a type stay
// unset, because the official library cannot encode them without generated code.
//
// The message may be of any implementation. The same r gives the same message.
func Fill(m protoreflect.Message, r *rand.Rand, size int) {
	f := filler{Rand: r, left: 6 * size, partial: r.IntN(8) == 0}
	f.message(m, size, 0)
}

type filler struct {
	*rand.Rand
	left    int  // values that may still be set
	partial bool // required fields may be missing
}

func (f *filler) message(m protoreflect.Message, size, depth int) {
	md := m.Descriptor()
	f.required(m, depth)
	if depth > maxDepth {
		return
	}
	if md.FullName() == "google.protobuf.Any" && f.IntN(2) == 0 {
		f.pack(m)
		return
	}
	fields := settable(md)
	for n := f.count(size); n > 0 && len(fields) > 0 && f.left > 0; n-- {
		f.field(m, fields[f.IntN(len(fields))], size/2, depth)
	}
	if !IsMessageSet(md) && f.IntN(4) == 0 {
		m.SetUnknown(slices.Concat(m.GetUnknown(), f.unknown(md, size)))
	}
}

// settable lists the fields of a message and its extensions, message sets excepted.
func settable(md protoreflect.MessageDescriptor) []protoreflect.FieldDescriptor {
	var fields []protoreflect.FieldDescriptor
	add := func(fd protoreflect.FieldDescriptor) {
		if fd.Message() == nil || !IsMessageSet(fd.Message()) {
			fields = append(fields, fd)
		}
	}
	for i := range md.Fields().Len() {
		add(md.Fields().Get(i))
	}
	for _, xt := range extensions(md) {
		add(xt.TypeDescriptor())
	}
	return fields
}

// count is how many of about n things there are: often none, seldom many.
func (f *filler) count(n int) int {
	if n <= 0 {
		return f.IntN(2)
	}
	return f.IntN(n + n/2 + 1)
}

func (f *filler) required(m protoreflect.Message, depth int) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		fd := fields.Get(i)
		if fd.Cardinality() != protoreflect.Required || f.partial && f.IntN(4) == 0 {
			continue
		}
		switch {
		case fd.Message() == nil:
			m.Set(fd, f.scalar(fd))
		case depth < maxRequired:
			f.message(m.Mutable(fd).Message(), 1, max(depth+1, maxDepth))
		}
	}
}

func (f *filler) field(m protoreflect.Message, fd protoreflect.FieldDescriptor, size, depth int) {
	f.left--
	switch {
	case fd.IsMap():
		f.mapping(m, fd, size, depth)
	case fd.IsList():
		f.list(m, fd, size, depth)
	case fd.Message() != nil:
		f.message(m.Mutable(fd).Message(), size, depth+1)
	default:
		m.Set(fd, f.scalar(fd))
	}
}

func (f *filler) list(m protoreflect.Message, fd protoreflect.FieldDescriptor, size, depth int) {
	n := f.count(size)
	if n > 0 && fd.Message() == nil && f.IntN(32) == 0 {
		n += 200 // a packed field longer than one byte of length can say
	}
	if n == 0 {
		return // dynamicpb would keep an empty list as present
	}
	l := m.Mutable(fd).List()
	for ; n > 0; n-- {
		if fd.Message() == nil {
			l.Append(f.scalar(fd))
			continue
		}
		f.left--
		f.message(l.AppendMutable().Message(), size/2, depth+1)
	}
}

func (f *filler) mapping(m protoreflect.Message, fd protoreflect.FieldDescriptor, size, depth int) {
	n := f.count(size)
	if n == 0 {
		return
	}
	mp := m.Mutable(fd).Map()
	for ; n > 0; n-- {
		k := f.mapScalar(fd, fd.MapKey()).MapKey()
		if fd.MapValue().Message() == nil {
			mp.Set(k, f.mapScalar(fd, fd.MapValue()))
			continue
		}
		f.left--
		f.message(mp.Mutable(k).Message(), size/2, depth+1)
	}
}

// mapScalar is for a key or a value. Whether their text is checked is a matter of
// the map's features and of the entry's: it is valid if either says so.
func (f *filler) mapScalar(fd, part protoreflect.FieldDescriptor) protoreflect.Value {
	if part.Kind() == protoreflect.StringKind {
		return protoreflect.ValueOfString(f.text(checked(fd) || checked(part)))
	}
	return f.scalar(part)
}

// pack puts a message into an Any.
func (f *filler) pack(m protoreflect.Message) {
	inner := new(structpb.Struct)
	f.message(inner.ProtoReflect(), 3, maxDepth-2)
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(inner)
	if err != nil {
		panic(err) // all text of a Struct is valid
	}
	fields := m.Descriptor().Fields()
	m.Set(fields.ByName("type_url"), protoreflect.ValueOfString("type.googleapis.com/google.protobuf.Struct"))
	m.Set(fields.ByName("value"), protoreflect.ValueOfBytes(b))
}

func (f *filler) scalar(fd protoreflect.FieldDescriptor) protoreflect.Value {
	switch fd.Kind() {
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(f.IntN(2) == 0)
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(f.enum(fd.Enum()))
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return protoreflect.ValueOfInt32(int32(f.bits(32)))
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return protoreflect.ValueOfUint32(uint32(f.bits(32)))
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return protoreflect.ValueOfInt64(int64(f.bits(64)))
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return protoreflect.ValueOfUint64(f.bits(64))
	case protoreflect.FloatKind:
		return protoreflect.ValueOfFloat32(float32(f.float()))
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(f.float())
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(f.text(checked(fd)))
	default:
		return protoreflect.ValueOfBytes(f.bytes())
	}
}

func (f *filler) enum(ed protoreflect.EnumDescriptor) protoreflect.EnumNumber {
	if !ed.IsClosed() && f.IntN(4) == 0 {
		return protoreflect.EnumNumber(f.bits(32))
	}
	return ed.Values().Get(f.IntN(ed.Values().Len())).Number()
}

// bits is a number of any length up to width bits, or the complement of one, so that
// varints of every length and the extremes of signed and unsigned numbers occur.
func (f *filler) bits(width uint) uint64 {
	v := f.Uint64() >> (64 - f.UintN(width+1))
	switch f.IntN(8) {
	case 0:
		return ^v
	case 1:
		return 1<<(width-1) - uint64(f.IntN(2)) // the largest and the smallest signed number
	case 2:
		return math.MaxUint64
	case 3:
		return 0
	}
	return v
}

var floats = []float64{0, math.Copysign(0, -1), 1, -1.5, math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat32,
	math.SmallestNonzeroFloat32, math.MaxFloat64, math.SmallestNonzeroFloat64}

func (f *filler) float() float64 {
	if f.IntN(2) == 0 {
		return floats[f.IntN(len(floats))]
	}
	return math.Float64frombits(f.Uint64())
}

var words = []string{"", "a", "id", "name", "hello, world", "Zürich", "日本語", "\x00", "\u007f\u0080", "👩‍🚀",
	"\U0010ffff", "a\"b\\c\n"}

var broken = []string{"\xff", "a\x80", "\xed\xa0\x80", "\xc0\x80", "\xf4\x90\x80\x80", "valid then \xe6\x97"}

func (f *filler) text(valid bool) string {
	if !valid && f.IntN(8) == 0 {
		return broken[f.IntN(len(broken))]
	}
	s := words[f.IntN(len(words))]
	if f.IntN(16) == 0 {
		s = strings.Repeat(s, f.IntN(100))
	}
	return s
}

func (f *filler) bytes() []byte {
	b := make([]byte, max(0, f.IntN(40)-8))
	for i := range b {
		b[i] = byte(f.Uint32())
	}
	return b
}

// checked reports whether the official library validates the UTF-8 of a field.
func checked(fd protoreflect.FieldDescriptor) bool {
	if fd.Syntax() == protoreflect.Editions {
		if e, ok := fd.(interface{ EnforceUTF8() bool }); ok {
			return e.EnforceUTF8()
		}
		return true // an extension, which hides the answer
	}
	return fd.Syntax() == protoreflect.Proto3
}

func extensions(md protoreflect.MessageDescriptor) []protoreflect.ExtensionType {
	if md.ExtensionRanges().Len() == 0 {
		return nil
	}
	var xts []protoreflect.ExtensionType
	protoregistry.GlobalTypes.RangeExtensionsByMessage(md.FullName(), func(xt protoreflect.ExtensionType) bool {
		xts = append(xts, xt)
		return true
	})
	// The registry is a map: sorted, the same random numbers give the same message.
	slices.SortFunc(xts, func(a, b protoreflect.ExtensionType) int {
		return cmp.Compare(a.TypeDescriptor().Number(), b.TypeDescriptor().Number())
	})
	return xts
}

// unknown is some fields that the message does not have.
func (f *filler) unknown(md protoreflect.MessageDescriptor, size int) protoreflect.RawFields {
	var b protoreflect.RawFields
	for n := f.count(min(size, 4)); n > 0; n-- {
		num := protowire.Number(f.bits(29) & (1<<29 - 1))
		if !num.IsValid() || known(md, num) {
			continue
		}
		b = f.rawField(b, num, 2)
	}
	return b
}

func known(md protoreflect.MessageDescriptor, num protowire.Number) bool {
	_, err := protoregistry.GlobalTypes.FindExtensionByNumber(md.FullName(), num)
	return err == nil || md.Fields().ByNumber(num) != nil
}

// rawField appends a field of a random wire type; groups nest to a depth.
func (f *filler) rawField(b []byte, num protowire.Number, depth int) []byte {
	kinds := []protowire.Type{protowire.VarintType, protowire.Fixed32Type, protowire.Fixed64Type, protowire.BytesType,
		protowire.StartGroupType}
	t := kinds[f.IntN(len(kinds))]
	if t == protowire.StartGroupType && depth == 0 {
		t = protowire.BytesType
	}
	b = protowire.AppendTag(b, num, t)
	switch t {
	case protowire.VarintType:
		return protowire.AppendVarint(b, f.bits(64))
	case protowire.Fixed32Type:
		return protowire.AppendFixed32(b, f.Uint32())
	case protowire.Fixed64Type:
		return protowire.AppendFixed64(b, f.Uint64())
	case protowire.BytesType:
		return protowire.AppendBytes(b, f.bytes())
	}
	for n := f.IntN(3); n > 0; n-- {
		b = f.rawField(b, protowire.Number(1+f.IntN(1000)), depth-1)
	}
	return protowire.AppendTag(b, num, protowire.EndGroupType)
}
