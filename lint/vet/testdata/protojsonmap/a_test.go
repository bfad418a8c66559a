package protojsonmap

import (
	"encoding/json"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

func inTests(m proto.Message) (v map[string]any) {
	b, _ := protojson.Marshal(m)
	_ = json.Unmarshal(b, &v)
	return v
}
