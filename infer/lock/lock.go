// Package lock reads and writes the file that keeps the numbers of fields from one inference to the next.
//
// Messages are found again by the paths of the JSON at which their objects were, and fields by their keys, so that
// messages and fields may be renamed. A number is never given twice.
package lock

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/protean-pb/protean/infer/schema"
)

// version is that of the form of the file.
const version = 1

// A Lock is what a lockfile holds.
type Lock struct {
	Version  int        `yaml:"version"`
	Package  string     `yaml:"package"`
	Wrapped  bool       `yaml:"wrapped,omitempty"`
	Rest     string     `yaml:"rest,omitempty"` // the key of the field for members without one
	Messages []*Message `yaml:"messages"`
	Enums    []*Enum    `yaml:"enums,omitempty"`
}

// A Message is a message type; the first of a Lock is that of a document.
type Message struct {
	Name string `yaml:"name"`
	// Gone says that the last documents had no such objects.
	Gone     bool     `yaml:"gone,omitempty"`
	Paths    []string `yaml:"paths"`
	Next     int32    `yaml:"next"`
	Wraps    bool     `yaml:"wraps,omitempty"`   // a list or map where Protobuf has none: its only field
	Oneof    string   `yaml:"oneof,omitempty"`   // that all fields are in but lists and maps
	Variant  string   `yaml:"variant,omitempty"` // the string that says of objects that they are this
	Fields   []*Field `yaml:"fields"`
	Reserved []*Field `yaml:"reserved,omitempty"`
}

// A Field is a field, or was one.
type Field struct {
	Key      string `yaml:"key"`
	Name     string `yaml:"name"`
	Number   int32  `yaml:"number"`
	Type     string `yaml:"type"` // as in the .proto file
	Optional bool   `yaml:"optional,omitempty"`
	Union    *Union `yaml:"union,omitempty"`
}

// A Union says of a field that it is a member of a oneof for the objects under one key, and which.
type Union struct {
	Oneof string `yaml:"oneof" json:"oneof"`
	Key   string `yaml:"key" json:"key"`     // of the objects
	Tag   string `yaml:"tag" json:"tag"`     // the key of the string beside them that says which member they are
	Value string `yaml:"value" json:"value"` // that string
}

// An Enum is an enum type.
type Enum struct {
	Name   string  `yaml:"name"`
	Path   string  `yaml:"path"`
	Values []Value `yaml:"values"`
}

// A Value is a value of an enum.
type Value struct {
	Name   string `yaml:"name"`
	Number int32  `yaml:"number"`
	Text   string `yaml:"text"`
}

// Of returns the lock of a schema.
func Of(f *schema.File) *Lock {
	l := &Lock{Version: version, Package: f.Package, Wrapped: f.Wrapped, Rest: f.Rest}
	for _, m := range f.Messages {
		locked := &Message{Name: m.Name, Paths: m.Paths, Next: m.Next, Wraps: m.Wraps, Oneof: m.Oneof,
			Variant: m.Variant}
		for _, field := range m.Fields {
			locked.Fields = append(locked.Fields, lockedField(field))
		}
		for _, field := range m.Reserved {
			locked.Reserved = append(locked.Reserved, lockedField(field))
		}
		l.Messages = append(l.Messages, locked)
	}
	for _, e := range f.Enums {
		locked := &Enum{Name: e.Name, Path: e.Path}
		for _, v := range e.Values {
			locked.Values = append(locked.Values, Value(v))
		}
		l.Enums = append(l.Enums, locked)
	}
	return l
}

func lockedField(f *schema.Field) *Field {
	return &Field{Key: f.Key, Name: f.Name, Number: f.Number, Type: f.Type.String(), Optional: f.Optional,
		Union: UnionOf(f)}
}

// UnionOf returns what a field is a member of, as the lock has it; nil if it is none.
func UnionOf(f *schema.Field) *Union {
	if f.Union == nil {
		return nil
	}
	return &Union{Oneof: f.Union.Oneof, Key: f.Union.Key, Tag: f.Union.Tag, Value: f.Value}
}

// Wraps reports whether a message stands for a list or map. There may be no lock.
func (l *Lock) Wraps() bool {
	return l != nil && slices.ContainsFunc(l.Messages, func(m *Message) bool { return m.Wraps })
}

const heading = "# The numbers of the fields of package %s, kept by protean infer. Commit it beside the .proto file.\n"

// Marshal returns the file.
func (l *Lock) Marshal() ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, heading, l.Package)
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(l); err != nil {
		return nil, err
	}
	return b.Bytes(), e.Close()
}

// Unmarshal reads a file that Marshal wrote. Errors say the line as far as it is known.
func Unmarshal(text []byte) (*Lock, error) {
	l := &Lock{}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(l); err != nil {
		return nil, fmt.Errorf("not a lockfile: %s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if l.Version != version {
		return nil, fmt.Errorf("a lockfile of version %d; this protean reads version %d", l.Version, version)
	}
	return l, l.check()
}

// check finds what an edit by hand may have broken.
func (l *Lock) check() error {
	if len(l.Messages) == 0 {
		return errors.New("a lockfile without messages")
	}
	for _, m := range l.Messages {
		numbers := map[int32]string{}
		keys := map[string]bool{}
		for i, f := range append(append([]*Field{}, m.Fields...), m.Reserved...) {
			if other, taken := numbers[f.Number]; taken {
				return fmt.Errorf("message %s: %s and %s both have number %d", m.Name, other, f.Name, f.Number)
			}
			if f.Number < 1 || f.Number >= m.Next {
				return fmt.Errorf("message %s: field %s has number %d, and next is %d", m.Name, f.Name, f.Number,
					m.Next)
			}
			if i < len(m.Fields) && keys[f.Key] {
				return fmt.Errorf("message %s: key %q occurs twice", m.Name, f.Key)
			}
			numbers[f.Number], keys[f.Key] = f.Name, true
		}
	}
	return nil
}
