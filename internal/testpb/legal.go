package testpb

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// WellKnown returns those of [Types] that are in package google.protobuf. The slice is
// shared: do not change it. Safe for concurrent use.
func WellKnown() []protoreflect.MessageType { return wellKnownTypes() }

var wellKnownTypes = sync.OnceValue(func() []protoreflect.MessageType {
	var all []protoreflect.MessageType
	for _, f := range wellKnown {
		all = appendTypes(all, f.Messages())
	}
	return all
})

// Legalize replaces what has no form in JSON, in m and below: times out of range, paths that
// are none, a google.protobuf.Value that is unset or NaN, text that is not UTF-8. What is in
// an Any is replaced by a random message of any type, such as Fill makes, legalized too, with
// more Any below, to so many levels. The same r and message give the same message.
func Legalize(m protoreflect.Message, r *rand.Rand, levels int) {
	if anew := refillOf(m.Descriptor().FullName()); anew != nil {
		anew(m, r, levels)
	}
	for _, fd := range present(m) {
		switch v := m.Get(fd); {
		case fd.IsMap():
			legalizeMap(m.Mutable(fd).Map(), fd, r, levels)
		case fd.IsList():
			l := m.Mutable(fd).List()
			for i := range l.Len() {
				if fd.Message() != nil {
					Legalize(l.Get(i).Message(), r, levels)
				} else if invalidText(l.Get(i)) {
					l.Set(i, protoreflect.ValueOfString("mended"))
				}
			}
		case fd.Message() != nil:
			Legalize(m.Mutable(fd).Message(), r, levels)
		case invalidText(v):
			m.Set(fd, protoreflect.ValueOfString("mended"))
		}
	}
}

// present are the fields of m that are set, in a definite order.
func present(m protoreflect.Message) []protoreflect.FieldDescriptor {
	var fds []protoreflect.FieldDescriptor
	m.Range(func(fd protoreflect.FieldDescriptor, _ protoreflect.Value) bool {
		fds = append(fds, fd)
		return true
	})
	slices.SortFunc(fds, func(a, b protoreflect.FieldDescriptor) int { return cmp.Compare(a.Number(), b.Number()) })
	return fds
}

func legalizeMap(m protoreflect.Map, fd protoreflect.FieldDescriptor, r *rand.Rand, levels int) {
	var keys []protoreflect.MapKey
	m.Range(func(k protoreflect.MapKey, _ protoreflect.Value) bool {
		keys = append(keys, k)
		return true
	})
	slices.SortFunc(keys, func(a, b protoreflect.MapKey) int { return strings.Compare(a.String(), b.String()) })
	for _, k := range keys {
		switch {
		case invalidText(k.Value()):
			m.Clear(k)
		case fd.MapValue().Message() != nil:
			Legalize(m.Mutable(k).Message(), r, levels)
		case invalidText(m.Get(k)):
			m.Set(k, protoreflect.ValueOfString("mended"))
		}
	}
}

func invalidText(v protoreflect.Value) bool {
	s, ok := v.Interface().(string)
	return ok && !utf8.ValidString(s)
}

// A refill makes a message of a well-known type such that it can be written.
type refill func(m protoreflect.Message, r *rand.Rand, levels int)

func refillOf(name protoreflect.FullName) refill {
	switch name {
	case "google.protobuf.Timestamp":
		return legalTimestamp
	case "google.protobuf.Duration":
		return legalDuration
	case "google.protobuf.FieldMask":
		return legalFieldMask
	case "google.protobuf.Value":
		return legalValue
	case "google.protobuf.Any":
		return legalAny
	}
	return nil
}

func setTime(m protoreflect.Message, seconds, nanos int64) {
	fds := m.Descriptor().Fields()
	m.Set(fds.ByName("seconds"), protoreflect.ValueOfInt64(seconds))
	m.Set(fds.ByName("nanos"), protoreflect.ValueOfInt32(int32(nanos)))
}

// fraction is a number of nanoseconds below a second, with more or fewer digits.
func fraction(r *rand.Rand) int64 {
	unit := []int64{1, 10, 1000, 1_000_000, 100_000_000, 1_000_000_000}[r.IntN(6)]
	return r.Int64N(1_000_000_000) / unit * unit
}

func legalTimestamp(m protoreflect.Message, r *rand.Rand, _ int) {
	const first, last = -62135596800, 253402300799
	seconds := []int64{first + r.Int64N(last-first+1), r.Int64N(2_000_000_000), first, last, 0, -1}[r.IntN(6)]
	setTime(m, seconds, fraction(r))
}

func legalDuration(m protoreflect.Message, r *rand.Rand, _ int) {
	const last = 315576000000
	seconds, nanos := []int64{r.Int64N(last + 1), r.Int64N(100), last, 0}[r.IntN(4)], fraction(r)
	if r.IntN(2) == 0 {
		seconds, nanos = -seconds, -nanos
	}
	setTime(m, seconds, nanos)
}

func legalFieldMask(m protoreflect.Message, r *rand.Rand, _ int) {
	paths := m.Mutable(m.Descriptor().Fields().ByName("paths")).List()
	paths.Truncate(0)
	for range r.IntN(4) {
		paths.Append(protoreflect.ValueOfString([]string{"a", "foo_bar", "foo.bar_baz.q", "x1", "a_b_c", "b1.c_d",
			"x_y_z1", "_f"}[r.IntN(8)]))
	}
}

func legalValue(m protoreflect.Message, r *rand.Rand, _ int) {
	fds := m.Descriptor().Fields()
	number := fds.ByName("number_value")
	switch v := m.Get(number).Float(); {
	case m.WhichOneof(number.ContainingOneof()) == nil:
		m.Set(fds.ByName("null_value"), protoreflect.ValueOfEnum(0))
	case math.IsNaN(v) || math.IsInf(v, 0):
		m.Set(number, protoreflect.ValueOfFloat64(r.NormFloat64()))
	}
}

// legalAny packs a message of any type, by a URL of any form.
func legalAny(m protoreflect.Message, r *rand.Rand, levels int) {
	fds := m.Descriptor().Fields()
	m.Clear(fds.ByName("type_url"))
	m.Clear(fds.ByName("value"))
	choice := Types()
	if r.IntN(2) == 0 { // types with a form of their own are few, but matter more
		choice = WellKnown()
	}
	mt := choice[r.IntN(len(choice))]
	if levels == 0 || IsMessageSet(mt.Descriptor()) {
		return
	}
	in := mt.New()
	Fill(in, r, 6)
	Legalize(in, r, levels-1)
	b, err := proto.MarshalOptions{Deterministic: true, AllowPartial: true}.Marshal(in.Interface())
	if err != nil {
		panic(fmt.Sprintf("%v: %v", in, err)) // all text is valid
	}
	url := []string{"type.googleapis.com/", "example.com/a/b/", "/", ""}[r.IntN(4)] + string(mt.Descriptor().FullName())
	m.Set(fds.ByName("type_url"), protoreflect.ValueOfString(url))
	m.Set(fds.ByName("value"), protoreflect.ValueOfBytes(b))
}
