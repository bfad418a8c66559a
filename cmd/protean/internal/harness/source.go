package harness

import (
	"bytes"
	"fmt"
	"go/format"
	"maps"
	"path"
	"slices"
	"strings"
	"text/template"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/cmd/protean/internal/gostruct"
	"github.com/protean-pb/protean/cmd/protean/internal/native"
	"github.com/protean-pb/protean/cmd/protean/internal/result"
	"github.com/protean-pb/protean/cmd/protean/internal/suite"
	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

// modulePath is the module of generated programs. It lies below the command's
// own path so that a program may import the lab's internal packages.
const modulePath = "github.com/protean-pb/protean/cmd/protean/internal/program"

// The packages that only some programs link: the engine for scripts, and the libraries of the program apart.
const (
	scriptPackage = commandModule + "/internal/script"
	apartPackage  = commandModule + "/internal/apart"
)

// generate writes the source of the program for a suite: the messages, and a main package
// that hands them to the runner. It has an engine for scripts where one is needed, and
// vtprotobuf's methods and plain structs unless it is that of a library in a version of
// its own.
func generate(s *suite.Suite, needs []variant.Code) (*generation, error) {
	full, scripts := second(needs).Version() == "", slices.Contains(needs, variant.ScriptCode)
	var messages, inside []protoreflect.MessageDescriptor
	for _, p := range s.Payloads {
		messages = append(messages, p.Message)
		found, err := packedMessages(s.Schema, p)
		if err != nil {
			return nil, err
		}
		inside = append(inside, found...)
	}
	g, err := generateMessages(s.Schema.ReachedSet(append(inside, messages...)...), modulePath, full)
	if err != nil {
		return nil, fmt.Errorf("cannot generate Go code: %w", err)
	}
	var structs map[protoreflect.FullName]string
	if full {
		var text []byte
		if text, structs, err = gostruct.Generate("structs", messages); err != nil {
			return nil, err
		}
		g.files["structs/structs.go"] = string(text)
		if text, err = gostruct.GenerateRead("structs", string(visitPackage), messages); err != nil {
			return nil, err
		}
		g.files["structs/read.go"] = string(text)
	}
	g.main = mainData{packages: map[string]string{}, Benchmark: result.SuiteName(s.Name), Scripts: scripts,
		Apart: slices.Contains(needs, variant.ApartCode)}
	if scripts {
		g.main.packages[scriptPackage] = "script"
	}
	if g.main.Apart {
		g.main.packages[apartPackage] = "apart"
	}
	seen := map[string]bool{}
	for _, p := range s.Payloads {
		if key := TypeKey(p); !seen[key] {
			seen[key] = true
			g.main.addType(g, p, structs)
		}
	}
	g.main.addRest(g.files)
	return g, g.writeMain()
}

// TypeKey names the message type of a payload among the program's types.
func TypeKey(p *suite.Payload) string {
	if p.Rows == nil {
		return string(p.Message.FullName())
	}
	return string(p.Message.FullName()) + "#" + string(p.Rows.Name())
}

// packed are the types of messages that Any fields hold.
type packed map[protoreflect.FullName]protoreflect.MessageDescriptor

// packedMessages returns the types of what the samples' Any fields hold: nothing in the
// schema points to them.
func packedMessages(s *suite.Schema, p *suite.Payload) ([]protoreflect.MessageDescriptor, error) {
	found := packed{}
	for _, sample := range p.Samples {
		m := dynamicpb.NewMessage(p.Message)
		if err := (proto.UnmarshalOptions{Resolver: s.Types()}).Unmarshal(sample.Wire, m); err != nil {
			return nil, fmt.Errorf("%s: %w", sample.Source, err)
		}
		findPacked(s, m, found)
	}
	return slices.Collect(maps.Values(found)), nil
}

// findPacked adds the types of the messages that Any messages inside m hold. What
// the schema does not know stays packed.
func findPacked(s *suite.Schema, m protoreflect.Message, found packed) {
	if md := m.Descriptor(); md.FullName() == "google.protobuf.Any" {
		url := m.Get(md.Fields().ByNumber(1)).String()
		mt, err := s.Types().FindMessageByURL(url)
		if err != nil {
			return
		}
		found[mt.Descriptor().FullName()] = mt.Descriptor()
		inside := mt.New()
		if (proto.UnmarshalOptions{Resolver: s.Types()}).Unmarshal(m.Get(md.Fields().ByNumber(2)).Bytes(),
			inside.Interface()) == nil {
			findPacked(s, inside, found)
		}
		return
	}
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.IsMap() && f.MapValue().Message() != nil:
			v.Map().Range(func(_ protoreflect.MapKey, v protoreflect.Value) bool {
				findPacked(s, v.Message(), found)
				return true
			})
		case f.IsMap() || f.Message() == nil:
		case f.IsList():
			for i := range v.List().Len() {
				findPacked(s, v.List().Get(i).Message(), found)
			}
		default:
			findPacked(s, v.Message(), found)
		}
		return true
	})
}

// mainData is what the program's own files are made from.
type mainData struct {
	packages  map[string]string // import path -> name in the file
	Benchmark string            // name of the suite as a benchmark
	Scripts   bool              // the program has an engine for scripts
	Apart     bool              // it has the libraries of the program apart
	Types     []typeData
}

type typeData struct {
	Key, Message, Row, Struct, Rows string
	HasStruct, VT                   bool
	NoVT                            string
	V1, NoV1                        string
}

func (d *mainData) addType(g *generation, p *suite.Payload, structs map[protoreflect.FullName]string) {
	t := typeData{Key: TypeKey(p), Message: d.goType(g, p.Message), NoVT: g.noVT}
	t.VT = g.noVT == "" && !linked(p.Message.ParentFile().Path())
	if g.noVT == "" && !t.VT {
		t.NoVT = fmt.Sprintf("vtprotobuf has no methods for %s", p.Message.FullName())
	}
	element := p.Message
	if p.Rows != nil {
		t.Rows = string(p.Rows.Name())
		t.Row = d.goType(g, p.Rows.Message())
		element = p.Rows.Message()
	}
	if name := structs[element.FullName()]; name != "" && !native.IsWellKnown(element) {
		t.HasStruct = true
		t.Struct = "structs." + name
		if p.Rows != nil {
			t.Struct = "[]" + t.Struct
		}
		d.packages[modulePath+"/structs"] = "structs"
	}
	d.Types = append(d.Types, t)
}

// goType returns the Go name of a message, and notes the import that it needs.
func (d *mainData) goType(g *generation, md protoreflect.MessageDescriptor) string {
	id := g.ident[md.FullName()]
	pkg := string(id.GoImportPath)
	if d.packages[pkg] == "" {
		d.packages[pkg] = importName(id.GoImportPath)
	}
	return d.packages[pkg] + "." + id.GoName
}

// addRest imports the generated packages that no type names, for the types that
// they register: what Any fields hold is looked up there.
func (d *mainData) addRest(files map[string]string) {
	for name := range files {
		if pkg := modulePath + "/" + path.Dir(name); strings.HasSuffix(name, ".pb.go") && d.packages[pkg] == "" {
			d.packages[pkg] = "_"
		}
	}
}

// Imports lists the packages in order.
func (d *mainData) Imports() []string {
	var lines []string
	for pkg, name := range d.packages {
		lines = append(lines, fmt.Sprintf("%s %q", name, pkg))
	}
	slices.Sort(lines)
	return lines
}

// writeMain writes the program's own package, once the types are known.
func (g *generation) writeMain() error {
	for name, tmpl := range map[string]*template.Template{"types.go": typesFile, "program_test.go": programFile} {
		var b bytes.Buffer
		if err := tmpl.Execute(&b, &g.main); err != nil {
			return err
		}
		text, err := format.Source(b.Bytes())
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		g.files[name] = string(text)
	}
	return nil
}

// withoutVT makes the program do without vtprotobuf's methods.
func (g *generation) withoutVT(why string) error {
	for name := range g.files {
		if strings.HasSuffix(name, vtSuffix) {
			delete(g.files, name)
		}
	}
	g.noVT = why
	for i := range g.main.Types {
		g.main.Types[i].VT, g.main.Types[i].NoVT = false, why
	}
	return g.writeMain()
}

// linkV1 hands the messages of the second generator to the runner, or the reason why
// there are none.
func (g *generation) linkV1(s *suite.Suite, why string) error {
	if why != "" {
		return g.withoutV1(why)
	}
	for i := range g.main.Types {
		t := &g.main.Types[i]
		at := slices.IndexFunc(s.Payloads, func(p *suite.Payload) bool { return TypeKey(p) == t.Key })
		md := s.Payloads[at].Message
		if linked(md.ParentFile().Path()) {
			t.NoV1 = fmt.Sprintf("%s has no message of its own for %s", g.v1, md.FullName())
			continue
		}
		id := g.ident[md.FullName()]
		pkg := v1Package(string(id.GoImportPath))
		name := "v1_" + path.Base(pkg)
		g.main.packages[modulePath+"/"+pkg] = name
		t.V1 = name + "." + id.GoName
	}
	g.main.addRest(g.files)
	return g.writeMain()
}

// withoutV1 makes the program do without the messages of the second generator.
func (g *generation) withoutV1(why string) error {
	maps.DeleteFunc(g.files, func(name, _ string) bool { return strings.HasPrefix(name, v1Folder+"/") })
	maps.DeleteFunc(g.main.packages,
		func(pkg, _ string) bool { return strings.HasPrefix(pkg, modulePath+"/"+v1Folder+"/") })
	for i := range g.main.Types {
		g.main.Types[i].V1, g.main.Types[i].NoV1 = "", why
	}
	return g.writeMain()
}

const header = "// Code generated by protean. DO NOT EDIT.\n\n"

var typesFile = template.Must(template.New("types.go").Parse(header + `
// Package program times serialization strategies on one schema.
package program

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/protoadapt"

	"github.com/protean-pb/protean/cmd/protean/internal/runner"
	"github.com/protean-pb/protean/cmd/protean/internal/variant"

{{range .Imports}}	{{.}}
{{end}})

var types = runner.Types{
{{- range .Types}}
	{{printf "%q" .Key}}: {
		New: func() proto.Message { return new({{.Message}}) },
{{- if .VT}}
		NewVT: func() variant.VTMessage { return new({{.Message}}) },
{{- else}}
		NoVT: {{printf "%q" .NoVT}},
{{- end}}
{{- if .V1}}
		NewV1: func() protoadapt.MessageV1 { return new({{.V1}}) },
{{- else if .NoV1}}
		NoV1: {{printf "%q" .NoV1}},
{{- end}}
{{- if .HasStruct}}
		NewStruct: func() any { return new({{.Struct}}) },
{{- end}}
{{- if .Rows}}
		Rows: {{printf "%q" .Rows}},
		NewRow: func() proto.Message { return new({{.Row}}) },
{{- end}}
{{- if $.Scripts}}
		OpenScript: script.Open,
{{- end}}
{{- if $.Apart}}
		Libraries: apart.Libraries(),
{{- end}}
	},
{{- end}}
}

// Neither vtprotobuf nor a second generator may serve this schema.
var (
	_ variant.VTMessage
	_ protoadapt.MessageV1
)
`))

// programFile makes the program a test binary: go test -bench runs the same machine
// code as the lab then. Two builds of the same source may differ by several per cent.
var programFile = template.Must(template.New("program_test.go").Parse(header + `
package program

import (
	"testing"

	"github.com/protean-pb/protean/cmd/protean/internal/runner"
)

func TestMain(m *testing.M) { runner.TestMain(m, types) }

// Benchmark{{.Benchmark}} runs the cells of run.json under go test -bench.
func Benchmark{{.Benchmark}}(b *testing.B) { runner.Benchmark(b, types, "run.json") }
`))
