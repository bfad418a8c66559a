package nativetest

import (
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/dynamicpb"
)

// TestUnmarshalPanic shows the panic that Unmarshal guards against; when it fails,
// the library is mended and Unmarshal can go.
func TestUnmarshalPanic(t *testing.T) {
	s, err := Compile("../../gostruct/testdata")
	if err != nil {
		t.Fatal(err)
	}
	md := s.Message("fixture.Keys")
	// by_string: an entry with the key "", and once more the key, as a varint.
	wire := []byte{12<<3 | 2, 4, 1<<3 | 2, 0, 1 << 3, 1}
	if err := Unmarshal(proto.UnmarshalOptions{}, wire, dynamicpb.NewMessage(md)); err == nil {
		t.Error("no panic in proto.Unmarshal")
	}
}
