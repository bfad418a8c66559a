package kafkacodec_test

import (
	"context"
	"fmt"
	"log"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sr"
	"github.com/twmb/franz-go/pkg/sr/srfake"

	"github.com/protean-pb/protean/codec/kafkacodec"
	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/protojson"
)

// start starts a Kafka and a registry in this process, which has the schema of a topic, and puts a record into that.
func start() (brokers []string, registryURL string, stop func()) {
	kafka := kfake.MustCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, "orders"))
	fake := srfake.New()
	fake.SeedSchema("money", 1, moneyID, sr.Schema{Schema: moneyProto, Type: sr.TypeProtobuf})
	fake.SeedSchema("orders-value", 1, orderID, sr.Schema{
		Schema: orderProto, Type: sr.TypeProtobuf,
		References: []sr.SchemaReference{{Name: "shop/money.proto", Subject: "money", Version: 1}},
	})
	produce(kafka.ListenAddrs(), fake.URL())
	return kafka.ListenAddrs(), fake.URL(), func() { fake.Close(); kafka.Close() }
}

func produce(brokers []string, registryURL string) {
	ctx := context.Background()
	registry, err := kafkacodec.NewRegistry(sr.URLs(registryURL))
	if err != nil {
		log.Fatal(err)
	}
	client, err := kgo.NewClient(kgo.SeedBrokers(brokers...))
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	codec := kafkacodec.New(registry, kafkacodec.Options{})
	order, err := codec.Latest(ctx, "orders-value", "shop.Order")
	if err != nil {
		log.Fatal(err)
	}
	m := order.New()
	if err := protojson.Unmarshal([]byte(`{"id": "o-1", "lines": [{"sku": "tea", "quantity": 2}]}`), m); err != nil {
		log.Fatal(err)
	}
	value, err := codec.Append(nil, m) // or order.Append, for any message of the name shop.Order
	if err != nil {
		log.Fatal(err)
	}
	if err := client.ProduceSync(ctx, &kgo.Record{Topic: "orders", Value: value}).FirstErr(); err != nil {
		log.Fatal(err)
	}
}

func Example() {
	brokers, registryURL, stop := start()
	defer stop()
	ctx := context.Background()

	registry, err := kafkacodec.NewRegistry(sr.URLs(registryURL))
	if err != nil {
		log.Fatal(err)
	}
	client, err := kgo.NewClient(kgo.SeedBrokers(brokers...), kgo.ConsumeTopics("orders"))
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	decoder := kafkacodec.New(registry, kafkacodec.Options{}).Decoder(kafkacodec.DecodeOptions{})
	var text []byte
	for record := range client.PollFetches(ctx).RecordsAll() {
		text, err = decoder.AppendJSON(ctx, text[:0], record.Value)
		if err != nil {
			log.Printf("%s/%d@%d: %v", record.Topic, record.Partition, record.Offset, err)
			continue
		}
		fmt.Println(string(text))
	}
	// Output: {"id":"o-1","lines":[{"sku":"tea","quantity":2}]}
}

func ExampleDecodeOptions() {
	brokers, registryURL, stop := start()
	defer stop()
	ctx := context.Background()
	registry, err := kafkacodec.NewRegistry(sr.URLs(registryURL))
	if err != nil {
		log.Fatal(err)
	}
	codec := kafkacodec.New(registry, kafkacodec.Options{})
	record := fetch(brokers)

	decoder := codec.Decoder(kafkacodec.DecodeOptions{Paths: []string{"id", "lines.sku"}})
	text, err := decoder.AppendJSON(ctx, nil, record.Value)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(text))
	// Output: {"id":"o-1","lines":[{"sku":"tea"}]}
}

func ExampleDecoder() {
	brokers, registryURL, stop := start()
	defer stop()
	ctx := context.Background()
	registry, err := kafkacodec.NewRegistry(sr.URLs(registryURL))
	if err != nil {
		log.Fatal(err)
	}
	codec := kafkacodec.New(registry, kafkacodec.Options{})
	decoder := codec.Decoder(kafkacodec.DecodeOptions{})
	record := fetch(brokers)

	m, err := decoder.Message(ctx, record.Value) // a *dynamic.Message
	if err != nil {
		log.Fatal(err)
	}
	v, err := decoder.Value(ctx, record.Value) // a map[string]any
	if err != nil {
		log.Fatal(err)
	}
	event := dynamic.NewMessage(m.Descriptor()) // or a generated message, such as new(shoppb.Order)
	if err := decoder.Unmarshal(ctx, record.Value, event); err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Descriptor().FullName(), v.(map[string]any)["id"], event.Get(m.Descriptor().Fields().ByName("id")))
	// Output: shop.Order o-1 o-1
}

// fetch returns the record of the topic.
func fetch(brokers []string) *kgo.Record {
	client, err := kgo.NewClient(kgo.SeedBrokers(brokers...), kgo.ConsumeTopics("orders"))
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	return client.PollFetches(context.Background()).Records()[0]
}
