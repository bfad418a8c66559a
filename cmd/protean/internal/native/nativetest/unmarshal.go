package nativetest

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/proto"
)

// Unmarshal parses hostile bytes with the official library. It turns into an error
// that library's panic (v1.36.12) on a map entry whose key occurs first as it
// should and then once more with another wire type.
func Unmarshal(o proto.UnmarshalOptions, wire []byte, m proto.Message) (err error) {
	defer func() {
		switch r := recover(); {
		case r == nil:
		case strings.Contains(fmt.Sprint(r), "cannot convert nil to map key"):
			err = fmt.Errorf("%v", r)
		default:
			panic(r)
		}
	}()
	return o.Unmarshal(wire, m)
}
