package lab

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"

	"github.com/protean-pb/protean/cmd/protean/internal/harness"
	"github.com/protean-pb/protean/cmd/protean/internal/runner"
)

// keep copies the programs' sources, with requests and samples, to the folder that the user named, so that go test
// -bench runs there: the first program into the folder itself, each other into one below it.
func (e *experiment) keep() error {
	for _, in := range e.programs {
		if err := e.keepIn(filepath.Join(e.Keep, in.own.Apart()), in); err != nil {
			return err
		}
	}
	return nil
}

func (e *experiment) keepIn(dir string, in *program) error {
	if err := in.CopySource(dir); err != nil {
		return err
	}
	req := new(runner.Request)
	for _, p := range e.payloads {
		path, err := harness.WriteSamples(dir, p.Payload)
		if err != nil {
			return err
		}
		q := p.request
		q.Samples = filepath.Base(path)
		q.Cells = slices.DeleteFunc(e.request(e.unsettled(p)),
			func(c runner.Cell) bool { return e.programOf(c.Variant) != in })
		for i := range q.Cells {
			q.Cells[i].Program = ""
		}
		req.Payloads = append(req.Payloads, q)
	}
	text, err := json.MarshalIndent(req, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "run.json"), append(text, '\n'), 0o644)
}
