package tree

import (
	"reflect"
	"unsafe"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
)

// Where the unknown fields lie in each message; 0 if the official library keeps them in a
// way that is not known here. To ask its reflection takes longer than to write a number.
var (
	unknownInValue  = unknownOffset[structpb.Value]()
	unknownInStruct = unknownOffset[structpb.Struct]()
	unknownInList   = unknownOffset[structpb.ListValue]()
)

func unknownOffset[T any]() uintptr {
	f, ok := reflect.TypeFor[T]().FieldByName("unknownFields")
	if !ok || f.Type != reflect.TypeFor[[]byte]() {
		return 0
	}
	return f.Offset
}

// unknown returns the unknown fields of m, which lies at p.
func unknown[M proto.Message](m M, p unsafe.Pointer, offset uintptr) []byte {
	if offset == 0 {
		return reflected(m)
	}
	// Sound: reflection has found a slice of bytes at this offset in what p points to.
	return *(*[]byte)(unsafe.Add(p, offset))
}

//go:noinline
func reflected[M proto.Message](m M) []byte { return m.ProtoReflect().GetUnknown() }
