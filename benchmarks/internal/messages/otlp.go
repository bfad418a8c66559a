package messages

import (
	"fmt"

	common "go.opentelemetry.io/proto/otlp/common/v1"
	resource "go.opentelemetry.io/proto/otlp/resource/v1"

	"github.com/protean-pb/protean/benchmarks/internal/fake"
)

// otlpResource is a service in a pod, with the attributes of the semantic conventions.
func otlpResource(r *fake.Source) *resource.Resource {
	service := r.Name()
	return &resource.Resource{Attributes: []*common.KeyValue{
		stringAttribute("service.name", service),
		stringAttribute("service.version", fmt.Sprintf("%d.%d.%d", r.IntN(5), r.IntN(30), r.IntN(10))),
		stringAttribute("service.instance.id", r.UUID()),
		stringAttribute("telemetry.sdk.name", "opentelemetry"),
		stringAttribute("telemetry.sdk.language", "go"),
		stringAttribute("k8s.pod.name", service+"-"+r.Hex(9)+"-"+r.Hex(5)),
		stringAttribute("k8s.namespace.name", r.Pick("prod", "staging")),
		stringAttribute("host.name", "ip-"+r.IP()),
		intAttribute("process.pid", int64(r.IntN(60000))),
	}}
}

func stringAttribute(key, value string) *common.KeyValue {
	v := &common.AnyValue{Value: &common.AnyValue_StringValue{StringValue: value}}
	return &common.KeyValue{Key: key, Value: v}
}

func intAttribute(key string, value int64) *common.KeyValue {
	v := &common.AnyValue{Value: &common.AnyValue_IntValue{IntValue: value}}
	return &common.KeyValue{Key: key, Value: v}
}

func boolAttribute(key string, value bool) *common.KeyValue {
	v := &common.AnyValue{Value: &common.AnyValue_BoolValue{BoolValue: value}}
	return &common.KeyValue{Key: key, Value: v}
}
