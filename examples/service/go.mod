module github.com/protean-pb/protean/examples/service

go 1.26.0

require (
	connectrpc.com/connect v1.21.1
	github.com/grpc-ecosystem/grpc-gateway/v2 v2.33.0
	github.com/protean-pb/protean v0.1.0
	github.com/protean-pb/protean/codec/connectcodec v0.1.0
	github.com/protean-pb/protean/codec/gatewaycodec v0.1.0
	github.com/protean-pb/protean/codec/grpccodec v0.1.0
	go.opentelemetry.io/proto/otlp v1.11.1
	google.golang.org/genproto/googleapis/rpc v0.0.0-20261019180522-ce908d29299b
	google.golang.org/grpc v1.85.0
	google.golang.org/protobuf v1.36.12
)

require (
	golang.org/x/net v0.61.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/text v0.43.0 // indirect
	google.golang.org/genproto/googleapis/api v0.0.0-20261026165753-2ffab32bce7e // indirect
)

replace (
	github.com/protean-pb/protean => ../..
	github.com/protean-pb/protean/codec/connectcodec => ../../codec/connectcodec
	github.com/protean-pb/protean/codec/gatewaycodec => ../../codec/gatewaycodec
	github.com/protean-pb/protean/codec/grpccodec => ../../codec/grpccodec
)
