package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/protean-pb/protean/cmd/protean/internal/inspect"
	"github.com/protean-pb/protean/cmd/protean/internal/suite"
	"github.com/protean-pb/protean/cmd/protean/internal/usererr"
)

// inspectFlags are the flags of protean inspect as given.
type inspectFlags struct {
	inputFlags
	sample string
	full   bool
	format string
}

const inspectExample = `  # the wire form of your message, and where its bytes go
  protean inspect --proto api/event.proto --message acme.v1.Event --data samples.jsonl

  # the third of them, nothing left out
  protean inspect --proto api/event.proto --message acme.v1.Event --data samples.jsonl --sample 3 --full

  # what a JSON document is as a google.protobuf.Struct
  echo '{"age": 30}' | protean inspect --data -

  # bytes of which nobody knows the type
  protean inspect --data unknown.binpb`

func inspectCommand() *cobra.Command {
	f := &inspectFlags{}
	cmd := &cobra.Command{
		Use:   "inspect",
		Short: "List what the bytes of a message are, and say where they go",
		Long: `List what the bytes of a message are, and say where they go.

The listing has a line for each field on the wire: where it begins, how many bytes it
takes, what they are, its number and wire type, its name and its value. Below it stands
how many bytes are tags, lengths, keys, numbers and text, for the message as it is, as
a google.protobuf.Value, as a Struct and as JSON.

Without a schema, a JSON document is listed as the Struct or Value that it is, and
binary data as far as it explains itself. The exit code is 1 if a message is not
well-formed: then its listing ends where it is wrong.`,
		Example: inspectExample,
		Args:    noFiles,
		RunE:    func(c *cobra.Command, _ []string) error { return f.run(c) },
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	f.add(fs, "built-in suite `NAME`, whose payloads are inspected where no data is named (default "+defaultSuite+
		"; see protean list suites)")
	fs.StringVar(&f.sample, "sample", "1", "`NUMBER` of the message to list, from 1; or all")
	fs.BoolVar(&f.full, "full", false, "list every line, byte and character, however many")
	fs.StringVar(&f.format, "format", "table", "`FORMAT` of the listing: table, markdown, json")
	return cmd
}

// A malformedError says where a message is wrong that has been listed up to there.
type malformedError struct{ error }

func (f *inspectFlags) run(c *cobra.Command) error {
	format, err := pageFormat(f.format)
	if err != nil {
		return err
	}
	payloads, err := f.records(c.InOrStdin())
	if err != nil {
		return err
	}
	var found []*inspect.Result
	var problems []*usererr.InputError
	for _, p := range payloads {
		show, err := f.shows(p)
		if err != nil {
			return err
		}
		r, err := inspect.Inspect(p.name, p.Records, show)
		if err != nil {
			return err
		}
		found = append(found, r)
		problems = append(problems, r.Problems...)
	}
	out := c.OutOrStdout()
	if err := inspect.Write(out, found, format, inspect.Options{Options: display(out), Full: f.full}); err != nil {
		return err
	}
	return malformed(problems)
}

func malformed(problems []*usererr.InputError) error {
	switch more := len(problems) - 1; {
	case more < 0:
		return nil
	case more == 0:
		return malformedError{problems[0]}
	case more == 1:
		return malformedError{fmt.Errorf("%w (and 1 more message is not well-formed)", problems[0])}
	default:
		return malformedError{fmt.Errorf("%w (and %d more messages are not well-formed)", problems[0], more)}
	}
}

// A namedRecords is the messages of one payload.
type namedRecords struct {
	name string // empty for the user's own
	*suite.Records
}

// records reads the user's data, or the payloads of a built-in suite.
func (f *inspectFlags) records(stdin io.Reader) ([]namedRecords, error) {
	switch {
	case !f.own():
		return f.builtin()
	case f.suite != "":
		return nil, errors.New("--suite inspects built-in payloads; leave it out to inspect your own data")
	case len(f.payloads) > 0:
		return nil, errors.New("--payloads are those of a built-in suite; --sample chooses one of your own messages")
	case len(f.source.Data) == 0:
		return nil, errNoData
	case f.source.Message != "" && !f.hasSchema():
		return nil, fmt.Errorf("which schema has %s? give --proto FILE or --descriptor-set FILE", f.source.Message)
	case f.source.Rows != "" && !f.hasSchema():
		return nil, errors.New("--rows names a field of a schema: give --proto FILE or --descriptor-set FILE")
	}
	in, err := suite.LoadRecords(f.from(stdin))
	return []namedRecords{{"", in}}, err
}

// builtin returns the chosen payloads of a built-in suite.
func (f *inspectFlags) builtin() ([]namedRecords, error) {
	s, err := suite.Builtin(cmp.Or(f.suite, defaultSuite))
	if err != nil {
		return nil, err
	}
	payloads, err := choosePayloads(s, f.payloads)
	var out []namedRecords
	for _, p := range payloads {
		out = append(out, namedRecords{p.Name, s.Records(p)})
	}
	return out, err
}

// shows returns which messages of a payload are to be listed.
func (f *inspectFlags) shows(p namedRecords) (func(int) bool, error) {
	if f.sample == "all" {
		return func(int) bool { return true }, nil
	}
	n, err := strconv.Atoi(f.sample)
	if err != nil || n < 1 {
		return nil, fmt.Errorf("--sample %q: expected the number of a message, from 1, or all", f.sample)
	}
	if all := len(p.Records.Records); n > all {
		return nil, fmt.Errorf("--sample %d: the last message is number %d", n, all)
	}
	return func(i int) bool { return i == n }, nil
}
