package nativetest

import (
	"math"
	"math/rand/v2"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"

	// The types that go into an Any must be linked in.
	_ "google.golang.org/protobuf/types/known/durationpb"
	_ "google.golang.org/protobuf/types/known/emptypb"
	_ "google.golang.org/protobuf/types/known/fieldmaskpb"
	_ "google.golang.org/protobuf/types/known/structpb"
	_ "google.golang.org/protobuf/types/known/timestamppb"
	_ "google.golang.org/protobuf/types/known/wrapperspb"
)

// Generator fills messages with random content that ProtoJSON can express. It is
// not safe for concurrent use.
type Generator struct {
	rand *rand.Rand

	// JSON leaves out what plain JSON cannot hold, or Go structs cannot tell
	// apart: NaN, infinities, negative zero and a singular Value that is null.
	JSON bool

	// Extensions are set on the messages that they extend.
	Extensions []protoreflect.ExtensionType
}

// NewGenerator returns a generator whose messages depend on nothing but the seed.
func NewGenerator(seed uint64) *Generator {
	return &Generator{rand: rand.New(rand.NewPCG(seed, 0))}
}

// maxDepth ends the recursion of recursive types.
const maxDepth = 4

// Message returns a new dynamic message of type md.
func (g *Generator) Message(md protoreflect.MessageDescriptor) *dynamicpb.Message {
	m := dynamicpb.NewMessage(md)
	g.Fill(m)
	return m
}

// OnlyField returns a new dynamic message in which at most the field fd is set.
func (g *Generator) OnlyField(fd protoreflect.FieldDescriptor) *dynamicpb.Message {
	m := dynamicpb.NewMessage(fd.ContainingMessage())
	g.fillField(m, fd, maxDepth-1)
	return m
}

// Fill fills m, which is empty, of any implementation.
func (g *Generator) Fill(m protoreflect.Message) { g.fill(m, maxDepth) }

func (g *Generator) fill(m protoreflect.Message, depth int) {
	if g.fillWellKnown(m, depth) {
		return
	}
	// How full the message is varies: rarely would all fields be empty otherwise.
	density := g.rand.Float64()
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		if fd := fields.Get(i); g.rand.Float64() < density || fd.Cardinality() == protoreflect.Required {
			g.fillField(m, fd, depth-1)
		}
	}
	for _, xt := range g.Extensions {
		if xd := xt.TypeDescriptor(); xd.ContainingMessage().FullName() == m.Descriptor().FullName() && g.chance(2) {
			g.fillField(m, xd, depth-1)
		}
	}
}

func (g *Generator) fillField(m protoreflect.Message, fd protoreflect.FieldDescriptor, depth int) {
	switch {
	case depth < 0 && fd.Message() != nil:
	case fd.IsMap():
		mp := m.Mutable(fd).Map()
		for range g.rand.IntN(4) {
			mp.Set(g.scalar(fd.MapKey()).MapKey(), g.value(fd.MapValue(), mp.NewValue, depth))
		}
	case fd.IsList():
		l := m.Mutable(fd).List()
		for range g.rand.IntN(4) {
			l.Append(g.value(fd, l.NewElement, depth))
		}
	default:
		v := g.value(fd, func() protoreflect.Value { return m.NewField(fd) }, depth)
		if g.JSON && fd.Message() != nil && isNull(v.Message()) {
			return
		}
		m.Set(fd, v)
	}
}

func (g *Generator) value(fd protoreflect.FieldDescriptor, empty func() protoreflect.Value,
	depth int) protoreflect.Value {
	if fd.Message() == nil {
		return g.scalar(fd)
	}
	v := empty()
	g.fill(v.Message(), depth)
	return v
}

func (g *Generator) scalar(fd protoreflect.FieldDescriptor) protoreflect.Value {
	switch fd.Kind() {
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(g.chance(2))
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(g.enum(fd.Enum()))
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return protoreflect.ValueOfInt32(int32(g.bits()))
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return protoreflect.ValueOfInt64(int64(g.bits()))
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return protoreflect.ValueOfUint32(uint32(g.bits()))
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return protoreflect.ValueOfUint64(g.bits())
	case protoreflect.FloatKind:
		return protoreflect.ValueOfFloat32(float32(g.float(32)))
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(g.float(64))
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(g.text())
	default:
		return protoreflect.ValueOfBytes([]byte(g.text()))
	}
}

// bits returns numbers of every magnitude, the ends of the ranges among them.
func (g *Generator) bits() uint64 {
	edges := []uint64{0, 1, math.MaxUint64, math.MaxInt64, 1 << 63, math.MaxInt32, 1 << 31, 1<<53 + 1}
	if g.chance(3) {
		return edges[g.rand.IntN(len(edges))]
	}
	return g.rand.Uint64() >> g.rand.IntN(64)
}

func (g *Generator) float(size int) float64 {
	edges := []float64{0, 1, -1.5, 0.1, 1e21, 1e-7, math.MaxFloat32, math.SmallestNonzeroFloat32}
	if size == 64 {
		edges = append(edges, math.MaxFloat64, math.SmallestNonzeroFloat64, 1<<53, 1e300)
	}
	if !g.JSON {
		edges = append(edges, math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1))
	}
	if g.chance(2) {
		return edges[g.rand.IntN(len(edges))]
	}
	return float64(float32(g.rand.NormFloat64() * math.Pow(10, float64(g.rand.IntN(20)-10))))
}

func (g *Generator) enum(ed protoreflect.EnumDescriptor) protoreflect.EnumNumber {
	if !ed.IsClosed() && g.chance(5) {
		return protoreflect.EnumNumber(int32(g.bits()))
	}
	return ed.Values().Get(g.rand.IntN(ed.Values().Len())).Number()
}

func (g *Generator) text() string {
	edges := []string{"", "a", "true", "NaN", "12", `"\/<>&`, "\x00\x1f\x7f", "žluť 日本 🦊", "\u2028\u2029", "null",
		"e\u0301", "a.b[c]"}
	if g.chance(2) {
		return edges[g.rand.IntN(len(edges))]
	}
	b := make([]byte, g.rand.IntN(40))
	for i := range b {
		b[i] = byte(' ' + g.rand.IntN(95))
	}
	return string(b)
}

// chance is true once in n times.
func (g *Generator) chance(n int) bool { return g.rand.IntN(n) == 0 }

// fillWellKnown fills a message of a type of which not every content is legal.
func (g *Generator) fillWellKnown(m protoreflect.Message, depth int) bool {
	switch m.Descriptor().FullName() {
	case "google.protobuf.Timestamp":
		seconds := []int64{0, -62135596800, 253402300799, g.rand.Int64N(4e9)}
		setNumber(m, seconds[g.rand.IntN(len(seconds))], int32(g.nanos()))
	case "google.protobuf.Duration":
		sign := int64(1 - 2*g.rand.IntN(2))
		setNumber(m, sign*(g.rand.Int64N(315576000000)>>g.rand.IntN(38)), 0)
		g.durationNanos(m)
	case "google.protobuf.FieldMask":
		l := m.Mutable(m.Descriptor().Fields().ByNumber(1)).List()
		for range g.rand.IntN(3) {
			l.Append(protoreflect.ValueOfString([]string{"a", "foo_bar", "a.b_c.d"}[g.rand.IntN(3)]))
		}
	case "google.protobuf.Value":
		g.fillValue(m, depth)
	case "google.protobuf.Any":
		g.fillAny(m, depth)
	default:
		return false
	}
	return true
}

func (g *Generator) nanos() int { return []int{0, 1, 120e6, 999999999, 1000}[g.rand.IntN(5)] }

func setNumber(m protoreflect.Message, seconds int64, nanos int32) {
	fields := m.Descriptor().Fields()
	m.Set(fields.ByNumber(1), protoreflect.ValueOfInt64(seconds))
	m.Set(fields.ByNumber(2), protoreflect.ValueOfInt32(nanos))
}

// durationNanos sets nanos of the same sign as the seconds.
func (g *Generator) durationNanos(m protoreflect.Message) {
	seconds := m.Get(m.Descriptor().Fields().ByNumber(1)).Int()
	nanos := g.nanos()
	if seconds < 0 || seconds == 0 && g.chance(2) {
		nanos = -nanos
	}
	setNumber(m, seconds, int32(nanos))
}

func (g *Generator) fillValue(m protoreflect.Message, depth int) {
	numbers := 6
	if depth <= 0 {
		numbers = 4 // the scalars
	}
	fd := m.Descriptor().Fields().ByNumber(protoreflect.FieldNumber(1 + g.rand.IntN(numbers)))
	if fd.Enum() != nil {
		m.Set(fd, protoreflect.ValueOfEnum(0))
		return
	}
	m.Set(fd, g.value(fd, func() protoreflect.Value { return m.NewField(fd) }, depth-1))
}

func isNull(m protoreflect.Message) bool {
	return m.Descriptor().FullName() == "google.protobuf.Value" && m.Has(m.Descriptor().Fields().ByNumber(1))
}

// fillFinite fills m with what JSON can hold, which an Any is limited to.
func (g *Generator) fillFinite(m protoreflect.Message, depth int) {
	before := g.JSON
	g.JSON = true
	g.fill(m, depth)
	g.JSON = before
}

// fillAny puts in one of the types that are linked into the program.
func (g *Generator) fillAny(m protoreflect.Message, depth int) {
	names := []protoreflect.FullName{
		"google.protobuf.Timestamp", "google.protobuf.Struct", "google.protobuf.Empty",
		"google.protobuf.Int64Value", "google.protobuf.BytesValue", "google.protobuf.FieldMask",
	}
	mt, err := protoregistry.GlobalTypes.FindMessageByName(names[g.rand.IntN(len(names))])
	if err != nil || g.chance(5) {
		return // an empty Any is legal
	}
	inner := mt.New()
	g.fillFinite(inner, depth-1)
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(inner.Interface())
	if err != nil {
		return
	}
	fields := m.Descriptor().Fields()
	m.Set(fields.ByNumber(1), protoreflect.ValueOfString("type.googleapis.com/"+string(inner.Descriptor().FullName())))
	m.Set(fields.ByNumber(2), protoreflect.ValueOfBytes(b))
}
