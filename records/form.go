package records

import (
	"fmt"
	"path"
	"strings"
)

// A Form is what the records of a file are.
type Form string

const (
	// JSON is JSON text: one document, documents with any white space between them, or an array
	// of documents at the top level. A file in which each line is a document is read as [Lines].
	JSON Form = "json"
	// Lines is JSON lines: each line that is not blank is a record, whatever is in it.
	Lines Form = "jsonl"
	// Value, Struct and List are google.protobuf.Value, Struct and ListValue in wire form.
	Value  Form = "value"
	Struct Form = "struct"
	List   Form = "list"
	// Message is messages of a schema in wire form.
	Message Form = "proto"
	// ProtoJSON is messages of a schema as JSON text, which lie in a file as [JSON] does.
	ProtoJSON Form = "protojson"
	// BSON is documents one after the other, as mongodump writes them.
	BSON Form = "bson"
	// MessagePack is values one after the other.
	MessagePack Form = "msgpack"
)

// Forms are all forms, for messages to users.
var Forms = []Form{JSON, Lines, Value, Struct, List, Message, ProtoJSON, BSON, MessagePack}

// ParseForm returns the form of that name; "ndjson" and "messagepack" are other names of two.
func ParseForm(name string) (Form, error) {
	switch name {
	case "ndjson":
		return Lines, nil
	case "messagepack":
		return MessagePack, nil
	}
	var known []string
	for _, f := range Forms {
		if name == string(f) {
			return f, nil
		}
		known = append(known, string(f))
	}
	return "", fmt.Errorf("unknown form %q; want one of %s", name, strings.Join(known, ", "))
}

// IsText reports whether the records of f are JSON text, as those of the empty form are.
func (f Form) IsText() bool { return f == "" || f == JSON || f == Lines || f == ProtoJSON }

// IsWire reports whether the records of f are in Protobuf's wire form, for which a [Framing]
// says where one ends.
func (f Form) IsWire() bool { return f == Value || f == Struct || f == List || f == Message }

// A Framing is how records in wire form lie in a file.
type Framing string

const (
	// AutoFraming is [Single] for files whose names end in .pb, .binpb or .bin, else [Delimited].
	AutoFraming Framing = "auto"
	// Delimited is records one after the other, each after its length as a varint.
	Delimited Framing = "delimited"
	// Single is one record a file.
	Single Framing = "binary"
)

// ParseFraming returns the framing of that name.
func ParseFraming(name string) (Framing, error) {
	switch f := Framing(name); f {
	case AutoFraming, Delimited, Single:
		return f, nil
	case "":
		return AutoFraming, nil
	}
	return "", fmt.Errorf("unknown format %q; want one of auto, binary (one record a file), delimited", name)
}

// of is the framing of a file.
func (f Framing) of(file string) Framing {
	if f != AutoFraming && f != "" {
		return f
	}
	switch extension(file) {
	case ".pb", ".binpb", ".bin":
		return Single
	}
	return Delimited
}

// extension is what the name of a file ends in, compressed or not, in lower case.
func extension(file string) string { return strings.ToLower(path.Ext(UncompressedName(file))) }
