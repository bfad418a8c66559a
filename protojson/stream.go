package protojson

import (
	"encoding/json"
	"io"

	"google.golang.org/protobuf/proto"
)

// An Encoder writes messages as JSON lines.
type Encoder struct {
	w io.Writer
	o MarshalOptions
}

// NewEncoder returns an Encoder that writes to w.
func NewEncoder(w io.Writer) *Encoder { return MarshalOptions{}.NewEncoder(w) }

// NewEncoder is the function [NewEncoder] with the options o.
func (o MarshalOptions) NewEncoder(w io.Writer) *Encoder { return &Encoder{w, o} }

// Encode writes m and a line feed.
func (e *Encoder) Encode(m proto.Message) error {
	b, err := e.o.Marshal(m)
	if err == nil {
		_, err = e.w.Write(append(b, '\n'))
	}
	return err
}

// A Decoder reads messages in ProtoJSON one after the other.
type Decoder struct {
	d *json.Decoder
	o UnmarshalOptions
}

// NewDecoder returns a Decoder that reads from r.
func NewDecoder(r io.Reader) *Decoder { return UnmarshalOptions{}.NewDecoder(r) }

// NewDecoder is the function [NewDecoder] with the options o.
func (o UnmarshalOptions) NewDecoder(r io.Reader) *Decoder { return &Decoder{json.NewDecoder(r), o} }

// Decode reads the next message into m, which is reset first. It returns io.EOF if there is none.
func (d *Decoder) Decode(m proto.Message) error {
	var raw json.RawMessage
	if err := d.d.Decode(&raw); err != nil {
		return err
	}
	return d.o.Unmarshal(raw, m)
}
