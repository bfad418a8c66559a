package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/protean-pb/protean/cmd/protean/internal/lint"
	"github.com/protean-pb/protean/cmd/protean/internal/suite"
	"github.com/protean-pb/protean/cmd/protean/internal/usererr"
	"github.com/protean-pb/protean/lint/callsite"
)

// lintFlags are the flags of protean lint as given.
type lintFlags struct {
	source     suite.Source
	dataFormat string
	profile    string
	time       time.Duration
	format     string
	packages   []string // patterns of Go packages
}

const lintExample = `  # fields that cost more than they show, and what is safe instead
  protean lint api/event.proto

  # all schemas of a folder, and what their fields hold and cost on your samples
  protean lint proto/ --message acme.v1.Event --data samples.jsonl

  # call sites in Go code, by the share of a CPU profile that each explains
  protean lint ./... --profile cpu.pprof`

func lintCommand() *cobra.Command {
	f := &lintFlags{}
	cmd := &cobra.Command{
		Use:   "lint [FILE.proto | FOLDER | DESCRIPTOR-SET | ./…]…",
		Short: "Find what costs more than it shows, in schemas, samples and Go code, and what is safe instead",
		Long: `Find what costs more than it shows, in schemas, samples and Go code, and what is safe
instead.

A schema is .proto files, a folder of them, or a descriptor set. With --data, the fields
that are found are weighed on samples: their bytes, the keys that are sent again and
again, and the time of the official Go library, measured at once; and the samples are
looked through for what others refuse or alter. Go packages are named by patterns with
dots, such as ./... or ./server/...: their calls are checked as by proteanvet.

A comment // protean:lint:ignore RULE in a schema, or //protean:lint:ignore ANALYZER in Go
code, excuses what it stands at. The exit code is 1 if anything is found.`,
		Example: lintExample,
		RunE:    func(c *cobra.Command, args []string) error { return f.run(c, args) },
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	schemaFlags(fl, &f.source)
	dataFlags(fl, &f.source, &f.dataFormat)
	fl.DurationVar(&f.time, "time", time.Second, "`TIME` to measure the fields of the samples for; 0 to measure nothing")
	fl.StringVar(&f.profile, "profile", "", "`FILE` of pprof that findings in Go code are ranked by")
	fl.StringVar(&f.format, "format", "table", "`FORMAT` of the findings: table, markdown, json")
	return cmd
}

// errFound says that there are findings, which have been printed.
var errFound = errors.New("something was found")

func (f *lintFlags) run(c *cobra.Command, args []string) error {
	format, err := pageFormat(f.format)
	if err != nil {
		return err
	}
	if err := f.sort(args); err != nil {
		return err
	}
	r := new(lint.Result)
	if f.hasSchema() {
		f.source.Format, f.source.Stdin = suite.DataFormat(f.dataFormat), c.InOrStdin()
		if err := f.schema(r); err != nil {
			return err
		}
	}
	if len(f.packages) > 0 {
		if err := f.calls(r); err != nil {
			return err
		}
	}
	out := c.OutOrStdout()
	if err := lint.Write(out, r, format, display(out)); err != nil {
		return err
	}
	if len(r.Findings) > 0 {
		return errFound
	}
	return nil
}

func (f *lintFlags) hasSchema() bool {
	return len(f.source.Protos) > 0 || f.source.DescriptorSet != ""
}

// schema checks the schema, and the samples if there are some.
func (f *lintFlags) schema(r *lint.Result) error {
	if len(f.source.Data) == 0 {
		s, err := suite.LoadSchema(f.source)
		if err == nil && f.source.Message != "" {
			_, err = s.Message(f.source.Message) // which is no use, but may be a typing error
		}
		if err == nil {
			r.Findings = lint.Schema(s)
		}
		return err
	}
	s, err := suite.Load(f.source)
	if err != nil {
		return err
	}
	r.Findings = lint.Schema(s.Schema)
	data, found := lint.Look(s, s.Payloads[0])
	r.Data, r.Findings = data, append(r.Findings, found...)
	if f.time > 0 {
		data.Clock(f.time)
	}
	return nil
}

// calls checks Go packages.
func (f *lintFlags) calls(r *lint.Result) (err error) {
	if f.profile != "" {
		if r.Profile, err = callsite.ReadProfile(f.profile); err != nil {
			return err
		}
	}
	found, err := lint.Calls(f.packages, r.Profile)
	if err != nil {
		var lines usererr.InputErrors
		for line := range strings.Lines(err.Error()) {
			lines = append(lines, &usererr.InputError{Message: strings.TrimSpace(line)})
		}
		return lines
	}
	r.Findings = append(r.Findings, found...)
	return nil
}

// sort tells the arguments apart, and refuses flags that are for what is not there.
func (f *lintFlags) sort(args []string) error {
	var folders []string
	for _, arg := range args {
		info, err := os.Stat(arg)
		switch {
		case strings.HasSuffix(arg, ".proto"):
			f.source.Protos = append(f.source.Protos, arg)
		case arg == "...", strings.HasSuffix(arg, "/..."):
			f.packages = append(f.packages, arg)
		case err != nil && (strings.Contains(filepath.Base(arg), ".") || !strings.Contains(arg, "/")):
			return usererr.FileError(arg, err)
		case err != nil: // the import path of a package
			f.packages = append(f.packages, arg)
		case info.IsDir():
			protos, err := protosIn(arg)
			if err != nil {
				return err
			}
			if len(protos) == 0 {
				f.packages = append(f.packages, goFolder(arg))
				continue
			}
			f.source.Protos, folders = append(f.source.Protos, protos...), append(folders, arg)
		case f.source.DescriptorSet != "":
			return fmt.Errorf("%s: one descriptor set at a time", arg)
		default:
			f.source.DescriptorSet = arg
		}
	}
	if len(folders) == 1 && len(f.source.ImportPaths) == 0 {
		f.source.Home = folders[0] // which imports are mostly relative to
	}
	switch {
	case !f.hasSchema() && len(f.packages) == 0:
		return errors.New(
			"what is to be checked? name .proto files, a folder of them, a descriptor set, or Go packages " +
				"(./...)")
	case f.profile != "" && len(f.packages) == 0:
		return errors.New("--profile ranks findings in Go code: name packages (./...)")
	case !f.hasSchema() && (len(f.source.Data) > 0 || f.source.Message != ""):
		return errNoSchema
	}
	return nil
}

// protosIn lists the .proto files below a folder, but for folders that are hidden or of packages
// that others wrote.
func protosIn(folder string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil:
			return usererr.FileError(path, err)
		case d.IsDir() && path != folder &&
			(strings.HasPrefix(name, ".") || name == "node_modules" || name == "vendor"):
			return filepath.SkipDir
		case !d.IsDir() && strings.HasSuffix(name, ".proto"):
			out = append(out, path)
		}
		return nil
	})
	return out, err
}

// goFolder is a folder as the go command has it, to which a bare name is an import path.
func goFolder(folder string) string {
	if filepath.IsAbs(folder) || strings.HasPrefix(folder, ".") {
		return folder
	}
	return "./" + folder
}
