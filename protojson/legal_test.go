package protojson_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/internal/testpb"
)

// fill fills m at random. Most messages can be written then, unlike those of testpb.Fill,
// which puts into well-known types what has no form in JSON.
func fill(m protoreflect.Message, r *rand.Rand, size int) {
	testpb.Fill(m, r, size)
	if r.IntN(16) != 0 {
		legalize(m, r, 3)
	}
}

func seeded(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, seed)) }

// legalize replaces what has no form in JSON, in m and below. Any is filled anew, so many
// levels deep.
func legalize(m protoreflect.Message, r *rand.Rand, levels int) {
	if special := legal[m.Descriptor().FullName()]; special != nil {
		special(m, r, levels)
	}
	for _, fd := range present(m) {
		switch v := m.Get(fd); {
		case fd.IsMap():
			legalizeMap(m.Mutable(fd).Map(), fd, r, levels)
		case fd.IsList():
			l := m.Mutable(fd).List()
			for i := range l.Len() {
				if fd.Message() != nil {
					legalize(l.Get(i).Message(), r, levels)
				} else if broken(l.Get(i)) {
					l.Set(i, protoreflect.ValueOfString("mended"))
				}
			}
		case fd.Message() != nil:
			legalize(m.Mutable(fd).Message(), r, levels)
		case broken(v):
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
		case broken(k.Value()):
			m.Clear(k)
		case fd.MapValue().Message() != nil:
			legalize(m.Mutable(k).Message(), r, levels)
		case broken(m.Get(k)):
			m.Set(k, protoreflect.ValueOfString("mended"))
		}
	}
}

func broken(v protoreflect.Value) bool {
	s, ok := v.Interface().(string)
	return ok && !utf8.ValidString(s)
}

// legal fills a message of a well-known type anew.
var legal map[protoreflect.FullName]func(m protoreflect.Message, r *rand.Rand, levels int)

func init() {
	legal = map[protoreflect.FullName]func(protoreflect.Message, *rand.Rand, int){
		"google.protobuf.Timestamp": legalTimestamp,
		"google.protobuf.Duration":  legalDuration,
		"google.protobuf.FieldMask": legalFieldMask,
		"google.protobuf.Value":     legalValue,
		"google.protobuf.Any":       legalAny,
	}
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
		paths.Append(protoreflect.ValueOfString([]string{"a", "foo_bar", "foo.bar_baz.q", "x1", "a_b_c", "Foo", "f_1", "_f"}[r.IntN(8)]))
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
	mt := testpb.Types()[r.IntN(len(testpb.Types()))]
	if r.IntN(2) == 0 { // types with a form of their own are few, but matter more
		mt = special[r.IntN(len(special))]
	}
	if levels == 0 || testpb.IsMessageSet(mt.Descriptor()) {
		return
	}
	in := mt.New()
	testpb.Fill(in, r, 6)
	legalize(in, r, levels-1)
	b, err := proto.MarshalOptions{Deterministic: true, AllowPartial: true}.Marshal(in.Interface())
	if err != nil {
		panic(fmt.Sprintf("%v: %v", in, err)) // all text is valid
	}
	url := []string{"type.googleapis.com/", "example.com/a/b/", "/", ""}[r.IntN(4)] + string(mt.Descriptor().FullName())
	m.Set(fds.ByName("type_url"), protoreflect.ValueOfString(url))
	m.Set(fds.ByName("value"), protoreflect.ValueOfBytes(b))
}

// special are the well-known types.
var special = func() (mts []protoreflect.MessageType) {
	for _, mt := range testpb.Types() {
		if mt.Descriptor().FullName().Parent() == "google.protobuf" {
			mts = append(mts, mt)
		}
	}
	return mts
}()
