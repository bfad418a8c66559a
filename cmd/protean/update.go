package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/protean-pb/protean/cmd/protean/internal/lab"
	"github.com/protean-pb/protean/cmd/protean/internal/marker"
	"github.com/protean-pb/protean/cmd/protean/internal/report"
	"github.com/protean-pb/protean/cmd/protean/internal/suite"
	"github.com/protean-pb/protean/cmd/protean/internal/usererr"
	"github.com/protean-pb/protean/cmd/protean/internal/variant"
)

// An update puts the results of a run into Markdown files, between markers.
type update struct {
	paths         []string
	suite         string
	payloads, ops []string // what the run measures
}

// updateFlag adds the flag to the commands that have results.
func updateFlag(fs *pflag.FlagSet, paths *[]string) {
	fs.StringArrayVar(paths, "update", nil,
		"Markdown `FILE` in which to rewrite the results between markers, such as <!-- protean:begin payloads=medium "+
			"ops=marshal --> and <!-- protean:end --> (may be repeated)")
}

func newUpdate(paths []string, o *lab.Options) *update {
	u := &update{paths: paths, suite: o.Suite.Name, ops: o.Ops}
	for _, p := range o.Payloads {
		u.payloads = append(u.payloads, p.Name)
	}
	if len(u.ops) == 0 {
		for _, op := range variant.Ops() {
			u.ops = append(u.ops, op.Name)
		}
	}
	return u
}

// savedUpdate is for saved results, of a suite of which no more is known than they say.
func savedUpdate(paths []string, r *report.Report) (*update, *suite.Suite) {
	u, s := &update{paths: paths, suite: r.Suite}, &suite.Suite{Name: r.Suite}
	for _, c := range r.Results {
		if !slices.Contains(u.payloads, c.Payload) {
			u.payloads = append(u.payloads, c.Payload)
			s.Payloads = append(s.Payloads, &suite.Payload{Name: c.Payload})
		}
		if !slices.Contains(u.ops, c.Op) {
			u.ops = append(u.ops, c.Op)
		}
	}
	return u, s
}

// check finds out before measuring whether the files can be written, and have places
// for the results.
func (u *update) check(s *suite.Suite) error {
	for _, path := range u.paths {
		if err := u.checkFile(path, s); err != nil {
			return fmt.Errorf("--update: %w", err)
		}
	}
	return nil
}

func (u *update) checkFile(path string, s *suite.Suite) error {
	f, err := parseMarkdown(path)
	if err != nil {
		return err
	}
	if err := u.checkPlaces(f, s); err != nil {
		return err
	}
	if err := marker.CheckWritable(path); err != nil {
		return usererr.FileError(path, err)
	}
	return nil
}

func parseMarkdown(path string) (*marker.File, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, usererr.FileError(path, err)
	}
	return marker.Parse(path, text)
}

// checkPlaces refuses markers that name what there is not, and a file with no place
// for this run.
func (u *update) checkPlaces(f *marker.File, s *suite.Suite) error {
	if len(f.Places) == 0 {
		return &usererr.InputError{File: f.Path,
			Message: "no markers: the results go between the lines <!-- protean:begin --> and <!-- protean:end -->"}
	}
	var others []string
	fits := false
	for _, p := range f.Places {
		e, err := excerptOf(p)
		if err == nil && u.ofSuite(e) {
			err = u.checkNames(e, s)
		}
		if err != nil {
			return f.Errorf(p, "%s", err)
		}
		if lacks := u.lacks(e); lacks != "" {
			others = append(others, fmt.Sprintf("the one in line %d is for %s", p.Line, lacks))
		} else {
			fits = true
		}
	}
	if !fits {
		return &usererr.InputError{File: f.Path,
			Message: "none of its markers is for this run: " + strings.Join(others, ", ")}
	}
	return nil
}

// checkNames refuses payloads and operations that do not exist.
func (u *update) checkNames(e report.Excerpt, s *suite.Suite) error {
	if e.Suite != "" { // without it, the payloads may be another suite's
		if _, err := choosePayloads(s, e.Payloads); err != nil {
			return err
		}
	}
	return checkOps(e.Ops, variant.All())
}

// excerptOf reads the attributes of a marker.
func excerptOf(p *marker.Place) (report.Excerpt, error) {
	e := report.Excerpt{Format: report.Markdown, Parts: []report.Part{report.Tables, report.Marks}}
	for _, a := range p.Attributes {
		list := strings.Split(a.Value, ",")
		switch a.Name {
		case "suite":
			e.Suite = a.Value
		case "payloads":
			e.Payloads = list
		case "ops":
			e.Ops = list
		case "format":
			e.Format = report.Format(a.Value)
			if e.Format != report.Markdown && e.Format != report.Table {
				return e, fmt.Errorf("format=%s: want markdown or table", a.Value)
			}
		case "show":
			e.Parts = nil
			for _, part := range list {
				if !slices.Contains(report.Parts(), report.Part(part)) {
					return e, fmt.Errorf("show=%s: unknown part %q; want some of %v", a.Value, part, report.Parts())
				}
				e.Parts = append(e.Parts, report.Part(part))
			}
		default:
			known := []string{"suite", "payloads", "ops", "format", "show"}
			return e, fmt.Errorf("unknown attribute %q%s (known are %s)", a.Name, usererr.DidYouMean(a.Name, known),
				strings.Join(known, ", "))
		}
	}
	return e, nil
}

func (u *update) ofSuite(e report.Excerpt) bool { return e.Suite == "" || e.Suite == u.suite }

// lacks says what a place is for that this run does not have; empty if it has all.
func (u *update) lacks(e report.Excerpt) string {
	if !u.ofSuite(e) {
		return "suite " + e.Suite
	}
	for _, p := range e.Payloads {
		if !slices.Contains(u.payloads, p) {
			return "payload " + p
		}
	}
	for _, op := range e.Ops {
		if !slices.Contains(u.ops, op) {
			return "operation " + op
		}
	}
	return ""
}

// write puts the results into the files, and remarks on places of the run's suite that
// it left alone. The files are read again: they may have been edited while the run went
// on.
func (u *update) write(r *report.Report, remarks io.Writer) error {
	var faults []error
	for _, path := range u.paths {
		if r.Interrupted {
			fmt.Fprintf(remarks, "protean: %s: left as it was: the run was interrupted\n", path)
			continue
		}
		left, err := u.writeFile(path, r)
		for _, l := range left {
			fmt.Fprintf(remarks, "protean: %s\n", l)
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("--update: %w", err))
		}
	}
	return errors.Join(faults...)
}

// writeFile returns which places it left alone, and why.
func (u *update) writeFile(path string, r *report.Report) (left []string, err error) {
	f, err := parseMarkdown(path)
	if err != nil {
		return nil, err
	}
	with := map[*marker.Place]string{}
	for _, p := range f.Places {
		e, err := excerptOf(p)
		if err != nil {
			return nil, f.Errorf(p, "%s", err)
		}
		lacks := u.lacks(e)
		if lacks == "" && !e.Covers(r) {
			lacks = "anything of what it is for"
		}
		if lacks != "" {
			if u.ofSuite(e) {
				left = append(left, fmt.Sprintf("%s:%d: left as it was: this run did not measure %s", path, p.Line,
					lacks))
			}
			continue
		}
		var text bytes.Buffer
		text.WriteByte('\n')
		if err := report.WriteExcerpt(&text, r, e); err != nil {
			return nil, err
		}
		with[p] = text.String()
	}
	now := f.Replace(with)
	if err := marker.Write(path, now); err != nil {
		return nil, usererr.FileError(path, err)
	}
	return left, nil
}
