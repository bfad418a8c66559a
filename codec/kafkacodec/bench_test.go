package kafkacodec_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/codec/kafkacodec"
	protean "github.com/protean-pb/protean/protojson"
)

// orders returns records of orders, each with some lines, and their type.
func orders(t testing.TB, c *kafkacodec.Codec, n int) ([][]byte, *kafkacodec.Type) {
	t.Helper()
	typ, err := c.Lookup(context.Background(), orderID, "shop.Order")
	if err != nil {
		t.Fatal(err)
	}
	var out [][]byte
	for i := range n {
		text := fmt.Sprintf(`{"id":"order_%06d","customer":"%d","at":"2026-11-24T10:%02d:00.5Z","status":"STATUS_SHIPPED","discount":0.25,
			"labels":{"region":"eu-central-1","channel":"web","tier":"gold"},"total":{"currency":"EUR","units":"%d","nanos":990000000},
			"signature":"3q2+7w==","paid":true,"lines":[%s]}`, i, 1_000_000+i*7, i%60, i*13, line(i))
		m := typ.New()
		if err := protean.Unmarshal([]byte(text), m); err != nil {
			t.Fatal(err)
		}
		record, err := c.Append(nil, m)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, record)
	}
	return out, typ
}

func line(i int) string {
	var lines []string
	for j := range 1 + i%5 {
		lines = append(lines, fmt.Sprintf(`{"sku":"sku-%d-%d","quantity":%d,"price":{"currency":"EUR","units":"%d"},"tags":["a%d","new","sale"]}`,
			i, j, j+1, 5+j, j))
	}
	return strings.Join(lines, ",")
}

// dynamicpbConsumer is the consumer that one writes with dynamicpb: the descriptor of an id is looked up once.
type dynamicpbConsumer struct {
	types map[uint32]protoreflect.MessageType
}

func (o dynamicpbConsumer) appendJSON(dst, record []byte) ([]byte, error) {
	mt := o.types[binary.BigEndian.Uint32(record[1:])]
	m := mt.New().Interface()
	if err := proto.Unmarshal(record[7:], m); err != nil { // of type [1]: two bytes of indexes
		return dst, err
	}
	return protojson.MarshalOptions{}.MarshalAppend(dst, m)
}

// BenchmarkJSON makes JSON text of records, as dynamicpb with protojson does, and as a Decoder does.
func BenchmarkJSON(b *testing.B) {
	_, client := newRegistry(b)
	codec := kafkacodec.New(client, kafkacodec.Options{})
	records, typ := orders(b, codec, 1000)
	decoder := codec.Decoder(kafkacodec.DecodeOptions{})
	theirs := dynamicpbConsumer{map[uint32]protoreflect.MessageType{orderID: dynamicpb.NewMessageType(
		typ.Descriptor())}}
	size := 0
	for _, r := range records {
		size += len(r)
	}
	run := func(name string, appendJSON func(dst, record []byte) ([]byte, error)) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(size / len(records)))
			var text []byte
			for i := 0; b.Loop(); i++ {
				var err error
				if text, err = appendJSON(text[:0], records[i%len(records)]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	run("dynamicpb", theirs.appendJSON)
	run("kafkacodec", func(dst, record []byte) ([]byte,
		error) {
		return decoder.AppendJSON(context.Background(), dst, record)
	})
}
