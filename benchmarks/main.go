// Command benchmarks measures Protean on messages of published types, against the official library and vtprotobuf.
//
//	go run -tags vtprotobuf .                           marshal and unmarshal, the collector off and on
//	go run . -list                                      types, jobs and modes
//	go run . -jobs all -modes gc-off -time 200ms        all jobs, for less long
//	go run . -types otlp,gtfs -sizes                    two types, a row for each message
//	go run . -jobs unmarshal -modes parallel            on two goroutines, by the clock
//	go run . -time 0 -jobs all                          memory alone
//	go run . -out before.json                           keep the results
//	go run . -out after.json -against before.json       and compare with them
//	go run . -in after1.json,after2.json -against before1.json,before2.json
//
// Ratios say how many times as fast Protean is: the median over all rounds, in each of which both have their turn, and
// how far its 95 % interval goes. That of a type is the geometric mean of its messages' ratios, and each type has the
// same weight in the mean of all. Allocated and kept are bytes, as a part of what the rival takes; allocations are
// Protean's and the rival's, for each message. Before a job is measured, its results are verified.
//
// The module is not in go.work: what it links would change the versions of what the lab measures. Without a workspace
// (GOWORK=off) it takes Protean from the directory above. The build tag vtprotobuf is that of Envoy's module, which
// has vtprotobuf's code behind it.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/protean-pb/protean/benchmarks/internal/job"
	"github.com/protean-pb/protean/benchmarks/internal/measure"
	"github.com/protean-pb/protean/benchmarks/internal/messages"
	"github.com/protean-pb/protean/benchmarks/internal/report"
)

func main() {
	err := run(os.Args[1:], os.Stdout, os.Stderr)
	var u usageError
	switch {
	case errors.Is(err, flag.ErrHelp):
	case errors.As(err, &u):
		fmt.Fprintln(os.Stderr, "benchmarks:", err)
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "benchmarks:", err)
		os.Exit(1)
	}
}

// A usageError is a mistake on the command line.
type usageError struct{ error }

// config is what the command line says.
type config struct {
	jobs    []job.Job
	modes   []measure.Mode
	types   string
	options measure.Options
}

func run(args []string, stdout, stderr io.Writer) error {
	var c config
	flags := flag.NewFlagSet("benchmarks", flag.ContinueOnError)
	flags.SetOutput(stderr)
	jobs := flags.String("jobs", "marshal,unmarshal", "`names` of jobs, or all")
	modes := flags.String("modes", "gc-off,gc-on", "`names` of modes, or all")
	flags.StringVar(&c.types, "types", "", "`parts` of the names of messages (otlp,gtfs,rpc-status/small); empty: all")
	flags.DurationVar(&c.options.Time, "time", time.Second,
		"how long each job on each message is measured in each mode; 0: count memory only")
	flags.IntVar(&c.options.Goroutines, "goroutines", 2, "how many goroutines work in the mode parallel")
	sizes := flags.Bool("sizes", false, "print a row for each message, not for each type")
	out := flags.String("out", "", "write results to this `file`")
	in := flags.String("in", "", "read results from `files` instead of measuring")
	against := flags.String("against", "", "compare with the results in `files`")
	list := flags.Bool("list", false, "list types, jobs and modes")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return err
		}
		return usageError{err}
	}
	if flags.NArg() > 0 {
		return usageError{fmt.Errorf("%q is not a flag", flags.Arg(0))}
	}
	var err error
	if c.jobs, err = choose("job", job.All, *jobs, func(j job.Job) string { return j.Name }); err != nil {
		return err
	}
	if c.modes, err = choose("mode", measure.Modes, *modes, func(m measure.Mode) string { return m.Name }); err != nil {
		return err
	}
	if *list {
		return printList(stdout)
	}
	var before report.File
	if *against != "" {
		if before, err = report.Read(strings.Split(*against, ",")); err != nil {
			return err
		}
	}
	var results report.File
	if *in != "" {
		results, err = report.Read(strings.Split(*in, ","))
	} else {
		results, err = c.measure(stderr)
	}
	if err != nil {
		return err
	}
	if *out != "" {
		if err := results.Write(*out); err != nil {
			return err
		}
	}
	if *against != "" {
		return report.Compare(stdout, before, results)
	}
	report.Print(stdout, results, *sizes)
	return nil
}

// choose returns those of the list that are named.
func choose[T any](kind string, list []T, names string, name func(T) string) ([]T, error) {
	if names == "all" {
		return list, nil
	}
	var chosen []T
	for _, n := range strings.Split(names, ",") {
		i := slices.IndexFunc(list, func(x T) bool { return name(x) == n })
		if i < 0 {
			return nil, usageError{fmt.Errorf("no %s is named %q: see -list", kind, n)}
		}
		chosen = append(chosen, list[i])
	}
	return chosen, nil
}

// chosen are the messages whose names have one of the parts in them.
func (c config) chosen() []messages.Message {
	return slices.DeleteFunc(messages.All(), func(m messages.Message) bool {
		return !slices.ContainsFunc(strings.Split(c.types, ","), func(part string) bool {
			return strings.Contains(m.Name(), part)
		})
	})
}

func (c config) measure(stderr io.Writer) (report.File, error) {
	f := report.File{Environment: environment(c)}
	all := c.chosen()
	if len(all) == 0 {
		return f, usageError{fmt.Errorf("no message is named %q: see -list", c.types)}
	}
	for i, m := range all {
		fmt.Fprintf(stderr, "%d of %d: %s\n", i+1, len(all), m.Name())
		s, err := job.NewSubject(m.New())
		if err != nil {
			return f, fmt.Errorf("%s: %w", m.Name(), err)
		}
		for _, j := range c.jobs {
			results, err := c.measureJob(m, s, j)
			if err != nil {
				return f, fmt.Errorf("%s of %s: %w", j.Name, m.Name(), err)
			}
			f.Results = append(f.Results, results...)
		}
	}
	if len(f.Results) == 0 {
		return f, errors.New("none of the jobs applies to any of the messages")
	}
	order := func(r report.Result) int {
		return slices.IndexFunc(job.All, func(j job.Job) bool { return j.Name == r.Job })
	}
	slices.SortStableFunc(f.Results, func(a, b report.Result) int { return order(a) - order(b) })
	return f, nil
}

// measureJob measures one job on one message in all modes; there are no results if it does not apply.
func (c config) measureJob(m messages.Message, s *job.Subject, j job.Job) ([]report.Result, error) {
	p, ok := j.Bind(s)
	if !ok {
		return nil, nil
	}
	if err := p.Check(); err != nil {
		return nil, err
	}
	r := report.Result{Job: j.Name, Against: j.Against, Type: m.Type, Size: m.Size, Wire: len(s.Wire)}
	var err error
	if r.Rival, r.Protean, err = measure.Memory(p); err != nil || c.options.Time <= 0 {
		return []report.Result{r}, err
	}
	bind := func() job.Pair {
		p, _ := j.Bind(s)
		return p
	}
	var all []report.Result
	for _, mode := range c.modes {
		timed := r
		timed.Mode = mode.Name
		if timed.Ratio, err = measure.Times(mode, c.options, bind, &timed.Rival, &timed.Protean); err != nil {
			return nil, err
		}
		all = append(all, timed)
	}
	return all, nil
}

// environment is what the figures depend on.
func environment(c config) map[string]string {
	e := map[string]string{
		"go":         runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH,
		"processors": fmt.Sprint(runtime.NumCPU()),
		"time":       c.options.Time.String(),
	}
	for _, m := range c.modes {
		if c.options.Time <= 0 {
			break
		}
		e["clock, "+m.Title] = m.Clock()
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, d := range info.Deps {
			if d.Path == "google.golang.org/protobuf" {
				e["google.golang.org/protobuf"] = d.Version
			}
		}
		for _, s := range info.Settings {
			if s.Key == "-tags" {
				e["build tags"] = s.Value
			}
		}
	}
	return e
}

func printList(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "type\tsize\tmodule\tshape")
	for _, m := range messages.All() {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", m.Type, m.Size, m.Module, m.Shape)
	}
	fmt.Fprintln(t, "\njob\tagainst\twhat")
	for _, j := range job.All {
		fmt.Fprintf(t, "%s\t%s\t%s\n", j.Name, j.Against, j.About)
	}
	fmt.Fprintln(t, "\nmode\tclock\twhat")
	for _, m := range measure.Modes {
		fmt.Fprintf(t, "%s\t%s\t%s\n", m.Name, m.Clock(), m.Title)
	}
	return t.Flush()
}
