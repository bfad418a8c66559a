package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/protean-pb/protean/cmd/protean/internal/report"
	"github.com/protean-pb/protean/cmd/protean/internal/suite"
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
		return nil, &suite.InputError{File: path, Message: "its folder does not exist"}
	case err != nil:
		return nil, suite.FileError(path, err)
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

// outputs are where one report goes: in a format for people or programs, and as a
// page. Either is nil if it is not wanted.
type outputs struct {
	results, page *output
	detail        report.Options // how much people see
}

// openOutputs opens the page too if html is not empty. An output that cannot be
// opened leaves the other as it was.
func openOutputs(out, html string, stdout io.Writer) (*outputs, error) {
	if html != "" && out == html {
		return nil, fmt.Errorf("--out and --html are both %s; the page and the results need a file each", html)
	}
	results, err := openOutput(out, stdout)
	if err != nil || html == "" {
		return &outputs{results: results}, err
	}
	page, err := openOutput(html, nil)
	if err != nil {
		results.discard()
	}
	return &outputs{results: results, page: page}, err
}

func (o *outputs) write(r *report.Report, f report.Format) error {
	var err error
	if o.page != nil {
		err = o.page.write(func(w io.Writer, _ report.Options) error { return report.WriteHTML(w, r) })
	}
	if o.results != nil {
		render := func(w io.Writer, d report.Options) error {
			d.All, d.Properties, d.More = o.detail.All, o.detail.Properties, o.detail.More
			return report.Write(w, r, f, d)
		}
		err = errors.Join(o.results.write(render), err)
	}
	return err
}

func (o *outputs) discard() {
	o.results.discard()
	if o.page != nil {
		o.page.discard()
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
