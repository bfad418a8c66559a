package connectcodec

import (
	"errors"
	"fmt"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/runtime/protoiface"

	"github.com/protean-pb/protean/proto"
	"github.com/protean-pb/protean/protojson"
)

const (
	nameProto = "proto"
	nameJSON  = "json"
	// nameCharset is the other name under which connect-go's handlers have JSON.
	nameCharset = nameJSON + "; charset=utf-8"
)

// Options say how messages are written and read. The zero Options are what connect-go's own codecs do.
type Options struct {
	Marshal proto.MarshalOptions
	// Unmarshal has no effect by its AliasInput, since connect-go uses the input again, or its Arena, since an Arena
	// serves one call at a time.
	Unmarshal   proto.UnmarshalOptions
	MarshalJSON protojson.MarshalOptions
	// UnmarshalJSON has no effect by its DiscardUnknown, which RefuseUnknown says, or its Arena.
	UnmarshalJSON protojson.UnmarshalOptions
	// RefuseUnknown makes fields that the schema does not have an error in JSON.
	RefuseUnknown bool
}

// HandlerOption has a handler use these codecs in place of connect-go's, under all names that it has for them.
func HandlerOption(o Options) connect.HandlerOption {
	return connect.WithHandlerOptions(
		connect.WithCodec(Proto(o)), connect.WithCodec(JSON(o)), connect.WithCodec(newJSON(o, nameCharset)),
	)
}

// ClientOption has a client send and receive binary messages by [Proto]. For JSON there is connect.WithCodec(JSON(o)).
func ClientOption(o Options) connect.ClientOption { return connect.WithCodec(Proto(o)) }

// Proto returns the codec of binary messages, for connect.WithCodec. It is safe for concurrent use.
func Proto(o Options) connect.Codec {
	o.Unmarshal.AliasInput, o.Unmarshal.Arena = false, nil
	return &protoCodec{o.Marshal, o.Unmarshal}
}

// JSON returns the codec of ProtoJSON, for connect.WithCodec. It is safe for concurrent use.
func JSON(o Options) connect.Codec { return newJSON(o, nameJSON) }

func newJSON(o Options, name string) *jsonCodec {
	o.UnmarshalJSON.DiscardUnknown, o.UnmarshalJSON.Arena = !o.RefuseUnknown, nil
	return &jsonCodec{name, o.MarshalJSON, o.UnmarshalJSON}
}

type protoCodec struct {
	marshal   proto.MarshalOptions
	unmarshal proto.UnmarshalOptions
}

func (c *protoCodec) Name() string { return nameProto }

func (c *protoCodec) IsBinary() bool { return true }

func (c *protoCodec) Marshal(message any) ([]byte, error) {
	m, err := messageOf(message)
	if err != nil {
		return nil, err
	}
	return c.marshal.Marshal(m)
}

func (c *protoCodec) MarshalAppend(dst []byte, message any) ([]byte, error) {
	m, err := messageOf(message)
	if err != nil {
		return nil, err
	}
	return c.marshal.MarshalAppend(dst, m)
}

func (c *protoCodec) MarshalStable(message any) ([]byte, error) {
	stable := protoCodec{marshal: c.marshal}
	stable.marshal.Deterministic = true
	return stable.Marshal(message)
}

func (c *protoCodec) Unmarshal(data []byte, message any) error {
	m, err := messageOf(message)
	if err != nil {
		return err
	}
	if c.unmarshal == (proto.UnmarshalOptions{}) { // without options, no memory is needed for these
		return into(message, proto.Unmarshal(data, m))
	}
	return into(message, c.unmarshal.Unmarshal(data, m))
}

type jsonCodec struct {
	name      string
	marshal   protojson.MarshalOptions
	unmarshal protojson.UnmarshalOptions
}

func (c *jsonCodec) Name() string { return c.name }

func (c *jsonCodec) IsBinary() bool { return false }

func (c *jsonCodec) Marshal(message any) ([]byte, error) {
	m, err := messageOf(message)
	if err != nil {
		return nil, err
	}
	return c.marshal.Marshal(m)
}

func (c *jsonCodec) MarshalAppend(dst []byte, message any) ([]byte, error) {
	m, err := messageOf(message)
	if err != nil {
		return nil, err
	}
	return c.marshal.MarshalAppend(dst, m)
}

func (c *jsonCodec) MarshalStable(message any) ([]byte, error) {
	stable := jsonCodec{marshal: c.marshal}
	stable.marshal.Multiline, stable.marshal.Indent = false, ""
	return stable.Marshal(message)
}

func (c *jsonCodec) Unmarshal(data []byte, message any) error {
	m, err := messageOf(message)
	if err != nil {
		return err
	}
	if len(data) == 0 {
		return errors.New("zero-length payload is not a valid JSON object")
	}
	return into(message, c.unmarshal.Unmarshal(data, m))
}

// into says what could not be read, as connect-go does.
func into(message any, err error) error {
	if err != nil {
		return fmt.Errorf("unmarshal into %T: %w", message, err)
	}
	return nil
}

// messageOf returns the message, or connect-go's error.
func messageOf(v any) (proto.Message, error) {
	if m, ok := v.(proto.Message); ok {
		return m, nil
	}
	if _, ok := v.(protoiface.MessageV1); ok {
		return nil, fmt.Errorf("%T uses github.com/golang/protobuf, "+
			"but connect-go only supports google.golang.org/protobuf: see https://go.dev/blog/protobuf-apiv2", v)
	}
	return nil, fmt.Errorf("%T doesn't implement proto.Message", v)
}
