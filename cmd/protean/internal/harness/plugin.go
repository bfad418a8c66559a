package harness

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"

	"github.com/protean-pb/protean/cmd/protean/internal/suite"
	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

// v1Folder is the folder of a program that holds the messages of a second generator.
const v1Folder = "v1"

// A plugin is the generator of a library of APIv1, with its own message types. It runs as a process, as under protoc,
// since it exits on a schema that it does not support.
type plugin struct {
	library  string // as people call it
	module   string
	pkg      string // of the plugin
	packages map[string]string
}

// plugins are the second generators that a program may have one of. Their packages are
// those of the files that their libraries hold.
var plugins = map[variant.Code]*plugin{
	variant.GogoCode: {
		library: "gogo/protobuf", module: "github.com/gogo/protobuf",
		pkg: "github.com/gogo/protobuf/protoc-gen-gogofast",
		packages: map[string]string{
			"any": "types", "api": "types", "duration": "types", "empty": "types", "field_mask": "types",
			"source_context": "types",
			"struct":         "types", "timestamp": "types", "type": "types", "wrappers": "types",
			"descriptor": "protoc-gen-gogo/descriptor",
		},
	},
	variant.GolangCode: {
		library: "golang/protobuf 1.3.5", module: golangModule, pkg: golangModule + "/protoc-gen-go",
		packages: map[string]string{
			"any": "ptypes/any", "duration": "ptypes/duration", "empty": "ptypes/empty",
			"struct":    "ptypes/struct;structpb",
			"timestamp": "ptypes/timestamp", "wrappers": "ptypes/wrappers", "descriptor": "protoc-gen-go/descriptor",
		},
	},
}

// second returns the code among the needs that a second generator makes, or NoCode. There
// is one at most.
func second(needs []variant.Code) variant.Code {
	for _, code := range needs {
		if plugins[code] != nil {
			return code
		}
	}
	return variant.NoCode
}

// golangModule is the module that programs have in two versions. The older one is in no
// go.mod of this repository, so its sums are here.
const (
	golangModule = "github.com/golang/protobuf"
	golangSums   = golangModule + " v1.3.5 h1:F768QJ1E9tib+q5Sc8MkdJi1RxLTbRcTf8LJV56aRls=\n" +
		golangModule + " v1.3.5/go.mod h1:6O5/vntMXwX2lRkT1hjjk0nAC1IDOTvTlVgjlRvqsdk=\n"
)

// build returns the path of the plugin's program, which is built in the cache folder on
// first use.
func (p *plugin) build(ctx context.Context, goTool, goVersion, version, goSum string) (string, error) {
	cache, err := cacheDir()
	if err != nil {
		return "", err
	}
	g := &generation{files: map[string]string{
		"go.mod": fmt.Sprintf("module plugin\n\ngo 1.26\n\nrequire %s %s\n", p.module, version),
		"go.sum": goSum,
	}}
	dir := filepath.Join(cache, g.key(&Module{}, goVersion+" "+p.pkg))
	binary := filepath.Join(dir, binaryName)
	if _, err := os.Stat(binary); err == nil {
		use(dir)
		return binary, nil
	}
	if err := g.write(dir); err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, goTool, "build", "-mod=mod", "-o", binaryName, p.pkg)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		if err := interrupted(ctx, err); err != nil {
			return "", err
		}
		return "", buildError(string(out), err)
	}
	return binary, nil
}

// refuses says why the plugin cannot serve a schema, or "".
func (p *plugin) refuses(set *descriptorpb.FileDescriptorSet) string {
	for _, f := range set.File {
		name := f.GetName()
		switch {
		case linked(name) && p.packages[standardName(name)] == "":
			return fmt.Sprintf("%s has no Go package for %s", p.library, name)
		case linked(name):
		case f.GetSyntax() == "editions":
			return fmt.Sprintf("the generator of %s does not support editions (%s)", p.library, name)
		case slices.ContainsFunc(f.MessageType, hasOptional):
			return fmt.Sprintf("the generator of %s does not support optional fields in proto3 (%s)", p.library, name)
		}
	}
	return ""
}

// standardName is "any" for "google/protobuf/any.proto".
func standardName(file string) string { return strings.TrimSuffix(path.Base(file), ".proto") }

func hasOptional(m *descriptorpb.DescriptorProto) bool {
	return slices.ContainsFunc(m.Field, (*descriptorpb.FieldDescriptorProto).GetProto3Optional) ||
		slices.ContainsFunc(m.NestedType, hasOptional)
}

// generate adds the Go packages that the plugin makes of a schema, below v1Folder. Where
// it cannot, why says so.
func (p *plugin) generate(ctx context.Context, binary string, set *descriptorpb.FileDescriptorSet,
	g *generation) (why string, err error) {
	files, byPackage := p.place(set)
	for _, names := range byPackage { // such a plugin takes one Go package at a time
		resp, why, err := p.run(ctx, binary, &pluginpb.CodeGeneratorRequest{ProtoFile: files, FileToGenerate: names})
		if why != "" || err != nil {
			return why, err
		}
		for _, f := range resp.GetFile() {
			g.files[compiledName(strings.TrimPrefix(f.GetName(), modulePath+"/"))] = f.GetContent()
		}
	}
	return "", nil
}

// place returns the files of a schema with the Go packages that they are to have, and the
// names of those to generate, a list a package.
func (p *plugin) place(set *descriptorpb.FileDescriptorSet) (files []*descriptorpb.FileDescriptorProto,
	byPackage map[string][]string) {
	packages := goPackages(set)
	byPackage = map[string][]string{}
	for _, f := range set.File {
		f = proto.CloneOf(f)
		pkg := p.module + "/" + p.packages[standardName(f.GetName())]
		if !linked(f.GetName()) {
			pkg = modulePath + "/" + v1Package(packages[f.GetName()])
			byPackage[pkg] = append(byPackage[pkg], f.GetName())
		}
		if f.Options == nil {
			f.Options = new(descriptorpb.FileOptions)
		}
		f.Options.GoPackage = &pkg
		files = append(files, f)
	}
	return files, byPackage
}

// v1Package is the folder of the second generator's package, given that of the official
// one's.
func v1Package(pkg string) string { return v1Folder + "/" + path.Base(pkg) }

// run asks the plugin once. What it says on standard error when it fails is why.
func (p *plugin) run(ctx context.Context, binary string,
	req *pluginpb.CodeGeneratorRequest) (resp *pluginpb.CodeGeneratorResponse, why string, err error) {
	in, err := proto.Marshal(req)
	if err != nil {
		return nil, "", err
	}
	var out, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, binary)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), &out, &stderr
	if err := cmd.Run(); err != nil {
		if err := interrupted(ctx, err); err != nil {
			return nil, "", err
		}
		return nil, fmt.Sprintf("the generator of %s fails: %s", p.library,
			firstLine(stderr.String()+"\n"+err.Error())), nil
	}
	resp = new(pluginpb.CodeGeneratorResponse)
	if err := proto.Unmarshal(out.Bytes(), resp); err != nil {
		return nil, "", fmt.Errorf("the generator of %s: %w", p.library, err)
	}
	if resp.Error != nil {
		return nil, fmt.Sprintf("the generator of %s: %s", p.library, resp.GetError()), nil
	}
	return resp, "", nil
}

// addV1 generates the messages of the second generator that the code stands for, or notes
// why there are none.
func (g *generation) addV1(ctx context.Context, goTool, goVersion string, s *suite.Suite, m *Module,
	code variant.Code) error {
	p := plugins[code]
	if p == nil {
		return nil
	}
	g.v1 = p.library
	why := p.refuses(g.set)
	if why == "" {
		version := code.Version()
		if version == "" {
			version = m.Holding(p.module).Version
		}
		binary, err := p.build(ctx, goTool, goVersion, version, m.goSum(code))
		if err != nil {
			return err
		}
		if why, err = p.generate(ctx, binary, g.set, g); err != nil {
			return err
		}
	}
	return g.linkV1(s, why)
}
