package inspect

import (
	"errors"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/cmd/protean/internal/native"
	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/proto"
	"github.com/protean-pb/protean/value"
)

// A Form is one way to put a message into bytes.
type Form int

// The forms.
const (
	Protobuf Form = iota // of the message's own type
	Value                // google.protobuf.Value
	Struct               // google.protobuf.Struct, which only an object has
	JSON                 // compact, integers of 64 bits as numbers
	numForms
)

// String returns the name as tables show it.
func (f Form) String() string { return [...]string{"Protobuf", "Value", "Struct", "JSON"}[f] }

// Forms are the bytes of one message in all forms.
type Forms struct {
	Wire   [numForms][]byte // nil for a form that the message does not have
	Counts [numForms]Counts
	// Why says why a form is missing, where that is an error.
	Why error
}

// Has reports whether the message has a form.
func (f *Forms) Has(x Form) bool { return f.Wire[x] != nil }

func (f *Forms) set(x Form, b []byte, c Counts) {
	if b == nil {
		b = []byte{}
	}
	f.Wire[x], f.Counts[x] = b, c
}

// FormsOf returns the forms of a message in wire form, the first of them the bytes as
// they are. Rows, if not nil, is the field of which the other forms have the bare list.
// Without a type there is no other form.
func FormsOf(b []byte, md protoreflect.MessageDescriptor, rows protoreflect.FieldDescriptor, types Resolver) (*Forms,
	*Problem) {
	f := new(Forms)
	c, problem := Count(b, md, types)
	if problem != nil {
		return nil, problem
	}
	f.set(Protobuf, b, c)
	if md != nil {
		f.Why = f.others(b, md, rows, types)
	}
	return f, nil
}

// others adds the forms without a schema.
func (f *Forms) others(b []byte, md protoreflect.MessageDescriptor, rows protoreflect.FieldDescriptor,
	types Resolver) error {
	m := dynamic.NewMessage(md)
	if err := (proto.UnmarshalOptions{AllowPartial: true, Resolver: types}).Unmarshal(b, m); err != nil {
		return err
	}
	data, err := native.Options{Types: types}.FromMessage(m)
	if err != nil {
		return err
	}
	if rows != nil {
		data = rowsOf(data, rows)
	}
	text, err := json.Marshal(data, json.Deterministic(true))
	if err != nil {
		return err
	}
	v, err := structpb.NewValue(data)
	if err != nil {
		return err
	}
	wire, err := proto.MarshalOptions{Deterministic: true}.Marshal(v)
	if err != nil {
		return err
	}
	f.set(JSON, text, CountJSON(text))
	return f.values(wire)
}

// rowsOf returns the list that native data of a message is.
func rowsOf(data any, rows protoreflect.FieldDescriptor) any {
	if list, ok := data.(map[string]any)[string(rows.Name())]; ok {
		return list
	}
	return []any{}
}

// FormsOfJSON returns the forms of a JSON document, which has none of its own type.
func FormsOfJSON(document []byte) (*Forms, error) {
	text := jsontext.Value(document).Clone()
	if err := text.Compact(); err != nil {
		return nil, err
	}
	wire, err := value.AppendFromJSON(nil, text)
	if err != nil {
		return nil, err
	}
	f := new(Forms)
	f.set(JSON, text, CountJSON(text))
	return f, f.values(wire)
}

var (
	valueType  = (*structpb.Value)(nil).ProtoReflect().Descriptor()
	structType = (*structpb.Struct)(nil).ProtoReflect().Descriptor()
)

// Type returns the message type of a form; nil for the message's own and for JSON.
func (f Form) Type() protoreflect.MessageDescriptor {
	switch f {
	case Value:
		return valueType
	case Struct:
		return structType
	}
	return nil
}

// values adds the Value that wire is, and the Struct in it, if it is one.
func (f *Forms) values(wire []byte) error {
	c, problem := Count(wire, valueType, nil)
	if problem != nil {
		return errors.New(problem.Message)
	}
	f.set(Value, wire, c)
	num, typ, n := protowire.ConsumeTag(wire)
	if n < 0 || typ != protowire.BytesType || num != structField {
		return nil
	}
	inner, _ := protowire.ConsumeBytes(wire[n:])
	if c, problem = Count(inner, structType, nil); problem != nil {
		return errors.New(problem.Message)
	}
	f.set(Struct, inner, c)
	return nil
}

// structField is the number of Value.struct_value.
const structField = 5
