// Command protoc-gen-protean-lint is a plugin of protoc that checks the files to generate by the
// rules of package schema and writes none: protoc --protean-lint_out=. FILE.proto
//
// Findings go to protoc as the plugin's error, a line each, so that protoc ends with exit code 1.
// The option except=ID leaves a rule out, and may be repeated:
// --protean-lint_opt=except=PROTEAN_ANY,except=PROTEAN_RECURSIVE
package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"

	"github.com/protean-pb/protean/lint/schema"
)

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "protoc-gen-protean-lint: %v\n", err)
		os.Exit(1)
	}
}

// run answers one request of protoc. The error is about the request itself, and not about the
// files in it.
func run(stdin io.Reader, stdout io.Writer) error {
	in, err := io.ReadAll(stdin)
	if err != nil {
		return err
	}
	request := new(pluginpb.CodeGeneratorRequest)
	if err := proto.Unmarshal(in, request); err != nil {
		return fmt.Errorf("standard input is no request of protoc: %w", err)
	}
	out, err := proto.Marshal(respond(request))
	if err != nil {
		return err
	}
	_, err = stdout.Write(out)
	return err
}

// respond lists the findings as the error that protoc shows.
func respond(request *pluginpb.CodeGeneratorRequest) *pluginpb.CodeGeneratorResponse {
	response := &pluginpb.CodeGeneratorResponse{
		SupportedFeatures: proto.Uint64(uint64(pluginpb.CodeGeneratorResponse_FEATURE_PROTO3_OPTIONAL |
			pluginpb.CodeGeneratorResponse_FEATURE_SUPPORTS_EDITIONS)),
		MinimumEdition: proto.Int32(int32(descriptorpb.Edition_EDITION_PROTO2)),
		MaximumEdition: proto.Int32(int32(descriptorpb.Edition_EDITION_2024)),
	}
	switch lines, err := lint(request); {
	case err != nil:
		response.Error = proto.String(err.Error())
	case len(lines) > 0:
		// protoc puts the name of the plugin in front of the first line.
		response.Error = proto.String(fmt.Sprintf("%d found\n%s", len(lines), strings.Join(lines, "\n")))
	}
	return response
}

// lint returns the findings in the files to generate, a line each.
func lint(request *pluginpb.CodeGeneratorRequest) ([]string, error) {
	except, err := parameters(request.GetParameter())
	if err != nil {
		return nil, err
	}
	all, err := protodesc.NewFiles(&descriptorpb.FileDescriptorSet{File: request.GetProtoFile()})
	if err != nil {
		return nil, err
	}
	var files []protoreflect.FileDescriptor
	for _, path := range request.GetFileToGenerate() {
		file, err := all.FindFileByPath(path)
		if err != nil {
			return nil, fmt.Errorf("%s is to be checked and not in the request", path)
		}
		files = append(files, file)
	}
	var lines []string
	for _, f := range schema.Check(files, schema.Options{BufIgnores: true}) {
		if !except[f.Rule.ID] {
			lines = append(lines, f.String())
		}
	}
	return lines, nil
}

// parameters reads the plugin's options: the rules that are left out.
func parameters(text string) (map[string]bool, error) {
	except := make(map[string]bool)
	for option := range strings.SplitSeq(text, ",") {
		key, id, _ := strings.Cut(option, "=")
		switch _, known := schema.RuleByID(id); {
		case option == "":
		case key != "except":
			return nil, fmt.Errorf("unknown option %q; there is except=ID", option)
		case !known:
			return nil, fmt.Errorf("option %q: there is no rule %s", option, id)
		default:
			except[id] = true
		}
	}
	return except, nil
}
