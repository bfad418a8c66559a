// Command evaluate tells how often what is inferred is right on published data, as tables of Markdown.
//
//	go run ./infer/evaluate botocore=DIR octokit=FILE files=DIR quicktype=FILE,FILE…
//
// DIR of botocore is its folder data: the services' own examples, and documents made at random by the shapes of their
// operations, of which the shapes tell what is a map. FILE of octokit is the index.json of @octokit/webhooks-examples.
// Each JSON file in DIR of files, compressed with zstd or not, is a corpus of its own. Of the FILEs of
// quicktype, of which index.json is octokit's, the types are counted that quicktype makes. All may be repeated.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/protean-pb/protean/infer"
	"github.com/protean-pb/protean/infer/decide"
	"github.com/protean-pb/protean/infer/profile"
	"github.com/protean-pb/protean/infer/proof"
	"github.com/protean-pb/protean/infer/schema"
	"github.com/protean-pb/protean/records"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "evaluate:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return errors.New("which data? give botocore=DIR, octokit=FILE or files=DIR")
	}
	heading := "| corpus | documents | messages | fields | maps " +
		"| same text | same JSON | same value | lossy | of JSON's bytes |\n" +
		"|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n"
	for _, arg := range args {
		kind, path, _ := strings.Cut(arg, "=")
		var err error
		switch kind {
		case "botocore":
			err = botocore(path)
		case "octokit":
			fmt.Print(heading)
			heading = ""
			err = octokit(path)
		case "files":
			fmt.Print(heading)
			heading = ""
			err = corpora(path)
		case "quicktype":
			err = quicktypes(path)
		default:
			err = fmt.Errorf("unknown data %q", arg)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// schemaOf infers the schema of documents.
func schemaOf(documents [][]byte) (*schema.File, error) {
	b := profile.NewBuilder(0)
	for _, d := range documents {
		if _, err := b.Add(d); err != nil {
			return nil, err
		}
	}
	return decide.Schema(b.Profile(), decide.Options{Package: "acme.v1", Message: "Document"})
}

// payloads are those in the index of @octokit/webhooks-examples.
func payloads(path string) ([]json.RawMessage, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var index []struct {
		Examples []json.RawMessage `json:"examples"`
	}
	if err := json.Unmarshal(text, &index); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var all []json.RawMessage
	for _, e := range index {
		all = append(all, e.Examples...)
	}
	return all, nil
}

// octokit evaluates these payloads.
func octokit(path string) error {
	all, err := payloads(path)
	if err != nil {
		return err
	}
	var lines []byte
	for _, x := range all {
		one, err := json.Marshal(x)
		if err != nil {
			return err
		}
		lines = append(append(lines, one...), '\n')
	}
	file, err := os.CreateTemp("", "octokit-*.jsonl")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	_, err = file.Write(lines)
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	return corpus("octokit", file.Name())
}

// corpora evaluates each JSON file in a folder.
func corpora(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*json*"))
	if err != nil {
		return err
	}
	for _, f := range files {
		name, extension, _ := strings.Cut(filepath.Base(f), ".")
		switch extension {
		case "json", "json.zst":
		default:
			continue
		}
		if err := corpus(name, f); err != nil {
			return err
		}
	}
	return nil
}

// corpus infers the schema of a file, and proves it.
func corpus(name, path string) error {
	in := infer.Input{Splits: records.Whole([]string{path})}
	p, err := infer.Profile(context.Background(), in)
	if err != nil {
		return err
	}
	f, err := decide.Schema(p, decide.Options{Package: "acme.v1", Message: "Document"})
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	md, err := proof.Compile(f.Print(), "acme.v1.Document")
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	r, err := infer.Prove(context.Background(), in, f, md)
	if err != nil {
		return err
	}
	fields, maps := 0, 0
	for _, m := range f.Messages {
		fields += len(m.Fields)
		for _, x := range m.Fields {
			if x.Type.Cardinality == schema.Map {
				maps++
			}
		}
	}
	fmt.Printf("| %s | %d | %d | %d | %d | %d | %d | %d | %d | %.2f |\n", name, p.Documents, len(f.Messages), fields,
		maps,
		r.Levels[proof.SameText], r.Levels[proof.SameJSON], r.Levels[proof.SameValue], r.Levels[proof.Lossy],
		float64(r.Message)/float64(max(r.JSON, 1)))
	return nil
}
