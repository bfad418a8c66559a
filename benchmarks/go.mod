module github.com/protean-pb/protean/benchmarks

go 1.26.0

replace github.com/protean-pb/protean => ../

require (
	cel.dev/expr v0.25.3
	cloud.google.com/go/bigtable v1.58.0
	cloud.google.com/go/firestore v1.29.2
	cloud.google.com/go/logging v1.21.1
	github.com/MobilityData/gtfs-realtime-bindings/golang/gtfs v1.0.0
	github.com/envoyproxy/go-control-plane/envoy v1.40.0
	github.com/grafana/pyroscope/api v1.6.0
	github.com/prometheus/client_model v0.6.3
	github.com/protean-pb/protean v0.1.0
	github.com/qdrant/go-client v1.17.1
	github.com/substrait-io/substrait-protobuf/go v0.85.0
	go.opentelemetry.io/proto/otlp v1.11.1
	go.temporal.io/api v1.64.1
	golang.org/x/sys v0.49.0
	google.golang.org/genproto v0.0.0-20261012220534-4341edf3f941
	google.golang.org/genproto/googleapis/api v0.0.0-20261012220534-4341edf3f941
	google.golang.org/genproto/googleapis/bytestream v0.0.0-20261005182115-fad411399dd8
	google.golang.org/genproto/googleapis/rpc v0.0.0-20261104224025-d1e00e9f33ab
	google.golang.org/grpc v1.85.0
	google.golang.org/protobuf v1.36.12
)

require (
	cloud.google.com/go/longrunning v1.5.0 // indirect
	github.com/cncf/xds/go v0.0.0-20260202195803-dba9d589def2 // indirect
	github.com/envoyproxy/protoc-gen-validate v1.3.3 // indirect
	github.com/google/gnostic v0.7.1 // indirect
	github.com/google/gnostic-models v0.7.0 // indirect
	github.com/grpc-ecosystem/grpc-gateway/v2 v2.31.0 // indirect
	github.com/nexus-rpc/nexus-proto-annotations v0.1.0 // indirect
	github.com/planetscale/vtprotobuf v0.6.1-0.20250313105119-ba97887b0a25 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/net v0.61.0 // indirect
	golang.org/x/text v0.43.0 // indirect
)
