module github.com/protean-pb/protean/examples/service

go 1.26.0

require (
	connectrpc.com/connect v1.21.1
	github.com/protean-pb/protean v0.1.0
	github.com/protean-pb/protean/codec/connectcodec v0.1.0
	github.com/protean-pb/protean/codec/grpccodec v0.1.0
	go.opentelemetry.io/proto/otlp v1.11.1
	google.golang.org/grpc v1.85.0
	google.golang.org/protobuf v1.36.12
)

require (
	golang.org/x/net v0.60.0 // indirect
	golang.org/x/sys v0.48.0 // indirect
	golang.org/x/text v0.42.0 // indirect
	google.golang.org/genproto/googleapis/rpc v0.0.0-20260928230214-8a89bd6388cc // indirect
)

replace (
	github.com/protean-pb/protean => ../..
	github.com/protean-pb/protean/codec/connectcodec => ../../codec/connectcodec
	github.com/protean-pb/protean/codec/grpccodec => ../../codec/grpccodec
)
