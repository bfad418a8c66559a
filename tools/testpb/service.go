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
var plugins = []string{"protoc-gen-go-grpc", "protoc-gen-connect-go"}

// service generates what lies in examples/service/internal/eventpb: messages, and the code of both frameworks.
func service(root string) (map[string][]byte, error) {
	files, err := compile(filepath.Join(root, "examples/service/event"), "protean/examples/event/v1/")
	if err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	g := generation{files: files, module: module + "/examples/service/internal/eventpb", apiLevel: "API_OPEN",
		flat: true}
	if err := g.generate(out); err != nil {
		return nil, err
	}
	for _, plugin := range plugins {
		if err := g.runPlugin(plugin, out); err != nil {
			return nil, fmt.Errorf("%s: %w", plugin, err)
		}
	}
	return out, nil
}

// runPlugin adds the files that a generator which is a program writes.
func (g *generation) runPlugin(name string, out map[string][]byte) error {
	b, err := proto.Marshal(g.request())
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
