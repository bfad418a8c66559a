package main

import (
	"context"
	"fmt"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sr"
	"github.com/twmb/franz-go/pkg/sr/srfake"

	"github.com/protean-pb/protean/codec/kafkacodec"
	"github.com/protean-pb/protean/protojson"
)

const eventProto = `syntax = "proto3";
package acme.v1;

import "google/protobuf/struct.proto";
import "google/protobuf/timestamp.proto";

message Event {
  string id = 1;
  google.protobuf.Timestamp at = 2;
  string type = 3;
  Actor actor = 4;
  map<string, string> labels = 5;
  google.protobuf.Value payload = 6;
}

message Actor {
  string email = 1;
  int64 account = 2;
}
`

// startOwn starts a Kafka and a registry in this process, and puts f.count events into the topic.
func (f *flags) startOwn(ctx context.Context) (stop func(), err error) {
	kafka, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, f.topic))
	if err != nil {
		return nil, err
	}
	registry := srfake.New()
	stop = func() { registry.Close(); kafka.Close() }
	f.brokers, f.registry = kafka.ListenAddrs()[0], registry.URL()
	subject := f.topic + "-value"
	if _, _, err = registry.RegisterSchema(subject, sr.Schema{Schema: eventProto, Type: sr.TypeProtobuf}); err == nil {
		err = f.produce(ctx, subject)
	}
	if err != nil {
		stop()
		return nil, err
	}
	return stop, nil
}

// produce puts f.count events into the topic.
func (f *flags) produce(ctx context.Context, subject string) error {
	registry, err := kafkacodec.NewRegistry(sr.URLs(f.registry))
	if err != nil {
		return err
	}
	event, err := kafkacodec.New(registry, kafkacodec.Options{}).Latest(ctx, subject, "acme.v1.Event")
	if err != nil {
		return err
	}
	client, err := kgo.NewClient(kgo.SeedBrokers(f.brokers), kgo.DefaultProduceTopic(f.topic))
	if err != nil {
		return err
	}
	defer client.Close()
	var records []*kgo.Record
	for i := range f.count {
		m := event.New()
		if err := protojson.Unmarshal([]byte(text(i)), m); err != nil {
			return err
		}
		value, err := event.Append(nil, m)
		if err != nil {
			return err
		}
		records = append(records, &kgo.Record{Key: fmt.Appendf(nil, "evt_%d", i), Value: value})
	}
	return client.ProduceSync(ctx, records...).FirstErr()
}

// text is an event in ProtoJSON.
func text(i int) string {
	return fmt.Sprintf(`{"id": "evt_%d", "at": "2026-11-24T10:00:%02dZ", "type": "order.updated",
		"actor": {"email": "user%d@example.com", "account": "%d"}, "labels": {"region": "eu", "channel": "web"},
		"payload": {"order": %d, "status": "shipped", "items": [{"sku": "tea", "quantity": 2}, {"sku": "cup", "quantity": 1}]}}`,
		i, i%60, i%97, 81_000+i, i)
}
