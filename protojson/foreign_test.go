package protojson_test

import (
	"fmt"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/protoadapt"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/runtime/protoiface"

	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/protojson"
)

// An oldMessage is as generators for version 1 of the Go API wrote them.
type oldMessage struct {
	ID       *int64                 `protobuf:"varint,1,opt,name=id"`
	Name     *string                `protobuf:"bytes,2,opt,name=full_name,json=fullName"`
	Numbers  []int32                `protobuf:"varint,3,rep,packed,name=numbers"`
	Children []*oldMessage          `protobuf:"bytes,4,rep,name=children"`
	ByName   map[string]*oldMessage `protobuf:"bytes,5,rep,name=by_name,json=byName" protobuf_key:"bytes,1,opt,name=key" protobuf_val:"bytes,2,opt,name=value"`
	Blob     []byte                 `protobuf:"bytes,6,opt,name=blob"`
	Must     *bool                  `protobuf:"varint,7,req,name=must"`
}

func (m *oldMessage) Reset()         { *m = oldMessage{} }
func (m *oldMessage) String() string { return fmt.Sprint(m.ID, m.Name) }
func (*oldMessage) ProtoMessage()    {}

// TestMessagesOfOtherGenerators reads and writes messages that other generators made.
func TestMessagesOfOtherGenerators(t *testing.T) {
	child := &oldMessage{Name: proto.String("child"), Must: proto.Bool(true)}
	for _, old := range []*oldMessage{
		{}, {ID: proto.Int64(5), Must: proto.Bool(false)}, {Name: proto.String(bad)}, {Children: []*oldMessage{child, {}}, Must: proto.Bool(true)},
		{Numbers: []int32{1, -1}, Blob: []byte{1, 2}, ByName: map[string]*oldMessage{"b": child, "a": child}, Must: proto.Bool(true)},
	} {
		m := protoadapt.MessageV2Of(old)
		for way := range uint16(64) {
			checkMarshal(t, m, marshalWay(way))
		}
		for _, text := range []string{
			`{}`, `{"must":true}`, `{"id":"7","fullName":"n","must":true}`, `{"full_name":"n","children":[{"must":false}],"must":true}`, `{"children":[{}],"must":true}`,
			`{"byName":{"x":{"must":true}},"blob":"AAA=","numbers":[1,"2"],"must":true}`, `{"numbers":1}`, `{"nothing":1}`, `{"id":1,"id":2}`,
		} {
			checkUnmarshal(t, []byte(text), m, protojson.UnmarshalOptions{})
			checkUnmarshal(t, []byte(text), m, protojson.UnmarshalOptions{AllowPartial: true, DiscardUnknown: true})
		}
	}
}

// A discreet message shows nothing of its names.
type discreet struct{ m *benchpb.Leaf }

func (d discreet) ProtoReflect() protoreflect.Message { return discreetly{d.m.ProtoReflect()} }

type discreetly struct{ protoreflect.Message }

func (d discreetly) Interface() protoreflect.ProtoMessage {
	return discreet{d.Message.Interface().(*benchpb.Leaf)}
}

func (d discreetly) New() protoreflect.Message { return discreetly{d.Message.New()} }

func (d discreetly) Has(fd protoreflect.FieldDescriptor) bool {
	return fd.Name() != "name" && d.Message.Has(fd)
}

func (d discreetly) Range(f func(protoreflect.FieldDescriptor, protoreflect.Value) bool) {
	d.Message.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		return fd.Name() == "name" || f(fd, v)
	})
}

func (discreetly) ProtoMethods() *protoiface.Methods { return nil }

// TestMarshalAsksMethodsOfTheMessage writes a message as its own methods show it.
func TestMarshalAsksMethodsOfTheMessage(t *testing.T) {
	m := discreet{&benchpb.Leaf{Id: 1, Name: "secret"}}
	for way := range uint16(64) {
		checkMarshal(t, m, marshalWay(way))
	}
	if b, err := protojson.Marshal(m); err != nil || string(b) != `{"id":1}` {
		t.Errorf("%s, %v", b, err)
	}
}
