package beam_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	proteanbeam "github.com/protean-pb/protean/beam"
	"github.com/protean-pb/protean/infer/profile"
	"github.com/protean-pb/protean/records"
)

func Example() {
	dir, err := os.MkdirTemp("", "beam")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	file, out := filepath.Join(dir, "events.jsonl"), filepath.Join(dir, "events.profile")
	if err := os.WriteFile(file, []byte("{\"id\": 1}\n{\"id\": 2, \"name\": \"x\"}\n"), 0o666); err != nil {
		fmt.Println(err)
		return
	}

	p, s := beam.NewPipelineWithRoot()
	splits, err := records.Divide([]string{file}, records.Options{Form: records.Lines}, 10)
	if err != nil {
		fmt.Println(err)
		return
	}
	proteanbeam.Write(s, out, proteanbeam.Profile(s, splits, proteanbeam.Options{Form: records.Lines}))
	if _, err := beam.Run(context.Background(), "prism", p); err != nil {
		fmt.Println(err)
		return
	}

	text, err := os.ReadFile(out)
	if err != nil {
		fmt.Println(err)
		return
	}
	sum, err := profile.Unmarshal(text)
	fmt.Println(len(splits), sum.Documents, sum.Root.SortedKeys(), err)
	// Output: 4 2 [id name] <nil>
}
