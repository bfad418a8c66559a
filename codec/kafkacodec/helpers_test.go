package kafkacodec_test

import (
	"context"
	"errors"
	"testing"

	"github.com/twmb/franz-go/pkg/sr"
	"github.com/twmb/franz-go/pkg/sr/srfake"

	"github.com/protean-pb/protean/codec/kafkacodec"
)

const orderProto = `syntax = "proto3";
package shop;
import "google/protobuf/timestamp.proto";
import "shop/money.proto";
message Ping {}
message Order {
  string id = 1;
  int64 customer = 2;
  repeated Line lines = 3;
  map<string, string> labels = 4;
  google.protobuf.Timestamp at = 5;
  Status status = 6;
  optional double discount = 7;
  Money total = 8;
  bytes signature = 9;
  bool paid = 10;
  message Line {
    string sku = 1;
    uint32 quantity = 2;
    Money price = 3;
    repeated string tags = 4;
    message Note { string text = 1; }
  }
  enum Status { STATUS_UNSPECIFIED = 0; STATUS_OPEN = 1; STATUS_SHIPPED = 2; }
}
`

const moneyProto = `syntax = "proto3";
package shop;
message Money { string currency = 1; int64 units = 2; int32 nanos = 3; }
`

// Where the tests' schemas are in the registry.
const (
	moneyID = 7
	orderID = 1042
)

// newRegistry starts a registry that has the tests' schemas.
func newRegistry(t testing.TB) (*srfake.Registry, *sr.Client) {
	t.Helper()
	fake := srfake.New()
	t.Cleanup(fake.Close)
	fake.SeedSchema("money", 1, moneyID, sr.Schema{Schema: moneyProto, Type: sr.TypeProtobuf})
	fake.SeedSchema("orders-value", 1, orderID, sr.Schema{
		Schema: orderProto, Type: sr.TypeProtobuf,
		References: []sr.SchemaReference{{Name: "shop/money.proto", Subject: "money", Version: 1}},
	})
	client, err := kafkacodec.NewRegistry(sr.URLs(fake.URL()))
	if err != nil {
		t.Fatal(err)
	}
	return fake, client
}

// A stub is a registry of functions' answers.
type stub struct {
	byID      func(ctx context.Context, id int) (sr.Schema, error)
	byVersion func(ctx context.Context, subject string, version int) (sr.SubjectSchema, error)
}

func (s stub) SchemaByID(ctx context.Context, id int) (sr.Schema, error) { return s.byID(ctx, id) }

func (s stub) SchemaByVersion(ctx context.Context, subject string, version int) (sr.SubjectSchema, error) {
	if s.byVersion == nil {
		return sr.SubjectSchema{}, errors.New("there are no subjects")
	}
	return s.byVersion(ctx, subject, version)
}

// source is a registry that has one schema, whatever the id.
func source(text string) stub {
	return stub{byID: func(context.Context, int) (sr.Schema, error) {
		return sr.Schema{Schema: text, Type: sr.TypeProtobuf}, nil
	}}
}
