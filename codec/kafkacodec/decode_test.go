package kafkacodec_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/sr"
	officialjson "google.golang.org/protobuf/encoding/protojson"
	official "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/protean-pb/protean/codec/kafkacodec"
	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/proto"
	"github.com/protean-pb/protean/protojson"
)

// TestForms reads the same records in every form, and holds each against dynamicpb with protojson.
func TestForms(t *testing.T) {
	_, client := newRegistry(t)
	codec := kafkacodec.New(client, kafkacodec.Options{})
	decoder := codec.Decoder(kafkacodec.DecodeOptions{})
	records, typ := orders(t, codec, 50)
	for _, record := range records {
		want := dynamicpb.NewMessage(typ.Descriptor())
		if err := official.Unmarshal(record[7:], want); err != nil {
			t.Fatal(err)
		}
		m, err := decoder.Message(background, record)
		if err != nil || !official.Equal(m, want) {
			t.Fatalf("Message: %v %v, want %v", m, err, want)
		}
		into := dynamic.NewMessage(typ.Descriptor())
		if err := decoder.Unmarshal(background, record, into); err != nil || !official.Equal(into, want) {
			t.Fatalf("Unmarshal: %v %v", into, err)
		}
		text, err := decoder.AppendJSON(background, []byte("before "), record)
		read := dynamicpb.NewMessage(typ.Descriptor())
		if err == nil {
			err = officialjson.Unmarshal([]byte(strings.TrimPrefix(string(text), "before ")), read)
		}
		if err != nil || !official.Equal(read, want) {
			t.Fatalf("AppendJSON: %s %v", text, err)
		}
		v, err := decoder.Value(background, record)
		wantValue, wantErr := protojson.ToAny(want)
		if err != nil || wantErr != nil || !reflect.DeepEqual(v, wantValue) {
			t.Fatalf("Value: %v %v, want %v", v, err, wantValue)
		}
		again, err := codec.Append(nil, m)
		if err != nil || !same(t, typ, again, record) {
			t.Fatalf("Append: %x %v, want %x", again, err, record)
		}
	}
}

// same reports whether two records have the same header and equal messages.
func same(t *testing.T, typ *kafkacodec.Type, a, b []byte) bool {
	t.Helper()
	x, y := dynamicpb.NewMessage(typ.Descriptor()), dynamicpb.NewMessage(typ.Descriptor())
	if err := errors.Join(official.Unmarshal(a[7:], x), official.Unmarshal(b[7:], y)); err != nil {
		t.Fatal(err)
	}
	return string(a[:7]) == string(b[:7]) && official.Equal(x, y)
}

func TestPaths(t *testing.T) {
	_, client := newRegistry(t)
	codec := kafkacodec.New(client, kafkacodec.Options{})
	records, _ := orders(t, codec, 3)
	decoder := codec.Decoder(kafkacodec.DecodeOptions{Paths: []string{"id", "lines.sku"}})
	text, err := decoder.AppendJSON(background, nil, records[1])
	if want := `{"id":"order_000001","lines":[{"sku":"sku-1-0"},{"sku":"sku-1-1"}]}`; string(text) != want || err != nil {
		t.Errorf("%s %v, want %s", text, err, want)
	}
	m, err := decoder.Message(background, records[1])
	if err != nil || len(m.GetUnknown()) != 0 {
		t.Error(m, err)
	}
	wrong := codec.Decoder(kafkacodec.DecodeOptions{Paths: []string{"id", "customer.name"}})
	if _, err := wrong.AppendJSON(background, nil, records[1]); err == nil || !strings.Contains(err.Error(), `shop.Order of schema 1042: proto: path "customer.name"`) {
		t.Error(err)
	}
	none := codec.Decoder(kafkacodec.DecodeOptions{Paths: []string{}})
	if text, err := none.AppendJSON(background, nil, records[1]); string(text) != "{}" || err != nil {
		t.Errorf("no paths: %s %v", text, err)
	}
}

// TestGenerated reads into and writes generated messages, by a schema that has a field more.
func TestGenerated(t *testing.T) {
	registry := source(`syntax = "proto3"; package google.protobuf; message Other {}
		message Duration { int64 seconds = 1; int32 nanos = 2; string note = 3; }`)
	codec := kafkacodec.New(registry, kafkacodec.Options{})
	typ, err := codec.Lookup(background, 1, "google.protobuf.Duration")
	if err != nil {
		t.Fatal(err)
	}
	d := durationpb.New(90e9)
	if _, err := codec.Append(nil, d); !errors.Is(err, kafkacodec.ErrSchema) {
		t.Errorf("before Use: %v", err)
	}
	if err := codec.Use(d.ProtoReflect().Descriptor(), typ); err != nil {
		t.Fatal(err)
	}
	record, err := codec.Append([]byte("before"), d)
	if want := "before\x00\x00\x00\x00\x01\x02\x02\x08\x5a"; string(record) != want || err != nil {
		t.Fatalf("%q %v, want %q", record, err, want)
	}
	record = record[len("before"):]
	for _, paths := range [][]string{nil, {"seconds"}} {
		got := durationpb.New(1)
		decoder := codec.Decoder(kafkacodec.DecodeOptions{Paths: paths})
		if err := decoder.Unmarshal(background, record, got); err != nil || !official.Equal(got, d) {
			t.Errorf("%v %v", got, err)
		}
		if err := decoder.Unmarshal(background, recordOf(1), got); !errors.Is(err, kafkacodec.ErrSchema) ||
			!strings.Contains(err.Error(),
				"the record is a message google.protobuf.Other of schema 1, not google.protobuf.Duration") {
			t.Error(err)
		}
	}
	other, err := codec.Lookup(background, 1, "google.protobuf.Other")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.Append(nil, d); err == nil || codec.Use(d.ProtoReflect().Descriptor(), other) == nil {
		t.Error("a message is written as one of another name")
	}
}

// TestTwoVersions writes dynamic messages of two versions of a schema in turn: each goes out with its own id, where
// sr.Serde, which goes by the Go type, sends both with the last one.
func TestTwoVersions(t *testing.T) {
	codec := kafkacodec.New(stub{byID: func(_ context.Context, id int) (sr.Schema, error) {
		return sr.Schema{Type: sr.TypeProtobuf, Schema: `syntax = "proto3"; message M { int32 a = ` + fmt.Sprint(id) + `; }`}, nil
	}}, kafkacodec.Options{})
	var messages []*dynamic.Message
	for id := 1; id <= 2; id++ {
		typ, err := codec.Lookup(background, id, "M")
		if err != nil {
			t.Fatal(err)
		}
		m := typ.New()
		if err := protojson.Unmarshal([]byte(`{"a":5}`), m); err != nil {
			t.Fatal(err)
		}
		messages = append(messages, m)
	}
	for i := range 4 {
		record, err := codec.Append(nil, messages[i%2])
		if want := []string{"\x00\x00\x00\x00\x01\x00\x08\x05",
			"\x00\x00\x00\x00\x02\x00\x10\x05"}[i%2]; string(record) != want || err != nil {
			t.Errorf("%q %v, want %q", record, err, want)
		}
	}
	if _, err := codec.Append(nil, nil); err == nil {
		t.Error("a nil message is written")
	}
	if _, err := codec.Append(nil, dynamic.NewMessage(durationpb.New(0).ProtoReflect().Descriptor())); !errors.Is(err,
		kafkacodec.ErrSchema) {
		t.Error(err)
	}
}

// TestLatest finds what a subject's messages are written as.
func TestLatest(t *testing.T) {
	_, client := newRegistry(t)
	codec := kafkacodec.New(client, kafkacodec.Options{})
	typ, err := codec.Latest(background, "orders-value", "shop.Order")
	if err != nil || typ.ID() != orderID || !reflect.DeepEqual(typ.Indexes(), []int{1}) {
		t.Error(typ, err)
	}
	for subject, name := range map[string]string{"orders-value": "shop.Missing", "missing": "shop.Order"} {
		if _, err := codec.Latest(background, subject, "shop.Missing"); !errors.Is(err, kafkacodec.ErrSchema) {
			t.Errorf("%s %s: %v", subject, name, err)
		}
	}
	if _, err := codec.Latest(background, "orders-value", "shop.Money"); err == nil {
		t.Error("a message of another file has no indexes in this one")
	}
}

// TestWrongMessages reads records whose messages are wrong: the errors say where in the record.
func TestWrongMessages(t *testing.T) {
	codec := kafkacodec.New(source(message.Schema), kafkacodec.Options{})
	decoder := codec.Decoder(kafkacodec.DecodeOptions{})
	record := append(recordOf(1), "\x0a\x05ab"...)
	_, messageErr := decoder.Message(background, record)
	_, valueErr := decoder.Value(background, record)
	text, textErr := decoder.AppendJSON(background, []byte("x"), record)
	into := dynamic.NewMessage(durationpb.New(0).ProtoReflect().Descriptor())
	for _, err := range []error{messageErr, valueErr, textErr} {
		var f *proto.FieldError
		if !errors.As(err, &f) || f.Offset < 6 || f.Offset > len(record) || !errors.Is(err, proto.ErrTruncated) {
			t.Errorf("%v: %+v", err, f)
		}
	}
	if string(text) != "x" {
		t.Errorf("%q", text)
	}
	if err := decoder.Unmarshal(background, record, into); !errors.Is(err, kafkacodec.ErrSchema) {
		t.Error(err)
	}
	if err := decoder.Unmarshal(background, record, nil); err == nil {
		t.Error("a nil message is read into")
	}
}

// FuzzRecord reads any bytes as a record, in all forms.
func FuzzRecord(f *testing.F) {
	_, client := newRegistry(f)
	codec := kafkacodec.New(client, kafkacodec.Options{MaxSchemas: 10})
	records, typ := orders(f, codec, 3)
	for _, r := range records {
		f.Add(r)
	}
	f.Add([]byte("\x00\x00\x00\x04\x12\x04\x02\x02\x0a\x01a"))
	all := codec.Decoder(kafkacodec.DecodeOptions{})
	f.Fuzz(func(t *testing.T, record []byte) {
		if record = bytes.Clone(record); len(record) > 4 {
			copy(record[1:], "\x00\x00\x04\x12") // a schema that there is
		}
		m, err := all.Message(background, record)
		text, jsonErr := all.AppendJSON(background, nil, record)
		if err != nil && jsonErr == nil {
			t.Fatalf("Message: %v, AppendJSON: %s", err, text)
		}
		if err != nil || m.Descriptor() != typ.Descriptor() {
			return
		}
		want := dynamicpb.NewMessage(typ.Descriptor())
		_, payload, _ := codec.Type(background, record)
		if err := official.Unmarshal(payload, want); err != nil {
			t.Fatalf("dynamicpb: %v", err)
		}
		wantText, wantErr := officialjson.Marshal(want)
		if (jsonErr != nil) != (wantErr != nil) {
			t.Fatalf("AppendJSON: %v, protojson: %s %v", jsonErr, wantText, wantErr)
		}
		if jsonErr == nil && !jsonEqual(t, typ, text, wantText) {
			t.Fatalf("%s, want %s", text, wantText)
		}
	})
}

func jsonEqual(t *testing.T, typ *kafkacodec.Type, a, b []byte) bool {
	t.Helper()
	x, y := dynamicpb.NewMessage(typ.Descriptor()), dynamicpb.NewMessage(typ.Descriptor())
	if err := errors.Join(officialjson.Unmarshal(a, x), officialjson.Unmarshal(b, y)); err != nil {
		t.Fatal(err)
	}
	return official.Equal(x, y)
}

// TestAny reads messages in an Any: of the record's schema, and of a type that the program links.
func TestAny(t *testing.T) {
	codec := kafkacodec.New(source(`syntax = "proto3"; package acme; import "google/protobuf/any.proto";
		message Envelope { repeated google.protobuf.Any items = 1; } message Item { string s = 1; }`), kafkacodec.Options{})
	decoder := codec.Decoder(kafkacodec.DecodeOptions{})
	record := append(recordOf(1), "\x0a\x0f\x0a\x0bx/acme.Item\x12\x00"...)
	record = append(record, "\x0a\x21\x0a\x1bx/google.protobuf.Timestamp\x12\x02\x08\x01"...)
	want := `{"items":[{"@type":"x/acme.Item"},{"@type":"x/google.protobuf.Timestamp","value":"1970-01-01T00:00:01Z"}]}`
	if text, err := decoder.AppendJSON(background, nil, record); string(text) != want || err != nil {
		t.Errorf("%s %v, want %s", text, err, want)
	}
	if v, err := decoder.Value(background, record); err != nil || len(v.(map[string]any)["items"].([]any)) != 2 {
		t.Error(v, err)
	}
	record = append(recordOf(1), "\x0a\x10\x0a\x0ex/acme.Missing"...)
	if text, err := decoder.AppendJSON(background, nil, record); err == nil || len(text) != 0 {
		t.Errorf("a type that nobody has: %s", text)
	}
}
