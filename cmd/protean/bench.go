package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/protean-pb/protean/cmd/protean/internal/harness"
	"github.com/protean-pb/protean/cmd/protean/internal/lab"
	"github.com/protean-pb/protean/cmd/protean/internal/report"
	"github.com/protean-pb/protean/cmd/protean/internal/result"
	"github.com/protean-pb/protean/cmd/protean/internal/suite"
)

// defaultSuite is what protean bench measures when nothing is named.
const defaultSuite = "hidden-cost"

// defaultBaseline is what ratios are to where the suite does not say.
const defaultBaseline = "Concrete (proto)"

// benchFlags are the flags of protean bench as given.
type benchFlags struct {
	inputFlags
	config        string
	format        string
	all, quiet    bool
	properties    bool
	variants, ops []string
	baseline      string
	precision     string
	time          time.Duration
	out, html     string
	keep          string
	update        []string
	seed          uint64
	cost          costFlags
}

const benchExample = `  # the built-in suite, medium payload
  protean bench --payloads medium

  # your own schema and data
  protean bench --proto api/event.proto -I third_party --message acme.v1.Event --data samples.jsonl

  # what protean.yaml says under bench: events:
  protean bench events --time 10s

  # a few variants, as JSON
  protean bench --variants 'Concrete (proto),google.protobuf.Value (proto)' --ops marshal --format json`

func benchCommand() *cobra.Command {
	f := &benchFlags{}
	cmd := &cobra.Command{
		Use:   "bench [NAME]",
		Short: "Measure what each strategy costs on a built-in suite or on your own schema and data",
		Long: `Measure what each strategy costs on a built-in suite or on your own schema and data.

Without --suite, --variants or --all, it weighs what a team usually does: the official
library, vtprotobuf, Protean and hyperpb, JSON, ProtoJSON, Value and Any, in size, marshal
and unmarshal. With --ops that not all have, it is all that have them. A built-in suite
has variants and operations of its own.

Each variant's result is compared with the source payload before it is timed. Then
all take turns, in rounds, in several processes, until the ratio of each to the
baseline is known to the wanted precision or the time is up.

A file protean.yaml in the working directory, or above it in the same Git repository,
holds benchmarks by name, each with values of the flags below by their long names; flags
on the command line win. Without NAME its only benchmark is measured, unless --suite,
--proto or --descriptor-set is given:

  version: v1
  bench:
    events:
      proto: api/event.proto
      message: acme.v1.Event
      data: [samples.jsonl, more.jsonl]
      time: 30s
  compare:
    fail-above: 5%,time=10%`,
		Example:           benchExample,
		Args:              oneBenchmark,
		ValidArgsFunction: completeBenchmark,
		RunE:              f.run,
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	f.add(fs, "built-in suite `NAME` (default "+defaultSuite+
		"; see protean list suites); with a schema and data of your own, its variants and columns on those")
	fs.BoolVar(&f.all, "all", false,
		"every variant and operation, and all that is known of them: properties, marks and notes at length")
	fs.StringSliceVar(&f.variants, "variants", nil,
		"`LIST` of variants, by name or a part of it (default the usual, or the suite's; see protean list variants)")
	fs.StringSliceVar(&f.ops, "ops", nil,
		"`LIST` of operations (default size, marshal and unmarshal, or the suite's; see protean list ops)")
	fs.BoolVar(&f.properties, "properties", false,
		"show the table of properties: what each variant does with invalid, unusual and unknown data")
	fs.BoolVar(&f.source.DiscardUnknown, "discard-unknown", false,
		"leave out of your data what the schema does not know: members of JSON, fields of binary messages")
	fs.IntVar(&f.source.Samples, "samples", 0,
		"`NUMBER` of samples to draw at random from your data, where there are more (default all)")
	fs.StringVar(&f.baseline, "baseline", "",
		"variant that ratios are to, by `NAME` (default the suite's, or "+defaultBaseline+")")
	fs.StringVar(&f.precision, "precision", "2%",
		"half-`WIDTH` of the 95 % interval of a ratio at which measuring ends")
	fs.DurationVar(&f.time, "time", 60*time.Second,
		"most `TIME` that measuring takes, over all payloads, after verification; 0 to verify and count, and "+
			"time nothing")
	fs.StringVar(&f.format, "format", "table", "`FORMAT` of the results: table, markdown, json, csv, bench")
	fs.StringVar(&f.out, "out", "", "`FILE` for the results in place of standard output")
	fs.StringVar(&f.html, "html", "", "`FILE` for a page with charts, beside the results")
	updateFlag(fs, &f.update)
	fs.BoolVarP(&f.quiet, "quiet", "q", false, "show no progress")
	f.cost.add(fs)
	configFlag(fs, &f.config)
	fs.StringVar(&f.keep, "keep", "", "`FOLDER` to keep the benchmark program in: a Go module, for go test -bench")
	fs.Uint64Var(&f.seed, "seed", 1, "`NUMBER` that shuffles the turns and draws the samples")
	return cmd
}

// noFiles refuses arguments that are not flags, and guesses what was meant.
func noFiles(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("unexpected argument %q: a flag that takes several files is repeated, as in --data a.json "+
			"--data b.json", args[0])
	}
	return nil
}

// oneBenchmark refuses a second argument.
func oneBenchmark(c *cobra.Command, args []string) error {
	if len(args) > 1 {
		return noFiles(c, args[1:])
	}
	return nil
}

// configure takes over what the configuration file says.
func (f *benchFlags) configure(c *cobra.Command, args []string) error {
	file, err := readConfig(f.config)
	if err != nil {
		return err
	}
	configured, err := file.benchmark(args, c.Flags())
	if configured && !onCommandLine(c.Flags(), c.Flags().Lookup("proto")) {
		f.source.Home = filepath.Dir(file.file)
	}
	return err
}

func (f *benchFlags) run(c *cobra.Command, args []string) error {
	if err := f.configure(c, args); err != nil {
		return err
	}
	format, err := report.ParseFormat(f.format)
	if err != nil {
		return err
	}
	load, err := f.cost.load()
	if err != nil {
		return err
	}
	o, err := f.options(c)
	if err != nil {
		return err
	}
	update := newUpdate(f.update, o)
	if err := update.check(o.Suite); err != nil {
		return err
	}
	out, err := openOutputs(outputPaths{results: f.out, page: f.html}, c.OutOrStdout())
	if err != nil {
		return err
	}
	out.detail = report.Options{All: f.all, Properties: f.properties, More: moreHint}
	status := newStatus(c.ErrOrStderr(), f.quiet)
	o.Progress = status.show
	r, err := lab.Run(c.Context(), *o)
	status.clear()
	if err != nil {
		out.discard()
		return err
	}
	r.Env.Command = commandLine(c)
	r.Round()
	r.Reckon(load)
	if err := out.write(r, format); err != nil {
		return err
	}
	if err := update.write(r, c.ErrOrStderr()); err != nil {
		return err
	}
	return verdict(r)
}

// options turns the flags into an experiment.
func (f *benchFlags) options(c *cobra.Command) (*lab.Options, error) {
	o := &lab.Options{Time: f.time, Seed: f.seed, Keep: f.keep, Ops: f.ops}
	var err error
	if o.Precision, err = parsePercent("--precision", f.precision); err != nil {
		return nil, err
	}
	if f.time < 0 {
		return nil, fmt.Errorf("--time %s: must not be below 0", f.time)
	}
	if o.Plan, err = suite.PlanOf(cmp.Or(f.suite, defaultSuite)); err != nil {
		return nil, err
	}
	own := planned(o.Plan)
	if o.Variants, err = chooseVariants(f.variants, own); err != nil {
		return nil, err
	}
	brief := f.suite == "" && !f.all
	if brief && len(f.variants) == 0 &&
		!slices.ContainsFunc(f.ops, func(op string) bool { return !slices.Contains(usual.Ops, op) }) {
		o.Variants = planned(usual) // other operations are those of few: all that have them
	}
	if err := checkOps(f.ops, o.Variants); err != nil {
		return nil, err
	}
	switch {
	case len(f.ops) > 0:
	case f.all:
		o.Ops = nil
	case brief:
		o.Ops = usualOps(o.Variants)
	default:
		o.Ops = o.Plan.Ops
	}
	base, err := chooseVariants([]string{cmp.Or(f.baseline, o.Plan.Baseline, defaultBaseline)}, own)
	if err != nil {
		return nil, fmt.Errorf("--baseline: %w", err)
	}
	o.Baseline = base[0].Name
	if len(base) > 1 {
		return nil, fmt.Errorf("--baseline %q fits several variants: %s", f.baseline, names(base))
	}
	if c.Flags().Changed("baseline") && !slices.Contains(o.Variants, base[0]) {
		o.Variants = inOrder(append(o.Variants, base[0]))
	}
	if o.Module, err = harness.NewModule(goMod, goSum); err != nil {
		return nil, err
	}
	switch f.source.Seed = f.seed; {
	case f.source.Samples < 0:
		return nil, fmt.Errorf("--samples %d: must not be below 0", f.source.Samples)
	case f.source.Samples > 0 && !f.own():
		return nil, errors.New("--samples is for data of your own: built-in suites are measured on all of theirs")
	}
	if o.Suite, err = f.load(c.InOrStdin()); err != nil {
		return nil, err
	}
	o.Payloads, err = choosePayloads(o.Suite, f.payloads)
	return o, err
}

// moreHint says how to see what is left out.
const moreHint = "more: --all, or --variants LIST and --ops LIST (protean list variants|ops)"

// verdict gives the run its exit code.
func verdict(r *report.Report) error {
	if r.Interrupted {
		return errInterrupted
	}
	for _, x := range r.Results {
		if x.Status == result.Failed {
			return errFailed
		}
	}
	return nil
}

// commandLine returns the command line that repeats the run.
func commandLine(c *cobra.Command) string {
	words := []string{c.CommandPath()}
	for _, a := range c.Flags().Args() {
		words = append(words, quote(a))
	}
	c.Flags().Visit(func(f *pflag.Flag) { words = append(words, flagWords(f)...) })
	return strings.Join(words, " ")
}

// parsePercent reads what a flag says.
func parsePercent(flag, s string) (float64, error) {
	number, percent := strings.CutSuffix(s, "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if percent {
		v /= 100
	}
	if err != nil || math.IsNaN(v) || v <= 0 || v >= 1 {
		return 0, fmt.Errorf("%s %q: expected a percentage such as 2%%", flag, s)
	}
	return v, nil
}
