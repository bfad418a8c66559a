// Command stress looks for memory that the runtime corrupts or lets go too early. Workers read and write messages of
// all kinds at the highest rate, keep what they get (whole messages, or a string, a list element, an entry of a map out
// of one that is dropped), and check much later that it still has the content that it had. Meanwhile garbage is
// collected without a pause, freed memory is used again at once, stacks grow, shrink and are inspected.
//
//	go build -o .bin/stress ./stress
//	GODEBUG=clobberfree=1 GOGC=5 GOMAXPROCS=2 .bin/stress -time 10m
//
// With clobberfree=1 the collector overwrites what it frees; a small GOGC lets it begin more often. make stress runs
// the command with several values of GOMAXPROCS.
//
// Wrong content is a line that begins with MISMATCH, and exit code 1. Corrupted memory mostly ends the program by an
// error of the Go runtime (exit code 2), such as "found bad pointer in Go heap". A clean run of seconds is weak
// evidence: a missing write barrier is found in some runs of ten seconds, not in all.
package main

import (
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A part is one kind of work.
type part struct {
	name, about string
	workers     int // at most; 0 stands for as many as the flag says
	start       func(s *stress, id int, r *rand.Rand) (worker, error)
}

// A worker does the work of a part in one goroutine.
type worker interface {
	turn() // is called until the time is up
	end()  // is called afterwards, when garbage has been collected
}

// parts are all that there are on this platform.
var parts = append([]part{
	{name: "messages", about: "messages of all types, read and kept in whole or in part", start: startMessages},
	{name: "arenas", about: "messages in memory that is used again, and what is left of those before",
		start: startArenas},
	{name: "roots", about: "messages in global variables, read anew at the highest rate", workers: len(roots),
		start: startRoots},
	{name: "trees", about: "google.protobuf.Value as Go values, documents and JSON; maps that are changed",
		start: startTrees},
	{name: "json", about: "ProtoJSON text and Go values in its shapes", start: startJSON},
	{name: "scripts", about: "messages in JavaScript", workers: 2, start: startScripts},
	{name: "gc", about: "collections without a pause, freed memory used again", workers: 2, start: startCollector},
	{name: "stacks", about: "stacks that are inspected", workers: 1, start: startStacks},
}, linuxParts...)

// A stress is one run of the command.
type stress struct {
	seed    uint64
	workers int
	until   time.Time
	samples func() []*sample // made at the first use

	mu         sync.Mutex // for out
	out        io.Writer
	mismatches atomic.Int64
}

// maxMismatches ends a run: more of them say no more.
const maxMismatches = 20

// mismatch notes that something is not as it was.
func (s *stress) mismatch(format string, args ...any) {
	if s.mismatches.Add(1) > maxMismatches {
		return
	}
	s.say("MISMATCH "+format, args...)
}

// say prints a line.
func (s *stress) say(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintf(s.out, format+"\n", args...)
}

// over reports whether the workers are to stop.
func (s *stress) over() bool {
	return s.mismatches.Load() > maxMismatches || !time.Now().Before(s.until)
}

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the command; it returns the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	s := &stress{out: stdout}
	flags := flag.NewFlagSet("stress", flag.ContinueOnError)
	flags.SetOutput(stderr)
	during := flags.Duration("time", time.Minute, "how long")
	names := flags.String("parts", "all", "which parts, separated by commas:\n"+listParts())
	parked := flags.Int("parked", 2000, "goroutines that wait, whose stacks the collector looks through")
	ballast := flags.Int("ballast", 100_000, "live objects that the collector marks each time")
	flags.IntVar(&s.workers, "workers", 8, "goroutines for each part")
	flags.Uint64Var(&s.seed, "seed", uint64(time.Now().UnixNano()), "of the random numbers")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	chosen, err := choose(*names)
	if err == nil && (flags.NArg() > 0 || s.workers < 1) {
		err = fmt.Errorf("usage: stress [flags], with one worker at least")
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 2
	}
	s.say("seed %d, GOMAXPROCS %d, GOGC %q, GODEBUG %q, %s",
		s.seed, runtime.GOMAXPROCS(0), os.Getenv("GOGC"), os.Getenv("GODEBUG"), runtime.Version())
	s.samples = sync.OnceValue(func() []*sample { return makeSamples(s.seed) })
	live.Store(newTree(*ballast))
	defer live.Store(nil)
	defer park(*parked)()
	if err := s.work(chosen, *during); err != nil {
		fmt.Fprintln(stderr, err)
		return 2
	}
	if n := s.mismatches.Load(); n > 0 {
		s.say("%d mismatches", n)
		return 1
	}
	return 0
}

func listParts() string {
	var b strings.Builder
	for _, p := range parts {
		fmt.Fprintf(&b, "  %-10s%s\n", p.name, p.about)
	}
	return b.String()
}

// choose returns the parts of those names.
func choose(names string) ([]part, error) {
	if names == "all" {
		return parts, nil
	}
	var chosen []part
	for name := range strings.SplitSeq(names, ",") {
		i := slices.IndexFunc(parts, func(p part) bool { return p.name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no part %q; there are, on this platform:\n%s", name, listParts())
		}
		chosen = append(chosen, parts[i])
	}
	return chosen, nil
}

// work has all workers of the parts work for that long, and says what they did.
func (s *stress) work(chosen []part, during time.Duration) error {
	type crew struct {
		workers []worker
		turns   atomic.Int64
	}
	crews := make([]crew, len(chosen))
	for i, p := range chosen {
		n := s.workers
		if p.workers > 0 {
			n = min(n, p.workers)
		}
		for id := range n {
			w, err := p.start(s, id, rand.New(rand.NewPCG(s.seed, uint64(i)<<32|uint64(id))))
			if err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
			crews[i].workers = append(crews[i].workers, w)
		}
	}
	s.until = time.Now().Add(during)
	var all sync.WaitGroup
	for i := range crews {
		for _, w := range crews[i].workers {
			all.Go(func() {
				for n := 0; n == 0 || !s.over(); n++ {
					w.turn()
					crews[i].turns.Add(1)
				}
			})
		}
	}
	all.Wait()
	runtime.GC()
	runtime.GC() // what the first took from pools
	for i := range crews {
		for _, w := range crews[i].workers {
			w.end()
		}
		s.say("%-10s%9d turns", chosen[i].name, crews[i].turns.Load())
	}
	s.checkBoard()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	s.say("%d collections", m.NumGC)
	return nil
}
