package messages

import (
	"fmt"

	analytics "google.golang.org/genproto/googleapis/analytics/data/v1beta"
	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/benchmarks/internal/fake"
)

// analyticsReport is a report of Google Analytics: so many rows of four dimensions and four metrics, all of them text.
func analyticsReport(rows int) func() proto.Message {
	return func() proto.Message {
		r := fake.New(15)
		report := &analytics.RunReportResponse{
			RowCount: int32(rows),
			Metadata: &analytics.ResponseMetaData{
				CurrencyCode: proto.String("CHF"),
				TimeZone:     proto.String("Europe/Zurich"),
			},
			Kind: "analyticsData#runReport",
		}
		for _, name := range []string{"date", "country", "pagePath", "deviceCategory"} {
			report.DimensionHeaders = append(report.DimensionHeaders, &analytics.DimensionHeader{Name: name})
		}
		for _, name := range []string{"activeUsers", "screenPageViews", "averageSessionDuration", "bounceRate"} {
			header := &analytics.MetricHeader{Name: name, Type: analytics.MetricType_TYPE_FLOAT}
			report.MetricHeaders = append(report.MetricHeaders, header)
		}
		for range rows {
			report.Rows = append(report.Rows, &analytics.Row{
				DimensionValues: []*analytics.DimensionValue{
					dimension(fmt.Sprintf("202601%02d", r.Between(1, 31))),
					dimension(r.Pick("Switzerland", "Germany", "日本", "Brazil", "United States")),
					dimension(r.Path()),
					dimension(r.Pick("desktop", "mobile", "tablet")),
				},
				MetricValues: []*analytics.MetricValue{
					metric(fmt.Sprint(r.IntN(100000))),
					metric(fmt.Sprint(r.IntN(1000000))),
					metric(fmt.Sprint(r.Float64() * 600)),
					metric(fmt.Sprint(r.Float64())),
				},
			})
		}
		return report
	}
}

func dimension(s string) *analytics.DimensionValue {
	return &analytics.DimensionValue{OneValue: &analytics.DimensionValue_Value{Value: s}}
}

func metric(s string) *analytics.MetricValue {
	return &analytics.MetricValue{OneValue: &analytics.MetricValue_Value{Value: s}}
}
