package grpccodec

import (
	"fmt"

	"google.golang.org/grpc"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/protoadapt"

	"github.com/protean-pb/protean/proto"
)

// Name is the name of the codec, that of grpc-go's own: the content type is application/grpc+proto.
const Name = "proto"

// Options say how messages are written and read. The zero Options are what grpc-go's own codec does.
type Options struct {
	Marshal proto.MarshalOptions
	// Unmarshal has no effect by its AliasInput, since grpc-go uses the input again, or its Arena, since an Arena
	// serves one call at a time: see [ArenaServer].
	Unmarshal proto.UnmarshalOptions
}

// New returns a codec, which is safe for concurrent use.
func New(o Options) encoding.CodecV2 { return newCodec(o) }

// Register makes a codec with no options the one of all clients and servers of the program, in place of grpc-go's. As
// encoding.RegisterCodecV2 it must be called before there are any: in main's first lines, or in an init function.
func Register() { encoding.RegisterCodecV2(New(Options{})) }

// ServerOption has one server use the codec, whatever is registered and whatever content subtype a client names.
func ServerOption(o Options) grpc.ServerOption { return grpc.ForceServerCodecV2(New(o)) }

// DialOption has all calls of one client use the codec. For a single call there is grpc.ForceCodecV2.
func DialOption(o Options) grpc.DialOption {
	return grpc.WithDefaultCallOptions(grpc.ForceCodecV2(New(o)))
}

type codec struct {
	options Options
	lengths lengths
	pool    func() mem.BufferPool // grpc-go's
}

func newCodec(o Options) *codec {
	o.Unmarshal.AliasInput, o.Unmarshal.Arena = false, nil
	return &codec{options: o, pool: mem.DefaultBufferPool}
}

func (c *codec) Name() string { return Name }

func (c *codec) Marshal(v any) (mem.BufferSlice, error) {
	m := messageOf(v)
	if m == nil {
		return nil, fmt.Errorf("proto: failed to marshal, message is %T, want proto.Message", v)
	}
	length := c.lengths.of(v)
	expected := int(length.Load())
	if !isPooled(expected) {
		b, err := c.write(m)
		if err != nil {
			return nil, err
		}
		length.update(expected, len(b))
		return mem.BufferSlice{mem.SliceBuffer(b)}, nil
	}
	pool := c.pool()
	buf := pool.Get(expected)
	b, err := c.options.Marshal.MarshalAppend((*buf)[:0], m)
	if err != nil {
		pool.Put(buf)
		return nil, err
	}
	length.update(expected, len(b))
	if len(b) > 0 && &b[0] != &(*buf)[:1][0] { // it did not fit, and is memory of its own
		pool.Put(buf)
		return mem.BufferSlice{mem.SliceBuffer(b)}, nil
	}
	*buf = (*buf)[:len(b)]
	return mem.BufferSlice{mem.NewBuffer(buf, pool)}, nil
}

func (c *codec) Unmarshal(data mem.BufferSlice, v any) error {
	return c.unmarshal(data, v, nil)
}

func (c *codec) unmarshal(data mem.BufferSlice, v any, arena *proto.Arena) error {
	m := messageOf(v)
	if m == nil {
		return fmt.Errorf("failed to unmarshal, message is %T, want proto.Message", v)
	}
	if len(data) == 1 {
		return c.read(data[0].ReadOnlyData(), m, arena)
	}
	joined := join(data)
	defer joined.release()
	return c.read(joined.data, m, arena)
}

// read reads one message. The functions without options need no memory for these.
func (c *codec) read(b []byte, m proto.Message, arena *proto.Arena) error {
	o := c.options.Unmarshal
	if o.Arena = arena; o == (proto.UnmarshalOptions{}) {
		return proto.Unmarshal(b, m)
	}
	return o.Unmarshal(b, m)
}

// write writes a message to memory of its own.
func (c *codec) write(m proto.Message) ([]byte, error) {
	if c.options.Marshal == (proto.MarshalOptions{}) {
		return proto.Marshal(m)
	}
	return c.options.Marshal.Marshal(m)
}

// messageOf returns v as a message, or nil if it is none.
func messageOf(v any) proto.Message {
	switch v := v.(type) {
	case proto.Message: // the usual case first; none of the old messages is one
		return v
	case protoadapt.MessageV1:
		return protoadapt.MessageV2Of(v)
	}
	return nil
}
