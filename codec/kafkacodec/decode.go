package kafkacodec

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/proto"
	"github.com/protean-pb/protean/protojson"
)

// DecodeOptions say what a [Decoder] makes of records. The zero value reads all fields, and keeps unknown ones.
type DecodeOptions struct {
	// Paths are the fields that are read, as for [proto.NewMask]; nil means all. A record whose message type has none
	// of such a name is an error.
	Paths []string
	// DiscardUnknown leaves unknown fields out.
	DiscardUnknown bool
	// AliasInput lets messages refer to the memory of the records, which must then stay as it is.
	AliasInput bool
	// RecursionLimit is how deeply messages may be nested; 0 means 10,000.
	RecursionLimit int
	// JSON has the options of JSON text. Without a Resolver, types in an Any are those of the record's schema, and else
	// those that the program links.
	JSON protojson.MarshalOptions
}

// A Decoder reads records. All methods are safe for concurrent use. An error is [ErrTombstone], [ErrFormat] or
// [ErrSchema] by errors.Is, a *proto.FieldError whose offset is in the record, or the context's.
type Decoder struct {
	codec   *Codec
	options DecodeOptions

	mu    sync.RWMutex
	masks map[protoreflect.MessageDescriptor]*proto.Mask // of the messages seen, if there are Paths
}

// Decoder returns a Decoder of records whose schemas c knows.
func (c *Codec) Decoder(o DecodeOptions) *Decoder {
	o.Paths = slices.Clone(o.Paths)
	return &Decoder{codec: c, options: o, masks: map[protoreflect.MessageDescriptor]*proto.Mask{}}
}

// Message returns the message in a record, as one of its descriptor in the registry.
func (d *Decoder) Message(ctx context.Context, record []byte) (*dynamic.Message, error) {
	t, payload, err := d.codec.Type(ctx, record)
	if err != nil {
		return nil, err
	}
	o, err := d.unmarshalOptions(t, t.desc)
	if err != nil {
		return nil, err
	}
	m := t.New()
	if err := o.Unmarshal(payload, m); err != nil {
		return nil, inRecord(err, record, payload)
	}
	return m, nil
}

// Unmarshal reads the message in a record into m, a generated message or one of package dynamic, which is reset first.
// It must be of the name that the record's schema says; its own descriptor says what the fields are.
func (d *Decoder) Unmarshal(ctx context.Context, record []byte, m proto.Message) error {
	t, payload, err := d.codec.Type(ctx, record)
	if err != nil {
		return err
	}
	if m == nil {
		return errors.New("a nil message cannot be read into")
	}
	md := m.ProtoReflect().Descriptor()
	if md.FullName() != t.desc.FullName() {
		return fmt.Errorf("%w: the record is a message %s, not %s", ErrSchema, t, md.FullName())
	}
	o, err := d.unmarshalOptions(t, md)
	if err != nil {
		return err
	}
	return inRecord(o.Unmarshal(payload, m), record, payload)
}

// Value returns the message in a record as Go values in ProtoJSON's shapes: map[string]any, []any, string, float64,
// bool and nil, as protojson.ToAny does.
func (d *Decoder) Value(ctx context.Context, record []byte) (any, error) {
	t, payload, err := d.codec.Type(ctx, record)
	if err != nil {
		return nil, err
	}
	o, err := d.unmarshalOptions(t, t.desc)
	if err != nil {
		return nil, err
	}
	m := t.New()
	if err := o.Unmarshal(payload, m); err != nil {
		return nil, inRecord(err, record, payload)
	}
	return d.json(t).ToAny(m)
}

// AppendJSON appends the message in a record as ProtoJSON to dst and returns that. With an error it returns dst as it
// was.
func (d *Decoder) AppendJSON(ctx context.Context, dst, record []byte) ([]byte, error) {
	t, payload, err := d.codec.Type(ctx, record)
	if err != nil {
		return dst, err
	}
	o, err := d.unmarshalOptions(t, t.desc)
	if err != nil {
		return dst, err
	}
	s := t.scratch.get(t, len(payload))
	defer t.scratch.put(s, len(payload))
	o.Arena, o.AliasInput = &s.arena, true
	if err := o.Unmarshal(payload, s.message); err != nil {
		return dst, inRecord(err, record, payload)
	}
	out, err := d.json(t).MarshalAppend(dst, s.message)
	if err != nil {
		return dst, err
	}
	return out, nil
}

// json returns the options of JSON text for messages of a type.
func (d *Decoder) json(t *Type) protojson.MarshalOptions {
	o := d.options.JSON
	if o.Resolver == nil {
		o.Resolver = t.schema.resolver
	}
	if d.options.Paths != nil {
		o.AllowPartial = true // required fields may be among those that are not read
	}
	return o
}

// unmarshalOptions returns how records of a type are read into messages of a descriptor.
func (d *Decoder) unmarshalOptions(t *Type, md protoreflect.MessageDescriptor) (proto.UnmarshalOptions, error) {
	o := proto.UnmarshalOptions{
		DiscardUnknown: d.options.DiscardUnknown, AliasInput: d.options.AliasInput,
		RecursionLimit: d.options.RecursionLimit, Resolver: t.schema.resolver,
	}
	if d.options.Paths == nil {
		return o, nil
	}
	d.mu.RLock()
	o.Mask = d.masks[md]
	d.mu.RUnlock()
	if o.Mask != nil {
		return o, nil
	}
	var err error
	if o.Mask, err = proto.NewMask(md, d.options.Paths...); err != nil {
		return o, fmt.Errorf("%s: %w", t, err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.masks) >= d.codec.options.MaxSchemas {
		clear(d.masks)
	}
	d.masks[md] = o.Mask
	return o, nil
}

// inRecord makes the offset of an error about the payload of a record one in the record.
func inRecord(err error, record, payload []byte) error {
	if f := (*proto.FieldError)(nil); errors.As(err, &f) && f.Offset >= 0 {
		f.Offset += len(record) - len(payload)
	}
	return err
}

// A scratch is a message that is read and written as text, in memory that is used again.
type scratch struct {
	arena   proto.Arena
	message *dynamic.Message
}

// What a message may have, in bytes, whose memory is kept for the next one: on the wire and in the arena.
const (
	maxScratch = 1 << 20
	maxArena   = 8 << 20
)

// A scratchPool holds what the messages of one type need.
type scratchPool struct{ pool sync.Pool }

func (p *scratchPool) get(t *Type, size int) *scratch {
	if s, _ := p.pool.Get().(*scratch); s != nil && size <= maxScratch {
		return s
	}
	return &scratch{message: t.New()}
}

func (p *scratchPool) put(s *scratch, size int) {
	if size <= maxScratch && s.arena.Size() <= maxArena {
		s.arena.Reset()
		p.pool.Put(s)
	}
}
