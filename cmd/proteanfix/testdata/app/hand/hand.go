package hand

import (
	"google.golang.org/protobuf/encoding/protojson" // want "can take the place"

	"example.com/other"
)

func ByHand(o *protojson.UnmarshalOptions) {
	other.Pointer(o) // want "change this by hand"
}
