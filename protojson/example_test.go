package protojson_test

import (
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/typepb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/protean-pb/protean/protojson"
)

func Example() {
	m := &typepb.Field{Name: "amount", Number: 5, Kind: typepb.Field_TYPE_DOUBLE, JsonName: "amount"}
	text, err := protojson.Marshal(m)
	if err != nil {
		log.Fatal(err)
	}
	read := new(typepb.Field)
	if err := protojson.Unmarshal(text, read); err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(text), proto.Equal(m, read))
	// Output: {"kind":"TYPE_DOUBLE","number":5,"name":"amount","jsonName":"amount"} true
}

func ExampleFormat() {
	fmt.Println(protojson.Format(&typepb.Option{Name: "deprecated"}))
	// Output:
	// {
	//   "name": "deprecated"
	// }
}

// A buffer that is used again and again: nothing is allocated once it is large enough.
func ExampleMarshalOptions_MarshalAppend() {
	var buf []byte
	for i := range 3 {
		var err error
		buf, err = protojson.MarshalOptions{}.MarshalAppend(buf[:0], durationpb.New(1e9*1500>>i))
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(string(buf))
	}
	// Output:
	// "1500s"
	// "750s"
	// "375s"
}

// 64-bit integers as numbers, for readers that can hold them.
func ExampleMarshalOptions_useInt64Numbers() {
	text, err := protojson.MarshalOptions{UseInt64Numbers: true}.Marshal(wrapperspb.Int64(1 << 60))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(text))
	// Output: 1152921504606846976
}

// Text that is the same whoever writes it, to be hashed or signed.
func ExampleMarshalOptions_canonical() {
	m := &typepb.Field{Name: "amount", Number: 5, JsonName: "amount"}
	text, err := protojson.MarshalOptions{Canonical: true}.Marshal(m)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(text))
	// Output: {"jsonName":"amount","name":"amount","number":5}
}

// A message as Go values in the shapes of its JSON, without the text between.
func ExampleToAny() {
	v, err := protojson.ToAny(&typepb.Field{Name: "amount", Number: 5, Packed: true})
	if err != nil {
		log.Fatal(err)
	}
	object := v.(map[string]any)
	fmt.Println(object["name"], object["number"].(float64), object["packed"].(bool))
	// Output: amount 5 true
}

// Go values into a message: what a template, a script or a configuration file has made.
func ExampleAppendAny() {
	text, err := protojson.AppendAny(nil, &typepb.Option{Name: "map_entry"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(text))
	m, err := protojson.UnmarshalAny(text)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.(*typepb.Option).GetName())
	// Output:
	// {"@type":"type.googleapis.com/google.protobuf.Option","name":"map_entry"}
	// map_entry
}

func ExampleFromAny() {
	m := new(typepb.Field)
	err := protojson.FromAny(map[string]any{"name": "amount", "number": 5, "kind": "TYPE_DOUBLE"}, m)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Name, m.Number, m.Kind)
	// Output: amount 5 TYPE_DOUBLE
}

func ExampleEncoder() {
	e := protojson.NewEncoder(os.Stdout)
	for i := range 2 {
		if err := e.Encode(&typepb.Option{Name: fmt.Sprint("option ", i)}); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// {"name":"option 0"}
	// {"name":"option 1"}
}

func ExampleDecoder() {
	lines := strings.NewReader(`{"name": "option 0"}
{"name": "option 1"}
`)
	d := protojson.NewDecoder(lines)
	for {
		m := new(typepb.Option)
		err := d.Decode(m)
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(m.Name)
	}
	// Output:
	// option 0
	// option 1
}

// Errors say where.
func ExampleError() {
	text := []byte("{\n  \"name\": \"Event\",\n  \"fields\": [{\"number\": 1}, {\"number\": \"two\"}]\n}")
	err := protojson.Unmarshal(text, new(typepb.Type))
	var pe *protojson.Error
	if errors.As(err, &pe) {
		fmt.Println("path:", pe.Path)
		fmt.Println("line and column:", pe.Line, pe.Column)
		fmt.Println("of the wrong kind:", errors.Is(err, protojson.ErrValue))
	}
	fmt.Println(err)
	// Output:
	// path: fields[1].number
	// line and column: 3 40
	// of the wrong kind: true
	// protojson: google.protobuf.Type: fields[1].number: line 3, column 40 (byte 60): invalid value: "two" instead of an integer of 32 bits
}

// The zero value of a field in a Struct, and one that lowerCamelCase cannot tell.
func ExampleMarshal_errors() {
	_, err := protojson.Marshal(&structpb.Struct{Fields: map[string]*structpb.Value{"a": {}}})
	fmt.Println(err)
	_, err = protojson.Marshal(&fieldmaskpb.FieldMask{Paths: []string{"a__b"}})
	fmt.Println(err)
	// Output:
	// protojson: google.protobuf.Struct: ["a"]: invalid value: a google.protobuf.Value of no kind
	// protojson: google.protobuf.FieldMask: invalid value: the path "a__b" of a FieldMask has no form in lowerCamelCase
}
