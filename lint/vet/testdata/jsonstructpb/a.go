package jsonstructpb

import (
	"encoding/json"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
)

func toStruct(v any) (*structpb.Struct, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	s := &structpb.Struct{}
	if err := protojson.Unmarshal(b, s); err != nil { // want `JSON is marshalled and parsed again into a Struct; value.NewStruct of`
		return nil, err
	}
	return s, nil
}

func others(v any) {
	b, _ := json.Marshal(v)
	var s structpb.Struct
	_ = s.UnmarshalJSON(b) // want `into a Struct; value.NewStruct`
	var x structpb.Value
	_ = protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(b, &x) // want `into a Value; value.New of`
	l := new(structpb.ListValue)
	_ = json.Unmarshal(b, l)  // want `into a ListValue; value.NewList`
	_ = json.Unmarshal(b, &l) // want `into a ListValue; value.NewList`
}

func fine(b []byte, m proto.Message, v any) {
	s := &structpb.Struct{}
	_ = protojson.Unmarshal(b, s)
	own, _ := json.Marshal(v)
	_ = protojson.Unmarshal(own, m)
	text, _ := protojson.Marshal(m)
	_ = protojson.Unmarshal(text, s)
}
