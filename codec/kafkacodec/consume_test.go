package kafkacodec_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/codec/kafkacodec"
)

// topicOf starts a Kafka in this process and puts records into a topic, one after the other in one partition.
func topicOf(t testing.TB, records [][]byte) (addrs []string) {
	t.Helper()
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, "orders"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cluster.Close)
	client, err := kgo.NewClient(kgo.SeedBrokers(cluster.ListenAddrs()...), kgo.DefaultProduceTopic("orders"))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	var all []*kgo.Record
	for _, value := range records {
		all = append(all, &kgo.Record{Value: value})
	}
	if err := client.ProduceSync(context.Background(), all...).FirstErr(); err != nil {
		t.Fatal(err)
	}
	return cluster.ListenAddrs()
}

// consume reads n records of the topic from its beginning and hands their values to use.
func consume(t testing.TB, addrs []string, n int, use func(value []byte) error) {
	t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(addrs...), kgo.ConsumeTopics("orders"))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for n > 0 {
		fetches := client.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			t.Fatal(err)
		}
		for r := range fetches.RecordsAll() {
			n--
			if err := use(r.Value); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestConsume produces and consumes through Kafka's protocol, with a record that is wrong between the others.
func TestConsume(t *testing.T) {
	_, client := newRegistry(t)
	codec := kafkacodec.New(client, kafkacodec.Options{})
	records, _ := orders(t, codec, 100)
	decoder := kafkacodec.New(client, kafkacodec.Options{}).Decoder(kafkacodec.DecodeOptions{Paths: []string{"id"}})
	records = append(records, []byte("not framed"), nil)
	got, wrong := 0, 0
	consume(t, topicOf(t, records), len(records), func(value []byte) error {
		text, err := decoder.AppendJSON(background, nil, value)
		if err != nil {
			wrong++
			return nil
		}
		if want := fmt.Sprintf(`{"id":"order_%06d"}`, got); string(text) != want {
			return fmt.Errorf("%s, want %s", text, want)
		}
		got++
		return nil
	})
	if got != 100 || wrong != 2 {
		t.Errorf("%d records, %d wrong", got, wrong)
	}
}

// BenchmarkConsume consumes a topic and makes JSON text of each record; the client's own work is a part of it, which
// the first of the three does alone.
func BenchmarkConsume(b *testing.B) {
	_, client := newRegistry(b)
	codec := kafkacodec.New(client, kafkacodec.Options{})
	records, typ := orders(b, codec, 20_000)
	addrs := topicOf(b, records)
	decoder := codec.Decoder(kafkacodec.DecodeOptions{})
	theirs := dynamicpbConsumer{map[uint32]protoreflect.MessageType{orderID: dynamicpb.NewMessageType(
		typ.Descriptor())}}
	run := func(name string, appendJSON func(dst, record []byte) ([]byte, error)) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				var text []byte
				consume(b, addrs, len(records), func(value []byte) (err error) {
					text, err = appendJSON(text[:0], value)
					return err
				})
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(records)), "ns/record")
		})
	}
	run("nothing", func(dst, _ []byte) ([]byte, error) { return dst, nil })
	run("dynamicpb", theirs.appendJSON)
	run("kafkacodec", func(dst, record []byte) ([]byte, error) { return decoder.AppendJSON(background, dst, record) })
}
