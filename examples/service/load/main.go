//go:build unix

// Command load measures what calls cost in grpc-go and connect-go with the official codec and with Protean's: processor
// time and allocations of server and client together, and latencies. Both run on loopback, in processes of their own,
// and take turns.
//
//	go run ./load                                      # grpc, unary calls of all workloads, one call after the other
//	go run ./load -framework connect -workload struct,otlp -rate 2000
//	go run ./load -kind up,down,both -gzip
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/examples/service/internal/rig"
)

func main() {
	rig.Child(app)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := command(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		if errors.As(err, new(usageError)) {
			os.Exit(2)
		}
		os.Exit(1)
	}
}

// A usageError is a mistake in the flags.
type usageError struct{ error }

// options are the flags.
type options struct {
	frameworks, kinds, workloads []string
	codec                        string
	gzip                         bool
	load                         rig.Load
	rounds                       int
	profiles                     string
}

// The bounds of what can be asked for: the program ends by itself.
const (
	mostCalls  = 1_000_000
	mostRounds = 100
)

// parse reads the flags; the error is flag.ErrHelp when their list is printed instead.
func parse(args []string, w io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("load", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // errors are returned
	var names []string
	for _, w := range workloads {
		names = append(names, w.name)
	}
	list := func(name, value, usage string, known []string, to *[]string) {
		*to = strings.Split(value, ",")
		flags.Func(name, usage+" ("+strings.Join(known, ",")+"; default "+value+")", func(s string) error {
			*to = strings.Split(s, ",")
			for _, v := range *to {
				if !slices.Contains(known, v) {
					return fmt.Errorf("%q is none of %s", v, strings.Join(known, ", "))
				}
			}
			return nil
		})
	}
	list("framework", "grpc", "frameworks", frameworks, &o.frameworks)
	list("kind", "unary", "kinds of calls", kinds, &o.kinds)
	list("workload", strings.Join(names, ","), "workloads", names, &o.workloads)
	flags.StringVar(&o.codec, "codec", "protean",
		"what the official codec is compared with: protean, or with grpc option or arena")
	flags.BoolVar(&o.gzip, "gzip", false, "compress messages")
	flags.IntVar(&o.load.Calls, "calls", 4000, "calls a round")
	flags.IntVar(&o.load.Callers, "callers", 8, "callers at the same time")
	flags.Float64Var(&o.load.Rate, "rate", 0, "calls a second; 0: as fast as they can")
	flags.StringVar(&o.profiles, "profile", "", "a folder for profiles of the processor time, two for each variant")
	flags.IntVar(&o.rounds, "rounds", 5, "rounds")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		flags.SetOutput(w)
		flags.PrintDefaults()
		return o, err
	} else if err != nil {
		return o, usageError{err}
	}
	switch {
	case flags.NArg() > 0:
		return o, usageError{fmt.Errorf("unexpected argument %q", flags.Arg(0))}
	case o.load.Callers < 1 || o.load.Callers > 1000 || o.load.Calls < o.load.Callers || o.load.Calls > mostCalls:
		return o, usageError{fmt.Errorf("%d calls of %d callers: at least one each, and %d calls at most",
			o.load.Calls, o.load.Callers, mostCalls)}
	case o.rounds < 1 || o.rounds > mostRounds || o.load.Rate < 0:
		return o, usageError{fmt.Errorf("%d rounds at a rate of %v: 1 to %d rounds, and no negative rate",
			o.rounds, o.load.Rate, mostRounds)}
	case !slices.Contains(codecs[1:], o.codec):
		return o, usageError{fmt.Errorf("codec %q is none of %s", o.codec, strings.Join(codecs[1:], ", "))}
	}
	return o, nil
}

func command(ctx context.Context, args []string, w io.Writer) error {
	o, err := parse(args, w)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	if o.profiles != "" {
		if err := rig.Profile(o.profiles); err != nil {
			return err
		}
	}
	fmt.Fprint(w, "| calls | bytes | official | "+o.codec+
		" | ratio | rounds | allocations | p50 | p99 | calls a second |\n"+
		"|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, f := range o.frameworks {
		for _, kind := range o.kinds {
			for _, name := range o.workloads {
				if err := compare(ctx, w, o, f, kind, name); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// compare measures and writes one line of the table. What is measured twice is the official codec's, then the other's.
func compare(ctx context.Context, w io.Writer, o options, framework, kind, name string) error {
	wl, err := workloadNamed(name)
	if err != nil {
		return err
	}
	v := variant{framework, o.codec, wl, kind, o.gzip}
	if _, err := parseVariant(v.String()); err != nil {
		return usageError{err}
	}
	official := v
	official.codec = "official"
	c, err := rig.Compare(ctx, official.String(), v.String(), o.load, o.rounds)
	if err != nil {
		return err
	}
	what := strings.Join([]string{framework, name, kind}, " ")
	if o.gzip {
		what += " gzip"
	}
	const row = "| %s | %d | %v | %v | %.0f %% | %.0f–%.0f %% | %.0f → %.0f | %v → %v | %v → %v | %.0f → %.0f |\n"
	_, err = fmt.Fprintf(w, row, what, proto.Size(wl.message),
		micro(c.Old.CPU), micro(c.New.CPU), 100*c.Ratio, 100*c.Low, 100*c.High, c.Old.Allocs, c.New.Allocs,
		micro(c.Old.P50), micro(c.New.P50), micro(c.Old.P99), micro(c.New.P99), c.Old.Rate, c.New.Rate)
	return err
}

func micro(d time.Duration) time.Duration { return d.Round(100 * time.Nanosecond) }
