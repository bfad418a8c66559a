// Package schema has the schema that is inferred, and prints it as a .proto file.
package schema

import "strings"

// A File is an inferred schema: its first message is that of a document.
type File struct {
	Package   string
	GoPackage string // option go_package; none if empty
	Messages  []*Message
	Enums     []*Enum
	// Wrapped says that documents are not messages by themselves: each is the value of the only field of the
	// first message.
	Wrapped bool
	// Rest is the key of the field of the root message that has all members of a document that have no field of their
	// own; empty if there is none.
	Rest string
}

// Root returns the message of a document.
func (f *File) Root() *Message { return f.Messages[0] }

// A Message is a message type.
type Message struct {
	Name string
	// Paths are where objects of this type were seen, in the order of their bytes. They are as in $.users[].name;
	// keys that are not words are quoted, as in $["a b"], and {} stands for all keys of a map.
	Paths   []string
	Objects uint64 // how many were seen
	Comment []string
	Fields  []*Field // in the order of their numbers
	// Wraps says that the message stands for a list or map where Protobuf has none, in lists and maps: its only field
	// is that.
	Wraps bool
	// Oneof is the name of a oneof that all fields are in but lists and maps; empty if there is none. Against says what
	// was held against one where objects have one member each.
	Oneof, Against string
	// Variant is the string that says of objects that they are of this message; empty if their path alone does.
	Variant string
	// Reserved are fields that there were once.
	Reserved []*Field
	// Next is the number that the next new field gets.
	Next int32
}

// A Field is a field of a message.
type Field struct {
	Key      string // in JSON
	Name     string
	Number   int32
	Type     Type
	Optional bool
	Comment  []string
	Facts    Facts
	// Union is what the field is a member of where a string beside an object says what that is, and Value the string;
	// nil otherwise.
	Union *Union
	Value string
	// NameInUse says of a reserved field that a field has its name now, so that only the number is reserved.
	NameInUse bool
}

// A Union is a oneof of messages for the objects under one key in JSON: a string beside them says which of the fields
// an object is.
type Union struct {
	Oneof   string // its name
	Key     string // of the objects
	Tag     string // the key of the string
	Comment []string
}

// InOneof reports whether a field is in the oneof of the message.
func (m *Message) InOneof(f *Field) bool { return m.Oneof != "" && f.Type.Cardinality == Singular }

// Facts are what is known of the values of a field.
type Facts struct {
	Path     string   `json:"path"`
	Objects  uint64   `json:"objects"` // of the message
	Present  uint64   `json:"present"`
	Nulls    uint64   `json:"nulls"`
	Kinds    []string `json:"kinds"` // such as "12 strings"
	Range    string   `json:"range,omitempty"`
	Distinct string   `json:"distinct,omitempty"`
	Examples []string `json:"examples,omitempty"`
	// Against are types that were considered, each with what was held against it.
	Against []string `json:"against,omitempty"`
}

// A Cardinality is how many values a field has.
type Cardinality uint8

// The cardinalities.
const (
	Singular Cardinality = iota
	Repeated
	Map // with keys of type string
)

// The names of types that are no scalars and not the file's own.
const (
	Timestamp = "google.protobuf.Timestamp"
	Value     = "google.protobuf.Value"
	Struct    = "google.protobuf.Struct"
	ListValue = "google.protobuf.ListValue"
)

// A Type is the type of a field.
type Type struct {
	Cardinality Cardinality
	// Name is that of a scalar or of one of the types above; empty for a message or enum of the file.
	Name    string
	Message *Message
	Enum    *Enum
}

// Element returns the name of the type of one value.
func (t Type) Element() string {
	switch {
	case t.Message != nil:
		return t.Message.Name
	case t.Enum != nil:
		return t.Enum.Name
	}
	return t.Name
}

// String returns the type as in a .proto file.
func (t Type) String() string {
	switch t.Cardinality {
	case Repeated:
		return "repeated " + t.Element()
	case Map:
		return "map<string, " + t.Element() + ">"
	}
	return t.Element()
}

// Scalar reports whether values are scalars or of an enum, so that a singular field may be optional.
func (t Type) Scalar() bool { return t.Message == nil && !strings.HasPrefix(t.Name, "google.") }

// An Enum is an enum type.
type Enum struct {
	Name   string
	Path   string
	Values []EnumValue // the first is the unspecified one
}

// An EnumValue is a value of an enum.
type EnumValue struct {
	Name   string
	Number int32
	Text   string // in JSON
}
