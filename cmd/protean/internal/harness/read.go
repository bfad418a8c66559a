package harness

import (
	"strings"

	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/cmd/protean/internal/visit"
)

const (
	readSuffix   = "_read.pb.go"
	visitPackage = protogen.GoImportPath(commandModule + "/internal/visit")
)

// generateRead writes, for each message of a file, the method that reads all its fields by
// their getters; see package visit.
func generateRead(plugin *protogen.Plugin, f *protogen.File) {
	g := plugin.NewGeneratedFile(f.GeneratedFilenamePrefix+readSuffix, f.GoImportPath)
	g.P(strings.TrimSpace(header))
	g.P()
	g.P("package ", f.GoPackageName)
	for _, m := range f.Messages {
		readMessage(g, m)
	}
}

func readMessage(g *protogen.GeneratedFile, m *protogen.Message) {
	if m.Desc.IsMapEntry() {
		return
	}
	g.P()
	g.P("func (x *", m.GoIdent, ") ", visit.Method, "() (n uint64) {")
	for _, f := range m.Fields {
		readField(g, f)
	}
	if m.Desc.ExtensionRanges().Len() > 0 {
		g.P("n += ", visitPackage.Ident("Extensions"), "(x)")
	}
	g.P("return n")
	g.P("}")
	for _, inside := range m.Messages {
		readMessage(g, inside)
	}
}

func readField(g *protogen.GeneratedFile, f *protogen.Field) {
	name, _ := f.MethodName("Get")
	get := "x." + name + "()"
	switch {
	case f.Desc.IsMap():
		g.P("for k, v := range ", get, " {")
		readValue(g, f.Message.Fields[0], "k")
		readValue(g, f.Message.Fields[1], "v")
		g.P("}")
	case f.Desc.IsList():
		g.P("for _, v := range ", get, " {")
		readValue(g, f, "v")
		g.P("}")
	case f.Message != nil:
		g.P("if v := ", get, "; v != nil {")
		readValue(g, f, "v")
		g.P("}")
	default:
		readValue(g, f, get)
	}
}

// readValue reads a single value, which is not nil.
func readValue(g *protogen.GeneratedFile, f *protogen.Field, v string) {
	switch f.Desc.Kind() {
	case protoreflect.MessageKind, protoreflect.GroupKind:
		if linked(f.Message.Desc.ParentFile().Path()) {
			g.P("n += ", visitPackage.Ident("Message"), "(", v, ")")
		} else {
			g.P("n += ", v, ".", visit.Method, "()")
		}
	case protoreflect.BoolKind:
		g.P("n += ", visitPackage.Ident("Bool"), "(", v, ")")
	case protoreflect.StringKind, protoreflect.BytesKind:
		g.P("n += uint64(len(", v, "))")
	case protoreflect.FloatKind, protoreflect.DoubleKind:
		g.P("n += uint64(int64(", v, "))")
	default:
		g.P("n += uint64(", v, ")")
	}
}
