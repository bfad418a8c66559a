package value

import (
	"github.com/protean-pb/protean/internal/structval/index"
)

// JSONOptions say how to convert between JSON text and the wire form. The zero
// JSONOptions are the functions of the same names.
type JSONOptions struct {
	// MaxDepth limits nesting, counted as the official library counts it in the
	// input: values within values in text, the outermost included; messages in the
	// wire form, as for [ParseOptions]. 0 stands for the official library's limit,
	// 10,000 in both.
	//
	// Since an object takes three messages and a list two, text may nest deeper than
	// readers of the resulting wire form accept: by default 3,333 objects or 4,999
	// lists.
	MaxDepth int
	// MaxSize is how many bytes the input may have; 0, and more than that, stands for
	// 256 MiB, which no output in wire form may exceed either.
	MaxSize int
}

// AppendJSON appends to dst the JSON text of a google.protobuf.Value given in wire form.
//
// The text is what protojson writes, without white space: keys in the order of their
// bytes, numbers as in JavaScript, and in strings no escapes but those that JSON asks for.
// Of several entries with the same key the last one counts.
//
// What the official library refuses is an [*Error]: wire form that [Parse] refuses,
// numbers that are NaN or infinite ([ErrNumber]) and Values in which nothing is set
// ([ErrUnset]). Its offset is -1 where the wire form is legal but not as libraries write it.
// On error the result is dst as it was.
//
// Nothing is allocated if dst has room, else only the result is. It does not alias wire.
func AppendJSON(dst, wire []byte) ([]byte, error) { return JSONOptions{}.AppendJSON(dst, wire) }

// AppendStructJSON appends the JSON text of a google.protobuf.Struct, with the rules of [AppendJSON].
func AppendStructJSON(dst, wire []byte) ([]byte, error) {
	return JSONOptions{}.AppendStructJSON(dst, wire)
}

// AppendListJSON appends the JSON text of a google.protobuf.ListValue, with the rules of [AppendJSON].
func AppendListJSON(dst, wire []byte) ([]byte, error) {
	return JSONOptions{}.AppendListJSON(dst, wire)
}

// AppendFromJSON appends to dst the wire form of the google.protobuf.Value that the JSON text is.
//
// It accepts what protojson accepts, which is RFC 8259 without its latitude: text in UTF-8
// and without byte order mark, no key twice in an object, no half of a surrogate pair, no
// number beyond the range of a double. Numbers are rounded to the nearest double. Objects
// keep their entries in the order of the text.
//
// An error is an [*Error] with offset, line, column and path; on error the result is dst as
// it was. Nothing is allocated if dst has room, else only the result is. It does not alias
// text.
func AppendFromJSON(dst, text []byte) ([]byte, error) { return JSONOptions{}.AppendFromJSON(dst, text) }

// AppendStructFromJSON appends, from JSON text, the wire form of a google.protobuf.Struct, with the rules of
// [AppendFromJSON]: the text is an object.
func AppendStructFromJSON(dst, text []byte) ([]byte, error) {
	return JSONOptions{}.AppendStructFromJSON(dst, text)
}

// AppendListFromJSON appends, from JSON text, the wire form of a google.protobuf.ListValue, with the rules of
// [AppendFromJSON]: the text is an array.
func AppendListFromJSON(dst, text []byte) ([]byte, error) {
	return JSONOptions{}.AppendListFromJSON(dst, text)
}

// AppendJSON is the function [AppendJSON] with options.
func (o JSONOptions) AppendJSON(dst, wire []byte) ([]byte, error) {
	return o.appendJSON(dst, wire, index.Value)
}

// AppendStructJSON is the function [AppendStructJSON] with options.
func (o JSONOptions) AppendStructJSON(dst, wire []byte) ([]byte, error) {
	return o.appendJSON(dst, wire, index.Struct)
}

// AppendListJSON is the function [AppendListJSON] with options.
func (o JSONOptions) AppendListJSON(dst, wire []byte) ([]byte, error) {
	return o.appendJSON(dst, wire, index.List)
}

// AppendFromJSON is the function [AppendFromJSON] with options.
func (o JSONOptions) AppendFromJSON(dst, text []byte) ([]byte, error) {
	return o.fromJSON(dst, text, index.Value)
}

// AppendStructFromJSON is the function [AppendStructFromJSON] with options.
func (o JSONOptions) AppendStructFromJSON(dst, text []byte) ([]byte, error) {
	return o.fromJSON(dst, text, index.Struct)
}

// AppendListFromJSON is the function [AppendListFromJSON] with options.
func (o JSONOptions) AppendListFromJSON(dst, text []byte) ([]byte, error) {
	return o.fromJSON(dst, text, index.List)
}

// FromJSON is [AppendFromJSON] by the name that it had first.
//
// Deprecated: use AppendFromJSON.
func FromJSON(dst, text []byte) ([]byte, error) { return AppendFromJSON(dst, text) }
