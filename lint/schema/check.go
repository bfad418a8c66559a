package schema

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// Options say what [Check] leaves out. A comment // protean:lint:ignore ID always excuses: above
// or behind a field, above its oneof or its message, or above the first statement of its file.
type Options struct {
	// BufIgnores lets comments // buf:lint:ignore ID excuse too. The buf plugin leaves that to buf.
	BufIgnores bool
}

// Check returns what the rules find in the files, and not in what they import, in the order of
// the files and of their lines. It is safe for concurrent use. Its time is proportional to the
// size of the files and of all that they import.
func Check(files []protoreflect.FileDescriptor, o Options) []Finding {
	c := &checker{ignores: newIgnores(o)}
	for _, f := range files {
		if f.Package() == wellKnown {
			continue
		}
		c.extensions(f.Extensions())
		c.messages(f.Messages())
		c.comments(f)
	}
	c.nesting()
	sortFindings(c.found, files)
	return c.found
}

// wellKnown is the package whose messages are what they are.
const wellKnown protoreflect.FullName = "google.protobuf"

type checker struct {
	ignores  *ignores
	found    []Finding
	declared []protoreflect.MessageDescriptor // in the files, entries of maps left out
}

func (c *checker) report(id string, d protoreflect.Descriptor, what string) {
	if !c.ignores.excuse(id, d) {
		c.found = append(c.found, NewFinding(id, d, what))
	}
}

func (c *checker) messages(mds protoreflect.MessageDescriptors) {
	for i := range mds.Len() {
		md := mds.Get(i)
		if md.IsMapEntry() {
			continue
		}
		c.declared = append(c.declared, md)
		for j := range md.Fields().Len() {
			c.field(md.Fields().Get(j))
		}
		c.extensions(md.Extensions())
		c.messages(md.Messages())
	}
}

func (c *checker) extensions(xds protoreflect.ExtensionDescriptors) {
	for i := range xds.Len() {
		if xd := xds.Get(i); !isOption(xd) {
			c.field(xd)
		}
	}
}

// isOption reports whether an extension is a custom option.
func isOption(xd protoreflect.ExtensionDescriptor) bool {
	extended := xd.ContainingMessage().FullName()
	return extended.Parent() == wellKnown && strings.HasSuffix(string(extended.Name()), "Options")
}

// field reports a field by the type of its values.
func (c *checker) field(fd protoreflect.FieldDescriptor) {
	if id := DynamicRule(fd); id != "" {
		c.report(id, fd, describe(fd))
	}
}

// dynamicRules are the rules by the types that they are about.
var dynamicRules = map[protoreflect.FullName]string{
	wellKnown + ".Struct":    Struct,
	wellKnown + ".Value":     Value,
	wellKnown + ".ListValue": ListValue,
	wellKnown + ".Any":       Any,
}

// DynamicRule returns the ID of the rule that a field falls under by the type of its values, of a
// map those of its entries, or "".
func DynamicRule(fd protoreflect.FieldDescriptor) string {
	if md := valueType(fd); md != nil {
		return dynamicRules[md.FullName()]
	}
	return ""
}

// valueType is the message type of a field's values, or nil.
func valueType(fd protoreflect.FieldDescriptor) protoreflect.MessageDescriptor {
	if fd.IsMap() {
		return fd.MapValue().Message()
	}
	return fd.Message()
}

// describe says what a field is: "field acme.v1.Event.data is a google.protobuf.Struct".
func describe(fd protoreflect.FieldDescriptor) string {
	name, kind := string(fd.FullName()), valueType(fd).FullName()
	switch {
	case fd.IsExtension() && fd.IsList():
		return fmt.Sprintf("extension %s of %s is a list of %s", name, fd.ContainingMessage().FullName(), kind)
	case fd.IsExtension():
		return fmt.Sprintf("extension %s of %s is a %s", name, fd.ContainingMessage().FullName(), kind)
	case fd.IsMap():
		return fmt.Sprintf("map %s has values of type %s", name, kind)
	case fd.IsList():
		return fmt.Sprintf("field %s is a list of %s", name, kind)
	case fd.ContainingOneof() != nil && !fd.ContainingOneof().IsSynthetic():
		return fmt.Sprintf("member %s of oneof %s is a %s", name, fd.ContainingOneof().Name(), kind)
	}
	return fmt.Sprintf("field %s is a %s", name, kind)
}
