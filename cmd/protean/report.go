package main

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/protean-pb/protean/cmd/protean/internal/report"
	"github.com/protean-pb/protean/cmd/protean/internal/usererr"
)

// savedFlags are the flags of protean report as given.
type savedFlags struct {
	format, out, html, svg string
	all, properties        bool
	update                 []string
	cost                   costFlags
}

func reportCommand() *cobra.Command {
	f := &savedFlags{}
	cmd := &cobra.Command{
		Use:   "report FILE",
		Short: "Show the saved results of a run as a page, a table or in another format",
		Long: `Show the saved results of a run (protean bench --format json --out FILE, or
--html FILE) as a page with charts, a picture of one table, a table or in another
format. FILE may be -, standard input.

With --html or --svg and neither --format nor --out, only the page or the picture is
written.`,
		Example: `  protean report results.json --html report.html
  protean report results.json --svg overview.svg
  protean report report.html --format markdown
  protean report results.json --update README.md`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("report on what? one FILE of results, as protean bench writes with --format json " +
					"or --html")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, args[0]) },
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.StringVar(&f.html, "html", "", "`FILE` for a page with charts")
	fs.StringVar(&f.svg, "svg", "",
		"`FILE` for a picture: one table of times, allocations and what each variant needs and loses")
	fs.StringVar(&f.format, "format", "table", "`FORMAT` of the results: table, markdown, json, csv")
	fs.StringVar(&f.out, "out", "", "`FILE` for the results in place of standard output")
	fs.BoolVar(&f.all, "all", false, "all that is known of the results: properties, marks and notes at length")
	fs.BoolVar(&f.properties, "properties", false, "show the table of properties")
	updateFlag(fs, &f.update)
	f.cost.add(fs)
	return cmd
}

func (f *savedFlags) run(c *cobra.Command, path string) error {
	format, err := report.ParseFormat(f.format)
	if err != nil {
		return err
	}
	if format == report.Bench {
		return errors.New("--format bench: saved results do not have the single turns; ask protean bench for them")
	}
	load, err := f.cost.load()
	if err != nil {
		return err
	}
	r, err := readReport(path, c.InOrStdin())
	if err != nil {
		return err
	}
	if load.Rate > 0 {
		r.Reckon(load)
	}
	update, s := savedUpdate(f.update, r)
	if err := update.check(s); err != nil {
		return err
	}
	if f.svg != "" && !report.HasOverview(r) {
		return errors.New("--svg: there are no times in the results, and the picture is of times")
	}
	out, err := openOutputs(outputPaths{f.out, f.html, f.svg}, c.OutOrStdout())
	if err != nil {
		return err
	}
	out.detail = report.Options{All: f.all, Properties: f.properties, More: savedHint}
	if f.html+f.svg != "" && !c.Flags().Changed("format") && f.out == "" {
		out.results = nil
	}
	if err := out.write(r, format); err != nil {
		return err
	}
	return update.write(r, c.ErrOrStderr())
}

// savedHint says how to see what is left out.
const savedHint = "more: --all, or --properties"

// readReport reads saved results from a file, or from standard input for "-". CSV and Go's benchmark format lack what
// variants lose; a report of them would mislead.
func readReport(path string, stdin io.Reader) (*report.Report, error) {
	name, text, err := readInput(path, stdin)
	if err != nil {
		return nil, err
	}
	if f := report.FormatOf(text); f != report.JSON && f != report.HTML {
		return nil, &usererr.InputError{File: name,
			Message: "no whole report in it; protean report reads what protean bench writes with --format json " +
				"or --html"}
	}
	r, err := report.Read(text)
	var at *report.ReadError
	if errors.As(err, &at) {
		return nil, &usererr.InputError{File: name, Line: at.Line, Message: at.Message}
	}
	return r, err
}
