package runner

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/cmd/protean/internal/native"
	"github.com/protean-pb/protean/cmd/protean/internal/result"
	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

// A prober finds out what a variant does with awkward data, by handing it some.
type prober struct {
	typ    *variant.Type
	v      *variant.Variant
	sample proto.Message
}

// probe returns the properties of a variant that has passed verification. A probe
// that the schema has no field for stays empty.
func probe(l *load, v *variant.Variant) result.Properties {
	ms, err := l.messages([]int{0})
	if err != nil {
		return result.Properties{}
	}
	p := &prober{l.typ, v, ms[0]}
	return result.Properties{
		UTF8:          p.try(p.utf8),
		Input:         p.try(p.input),
		Deterministic: p.try(p.deterministic),
		Int64:         p.kept(p.changed(isInt64, bigInteger)),
		NaN:           p.kept(p.changed(isFloat, notANumber)),
		Empty:         p.kept(p.empty()),
		Unknown:       strings.ReplaceAll(p.kept(p.unknown()), "altered", "dropped"),
		Order:         p.try(p.order),
		Memory:        p.try(p.memory),
		Mutable:       p.try(p.mutable),
	}
}

// The words for what probes find.
const (
	kept, alteredWord, refused, dropped = "kept", "altered", "refused", "dropped"
	yes, no                             = "yes", "no"
)

// tries returns how often a message of that size is to be encoded to see that its fields
// lie in maps, which are ranged over in one order or another. One of two entries comes in
// the same order seven times of eight; the longer a message, the more it has of them.
func tries(size int) int { return min(128, max(16, 1<<14/max(size, 1))) }

// try runs a probe; one that panics or fails to run tells nothing.
func (p *prober) try(f func() (string, error)) string {
	found := ""
	if guard(func() (err error) {
		found, err = f()
		return err
	}) != nil {
		return ""
	}
	return found
}

// open returns a new codec of the variant with the given samples.
func (p *prober) open(samples ...proto.Message) (variant.Codec, error) {
	c, err := p.v.Open(p.typ)
	if err != nil {
		return nil, err
	}
	return c, c.Load(samples)
}

// op returns the codec's operation of that name, or nil.
func op(c variant.Codec, name string) *variant.Op {
	if i := slices.IndexFunc(c.Ops(), func(o *variant.Op) bool { return o.Name == name }); i >= 0 {
		return c.Ops()[i]
	}
	return nil
}

// kept says what becomes of m on the way through the variant.
func (p *prober) kept(m proto.Message) string {
	if m == nil {
		return ""
	}
	found := ""
	if guard(func() error {
		got, err := p.roundTrip(m)
		if got == nil || err != nil {
			return err
		}
		found = kept
		if native.Difference(m.ProtoReflect(), got.ProtoReflect()) != "" {
			found = alteredWord
		}
		return nil
	}) != nil {
		return refused
	}
	return found
}

// roundTrip marshals m and decodes it again, with the variant's own operations as
// far as it has them; nil if it cannot unmarshal.
func (p *prober) roundTrip(m proto.Message) (proto.Message, error) {
	c, err := p.open(m)
	if err != nil {
		return nil, err
	}
	if o := op(c, variant.Marshal); o != nil {
		if err := o.Run(0); err != nil {
			return nil, err
		}
		c.SetWire(0, variant.Pieces(o.Result()))
	}
	o := op(c, variant.Unmarshal)
	if o == nil {
		return nil, nil
	}
	if err := o.Run(0); err != nil {
		return nil, err
	}
	return o.Message(o.Result())
}

// changed returns the sample with the first suitable field set to a value.
func (p *prober) changed(pred func(protoreflect.FieldDescriptor) bool, value func(protoreflect.FieldDescriptor) protoreflect.Value) proto.Message {
	path := find(p.typ.Descriptor(), pred)
	return with(p.sample, path, func(m protoreflect.Message, f protoreflect.FieldDescriptor) {
		setScalar(m, f, value(f))
	})
}

// empty returns the sample with a field that is present and empty.
func (p *prober) empty() proto.Message {
	if m := with(p.sample, find(p.typ.Descriptor(), isOptional), func(m protoreflect.Message, f protoreflect.FieldDescriptor) {
		m.Set(f, zero(f))
	}); m != nil {
		return m
	}
	return with(p.sample, find(p.typ.Descriptor(), isSubmessage), func(m protoreflect.Message, f protoreflect.FieldDescriptor) {
		m.Set(f, m.NewField(f))
	})
}

// unknown returns the sample with a field that the schema does not know.
func (p *prober) unknown() proto.Message {
	c := proto.Clone(p.sample)
	parts := parent(c.ProtoReflect(), p.rowPath())
	number := protowire.Number(1000)
	for parts.Descriptor().Fields().ByNumber(number) != nil {
		number++
	}
	parts.SetUnknown(protowire.AppendVarint(protowire.AppendTag(nil, number, protowire.VarintType), 1))
	return c
}

// rowPath leads to where a message of this type holds its data: itself, or the
// first of its rows. Its last element only marks the end.
func (p *prober) rowPath() []protoreflect.FieldDescriptor {
	if p.typ.Rows == "" {
		return make([]protoreflect.FieldDescriptor, 1)
	}
	return []protoreflect.FieldDescriptor{p.typ.Descriptor().Fields().ByName(p.typ.Rows), nil}
}

// marker is text that stands as it is in every encoding.
const marker = "protean probe marker"

// marked opens the variant on the sample with the marker in a string field.
func (p *prober) marked() (variant.Codec, []protoreflect.FieldDescriptor, error) {
	path := find(p.typ.Descriptor(), isString)
	m := with(p.sample, path, func(m protoreflect.Message, f protoreflect.FieldDescriptor) {
		setScalar(m, f, protoreflect.ValueOfString(marker))
	})
	if m == nil {
		return nil, nil, fmt.Errorf("the schema has no string field")
	}
	c, err := p.open(m)
	return c, path, err
}

// replaceMarker returns a copy of the wire form with other bytes, as many, in
// place of the marker.
func replaceMarker(pieces [][]byte, with []byte) [][]byte {
	out := make([][]byte, len(pieces))
	for i, piece := range pieces {
		out[i] = bytes.ReplaceAll(piece, []byte(marker), with)
	}
	return out
}

// utf8 says what Unmarshal does with a string that is not UTF-8.
func (p *prober) utf8() (string, error) {
	c, path, err := p.marked()
	if err != nil {
		return "", err
	}
	o := op(c, variant.Unmarshal)
	if o == nil {
		return "", nil
	}
	invalid := bytes.Repeat([]byte{0xff}, len(marker))
	c.SetWire(0, replaceMarker(c.Wire(0), invalid))
	if guard(func() error { return o.Run(0) }) != nil {
		return refused, nil
	}
	found := "passed"
	guard(func() error { // a result that cannot be read back has passed it
		got, err := o.Message(o.Result())
		if err == nil && strings.Contains(getScalar(parent(got.ProtoReflect(), path), path[len(path)-1]).String(), "\uFFFD") {
			found = "replaced"
		}
		return err
	})
	return found, nil
}

// input says whether a decoded result changes when the bytes that it was read
// from do.
func (p *prober) input() (string, error) {
	c, _, err := p.marked()
	if err != nil {
		return "", err
	}
	o := op(c, variant.Unmarshal)
	if o == nil {
		return "", nil
	}
	wire := replaceMarker(c.Wire(0), []byte(marker)) // a copy
	c.SetWire(0, wire)
	if err := o.Run(0); err != nil {
		return "", err
	}
	result := o.Result()
	before, err := o.Message(result)
	if err != nil {
		return "", err
	}
	want, err := deterministic(before)
	if err != nil {
		return "", err
	}
	for _, piece := range wire {
		for i := bytes.Index(piece, []byte(marker)); i >= 0; i = bytes.Index(piece, []byte(marker)) {
			copy(piece[i:], strings.Repeat("#", len(marker)))
		}
	}
	return p.same(o, result, want, "copied", "aliased"), nil
}

// memory says whether a result changes with the next call. Where the variant
// declares that it does, it is taken at its word: to look would be to read memory
// that its library has given away.
func (p *prober) memory() (string, error) {
	if p.v.Reuses {
		return "reused", nil
	}
	other := altered(p.sample)
	if other == nil {
		return "", nil
	}
	c, err := p.open(p.sample, other)
	if err != nil {
		return "", err
	}
	found := "fresh"
	for _, name := range []string{variant.Marshal, variant.Unmarshal} {
		o := op(c, name)
		if o == nil {
			continue
		}
		if err := o.Run(0); err != nil {
			return "", err
		}
		result := o.Result()
		m, err := o.Message(result)
		if err != nil {
			return "", err
		}
		want, err := deterministic(m)
		if err != nil {
			return "", err
		}
		if err := o.Run(1); err != nil {
			return "", err
		}
		if p.same(o, result, want, "", "reused") != "" {
			found = "reused"
		}
	}
	return found, nil
}

// mutable says whether what Unmarshal returns can be changed. A message that is read-only panics
// when it is; of what is no message, only an index of the input cannot be changed.
func (p *prober) mutable() (string, error) {
	c, err := p.open(p.sample)
	if err != nil {
		return "", err
	}
	o := op(c, variant.Unmarshal)
	if o == nil {
		return "", nil
	}
	if err := o.Run(0); err != nil {
		return "", err
	}
	m, ok := o.Result().(proto.Message)
	if !ok {
		return map[bool]string{true: no, false: yes}[p.v.Indexes], nil
	}
	r := m.ProtoReflect()
	fields := r.Descriptor().Fields()
	if fields.Len() == 0 {
		return "", nil
	}
	if guard(func() error {
		r.Set(fields.Get(0), r.NewField(fields.Get(0)))
		return nil
	}) != nil {
		return no, nil
	}
	return yes, nil
}

// same reads a result once more and says whether it still is the message that
// has the given bytes.
func (p *prober) same(o *variant.Op, result any, want []byte, ifSame, ifNot string) string {
	found := ifNot
	guard(func() error {
		m, err := o.Message(result)
		if err != nil {
			return err
		}
		got, err := deterministic(m)
		if err == nil && bytes.Equal(got, want) {
			found = ifSame
		}
		return err
	})
	return found
}

func deterministic(m proto.Message) ([]byte, error) {
	return proto.MarshalOptions{Deterministic: true, AllowPartial: true}.Marshal(m)
}

// deterministic says whether equal messages give equal bytes.
func (p *prober) deterministic() (string, error) {
	m := p.sample
	if full := with(p.sample, find(p.typ.Descriptor(), isStringMap), fillMap); full != nil {
		m = full
	}
	c, err := p.open()
	if err != nil {
		return "", err
	}
	o := op(c, variant.Marshal)
	if o == nil {
		return "", nil
	}
	var first []byte
	for i := range tries(proto.Size(m)) {
		if err := c.Load([]proto.Message{proto.Clone(m)}); err != nil {
			return "", err
		}
		if err := o.Run(0); err != nil {
			return "", err
		}
		got := bytes.Join(variant.Pieces(o.Result()), nil)
		if i == 0 {
			first = got
		}
		if !bytes.Equal(got, first) {
			return no, nil
		}
	}
	return yes, nil
}

// fillMap puts enough entries into a map for their order to vary.
func fillMap(m protoreflect.Message, f protoreflect.FieldDescriptor) {
	entries := m.Mutable(f).Map()
	for i := range 10 {
		entries.Set(protoreflect.ValueOfString(fmt.Sprintf("probe %d", i)).MapKey(), entries.NewValue())
	}
}
