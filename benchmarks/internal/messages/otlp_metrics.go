package messages

import (
	colmetrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	metrics "go.opentelemetry.io/proto/otlp/metrics/v1"
	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/benchmarks/internal/fake"
)

// otlpMetrics is what a collector sends about one machine: n gauges, sums and histograms.
func otlpMetrics(n int) func() proto.Message {
	return func() proto.Message {
		r := fake.New(uint64(n) + 2)
		sm := &metrics.ScopeMetrics{
			Scope: &common.InstrumentationScope{Name: "otelcol/hostmetricsreceiver", Version: "0.115.0"},
		}
		for range n {
			sm.Metrics = append(sm.Metrics, otlpMetric(r))
		}
		return &colmetrics.ExportMetricsServiceRequest{ResourceMetrics: []*metrics.ResourceMetrics{
			{Resource: otlpResource(r), ScopeMetrics: []*metrics.ScopeMetrics{sm}},
		}}
	}
}

// window is the time that a point is about, in nanoseconds.
const window = 60_000_000_000

func otlpMetric(r *fake.Source) *metrics.Metric {
	m := &metrics.Metric{
		Name:        r.Word() + "." + r.Word() + "." + r.Pick("duration", "count", "usage", "size"),
		Unit:        r.Pick("ms", "By", "1", "{requests}"),
		Description: r.Text(4, 10),
	}
	start := r.Nanos()
	var points []*metrics.NumberDataPoint
	for range r.Between(1, 8) {
		points = append(points, numberPoint(r, start))
	}
	switch r.IntN(4) {
	case 0:
		m.Data = &metrics.Metric_Gauge{Gauge: &metrics.Gauge{DataPoints: points}}
	case 1, 2:
		sum := &metrics.Sum{DataPoints: points, AggregationTemporality: 2, IsMonotonic: true}
		m.Data = &metrics.Metric_Sum{Sum: sum}
	case 3:
		h := &metrics.Histogram{AggregationTemporality: 2}
		for range r.Between(1, 4) {
			h.DataPoints = append(h.DataPoints, histogramPoint(r, start))
		}
		m.Data = &metrics.Metric_Histogram{Histogram: h}
	}
	return m
}

func numberPoint(r *fake.Source, start uint64) *metrics.NumberDataPoint {
	p := &metrics.NumberDataPoint{
		StartTimeUnixNano: start,
		TimeUnixNano:      start + window,
		Attributes: []*common.KeyValue{
			stringAttribute("device", r.Word()),
			stringAttribute("state", r.Word()),
			intAttribute("cpu", int64(r.IntN(64))),
		},
	}
	if r.Chance(0.5) {
		p.Value = &metrics.NumberDataPoint_AsDouble{AsDouble: r.Float64() * 1000}
	} else {
		p.Value = &metrics.NumberDataPoint_AsInt{AsInt: r.Int64N(1 << 40)}
	}
	return p
}

func histogramPoint(r *fake.Source, start uint64) *metrics.HistogramDataPoint {
	p := &metrics.HistogramDataPoint{
		StartTimeUnixNano: start,
		TimeUnixNano:      start + window,
		Count:             r.Uint64N(100000),
		Sum:               proto.Float64(r.Float64() * 1e5),
		Min:               proto.Float64(r.Float64()),
		Max:               proto.Float64(r.Float64() * 100),
		Attributes: []*common.KeyValue{
			stringAttribute("http.route", r.Path()),
			stringAttribute("http.request.method", "GET"),
			intAttribute("http.response.status_code", 200),
		},
		ExplicitBounds: []float64{0, 5, 10, 25, 50, 75, 100, 250, 500, 750, 1000, 2500, 5000, 7500, 10000},
	}
	for range 16 {
		p.BucketCounts = append(p.BucketCounts, r.Uint64N(3000))
	}
	if r.Chance(0.3) {
		p.Exemplars = append(p.Exemplars, &metrics.Exemplar{
			TimeUnixNano: start,
			Value:        &metrics.Exemplar_AsDouble{AsDouble: 4.25},
			SpanId:       r.Bytes(8),
			TraceId:      r.Bytes(16),
		})
	}
	return p
}
