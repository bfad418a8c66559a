package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sasl/plain"
	"github.com/twmb/franz-go/pkg/sr"

	"github.com/protean-pb/protean/cmd/protean/internal/cat"
	"github.com/protean-pb/protean/cmd/protean/internal/suite"
	"github.com/protean-pb/protean/codec/kafkacodec"
	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/proto"
	"github.com/protean-pb/protean/protojson"
)

// catFlags are the flags of protean cat as given.
type catFlags struct {
	brokers  []string
	topic    string
	user     string
	tls      bool
	registry string
	java     bool
	from     string
	follow   bool
	source   suite.Source
	count    int
	paths    []string
	meta     bool
}

// kafkaPassword is the environment variable that has the password of --user.
const kafkaPassword = "PROTEAN_KAFKA_PASSWORD"

const catExample = `  # what is in a topic, and then what comes
  protean cat --brokers localhost:9092 --topic orders --registry http://localhost:8081 --follow

  # the last ten records of each partition: two fields of them, with offsets and keys
  protean cat --brokers localhost:9092 --topic orders --registry http://localhost:8081 --from -10 --paths id,lines.sku --meta

  # a file of records as they are in a topic, each behind its length
  protean cat --data orders.records --registry http://localhost:8081

  # a file of length-delimited messages
  protean cat --data events.delim --proto api/event.proto --message acme.v1.Event`

func catCommand() *cobra.Command {
	f := &catFlags{}
	cmd := &cobra.Command{
		Use:   "cat",
		Short: "Print the records of a Kafka topic or of a file as JSON lines",
		Long: `Print the records of a Kafka topic or of a file as JSON lines.

With --registry, records are in the wire format of Confluent's schema registry, which has
their schemas. Without, they are messages of one type, which --proto or --descriptor-set
and --message name. In files each record stands behind its length as a varint.

A record that is wrong is a line on standard error, which says where it is; the others are
printed all the same, and the exit code is 1. A tombstone, which has no value, is null.
With --user, the environment variable PROTEAN_KAFKA_PASSWORD has the password.`,
		Example: catExample,
		Args:    noFiles,
		RunE:    func(c *cobra.Command, _ []string) error { return f.run(c) },
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.StringSliceVar(&f.brokers, "brokers", nil, "`LIST` of addresses of Kafka brokers, HOST:PORT")
	fs.StringVar(&f.topic, "topic", "", "`NAME` of the topic")
	fs.StringVar(&f.user, "user", "", "`NAME` to log in at the brokers by SASL PLAIN")
	fs.BoolVar(&f.tls, "tls", false, "speak TLS with the brokers")
	fs.StringVar(&f.registry, "registry", "", "`URL` of the schema registry, with USER:PASSWORD@ before the host if need be")
	fs.BoolVar(&f.java, "source-indexes", false,
		"count nested message types as Confluent's Java library does, without those of map entries")
	fs.StringVar(&f.from, "from", "start", "`WHERE` each partition is read from: start, end, an offset, or -N for the last N records")
	fs.BoolVar(&f.follow, "follow", false, "wait for more at the end of the topic")
	fs.StringArrayVar(&f.source.Data, "data", nil, "`FILE` of length-delimited records, as it is, or in gzip or zstd; - for standard input (may be repeated)")
	schemaFlags(fs, &f.source)
	fs.StringVar(&f.source.Message, "message", "", "full `NAME` of the message type of records that have no schema id")
	fs.IntVar(&f.count, "count", 0, "print `N` records at most")
	fs.StringSliceVar(&f.paths, "paths", nil, "`LIST` of the fields to print, such as id,lines.sku (default all)")
	fs.BoolVar(&f.meta, "meta", false, "print each message with its topic, partition, offset, time and key")
	return cmd
}

// errWrongRecords is of a run that has said which records are wrong.
var errWrongRecords = errors.New("some records are wrong")

func (f *catFlags) run(c *cobra.Command) error {
	from, err := f.check()
	if err != nil {
		return err
	}
	p := cat.NewPrinter(c.OutOrStdout())
	p.Meta, p.Count = f.meta, f.count
	p.Problem = func(err error) { complain(c.ErrOrStderr(), err) }
	if p.Decode, err = f.decoder(); err != nil {
		return err
	}
	if f.topic != "" {
		err = cat.PrintTopic(c.Context(), p, cat.Topic{Name: f.topic, From: from, Follow: f.follow}, f.kafka()...)
	} else {
		f.source.Stdin, f.source.Format = c.InOrStdin(), suite.Auto
		err = suite.EachFile(f.source,
			func(file string, in io.Reader) error { return cat.PrintFile(c.Context(), p, file, in) })
	}
	if err == nil && p.Wrong() > 0 {
		return errWrongRecords
	}
	return err
}

// check refuses flags that do not go together.
func (f *catFlags) check() (cat.Start, error) {
	schema := len(f.source.Protos) > 0 || f.source.DescriptorSet != ""
	switch {
	case f.topic == "" && len(f.source.Data) == 0:
		return cat.Start{}, errors.New("which records? give --brokers LIST and --topic NAME, or --data FILE")
	case f.topic != "" && len(f.source.Data) > 0:
		return cat.Start{}, errors.New("--topic and --data: one of the two")
	case f.topic != "" && len(f.brokers) == 0:
		return cat.Start{}, errors.New("which Kafka has the topic? give --brokers LIST")
	case f.topic == "" && (len(f.brokers) > 0 || f.follow || f.meta || f.user != "" || f.tls || f.from != "start"):
		return cat.Start{},
			errors.New("--brokers, --user, --tls, --from, --follow and --meta are of topics: give --topic NAME")
	case f.registry == "" && !schema:
		return cat.Start{}, errors.New("which schema? give --registry URL, --proto FILE or --descriptor-set FILE")
	case f.registry != "" && (schema || f.source.Message != ""):
		return cat.Start{}, errors.New("--registry has the schemas: leave out --proto, --descriptor-set and --message")
	case f.registry == "" && f.java:
		return cat.Start{}, errors.New("--source-indexes is of records with a schema id: give --registry URL")
	case f.count < 0:
		return cat.Start{}, fmt.Errorf("--count %d: expected a number from 1 on, or 0 for all", f.count)
	case f.user != "" && os.Getenv(kafkaPassword) == "":
		return cat.Start{}, fmt.Errorf("--user: the environment variable %s has no password", kafkaPassword)
	}
	from, err := cat.ParseStart(f.from)
	if err != nil {
		return from, fmt.Errorf("--from %w", err)
	}
	return from, nil
}

// kafka are the options of the client.
func (f *catFlags) kafka() []kgo.Opt {
	opts := []kgo.Opt{kgo.SeedBrokers(f.brokers...), kgo.ClientID("protean-cat")}
	if f.user != "" {
		opts = append(opts, kgo.SASL(plain.Auth{User: f.user, Pass: os.Getenv(kafkaPassword)}.AsMechanism()))
	}
	if f.tls {
		opts = append(opts, kgo.DialTLSConfig(new(tls.Config)))
	}
	return opts
}

// decoder returns what makes JSON of a record's value.
func (f *catFlags) decoder() (func(ctx context.Context, dst, value []byte) ([]byte, error), error) {
	if f.registry != "" {
		return f.registryDecoder()
	}
	s, err := suite.LoadSchema(f.source)
	if err != nil {
		return nil, err
	}
	md, err := s.Message(f.source.Message)
	if err != nil {
		return nil, err
	}
	m, arena := dynamic.NewMessage(md), new(proto.Arena)
	o := proto.UnmarshalOptions{Arena: arena, AliasInput: true, Resolver: s.Types()}
	if len(f.paths) > 0 {
		if o.Mask, err = proto.NewMask(md, f.paths...); err != nil {
			return nil, fmt.Errorf("--paths: %s", strings.TrimPrefix(err.Error(), "proto: "))
		}
	}
	text := protojson.MarshalOptions{Resolver: s.Types(), AllowPartial: len(f.paths) > 0}
	return func(_ context.Context, dst, value []byte) ([]byte, error) {
		defer arena.Reset()
		if err := o.Unmarshal(value, m); err != nil {
			return dst, err
		}
		return text.MarshalAppend(dst, m)
	}, nil
}

func (f *catFlags) registryDecoder() (func(ctx context.Context, dst, value []byte) ([]byte, error), error) {
	u, err := url.Parse(f.registry)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("--registry %q: expected a URL such as http://localhost:8081", redacted(u, f.registry))
	}
	opts := []sr.ClientOpt{sr.UserAgent("protean")}
	if u.User != nil {
		password, _ := u.User.Password()
		opts = append(opts, sr.BasicAuth(u.User.Username(), password))
		u.User = nil
	}
	client, err := kafkacodec.NewRegistry(append(opts, sr.URLs(u.String()))...)
	if err != nil {
		return nil, fmt.Errorf("--registry: %w", err)
	}
	codec := kafkacodec.New(client, kafkacodec.Options{SourceIndexes: f.java})
	return codec.Decoder(kafkacodec.DecodeOptions{Paths: f.paths}).AppendJSON, nil
}

// redacted is a URL without its password; of one that is none, what is behind the last @.
func redacted(u *url.URL, text string) string {
	if u == nil {
		return text[strings.LastIndexByte(text, '@')+1:]
	}
	return u.Redacted()
}
