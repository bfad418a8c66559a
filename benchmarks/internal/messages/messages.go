// Package messages generates messages of published types: those of modules whose code the official generator made,
// filled as the programs fill them that exchange such messages. Types are chosen by their shape, none by a result.
package messages

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"
)

// A Message is one message of a published type.
type Message struct {
	Type   string               // a short name of the type
	Size   string               // small, typical or large
	Module string               // the Go module that has the type
	Shape  string               // what such messages mostly consist of
	New    func() proto.Message // makes it, the same each time
}

// Name is unique among all messages.
func (m Message) Name() string { return m.Type + "/" + m.Size }

// A published type and its messages, by size.
type published struct {
	name, module, shape   string
	small, typical, large func() proto.Message
}

var types = []published{
	{
		name: "otlp-trace", module: "go.opentelemetry.io/proto/otlp",
		shape: "spans: attributes in oneofs, identifiers",
		small: otlpTrace(1), typical: otlpTrace(50), large: otlpTrace(500),
	},
	{
		name: "otlp-metric", module: "go.opentelemetry.io/proto/otlp",
		shape: "points: fixed64, packed numbers, attributes",
		small: otlpMetrics(2), typical: otlpMetrics(60),
	},
	{
		name: "envoy-cluster", module: "github.com/envoyproxy/go-control-plane/envoy",
		shape:   "wide types, wrappers, Any, Struct",
		typical: envoyCluster(0), large: envoyCluster(200),
	},
	{
		name: "rpc-status", module: "google.golang.org/genproto/googleapis/rpc",
		shape: "a text, a list of Any",
		small: rpcStatus(false), typical: rpcStatus(true),
	},
	{
		name: "log-entry", module: "cloud.google.com/go/logging",
		shape:   "maps of strings, Struct, well-known types",
		typical: logEntry, large: logEntries(100),
	},
	{
		name: "bigtable-rows", module: "cloud.google.com/go/bigtable",
		shape: "short bytes, many small wrappers",
		small: bigtableRows(1), typical: bigtableRows(60),
	},
	{
		name: "firestore-doc", module: "cloud.google.com/go/firestore",
		shape:   "maps of messages with a oneof, nested",
		typical: firestoreDocument, large: firestoreDocuments(50),
	},
	{
		name: "temporal-history", module: "go.temporal.io/api",
		shape: "a oneof of fifty messages, maps of bytes",
		small: temporalHistory(1), large: temporalHistory(80),
	},
	{
		name: "gtfs-realtime", module: "github.com/MobilityData/gtfs-realtime-bindings",
		shape: "proto2: pointers to scalars, groups of three fields",
		small: gtfsFeed(2), large: gtfsFeed(200),
	},
	{
		name: "pprof-profile", module: "github.com/grafana/pyroscope/api",
		shape: "short packed lists, a table of strings",
		small: pprofProfile(3), large: pprofProfile(1 << 30),
	},
	{
		name: "cel-checked", module: "cel.dev/expr",
		shape: "recursion through oneofs, maps by integer",
		small: celChecked(1), typical: celChecked(12),
	},
	{
		name: "grpc-health", module: "google.golang.org/grpc",
		shape: "one field",
		small: healthResponse,
	},
	{
		name: "flamegraph", module: "github.com/grafana/pyroscope/api",
		shape:   "long packed lists of varints of all lengths",
		typical: flamegraph(30, 200), large: flamegraph(60, 1000),
	},
	{
		name: "prometheus-family", module: "github.com/prometheus/client_model",
		shape: "proto2: many small messages, unpacked lists",
		small: prometheusFamily(1), typical: prometheusFamily(100),
	},
	{
		name: "vector-points", module: "github.com/qdrant/go-client",
		shape: "long packed lists of floats, a map of oneofs",
		small: vectorPoints(1), typical: vectorPoints(32),
	},
	{
		name: "query-plan", module: "github.com/substrait-io/substrait-protobuf/go",
		shape:   "deep nesting, oneofs of messages of one field",
		typical: queryPlan(2), large: queryPlan(6),
	},
	{
		name: "auth-check", module: "github.com/envoyproxy/go-control-plane/envoy",
		shape:   "maps of strings",
		typical: authCheck(18), large: authCheck(80),
	},
	{
		name: "analytics-report", module: "google.golang.org/genproto",
		shape:   "a table: a message with one string for each cell",
		typical: analyticsReport(20), large: analyticsReport(500),
	},
	{
		name: "descriptor-set", module: "google.golang.org/protobuf",
		shape:   "proto2: names, nested types, options that are extensions",
		typical: descriptorSet(1), large: descriptorSet(8),
	},
	{
		name: "struct-rows", module: "google.golang.org/protobuf",
		shape:   "lists of google.protobuf.Value",
		typical: structRows(20), large: structRows(400),
	},
	{
		name: "byte-stream", module: "google.golang.org/genproto/googleapis/bytestream",
		shape: "one blob",
		small: byteStream(1 << 10), large: byteStream(64 << 10),
	},
}

// All returns all messages, those of a type one after the other, the smallest first.
func All() []Message {
	var all []Message
	for _, t := range types {
		for _, s := range []struct {
			size string
			make func() proto.Message
		}{{"small", t.small}, {"typical", t.typical}, {"large", t.large}} {
			if s.make != nil {
				all = append(all, Message{Type: t.name, Size: s.size, Module: t.module, Shape: t.shape, New: s.make})
			}
		}
	}
	return all
}

// seconds is a duration.
func seconds(n int64) *durationpb.Duration { return &durationpb.Duration{Seconds: n} }

// pack returns an Any that holds the message, the same bytes in every process.
func pack(m proto.Message) *anypb.Any {
	a := new(anypb.Any)
	check(anypb.MarshalFrom(a, m, proto.MarshalOptions{Deterministic: true}))
	return a
}

// check stops the program at a mistake in a generator.
func check(err error) {
	if err != nil {
		panic(err)
	}
}
