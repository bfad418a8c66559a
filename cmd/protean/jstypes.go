package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/cmd/protean/internal/jstypes"
	"github.com/protean-pb/protean/cmd/protean/internal/report"
	"github.com/protean-pb/protean/cmd/protean/internal/suite"
	"github.com/protean-pb/protean/gojapb"
)

// jsTypesFlags are the flags of protean js-types as given.
type jsTypesFlags struct {
	source   suite.Source
	messages []string
	int64s   string
	module   bool
	out      string
}

const jsTypesExample = `  # declarations of all that a file declares and reaches, and of the module
  protean js-types --proto api/event.proto -I third_party --module --out types/event.d.ts

  # of one message and what it reaches, for a program with 64-bit integers as BigInts
  protean js-types --descriptor-set api.binpb --message acme.v1.Event --int64 bigint`

func jsTypesCommand() *cobra.Command {
	f := &jsTypesFlags{}
	cmd := &cobra.Command{
		Use:   "js-types",
		Short: "Write TypeScript declarations of your schema, for scripts that use module protobuf",
		Long: `Write TypeScript declarations of your schema, for scripts that use module protobuf.

The module is what Go programs give their scripts with package gojapb. The declarations
add to those of the module itself, gojapb/protobuf.d.ts, which --module writes too: with
both, messageType, enumType, decode, get and set are typed by the names of your schema.
Without --message they are of all that your files declare and reach.`,
		Example: jsTypesExample,
		Args:    noFiles,
		RunE:    func(c *cobra.Command, _ []string) error { return f.run(c) },
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	schemaFlags(fs, &f.source)
	fs.StringArrayVar(&f.messages, "message", nil,
		"full `NAME` of a message type that is needed, with what it reaches (may be repeated)")
	fs.StringVar(&f.int64s, "int64", string(jstypes.Safe),
		"`POLICY` of the Go program for 64-bit integers: safe (a number where it is exact, else a BigInt), "+
			"bigint, string")
	fs.BoolVar(&f.module, "module", false, "declare the module itself too, so that no other file is needed")
	fs.StringVar(&f.out, "out", "", "`FILE.d.ts` for the declarations in place of standard output")
	return cmd
}

func (f *jsTypesFlags) run(c *cobra.Command) error {
	policy, err := jstypes.ParseInt64(f.int64s)
	if err != nil {
		return fmt.Errorf("--int64: %w", err)
	}
	if len(f.source.Protos) == 0 && f.source.DescriptorSet == "" {
		return errNoSchema
	}
	s, err := suite.LoadSchema(f.source)
	if err != nil {
		return err
	}
	var messages []protoreflect.MessageDescriptor
	for _, name := range f.messages {
		if name == "" {
			return errors.New("--message: the name is empty")
		}
		md, err := s.Message(name)
		if err != nil {
			return fmt.Errorf("--message: %w", err)
		}
		messages = append(messages, md)
	}
	text := jstypes.Generate(s.Files(), messages, policy)
	if f.module {
		text = append(append(text, '\n'), gojapb.TypeScript...)
	}
	out, err := openOutput(f.out, c.OutOrStdout())
	if err != nil {
		return err
	}
	return out.write(func(w io.Writer, _ report.Options) error {
		_, err := w.Write(text)
		return err
	})
}
