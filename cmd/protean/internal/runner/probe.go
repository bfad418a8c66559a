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

// A prober finds the properties of a variant by having it encode and decode messages with edge cases.
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

// tries returns how often to encode a message of that size to see whether the order of its fields varies, as it does
// where they are kept in maps. Two entries come in the same order seven times of eight; longer messages have more
// entries.
func tries(size int) int { return min(128, max(16, 1<<14/max(size, 1))) }

// try runs a probe and returns what it finds, or "" if it panics or fails.
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

// opened returns a new codec with the given samples and its operation of that name, nil if it has none.
func (p *prober) opened(name string, samples ...proto.Message) (variant.Codec, *variant.Op, error) {
	c, err := p.open(samples...)
	if err != nil {
		return nil, nil, err
	}
	return c, op(c, name), nil
}

// op returns the codec's operation of that name, or nil.
func op(c variant.Codec, name string) *variant.Op {
	if i := slices.IndexFunc(c.Ops(), func(o *variant.Op) bool { return o.Name == name }); i >= 0 {
		return c.Ops()[i]
	}
	return nil
}

// kept probes whether m is equal after a round trip through the variant.
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
func (p *prober) changed(pred func(protoreflect.FieldDescriptor) bool,
	value func(protoreflect.FieldDescriptor) protoreflect.Value) proto.Message {
	path := find(p.typ.Descriptor(), pred)
	return with(p.sample, path, func(m protoreflect.Message, f protoreflect.FieldDescriptor) {
		setScalar(m, f, value(f))
	})
}

// empty returns the sample with a field that is present and empty.
func (p *prober) empty() proto.Message {
	if m := with(p.sample, find(p.typ.Descriptor(), isOptional),
		func(m protoreflect.Message, f protoreflect.FieldDescriptor) {
			m.Set(f, zero(f))
		}); m != nil {
		return m
	}
	return with(p.sample, find(p.typ.Descriptor(), isSubmessage),
		func(m protoreflect.Message, f protoreflect.FieldDescriptor) {
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

// marked opens the variant on the sample with the marker in a string field, to which path leads, and returns its
// operation unmarshal, or nil if it has none.
func (p *prober) marked() (c variant.Codec, o *variant.Op, path []protoreflect.FieldDescriptor, err error) {
	path = find(p.typ.Descriptor(), isString)
	m := with(p.sample, path, func(m protoreflect.Message, f protoreflect.FieldDescriptor) {
		setScalar(m, f, protoreflect.ValueOfString(marker))
	})
	if m == nil {
		return nil, nil, nil, fmt.Errorf("the schema has no string field")
	}
	c, o, err = p.opened(variant.Unmarshal, m)
	return c, o, path, err
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

// utf8 probes what Unmarshal does with a string that is not UTF-8.
func (p *prober) utf8() (string, error) {
	c, o, path, err := p.marked()
	if err != nil || o == nil {
		return "", err
	}
	invalid := bytes.Repeat([]byte{0xff}, len(marker))
	c.SetWire(0, replaceMarker(c.Wire(0), invalid))
	if guard(func() error { return o.Run(0) }) != nil {
		return refused, nil
	}
	found := "passed"
	_ = guard(func() error { // a result that cannot be read back has passed it
		got, err := o.Message(o.Result())
		if err == nil && strings.Contains(getScalar(parent(got.ProtoReflect(), path), path[len(path)-1]).String(),
			"\uFFFD") {
			found = "replaced"
		}
		return err
	})
	return found, nil
}

// input probes whether a decoded message aliases its input: whether it changes when the input is overwritten.
func (p *prober) input() (string, error) {
	c, o, _, err := p.marked()
	if err != nil || o == nil {
		return "", err
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

// memory probes whether a result changes with the next call. A variant that declares so is not probed: reading its last
// result would be a use after free.
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

// mutable probes whether what Unmarshal returns can be changed: a read-only message panics on Set. Of results that are
// no message, only an index of the input is read-only.
func (p *prober) mutable() (string, error) {
	_, o, err := p.opened(variant.Unmarshal, p.sample)
	if err != nil || o == nil {
		return "", err
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

// same converts a result to a message once more, and returns ifSame if its deterministic encoding still is want.
func (p *prober) same(o *variant.Op, result any, want []byte, ifSame, ifNot string) string {
	found := ifNot
	_ = guard(func() error {
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

// deterministic probes whether equal messages give equal bytes.
func (p *prober) deterministic() (string, error) {
	m := p.sample
	if full := with(p.sample, find(p.typ.Descriptor(), isStringMap), fillMap); full != nil {
		m = full
	}
	c, o, err := p.opened(variant.Marshal)
	if err != nil || o == nil {
		return "", err
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
