package lab

import (
	"context"
	"slices"

	"github.com/protean-pb/protean/cmd/protean/internal/harness"
	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

// A program is one of the programs of an experiment. The first has most variants; the others
// take turns with it, each with those that are in a program apart.
type program struct {
	*harness.Program
	own variant.Code // what its variants need; of the others
}

// build builds the programs that the variants need.
func build(ctx context.Context, o *Options) ([]*program, error) {
	var together, own []variant.Code
	for _, v := range o.Variants {
		list := &together
		if v.Needs.Apart() != "" {
			list = &own
		}
		if !slices.Contains(*list, v.Needs) {
			*list = append(*list, v.Needs)
		}
	}
	say := func(text string) { o.Progress(Progress{Text: text}) }
	first, err := harness.Build(ctx, o.Suite, o.Module, together, say)
	if err != nil {
		return nil, err
	}
	out := []*program{{Program: first}}
	for _, code := range own {
		p, err := harness.Build(ctx, o.Suite, o.Module, []variant.Code{code}, say)
		if err != nil {
			return nil, err
		}
		out = append(out, &program{p, code})
	}
	return out, nil
}

// programOf returns the program that has the variant.
func (e *experiment) programOf(name string) *program {
	needs := variant.Find(name).Needs
	for _, p := range e.programs[1:] {
		if p.own == needs {
			return p
		}
	}
	return e.programs[0]
}

// path returns the path of the program that has the variant; "" for the first, which
// starts the others.
func (e *experiment) path(name string) string {
	if p := e.programOf(name); p != e.programs[0] {
		return p.Path()
	}
	return ""
}
