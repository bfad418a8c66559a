package jstypes

import (
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// enum writes the numbers of an enum as a type, and the namespace of its names and
// of what enumType returns.
func (g *generator) enum(n *node) {
	g.p.doc(n.enum)
	g.p.linef("type %s = %s;", n.name, numbers(n.enum))
	g.p.linef("")
	g.p.open("namespace %s {", n.name)
	values := n.enum.Values()
	names := make([]string, values.Len())
	for i := range names {
		names[i] = fmt.Sprintf("%q", values.Get(i).Name())
	}
	g.p.linef("type $Name = %s;", strings.Join(names, " | "))
	g.p.linef("")
	g.p.open("interface $Type {")
	g.p.linef("readonly [value: number]: $Name | undefined;")
	for i := range values.Len() {
		vd := values.Get(i)
		g.p.doc(vd)
		g.p.linef("readonly %s: %d;", property(string(vd.Name())), vd.Number())
		if values.ByNumber(vd.Number()) == vd {
			g.p.linef("readonly %s: %q;", numberKey(vd.Number()), vd.Name())
		}
	}
	g.p.close()
	g.p.close()
}

// numbers is the type of an enum's numbers: a field of an open enum may have any.
func numbers(ed protoreflect.EnumDescriptor) string {
	if !ed.IsClosed() {
		return "number"
	}
	var list []string
	for i := range ed.Values().Len() {
		list = append(list, fmt.Sprint(ed.Values().Get(i).Number()))
	}
	slices.Sort(list)
	return strings.Join(slices.Compact(list), " | ")
}

// numberKey is a number as the name of a property.
func numberKey(n protoreflect.EnumNumber) string {
	if n < 0 {
		return fmt.Sprintf(`"%d"`, n)
	}
	return fmt.Sprint(n)
}
