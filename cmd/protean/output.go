package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/protean-pb/protean/cmd/protean/internal/report"
	"github.com/protean-pb/protean/cmd/protean/internal/usererr"
)

// An output is where the results go: standard output, or a file. A file is opened
// before measuring, so that one that cannot be written to is told of at once, and
// keeps what it held until there are results.
type output struct {
	io.Writer
	file    *os.File // nil for standard output
	created bool
}

func openOutput(path string, stdout io.Writer) (*output, error) {
	if path == "" {
		return &output{Writer: stdout}, nil
	}
	_, err := os.Stat(path)
	o := &output{created: errors.Is(err, os.ErrNotExist)}
	o.file, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o666)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, &usererr.InputError{File: path, Message: "its folder does not exist"}
	case err != nil:
		return nil, usererr.FileError(path, err)
	}
	o.Writer = o.file
	return o, nil
}

// write has render write in place of what was there.
func (o *output) write(render func(io.Writer, report.Options) error) error {
	if o.file == nil {
		return render(o.Writer, display(o.Writer))
	}
	if info, err := o.file.Stat(); err == nil && info.Mode().IsRegular() {
		if err := o.file.Truncate(0); err != nil {
			return errors.Join(err, o.file.Close())
		}
	}
	return errors.Join(render(o.file, display(o.file)), o.file.Close())
}

// discard leaves things as they were.
func (o *output) discard() {
	if o.file == nil {
		return
	}
	o.file.Close()
	if o.created {
		os.Remove(o.file.Name())
	}
}

// outputPaths are the files that one report goes to. Without one for the results, they go to
// standard output; the others are then not wanted.
type outputPaths struct{ results, page, picture string }

// check refuses a file that is given twice.
func (p outputPaths) check() error {
	names := map[string]string{}
	for _, o := range []struct{ flag, path string }{{"--out", p.results}, {"--html", p.page}, {"--svg", p.picture}} {
		if other := names[o.path]; o.path != "" && other != "" {
			return fmt.Errorf("%s and %s are both %s; each needs a file of its own", other, o.flag, o.path)
		}
		names[o.path] = o.flag
	}
	return nil
}

// outputs are where one report goes: in a format for people or programs, as a page, and as a
// picture. Each is nil if it is not wanted.
type outputs struct {
	results, page, picture *output
	detail                 report.Options // how much people see
}

// openOutputs opens all outputs. One that cannot be opened leaves the others as they were.
func openOutputs(p outputPaths, stdout io.Writer) (*outputs, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	o := &outputs{}
	var err error
	if o.results, err = openOutput(p.results, stdout); err == nil && p.page != "" {
		o.page, err = openOutput(p.page, nil)
	}
	if err == nil && p.picture != "" {
		o.picture, err = openOutput(p.picture, nil)
	}
	if err != nil {
		o.discard()
		return nil, err
	}
	return o, nil
}

func (o *outputs) write(r *report.Report, f report.Format) error {
	var faults []error
	if o.page != nil {
		faults = append(faults, o.page.write(func(w io.Writer,
			_ report.Options) error {
			return report.WriteHTML(w, r)
		}))
	}
	if o.picture != nil {
		faults = append(faults, o.picture.write(func(w io.Writer,
			_ report.Options) error {
			return report.WriteSVG(w, r)
		}))
	}
	if o.results != nil {
		render := func(w io.Writer, d report.Options) error {
			d.All, d.Properties, d.More = o.detail.All, o.detail.Properties, o.detail.More
			return report.Write(w, r, f, d)
		}
		faults = append([]error{o.results.write(render)}, faults...)
	}
	return errors.Join(faults...)
}

func (o *outputs) discard() {
	for _, x := range []*output{o.results, o.page, o.picture} {
		if x != nil {
			x.discard()
		}
	}
}

// pageFormat is the format of a command whose results are no report.
func pageFormat(name string) (report.Format, error) {
	switch f := report.Format(name); f {
	case report.Table, report.Markdown, report.JSON:
		return f, nil
	}
	return "", fmt.Errorf("unknown format %q; want one of table, markdown, json", name)
}
