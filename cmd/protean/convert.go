package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/protean-pb/protean/cmd/protean/internal/lab"
	"github.com/protean-pb/protean/cmd/protean/internal/suite"
	"github.com/protean-pb/protean/records"
)

// convertFlags are the flags of protean convert as given.
type convertFlags struct {
	source     suite.Source // its schema, message and data
	from, to   string
	dataFormat string
	out        string
	outFormat  string
	lock, rest string
	keepGoing  bool
	alter      bool
	maxSize    int
	workers    int
	quiet      bool
}

const convertExample = `  # JSON lines as messages of your schema, each after its length
  protean convert --from json --to proto --proto event.proto --message acme.v1.Event \
      --data events.jsonl.gz -o events.delim

  # and back, as ProtoJSON
  protean convert --from proto --to protojson --proto event.proto --message acme.v1.Event \
      --data events.delim -o events.jsonl

  # a dump of MongoDB as google.protobuf.Struct; times and ids become strings
  protean convert --from bson --to struct --alter --data events.bson -o events.delim`

func convertCommand() *cobra.Command {
	f := &convertFlags{}
	cmd := &cobra.Command{
		Use:   "convert --from FORM --to FORM",
		Short: "Convert data between JSON, google.protobuf.Value, messages, BSON and MessagePack",
		Long: `Convert data between JSON, google.protobuf.Value, messages, BSON and MessagePack.

The forms are json (documents, an array of them, or lines), jsonl (a document a line),
value, struct and list (the messages of google/protobuf/struct.proto in wire form), proto
(messages of your schema in wire form), protojson, bson and msgpack.

Records are read, converted by all processors and written one after the other, in their
order. The first one that cannot be converted ends the work; with --keep-going it is left
out and counted. What the other form cannot hold exactly, such as an integer beyond 2^53
in a Value, is such a record too; with --alter it becomes the nearest thing and is counted.
The exit code is 1 if a record was not converted. A file that is written appears when all
is done.`,
		Example: convertExample,
		Args:    noFiles,
		RunE:    func(c *cobra.Command, _ []string) error { return f.run(c) },
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.StringVar(&f.from, "from", "", "`FORM` of the data: "+strings.Join(formNames(), ", "))
	fs.StringVar(&f.to, "to", "", "`FORM` to convert it to; the same")
	fs.StringArrayVar(&f.source.Data, "data", nil,
		"`FILE` of records, as it is or in gzip or zstd; - for standard input (may be repeated)")
	fs.StringVar(&f.dataFormat, "data-format", "auto",
		"`FORMAT` of data in wire form: delimited, binary (one record a file, as .pb, .binpb and .bin are by themselves)")
	schemaFlags(fs, &f.source)
	fs.StringVar(&f.source.Message, "message", "", "full `NAME` of the message type of proto and protojson")
	fs.StringVar(&f.lock, "lock", "", "lock`FILE` of protean infer, by which documents become messages and come back")
	fs.StringVar(&f.rest, "rest", "", "`NAME` of the field of the message, a Struct, for members that have no field")
	fs.StringVarP(&f.out, "out", "o", "",
		"`FILE` to write to, compressed if its name ends in .gz or .zst (default standard output)")
	fs.StringVar(&f.outFormat, "out-format", "delimited",
		"`FORMAT` of what is written in wire form: delimited, binary (one record a file, in the folder --out)")
	fs.BoolVarP(&f.keepGoing, "keep-going", "k", false, "leave out and count records that cannot be converted")
	fs.BoolVar(&f.alter, "alter", false, "give what the other form cannot hold the nearest form, and count it")
	fs.IntVar(&f.maxSize, "max-record", records.DefaultMaxSize, "`BYTES` that a record may have")
	fs.IntVar(&f.workers, "workers", 0, "`NUMBER` of records that are converted at once (default: the processors)")
	fs.BoolVarP(&f.quiet, "quiet", "q", false, "no progress, and no summary where all was converted")
	return cmd
}

func formNames() []string {
	var names []string
	for _, f := range records.Forms {
		names = append(names, string(f))
	}
	return names
}

// A conversion is what the flags ask for.
type conversion struct {
	read      records.Options
	convert   records.ConvertOptions
	splits    []records.Split
	single    bool // a file for each record that is written
	workers   int
	bytesRead atomic.Int64
}

// conversion checks the flags and reads the schema.
func (f *convertFlags) conversion(stdin io.Reader) (*conversion, error) {
	v := &conversion{}
	from, err := f.form("--from", f.from)
	if err != nil {
		return nil, err
	}
	to, err := f.form("--to", f.to)
	if err != nil {
		return nil, err
	}
	framing, err := records.ParseFraming(f.dataFormat)
	if err != nil {
		return nil, fmt.Errorf("--data-format: %w", err)
	}
	switch {
	case framing != records.AutoFraming && !from.IsWire():
		return nil, fmt.Errorf("--data-format is for data in wire form, and %s is not", from)
	case f.maxSize <= 0:
		return nil, fmt.Errorf("--max-record %d: expected a number of bytes", f.maxSize)
	case f.workers < 0:
		return nil, fmt.Errorf("--workers %d: expected a number from 1", f.workers)
	}
	if v.single, err = f.single(to); err != nil {
		return nil, err
	}
	v.workers = f.workers
	v.convert = records.ConvertOptions{From: from, To: to, Alter: f.alter}
	if err := f.schema(&v.convert); err != nil {
		return nil, err
	}
	v.read = records.Options{
		Form: from, Framing: framing, MaxSize: f.maxSize, Stdin: stdin, Read: &v.bytesRead,
		KeepArrays: keepsArrays(v.convert),
	}
	if len(f.source.Data) == 0 {
		return nil, errNoData
	}
	v.splits, err = records.Divide(f.source.Data, v.read, 1<<62)
	return v, err
}

func (f *convertFlags) form(flag, name string) (records.Form, error) {
	if name == "" {
		return "", fmt.Errorf("which form? give %s, one of %s", flag, strings.Join(formNames(), ", "))
	}
	form, err := records.ParseForm(name)
	if err != nil {
		return "", fmt.Errorf("%s: %w", flag, err)
	}
	return form, nil
}

// single reports whether each record is to be written to a file of its own.
func (f *convertFlags) single(to records.Form) (bool, error) {
	switch f.outFormat {
	case string(records.Delimited):
		return false, nil
	case string(records.Single):
	default:
		return false, fmt.Errorf("--out-format: unknown format %q; want delimited or binary (one record a file)",
			f.outFormat)
	}
	switch {
	case !to.IsWire():
		return false, fmt.Errorf("--out-format binary is for wire form, and %s is not", to)
	case f.out == "":
		return false, errors.New("--out-format binary writes a file for each record: give --out FOLDER")
	}
	return true, nil
}

// schema finds the message type, if there is to be one.
func (f *convertFlags) schema(o *records.ConvertOptions) error {
	has := len(f.source.Protos) > 0 || f.source.DescriptorSet != ""
	needs := usesSchema(o.From) || usesSchema(o.To)
	switch {
	case needs && !has:
		return errNoSchema
	case !needs && (f.lock != "" || f.rest != ""):
		return fmt.Errorf("%s and %s have no schema, which --lock and --rest are for", o.From, o.To)
	case !needs && (has || f.source.Message != ""):
		return fmt.Errorf("%s and %s have no schema; messages are proto, or protojson as text", o.From, o.To)
	case !needs:
		return nil
	}
	s, err := suite.LoadSchema(f.source)
	if err != nil {
		return err
	}
	o.Message, err = s.Message(f.source.Message)
	o.Resolver = s.Types()
	if err != nil {
		return err
	}
	return f.adapt(o)
}

func usesSchema(f records.Form) bool { return f == records.Message || f == records.ProtoJSON }

// keepsArrays reports whether an array at the top level is a record.
func keepsArrays(o records.ConvertOptions) bool {
	return o.To == records.List || o.Message != nil && suite.MayBeArray(o.Message)
}

func (f *convertFlags) run(c *cobra.Command) error {
	v, err := f.conversion(c.InOrStdin())
	if err != nil {
		return err
	}
	out, err := f.open(v, c.OutOrStdout())
	if err != nil {
		return err
	}
	status := newStatus(c.ErrOrStderr(), f.quiet)
	total := &converted{}
	begin := time.Now()
	err = f.convert(c.Context(), v, out, total, status)
	status.clear()
	if err = out.close(err); err != nil {
		return f.explain(err)
	}
	f.summarize(c.ErrOrStderr(), v, total, time.Since(begin))
	if total.failed.n > 0 {
		return errNotConverted
	}
	return nil
}

// convert reads, converts and writes all.
func (f *convertFlags) convert(ctx context.Context, v *conversion, out recordOutput, total *converted,
	status *status) error {
	var size int64
	for _, s := range v.splits {
		size += s.Size()
	}
	workers := make([]*records.Converter, v.processors())
	work := func(worker int, b *records.Batch) (*converted, error) {
		if workers[worker] == nil {
			var err error
			if workers[worker], err = records.NewConverter(v.convert); err != nil {
				return nil, err
			}
		}
		return f.batch(workers[worker], v, b), nil
	}
	return records.InOrder(ctx, v.splits, v.read, len(workers), work, func(part *converted) error {
		if err := out.write(part); err != nil {
			return err
		}
		total.add(part)
		status.show(lab.Progress{
			Text: fmt.Sprintf("converting · %d records", total.records), Done: int(v.bytesRead.Load()), Of: int(size),
		})
		if part.failed.n > 0 && !f.keepGoing {
			return brokenRecord{part.failed.first[0]}
		}
		part.release()
		return nil
	})
}

// A brokenRecord is a record that ends the work.
type brokenRecord struct{ fault *records.Error }

func (b brokenRecord) Error() string { return b.fault.Error() }

// explain says what would help against a record that ends the work.
func (f *convertFlags) explain(err error) error {
	var broken brokenRecord
	switch {
	case !errors.As(err, &broken):
		return err
	case errors.Is(broken.fault, records.ErrAltered):
		return malformedError{fmt.Errorf("%w (--alter converts it and counts it, --keep-going leaves it out)",
			broken.fault)}
	}
	return malformedError{fmt.Errorf("%w (--keep-going leaves it out and goes on)", broken.fault)}
}

// batch converts the records of a batch, up to the first one that fails where that is the end.
func (f *convertFlags) batch(c *records.Converter, v *conversion, b *records.Batch) *converted {
	part := newConverted()
	for r := range b.Records() {
		record, err := c.Append(part.record[:0], r)
		if err != nil {
			part.failed.add(r.Fault(err))
			if !f.keepGoing {
				break
			}
			continue
		}
		part.record = record
		if n, first := c.Altered(); n > 0 {
			part.altered.add(r.Fault(&first))
		}
		part.records++
		part.bytes += int64(len(r.Data))
		part.append(v, record)
	}
	return part
}

// processors is how many workers there are.
func (v *conversion) processors() int { return cmp.Or(v.workers, records.Workers()) }

// summarize says what was done, and what was not.
func (f *convertFlags) summarize(w io.Writer, v *conversion, total *converted, took time.Duration) {
	if f.quiet && total.failed.n == 0 && total.altered.n == 0 {
		return
	}
	mb := float64(total.bytes) / 1e6
	fmt.Fprintf(w, "%s converted from %s to %s: %.1f MB in %.2f s, %.1f MB/s\n",
		recordCount(total.records), v.convert.From, v.convert.To, mb, took.Seconds(), mb/took.Seconds())
	total.altered.print(w, "altered")
	total.failed.print(w, "not converted")
}
