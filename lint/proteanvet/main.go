// Command proteanvet runs the analyzers of package vet.
//
//	go vet -vettool=$(which proteanvet) ./...
//	proteanvet ./...                       # by itself; -fix applies the fixes, -json prints JSON
//	proteanvet -profile cpu.pprof ./...    # ranked by the share of the profile that they explain
//
// The exit code is 0 if there is nothing to report, 3 if there is, as of other commands of
// go/analysis, 1 if packages cannot be loaded, and 2 if the command line is wrong.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis/multichecker"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/protean-pb/protean/lint/callsite"
	"github.com/protean-pb/protean/lint/vet"
)

func main() {
	args := os.Args[1:]
	switch {
	case isVetTool(args):
		unitchecker.Main(vet.Analyzers()...)
	case hasProfile(args):
		os.Exit(ranked(args, os.Stdout, os.Stderr))
	default:
		multichecker.Main(vet.Analyzers()...)
	}
}

// isVetTool reports whether it is the go command that runs this one: it asks for the version and the
// flags, and then hands over the description of one package after the other.
func isVetTool(args []string) bool {
	return slices.ContainsFunc(args, func(a string) bool {
		return strings.HasPrefix(a, "-V=") || a == "-flags" || strings.HasSuffix(a, ".cfg")
	})
}

func hasProfile(args []string) bool {
	return slices.ContainsFunc(args, func(a string) bool {
		name, _, _ := strings.Cut(strings.TrimLeft(a, "-"), "=")
		return name == "profile" && strings.HasPrefix(a, "-")
	})
}

// ranked prints findings by the share of a profile that they explain.
func ranked(args []string, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("proteanvet", flag.ContinueOnError)
	fs.SetOutput(stderr)
	file := fs.String("profile", "", "`FILE` of pprof to rank findings by")
	if fs.Parse(args) != nil {
		return 2
	}
	patterns := fs.Args()
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	profile, err := callsite.ReadProfile(*file)
	if err != nil {
		fmt.Fprintf(stderr, "proteanvet: %v\n", err)
		return 2
	}
	found, err := callsite.Check("", patterns)
	if err != nil {
		fmt.Fprintf(stderr, "proteanvet: %v\n", err)
		return 1
	}
	profile.Explain(found)
	for _, f := range found {
		fmt.Fprintf(stdout, "%5.1f%% %s\n", 100*profile.Share(&f), f.String())
	}
	if len(found) > 0 {
		return 3
	}
	return 0
}
