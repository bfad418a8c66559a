package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/pluginpb"
)

// plugins are the generators of the frameworks' code, tools of this module.
var plugins = []string{"protoc-gen-go-grpc", "protoc-gen-connect-go", "protoc-gen-grpc-gateway"}

// service generates what lies in examples/service/internal/eventpb: messages, and the code of all frameworks.
func service(root string) (map[string][]byte, error) {
	dir := filepath.Join(root, "examples/service/event")
	files, err := compile(dir, "protean/examples/event/v1/")
	if err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	g := generation{files: files, module: module + "/examples/service/internal/eventpb", apiLevel: "API_OPEN",
		flat: true}
	if err := g.generate(out); err != nil {
		return nil, err
	}
	parameters := map[string]string{
		"protoc-gen-grpc-gateway": "grpc_api_configuration=" + filepath.Join(dir, "http.yaml"),
	}
	for _, plugin := range plugins {
		if err := g.runPlugin(plugin, parameters[plugin], out); err != nil {
			return nil, fmt.Errorf("%s: %w", plugin, err)
		}
	}
	return out, nil
}

// runPlugin adds the files that a generator which is a program writes. It gets one more parameter, unless that is
// empty.
func (g *generation) runPlugin(name, parameter string, out map[string][]byte) error {
	req := g.request()
	if parameter != "" {
		req.Parameter = proto.String(req.GetParameter() + "," + parameter)
	}
	b, err := proto.Marshal(req)
	if err != nil {
		return err
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.Command("go", "tool", name)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(b), &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%w: %s", err, bytes.TrimSpace(stderr.Bytes()))
	}
	resp := new(pluginpb.CodeGeneratorResponse)
	if err := proto.Unmarshal(stdout.Bytes(), resp); err != nil {
		return err
	}
	if resp.Error != nil {
		return fmt.Errorf("%s", resp.GetError())
	}
	for _, f := range resp.File {
		out[f.GetName()] = []byte(f.GetContent())
	}
	return nil
}
