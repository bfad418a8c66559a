// Command consumer reads events from a Kafka topic and writes them as JSON lines, with the schemas that a registry has.
// Without flags it starts a Kafka and a registry in its own process, with some events, and says at the end what each
// record took.
//
//	go run ./examples/consumer > events.jsonl
//	go run ./examples/consumer -codec dynamicpb > /dev/null
//	go run ./examples/consumer -brokers localhost:9092 -registry http://localhost:8081 -topic events -count 1000
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sr"

	"github.com/protean-pb/protean/codec/kafkacodec"
)

type flags struct {
	brokers, registry, topic, codec, paths string
	count                                  int
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("consumer: ")
	var f flags
	flag.StringVar(&f.brokers, "brokers", "",
		"addresses of brokers, with commas between; none for a Kafka in this process")
	flag.StringVar(&f.registry, "registry", "", "URL of the schema registry; none for one in this process")
	flag.StringVar(&f.topic, "topic", "events", "the topic")
	flag.StringVar(&f.codec, "codec", "protean", "what decodes: protean, or dynamicpb with protojson for comparison")
	flag.StringVar(&f.paths, "paths", "", "fields to decode, with commas between; all if empty")
	flag.IntVar(&f.count, "count", 50_000, "how many records to read, and to produce into a Kafka in this process")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, f, os.Stdout, os.Stderr); err != nil {
		log.Fatal(err)
	}
}

// run reads and writes f.count records, and says on stderr what each took.
func run(ctx context.Context, f flags, stdout, stderr io.Writer) error {
	if (f.brokers == "") != (f.registry == "") {
		return errors.New("-brokers and -registry: both or none")
	}
	if f.brokers == "" {
		stop, err := f.startOwn(ctx)
		if err != nil {
			return err
		}
		defer stop()
	}
	registry, err := kafkacodec.NewRegistry(sr.URLs(f.registry))
	if err != nil {
		return err
	}
	decode, err := f.decoder(kafkacodec.New(registry, kafkacodec.Options{}))
	if err != nil {
		return err
	}
	client, err := kgo.NewClient(kgo.SeedBrokers(strings.Split(f.brokers, ",")...), kgo.ConsumeTopics(f.topic))
	if err != nil {
		return err
	}
	defer client.Close()

	out := bufio.NewWriter(stdout)
	start := time.Now()
	if err := consume(ctx, client, f.count, decode, out); err != nil {
		return err
	}
	took := time.Since(start) / time.Duration(max(f.count, 1))
	fmt.Fprintf(stderr, "%d records with %s: %v a record\n", f.count, f.codec, took.Round(10*time.Nanosecond))
	return out.Flush()
}

// A decoder appends the message in a record's value as JSON.
type decoder func(ctx context.Context, dst, value []byte) ([]byte, error)

// consume writes the next n records. One that is wrong is told of and skipped: what is in a topic stays there.
func consume(ctx context.Context, client *kgo.Client, n int, decode decoder, out *bufio.Writer) error {
	var line []byte
	for n > 0 {
		fetches := client.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return err
		}
		for r := range fetches.RecordsAll() {
			if n--; n < 0 {
				break
			}
			var err error
			if line, err = decode(ctx, line[:0], r.Value); err != nil {
				log.Printf("%s/%d@%d: %v", r.Topic, r.Partition, r.Offset, err)
				continue
			}
			if _, err := out.Write(append(line, '\n')); err != nil {
				return err
			}
		}
	}
	return nil
}
