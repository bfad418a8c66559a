package jstypes

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// message writes the interface of a message and the namespace of what belongs to it.
func (g *generator) message(n *node) {
	if n.message != nil {
		g.fields(n)
		g.p.linef("")
	}
	g.p.open("namespace %s {", n.name)
	if n.message != nil {
		g.init(n)
		g.object(n)
		g.oneofs(n)
		g.hidden(n)
	}
	if slices.ContainsFunc(n.children, (*node).isType) {
		if n.message != nil {
			g.p.linef("")
		}
		g.types(n)
	}
	g.p.close()
}

// fields writes the interface of a message: its fields as properties, under both of
// their names.
func (g *generator) fields(n *node) {
	self := n.ref(n)
	args := []string{self, self + ".$Init"}
	if hasOneofs(n.message) {
		args = append(args, self+".$Oneofs")
	} else if g.hides(n.message) {
		args = append(args, "{}")
	}
	if g.hides(n.message) {
		args = append(args, self+".$Hidden")
	}
	g.p.doc(n.message)
	g.p.open("interface %s extends $Message<%s> {", n.name, strings.Join(args, ", "))
	g.p.linef("readonly $type: %q;", n.message.FullName())
	for _, f := range g.named(n.message) {
		if f.isHidden() {
			continue
		}
		t := g.typeOf(n, f.FieldDescriptor)
		name := property(f.name)
		g.p.doc(f)
		g.p.linef("get %[1]s(): %[2]s; set %[1]s(value: %[3]s | $Unset);", name, t.read, t.write)
	}
	g.p.linef("toObject(): %s.$Object;", self)
	g.p.close()
}

// init writes what the constructor of a message takes, and how fields are set.
func (g *generator) init(n *node) {
	g.p.open("interface $Init {")
	for _, f := range g.named(n.message) {
		g.p.doc(f)
		t := g.typeOf(n, f.FieldDescriptor).write
		if slices.Contains(objectMembers, f.name) {
			t += fmt.Sprintf(" | $Inherited[%q]", f.name) // that of a plain object that does not set the field
		}
		g.p.linef("%s?: %s | $Unset;", property(f.name), t)
	}
	g.p.close()
}

// object writes what toObject returns.
func (g *generator) object(n *node) {
	g.p.linef("")
	g.p.open("interface $Object {")
	seen := make(map[string]bool) // old schemas may give a name in JSON to several fields
	for i := range n.message.Fields().Len() {
		if fd := n.message.Fields().Get(i); !seen[fd.JSONName()] {
			seen[fd.JSONName()] = true
			g.p.linef("%s?: %s;", property(fd.JSONName()), g.typeOf(n, fd).object)
		}
	}
	for _, xd := range g.extensions[n.message.FullName()] {
		g.p.linef("%s?: %s;", property(extensionName(xd)), g.typeOf(n, xd).object)
	}
	g.p.close()
}

// oneofs writes which members each oneof has.
func (g *generator) oneofs(n *node) {
	if !hasOneofs(n.message) {
		return
	}
	g.p.linef("")
	g.p.open("interface $Oneofs {")
	for i := range n.message.Oneofs().Len() {
		od := n.message.Oneofs().Get(i)
		if od.IsSynthetic() {
			continue
		}
		var members []string
		for j := range od.Fields().Len() {
			members = append(members, fmt.Sprintf("%q", od.Fields().Get(j).Name()))
		}
		g.p.doc(od)
		g.p.linef("%s: %s;", od.Name(), strings.Join(members, " | "))
	}
	g.p.close()
}

func hasOneofs(md protoreflect.MessageDescriptor) bool {
	for i := range md.Oneofs().Len() {
		if !md.Oneofs().Get(i).IsSynthetic() {
			return true
		}
	}
	return false
}

// hidden writes the types of the fields that are no properties.
func (g *generator) hidden(n *node) {
	if !g.hides(n.message) {
		return
	}
	g.p.linef("")
	g.p.open("interface $Hidden {")
	for _, f := range g.named(n.message) {
		if f.isHidden() {
			g.p.linef("%s: %s;", property(f.name), g.typeOf(n, f.FieldDescriptor).read)
		}
	}
	g.p.close()
}

// hides reports whether some fields of a message are no properties.
func (g *generator) hides(md protoreflect.MessageDescriptor) bool {
	return slices.ContainsFunc(g.named(md), namedField.isHidden)
}

// isHidden reports whether only get and set reach the field, and no property: it is
// an extension, or every object has a member of that name.
func (f namedField) isHidden() bool { return f.IsExtension() || slices.Contains(memberNames, f.name) }

// memberNames are the members of messages, and of all objects, that no field hides.
var memberNames = append([]string{
	"$type", "get", "set", "has", "clear", "whichOneof", "clearOneof", "toJSON", "toObject", "then",
	"__proto__", "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__",
}, objectMembers...)

// objectMembers are the members of all objects that TypeScript knows of.
var objectMembers = []string{
	"constructor", "toString", "toLocaleString", "valueOf", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable",
}

// A namedField is a field by one of its names.
type namedField struct {
	protoreflect.FieldDescriptor
	name string
}

// named are the fields of a message by all of their names, extensions last.
func (g *generator) named(md protoreflect.MessageDescriptor) []namedField {
	fields := fieldNames(md)
	for _, xd := range g.extensions[md.FullName()] {
		fields = append(fields, namedField{xd, extensionName(xd)})
	}
	return fields
}

// extensionName is the name by which messages have an extension.
func extensionName(xd protoreflect.ExtensionDescriptor) string {
	return "[" + string(xd.FullName()) + "]"
}

// fieldNames are the declared fields by all of their names. A name in the schema
// wins over another field's name in JSON.
func fieldNames(md protoreflect.MessageDescriptor) []namedField {
	var fields []namedField
	json := make(map[string]bool)
	for i := range md.Fields().Len() {
		fd := md.Fields().Get(i)
		fields = append(fields, namedField{fd, string(fd.Name())})
		name := fd.JSONName()
		if md.Fields().ByName(protoreflect.Name(name)) == nil && !json[name] {
			fields = append(fields, namedField{fd, name})
			json[name] = true
		}
	}
	return fields
}

var identifier = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*$`)

// property quotes a name if it must be.
func property(name string) string {
	if identifier.MatchString(name) {
		return name
	}
	quoted, _ := json.Marshal(name) // which has an error for no string
	return string(quoted)
}
