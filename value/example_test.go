package value_test

import (
	"bytes"
	"errors"
	"fmt"
	"log"
	"math"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/value"
)

// event is the wire form that the examples read.
func event() []byte {
	wire, err := value.AppendFromJSON(nil, []byte(`{"id":"evt_1","actor":{"email":"ann@example.com","verified":true},"tags":["web","eu"],"amount":12.5}`))
	if err != nil {
		log.Fatal(err)
	}
	return wire
}

func Example() {
	type Actor struct {
		Email    string `json:"email"`
		Verified bool   `json:"verified,omitempty"`
	}
	wire, err := value.Marshal(map[string]any{
		"id":    "evt_1",
		"actor": Actor{Email: "ann@example.com", Verified: true},
		"tags":  []string{"web", "eu"},
		"at":    time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC),
	})
	if err != nil {
		log.Fatal(err)
	}

	// Any reader of google.protobuf.Value understands it.
	tree := new(structpb.Value)
	if err := proto.Unmarshal(wire, tree); err != nil {
		log.Fatal(err)
	}
	fmt.Println(tree.GetStructValue().Fields["at"].GetStringValue())

	// Without the tree:
	doc, err := value.Parse(wire)
	if err != nil {
		log.Fatal(err)
	}
	email, err := doc.Get("actor", "email").String()
	fmt.Println(email, err)
	// Output:
	// 2026-03-01T12:00:00Z
	// ann@example.com <nil>
}

func ExampleParse() {
	doc, err := value.Parse(event())
	if err != nil {
		log.Fatal(err)
	}
	for key, v := range doc.Fields() {
		fmt.Println(key, v.Kind())
	}
	for i, v := range doc.Get("tags").Elements() {
		tag, err := v.String()
		fmt.Println(i, tag, err)
	}
	_, err = doc.Get("actor", "email").Float()
	fmt.Println(err)
	_, err = doc.Get("actor", "phone").String()
	fmt.Println(errors.Is(err, value.ErrAbsent))
	// Output:
	// id string
	// actor object
	// tags list
	// amount number
	// 0 web <nil>
	// 1 eu <nil>
	// value: $.actor.email: another kind of value: string instead of number
	// true
}

func ExampleDoc_Parse() {
	var doc value.Doc // one for many messages: nothing is allocated
	for range 3 {
		if err := doc.Parse(event()); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(doc.Len())
	// Output: 4
}

func ExampleUnmarshal() {
	var e struct {
		ID     string   `json:"id"`
		Tags   []string `json:"tags"`
		Amount *float64 `json:"amount"`
	}
	if err := value.Unmarshal(event(), &e); err != nil {
		log.Fatal(err)
	}
	fmt.Println(e.ID, e.Tags, *e.Amount)

	var v any
	if err := value.Unmarshal(event(), &v); err != nil {
		log.Fatal(err)
	}
	fmt.Println(v.(map[string]any)["tags"])
	// Output:
	// evt_1 [web eu] 12.5
	// [web eu]
}

func ExampleMarshalOptions() {
	const id = int64(1<<53 + 1) // a double cannot hold it
	_, err := value.Marshal(map[string]any{"id": id})
	fmt.Println(err)

	wire, err := value.MarshalOptions{Integers: value.IntegersAsString}.Marshal(map[string]any{"id": id})
	if err != nil {
		log.Fatal(err)
	}
	text, err := value.AppendJSON(nil, wire)
	fmt.Println(string(text), err)
	// Output:
	// value: $.id: a double cannot hold the integer: 9007199254740993
	// {"id":"9007199254740993"} <nil>
}

func ExampleAppendJSON() {
	text, err := value.AppendJSON(nil, event())
	fmt.Println(string(text), err)
	// Output: {"actor":{"email":"ann@example.com","verified":true},"amount":12.5,"id":"evt_1","tags":["web","eu"]} <nil>
}

func ExampleAppendFromJSON() {
	wire, err := value.AppendFromJSON(nil, []byte(`{"tags": ["web", "eu"]}`))
	fmt.Printf("%x %v\n", wire, err)

	_, err = value.AppendFromJSON(nil, []byte("{\"tags\": [\"web\",\n 01]}"))
	fmt.Println(errors.Is(err, value.ErrSyntax))
	// Output:
	// 2a190a170a0474616773120f320d0a051a037765620a041a026575 <nil>
	// true
}

func ExampleSet() {
	wire, err := value.Set(event(), "bob@example.com", "actor", "email")
	if err != nil {
		log.Fatal(err)
	}
	if wire, err = value.Delete(wire, "tags", 0); err != nil {
		log.Fatal(err)
	}
	text, err := value.AppendJSON(nil, wire)
	fmt.Println(string(text), err)
	// Output: {"actor":{"email":"bob@example.com","verified":true},"amount":12.5,"id":"evt_1","tags":["eu"]} <nil>
}

func ExampleAppendCanonical() {
	a, err := value.AppendFromJSON(nil, []byte(`{"x": 1, "y": [2]}`))
	if err != nil {
		log.Fatal(err)
	}
	b, err := value.AppendFromJSON(nil, []byte(`{"y": [2.0], "x": 1e0}`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(bytes.Equal(a, b))
	if a, err = value.AppendCanonical(nil, a); err != nil {
		log.Fatal(err)
	}
	if b, err = value.AppendCanonical(nil, b); err != nil {
		log.Fatal(err)
	}
	fmt.Println(bytes.Equal(a, b))
	// Output:
	// false
	// true
}

func ExampleCheck() {
	wire, err := value.Marshal(map[string]any{"id": int64(1 << 60), "load": math.NaN()})
	if err != nil {
		log.Fatal(err)
	}
	issues, err := value.Check(wire, value.Limits{})
	if err != nil {
		log.Fatal(err) // the bytes are not legal at all
	}
	var lines []string
	for _, i := range issues {
		lines = append(lines, i.Path+": "+i.Kind.String())
	}
	slices.Sort(lines) // they come in the order of the wire, which a map does not fix
	fmt.Println(strings.Join(lines, "\n"))
	// Output:
	// $.id: integer too large
	// $.load: not a finite number
}

func ExampleMarshalStruct() {
	wire, err := value.MarshalStruct(struct {
		Lang string `json:"lang"`
	}{"go"})
	if err != nil {
		log.Fatal(err)
	}
	s := new(structpb.Struct) // a google.protobuf.Struct by itself
	fmt.Println(proto.Unmarshal(wire, s), s.Fields["lang"].GetStringValue())
	// Output: <nil> go
}

func ExampleMarshalList() {
	wire, err := value.MarshalList([]string{"web", "eu"}) // a google.protobuf.ListValue by itself
	if err != nil {
		log.Fatal(err)
	}
	var tags []string
	fmt.Println(value.UnmarshalList(wire, &tags), tags)
	// Output: <nil> [web eu]
}

func ExampleDelete() {
	wire, err := value.Delete(event(), "actor")
	if err != nil {
		log.Fatal(err)
	}
	text, err := value.AppendJSON(nil, wire)
	fmt.Println(string(text), err)
	// Output: {"amount":12.5,"id":"evt_1","tags":["web","eu"]} <nil>
}

func ExampleDoc_Decode() {
	doc, err := value.Parse(event())
	if err != nil {
		log.Fatal(err)
	}
	var actor struct {
		Email    string
		Verified bool
	}
	if err := doc.Get("actor").Decode(&actor); err != nil {
		log.Fatal(err)
	}
	fmt.Println(actor.Email, actor.Verified)
	// Output: ann@example.com true
}

func ExampleNew() {
	v, err := value.New(map[string]string{"lang": "go"}) // which structpb.NewValue refuses
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(v.GetStructValue().Fields["lang"].GetStringValue(), value.Interface(v))
	// Output: go map[lang:go]
}

// A field of type bytes holds what a peer declares as google.protobuf.Value, with the
// same bytes on the wire.
func Example_bytesField() {
	peers, ours := messageTypes()

	// A peer writes a message with a google.protobuf.Value.
	sent := dynamicpb.NewMessage(peers)
	sent.Set(peers.Fields().ByName("id"), protoreflect.ValueOfString("evt_1"))
	payload := structpb.NewStructValue(
		&structpb.Struct{Fields: map[string]*structpb.Value{"email": structpb.NewStringValue("ann@example.com")}})
	sent.Set(peers.Fields().ByName("payload"), protoreflect.ValueOfMessage(payload.ProtoReflect()))
	wire, err := proto.Marshal(sent)
	if err != nil {
		log.Fatal(err)
	}

	// We declare bytes.
	received := dynamicpb.NewMessage(ours)
	if err := proto.Unmarshal(wire, received); err != nil {
		log.Fatal(err)
	}
	field := ours.Fields().ByName("payload")
	doc, err := value.Parse(received.Get(field).Bytes())
	if err != nil {
		log.Fatal(err)
	}
	email, err := doc.Get("email").String()
	fmt.Println(email, err)

	// And answer; the peer reads a google.protobuf.Value.
	answer, err := value.Marshal(map[string]any{"seen": true})
	if err != nil {
		log.Fatal(err)
	}
	received.Set(field, protoreflect.ValueOfBytes(answer))
	if wire, err = proto.Marshal(received); err != nil {
		log.Fatal(err)
	}
	sent = dynamicpb.NewMessage(peers)
	if err := proto.Unmarshal(wire, sent); err != nil {
		log.Fatal(err)
	}
	fmt.Println(sent.Get(peers.Fields().ByName("payload")).Message().Has(
		payload.ProtoReflect().Descriptor().Fields().ByName("struct_value")))
	// Output:
	// ann@example.com <nil>
	// true
}

// messageTypes returns the same message as the peers declare it and as we do.
func messageTypes() (peers, ours protoreflect.MessageDescriptor) {
	message := func(name string, payload *descriptorpb.FieldDescriptorProto) *descriptorpb.DescriptorProto {
		payload.Name, payload.JsonName = proto.String("payload"), proto.String("payload")
		payload.Number, payload.Label = proto.Int32(3), descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum()
		return &descriptorpb.DescriptorProto{Name: proto.String(name), Field: []*descriptorpb.FieldDescriptorProto{{
			Name: proto.String("id"), JsonName: proto.String("id"), Number: proto.Int32(1),
			Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(),
			Type:  descriptorpb.FieldDescriptorProto_TYPE_STRING.Enum(),
		}, payload}}
	}
	file, err := protodesc.NewFile(&descriptorpb.FileDescriptorProto{
		Name: proto.String("event.proto"), Package: proto.String("acme.v1"), Syntax: proto.String("proto3"),
		Dependency: []string{"google/protobuf/struct.proto"},
		MessageType: []*descriptorpb.DescriptorProto{
			message("PeersEvent", &descriptorpb.FieldDescriptorProto{
				Type:     descriptorpb.FieldDescriptorProto_TYPE_MESSAGE.Enum(),
				TypeName: proto.String(".google.protobuf.Value")}),
			message("OurEvent",
				&descriptorpb.FieldDescriptorProto{Type: descriptorpb.FieldDescriptorProto_TYPE_BYTES.Enum()}),
		},
	}, protoregistry.GlobalFiles)
	if err != nil {
		log.Fatal(err)
	}
	return file.Messages().ByName("PeersEvent"), file.Messages().ByName("OurEvent")
}
