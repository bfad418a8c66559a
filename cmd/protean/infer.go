package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/cmd/protean/internal/lab"
	"github.com/protean-pb/protean/cmd/protean/internal/migrate"
	"github.com/protean-pb/protean/cmd/protean/internal/report"
	"github.com/protean-pb/protean/cmd/protean/internal/usererr"
	"github.com/protean-pb/protean/infer"
	"github.com/protean-pb/protean/infer/decide"
	"github.com/protean-pb/protean/infer/lock"
	"github.com/protean-pb/protean/infer/profile"
	"github.com/protean-pb/protean/infer/proof"
	"github.com/protean-pb/protean/infer/schema"
	"github.com/protean-pb/protean/records"
)

// inferFlags are the flags of protean infer as given.
type inferFlags struct {
	inferInput
	pkg, message, goPackage string
	out, lock               string
	fidelity                string
	hints                   []string
	rest, restBelow         string
	saveProfile             string
	check, explain, noProof bool
	keepUnseen, bench       bool
	benchTime               time.Duration
	format                  string
}

// inferInput are the flags that say how documents are read.
type inferInput struct {
	data       []string
	from       string
	dataFormat string
	skip       bool
	memory     string
	workers    int
	maxRecord  int
	quiet      bool
}

const inferExample = `  # a schema of your JSON, with the numbers of its fields in a lockfile
  protean infer --data events.jsonl --package acme.v1 --message Event -o event.proto --lock event.lock.yaml

  # in CI: exit code 1 if new data does not fit
  protean infer --check --data new.jsonl --package acme.v1 --message Event -o event.proto --lock event.lock.yaml

  # a corpus in parts, which may be read on several machines
  protean infer --data part1.jsonl.gz --save-profile p1
  protean infer --data part2.jsonl.gz --save-profile p2
  protean infer p1 p2 --package acme.v1 --message Event -o event.proto`

func inferCommand() *cobra.Command {
	f := &inferFlags{}
	cmd := &cobra.Command{
		Use:   "infer [PROFILE…]",
		Short: "Make a Protobuf schema of JSON documents, with numbers that last and a proof",
		Long: `Make a Protobuf schema of JSON documents, with numbers that last and a proof.

The documents are read once for their statistics, of which the schema is made, and once
more for the proof: each is read as JSON into a message, written in wire form, read from
that and written as JSON again. What comes back other than it was is listed by its path.
Then the summary says how many bytes all documents take as JSON, as Value and as messages.

With --lock, fields keep their numbers from one inference to the next: new ones are added,
those not seen any more are reserved, and names that were changed by hand in the .proto
file are kept. --check writes nothing; its exit code is 1 if documents do not fit.`,
		Example: inferExample,
		RunE:    func(c *cobra.Command, args []string) error { return f.run(c, args) },
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	f.inferInput.add(cmd)
	fs.StringVar(&f.pkg, "package", "", "`PACKAGE` of the schema, as in acme.v1")
	fs.StringVar(&f.message, "message", "", "`NAME` of the message of a document, as in Event")
	fs.StringVar(&f.goPackage, "go-package", "", "import `PATH` for the option go_package")
	fs.StringVarP(&f.out, "out", "o", "", "`.proto` file to write (default standard output)")
	fs.StringVar(&f.lock, "lock", "", "`FILE` that keeps the numbers of fields")
	fs.StringVar(&f.fidelity, "fidelity", "json", "what counts more, `json` (the JSON stays what it is) or wire (the best types)")
	fs.StringArrayVar(&f.hints, "hint", nil, "`PATH=KIND`, as in $.labels=map or $.state=enum: what to make of a path (may be repeated)")
	fs.StringVar(&f.rest, "rest", "", "`NAME` of a field, a Struct, for members of documents that few have")
	fs.StringVar(&f.restBelow, "rest-below", "1%",
		"`SHARE` of documents below which a key has no field of its own, with --rest")
	fs.BoolVar(&f.check, "check", false, "write nothing; exit code 1 if documents do not fit the schema of --lock")
	fs.BoolVar(&f.keepUnseen, "keep-unseen", false,
		"keep fields that no document has any more, instead of reserving them")
	fs.BoolVar(&f.explain, "explain", false, "say for each field what is known of it, and what was decided against")
	fs.BoolVar(&f.bench, "bench", false,
		"then measure the message and the forms without a schema on up to 200 of the documents")
	fs.DurationVar(&f.benchTime, "bench-time", 20*time.Second, "most `TIME` that measuring takes, with --bench")
	fs.BoolVar(&f.noProof, "no-proof", false, "do not read the documents again for the proof")
	fs.StringVar(&f.saveProfile, "save-profile", "", "`FILE` for the statistics of the documents, to be merged with others")
	fs.StringVar(&f.format, "format", "table", "`FORMAT` of the summary: table, markdown, json")
	cmd.AddCommand(inferWorkerCommand())
	return cmd
}

func (f *inferInput) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringArrayVar(&f.data, "data", nil,
		"`FILE` of documents, as it is or in gzip or zstd; - for standard input (may be repeated)")
	f.addReading(cmd)
}

// addReading defines the flags that do not name documents.
func (f *inferInput) addReading(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar(&f.from, "from", "json", "`FORM` of the documents: json (documents, arrays of them, or lines), jsonl, value, struct, bson, msgpack")
	fs.StringVar(&f.dataFormat, "data-format", "auto", "`FORMAT` of documents in wire form: delimited, binary (one a file)")
	fs.BoolVar(&f.skip, "skip-invalid", false, "leave out and count documents that are broken")
	fs.StringVar(&f.memory, "memory", "256MB", "`SIZE` of the statistics at most")
	fs.IntVar(&f.maxRecord, "max-record", records.DefaultMaxSize, "`BYTES` that a document may have")
	fs.IntVar(&f.workers, "workers", 0, "`NUMBER` of batches that are worked on at once (default: the processors)")
	fs.BoolVarP(&f.quiet, "quiet", "q", false, "no progress")
}

// The forms that documents may have.
var inferForms = []records.Form{records.JSON, records.Lines, records.Value, records.Struct, records.BSON,
	records.MessagePack}

// input checks the flags that say how documents are read.
func (f *inferInput) input(stdin io.Reader) (infer.Input, error) {
	in := infer.Input{Workers: f.workers}
	form, err := records.ParseForm(f.from)
	if err != nil || !slices.Contains(inferForms, form) {
		return in, fmt.Errorf("--from %q: want one of json, jsonl, value, struct, bson, msgpack", f.from)
	}
	framing, err := records.ParseFraming(f.dataFormat)
	if err != nil {
		return in, fmt.Errorf("--data-format: %w", err)
	}
	if f.workers < 0 {
		return in, fmt.Errorf("--workers %d: expected a number from 1", f.workers)
	}
	if in.Memory, err = parseSize(f.memory); err != nil {
		return in, fmt.Errorf("--memory %q: %w", f.memory, err)
	}
	if f.maxRecord < 1 {
		return in, fmt.Errorf("--max-record %d: expected a number of bytes", f.maxRecord)
	}
	in.Options = records.Options{Form: form, Framing: framing, Stdin: stdin, MaxSize: f.maxRecord}
	return in, nil
}

// parseSize reads a number of bytes, such as 512MB.
func parseSize(s string) (int, error) {
	digits := strings.TrimRight(s, "KMGBkmgb")
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 {
		return 0, errors.New("expected a size such as 256MB or 2GB")
	}
	shift := map[string]int{"": 0, "b": 0, "k": 10, "kb": 10, "m": 20, "mb": 20, "g": 30, "gb": 30}
	by, ok := shift[strings.ToLower(s[len(digits):])]
	if !ok || n > 1<<40>>by {
		return 0, errors.New("expected a size such as 256MB or 2GB")
	}
	return n << by, nil
}

// errUnfit: documents do not fit, which was said.
var errUnfit = errors.New("documents do not fit")

func (f *inferFlags) run(c *cobra.Command, profiles []string) error {
	o, err := f.options()
	if err != nil {
		return err
	}
	if _, err := pageFormat(f.format); err != nil {
		return err
	}
	if err := f.checkInput(profiles); err != nil {
		return err
	}
	in, clean, err := f.documents(c.InOrStdin())
	if err != nil {
		return err
	}
	defer clean()
	var broken records.Tally
	broken.Refuse = !f.skip
	in.Broken = broken.Add
	p, err := f.profile(c.Context(), in, profiles, c.ErrOrStderr())
	if err != nil {
		return err
	}
	if f.saveProfile != "" {
		if err := saveProfile(f.saveProfile, p); err != nil {
			return err
		}
		if f.message == "" {
			return nil
		}
	}
	r := &inference{flags: f, options: o, profile: p, broken: broken.First(), inputs: in}
	return r.run(c)
}

// checkInput refuses flags that do not go together.
func (f *inferFlags) checkInput(profiles []string) error {
	switch {
	case len(f.data) == 0 && len(profiles) == 0:
		return errNoData
	case len(f.data) > 0 && len(profiles) > 0:
		return fmt.Errorf(
			"unexpected argument %q: a flag that takes several files is repeated, as in --data a.json --data b.json",
			profiles[0])
	case f.message == "" && f.saveProfile != "" && !f.check:
		return nil
	case f.message == "":
		return errors.New("which message? give --message NAME, as in --message Event")
	case f.pkg == "":
		return errors.New("which package? give --package NAME, as in --package acme.v1")
	case f.bench && (f.check || len(profiles) > 0):
		return errors.New("--bench is for a schema that is made of --data")
	case f.benchTime < 0:
		return fmt.Errorf("--bench-time %s: must not be below 0", f.benchTime)
	case f.bench && f.format == "json":
		return errors.New("--bench is for --format table or markdown; protean bench writes JSON")
	case f.check && f.lock == "":
		return errors.New("--check needs --lock FILE, with the schema so far")
	}
	return nil
}

var (
	packageForm = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$`)
	restForm    = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
	messageForm = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

// options checks the flags that say what the schema is to be like.
func (f *inferFlags) options() (decide.Options, error) {
	o := decide.Options{Package: f.pkg, Message: f.message, GoPackage: f.goPackage, Wire: f.fidelity == "wire",
		KeepUnseen: f.keepUnseen || f.check, Hints: map[string]string{}}
	switch {
	case f.pkg != "" && !packageForm.MatchString(f.pkg):
		return o, fmt.Errorf("--package %q: expected names with dots between them, as in acme.v1", f.pkg)
	case f.message != "" && !messageForm.MatchString(f.message):
		return o, fmt.Errorf("--message %q: expected a name without dots, as in Event", f.message)
	case f.rest != "" && !restForm.MatchString(f.rest):
		return o, fmt.Errorf("--rest %q: expected the name of a field, as in long_tail", f.rest)
	case f.fidelity != "json" && f.fidelity != "wire":
		return o, fmt.Errorf("--fidelity %q: want json or wire", f.fidelity)
	}
	o.Rest = f.rest
	var err error
	if o.RestBelow, err = parsePercent("--rest-below", f.restBelow); err != nil {
		return o, err
	}
	if f.check {
		o.RestBelow = 2 // what has no field fits in the rest, however frequent it is
	}
	for _, h := range f.hints {
		i := strings.LastIndexByte(h, '=')
		if i < 0 {
			return o, fmt.Errorf("--hint %q: expected PATH=KIND, as in $.labels=map", h)
		}
		o.Hints[h[:i]] = h[i+1:]
	}
	return o, nil
}

// documents returns the input; what comes from standard input is kept in a file until clean is called, since it is read
// twice.
func (f *inferFlags) documents(stdin io.Reader) (in infer.Input, clean func(), err error) {
	clean = func() {}
	if in, err = f.input(stdin); err != nil {
		return in, clean, err
	}
	if len(f.data) == 0 { // profiles
		return in, clean, nil
	}
	if in.Splits, err = records.Divide(f.data, in.Options, 64<<20); err != nil {
		return in, clean, err
	}
	if slices.Contains(f.data, records.Stdin) && (!f.noProof || f.bench) {
		spool, err := os.CreateTemp("", "protean-infer-*")
		if err != nil {
			return in, clean, err
		}
		clean = func() { os.Remove(spool.Name()) }
		_, err = io.Copy(spool, stdin)
		if err := errors.Join(err, spool.Close()); err != nil {
			return in, clean, fmt.Errorf("stdin: %s", records.Reason(err))
		}
		for i := range in.Splits {
			if in.Splits[i].File == records.Stdin {
				in.Splits[i].File = spool.Name()
			}
		}
	}
	return in, clean, nil
}

// profile reads the documents, or profiles of such.
func (f *inferFlags) profile(
	ctx context.Context, in infer.Input, profiles []string, stderr io.Writer,
) (*profile.Profile, error) {
	if len(profiles) > 0 {
		return readProfiles(profiles, in.Memory)
	}
	stop := f.progress(&in, "reading", stderr)
	defer stop()
	return infer.Profile(ctx, in)
}

// progress shows how much has been read until stop is called.
func (f *inferInput) progress(in *infer.Input, what string, stderr io.Writer) (stop func()) {
	var done atomic.Int64
	in.Options.Read = &done
	var size int64
	for _, s := range in.Splits {
		size += s.Size()
	}
	line := newStatus(stderr, f.quiet)
	end := make(chan struct{})
	go func() {
		t := time.NewTicker(200 * time.Millisecond)
		defer t.Stop()
		for {
			select {
			case <-end:
				return
			case <-t.C:
				line.show(lab.Progress{Text: fmt.Sprintf("%s documents, %d MB", what, done.Load()>>20),
					Done: int(done.Load()), Of: int(size)})
			}
		}
	}()
	return func() {
		close(end)
		line.clear()
	}
}

// An inference is what protean infer does once the statistics are there.
type inference struct {
	flags   *inferFlags
	options decide.Options
	profile *profile.Profile
	broken  []*records.Error
	inputs  infer.Input
	file    *schema.File
	report  *proof.Report  // nil if there is no proof
	bench   *report.Report // nil if nothing is measured
	changes []lock.Change
	old     *lock.Lock
	// currentText is the .proto file that there was.
	currentText []byte
	move        *migrate.Result // what the change of the schema does to data; nil if there is no change
}

func (r *inference) run(c *cobra.Command) error {
	current, err := r.readLock()
	if err != nil {
		return err
	}
	if r.file, err = decide.Schema(r.profile, r.options); err != nil {
		return err
	}
	text := r.file.Print()
	name := protoreflect.FullName(r.options.Package).Append(protoreflect.Name(r.options.Message))
	md, err := proof.Compile(text, name)
	if err != nil {
		return fmt.Errorf("the schema does not compile, which is an error of protean: %w", err)
	}
	if current != nil {
		if err := r.proveMove(c.Context(), current, md); err != nil {
			return err
		}
	}
	file := r.file
	if r.flags.check {
		if r.old == nil {
			return &usererr.InputError{File: r.flags.lock,
				Message: "no such file: --check needs the lockfile of the schema so far"}
		}
		r.changes = r.old.Changes(r.file)
		if current != nil {
			file, md = r.old.Schema(r.options.Package), current
		}
	}
	if !r.flags.noProof && len(r.inputs.Splits) > 0 {
		stop := r.flags.progress(&r.inputs, "proving", c.ErrOrStderr())
		r.report, err = infer.Prove(c.Context(), r.inputs, file, md)
		stop()
		if err != nil {
			return err
		}
	}
	if r.flags.bench {
		if r.bench, err = r.measure(c, text, md); err != nil {
			return err
		}
	}
	if !r.flags.check {
		if err := r.write(c.OutOrStdout(), text); err != nil {
			return err
		}
	}
	out := c.OutOrStdout()
	if r.flags.out == "" && !r.flags.check {
		out = c.ErrOrStderr()
	}
	if err := errors.Join(r.summarize(out), r.writeBench(out)); err != nil {
		return err
	}
	if r.flags.check && (len(r.changes) > 0 || r.report != nil && r.report.Levels[proof.Lossy] > 0) {
		return errUnfit
	}
	return nil
}

// readLock reads the lockfile, if there is one, and takes over what was renamed by hand in the .proto file. It returns
// the root message of that file; nil if there is none.
func (r *inference) readLock() (protoreflect.MessageDescriptor, error) {
	path := r.flags.lock
	text, err := os.ReadFile(path)
	switch {
	case path == "" || errors.Is(err, os.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, usererr.FileError(path, err)
	}
	l, err := lock.Unmarshal(text)
	if err != nil {
		return nil, &usererr.InputError{File: path, Message: err.Error()}
	}
	if l.Package != r.options.Package {
		return nil, &usererr.InputError{File: path,
			Message: fmt.Sprintf("it is of package %s, not %s", l.Package, r.options.Package)}
	}
	r.options.Lock = l
	md, err := r.currentSchema()
	if err != nil {
		return nil, err
	}
	if md != nil {
		l.Rename(md)
	} else if l.Messages[0].Name != r.options.Message {
		return nil, &usererr.InputError{File: path,
			Message: fmt.Sprintf("its message is %s, not %s", l.Messages[0].Name, r.options.Message)}
	}
	if r.old, err = lock.Unmarshal(text); err == nil && md != nil {
		r.old.Rename(md)
	}
	return md, err
}

// currentSchema compiles the .proto file that there is; nil if there is none.
func (r *inference) currentSchema() (protoreflect.MessageDescriptor, error) {
	path := r.flags.out
	if path == "" {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, os.ErrNotExist) || err == nil && len(text) == 0:
		return nil, nil
	case err != nil:
		return nil, usererr.FileError(path, err)
	}
	name := protoreflect.FullName(r.options.Package).Append(protoreflect.Name(r.options.Message))
	r.currentText = text
	md, err := proof.Compile(text, name)
	if err != nil {
		return nil, fmt.Errorf("%s", strings.Replace(err.Error(), proof.FileName, path, 1))
	}
	return md, nil
}

// write writes the schema and the lockfile.
func (r *inference) write(stdout io.Writer, text []byte) error {
	if r.flags.out == "" {
		if _, err := stdout.Write(text); err != nil {
			return err
		}
	} else if err := writeText(r.flags.out, text); err != nil {
		return err
	}
	if r.flags.lock == "" {
		return nil
	}
	l := lock.Of(r.file)
	if r.old != nil {
		l.Keep(r.old)
	}
	locked, err := l.Marshal()
	if err != nil {
		return err
	}
	return writeText(r.flags.lock, locked)
}

// writeText writes a file in place of what was there.
func writeText(path string, text []byte) error {
	o, err := openOutput(path, nil)
	if err != nil {
		return err
	}
	return o.write(func(w io.Writer, _ report.Options) error {
		_, err := w.Write(text)
		return err
	})
}
