package records

import (
	"fmt"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/structpb"
)

// Unknown fields are found wherever a message lies in another: in a field, a list, a map, and below a type that can be
// extended.
func TestHasUnknown(t *testing.T) {
	unknown := func(m proto.Message) { m.ProtoReflect().SetUnknown([]byte("\xf8\x7f\x01")) }
	leaf := structpb.NewStringValue("x")
	inMap := &structpb.Struct{Fields: map[string]*structpb.Value{"a": structpb.NewBoolValue(true), "b": leaf}}
	option := &descriptorpb.UninterpretedOption{StringValue: []byte("x")}
	field := &descriptorpb.FieldDescriptorProto{Name: proto.String("f"),
		Options: &descriptorpb.FieldOptions{UninterpretedOption: []*descriptorpb.UninterpretedOption{option}}}
	for _, tt := range []struct {
		name     string
		m, below proto.Message
	}{
		{"itself", structpb.NewNullValue(), nil},
		{"map", inMap, leaf},
		{"list", structpb.NewListValue(&structpb.ListValue{Values: []*structpb.Value{structpb.NewStructValue(inMap)}}),
			leaf},
		{"extensible", &descriptorpb.FileDescriptorProto{MessageType: []*descriptorpb.DescriptorProto{
			{Name: proto.String("M")}, {Field: []*descriptorpb.FieldDescriptorProto{field}}}}, option},
	} {
		if tt.below == nil {
			tt.below = tt.m
		}
		if HasUnknown(tt.m.ProtoReflect()) {
			t.Errorf("%s: found where there is none", tt.name)
		}
		unknown(tt.below)
		if !HasUnknown(tt.m.ProtoReflect()) {
			t.Errorf("%s: not found", tt.name)
		}
		tt.below.ProtoReflect().SetUnknown(nil)
	}
}

// What a converter says of a record stays as it is when the memory of that is used again.
func TestConverterMemory(t *testing.T) {
	c := converter(t, ConvertOptions{From: JSON, To: Message, Message: event(t)})
	c.arena.Poison = true
	texts := []string{`{"id":"a long text that is not in the message","more":1}`, `{"id":"x","account":"a long text"}`,
		`{"id":"x","amount":0.12345678901234567}`, `{"id":5}`}
	var faults []error
	var before []string
	for _, text := range texts {
		_, err := c.Append(nil, Record{Data: []byte(text), File: "f", Line: 1})
		if err == nil {
			t.Fatal("no error of", text)
		}
		faults, before = append(faults, err), append(before, err.Error())
		got, err := c.Append(nil, Record{Data: []byte(`{"id":"x","account":5}`)})
		if err != nil || string(got) != "\x0a\x01x\x10\x05" {
			t.Fatal(got, err)
		}
	}
	for i, err := range faults {
		if err.Error() != before[i] {
			t.Errorf("%v, which was %s", err, before[i])
		}
	}
}

// A number that a double does not hold is found wherever it lies.
func TestInexactNumber(t *testing.T) {
	for pad := range 20 {
		space := strings.Repeat(" ", pad)
		for _, number := range []string{"9007199254740993", "-0.12345678901234567", "1e-324", "123456789012345678901"} {
			if at, got := inexactNumber([]byte(space + "[1," + number + "]")); got != number || at != pad+3 {
				t.Errorf("%q at %d, want %s at %d", got, at, number, pad+3)
			}
		}
		for _, text := range []string{"1234567890123456", "0.5", `"deadbeef12345678"`, `"90071992547409931"`} {
			if _, got := inexactNumber(fmt.Appendf(nil, `%s["e1","a",%s,-1e5]`, space, text)); got != "" {
				t.Errorf("%q of %s", got, text)
			}
		}
	}
}
