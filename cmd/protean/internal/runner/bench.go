package runner

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

// Operations prepares the cells of the request in a file for another clock than
// the lab's own: yield is called for each cell with a function that runs the
// operation on sample i of n. Paths of samples are relative to the file.
func Operations(types Types, path string, yield func(p Payload, c Cell, n int, run func(i int) error)) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	r := &run{types: types, req: new(Request), find: variant.Find}
	if err := json.Unmarshal(text, r.req); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for _, p := range r.req.Payloads {
		p.Samples = filepath.Join(filepath.Dir(path), p.Samples)
		l, err := r.open(p)
		if err != nil {
			return err
		}
		all := make([]int, len(l.samples))
		for i := range all {
			all[i] = i
		}
		for _, c := range p.Cells {
			if err := r.operation(l, c, all, yield); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *run) operation(l *load, c Cell, all []int, yield func(Payload, Cell, int, func(int) error)) error {
	codec, err := r.find(c.Variant).Open(l.typ)
	if err != nil {
		return err
	}
	ms, err := l.messages(all)
	if err != nil {
		return err
	}
	if err := codec.Load(ms); err != nil {
		return err
	}
	yield(l.Payload, c, len(all), op(codec, c.Op).Run)
	return nil
}
