// Program infer writes the profile of documents, as protean infer --save-profile does, by way of Apache Beam.
//
//	go run github.com/protean-pb/protean/beam/infer@latest --data events.jsonl --save-profile events.profile
//	protean infer events.profile --package acme.v1 --message Event
//
// It runs in itself. With --runner universal, --endpoint and --environment_type it hands the pipeline to Beam's job
// server of a cluster, whose workers must see the files by the names that they are given here:
//
//	infer --data /data/events.jsonl --save-profile /data/events.profile \
//		--runner universal --endpoint HOST:8099 --environment_type PROCESS --worker_binary PATH/infer \
//		--environment_config '{"command": "PATH/worker.sh", "env": {"BOOT": "PATH/boot"}}'
//
// PATH/worker.sh is in folder portable, and boot is Beam's github.com/apache/beam/sdks/v2/go/container; portable/run.sh
// builds and runs all of it. Exit codes are those of protean: 2 where the command line is wrong, 1 where the pipeline
// failed.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"     // the default
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal" // for --runner universal

	proteanbeam "github.com/protean-pb/protean/beam"
	"github.com/protean-pb/protean/records"
)

// files are the values of a flag that may be repeated.
type files []string

func (f *files) String() string { return strings.Join(*f, " ") }

func (f *files) Set(s string) error {
	*f = append(*f, s)
	return nil
}

var (
	data       files
	from       = flag.String("from", "json", "`FORM` of the documents: json, jsonl, value, struct, bson, msgpack")
	dataFormat = flag.String("data-format", "auto",
		"`FORMAT` of documents in wire form: delimited, binary (one a file)")
	splitSize   = flag.Int64("split-size", 256<<20, "`BYTES` of a file of JSON lines that a worker reads at once")
	memory      = flag.Int("memory", 256<<20, "`BYTES` of statistics at most")
	skipInvalid = flag.Bool("skip-invalid", false, "leave out and count documents that are broken")
	verbose     = flag.Bool("verbose", false, "show what the runner logs")
	saveProfile = flag.String("save-profile", "", "`FILE` for the statistics of the documents")
)

func main() {
	flag.Var(&data, "data", "`FILE` of documents, as it is or in gzip or zstd (may be repeated)")
	flag.Parse()
	beam.Init() // where this is a worker of a cluster, it does not come back
	os.Exit(run(context.Background(), os.Stderr))
}

// run makes and runs the pipeline, and returns the exit code.
func run(ctx context.Context, stderr io.Writer) int {
	p, err := pipeline()
	if err != nil {
		fmt.Fprintln(stderr, "infer:", err)
		return 2
	}
	if *runners.Runner == "" {
		*runners.Runner = "prism"
	}
	if *jobopts.JobName == "" {
		*jobopts.JobName = "protean-infer"
	}
	if !*verbose {
		slog.SetDefault(slog.New(warnings{slog.NewTextHandler(stderr, nil)}))
	}
	if _, err := beam.Run(ctx, *runners.Runner, p); err != nil {
		fmt.Fprintln(stderr, "infer:", cause(err))
		return 1
	}
	return 0
}

// cause is the last line of an error, which says what failed; those before say in which steps of the pipeline.
func cause(err error) string {
	text := strings.TrimSpace(err.Error())
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// warnings are of what is logged the documents that are left out: the runner logs an error several times.
type warnings struct{ slog.Handler }

// Enabled reports whether level is that of warnings.
func (w warnings) Enabled(_ context.Context, level slog.Level) bool { return level == slog.LevelWarn }

// pipeline checks the flags.
func pipeline() (*beam.Pipeline, error) {
	form, err := records.ParseForm(*from)
	if err != nil {
		return nil, fmt.Errorf("--from: %w", err)
	}
	framing, err := records.ParseFraming(*dataFormat)
	if err != nil {
		return nil, fmt.Errorf("--data-format: %w", err)
	}
	switch {
	case form == records.Message || form == records.ProtoJSON || form == records.List:
		return nil, fmt.Errorf("--from %s: want one of json, jsonl, value, struct, bson, msgpack", form)
	case flag.NArg() > 0:
		return nil, fmt.Errorf("%q is no flag; documents are named by --data", flag.Arg(0))
	case *saveProfile == "":
		return nil, errors.New("where to? give --save-profile FILE")
	case len(data) == 0:
		return nil, errors.New("which data? give --data FILE")
	case *memory <= 0:
		return nil, fmt.Errorf("--memory %d: expected a number of bytes", *memory)
	}
	for _, file := range data {
		if file == records.Stdin {
			return nil, errors.New("standard input cannot be read by workers; give --data FILE")
		}
	}
	splits, err := records.Divide(data, records.Options{Form: form, Framing: framing}, *splitSize)
	if err != nil {
		return nil, err
	}
	p, s := beam.NewPipelineWithRoot()
	o := proteanbeam.Options{Form: form, Framing: framing, Memory: *memory, SkipInvalid: *skipInvalid}
	proteanbeam.Write(s, *saveProfile, proteanbeam.Profile(s, splits, o))
	return p, nil
}
