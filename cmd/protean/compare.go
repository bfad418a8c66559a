package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/protean-pb/protean/cmd/protean/internal/compare"
	"github.com/protean-pb/protean/cmd/protean/internal/report"
	"github.com/protean-pb/protean/cmd/protean/internal/usererr"
)

// compareFlags are the flags of protean compare as given.
type compareFlags struct {
	failAbove   []string
	metrics     []string
	strict, all bool
	format, out string
	config      string
}

const compareExample = `  # what changed since the last release
  protean bench --format json --out new.json
  protean compare old.json new.json

  # in CI: fail if anything is worse by more than 5 %, all of its interval
  protean compare old.txt new.txt --fail-above 5%

  # sizes and allocations must not grow, times may by 10 %
  protean compare old.txt new.txt --fail-above 0%,time=10%

  # several runs a side, whose differences are measured
  protean compare old-1.json,old-2.json new-1.json,new-2.json

  # the output of go test -bench . -count 10
  protean compare old.txt new.txt --metrics time,allocs`

func compareCommand() *cobra.Command {
	f := &compareFlags{}
	cmd := &cobra.Command{
		Use:   "compare OLD[,OLD…] NEW[,NEW…]",
		Short: "Say what differs between two files of results",
		Long: `Say what differs between two files of results.

Files are what protean bench writes with --format json, csv or bench, or with --html, or
the output of go test -bench; - is standard input. Sizes and allocations are compared
exactly. Tables and Markdown are rounded for people, and are not read.

Two runs of the same program differ, too. With several runs, two or more a side, times are
compared by how much the runs of a side differ: take turns, and append files of the format
bench, or name several files a side, with commas. With one run a side, what runs usually
differ by is allowed for, and the output says from which change on it counts.

A file protean.yaml in the working directory, or above it in the same Git repository, may
have values of these flags under the key compare; flags on the command line win.

Only what differs significantly is shown, unless --all is given. The exit code is 0,
1 if --fail-above or --strict found something, and 2 if a file or flag is wrong.`,
		Example: compareExample,
		Args:    twoFiles,
		RunE:    func(c *cobra.Command, args []string) error { return f.run(c, args[0], args[1]) },
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.StringSliceVar(&f.failAbove, "fail-above", nil,
		"`LIST` of what figures may be worse by, such as 5% for all or time=10%,allocs=0%; exit code 1 if one is "+
			"worse, all of its interval")
	fs.StringSliceVar(&f.metrics, "metrics", nil,
		"`LIST` of what to compare: time, ratio, bytes, allocs, wire, gzip, zstd, or units of go test (default all "+
			"but ratio)")
	fs.BoolVar(&f.strict, "strict", false, "exit code 1 as well if a row has figures in one of the files only")
	fs.BoolVar(&f.all, "all", false, "show what did not change too")
	fs.StringVar(&f.format, "format", "table", "`FORMAT` of the comparison: table, markdown, json")
	fs.StringVar(&f.out, "out", "", "`FILE` for the comparison in place of standard output")
	configFlag(fs, &f.config)
	return cmd
}

func twoFiles(_ *cobra.Command, args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("compare needs two files, the old results and the new ones; %d given", len(args))
	}
	return nil
}

// errWorse says that there is a regression, of which the comparison tells.
var errWorse = errors.New("worse than allowed")

func (f *compareFlags) run(c *cobra.Command, old, now string) error {
	file, err := readConfig(f.config)
	if err == nil && file != nil && file.compare != nil {
		err = file.apply(file.compare, c.Flags())
	}
	if err != nil {
		return err
	}
	format, err := pageFormat(f.format)
	if err != nil {
		return err
	}
	limits, err := compare.ParseLimits(f.failAbove)
	if err != nil {
		return fmt.Errorf("--fail-above %w", err)
	}
	stdin := func(path string) bool { return path == "-" }
	files := slices.Concat(filesOf(old), filesOf(now))
	if first := slices.IndexFunc(files, stdin); first >= 0 && slices.ContainsFunc(files[first+1:], stdin) {
		return errors.New("only one of the files can be standard input")
	}
	before, err := readSide(old, c.InOrStdin())
	if err != nil {
		return err
	}
	after, err := readSide(now, c.InOrStdin())
	if err != nil {
		return err
	}
	found, err := compare.Compare(before, after, compare.Options{Metrics: f.metrics, Limits: limits, Strict: f.strict})
	if err != nil {
		return err
	}
	out, err := openOutput(f.out, c.OutOrStdout())
	if err != nil {
		return err
	}
	err = out.write(func(w io.Writer, o report.Options) error { return compare.Write(w, found, f.all, format, o) })
	if err == nil && found.Failed() {
		return errWorse
	}
	return err
}

// readSide reads the results of one side: a file, or several with commas between them.
func readSide(list string, stdin io.Reader) (*compare.Results, error) {
	var files []*compare.Results
	for _, path := range filesOf(list) {
		r, err := readResults(path, stdin)
		if err != nil {
			return nil, err
		}
		files = append(files, r)
	}
	return compare.Merge(files), nil
}

// filesOf splits a list of files at its commas, unless there is a file of that name.
func filesOf(list string) []string {
	if _, err := os.Stat(list); err == nil {
		return []string{list}
	}
	return strings.Split(list, ",")
}

// readResults reads a file of results; "-" is standard input.
func readResults(path string, stdin io.Reader) (*compare.Results, error) {
	name, text, err := readInput(path, stdin)
	if err != nil {
		return nil, err
	}
	return compare.Read(name, text)
}

// readInput reads a file of the user, who is told of errors in it by that name; "-" is
// standard input.
func readInput(path string, stdin io.Reader) (name string, text []byte, err error) {
	if path == "-" {
		name = "stdin"
		text, err = io.ReadAll(stdin)
	} else {
		name = path
		text, err = os.ReadFile(path)
	}
	if err != nil {
		return "", nil, usererr.FileError(name, err)
	}
	return name, text, nil
}
