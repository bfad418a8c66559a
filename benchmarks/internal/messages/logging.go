package messages

import (
	"fmt"

	"cloud.google.com/go/logging/apiv2/loggingpb"
	"google.golang.org/genproto/googleapis/api/monitoredres"
	logtype "google.golang.org/genproto/googleapis/logging/type"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/benchmarks/internal/fake"
)

// logEntry is an entry of Cloud Logging with a structured payload.
func logEntry() proto.Message {
	r := fake.New(4)
	e := newLogEntry(r)
	e.Payload = &loggingpb.LogEntry_JsonPayload{JsonPayload: logPayload(r)}
	return e
}

// logEntries is a page of n entries.
func logEntries(n int) func() proto.Message {
	return func() proto.Message {
		r := fake.New(4)
		page := &loggingpb.ListLogEntriesResponse{NextPageToken: r.Hex(80)}
		for range n {
			page.Entries = append(page.Entries, newLogEntry(r))
		}
		return page
	}
}

func newLogEntry(r *fake.Source) *loggingpb.LogEntry {
	e := &loggingpb.LogEntry{
		LogName:          "projects/acme-prod/logs/stdout",
		InsertId:         r.Hex(16),
		Timestamp:        r.Time(),
		ReceiveTimestamp: r.Time(),
		Severity:         logtype.LogSeverity(100 * r.Between(2, 5)),
		Resource: &monitoredres.MonitoredResource{
			Type: "k8s_container",
			Labels: map[string]string{
				"project_id":     "acme-prod",
				"location":       "europe-west6",
				"cluster_name":   "main",
				"namespace_name": r.Word(),
				"pod_name":       r.Name() + "-" + r.Hex(5),
				"container_name": r.Word(),
			},
		},
		Labels: map[string]string{
			"k8s-pod/app":                          r.Word(),
			"k8s-pod/pod-template-hash":            r.Hex(10),
			"compute.googleapis.com/resource_name": "gke-main-" + r.Hex(8),
		},
	}
	if r.Chance(0.6) {
		e.Payload = &loggingpb.LogEntry_JsonPayload{JsonPayload: logPayload(r)}
	} else {
		e.Payload = &loggingpb.LogEntry_TextPayload{TextPayload: r.Text(10, 40)}
	}
	if r.Chance(0.4) {
		e.HttpRequest = &logtype.HttpRequest{
			RequestMethod: "GET",
			RequestUrl:    "https://shop.example.com" + r.Path(),
			Status:        200,
			ResponseSize:  int64(r.IntN(100000)),
			UserAgent:     "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X)",
			RemoteIp:      r.IP(),
			ServerIp:      r.IP(),
			Latency:       r.Millis(),
			Protocol:      "HTTP/2",
		}
	}
	if r.Chance(0.5) {
		e.Trace, e.SpanId, e.TraceSampled = "projects/acme-prod/traces/"+r.Hex(32), r.Hex(16), true
		e.SourceLocation = &loggingpb.LogEntrySourceLocation{
			File:     r.Word() + "/" + r.Word() + ".go",
			Line:     int64(r.IntN(900)),
			Function: "main." + r.Word(),
		}
	}
	return e
}

func logPayload(r *fake.Source) *structpb.Struct {
	s, err := structpb.NewStruct(map[string]any{
		"message":     r.Text(6, 20),
		"logger":      "com.example." + r.Word() + "." + r.Word(),
		"thread":      "http-nio-8080-exec-" + fmt.Sprint(r.IntN(200)),
		"level":       r.Pick("INFO", "WARN", "ERROR"),
		"duration_ms": r.Float64() * 100,
		"retry":       r.Chance(0.2),
		"user": map[string]any{
			"id":    float64(r.IntN(1 << 30)),
			"email": r.Email(),
			"roles": []any{"reader", "editor"},
		},
		"context": map[string]any{
			"order_id": r.UUID(),
			"items":    []any{float64(r.IntN(1000)), float64(r.IntN(1000)), float64(r.IntN(1000))},
			"region":   "europe-west6",
			"previous": nil,
		},
	})
	check(err)
	return s
}
