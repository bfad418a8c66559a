// Package suite reads what is to be measured: a schema, a message type and
// payloads of that type. The built-in suites and a user's own files go through
// the same functions.
//
// # Input
//
// A schema comes from .proto sources ([ParseSchema]) or from a descriptor set
// ([ReadDescriptorSet]). Data comes as ProtoJSON, plain JSON or binary messages
// ([ReadSamples]). Whatever is wrong with either is one [InputError]: one line
// that begins with the file, the line and the column.
//
// # Where the formats are loose
//
//   - A JSON file is a sequence of values with any white space between, so one
//     document, JSON lines and concatenated documents are one case. An array at
//     the top level is a list of documents, except for google.protobuf.Value
//     and ListValue, which an array may be the JSON form of.
//   - Binary data carries no mark of its kind. [Auto] takes the reading that
//     leaves nothing unexplained: no unknown field at any depth, no required
//     field missing, not a byte that a message of that content would not need.
//   - Columns count Unicode code points from 1, as ProtoJSON and most editors do.
//     A byte order mark does not count. In .proto files a tab moves on to the
//     next multiple of eight, as protoc has it.
package suite

import (
	"google.golang.org/protobuf/reflect/protoreflect"
)

// A Suite is a schema and payloads of its messages.
type Suite struct {
	// Name is the name of a built-in suite, or the full name of the user's message.
	Name string
	// Schema is the compiled schema that every payload's message belongs to.
	Schema *Schema
	// Payloads are measured one after the other; there is at least one.
	Payloads []*Payload
}

// A Payload is a set of samples of one message type.
type Payload struct {
	Name    string
	Message protoreflect.MessageDescriptor
	// Rows, if not nil, is the repeated message field that makes Message a mere
	// list: its forms without a schema are the bare list, and Any packs each
	// row by itself.
	Rows protoreflect.FieldDescriptor
	// Samples are the messages; there is at least one.
	Samples []Sample
	// DrawnFrom is how many messages the samples were drawn from; 0 if they are all.
	DrawnFrom int
}

// A Sample is one message of a payload.
type Sample struct {
	// Source says where the message came from, such as "samples.jsonl:3".
	Source string
	// Wire is the message in binary form, with deterministic order of map keys.
	Wire []byte
	// Raw is the message as it lies in the file, a JSON document or a message in
	// binary form, and Offset is where. It shares memory with the whole file.
	Raw    []byte
	Offset int
}
