package protojson_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"testing"

	official "google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/wellknownpb"
	protean "github.com/protean-pb/protean/proto"
	"github.com/protean-pb/protean/protojson"
)

// A library is one of the two, with all that is benchmarked.
type library struct {
	name      string
	marshal   func(proto.Message) ([]byte, error)
	unmarshal func([]byte, proto.Message) error
	toAny     func(proto.Message) (any, error)
	fromAny   func(any, proto.Message) error
}

var (
	officialLibrary = library{"official", official.Marshal, official.Unmarshal, toAnyByText, fromAnyByText}
	proteanLibrary  = library{"protean", protojson.Marshal, protojson.Unmarshal, protojson.ToAny, protojson.FromAny}
)

// toAnyByText and fromAnyByText are how programs get to Go values and back with the
// official library.
func toAnyByText(m proto.Message) (any, error) {
	text, err := official.Marshal(m)
	if err != nil {
		return nil, err
	}
	var v any
	err = json.Unmarshal(text, &v)
	return v, err
}

func fromAnyByText(v any, m proto.Message) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return official.Unmarshal(text, m)
}

// A document is a message in ProtoJSON, to be read into the messages that two functions
// make: one for the official library, one for this module.
type document struct {
	name         string
	text         string
	theirs, ours func() proto.Message
}

// The messages of the lab's payload medium.
const mediumSchema = `
	name: "event.proto" syntax: "proto3"
	message_type {
		name: "MediumEvent"
		field { name: "id" number: 1 label: LABEL_OPTIONAL type: TYPE_STRING }
		field { name: "timestamp" number: 2 label: LABEL_OPTIONAL type: TYPE_INT64 }
		field { name: "event_type" number: 3 label: LABEL_OPTIONAL type: TYPE_STRING }
		field { name: "actor" number: 4 label: LABEL_OPTIONAL type: TYPE_MESSAGE type_name: ".Actor" }
		field { name: "tags" number: 5 label: LABEL_REPEATED type: TYPE_STRING }
		field { name: "metadata" number: 6 label: LABEL_OPTIONAL type: TYPE_MESSAGE type_name: ".Metadata" }
	}
	message_type {
		name: "Actor"
		field { name: "id" number: 1 label: LABEL_OPTIONAL type: TYPE_STRING }
		field { name: "email" number: 2 label: LABEL_OPTIONAL type: TYPE_STRING }
		field { name: "verified" number: 3 label: LABEL_OPTIONAL type: TYPE_BOOL }
	}
	message_type {
		name: "Metadata"
		field { name: "ip" number: 1 label: LABEL_OPTIONAL type: TYPE_STRING }
		field { name: "user_agent" number: 2 label: LABEL_OPTIONAL type: TYPE_STRING }
		field { name: "attempts" number: 3 label: LABEL_OPTIONAL type: TYPE_INT64 }
	}`

// An order has lists, maps, enums and a oneof.
const orderText = `{
	"id": "1125899906842624", "customer": "customer 4711", "state": "COLOR_GREEN", "balance": "-12345", "express": true, "discount": 0.1,
	"shipping": {"street": "Main Street 1", "city": "Springfield", "zip": "12345", "country": "US"},
	"billing": {"street": "Bahnhofstrasse 20", "city": "Zürich", "zip": "8001", "country": "CH"},
	"lines": [
		{"sku": "SKU-1000", "quantity": 2, "price": 9.99, "tags": ["new", "sale"], "attributes": {"color": "red", "size": "XL"}, "gift": true},
		{"sku": "SKU-1001", "quantity": 1, "price": 1299, "tags": ["\"quoted\"\n"], "attributes": {"color": "blue"}, "gift": false},
		{"sku": "SKU-1002", "quantity": 250, "price": 0.001}
	],
	"trace": ["1", "2", "1152921504606846976"], "counters": {"clicks": "3", "views": "12"},
	"token": "c29tZSBieXRlcywgc29tZSBieXRlcw==", "note": "leave at the door"
}`

// An event is mostly of well-known types.
const eventText = `{
	"id": "evt_1", "at": "2026-02-25T06:13:20.000005Z", "note": "a note",
	"payload": {"id": "evt_1", "actor": {"email": "ann@example.com", "verified": true}, "tags": ["web", "eu", 12.5, null]},
	"detail": {"@type": "type.googleapis.com/google.protobuf.StringValue", "value": "detail"},
	"arguments": [1, "two", {"three": [true, 3.25]}],
	"causes": [{"id": "evt_0", "at": "2026-02-13T16:26:40Z"}]
}`

func documents(t testing.TB) []document {
	t.Helper()
	medium, err := os.ReadFile("../cmd/protean/internal/suite/builtin/hidden-cost/medium.json")
	if err != nil {
		t.Fatal(err)
	}
	schema := new(descriptorpb.FileDescriptorProto)
	if err := prototext.Unmarshal([]byte(mediumSchema), schema); err != nil {
		t.Fatal(err)
	}
	file, err := protodesc.NewFile(schema, nil)
	if err != nil {
		t.Fatal(err)
	}
	generated := func(name, text string, create func() proto.Message) document {
		return document{name + "/kind=generated", text, create, create}
	}
	described := func(name, text string, md protoreflect.MessageDescriptor) document {
		theirs := func() proto.Message { return dynamicpb.NewMessage(md) }
		return document{name + "/kind=dynamic", text, theirs, func() proto.Message { return dynamic.NewMessage(md) }}
	}
	value := func() proto.Message { return new(structpb.Value) }
	order := func() proto.Message { return new(benchpb.Order) }
	event := func() proto.Message { return new(wellknownpb.Event) }
	return []document{
		described("shape=medium", string(medium), file.Messages().ByName("MediumEvent")),
		{"shape=medium/kind=value", string(medium), value, value},
		generated("shape=order", orderText, order),
		described("shape=order", orderText, order().ProtoReflect().Descriptor()),
		generated("shape=event", eventText, event),
		described("shape=event", eventText, event().ProtoReflect().Descriptor()),
	}
}

// An input is a document in the forms that the operations of a library begin with.
type input struct {
	empty func() proto.Message
	m     proto.Message
	text  []byte // as the official library writes it, but for white space
	v     any
}

// newInput returns the input for a library, once the library has done with it what the
// official one does.
func newInput(t testing.TB, d document, l library) input {
	t.Helper()
	in := input{empty: d.ours}
	if l.name == officialLibrary.name {
		in.empty = d.theirs
	}
	want := d.theirs()
	if err := official.Unmarshal([]byte(d.text), want); err != nil {
		t.Fatal(err)
	}
	in.text = compactText(t, want)
	if err := json.Unmarshal(in.text, &in.v); err != nil {
		t.Fatal(err)
	}
	in.m = in.empty()
	if err := l.unmarshal(in.text, in.m); err != nil || !bytes.Equal(wire(t, in.m), wire(t, want)) {
		t.Fatalf("another message from text: %v, %v", in.m, err)
	}
	text, err := l.marshal(in.m)
	back := d.theirs()
	if err == nil {
		err = official.Unmarshal(text, back)
	}
	if err != nil || !proto.Equal(back, want) {
		t.Fatalf("another text: %s, %v", text, err)
	}
	if v, err := l.toAny(in.m); err != nil || !reflect.DeepEqual(v, in.v) {
		t.Fatalf("other Go values: %v, want %v; %v", v, in.v, err)
	}
	m := in.empty()
	if err := l.fromAny(in.v, m); err != nil || !bytes.Equal(wire(t, m), wire(t, want)) {
		t.Fatalf("another message from Go values: %v, %v", m, err)
	}
	return in
}

// compactText returns m as the official library writes it, without white space.
func compactText(t testing.TB, m proto.Message) []byte {
	t.Helper()
	text, err := official.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := json.Compact(&b, text); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The benchmarks' documents are read and written as by the official library.
func TestBenchmarks(t *testing.T) {
	for _, d := range documents(t) {
		for _, l := range []library{officialLibrary, proteanLibrary} {
			t.Run(d.name+"/by="+l.name, func(t *testing.T) { newInput(t, d, l) })
		}
	}
}

// benchmark times what operation returns for each document and library.
func benchmark(b *testing.B, operation func(l library, in input) func() error) {
	for _, d := range documents(b) {
		for _, l := range []library{officialLibrary, proteanLibrary} {
			b.Run(d.name+"/by="+l.name, func(b *testing.B) {
				run := operation(l, newInput(b, d, l))
				b.ReportAllocs()
				for b.Loop() {
					if err := run(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkMarshal(b *testing.B) {
	benchmark(b, func(l library, in input) func() error {
		return func() error {
			_, err := l.marshal(in.m)
			return err
		}
	})
}

func BenchmarkUnmarshal(b *testing.B) {
	benchmark(b, func(l library, in input) func() error {
		return func() error { return l.unmarshal(in.text, in.empty()) }
	})
}

func BenchmarkToAny(b *testing.B) {
	benchmark(b, func(l library, in input) func() error {
		return func() error {
			_, err := l.toAny(in.m)
			return err
		}
	})
}

func BenchmarkFromAny(b *testing.B) {
	benchmark(b, func(l library, in input) func() error {
		return func() error { return l.fromAny(in.v, in.empty()) }
	})
}

// BenchmarkStructKeys reads Structs whose maps have more than eight entries, as few have in the other benchmarks.
func BenchmarkStructKeys(b *testing.B) {
	for _, n := range []int{12, 30, 100} {
		fields := map[string]any{}
		for i := range n {
			fields[fmt.Sprintf("key_%d", i*7919%1000)] = float64(i)
		}
		s := structOf(fields)
		wire, err := protean.Marshal(s)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("unmarshal/%d", n), func(b *testing.B) {
			for b.Loop() {
				if err := protean.Unmarshal(wire, new(structpb.Struct)); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("to any/%d", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := protojson.ToAny(s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
