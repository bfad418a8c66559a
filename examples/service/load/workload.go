//go:build unix

package main

import (
	"fmt"
	"strings"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/protean-pb/protean/examples/service/internal/eventpb"
)

// A workload is a message that goes to a server and back.
type workload struct {
	name    string
	message proto.Message
	connect connectEndpoint
}

// make returns an empty message of the workload's type.
func (w workload) make() proto.Message { return w.message.ProtoReflect().New().Interface() }

func workloadOf[T any, M interface {
	*T
	proto.Message
}](name string, message M) workload {
	return workload{name, message, endpoint[T, M]{name}}
}

// workloads are all of them.
var workloads = []workload{
	workloadOf("small", &eventpb.Receipt{Source: "warehouse-eu-west", Sequence: 300_000_000, Stored: true}),
	workloadOf("struct", structOf(1_800)),
	workloadOf("otlp", trace(10)),
	workloadOf("list", orders(400)),
}

func workloadNamed(name string) (workload, error) {
	for _, w := range workloads {
		if w.name == name {
			return w, nil
		}
	}
	return workload{}, fmt.Errorf("unknown workload %q", name)
}

// structOf returns a Struct of about that many bytes: events with texts, numbers, lists and objects.
func structOf(bytes int) *structpb.Struct {
	s := &structpb.Struct{Fields: map[string]*structpb.Value{}}
	for i := 0; proto.Size(s) < bytes; i++ {
		v, err := structpb.NewValue(map[string]any{
			"id": fmt.Sprintf("evt_%08d", i*7919), "kind": "checkout.completed", "amount": 12.5 + float64(i),
			"count": i,
			"customer": map[string]any{"email": fmt.Sprintf("user%d@example.com", i), "verified": i%2 == 0,
				"plan": nil},
			"tags": []any{"web", "eu-west", fmt.Sprint("campaign-", i)},
		})
		if err != nil {
			panic(err) // the values above can all be converted
		}
		s.Fields[fmt.Sprint("item", i)] = v
	}
	return s
}

// trace returns what an exporter of traces sends for so many spans.
func trace(spans int) *tracepb.TracesData {
	text := func(key, value string) *commonpb.KeyValue {
		return &commonpb.KeyValue{Key: key,
			Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: value}}}
	}
	number := func(key string, value int64) *commonpb.KeyValue {
		return &commonpb.KeyValue{Key: key,
			Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_IntValue{IntValue: value}}}
	}
	scope := &tracepb.ScopeSpans{Scope: &commonpb.InstrumentationScope{Name: "net/http", Version: "0.58.0"}}
	for i := range spans {
		start := uint64(1_764_000_000_000_000_000 + i*1_000_000)
		scope.Spans = append(scope.Spans, &tracepb.Span{
			TraceId: []byte(fmt.Sprintf("trace%011d", 42)), SpanId: []byte(fmt.Sprintf("span%04d", i)),
			ParentSpanId: []byte("span0000"),
			Name:         "GET /v1/orders/{id}", Kind: tracepb.Span_SPAN_KIND_SERVER, StartTimeUnixNano: start,
			EndTimeUnixNano: start + 750_000,
			Attributes: []*commonpb.KeyValue{
				text("http.request.method", "GET"), text("url.path", fmt.Sprint("/v1/orders/", 1000+i)),
				text("server.address", "orders.internal"),
				number("http.response.status_code", 200), text("user_agent.original", "okhttp/4.12.0"),
			},
			Status: &tracepb.Status{Code: tracepb.Status_STATUS_CODE_OK},
		})
	}
	return &tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{
		Resource: &resourcepb.Resource{Attributes: []*commonpb.KeyValue{text("service.name", "orders"),
			text("host.name", "node-17")}},
		ScopeSpans: []*tracepb.ScopeSpans{scope},
	}}}
}

// orders returns a list of messages with a schema.
func orders(n int) *eventpb.OrderList {
	list := new(eventpb.OrderList)
	for i := range n {
		list.Orders = append(list.Orders, &eventpb.Order{
			Id: fmt.Sprintf("ord_%09d", i), Account: int64(80_000 + i),
			Tags:   []string{"web", strings.Repeat("t", i%12)},
			Amount: proto.Float64(float64(i) / 4),
			Time:   &timestamppb.Timestamp{Seconds: 1_764_000_000 + int64(i), Nanos: 5000},
			Labels: map[string]string{"region": "eu-west", "channel": "mobile"},
		})
	}
	return list
}
