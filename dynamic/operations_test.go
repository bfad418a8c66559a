package dynamic_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/internal/test/race"
	"github.com/protean-pb/protean/internal/testpb"
)

// A pair is a message of ours and one of the official library's that has been treated alike.
type pair struct{ ours, theirs protoreflect.Message }

// A session does the same operations, which its input says, on both messages of pairs, and
// compares what comes of it.
type session struct {
	t     *testing.T
	in    []byte
	root  pair
	pairs []pair // the root and messages below it, or that were, and read-only ones
	did   []string

	copies bool // whether messages are copied over others
}

func (s *session) next() int {
	if len(s.in) == 0 {
		return 0
	}
	b := s.in[0]
	s.in = s.in[1:]
	return int(b)
}

// same runs an operation on both messages and reports whether neither panicked; it fails if
// only one did.
func (s *session) same(what string, ours, theirs func()) bool {
	s.did = append(s.did, what)
	p, q := caught(ours), caught(theirs)
	if (p == nil) != (q == nil) {
		s.fail("ours panics with %v, the official library's with %v", p, q)
	}
	return p == nil
}

func caught(f func()) (p any) {
	defer func() { p = recover() }()
	f()
	return nil
}

func (s *session) fail(format string, args ...any) {
	s.t.Helper()
	s.t.Fatalf("%v, %v\nours:   %v\ntheirs: %v", slices.Concat(s.did[max(0, len(s.did)-12):]),
		fmt.Sprintf(format, args...), s.root.ours, s.root.theirs)
}

// both returns what f returns for each message of the pair, if neither panics.
func both[T any](s *session, what string, p pair, f func(protoreflect.Message) T) (ours, theirs T, ok bool) {
	ok = s.same(what, func() { ours = f(p.ours) }, func() { theirs = f(p.theirs) })
	return ours, theirs, ok
}

// operations runs sessions on messages of md until the input is used up.
func operations(t *testing.T, md protoreflect.MessageDescriptor, in []byte) {
	s := &session{t: t, in: in, root: pair{dynamic.NewMessage(md), dynamicpb.NewMessage(md)}}
	s.pairs = []pair{s.root, {dynamic.NewMessageType(md).Zero(), dynamicpb.NewMessageType(md).Zero()}}
	s.copies = s.next()%2 == 1
	proto.Reset(s.root.ours.Interface()) // or the first Reset may leave copies with what they share
	for len(s.in) > 0 && len(s.did) < 300 {
		s.step()
		if !proto.Equal(s.root.ours.Interface(), s.root.theirs.Interface()) ||
			!proto.Equal(s.root.theirs.Interface(), s.root.ours.Interface()) {
			s.fail("now they differ")
		}
	}
	clonesAgree(t, s.root.ours.Interface(), s.root.theirs.Interface())
	codecsAgree(t, s.root.ours.Interface(), s.root.theirs.Interface())
}

// step does one operation on one pair.
func (s *session) step() {
	p := s.pairs[s.next()%len(s.pairs)]
	if p.ours.IsValid() != p.theirs.IsValid() || p.ours.Descriptor() != p.theirs.Descriptor() {
		s.fail("%v: valid %v, official %v", p.ours.Descriptor().FullName(), p.ours.IsValid(), p.theirs.IsValid())
	}
	fd := s.field(p.ours.Descriptor())
	if fd == nil {
		return
	}
	name := string(fd.Name())
	switch op := s.next() % 20; op {
	case 0:
		both(s, "Clear "+name, p, func(m protoreflect.Message) bool { m.Clear(fd); return true })
	case 1, 2:
		if a, b, ok := both(s, "Get "+name, p,
			func(m protoreflect.Message) protoreflect.Value { return m.Get(fd) }); ok {
			s.value(fd, a, b)
		}
	case 3, 4, 5, 6:
		if a, b, ok := both(s, "Mutable "+name, p,
			func(m protoreflect.Message) protoreflect.Value { return m.Mutable(fd) }); ok {
			s.value(fd, a, b)
		}
	case 7:
		s.set(p, fd)
	case 8:
		s.oneof(p)
	case 9:
		if s.copies {
			break // which share unknown fields here and not in dynamicpb
		}
		b := protowire.AppendVarint(protowire.AppendTag(nil, protowire.Number(70_000+s.next()), protowire.VarintType),
			uint64(s.next()))
		both(s, "SetUnknown", p, func(m protoreflect.Message) bool { m.SetUnknown(slices.Clone(b)); return true })
	case 10:
		if p.ours.IsValid() && s.next()%4 == 0 && (p == s.root || !s.copies) {
			both(s, "Reset", p, func(m protoreflect.Message) bool { proto.Reset(m.Interface()); return true })
		}
	case 11:
		bad := s.scalar(fd) // of the wrong type, mostly
		other := s.field(s.root.ours.Descriptor())
		if _, ok := p.ours.(*dynamic.Message); other == nil || !ok {
			return // to set something of a wrong type leaves generated messages in a state that is none
		}
		both(s, "Set of something else "+name, p, func(m protoreflect.Message) bool { m.Set(other, bad); return true })
	case 12, 13:
		s.foreign(p, fd)
	case 14:
		if s.copies {
			s.copyOver(p, s.pairs[s.next()%len(s.pairs)])
		}
	default:
		if fd.IsList() || fd.IsMap() || fd.Message() != nil {
			s.set(p, fd)
			return
		}
		v := s.scalar(fd)
		if _, ok := p.ours.(*dynamic.Message); !ok {
			v = s.ofKind(fd.Kind())
		}
		both(s, "Set "+name, p, func(m protoreflect.Message) bool { m.Set(fd, v); return true })
	}
	has, hasToo, ok := both(s, "Has "+name, p, func(m protoreflect.Message) bool { return m.Has(fd) })
	if ok && has != hasToo {
		s.fail("%v, official %v", has, hasToo)
	}
}

// field chooses a field of the message, or seldom of another.
func (s *session) field(md protoreflect.MessageDescriptor) protoreflect.FieldDescriptor {
	if s.next() == 255 {
		md = s.root.ours.Descriptor()
	}
	var all []protoreflect.FieldDescriptor
	for i := range md.Fields().Len() {
		all = append(all, md.Fields().Get(i))
	}
	if md.ExtensionRanges().Len() > 0 {
		var xds []protoreflect.FieldDescriptor
		protoregistry.GlobalTypes.RangeExtensionsByMessage(md.FullName(), func(xt protoreflect.ExtensionType) bool {
			xds = append(xds, xt.TypeDescriptor())
			return true
		})
		slices.SortFunc(xds, func(a, b protoreflect.FieldDescriptor) int { return int(a.Number() - b.Number()) })
		all = append(all, xds...)
	}
	if len(all) == 0 {
		return nil
	}
	return all[(s.next()<<8|s.next())%len(all)]
}

// value compares two values of the field, and goes on with messages, lists and maps.
func (s *session) value(fd protoreflect.FieldDescriptor, a, b protoreflect.Value) {
	switch {
	case fd.IsMap():
		s.mapping(fd, a.Map(), b.Map())
	case fd.IsList():
		s.list(fd, a.List(), b.List())
	case fd.Message() != nil:
		s.keep(a, b)
	case !a.Equal(b):
		s.fail("%v, official %v", a, b)
	}
}

// keep remembers two messages for more operations.
func (s *session) keep(a, b protoreflect.Value) {
	if a.Message().IsValid() != b.Message().IsValid() {
		s.fail("valid %v, official %v", a.Message().IsValid(), b.Message().IsValid())
	}
	if len(s.pairs) < 40 {
		s.pairs = append(s.pairs, pair{a.Message(), b.Message()})
	}
}

// set sets a field to a value that is built before and changed afterwards.
func (s *session) set(p pair, fd protoreflect.FieldDescriptor) {
	a, b, ok := both(s, "NewField "+string(fd.Name()), p,
		func(m protoreflect.Message) protoreflect.Value { return m.NewField(fd) })
	if !ok {
		return
	}
	s.value(fd, a, b)
	s.same("Set "+string(fd.Name()), func() { p.ours.Set(fd, a) }, func() { p.theirs.Set(fd, b) })
	s.value(fd, a, b)
}

// foreign sets a message of a generated type, or adds one to a list or map.
func (s *session) foreign(p pair, fd protoreflect.FieldDescriptor) {
	value := fd
	if fd.IsMap() {
		value = fd.MapValue()
	}
	if value.Message() == nil {
		return
	}
	mt, err := protoregistry.GlobalTypes.FindMessageByName(value.Message().FullName())
	if err != nil || mt.Descriptor() != value.Message() {
		return
	}
	seed, n := uint64(s.next()), s.next()%4
	random := func() protoreflect.Value {
		m := mt.New()
		testpb.Fill(m, rand.New(rand.NewPCG(seed, 1)), n)
		return protoreflect.ValueOfMessage(m)
	}
	a, b := random(), random()
	put := func(m protoreflect.Message, v protoreflect.Value) protoreflect.Value {
		switch {
		case fd.IsMap():
			k := fd.MapKey().Default().MapKey()
			m.Mutable(fd).Map().Set(k, v)
			return m.Get(fd).Map().Get(k)
		case fd.IsList():
			l := m.Mutable(fd).List()
			l.Append(v)
			l.Set(l.Len()-1, v)
			return m.Get(fd).List().Get(l.Len() - 1)
		}
		m.Set(fd, v)
		return m.Get(fd)
	}
	var got protoreflect.Value
	if !s.same("foreign "+string(fd.Name()), func() { got = put(p.ours, a) }, func() { put(p.theirs, b) }) {
		return
	}
	if got.Message() != a.Message() {
		s.fail("a %T became a %T", a.Message().Interface(), got.Message().Interface())
	}
	s.keep(a, b)
}

// copyOver copies a message over another.
func (s *session) copyOver(to, from pair) {
	a, ok := to.ours.(*dynamic.Message)
	b, okToo := from.ours.(*dynamic.Message)
	if !ok || !okToo || a == b || reaches(from.ours, a) || !from.ours.IsValid() && to == s.root {
		return
	}
	s.did = append(s.did, fmt.Sprintf("copy %v over %v", b.Descriptor().FullName(), a.Descriptor().FullName()))
	*a = *b
	*to.theirs.(*dynamicpb.Message) = *from.theirs.(*dynamicpb.Message)
}

// reaches reports whether a message is below another, which would then contain itself if it became that.
func reaches(from protoreflect.Message, to *dynamic.Message) (found bool) {
	below := func(v protoreflect.Value) bool {
		found = found || v.Message() == protoreflect.Message(to) || reaches(v.Message(), to)
		return !found
	}
	from.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case fd.IsMap() && fd.MapValue().Message() != nil:
			v.Map().Range(func(_ protoreflect.MapKey, v protoreflect.Value) bool { return below(v) })
		case fd.IsMap() || fd.Message() == nil:
		case fd.IsList():
			for i := range v.List().Len() {
				below(v.List().Get(i))
			}
		default:
			below(v)
		}
		return !found
	})
	return found
}

func (s *session) oneof(p pair) {
	ods := p.ours.Descriptor().Oneofs()
	if ods.Len() == 0 {
		return
	}
	od := ods.Get(s.next() % ods.Len())
	a, b, ok := both(s, "WhichOneof "+string(od.Name()), p,
		func(m protoreflect.Message) protoreflect.FieldDescriptor { return m.WhichOneof(od) })
	if ok && a != b {
		s.fail("%v, official %v", a, b)
	}
}

// list changes two lists.
func (s *session) list(fd protoreflect.FieldDescriptor, a, b protoreflect.List) {
	if a.IsValid() != b.IsValid() {
		s.fail("valid %v, official %v", a.IsValid(), b.IsValid())
	}
	for n := s.next() % 4; n > 0; n-- {
		var x, y protoreflect.Value
		ok := false
		at := s.next()%(b.Len()+1) - s.next()%16/15
		switch s.next() % 6 {
		case 0:
			s.same("Truncate", func() { a.Truncate(at) }, func() { b.Truncate(at) })
		case 1:
			ok = s.same("AppendMutable", func() { x = a.AppendMutable() }, func() { y = b.AppendMutable() })
		case 2:
			x, y = s.element(fd, a.NewElement, b.NewElement)
			ok = s.same("list Set", func() { a.Set(at, x) }, func() { b.Set(at, y) })
		case 3:
			ok = s.same("list Get", func() { x = a.Get(at) }, func() { y = b.Get(at) })
		default:
			x, y = s.element(fd, a.NewElement, b.NewElement)
			ok = s.same("Append", func() { a.Append(x) }, func() { b.Append(y) })
		}
		if ok {
			s.single(fd, x, y)
		}
		if a.Len() != b.Len() {
			s.fail("length %d, official %d", a.Len(), b.Len())
		}
	}
}

// mapping changes two maps.
func (s *session) mapping(fd protoreflect.FieldDescriptor, a, b protoreflect.Map) {
	if a.IsValid() != b.IsValid() {
		s.fail("valid %v, official %v", a.IsValid(), b.IsValid())
	}
	for n := s.next() % 4; n > 0; n-- {
		var x, y protoreflect.Value
		ok := false
		k := s.ofKind(fd.MapKey().Kind()).MapKey()
		switch s.next() % 6 {
		case 0:
			s.same("map Clear", func() { a.Clear(k) }, func() { b.Clear(k) })
		case 1:
			ok = s.same("map Mutable", func() { x = a.Mutable(k) }, func() { y = b.Mutable(k) })
		case 2:
			ok = s.same("map Get", func() { x = a.Get(k) }, func() { y = b.Get(k) })
		case 3:
			if wrong := protoreflect.ValueOfInt32(1); fd.MapKey().Kind() == protoreflect.StringKind {
				s.same("map Set with a wrong key", func() { a.Set(wrong.MapKey(), a.NewValue()) },
					func() { b.Set(wrong.MapKey(), b.NewValue()) })
			}
		default:
			x, y = s.element(fd.MapValue(), a.NewValue, b.NewValue)
			ok = s.same("map Set", func() { a.Set(k, x) }, func() { b.Set(k, y) })
		}
		if ok {
			s.single(fd.MapValue(), x, y)
		}
		if a.Len() != b.Len() || a.Has(k) != b.Has(k) {
			s.fail("length %d, official %d", a.Len(), b.Len())
		}
	}
}

// element returns new values for both lists or maps.
func (s *session) element(
	fd protoreflect.FieldDescriptor, ours, theirs func() protoreflect.Value,
) (a, b protoreflect.Value) {
	switch ok := s.same("new value", func() { a = ours() }, func() { b = theirs() }); {
	case fd.Message() != nil:
		return a, b
	case ok && !a.Equal(b): // there is none of an enum that is not resolved
		s.fail("new value %v, official %v", a, b)
	}
	v := s.scalar(fd)
	return v, v
}

// single compares two values out of a list or map.
func (s *session) single(fd protoreflect.FieldDescriptor, a, b protoreflect.Value) {
	switch {
	case a.IsValid() != b.IsValid():
		s.fail("%v, official %v", a, b)
	case !a.IsValid():
	case fd.Message() != nil:
		s.keep(a, b)
	case !a.Equal(b):
		s.fail("%v, official %v", a, b)
	}
}

// scalar returns a value for the field, now and then of another type.
func (s *session) scalar(fd protoreflect.FieldDescriptor) protoreflect.Value {
	if s.next()%32 == 31 {
		return s.ofKind(protoreflect.Kind(1 + s.next()%18))
	}
	return s.ofKind(fd.Kind())
}

func (s *session) ofKind(k protoreflect.Kind) protoreflect.Value {
	n := s.next() % 5
	switch k {
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(n%2 == 1)
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(protoreflect.EnumNumber(n - 1))
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return protoreflect.ValueOfInt32([]int32{0, 1, -1, math.MinInt32, math.MaxInt32}[n])
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return protoreflect.ValueOfUint32([]uint32{0, 1, 2, 1 << 31, math.MaxUint32}[n])
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return protoreflect.ValueOfInt64([]int64{0, 1, -1, math.MinInt64, math.MaxInt64}[n])
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return protoreflect.ValueOfUint64([]uint64{0, 1, 2, 1 << 63, math.MaxUint64}[n])
	case protoreflect.FloatKind:
		return protoreflect.ValueOfFloat32([]float32{0, float32(math.Copysign(0, -1)), float32(math.NaN()), 1.5,
			math.MaxFloat32}[n])
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64([]float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(-1), 0.1}[n])
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes([][]byte{nil, {}, {0}, []byte("x"), []byte("some bytes")}[n])
	}
	return protoreflect.ValueOfString([]string{"", "a", "some text", "\u65e5\u672c", "\xff"}[n])
}

// TestRandomOperationsAgreeWithOfficial does random operations on messages of all types.
func TestRandomOperationsAgreeWithOfficial(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, mt := range testpb.Schemas() {
		t.Run(string(mt.Descriptor().FullName()), func(t *testing.T) {
			for range race.Rounds(4) {
				in := make([]byte, 1500)
				for i := range in {
					in[i] = byte(r.Uint32())
				}
				operations(t, mt.Descriptor(), in)
			}
		})
	}
}

// FuzzOperations does what the fuzzer says.
func FuzzOperations(f *testing.F) {
	types := testpb.Schemas()
	r := rand.New(rand.NewPCG(7, 8))
	for i := range types {
		in := make([]byte, 200)
		for i := range in {
			in[i] = byte(r.Uint32())
		}
		f.Add(uint16(i), in)
	}
	f.Fuzz(func(t *testing.T, which uint16, in []byte) {
		operations(t, types[int(which)%len(types)].Descriptor(), in)
	})
}
