package lab

import (
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/protean-pb/protean/cmd/protean/internal/harness"
	"github.com/protean-pb/protean/cmd/protean/internal/runner"
)

// keep copies the program's source to the folder that the user named, with a
// request and the samples beside it, so that go test -bench runs there.
func (e *experiment) keep() error {
	if err := e.program.CopySource(e.Keep); err != nil {
		return err
	}
	req := new(runner.Request)
	for _, p := range e.payloads {
		path, err := harness.WriteSamples(e.Keep, p.Payload)
		if err != nil {
			return err
		}
		q := p.request
		q.Samples = filepath.Base(path)
		q.Cells = e.request(e.unsettled(p))
		req.Payloads = append(req.Payloads, q)
	}
	text, err := json.MarshalIndent(req, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(e.Keep, "run.json"), append(text, '\n'), 0o644)
}
