package kafkacodec_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/codec/kafkacodec"
	"github.com/protean-pb/protean/protojson"
)

// TestRealKafka produces records to the Kafka that make kafka starts, consumes them in a group, and holds what comes
// out against dynamicpb.
func TestRealKafka(t *testing.T) {
	address := os.Getenv("PROTEAN_KAFKA")
	if address == "" {
		t.Skip("make kafka starts one")
	}
	const n = 20_000
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	_, registry := newRegistry(t)
	codec := kafkacodec.New(registry, kafkacodec.Options{})
	records, typ := orders(t, codec, n)
	topic := fmt.Sprintf("orders-%d", time.Now().UnixNano())

	producer, err := kgo.NewClient(kgo.SeedBrokers(address), kgo.DefaultProduceTopic(topic),
		kgo.AllowAutoTopicCreation())
	if err != nil {
		t.Fatal(err)
	}
	defer producer.Close()
	var all []*kgo.Record
	for _, value := range records {
		all = append(all, &kgo.Record{Value: value})
	}
	if err := producer.ProduceSync(ctx, all...).FirstErr(); err != nil {
		t.Fatal(err)
	}

	consumer, err := kgo.NewClient(kgo.SeedBrokers(address), kgo.ConsumeTopics(topic), kgo.ConsumerGroup(topic),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	if err != nil {
		t.Fatal(err)
	}
	defer consumer.Close()
	decoder := kafkacodec.New(registry, kafkacodec.Options{}).Decoder(kafkacodec.DecodeOptions{})
	theirs := dynamicpbConsumer{map[uint32]protoreflect.MessageType{orderID: dynamicpb.NewMessageType(
		typ.Descriptor())}}
	seen := map[string]bool{}
	for len(seen) < n {
		fetches := consumer.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			t.Fatal(err)
		}
		for r := range fetches.RecordsAll() {
			text, err := decoder.AppendJSON(ctx, nil, r.Value)
			want, wantErr := theirs.appendJSON(nil, r.Value)
			if err != nil || wantErr != nil || !bytes.Equal(compact(t, typ, text), compact(t, typ, want)) {
				t.Fatalf("%s %v, dynamicpb: %s %v", text, err, want, wantErr)
			}
			seen[string(r.Value)] = true
		}
	}
	t.Logf("%d records", len(seen))
}

// compact reads text and writes it in one form.
func compact(t *testing.T, typ *kafkacodec.Type, text []byte) []byte {
	t.Helper()
	m := proto.Message(typ.New())
	if err := protojson.Unmarshal(text, m); err != nil {
		t.Fatal(err)
	}
	out, err := protojson.MarshalOptions{Canonical: true}.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
