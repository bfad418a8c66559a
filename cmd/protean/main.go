// Command protean measures what each serialization strategy costs on your
// schema and your payloads: bytes, time and allocations, each variant verified
// before it is timed.
//
// Results go to standard output, progress to standard error. The exit code is 0
// when all went well, 1 when a variant failed or the command found what it looks for (a regression, a wrong record, a
// change that is not safe), 2 when the command line or its input is wrong, and 130 when the run was interrupted.
package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/protean-pb/protean/cmd/protean/internal/usererr"
)

// Programs are built against the very modules that the command was built with.
var (
	//go:embed go.mod
	goMod []byte
	//go:embed go.sum
	goSum []byte
)

// The exit codes.
const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2
	exitInterrupted = 130
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// found are the outcomes, printed already, for which the exit code is 1.
var found = []error{errFailed, errWorse, errWrongRecords, errNotConverted, errUnsafe, errUnfit, errFound}

// Outcomes of a run that has printed what there is to print.
var (
	errFailed      = errors.New("a variant failed")
	errInterrupted = errors.New("interrupted")
	// errNotConverted: protean convert has left out records and listed them.
	errNotConverted = errors.New("a record was not converted")
)

// run executes the command line and returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := &cobra.Command{
		Use:           "protean",
		Short:         "Measure what each serialization strategy costs on your schema and your payloads",
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          noCommand,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.AddCommand(
		complete(benchCommand(), "table", "markdown", "json", "csv", "bench"),
		complete(compareCommand(), "table", "markdown", "json"),
		complete(convertCommand()),
		complete(inferCommand(), "table", "markdown", "json"),
		complete(inspectCommand(), "table", "markdown", "json"),
		complete(migrateCommand(), "table", "markdown", "json"),
		complete(lintCommand(), "table", "markdown", "json"),
		complete(reportCommand(), "table", "markdown", "json", "csv"),
		catCommand(), listCommand(), jsTypesCommand(), cleanCommand(), versionCommand())
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	switch {
	case err == nil:
		return exitOK
	case slices.ContainsFunc(found, func(f error) bool { return errors.Is(err, f) }):
		return exitFailed
	case errors.Is(err, errInterrupted), errors.Is(err, context.Canceled):
		return exitInterrupted
	}
	complain(stderr, err)
	if errors.As(err, new(malformedError)) {
		return exitFailed
	}
	return exitUsage
}

// complain says what is wrong.
func complain(stderr io.Writer, err error) {
	for _, line := range messages(err) {
		fmt.Fprintf(stderr, "protean: %s\n", strings.Join(strings.Fields(line), " "))
	}
}

// messages returns the lines that say what is wrong: several only where files have several
// errors.
func messages(err error) []string {
	var several usererr.InputErrors
	if errors.As(err, &several) {
		return strings.Split(several.Error(), "\n")
	}
	return []string{err.Error()}
}

// noCommand refuses a word that is no command, and guesses what was meant.
func noCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var known []string
	for _, c := range root.Commands() {
		known = append(known, c.Name())
	}
	return fmt.Errorf("unknown command %q%s (protean --help lists all)", args[0], usererr.DidYouMean(args[0], known))
}
