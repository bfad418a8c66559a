//go:build unix

// Package rig measures what calls cost in two processes, a server and a client, on loopback: processor time,
// allocations, latencies. Variants take turns, so that a machine that drifts drifts for all.
package rig

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// An App is what is measured. What a variant is, its name says.
type App struct {
	// Serve starts a server on a free port of 127.0.0.1.
	Serve func(variant string) (addr string, stop func(), err error)
	// Dial returns a function that makes one call, which may be called concurrently.
	Dial func(variant, addr string) (call func(context.Context) error, stop func(), err error)
}

// childArg is the first argument of a process that a Pair has started.
const childArg = "rig-child"

// Child does the work of a process that [Start] has started, and ends it. In other processes it does nothing. It must
// be the first thing in main.
func Child(app App) {
	if len(os.Args) < 4 || os.Args[1] != childArg {
		return
	}
	stop, err := profile(os.Args[2], os.Args[3])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	err = errors.New("unknown role")
	switch role, variant := os.Args[2], os.Args[3]; role {
	case "server":
		err = serve(app, variant)
	case "client":
		err = call(app, variant, os.Args[4])
	}
	if err = errors.Join(err, stop()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// profiles is the environment variable with the folder that [Profile] names.
const profiles = "PROTEAN_RIG_PROFILES"

// Profile has all processes that are started from now on write profiles of their processor time to a folder, each to a
// file of its own.
func Profile(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return os.Setenv(profiles, dir)
}

// profile writes the profile of this process until stop is called, if that is asked for.
func profile(role, variant string) (stop func() error, err error) {
	dir := os.Getenv(profiles)
	if dir == "" {
		return func() error { return nil }, nil
	}
	f, err := os.Create(filepath.Join(dir, strings.ReplaceAll(variant, "/", "-")+"-"+role+".pprof"))
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() error {
		pprof.StopCPUProfile()
		return f.Close()
	}, nil
}

// A Load is what a client does in one round.
type Load struct {
	Calls   int // of all callers together
	Callers int
	Rate    float64 // calls a second; 0: each caller makes a call after the other
}

// longest is how long a round may take.
const longest = 2 * time.Minute

// usage is what a process has used since it began.
type usage struct {
	CPU           time.Duration // of user and system
	Allocs, Bytes uint64
}

func (u usage) since(before usage) usage {
	return usage{u.CPU - before.CPU, u.Allocs - before.Allocs, u.Bytes - before.Bytes}
}

func ownUsage() (usage, error) {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return usage{}, err
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return usage{time.Duration(r.Utime.Nano() + r.Stime.Nano()), m.Mallocs, m.TotalAlloc}, nil
}

// A round is what a client says of one.
type round struct {
	Usage    usage
	Time     time.Duration
	P50, P99 time.Duration
}

// serve serves until its standard input ends, and answers each line with what it has used.
func serve(app App, variant string) error {
	addr, stop, err := app.Serve(variant)
	if err != nil {
		return err
	}
	defer stop()
	fmt.Println(addr)
	return answer(func([]byte) (any, error) { return ownUsage() })
}

// call makes calls as each line of its standard input says.
func call(app App, variant, addr string) error {
	do, stop, err := app.Dial(variant, addr)
	if err != nil {
		return err
	}
	defer stop()
	return answer(func(line []byte) (any, error) {
		var l Load
		if err := json.Unmarshal(line, &l); err != nil {
			return nil, err
		}
		return run(do, l)
	})
}

func answer(f func(line []byte) (any, error)) error {
	in, out := bufio.NewReader(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		v, err := f(line)
		if err == nil {
			err = out.Encode(v)
		}
		if err != nil {
			return err
		}
	}
}

func run(do func(context.Context) error, l Load) (round, error) {
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	before, err := ownUsage()
	if err != nil {
		return round{}, err
	}
	start := time.Now()
	latencies := make([][]time.Duration, l.Callers)
	errs := make([]error, l.Callers)
	var group sync.WaitGroup
	for c := range l.Callers {
		group.Go(func() { latencies[c], errs[c] = caller(ctx, do, l, c, start) })
	}
	group.Wait()
	took := time.Since(start)
	after, err := ownUsage()
	if err := errors.Join(append(errs, err)...); err != nil {
		return round{}, err
	}
	all := slices.Concat(latencies...)
	slices.Sort(all)
	return round{after.since(before), took, all[len(all)/2], all[len(all)*99/100]}, nil
}

// caller makes a caller's share of the calls. At a fixed rate a call's latency counts from when it was due, if the one
// before it was late; else from when the caller has woken up, since Go's timers may be a millisecond late.
func caller(
	ctx context.Context, do func(context.Context) error, l Load, c int, start time.Time,
) ([]time.Duration, error) {
	latencies := make([]time.Duration, 0, l.Calls/l.Callers)
	for i := range l.Calls / l.Callers {
		due := time.Now()
		if l.Rate > 0 {
			due = start.Add(time.Duration(float64(i*l.Callers+c) / l.Rate * float64(time.Second)))
			if wait := time.Until(due); wait > 0 {
				time.Sleep(wait)
				due = time.Now()
			}
		}
		if err := do(ctx); err != nil {
			return nil, err
		}
		latencies = append(latencies, time.Since(due))
	}
	return latencies, nil
}
