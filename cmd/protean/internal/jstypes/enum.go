package jstypes

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// enum writes the type of an enum's fields, and the namespace of its names and of
// what enumType returns. Fields, even those of closed enums, may hold any number
// that came over the wire, as they do in Go.
func (g *generator) enum(n *node) {
	g.p.doc(n.enum)
	g.p.linef("type %s = number;", n.name)
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

// numberKey is a number as the name of a property.
func numberKey(n protoreflect.EnumNumber) string {
	if n < 0 {
		return fmt.Sprintf(`"%d"`, n)
	}
	return fmt.Sprint(n)
}
