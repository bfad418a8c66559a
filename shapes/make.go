package shapes

import (
	"hash/maphash"
	"math/rand/v2"
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/known/anypb"

	"github.com/protean-pb/protean/proto"
)

// A maker makes up messages of given shapes.
type maker struct {
	keepKeys bool
	seed     maphash.Seed                     // what a key becomes depends on it, and it is nowhere written
	anys     []protoreflect.MessageDescriptor // the types in Anys of the message at hand
}

func newMaker(keepKeys bool) maker { return maker{keepKeys: keepKeys, seed: maphash.MakeSeed()} }

// message returns a made-up message of the shape of src, and the types of messages in its Anys.
func (k *maker) message(src protoreflect.Message) (made protoreflect.Message, anys []protoreflect.MessageDescriptor) {
	k.anys = nil
	made = src.New()
	k.fill(made, src)
	return made, k.anys
}

func (k *maker) fill(dst, src protoreflect.Message) {
	if src.Descriptor().FullName() == "google.protobuf.Any" {
		k.any(dst, src)
		return
	}
	src.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case fd.IsExtension():
		case fd.IsMap():
			k.entries(dst.Mutable(fd).Map(), v.Map(), fd)
		case fd.IsList():
			list := dst.Mutable(fd).List()
			for i := range v.List().Len() {
				list.Append(k.value(list.NewElement(), v.List().Get(i), fd, false))
			}
		case fd.Message() != nil:
			k.fill(dst.Mutable(fd).Message(), v.Message())
		default:
			dst.Set(fd, k.value(protoreflect.Value{}, v, fd, !fd.HasPresence()))
		}
		return true
	})
	limit(dst, src)
}

// value returns a made-up value: of a message, in empty. If set, zero stands for a field that is absent.
func (k *maker) value(empty, v protoreflect.Value, fd protoreflect.FieldDescriptor, set bool) protoreflect.Value {
	if fd.Message() != nil {
		k.fill(empty.Message(), v.Message())
		return empty
	}
	return scalar(v, fd, set)
}

// attempts is how often another key is tried where one is taken.
const attempts = 1000

func (k *maker) entries(dst, src protoreflect.Map, fd protoreflect.FieldDescriptor) {
	src.Range(func(key protoreflect.MapKey, v protoreflect.Value) bool {
		made := key
		for i := 0; i < attempts && !k.keepKeys && (i == 0 || dst.Has(made)); i++ {
			made = k.key(key, fd.MapKey(), i)
		}
		if dst.Has(made) { // a bool, or one of very many short keys
			if made = key; dst.Has(made) {
				return true
			}
		}
		dst.Set(made, k.value(dst.NewValue(), v, fd.MapValue(), false))
		return true
	})
}

// key returns what a key becomes. It depends on the key and the number of the attempt alone.
func (k *maker) key(key protoreflect.MapKey, fd protoreflect.FieldDescriptor, attempt int) protoreflect.MapKey {
	if fd.Kind() != protoreflect.StringKind {
		return scalar(key.Value(), fd, false).MapKey()
	}
	s := key.String()
	random := rand.New(rand.NewPCG(maphash.String(k.seed, s), uint64(attempt)))
	return protoreflect.ValueOfString(text(s, random.IntN)).MapKey()
}

// any makes up what is in an Any; one of a type that is not linked becomes empty.
func (k *maker) any(dst, src protoreflect.Message) {
	in := new(anypb.Any)
	wire, err := proto.MarshalOptions{AllowPartial: true}.Marshal(src.Interface())
	if err != nil || proto.Unmarshal(wire, in) != nil {
		return
	}
	t, err := protoregistry.GlobalTypes.FindMessageByURL(in.TypeUrl)
	if err != nil {
		return
	}
	held, made := t.New(), t.New()
	o := proto.UnmarshalOptions{AllowPartial: true}
	if o.Unmarshal(in.Value, held.Interface()) != nil {
		return
	}
	k.fill(made, held)
	value, err := proto.MarshalOptions{AllowPartial: true}.Marshal(made.Interface())
	if err != nil {
		return
	}
	k.anys = append(k.anys, t.Descriptor())
	fields := src.Descriptor().Fields()
	dst.Set(fields.ByNumber(1), protoreflect.ValueOfString(in.TypeUrl))
	dst.Set(fields.ByNumber(2), protoreflect.ValueOfBytes(value))
}

// limit brings the types of which ProtoJSON takes only some values back to those, with as many digits of a second as
// src has.
func limit(dst, src protoreflect.Message) {
	var first, last int64
	switch dst.Descriptor().FullName() {
	case "google.protobuf.Timestamp":
		first, last = -62135596800, 253402300799
	case "google.protobuf.Duration":
		first, last = -315576000000, 315576000000
	default:
		return
	}
	seconds, nanos := dst.Descriptor().Fields().ByNumber(1), dst.Descriptor().Fields().ByNumber(2)
	if dst.Has(seconds) {
		dst.Set(seconds, protoreflect.ValueOfInt64(min(max(dst.Get(seconds).Int(), first), last)))
	}
	if !dst.Has(nanos) {
		return
	}
	unit := int64(1)
	for unit < 1e6 && src.Get(nanos).Int()%(unit*1000) == 0 {
		unit *= 1000
	}
	n := dst.Get(nanos).Int() % 1e9
	if n -= n % unit; n == 0 {
		n = src.Get(nanos).Int() / abs(src.Get(nanos).Int()) * unit
	}
	dst.Set(nanos, protoreflect.ValueOfInt32(int32(n)))
}

func abs(n int64) int64 { return max(n, -n) }

// text returns a string with as many characters of each length as s has; random is rand.IntN or its like.
func text(s string, random func(int) int) string {
	var b strings.Builder
	var longer [utf8.UTFMax + 1]int
	for _, c := range s {
		if n := utf8.RuneLen(c); n > 1 {
			longer[n]++
		} else {
			b.WriteByte(byte('a' + random(26)))
		}
	}
	for n, first := range [...]rune{2: 'à', 3: '一', 4: '😀'} {
		for range longer[n] {
			b.WriteRune(first + rune(random(24)))
		}
	}
	return b.String()
}
