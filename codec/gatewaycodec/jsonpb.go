package gatewaycodec

import (
	"bytes"
	"errors"
	"io"
	"reflect"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	official "google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/protojson"
)

// JSONPb is a runtime.Marshaler with the fields of runtime.JSONPb, and two more. It is safe for concurrent use, as long
// as nobody changes its fields.
type JSONPb struct {
	official.MarshalOptions
	official.UnmarshalOptions

	// StreamType is the content type of a streamed response; empty means application/json.
	StreamType string
	// MaxSize is how many bytes a message in a request's body may have; 0 means protojson.DefaultMaxSize, 64 MiB.
	MaxSize int
}

// JSONPb is all that the gateway looks for in a marshaler.
var (
	_ runtime.Marshaler         = (*JSONPb)(nil)
	_ runtime.Delimited         = (*JSONPb)(nil)
	_ runtime.StreamContentType = (*JSONPb)(nil)
)

// Option has a gateway use JSONPb for all content types that have no marshaler of their own, with the options that the
// gateway has by default: fields that are not set are written, unknown ones discarded, and google.api.HttpBody is sent
// as it is.
func Option() runtime.ServeMuxOption {
	return runtime.WithMarshalerOption(runtime.MIMEWildcard, &runtime.HTTPBodyMarshaler{Marshaler: &JSONPb{
		MarshalOptions:   official.MarshalOptions{EmitUnpopulated: true},
		UnmarshalOptions: official.UnmarshalOptions{DiscardUnknown: true},
	}})
}

// ContentType returns application/json.
func (*JSONPb) ContentType(any) string { return "application/json" }

// StreamContentType returns the content type of a streamed response.
func (j *JSONPb) StreamContentType(v any) string {
	if j.StreamType != "" {
		return j.StreamType
	}
	return j.ContentType(v)
}

// Delimiter returns what stands between the messages of a stream: a line feed.
func (*JSONPb) Delimiter() []byte { return []byte("\n") }

// Marshal returns v in JSON.
func (j *JSONPb) Marshal(v any) ([]byte, error) { return j.append(nil, v) }

// append appends v in JSON to b.
func (j *JSONPb) append(b []byte, v any) ([]byte, error) {
	if m, ok := v.(proto.Message); ok {
		return j.writer().MarshalAppend(b, m)
	}
	if list := reflect.ValueOf(v); isMessages(list) {
		return j.appendList(b, list)
	}
	rest, err := j.official().Marshal(v)
	return append(b, rest...), err
}

// isMessages reports whether v is a list of messages that is not nil.
func isMessages(v reflect.Value) bool {
	return v.Kind() == reflect.Slice && !v.IsNil() && v.Type().Elem().Implements(reflect.TypeFor[proto.Message]())
}

func (j *JSONPb) appendList(b []byte, list reflect.Value) ([]byte, error) {
	if j.Multiline || j.Indent != "" {
		rest, err := j.official().Marshal(list.Interface())
		return append(b, rest...), err
	}
	var err error
	o := j.writer()
	b = append(b, '[')
	for i := range list.Len() {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = o.MarshalAppend(b, list.Index(i).Interface().(proto.Message)); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

// Unmarshal reads the JSON text into v, which must be a pointer. As in runtime.JSONPb, what follows the first value is
// ignored.
func (j *JSONPb) Unmarshal(data []byte, v any) error {
	m := messageOf(v)
	if m == nil {
		return j.official().Unmarshal(data, v)
	}
	if j.reader().Unmarshal(data, m) == nil {
		return nil
	}
	// It is wrong, or not the only value, which the decoder finds out.
	d := j.reader().NewDecoder(bytes.NewReader(data))
	d.MaxSize = len(data) + 1
	return d.Decode(m)
}

// NewEncoder returns an Encoder that writes each value and a line feed to w, in one call of Write.
func (j *JSONPb) NewEncoder(w io.Writer) runtime.Encoder {
	return runtime.EncoderFunc(func(v any) error {
		b, err := j.append(nil, v)
		if err != nil {
			return err
		}
		_, err = w.Write(append(b, '\n'))
		return err
	})
}

// NewDecoder returns a Decoder that reads one value after the other from r, ahead of what it decodes. They must be
// messages all, or other values all.
func (j *JSONPb) NewDecoder(r io.Reader) runtime.Decoder {
	return &decoder{json: j, r: r}
}

// A decoder is one for messages, or one for other values, from the first call on: both read ahead.
type decoder struct {
	json     *JSONPb
	r        io.Reader
	messages *protojson.Decoder
	others   runtime.Decoder
}

var errMixed = errors.New("gatewaycodec: a stream of messages and of other values")

func (d *decoder) Decode(v any) error {
	m := messageOf(v)
	if m != nil && d.others != nil || m == nil && d.messages != nil {
		return errMixed
	}
	if m == nil {
		if d.others == nil {
			d.others = d.json.official().NewDecoder(d.r)
		}
		return d.others.Decode(v)
	}
	if d.messages == nil {
		d.messages = d.json.reader().NewDecoder(d.r)
		d.messages.MaxSize = d.json.MaxSize
	}
	return d.messages.Decode(m)
}

// messageOf returns the message that v is, or that the pointer v leads to, which is made where there is none yet; or
// nil.
func messageOf(v any) proto.Message {
	if m, ok := v.(proto.Message); ok {
		return m
	}
	p := reflect.ValueOf(v)
	for p.Kind() == reflect.Pointer && !p.IsNil() && p.Elem().Kind() == reflect.Pointer {
		p = p.Elem()
		if !p.Type().Implements(reflect.TypeFor[proto.Message]()) {
			continue
		}
		if p.IsNil() {
			p.Set(reflect.New(p.Type().Elem()))
		}
		return p.Interface().(proto.Message)
	}
	return nil
}

func (j *JSONPb) official() *runtime.JSONPb {
	return &runtime.JSONPb{MarshalOptions: j.MarshalOptions, UnmarshalOptions: j.UnmarshalOptions}
}

func (j *JSONPb) writer() protojson.MarshalOptions {
	return protojson.MarshalOptions{
		Multiline: j.Multiline, Indent: j.Indent, AllowPartial: j.MarshalOptions.AllowPartial,
		UseProtoNames: j.UseProtoNames, UseEnumNumbers: j.UseEnumNumbers,
		EmitUnpopulated: j.EmitUnpopulated, EmitDefaultValues: j.EmitDefaultValues, Resolver: j.MarshalOptions.Resolver,
	}
}

func (j *JSONPb) reader() protojson.UnmarshalOptions {
	return protojson.UnmarshalOptions{
		AllowPartial: j.UnmarshalOptions.AllowPartial, DiscardUnknown: j.DiscardUnknown,
		Resolver: j.UnmarshalOptions.Resolver, RecursionLimit: j.RecursionLimit,
	}
}
