package connectcodec

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/protean-pb/protean/proto"
	"github.com/protean-pb/protean/protojson"
)

// full is what connect-go looks for in a codec, by methods.
type full interface {
	connect.Codec
	MarshalAppend([]byte, any) ([]byte, error)
	MarshalStable(any) ([]byte, error)
	IsBinary() bool
}

// old is a message of the time before google.golang.org/protobuf.
type old struct{}

func (*old) Reset()         {}
func (*old) String() string { return "" }
func (*old) ProtoMessage()  {}

func sample(t *testing.T) *structpb.Struct {
	t.Helper()
	s, err := structpb.NewStruct(map[string]any{"b": 1, "a": []any{true, nil, "text"},
		"c": map[string]any{"y": 2, "x": 1.5}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestCodecs(t *testing.T) {
	m := sample(t)
	for _, codec := range []connect.Codec{Proto(Options{}), JSON(Options{}),
		JSON(Options{MarshalJSON: protojson.MarshalOptions{Multiline: true}})} {
		c, ok := codec.(full)
		if !ok {
			t.Fatalf("%T lacks a method", codec)
		}
		plain, err := c.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		appended, err := c.MarshalAppend([]byte("before"), m)
		if err != nil || len(appended) != len("before")+len(plain) || !bytes.HasPrefix(appended, []byte("before")) {
			t.Errorf("%s: appended %q, %v", c.Name(), appended, err)
		}
		stable, err := c.MarshalStable(m)
		if err != nil {
			t.Fatal(err)
		}
		for range 10 {
			again, err := c.MarshalStable(proto.Clone(m))
			if err != nil || !bytes.Equal(again, stable) {
				t.Fatalf("%s: %q is not stable: %q, %v", c.Name(), stable, again, err)
			}
		}
		if compact := new(bytes.Buffer); !c.IsBinary() &&
			(json.Compact(compact, stable) != nil || !bytes.Equal(compact.Bytes(), stable)) {
			t.Errorf("%q is not compact", stable)
		}
		for _, b := range [][]byte{plain, stable, appended[len("before"):]} {
			got := new(structpb.Struct)
			if err := c.Unmarshal(b, got); err != nil || !proto.Equal(got, m) {
				t.Errorf("%s: %v, %v", c.Name(), got, err)
			}
		}
	}
}

// The texts are connect-go's; TestErrorsAsConnect holds them against those of its own codecs.
func TestErrors(t *testing.T) {
	p, j := Proto(Options{}).(full), JSON(Options{}).(full)
	marshal := func(_ []byte, err error) error { return err }
	for _, test := range []struct {
		err  error
		want string
	}{
		{p.Unmarshal([]byte{0x0a, 5}, new(structpb.Struct)), "unmarshal into *structpb.Struct: proto: google.protobuf.Struct"},
		{p.Unmarshal(nil, "text"), "string doesn't implement proto.Message"},
		{p.Unmarshal(nil, &old{}), "*connectcodec.old uses github.com/golang/protobuf, but connect-go only supports"},
		{p.Unmarshal(nil, &descriptorpb.UninterpretedOption_NamePart{}), "unmarshal into *descriptorpb.UninterpretedOption_NamePart: "},
		{marshal(p.Marshal(nil)), "<nil> doesn't implement proto.Message"},
		{marshal(p.MarshalAppend(nil, 5)), "int doesn't implement proto.Message"},
		{marshal(p.MarshalStable(5)), "int doesn't implement proto.Message"},
		{marshal(p.Marshal(wrapperspb.String("\xff"))), "proto: google.protobuf.StringValue"},
		{j.Unmarshal(nil, new(structpb.Struct)), "zero-length payload is not a valid JSON object"},
		{j.Unmarshal([]byte("{"), new(structpb.Struct)), "unmarshal into *structpb.Struct: proto"},
		{j.Unmarshal(nil, 5), "int doesn't implement proto.Message"},
		{marshal(j.Marshal(5)), "int doesn't implement proto.Message"},
		{marshal(j.MarshalAppend(nil, 5)), "int doesn't implement proto.Message"},
		{marshal(j.MarshalStable(5)), "int doesn't implement proto.Message"},
		{marshal(j.Marshal(&structpb.Value{})), "proto"},
	} {
		if test.err == nil || !strings.HasPrefix(test.err.Error(), test.want) {
			t.Errorf("%v, want %s …", test.err, test.want)
		}
	}
}

func TestOptions(t *testing.T) {
	o := Options{
		Unmarshal:   proto.UnmarshalOptions{DiscardUnknown: true, AliasInput: true, Arena: new(proto.Arena)},
		MarshalJSON: protojson.MarshalOptions{UseProtoNames: true}, RefuseUnknown: true,
	}
	m := new(descriptorpb.FieldDescriptorProto)
	wire := []byte("\x0a\x04name\xf8\x7f\x01") // name, and an unknown field
	if err := Proto(o).Unmarshal(wire, m); err != nil || len(m.ProtoReflect().GetUnknown()) > 0 {
		t.Errorf("%v, %v", m, err)
	}
	if clear(wire); m.GetName() != "name" {
		t.Errorf("the name is the input's memory: %q", m.GetName())
	}
	m.JsonName = proto.String("x")
	if text, err := JSON(o).Marshal(m); err != nil || string(text) != `{"name":"name","json_name":"x"}` {
		t.Errorf("%s, %v", text, err)
	}
	unknown := []byte(`{"unheard": 1}`)
	if err := JSON(Options{}).Unmarshal(unknown, m); err != nil {
		t.Error(err)
	}
	if err := JSON(o).Unmarshal(unknown, m); err == nil {
		t.Error("the unknown field is taken")
	}
}
