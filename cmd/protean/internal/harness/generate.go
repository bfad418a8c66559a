// Package harness turns a suite into one program that can time it: it generates
// the code that the variants need for the schema, builds it with the user's Go
// toolchain in a cache folder, and runs it.
package harness

import (
	"fmt"
	"go/token"
	"path"
	"slices"
	"strings"

	"github.com/planetscale/vtprotobuf/generator"
	gengo "google.golang.org/protobuf/cmd/protoc-gen-go/internal_gengo"
	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"

	// The features of vtprotobuf's generator register themselves.
	_ "github.com/planetscale/vtprotobuf/features/marshal"
	_ "github.com/planetscale/vtprotobuf/features/size"
	_ "github.com/planetscale/vtprotobuf/features/unmarshal"

	// The well-known types are linked, not generated.
	_ "google.golang.org/protobuf/types/known/anypb"
	_ "google.golang.org/protobuf/types/known/apipb"
	_ "google.golang.org/protobuf/types/known/durationpb"
	_ "google.golang.org/protobuf/types/known/emptypb"
	_ "google.golang.org/protobuf/types/known/fieldmaskpb"
	_ "google.golang.org/protobuf/types/known/sourcecontextpb"
	_ "google.golang.org/protobuf/types/known/structpb"
	_ "google.golang.org/protobuf/types/known/timestamppb"
	_ "google.golang.org/protobuf/types/known/typepb"
	_ "google.golang.org/protobuf/types/known/wrapperspb"
)

// linked reports whether the official library already holds the file.
func linked(file string) bool {
	_, err := protoregistry.GlobalFiles.FindFileByPath(file)
	return err == nil && strings.HasPrefix(file, "google/protobuf/")
}

// A generation is the generated code of one schema.
type generation struct {
	files map[string]string // path below the program's folder -> text
	// ident gives the Go type of a message.
	ident map[protoreflect.FullName]protogen.GoIdent
	// noVT says why vtprotobuf's methods are missing; empty if they are there.
	noVT string
	// v1 is the library of the second generator; empty for none.
	v1   string
	set  *descriptorpb.FileDescriptorSet
	main mainData
}

// generateMessages generates the Go packages of the files of a schema, below the
// import path module. Files that the official library holds are left out.
func generateMessages(set *descriptorpb.FileDescriptorSet, module string, vt bool) (*generation, error) {
	g := &generation{files: map[string]string{}, ident: map[protoreflect.FullName]protogen.GoIdent{}, set: set}
	req := request(set, module)
	plugin, err := protogen.Options{}.New(req)
	if err != nil {
		return nil, err
	}
	for _, f := range plugin.Files {
		g.addIdents(f.Messages)
		if f.Generate {
			gengo.GenerateFile(plugin, f)
			generateRead(plugin, f)
		}
	}
	if err := g.collect(plugin); err != nil {
		return nil, err
	}
	if vt {
		g.noVT = g.generateVT(req)
	} else {
		g.noVT = "this program is without them"
	}
	return g, nil
}

func (g *generation) addIdents(ms []*protogen.Message) {
	for _, m := range ms {
		g.ident[m.Desc.FullName()] = m.GoIdent
		g.addIdents(m.Messages)
	}
}

// collect takes over what a plugin generated.
func (g *generation) collect(plugin *protogen.Plugin) error {
	resp := plugin.Response()
	if resp.Error != nil {
		return fmt.Errorf("%s", resp.GetError())
	}
	for _, f := range resp.GetFile() {
		g.files[compiledName(f.GetName())] = f.GetContent()
	}
	return nil
}

// generateVT adds vtprotobuf's methods, or says why it cannot.
func (g *generation) generateVT(req *pluginpb.CodeGeneratorRequest) (why string) {
	defer func() {
		if p := recover(); p != nil {
			why = fmt.Sprintf("the vtprotobuf generator panics: %v", p)
		}
	}()
	plugin, err := protogen.Options{}.New(req)
	if err != nil {
		return err.Error()
	}
	for _, f := range plugin.Files {
		if f.Generate && f.Proto.GetSyntax() == "editions" &&
			generator.SupportedFeatures&uint64(pluginpb.CodeGeneratorResponse_FEATURE_SUPPORTS_EDITIONS) == 0 {
			return fmt.Sprintf("the vtprotobuf generator does not support editions (%s)", f.Desc.Path())
		}
	}
	gen, err := generator.NewGenerator(plugin, []string{"marshal", "size", "unmarshal", "unmarshal_unsafe"},
		&generator.Config{AllowEmpty: true})
	if err != nil {
		return err.Error()
	}
	gen.Generate()
	if err := g.collect(plugin); err != nil {
		return err.Error()
	}
	return ""
}

const vtSuffix = "_vtproto.pb.go"

// request returns the request for all files that are not linked, with Go packages below module whatever the files
// themselves say. Its parameters give each import path a package name: otherwise the generator takes the name from
// go_package, which may differ between the files of one Protobuf package.
func request(set *descriptorpb.FileDescriptorSet, module string) *pluginpb.CodeGeneratorRequest {
	req := &pluginpb.CodeGeneratorRequest{ProtoFile: set.File}
	params := []string{"module=" + module}
	for file, pkg := range goPackages(set) {
		params = append(params, fmt.Sprintf("M%s=%s/%s;%s", file, module, pkg, path.Base(pkg)))
		req.FileToGenerate = append(req.FileToGenerate, file)
	}
	slices.Sort(params)
	slices.Sort(req.FileToGenerate)
	req.Parameter = proto.String(strings.Join(params, ","))
	return req
}

// goPackages gives each file to generate a folder: one for each Protobuf package, or, if these packages would import
// one another in a cycle, one for each file.
func goPackages(set *descriptorpb.FileDescriptorSet) map[string]string {
	byPackage := map[string]string{}
	byFile := map[string]string{}
	for _, f := range set.File {
		if !linked(f.GetName()) {
			byPackage[f.GetName()] = "pb/pb_" + goName(f.GetPackage())
			byFile[f.GetName()] = "pb/file_" + goName(f.GetName())
		}
	}
	if circular(set, byPackage) {
		return byFile
	}
	return byPackage
}

// goName turns a name into one that a Go package can have.
func goName(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '_'
	}, s)
	return strings.ToLower(s)
}

// circular reports whether the Go packages import one another in a cycle.
func circular(set *descriptorpb.FileDescriptorSet, pkg map[string]string) bool {
	imports := map[string][]string{}
	for _, f := range set.File {
		for _, dep := range f.GetDependency() {
			if from, to := pkg[f.GetName()], pkg[dep]; from != "" && to != "" && from != to {
				imports[from] = append(imports[from], to)
			}
		}
	}
	const visiting, done = 1, 2
	state := map[string]int{}
	var visit func(string) bool
	visit = func(p string) bool {
		state[p] = visiting
		for _, q := range imports[p] {
			if state[q] == visiting || state[q] == 0 && visit(q) {
				return true
			}
		}
		state[p] = done
		return false
	}
	for p := range imports {
		if state[p] == 0 && visit(p) {
			return true
		}
	}
	return false
}

// GenerateGo returns the Go code of the messages of one file of set, as the
// official generator writes it for its own go_package. The lab's own messages are
// made by it.
func GenerateGo(set *descriptorpb.FileDescriptorSet, file string) ([]byte, error) {
	plugin, err := protogen.Options{}.New(&pluginpb.CodeGeneratorRequest{ProtoFile: set.File,
		FileToGenerate: []string{file}})
	if err != nil {
		return nil, err
	}
	text, err := gengo.GenerateFile(plugin, plugin.FilesByPath[file]).Content()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return text, nil
}

// importName returns the package name of an import path of generated code.
func importName(p protogen.GoImportPath) string {
	name := path.Base(string(p))
	if !token.IsIdentifier(name) {
		return goName(name)
	}
	return name
}
