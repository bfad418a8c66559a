package messages

import (
	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/benchmarks/internal/fake"
)

// otlpTrace is what the exporter of a service sends: so many spans, of requests and of queries.
func otlpTrace(spans int) func() proto.Message {
	return func() proto.Message {
		r := fake.New(uint64(spans) + 1)
		request := new(coltrace.ExportTraceServiceRequest)
		for left := spans; left > 0; {
			rs := &trace.ResourceSpans{Resource: otlpResource(r), SchemaUrl: "https://opentelemetry.io/schemas/1.27.0"}
			ss := &trace.ScopeSpans{Scope: &common.InstrumentationScope{
				Name:    "go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp",
				Version: "0.61.0",
			}}
			id, parent := r.Bytes(16), []byte(nil)
			for range min(left, r.Between(10, 60)) {
				s := otlpSpan(r, id, parent)
				parent = s.SpanId
				ss.Spans = append(ss.Spans, s)
				left--
			}
			rs.ScopeSpans = append(rs.ScopeSpans, ss)
			request.ResourceSpans = append(request.ResourceSpans, rs)
		}
		return request
	}
}

func otlpSpan(r *fake.Source, id, parent []byte) *trace.Span {
	start := r.Nanos()
	s := &trace.Span{
		TraceId:           id,
		SpanId:            r.Bytes(8),
		ParentSpanId:      parent,
		Flags:             257,
		StartTimeUnixNano: start,
		EndTimeUnixNano:   start + r.Uint64N(900_000_000),
	}
	if r.Chance(0.6) {
		s.Name, s.Kind = r.Pick("GET ", "POST ", "PUT ")+r.Path(), trace.Span_SPAN_KIND_SERVER
		s.Attributes = httpAttributes(r)
	} else {
		s.Name, s.Kind = r.Pick("SELECT ", "INSERT ", "UPDATE ")+r.Word(), trace.Span_SPAN_KIND_CLIENT
		s.Attributes = queryAttributes(r)
	}
	if r.Chance(0.1) {
		s.Status = &trace.Status{Code: trace.Status_STATUS_CODE_ERROR, Message: r.Text(4, 12)}
		s.Events = append(s.Events, &trace.Span_Event{
			TimeUnixNano: start + 1000,
			Name:         "exception",
			Attributes: []*common.KeyValue{
				stringAttribute("exception.type", "*errors.errorString"),
				stringAttribute("exception.message", r.Text(5, 15)),
				stringAttribute("exception.stacktrace", r.Sentence(60)),
			},
		})
	}
	if r.Chance(0.05) {
		s.Links = append(s.Links, &trace.Span_Link{TraceId: r.Bytes(16), SpanId: r.Bytes(8), Flags: 1})
	}
	return s
}

const browser = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36"

func httpAttributes(r *fake.Source) []*common.KeyValue {
	return []*common.KeyValue{
		stringAttribute("http.request.method", r.Pick("GET", "POST")),
		stringAttribute("url.path", r.Path()),
		stringAttribute("url.scheme", "https"),
		intAttribute("http.response.status_code", int64(r.Pick("200", "404", "500")[0]-'0')*100),
		stringAttribute("server.address", r.Host()),
		intAttribute("server.port", 8443),
		stringAttribute("user_agent.original", browser),
		stringAttribute("client.address", r.IP()),
	}
}

func queryAttributes(r *fake.Source) []*common.KeyValue {
	return []*common.KeyValue{
		stringAttribute("db.system", "postgresql"),
		stringAttribute("db.namespace", r.Word()),
		stringAttribute("db.query.text",
			"SELECT id, "+r.Word()+" FROM "+r.Word()+" WHERE "+r.Word()+" = $1 AND deleted_at IS NULL"),
		intAttribute("db.response.returned_rows", int64(r.IntN(500))),
		boolAttribute("db.pooled", r.Chance(0.5)),
	}
}
