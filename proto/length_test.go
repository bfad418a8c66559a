package proto_test

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	official "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/internal/test/race"
	opaquepb "github.com/protean-pb/protean/internal/testpb/gen/opaque/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/proto"
)

// set sets every field of m whose values value returns, lists to several of them. Of each oneof
// the member is set that which says, counted around.
func set(m protoreflect.Message, which int, value func(protoreflect.FieldDescriptor, int) protoreflect.Value) {
	fds := m.Descriptor().Fields()
	for i := range fds.Len() {
		fd := fds.Get(i)
		if od := fd.ContainingOneof(); fd.IsMap() || od != nil && !od.IsSynthetic() &&
			od.Fields().Get(which%od.Fields().Len()) != fd {
			continue
		}
		if !value(fd, 0).IsValid() {
			continue
		}
		if !fd.IsList() {
			m.Set(fd, value(fd, which))
			continue
		}
		list := m.Mutable(fd).List()
		for j := range 5 {
			list.Append(value(fd, which+j))
		}
	}
}

// numberOf returns x as a value of the field, if that holds numbers.
func numberOf(fd protoreflect.FieldDescriptor, x uint64) protoreflect.Value {
	switch fd.Kind() {
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return protoreflect.ValueOfInt32(int32(x))
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return protoreflect.ValueOfUint32(uint32(x))
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return protoreflect.ValueOfInt64(int64(x))
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return protoreflect.ValueOfUint64(x)
	case protoreflect.FloatKind:
		return protoreflect.ValueOfFloat32(math.Float32frombits(uint32(x) &^ (0xff << 23)))
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(math.Float64frombits(x &^ (0x7ff << 52)))
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(x&1 != 0)
	}
	return protoreflect.Value{}
}

// mix returns a number that differs from field to field and from one value to the next.
func mix(a, i, b int, fd protoreflect.FieldDescriptor) int {
	return int((uint(a)*uint(i) + uint(b)*uint(fd.Number())) & math.MaxInt32)
}

// TestNumberLengths writes numbers of all lengths that a varint may have, in every place where
// there may be one.
func TestNumberLengths(t *testing.T) {
	var numbers []uint64
	for k := range 64 {
		x := uint64(1) << k
		numbers = append(numbers, x-1, x, -x)
	}
	eachType(t, func(t *testing.T, k kind, mt protoreflect.MessageType) {
		for at := range race.Rounds(24) {
			m := k.New(mt)
			set(m.ProtoReflect(), at, func(fd protoreflect.FieldDescriptor, i int) protoreflect.Value {
				return numberOf(fd, numbers[mix(7, i, 13, fd)%len(numbers)])
			})
			checkMarshal(t, m)
		}
	})
}

// TestTextLengths writes text and bytes of all lengths about those at which another way is
// taken, in every place where there may be some, alone and beside one that is not plain.
func TestTextLengths(t *testing.T) {
	eachType(t, func(t *testing.T, k kind, mt protoreflect.MessageType) {
		for at := range race.Rounds(12) {
			for _, other := range []string{"", "é", strings.Repeat("long ", 50)} {
				m := k.New(mt)
				set(m.ProtoReflect(), at, func(fd protoreflect.FieldDescriptor, i int) protoreflect.Value {
					text := strings.Repeat("x", mix(7, i, 5, fd)%90)
					if (i+int(fd.Number()))%4 == 0 {
						text = other
					}
					switch fd.Kind() {
					case protoreflect.StringKind:
						return protoreflect.ValueOfString(text)
					case protoreflect.BytesKind:
						return protoreflect.ValueOfBytes([]byte(text))
					}
					return protoreflect.Value{}
				})
				checkMarshal(t, m)
			}
		}
	})
}

// TestListsThatGrow writes lists that need more memory than there was at first, each of a length
// that has it run out somewhere else.
func TestListsThatGrow(t *testing.T) {
	most := 1500
	if race.Brief() {
		most = 100
	}
	eachType(t, func(t *testing.T, k kind, mt protoreflect.MessageType) {
		fds := mt.Descriptor().Fields()
		for i := range fds.Len() {
			fd := fds.Get(i)
			if !fd.IsList() || !numberOf(fd, 0).IsValid() && fd.Kind() != protoreflect.StringKind {
				continue
			}
			for n := 1; n < most; n += n/2 + 1 {
				m := k.New(mt)
				list := m.ProtoReflect().Mutable(fd).List()
				for j := range n {
					v := numberOf(fd, 1<<(j%64)-uint64(n))
					if !v.IsValid() {
						v = protoreflect.ValueOfString("abcdefghijklmnopqrstuvwxyz"[:(n+j)%27])
					}
					list.Append(v)
				}
				checkMarshal(t, m)
			}
		}
	})
}

// TestLongLists writes and reads lists of so many bytes that it is not done in one step.
func TestLongLists(t *testing.T) {
	const n = 40_000
	text := func(i int) string { return "abcdefghijklmnopqrstuvwxyz"[:i%27] }
	p := &benchpb.Packed{
		ListInt32: each(n, func(i int) int32 { return int32(i%5*i) - 7 }),
		ListInt64: each(n, func(i int) int64 { return 1 << (i % 64) }),
		ListBool:  each(n, func(i int) bool { return i%3 == 0 }),
	}
	checkMarshal(t, p)
	checkMarshal(t, &benchpb.Expanded{ListInt32: p.ListInt32, ListInt64: p.ListInt64, ListBool: p.ListBool})
	checkMarshal(t, &benchpb.Strings{A: "before", List: each(n, text), Labels: []*benchpb.Label{{Key: "behind"}}})
	checkUnmarshal(t, []byte(strings.Repeat(sub(1, "one and the same text")+sub(2, "x"), n)), new(benchpb.Strings))
}

// TestInvalidTextEverywhere has a byte that is not UTF-8 at every place of texts of all lengths
// that are copied and looked at in one step.
func TestInvalidTextEverywhere(t *testing.T) {
	for n := 1; n < 70; n++ {
		for i := range n {
			text := strings.Repeat("x", i) + "\xff" + strings.Repeat("x", n-i-1)
			for _, m := range []proto.Message{&benchpb.Leaf{Name: text},
				&benchpb.Strings{List: []string{text, "plain"}}} {
				if _, err := proto.Marshal(m); !errors.Is(err, proto.ErrUTF8) {
					t.Fatalf("Marshal of %q: %v", text, err)
				}
			}
			list := &benchpb.Strings{List: []string{"plain", "plain"}}
			for _, wire := range []string{sub(1, text), sub(1, text) + sub(2, strings.Repeat("plain", 20)),
				sub(5, "plain") + sub(5, text)} {
				for _, alias := range []bool{false, true} {
					o := proto.UnmarshalOptions{AliasInput: alias}
					if err := o.Unmarshal([]byte(wire), new(benchpb.Strings)); !errors.Is(err, proto.ErrUTF8) {
						t.Fatalf("Unmarshal of %q: %v", wire, err)
					}
					list.List = list.List[:0] // with room
					o.Merge = true
					if err := o.Unmarshal([]byte(wire), list); !errors.Is(err, proto.ErrUTF8) {
						t.Fatalf("Unmarshal of %q into a list with room: %v", wire, err)
					}
				}
			}
		}
	}
}

// TestAnyText reads all sequences of two bytes, and of three and four those that matter, in texts of lengths that are
// looked at in different ways: they are refused where they are not UTF-8, and come back where they are.
func TestAnyText(t *testing.T) {
	ends := []byte{0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff}
	var m benchpb.Strings
	look := func(text string) {
		for _, around := range []string{text, text + "abc", "twelve bytes" + text, "é" + text + strings.Repeat("x", 20),
			strings.Repeat("ü", 21) + text} {
			for _, alias := range []bool{false, true} {
				m.A, m.B, m.List = "", "", append(m.List[:0], "")[:0] // which has room
				o := proto.UnmarshalOptions{AliasInput: alias, Merge: true, DiscardUnknown: true}
				unknown := sub(16, "x") // a tag that could be the end of a character
				err := o.Unmarshal([]byte(sub(1, around)+unknown+sub(5, around)+unknown+sub(2, around)+unknown), &m)
				if valid := utf8.ValidString(around); (err == nil) != valid ||
					!valid && !errors.Is(err, proto.ErrUTF8) {
					t.Fatalf("%q: %v", around, err)
				} else if valid && (m.A != around || m.B != around || m.List[0] != around) {
					t.Fatalf("%q is read as %q, %q and %q", around, m.A, m.List[0], m.B)
				}
			}
		}
	}
	every := 20 / race.Rounds(20)
	for first := 0x80; first < 0x100; first++ {
		look(string([]byte{byte(first)}))
		for second := 0; second < 0x100; second += every {
			text := string([]byte{byte(first), byte(second)})
			look(text)
			if first < 0xe0 || second < 0x80 || second >= 0xc0 {
				continue
			}
			for _, third := range ends {
				look(text + string([]byte{third}))
			}
			look(text + "\x80\xbf")
		}
	}
}

// number returns a value for a list of numbers, or of an enum, that has so many bits; an invalid one for other fields.
func number(fd protoreflect.FieldDescriptor, bits int) protoreflect.Value {
	x := uint64(1)<<bits - 1
	switch fd.Kind() {
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(bits > 0)
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(protoreflect.EnumNumber(x))
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return protoreflect.ValueOfInt32(int32(x))
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return protoreflect.ValueOfInt64(int64(x))
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return protoreflect.ValueOfUint32(uint32(x))
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return protoreflect.ValueOfUint64(x)
	case protoreflect.FloatKind:
		return protoreflect.ValueOfFloat32(float32(x))
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(float64(x))
	}
	return protoreflect.Value{}
}

// TestListsOfNumbers reads such lists of all lengths up to what is read in words, packed and not, as declared and not,
// in front of others and behind them, and cut off.
func TestListsOfNumbers(t *testing.T) {
	packed, expanded := new(benchpb.Packed), new(benchpb.Expanded)
	into := []proto.Message{packed, expanded, new(opaquepb.Packed),
		dynamic.NewMessage(packed.ProtoReflect().Descriptor())}
	behind := sub(500, strings.Repeat("x", 20))
	for _, from := range []proto.Message{packed, expanded} {
		fds := from.ProtoReflect().Descriptor().Fields()
		for i := range fds.Len() {
			fd := fds.Get(i)
			if !number(fd, 1).IsValid() {
				continue
			}
			for n := 0; n < 70; n += 1 + n/34*7 {
				for _, bits := range []int{1, 7, 8, 21, 31, 64} {
					m := from.ProtoReflect().New()
					list := m.Mutable(fd).List()
					for k := range n {
						list.Append(number(fd, (k+1)*bits%(bits+1)))
					}
					wire, err := official.Marshal(m.Interface())
					if err != nil {
						t.Fatal(err)
					}
					for _, to := range into {
						o := proto.UnmarshalOptions{AliasInput: n%2 > 0}
						for _, w := range []string{string(wire), string(wire) + behind,
							behind + string(wire) + string(wire)} {
							checkWay(t, []byte(w), to, o)
						}
						if n < 10 {
							for end := range wire {
								checkWay(t, wire[:end], to, o)
							}
						}
					}
				}
			}
		}
	}
}

// TestListsInMessages reads lists of numbers in messages of a list, for which there is memory, but not always for
// theirs.
func TestListsInMessages(t *testing.T) {
	md := describe(t, `name: "lists.proto" package: "lists" syntax: "proto3" message_type: {
		name: "M"
		field: {name: "more" number: 1 type: TYPE_MESSAGE label: LABEL_REPEATED type_name: ".lists.M"}
		field: {name: "packed" number: 2 type: TYPE_SINT64 label: LABEL_REPEATED}
		field: {name: "expanded" number: 3 type: TYPE_SINT32 label: LABEL_REPEATED options: {packed: false}}
		field: {name: "fixed" number: 4 type: TYPE_DOUBLE label: LABEL_REPEATED}
		field: {name: "last" number: 5 type: TYPE_INT32 label: LABEL_OPTIONAL}
	}`)
	fds := md.Fields()
	for n := range 300 {
		all := dynamicpb.NewMessage(md)
		more := all.Mutable(fds.ByNumber(1)).List()
		for k := range 4 {
			m := more.AppendMutable().Message()
			if n%10 == 9 { // more than was expected
				setPlain(m, fds.ByNumber(protoreflect.FieldNumber(2+(n/10+k)%3)), (n+k)%50)
			}
			m.Set(fds.ByNumber(5), protoreflect.ValueOfInt32(int32(k+1)))
		}
		wire, err := official.Marshal(all)
		if err != nil {
			t.Fatal(err)
		}
		checkWay(t, wire, dynamic.NewMessage(md), proto.UnmarshalOptions{})
	}
}

// setPlain sets a field to a text of n bytes or a number that has to do with n, or to a list of n such.
func setPlain(m protoreflect.Message, fd protoreflect.FieldDescriptor, n int) {
	v := number(fd, n)
	switch fd.Kind() {
	case protoreflect.StringKind:
		v = protoreflect.ValueOfString(strings.Repeat("x", n))
	case protoreflect.BytesKind:
		v = protoreflect.ValueOfBytes(bytes.Repeat([]byte("x"), n))
	}
	switch {
	case !v.IsValid():
	case fd.IsList():
		list := m.Mutable(fd).List()
		for range n {
			list.Append(v)
		}
	default:
		m.Set(fd, v)
	}
}

// TestListsBesideOthers reads lists of numbers of all kinds, one behind the other in memory: each begins where its
// numbers may lie, and its capacity ends with it.
func TestListsBesideOthers(t *testing.T) {
	for _, m := range []proto.Message{new(benchpb.Packed), new(benchpb.Expanded)} {
		for n := 1; n < 20; n++ {
			r := m.ProtoReflect().New()
			fds := r.Descriptor().Fields()
			for i := range fds.Len() {
				if fd := fds.Get(fds.Len() - 1 - i); number(fd, 1).IsValid() {
					for k := range n {
						r.Mutable(fd).List().Append(number(fd, k))
					}
				}
			}
			wire, err := official.Marshal(r.Interface())
			if err != nil {
				t.Fatal(err)
			}
			for range 3 { // there is a chunk once it is known how much there is
				got := r.New().Interface()
				if err := proto.Unmarshal(wire, got); err != nil {
					t.Fatal(err)
				}
				v := reflect.ValueOf(got).Elem()
				for i := range v.NumField() {
					f := v.Field(i)
					if f.Kind() != reflect.Slice || f.Len() == 0 {
						continue
					}
					if f.Len() != n || f.Cap() != n || f.Pointer()%f.Type().Elem().Size() != 0 {
						t.Fatalf("%s: %d numbers at %#x with a capacity of %d, not %d", v.Type().Field(i).Name, f.Len(),
							f.Pointer(), f.Cap(), n)
					}
				}
			}
		}
	}
}

// TestCapacities reads bytes that lie one behind the other: who appends to some must not write over others.
func TestCapacities(t *testing.T) {
	for n := 1; n < 70; n++ {
		b := []byte(strings.Repeat("x", n))
		wide, optional := &benchpb.Wide{F15: b, F30: b, F45: b}, &benchpb.Optional{OptBytes: b}
		for _, m := range []proto.Message{wide, optional} {
			wire, err := proto.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			if err := proto.Unmarshal(wire, m); err != nil {
				t.Fatal(err)
			}
		}
		for i, b := range [][]byte{wide.F15, wide.F30, wide.F45, optional.OptBytes} {
			if len(b) != n || cap(b) != n {
				t.Fatalf("field %d: %d bytes have become %d with a capacity of %d", i, n, len(b), cap(b))
			}
		}
	}
}
