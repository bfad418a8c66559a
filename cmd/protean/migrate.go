package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/protean-pb/protean/cmd/protean/internal/migrate"
	"github.com/protean-pb/protean/cmd/protean/internal/suite"
)

// migrateFlags are the flags of protean migrate as given.
type migrateFlags struct {
	before, after       migrate.Source
	importPaths         []string
	message, newMessage string
	data                migrate.Data
	dataFormat          string
	wires, rollout      string
	bytes               string
	samplesOnly         bool
	format              string
}

const migrateExample = `  # what becomes of your data, whichever of readers and writers is new first
  protean migrate --old v1/event.proto --new v2/event.proto --message acme.v1.Event --data samples.jsonl

  # in binary form alone, if every reader takes the new schema before the first writer does
  protean migrate --old v1 --new v2 --message Event --data samples.binpb --wire binary --rollout readers-first

  # compiled schemas; the message has another name
  protean migrate --old old.binpb --new new.binpb --message acme.v1.Event --new-message acme.v2.Event`

func migrateCommand() *cobra.Command {
	f := &migrateFlags{}
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Prove what a change of your schema does to your data",
		Long: `Prove what a change of your schema does to your data.

Messages are written by one version of the schema and read by the other, in both
directions, in binary form and in ProtoJSON: your samples, and values of its own at the
edges of every field that differs. For each path it says whether values stay the same,
change in form only, are lost or altered silently, or are refused with an error. Where
they do not survive, it says what is safe instead, and proves that too.

The exit code is 1 if something is lost, altered or refused in the order of the rollout.`,
		Example: migrateExample,
		Args:    noFiles,
		RunE:    func(c *cobra.Command, _ []string) error { return f.run(c) },
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.StringArrayVar(&f.before.Paths, "old", nil, "old `SCHEMA`: a .proto file, a folder of them, or a descriptor set (files may be repeated)")
	fs.StringArrayVar(&f.after.Paths, "new", nil, "new `SCHEMA`, likewise")
	fs.StringArrayVarP(&f.importPaths, "proto_path", "I", nil, "`FOLDER` to look imports of both up in (may be repeated)")
	fs.StringArrayVar(&f.before.ImportPaths, "old-path", nil, "`FOLDER` to look imports of the old schema up in (may be repeated)")
	fs.StringArrayVar(&f.after.ImportPaths, "new-path", nil, "`FOLDER` to look imports of the new schema up in (may be repeated)")
	fs.StringVar(&f.message, "message", "", "full `NAME` of the message type")
	fs.StringVar(&f.newMessage, "new-message", "", "`NAME` that it has in the new schema, if another")
	fs.StringArrayVar(&f.data.Files, "data", nil, "`FILE` of samples, as old or new writers have them: JSON or binary; - for standard input (may be repeated)")
	fs.StringArrayVar(&f.data.Old, "old-data", nil, "`FILE` of samples of old writers alone (may be repeated)")
	fs.StringArrayVar(&f.data.New, "new-data", nil, "`FILE` of samples of new writers alone (may be repeated)")
	fs.StringVar(&f.dataFormat, "data-format", "auto", "`FORMAT` of the samples: auto, json, binary (one message a file), delimited")
	fs.IntVar(&f.data.Most, "samples", 1000, "`NUMBER` of samples to try at most; 0 is all")
	fs.StringVar(&f.wires, "wire", "binary,json", "`FORMS` in which the messages travel: binary, json or both")
	fs.StringVar(&f.rollout, "rollout", "both", "`ORDER` of the rollout: readers-first (old writers, new readers), writers-first, or both for no order")
	fs.StringVar(&f.bytes, "bytes", "any", "`WHAT` new values of bytes hold where the other side has a message: any, or message for its wire form")
	fs.BoolVar(&f.samplesOnly, "samples-only", false,
		"try the samples alone, without values at the edges of what differs")
	fs.StringVar(&f.format, "format", "table", "`FORMAT` of the report: table, markdown, json")
	return cmd
}

// errUnsafe is the outcome of a change that does harm, which has been printed.
var errUnsafe = errors.New("the change is not safe")

func (f *migrateFlags) run(c *cobra.Command) error {
	format, err := pageFormat(f.format)
	if err != nil {
		return err
	}
	o, order, err := f.options()
	if err != nil {
		return err
	}
	before, after, err := f.sides()
	if err != nil {
		return err
	}
	f.data.Format, f.data.Stdin = suite.DataFormat(f.dataFormat), c.InOrStdin()
	samples, err := f.data.Read(before, after)
	if err != nil {
		return err
	}
	r, err := migrate.Prove(c.Context(), before, after, samples, o)
	if err != nil {
		return err
	}
	plans, err := migrate.Plans(c.Context(), before, after, samples, o, r, order)
	if err != nil {
		return err
	}
	out := c.OutOrStdout()
	all := &migrate.Report{Result: r, Order: order, Plans: plans}
	if err := all.Write(out, format, display(out)); err != nil {
		return err
	}
	if all.Failed() {
		return errUnsafe
	}
	return nil
}

// options are what to try.
func (f *migrateFlags) options() (o migrate.Options, order migrate.Rollout, err error) {
	o.SamplesOnly = f.samplesOnly
	if o.Wires, err = migrate.ParseWires(f.wires); err != nil {
		return o, order, fmt.Errorf("--wire %w", err)
	}
	if order, err = migrate.ParseRollout(f.rollout); err != nil {
		return o, order, fmt.Errorf("--rollout %w", err)
	}
	switch f.bytes {
	case "any":
	case "message":
		o.BytesHoldMessages = true
	default:
		return o, order, fmt.Errorf("--bytes %q: expected any or message", f.bytes)
	}
	if f.data.Most < 0 {
		return o, order, fmt.Errorf("--samples %d: must not be below 0", f.data.Most)
	}
	if f.samplesOnly && len(f.data.Files)+len(f.data.Old)+len(f.data.New) == 0 {
		return o, order, fmt.Errorf("--samples-only: %w", errNoData)
	}
	return o, order, nil
}

// sides compiles both versions.
func (f *migrateFlags) sides() (before, after *migrate.Side, err error) {
	switch {
	case len(f.before.Paths) == 0:
		return nil, nil, errors.New("which old schema? give --old FILE, a folder or a descriptor set")
	case len(f.after.Paths) == 0:
		return nil, nil, errors.New("which new schema? give --new FILE, a folder or a descriptor set")
	}
	f.before.ImportPaths = append(f.before.ImportPaths, f.importPaths...)
	f.after.ImportPaths = append(f.after.ImportPaths, f.importPaths...)
	return migrate.Sides(f.before, f.after, f.message, f.newMessage)
}
