package job

import (
	"encoding/json"
	"fmt"
	"reflect"

	officialjson "google.golang.org/protobuf/encoding/protojson"
	official "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/dynamic"
)

// A Subject is a message, and the forms that jobs begin with. The official library made all of them. Goroutines may
// share it: nothing changes it.
type Subject struct {
	Message   official.Message
	Wire      []byte
	Text      []byte          // ProtoJSON
	Tree      any             // the same, as encoding/json reads it
	Value     *structpb.Value // the same
	ValueWire []byte          // the same, in the wire form of google.protobuf.Value
	Dynamic   *dynamic.Type   // of the message's descriptor

	goType reflect.Type
}

// NewSubject prepares a message.
func NewSubject(m official.Message) (*Subject, error) {
	s := &Subject{
		Message: m,
		Dynamic: dynamic.NewType(m.ProtoReflect().Descriptor()),
		goType:  reflect.TypeOf(m).Elem(),
	}
	deterministic := official.MarshalOptions{Deterministic: true}
	var err error
	if s.Wire, err = deterministic.Marshal(m); err != nil {
		return nil, err
	}
	if s.Text, err = officialjson.Marshal(m); err != nil {
		return nil, err
	}
	if err = json.Unmarshal(s.Text, &s.Tree); err != nil {
		return nil, fmt.Errorf("text of the official library: %w", err)
	}
	if s.Value, err = structpb.NewValue(s.Tree); err != nil {
		return nil, err
	}
	s.ValueWire, err = deterministic.Marshal(s.Value)
	return s, err
}

// New returns an empty message of the generated type, made as by new(T): what T's ProtoReflect does first is part of
// the job.
func (s *Subject) New() official.Message { return reflect.New(s.goType).Interface().(official.Message) }

// must stops the program where the official library's own bytes cannot be read back.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
