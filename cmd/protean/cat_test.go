package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sr"
	"github.com/twmb/franz-go/pkg/sr/srfake"
	"google.golang.org/protobuf/encoding/protowire"
)

const catProto = `syntax = "proto3"; package acme.v1; message Event { string id = 1; int64 n = 2; }`

// framedEvent is a record with the event of an id, under schema 5.
func framedEvent(id string) []byte {
	return append([]byte("\x00\x00\x00\x00\x05\x00"), plainEvent(id)...)
}

func plainEvent(id string) []byte { return append([]byte{0x0a, byte(len(id))}, id...) }

func delimited(records ...[]byte) string {
	var b []byte
	for _, r := range records {
		b = append(protowire.AppendVarint(b, uint64(len(r))), r...)
	}
	return string(b)
}

// startRegistry starts a registry in this process that has the schema of events, and returns its URL.
func startRegistry(t *testing.T, opts ...srfake.Option) string {
	t.Helper()
	fake := srfake.New(opts...)
	t.Cleanup(fake.Close)
	fake.SeedSchema("events-value", 1, 5, sr.Schema{Schema: catProto, Type: sr.TypeProtobuf})
	return fake.URL()
}

// startKafka starts a Kafka in this process with a topic of two partitions, and returns its address.
func startKafka(t *testing.T, opts ...kfake.Opt) string {
	t.Helper()
	cluster, err := kfake.NewCluster(append(opts, kfake.NumBrokers(1), kfake.SeedTopics(2, "events"))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cluster.Close)
	return cluster.ListenAddrs()[0]
}

// produce puts records into partitions of the topic.
func produce(t *testing.T, address string, records ...*kgo.Record) {
	t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(address), kgo.DefaultProduceTopic("events"),
		kgo.RecordPartitioner(kgo.ManualPartitioner()))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if err := client.ProduceSync(context.Background(), records...).FirstErr(); err != nil {
		t.Fatal(err)
	}
}

// events are records of a partition.
func events(partition int32, ids ...string) (out []*kgo.Record) {
	for _, id := range ids {
		out = append(out, &kgo.Record{Partition: partition, Value: framedEvent(id), Key: []byte("key " + id),
			Timestamp: time.Unix(1_700_000_000, 0)})
	}
	return out
}

func TestCatTopic(t *testing.T) {
	registry, broker := startRegistry(t), startKafka(t)
	produce(t, broker, events(0, "a", "b", "c")...)
	produce(t, broker, &kgo.Record{Partition: 0, Value: nil, Key: []byte{0xff}, Timestamp: time.Unix(1_700_000_000, 0)})
	args := []string{"cat", "--brokers", broker, "--topic", "events", "--registry", registry}
	for _, tt := range []struct{ flags, want string }{
		{"", `{"id":"a"} {"id":"b"} {"id":"c"} null`},
		{"--count 2", `{"id":"a"} {"id":"b"}`},
		{"--from 2", `{"id":"c"} null`},
		{"--from -3", `{"id":"b"} {"id":"c"} null`},
		{"--from -100 --count 1", `{"id":"a"}`},
		{"--from 100", ""},
		{"--from end", ""},
		{"--paths n", `{} {} {} null`},
		{"--meta --from 2", `{"topic":"events","partition":0,"offset":2,"time":"2023-11-14T22:13:20Z","key":"key_c","value":{"id":"c"}} ` +
			`{"topic":"events","partition":0,"offset":3,"time":"2023-11-14T22:13:20Z","keyBase64":"/w==","value":null}`},
	} {
		o := protean(t, nil, append(args, strings.Fields(tt.flags)...)...)
		got := strings.Join(strings.Split(strings.TrimSpace(strings.ReplaceAll(o.stdout, "key c", "key_c")), "\n"), " ")
		if o.code != exitOK || o.stderr != "" || got != tt.want {
			t.Errorf("%s: exit code %d, %q\n%s, want\n%s", tt.flags, o.code, o.stderr, got, tt.want)
		}
	}
}

// A record that is wrong is told of, and the others are printed.
func TestCatWrongRecords(t *testing.T) {
	registry, broker := startRegistry(t), startKafka(t)
	produce(t, broker, append(events(1, "a"),
		&kgo.Record{Partition: 1, Value: []byte("text")},
		&kgo.Record{Partition: 1, Value: []byte("\x00\x00\x00\x00\x06\x00")},
		&kgo.Record{Partition: 1, Value: []byte("\x00\x00\x00\x00\x05\x02\x06")},
		&kgo.Record{Partition: 1, Value: framedEvent("a")[:7]})...)
	produce(t, broker, events(1, "z")...)
	o := protean(t, nil, "cat", "--brokers", broker, "--topic", "events", "--registry", registry)
	if o.code != exitFailed || o.stdout != "{\"id\":\"a\"}\n{\"id\":\"z\"}\n" {
		t.Errorf("exit code %d\n%s", o.code, o.stdout)
	}
	lines := strings.Split(strings.TrimSpace(o.stderr), "\n")
	want := []string{"protean: events/1@1: the record is not in Confluent's wire format: byte 0 is 0x74, want 0x00",
		"protean: events/1@2: no schema 6: ", "protean: events/1@3: no schema: schema 5 has no message type at [3]", "protean: events/1@4: "}
	if len(lines) != len(want) {
		t.Fatalf("%q", lines)
	}
	for i := range want {
		if !strings.HasPrefix(lines[i], want[i]) {
			t.Errorf("%q, want %q", lines[i], want[i])
		}
	}
}

// With --follow, what comes later is printed, until the command is interrupted.
func TestCatFollows(t *testing.T) {
	registry, broker := startRegistry(t), startKafka(t)
	produce(t, broker, events(0, "a")...)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	out := make(lineWriter)
	code := make(chan int)
	go func() {
		code <- run(ctx, []string{"cat", "--brokers", broker, "--topic", "events", "--registry", registry, "--follow"},
			nil, out, out)
	}()
	for _, id := range []string{"a", "b"} {
		if got := <-out; got != fmt.Sprintf("{\"id\":%q}\n", id) {
			t.Fatal(got)
		}
		produce(t, broker, events(0, "b")...)
	}
	<-out
	cancel()
	if got := <-code; got != exitInterrupted {
		t.Errorf("exit code %d", got)
	}
}

// A lineWriter hands over what is written.
type lineWriter chan string

func (w lineWriter) Write(b []byte) (int, error) {
	w <- string(b)
	return len(b), nil
}

func TestCatFiles(t *testing.T) {
	registry, dir := startRegistry(t), t.TempDir()
	framed := writeFile(t, filepath.Join(dir, "framed"), delimited(framedEvent("a"), framedEvent("b")))
	plain := writeFile(t, filepath.Join(dir, "plain"), delimited(plainEvent("c"), nil, plainEvent("d")))
	schema := writeFile(t, filepath.Join(dir, "event.proto"), catProto)
	own := []string{"--proto", schema, "-I", dir, "--message", "acme.v1.Event"}
	for _, tt := range []struct {
		flags []string
		want  string
	}{
		{[]string{"--registry", registry, "--data", framed}, `{"id":"a"} {"id":"b"}`},
		{[]string{"--registry", registry, "--data", framed, "--data", framed, "--count", "3"}, `{"id":"a"} {"id":"b"} {"id":"a"}`},
		{flags(own, "--data", plain), `{"id":"c"} {} {"id":"d"}`},
		{flags(own, "--data", "-", "--paths", "id"), `{"id":"e"}`},
	} {
		o := protean(t, strings.NewReader(delimited(plainEvent("e"))), flags([]string{"cat"}, tt.flags...)...)
		if got := strings.Join(strings.Split(strings.TrimSpace(o.stdout), "\n"), " "); o.code != exitOK ||
			o.stderr != "" || got != tt.want {
			t.Errorf("%q: exit code %d, %q\n%s", tt.flags, o.code, o.stderr, got)
		}
	}
}

func TestCatErrors(t *testing.T) {
	registry, broker, dir := startRegistry(t), startKafka(t), t.TempDir()
	nobody, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody.Close()
	short := writeFile(t, filepath.Join(dir, "short"), delimited(framedEvent("a"))+"\x09abc")
	lies := writeFile(t, filepath.Join(dir, "lies"), delimited(framedEvent("a"))+"\xff\xff\xff\xff\xff\xff\xff\x0f")
	length := writeFile(t, filepath.Join(dir, "length"), strings.Repeat("\xff", 11))
	schema := writeFile(t, filepath.Join(dir, "event.proto"), catProto)
	for _, tt := range []struct {
		flags []string
		want  string
	}{
		{nil, "which records? give --brokers LIST and --topic NAME, or --data FILE"},
		{[]string{"--topic", "events"}, "which Kafka has the topic? give --brokers LIST"},
		{[]string{"--topic", "events", "--brokers", broker}, "which schema? give --registry URL, --proto FILE or --descriptor-set FILE"},
		{[]string{"--topic", "events", "--data", short}, "--topic and --data: one of the two"},
		{[]string{"--data", short, "--registry", registry, "--follow"}, "--brokers, --user, --tls, --from, --follow and --meta are of topics: give --topic NAME"},
		{[]string{"--data", short, "--registry", registry, "--proto", schema}, "--registry has the schemas: leave out --proto, --descriptor-set and --message"},
		{[]string{"--data", short, "--registry", "localhost:8081"}, `--registry "localhost:8081": expected a URL such as http://localhost:8081`},
		{[]string{"--data", short, "--registry", "http://u:secret@"}, `--registry "http://u:xxxxx@": expected a URL such as http://localhost:8081`},
		{[]string{"--topic", "events", "--brokers", broker, "--registry", registry, "--from", "yesterday"},
			`--from "yesterday": expected start, end, an offset, or -N for the last N records of each partition`},
		{[]string{"--topic", "missing", "--brokers", broker, "--registry", registry}, `topic "missing" does not exist`},
		{[]string{"--topic", "events", "--brokers", nobody.Addr().String(), "--registry", registry}, "the brokers"},
		{[]string{"--topic", "events", "--brokers", broker, "--registry", registry, "--user", "u"}, "--user: the environment variable PROTEAN_KAFKA_PASSWORD has no password"},
		{[]string{"--data", short, "--registry", registry}, short + ": record 2 at byte 10: 9 bytes long, but the file ends before"},
		{[]string{"--data", lies, "--registry", registry}, lies + ": record 2 at byte 10: 9007199254740991 bytes long, which is more than 67108864"},
		{[]string{"--data", length, "--registry", registry}, length + ": record 1 at byte 0: invalid length"},
		{[]string{"--data", filepath.Join(dir, "none"), "--registry", registry}, filepath.Join(dir, "none") + ": no such file"},
		{[]string{"--data", short, "--proto", schema, "-I", dir, "--paths", "x"}, `--paths: path "x": acme.v1.Event has no field "x"`},
		{[]string{"--data", short, "--proto", schema, "-I", dir, "--message", "acme.v1.Evnt"}, "message acme.v1.Evnt is not in the schema; did you mean acme.v1.Event?"},
		{[]string{"--data", short, "--proto", schema, "--count", "-1"}, "--count -1: expected a number from 1 on, or 0 for all"},
	} {
		o := protean(t, nil, flags([]string{"cat"}, tt.flags...)...)
		if o.code != exitUsage || !strings.HasPrefix(o.stderr, "protean: "+tt.want) ||
			strings.Count(o.stderr, "\n") != 1 {
			t.Errorf("%q: exit code %d, %q, want %q", tt.flags, o.code, o.stderr, tt.want)
		}
	}
}

// Passwords of the brokers and of the registry are used, and no other will do.
func TestCatLogsIn(t *testing.T) {
	registry := startRegistry(t, srfake.WithAuth("Basic dTpwdw==")) // u:pw
	broker := startKafka(t, kfake.EnableSASL(), kfake.Superuser("PLAIN", "u", "pw"))
	withUser := strings.Replace(registry, "://", "://u:pw@", 1)
	file := writeFile(t, filepath.Join(t.TempDir(), "framed"), delimited(framedEvent("a")))
	if o := protean(t, nil, "cat", "--data", file, "--registry", withUser); o.code != exitOK ||
		o.stdout != "{\"id\":\"a\"}\n" {
		t.Errorf("exit code %d, %q\n%s", o.code, o.stderr, o.stdout)
	}
	if o := protean(t, nil, "cat", "--data", file, "--registry", registry); o.code != exitFailed ||
		!strings.Contains(o.stderr, "no schema 5") {
		t.Errorf("without a password: exit code %d, %q", o.code, o.stderr)
	}
	for password, want := range map[string]int{"pw": exitOK, "wrong": exitUsage} {
		t.Setenv(kafkaPassword, password)
		o := protean(t, nil, "cat", "--brokers", broker, "--topic", "events", "--user", "u", "--registry", withUser)
		if o.code != want || strings.Contains(o.stderr, password) && password == "wrong" {
			t.Errorf("password %q: exit code %d, %q", password, o.code, o.stderr)
		}
	}
	if os.Getenv(kafkaPassword) == "" {
		t.Error("no password was set")
	}
}

// TestCatRealKafka prints a topic of the Kafka that make kafka starts, with a transaction's control record at its end.
func TestCatRealKafka(t *testing.T) {
	address := os.Getenv("PROTEAN_KAFKA")
	if address == "" {
		t.Skip("make kafka starts one")
	}
	ctx := context.Background()
	topic := fmt.Sprintf("events-%d", time.Now().UnixNano())
	client, err := kgo.NewClient(kgo.SeedBrokers(address), kgo.DefaultProduceTopic(topic), kgo.AllowAutoTopicCreation(),
		kgo.TransactionalID(topic))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if err := client.BeginTransaction(); err != nil {
		t.Fatal(err)
	}
	for _, r := range events(0, "a", "b") {
		if err := client.ProduceSync(ctx, r).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
	if err := client.EndTransaction(ctx, kgo.TryCommit); err != nil {
		t.Fatal(err)
	}
	o := protean(t, nil, "cat", "--brokers", address, "--topic", topic, "--registry", startRegistry(t))
	if o.code != exitOK || o.stdout != "{\"id\":\"a\"}\n{\"id\":\"b\"}\n" {
		t.Errorf("exit code %d, %q\n%s", o.code, o.stderr, o.stdout)
	}
}
