package native

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Difference returns "" if the messages are equal as [google.golang.org/protobuf/proto.Equal] defines it,
// and otherwise one line that names the first difference in the order of field
// numbers, unknown fields last:
//
//	events[3].id: 9007199254740993 became 9007199254740992
//	metadata.ip: "192.168.1.1" was lost
//	tags: 3 elements became 2
//	actor: was added
//	unknown field 99 was lost
//
// Fields are matched by number, so the messages may come of different
// implementations and of different copies of a descriptor; their types must
// have the same full name.
func Difference(want, got protoreflect.Message) string {
	err := compareValid(want, got)
	if err == nil {
		return ""
	}
	return err.Error()
}

// The comparing functions return what differs as an *Error, whose path is built
// while it unwinds and whose text is the line that Difference returns.

func compareValid(want, got protoreflect.Message) error {
	switch w, g := isValid(want), isValid(got); {
	case w && !g:
		return errors.New("the message was lost")
	case g && !w:
		return errors.New("the message was added")
	case want == nil || got == nil:
		return nil
	}
	return compareMessages(want, got)
}

func isValid(m protoreflect.Message) bool { return m != nil && m.IsValid() }

// field is a populated field.
type field struct {
	fd protoreflect.FieldDescriptor
	v  protoreflect.Value
}

func populated(m protoreflect.Message) map[protoreflect.FieldNumber]field {
	fields := map[protoreflect.FieldNumber]field{}
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		fields[fd.Number()] = field{fd, v}
		return true
	})
	return fields
}

func compareMessages(want, got protoreflect.Message) error {
	if w, g := want.Descriptor().FullName(), got.Descriptor().FullName(); w != g {
		return fmt.Errorf("message type %s became %s", w, g)
	}
	w, g := populated(want), populated(got)
	for _, n := range unionOfKeys(w, g) {
		if err := compareFields(w[n], g[n]); err != nil {
			return InField(err, cmp.Or(w[n].fd, g[n].fd))
		}
	}
	return compareUnknown(want.GetUnknown(), got.GetUnknown())
}

// unionOfKeys returns the keys of both maps in order.
func unionOfKeys[K cmp.Ordered, V any](a, b map[K]V) []K {
	keys := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(keys)
	return slices.Compact(keys)
}

// compareFields compares two fields of one number, of which one may be absent,
// that is, the zero field.
func compareFields(want, got field) error {
	if want.fd == nil || got.fd == nil {
		return compareAbsent(want, got)
	}
	if w, g := typeOf(want.fd), typeOf(got.fd); w != g {
		return fmt.Errorf("type %s became %s", w, g)
	}
	switch {
	case want.fd.IsMap():
		return compareMaps(want, got)
	case want.fd.IsList():
		return compareLists(want, got)
	default:
		return compareValues(want, got)
	}
}

// compareAbsent reports a field or map entry that only one side has.
func compareAbsent(want, got field) error {
	f, fate := want, "was lost"
	if want.fd == nil {
		f, fate = got, "was added"
	}
	switch {
	case f.fd.IsMap():
		return compareMaps(want, got)
	case f.fd.IsList():
		return compareLists(want, got)
	case f.fd.Message() != nil:
		return errors.New(fate)
	}
	return fmt.Errorf("%s %s", shown(f, 0), fate)
}

func typeOf(fd protoreflect.FieldDescriptor) string {
	return fmt.Sprintf("%v %v", fd.Cardinality(), fd.Kind())
}

func compareLists(want, got field) error {
	w, g := lengthOf(want), lengthOf(got)
	if w != g {
		plural := "s"
		if w == 1 {
			plural = ""
		}
		return fmt.Errorf("%d element%s became %d", w, plural, g)
	}
	for i := range w {
		we, ge := field{want.fd, want.v.List().Get(i)}, field{got.fd, got.v.List().Get(i)}
		if err := compareValues(we, ge); err != nil {
			return InElement(err, i)
		}
	}
	return nil
}

func lengthOf(list field) int {
	if list.fd == nil {
		return 0
	}
	return list.v.List().Len()
}

func compareMaps(want, got field) error {
	w, g := entriesByKey(want), entriesByKey(got)
	keys := slices.AppendSeq(slices.Collect(maps.Keys(w)), maps.Keys(g))
	slices.SortFunc(keys, compareKeys)
	for _, k := range slices.Compact(keys) {
		key := protoreflect.ValueOf(k).MapKey()
		we, ge := w[k], g[k]
		if we.fd == nil || ge.fd == nil {
			return InEntry(compareAbsent(we, ge), key)
		}
		if err := compareFields(we, ge); err != nil {
			return InEntry(err, key)
		}
	}
	return nil
}

// entriesByKey returns the entries of a map field by their Go keys, which unlike
// a MapKey can be compared.
func entriesByKey(f field) map[any]field {
	entries := map[any]field{}
	if f.fd != nil {
		f.v.Map().Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
			entries[k.Interface()] = field{f.fd.MapValue(), v}
			return true
		})
	}
	return entries
}

// compareKeys orders keys of one map: false before true, others as Go does.
func compareKeys(a, b any) int {
	switch a := a.(type) {
	case string:
		return cmp.Compare(a, b.(string))
	case int32:
		return cmp.Compare(a, b.(int32))
	case int64:
		return cmp.Compare(a, b.(int64))
	case uint32:
		return cmp.Compare(a, b.(uint32))
	case uint64:
		return cmp.Compare(a, b.(uint64))
	default:
		return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b))
	}
}

// compareValues compares two singular values, list elements or map values.
func compareValues(want, got field) error {
	if want.fd.Message() != nil {
		return compareMessages(want.v.Message(), got.v.Message())
	}
	if want.v.Equal(got.v) {
		return nil
	}
	start := window(want, got)
	return fmt.Errorf("%s became %s", shown(want, start), shown(got, start))
}

// compareUnknown compares the bytes of unknown fields number by number: their
// order among each other has no meaning.
func compareUnknown(want, got protoreflect.RawFields) error {
	w, g := unknownByNumber(want), unknownByNumber(got)
	for _, n := range unionOfKeys(w, g) {
		fate := "changed"
		switch {
		case bytes.Equal(w[n], g[n]):
			continue
		case len(g[n]) == 0:
			fate = "was lost"
		case len(w[n]) == 0:
			fate = "was added"
		}
		return fmt.Errorf("unknown field %d %s", n, fate)
	}
	return nil
}

func unknownByNumber(b protoreflect.RawFields) map[protowire.Number][]byte {
	fields := map[protowire.Number][]byte{}
	for len(b) > 0 {
		number, _, n := protowire.ConsumeField(b)
		if n < 0 {
			// Only a message filled by hand can hold this; its bytes still count.
			number, n = 0, len(b)
		}
		fields[number] = append(fields[number], b[:n]...)
		b = b[n:]
	}
	return fields
}
