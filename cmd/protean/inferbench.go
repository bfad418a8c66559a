package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/cmd/protean/internal/lab"
	"github.com/protean-pb/protean/cmd/protean/internal/report"
	"github.com/protean-pb/protean/infer"
)

// What protean infer --bench measures: the inferred message, and what documents without a schema are kept in.
var inferVariants = []string{"Concrete (proto)", "Concrete (protean)", "Map (JSON)", "google.protobuf.Value (proto)"}

// The documents that are measured at most.
const (
	benchDocuments = 200
	benchBytes     = 4 << 20
)

// measure has the lab measure the inferred message and the forms without a schema on some of the documents.
func (r *inference) measure(c *cobra.Command, text []byte, md protoreflect.MessageDescriptor) (*report.Report, error) {
	documents, err := infer.Sample(c.Context(), r.inputs, r.file, md, r.profile.Documents, benchDocuments, benchBytes)
	if err != nil {
		return nil, err
	}
	if len(documents) == 0 {
		return nil, errors.New("--bench: no document is a message of the schema, or all are too large")
	}
	folder, err := os.MkdirTemp("", "protean-infer-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	schema, data := filepath.Join(folder, "inferred.proto"), filepath.Join(folder, "documents.jsonl")
	err = errors.Join(os.WriteFile(schema, text, 0o666), os.WriteFile(data, bytes.Join(documents, []byte("\n")), 0o666))
	if err != nil {
		return nil, err
	}
	b := &benchFlags{
		variants: inferVariants, ops: []string{"size", "marshal", "unmarshal"}, precision: "2%",
		time: r.flags.benchTime, seed: 1,
	}
	b.source.Protos, b.source.ImportPaths, b.source.Data = []string{schema}, []string{folder}, []string{data}
	b.source.Message, b.dataFormat = string(md.FullName()), "json"
	o, err := b.options(c)
	if err != nil {
		return nil, err
	}
	status := newStatus(c.ErrOrStderr(), r.flags.quiet)
	o.Progress = status.show
	out, err := lab.Run(c.Context(), *o)
	status.clear()
	if err != nil {
		return nil, err
	}
	out.Suite = r.options.Message
	out.Round()
	return out, nil
}

// writeBench writes what was measured, after the proof.
func (r *inference) writeBench(w io.Writer) error {
	format, err := report.ParseFormat(r.flags.format)
	if err != nil || r.bench == nil {
		return err
	}
	if _, err := io.WriteString(w, "\n"); err != nil {
		return err
	}
	if err := report.Write(w, r.bench, format, display(w)); err != nil {
		return err
	}
	if r.bench.Interrupted {
		return errInterrupted
	}
	return nil // a form that does not hold the documents is a result
}
