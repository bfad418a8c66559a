package suite

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"
)

// An entry of a corpus's index.json.
type corpusEntry struct {
	File     string `json:"file"`
	JSONFile string `json:"json_file"`
	Type     string `json:"type"`
	Accepted bool   `json:"reference_accepts"`
}

// corpus finds a folder of data from outside, which lies beside the repository.
func corpus(t *testing.T, name string) (string, []corpusEntry) {
	t.Helper()
	out, err := exec.Command("go", "env", "GOWORK").Output()
	if err != nil {
		t.Skipf("no go command to find the checkout with: %v", err)
	}
	root := filepath.Dir(strings.TrimSpace(string(out)))
	dir := filepath.Join(root, "..", "shared", "corpora", name)
	index, err := os.ReadFile(filepath.Join(dir, "index.json"))
	if err != nil {
		t.Skipf("the corpus %s is not beside the repository", name)
	}
	var entries []corpusEntry
	if err := json.Unmarshal(index, &entries); err != nil {
		t.Fatal(err)
	}
	return dir, entries
}

// Real configurations read alike from JSON and from binary files, recognised by
// their content.
func TestCorpora(t *testing.T) {
	for _, name := range []string{"envoy-bootstrap", "protobuf-benchmarks"} {
		t.Run(name, func(t *testing.T) {
			dir, entries := corpus(t, name)
			s := must(ReadDescriptorSet(filepath.Join(dir, "schema.binpb")))(t)
			n := 0
			for _, e := range entries {
				if e.Accepted {
					n++
					checkCorpusEntry(t, s, dir, e)
				}
			}
			if n == 0 {
				t.Error("no entry of the corpus is accepted")
			}
		})
	}
}

func checkCorpusEntry(t *testing.T, s *Schema, dir string, e corpusEntry) {
	t.Helper()
	md := message(t, s, e.Type)
	read := func(file string) []byte {
		path := filepath.Join(dir, file)
		samples, err := ReadSamples(s, md, []string{path}, Auto, nil)
		if err != nil || len(samples) != 1 || strings.TrimSuffix(samples[0].Source, ":1") != path {
			t.Errorf("%s: %d samples, error %v", file, len(samples), err)
			return nil
		}
		return samples[0].Wire
	}
	binary := read(e.File)
	if e.JSONFile == "" {
		return
	}
	text := read(e.JSONFile)
	a, b := parsed(t, s, md, binary), parsed(t, s, md, text)
	if diff := cmp.Diff(a, b, protocmp.Transform(protocmp.MessageTypeResolver(s.Types()))); diff != "" {
		t.Errorf("%s is not %s:\n%s", e.File, e.JSONFile, diff)
	}
}
