package kafkacodec

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/sr"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/proto"
)

// A Registry is where schemas come from. *sr.Client is one; see [NewRegistry].
type Registry interface {
	// SchemaByID returns the schema of an id.
	SchemaByID(ctx context.Context, id int) (sr.Schema, error)
	// SchemaByVersion returns a version of a subject, -1 for the latest.
	SchemaByVersion(ctx context.Context, subject string, version int) (sr.SubjectSchema, error)
}

// Options are the limits of a [Codec]. The zero value has the defaults.
type Options struct {
	// MaxSchemas is how many schemas are kept, those used last; as many failures are, besides. 0 means 1000.
	MaxSchemas int
	// MaxSchemaSize is how many bytes a schema may have, with all that it refers to. 0 means 4 MiB.
	MaxSchemaSize int
	// MaxReferences is how many files of the registry a schema may refer to, directly or not. 0 means 256.
	MaxReferences int
	// FailureTTL is for how long a schema that is not there, or cannot be compiled, is not asked for again. 0 means a
	// minute. A registry that does not answer is asked again after a second, or this time if that is shorter.
	FailureTTL time.Duration
	// Timeout is how long it may take to get a schema and all that it refers to. 0 means 30 seconds.
	Timeout time.Duration
	// Serialized asks the registry for descriptors in place of source (format=serialized). Both are understood whatever
	// the registry sends.
	Serialized bool
	// SourceIndexes counts message types that are nested in others as Confluent's Java library does, by the source:
	// that of a map's entries, which no source has, does not count. Without it they are counted by the descriptor,
	// where it does, as Confluent's libraries for Go and Python do. It matters only for records of message types that
	// are nested in one that has map fields before them.
	SourceIndexes bool
}

func (o Options) withDefaults() Options {
	o.MaxSchemas = cmp.Or(o.MaxSchemas, 1000)
	o.MaxSchemaSize = cmp.Or(o.MaxSchemaSize, 4<<20)
	o.MaxReferences = cmp.Or(o.MaxReferences, 256)
	o.FailureTTL = cmp.Or(o.FailureTTL, time.Minute)
	o.Timeout = cmp.Or(o.Timeout, 30*time.Second)
	return o
}

// A Codec knows the schemas of a registry. Each is fetched and compiled once, however many goroutines ask for it. All
// methods are safe for concurrent use.
type Codec struct {
	registry Registry
	options  Options
	cache    cache

	mu   sync.RWMutex
	used map[protoreflect.MessageDescriptor]*Type // what messages of a descriptor are written as
}

// New returns a Codec for the schemas of a registry.
func New(registry Registry, o Options) *Codec {
	c := &Codec{registry: registry, options: o.withDefaults(), used: map[protoreflect.MessageDescriptor]*Type{}}
	c.cache.init(c.options, c.load)
	return c
}

// Type returns the message type of a record and the wire form of the message, which is a part of the record.
func (c *Codec) Type(ctx context.Context, record []byte) (*Type, []byte, error) {
	var h header
	if err := h.parse(record); err != nil {
		return nil, nil, err
	}
	s, err := c.cache.get(ctx, h.id)
	if err != nil {
		return nil, nil, err
	}
	t, err := s.at(h.indexes[:h.depth])
	return t, record[h.size:], err
}

// Latest returns the message type of a name in the latest version of a subject, mostly the topic's name and "-value".
// The registry is asked each time.
func (c *Codec) Latest(ctx context.Context, subject string, name protoreflect.FullName) (*Type, error) {
	latest, err := c.registry.SchemaByVersion(ctx, subject, -1)
	if err != nil {
		return nil, fmt.Errorf("%w of subject %q: %w", ErrSchema, subject, err)
	}
	return c.Lookup(ctx, latest.ID, name)
}

// Lookup returns the message type of a name in the schema of an id.
func (c *Codec) Lookup(ctx context.Context, id int, name protoreflect.FullName) (*Type, error) {
	s, err := c.cache.get(ctx, id)
	if err != nil {
		return nil, err
	}
	return s.named(name)
}

// Use has messages of the descriptor md, generated or dynamic, written as t from now on. They must be of the same name.
// The descriptor of t itself is always written as t; this is for others, such as those of generated messages.
func (c *Codec) Use(md protoreflect.MessageDescriptor, t *Type) error {
	if md.FullName() != t.desc.FullName() {
		return fmt.Errorf("messages %s cannot be written as %s", md.FullName(), t)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.used[md] = t
	return nil
}

// Append appends m as a record: the header of its message type, and then its wire form. The type is found by m's
// descriptor, so that messages of one Go type, such as *dynamic.Message, go out with the ids of their own schemas: by
// what [Codec.Use] was told, else by the schema that the descriptor is from, as long as that is kept. With an error it
// returns dst as it was.
func (c *Codec) Append(dst []byte, m proto.Message) ([]byte, error) {
	if m == nil {
		return dst, errNil
	}
	md := m.ProtoReflect().Descriptor()
	c.mu.RLock()
	t := c.used[md]
	c.mu.RUnlock()
	if t == nil {
		t = c.cache.typeOf(md)
	}
	if t == nil {
		return dst, fmt.Errorf("%w for messages %s of this descriptor: name one by Codec.Use", ErrSchema, md.FullName())
	}
	return t.Append(dst, m)
}
