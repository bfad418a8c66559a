package value

import (
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/protean-pb/protean/internal/structval/index"
)

// A Kind is what a Value holds.
type Kind uint8

// The kinds.
const (
	// Absent is the kind of a [Doc] that stands for no value, as the result of a
	// look-up that found nothing, or the zero Doc.
	Absent Kind = iota
	// Unset is a Value in which no field is set: legal on the wire, and nil in Go
	// as structpb has it, but without a form in JSON.
	Unset
	Null
	Number
	String
	Bool
	Object // a google.protobuf.Struct
	List   // a google.protobuf.ListValue
)

// String returns the kind's name in lower case.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

var kindNames = [...]string{"absent", "unset", "null", "number", "string", "bool", "object", "list"}

// DefaultMaxDepth is how many messages may be nested where no other limit is given:
// the official library's default. A Value, a Struct, a ListValue and each entry of a
// Struct is a message, so an object takes three and a list two.
const DefaultMaxDepth = 10000

// maxSize is the longest wire form that this package reads or writes.
const maxSize = index.MaxSize

// AppendStructValue appends to dst the wire form of a Value that holds a Struct, given that
// Struct's wire form, which it copies without looking at it.
func AppendStructValue(dst, wire []byte) []byte { return wrap(dst, wire, index.TagStruct) }

// AppendListValue appends a Value that holds the ListValue, as [AppendStructValue] does a Struct.
func AppendListValue(dst, wire []byte) []byte { return wrap(dst, wire, index.TagList) }

func wrap(dst, inside []byte, tag byte) []byte {
	dst = append(dst, tag)
	dst = protowire.AppendVarint(dst, uint64(len(inside)))
	return append(dst, inside...)
}
