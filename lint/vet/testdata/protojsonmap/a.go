package protojsonmap

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"example.com/calls/eventpb"
)

func toMap(m proto.Message) (map[string]any, error) {
	b, err := protojson.Marshal(m)
	if err != nil {
		return nil, err
	}
	var out map[string]any
	return out, json.Unmarshal(b, &out) // want `ProtoJSON is marshalled and parsed again into maps; protojson.ToAny`
}

func options(m *eventpb.Plain) any {
	b, _ := protojson.MarshalOptions{UseProtoNames: true}.Marshal(m)
	var out any
	_ = json.Unmarshal([]byte(string(b)), &out) // want `ProtoJSON is marshalled`
	return out
}

func decoder(m proto.Message) (out []map[string]json.RawMessage, err error) {
	text := protojson.Format(m)
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v map[string]interface{}
	err = d.Decode(&v) // want `ProtoJSON is marshalled`
	return nil, err
}

func inline(m proto.Message) (err error) {
	v := map[string]any{}
	if b, err := protojson.Marshal(m); err == nil {
		return json.NewDecoder(bytes.NewReader(b)).Decode(&v) // want `ProtoJSON is marshalled`
	}
	return err
}

func ofStruct(s *structpb.Struct) (v map[string]any) {
	b, _ := json.Marshal(s)
	_ = json.Unmarshal(b, &v) // want `AsMap makes the same values without the text`
	b, _ = protojson.Marshal(s)
	_ = json.Unmarshal(b, &v) // want `AsMap makes the same values without the text`
	b, _ = s.MarshalJSON()
	_ = json.Unmarshal(b, &v) // want `AsMap makes the same values without the text`
	return v
}

type typed struct{ Name string }

func fine(m proto.Message, given []byte, r io.Reader) {
	b, _ := protojson.Marshal(m)
	var t typed
	_ = json.Unmarshal(b, &t)
	var raw json.RawMessage
	_ = json.Unmarshal(b, &raw)
	var v map[string]any
	_ = json.Unmarshal(given, &v)
	b = given
	_ = json.Unmarshal(b, &v)
	_ = json.NewDecoder(r).Decode(&v)
	_ = protojson.Unmarshal(b, m)
}

func branches(m proto.Message, given []byte, cached bool) (v map[string]any) {
	b, _ := protojson.Marshal(m)
	if cached {
		b = given
	}
	_ = json.Unmarshal(b, &v)
	for range 3 {
		_ = json.Unmarshal(b, &v)
		b = given
	}
	return v
}

func excused(m proto.Message) (v map[string]any) {
	b, _ := protojson.Marshal(m)
	_ = json.Unmarshal(b, &v) //protean:lint:ignore protojsonmap
	// protean:lint:ignore protojsonmap: the numbers are needed
	_ = json.Unmarshal(b, &v)
	//protean:lint:ignore asmaploop

	_ = json.Unmarshal(b, &v) // want `ProtoJSON is marshalled`
	return v
}
