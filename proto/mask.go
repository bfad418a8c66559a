package proto

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/internal/wire/decode"
)

// A Mask is a set of fields of a message type, for [UnmarshalOptions]: Unmarshal then reads these alone, generated and
// dynamic messages alike. Who needs five fields of a large event does not pay for the others.
//
// It is not changed once it is made, and any number of goroutines may use it.
type Mask struct {
	of     protoreflect.FullName
	fields *decode.Mask
}

// NewMask returns the Mask of the paths in messages that md describes. Paths are those of google.protobuf.FieldMask:
// names of fields as in the schema, with dots between them, such as "order.customer.id"; those of a FieldMask are its
// GetPaths. A path that ends at a message stands for all of it, also if another goes on. Beyond FieldMask, a path may
// go on through a repeated field, into each of its messages, and through a map, into its values. Without paths nothing
// is read.
//
// The error names the path and the part of it that is wrong.
func NewMask(md protoreflect.MessageDescriptor, paths ...string) (*Mask, error) {
	m := &Mask{md.FullName(), new(decode.Mask)}
	for _, path := range paths {
		if err := add(m.fields, md, path); err != nil {
			return nil, fmt.Errorf("proto: path %q: %w", path, err)
		}
	}
	return m, nil
}

func add(m *decode.Mask, md protoreflect.MessageDescriptor, path string) error {
	for {
		name, rest, more := strings.Cut(path, ".")
		fd := md.Fields().ByName(protoreflect.Name(name))
		if fd == nil {
			return fmt.Errorf("%s has no field %q", md.FullName(), name)
		}
		if !more {
			m.Set(fd.Number(), decode.Whole)
			return nil
		}
		if fd.IsMap() {
			md = fd.MapValue().Message()
		} else {
			md = fd.Message()
		}
		if md == nil {
			return fmt.Errorf("%s has no messages for %q to be in", fd.FullName(), rest)
		}
		if m = m.Add(fd.Number()); m == decode.Whole {
			m = new(decode.Mask) // never read: the rest is only checked
		}
		path = rest
	}
}

// check returns an error if m is not for messages of the descriptor.
func (m *Mask) check(md protoreflect.MessageDescriptor) error {
	if md.FullName() != m.of {
		return fmt.Errorf("proto: a Mask of %s cannot be used for %s", m.of, md.FullName())
	}
	return nil
}
