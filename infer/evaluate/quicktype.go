package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/protean-pb/protean/records"
)

// beside is the release of quicktype that the tables have.
const beside = "quicktype@26.0.0"

// quicktypes prints what quicktype, which npx runs, makes of documents, for a list of files with commas between them:
// the index.json of octokit, whose payloads it takes as one array, or JSON files.
func quicktypes(paths string) error {
	if _, err := exec.LookPath("npx"); err != nil {
		fmt.Println("\nquicktype is left out: there is no npx")
		return nil
	}
	fmt.Print("\n| corpus | " + beside + ": types | of these unions | maps |\n|---|--:|--:|--:|\n")
	for _, path := range strings.Split(paths, ",") {
		name, _, _ := strings.Cut(filepath.Base(path), ".")
		text, err := document(path)
		if name == "index" {
			name = "octokit"
		}
		if err != nil {
			return err
		}
		types, err := quicktype(text)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		fmt.Printf("| %s | %d | %d | %d |\n", name, count(types, `(?m)^export (interface|type|enum) `),
			count(types, `(?m)^export type `), count(types, `\[key: string\]`))
	}
	return nil
}

func count(text []byte, pattern string) int {
	return len(regexp.MustCompile(pattern).FindAll(text, -1))
}

// document is a JSON file, or all payloads of octokit as an array.
func document(path string) ([]byte, error) {
	if filepath.Base(path) == "index.json" {
		all, err := payloads(path)
		if err != nil {
			return nil, err
		}
		return json.Marshal(all)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in, err := records.Decompress(path, f, false)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(in)
	return text, errors.Join(err, in.Close())
}

// quicktype returns the TypeScript that quicktype makes of a document.
func quicktype(text []byte) ([]byte, error) {
	file, err := os.CreateTemp("", "quicktype-*.json")
	if err != nil {
		return nil, err
	}
	defer os.Remove(file.Name())
	_, err = file.Write(text)
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, err
	}
	var stderr bytes.Buffer
	cmd := exec.Command("npx", "--yes", beside, "--lang", "ts", "--just-types", "-t", "Payload", file.Name())
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("npx %s: %w: %s", beside, err, bytes.TrimSpace(stderr.Bytes()))
	}
	return out, nil
}
