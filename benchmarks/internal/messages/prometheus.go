package messages

import (
	"math"

	prometheus "github.com/prometheus/client_model/go"
	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/benchmarks/internal/fake"
)

// prometheusFamily is a metric of a service as Prometheus scrapes it: so many series, each a histogram in its classic
// and in its native form.
func prometheusFamily(series int) func() proto.Message {
	return func() proto.Message {
		r := fake.New(12)
		f := &prometheus.MetricFamily{
			Name: proto.String("http_request_duration_seconds"),
			Help: proto.String(r.Sentence(10)),
			Type: prometheus.MetricType_HISTOGRAM.Enum(),
			Unit: proto.String("seconds"),
		}
		for range series {
			f.Metric = append(f.Metric, &prometheus.Metric{
				Label: []*prometheus.LabelPair{
					label("method", r.Pick("GET", "POST", "PUT")),
					label("route", r.Path()),
					label("code", r.Pick("200", "404", "500")),
					label("instance", r.IP()+":9090"),
				},
				Histogram: prometheusHistogram(r),
			})
		}
		return f
	}
}

func label(name, value string) *prometheus.LabelPair {
	return &prometheus.LabelPair{Name: proto.String(name), Value: proto.String(value)}
}

func prometheusHistogram(r *fake.Source) *prometheus.Histogram {
	h := &prometheus.Histogram{
		SampleSum:        proto.Float64(r.Float64() * 1e4),
		CreatedTimestamp: r.Time(),
		Schema:           proto.Int32(3),
		ZeroThreshold:    proto.Float64(0x1p-128),
		ZeroCount:        proto.Uint64(uint64(r.IntN(3))),
	}
	count := uint64(0)
	for _, bound := range []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, math.Inf(1)} {
		count += r.Uint64N(5000)
		b := &prometheus.Bucket{CumulativeCount: proto.Uint64(count), UpperBound: proto.Float64(bound)}
		if r.Chance(0.1) {
			b.Exemplar = &prometheus.Exemplar{
				Label:     []*prometheus.LabelPair{label("trace_id", r.Hex(32))},
				Value:     proto.Float64(r.Float64()),
				Timestamp: r.Time(),
			}
		}
		h.Bucket = append(h.Bucket, b)
	}
	h.SampleCount = &count
	for range r.Between(1, 4) {
		length := r.Between(2, 30)
		h.PositiveSpan = append(h.PositiveSpan, &prometheus.BucketSpan{
			Offset: proto.Int32(int32(r.Between(-10, 20))),
			Length: proto.Uint32(uint32(length)),
		})
		for range length {
			h.PositiveDelta = append(h.PositiveDelta, r.Int64N(4000)-2000)
		}
	}
	return h
}
