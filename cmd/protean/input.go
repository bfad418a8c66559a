package main

import (
	"cmp"
	"errors"
	"io"

	"github.com/spf13/pflag"

	"github.com/protean-pb/protean/cmd/protean/internal/suite"
)

// inputFlags are the flags that name messages: the user's own, or those of a built-in
// suite.
type inputFlags struct {
	suite      string
	source     suite.Source
	dataFormat string
	payloads   []string
}

// add defines the flags; suiteUse is what --suite is for.
func (f *inputFlags) add(fs *pflag.FlagSet, suiteUse string) {
	fs.StringVar(&f.suite, "suite", "", suiteUse)
	schemaFlags(fs, &f.source)
	dataFlags(fs, &f.source, &f.dataFormat)
	fs.StringVar(&f.source.Rows, "rows", "",
		"repeated `FIELD` that the message is a mere list of: JSON and Value write the bare list, Any packs each row")
	fs.StringSliceVar(&f.payloads, "payloads", nil, "`LIST` of the suite's payloads (default all)")
}

// dataFlags are the flags that say where a user's messages are.
func dataFlags(fs *pflag.FlagSet, s *suite.Source, format *string) {
	fs.StringVar(&s.Message, "message", "", "full `NAME` of the message type of your data")
	fs.StringArrayVar(&s.Data, "data", nil,
		"`FILE` of messages: ProtoJSON or plain JSON, or binary; as it is, or in gzip or zstd; - for standard input (may be repeated)")
	fs.StringVar(format, "data-format", "auto", "`FORMAT` of the data: auto, json, binary (one message a file), delimited")
}

// schemaFlags are the flags that say where a user's schema is.
func schemaFlags(fs *pflag.FlagSet, s *suite.Source) {
	fs.StringArrayVar(&s.Protos, "proto", nil, "`.proto` file of your schema (may be repeated)")
	fs.StringArrayVarP(&s.ImportPaths, "proto_path", "I", nil,
		"`FOLDER` to look imports up in (may be repeated; default those of buf.yaml and the working directory)")
	fs.StringVar(&s.DescriptorSet, "descriptor-set", "",
		"compiled schema `FILE` in place of --proto: protoc --descriptor_set_out --include_imports, or buf build")
}

// What is missing where the schema or the data is not named.
var (
	errNoSchema = errors.New("which schema? give --proto FILE or --descriptor-set FILE")
	errNoData   = errors.New("which data? give --data FILE, or --data - for standard input")
)

// own reports whether the user names messages of his own.
func (f *inputFlags) own() bool {
	return f.hasSchema() || len(f.source.Data) > 0 || f.source.Message != ""
}

func (f *inputFlags) hasSchema() bool {
	return len(f.source.Protos) > 0 || f.source.DescriptorSet != ""
}

// from returns where the user's messages are.
func (f *inputFlags) from(stdin io.Reader) suite.Source {
	s := f.source
	s.Format, s.Stdin = suite.DataFormat(f.dataFormat), stdin
	return s
}

// load reads the built-in suite or the user's files.
func (f *inputFlags) load(stdin io.Reader) (*suite.Suite, error) {
	switch {
	case !f.own():
		return suite.Builtin(cmp.Or(f.suite, defaultSuite))
	case !f.hasSchema():
		return nil, errNoSchema
	case len(f.source.Data) == 0:
		return nil, errNoData
	}
	return suite.Load(f.from(stdin))
}
