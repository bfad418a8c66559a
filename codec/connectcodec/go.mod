module github.com/protean-pb/protean/codec/connectcodec

go 1.26.0

require (
	connectrpc.com/connect v1.21.1
	github.com/protean-pb/protean v0.1.0
	google.golang.org/protobuf v1.36.12
)

replace github.com/protean-pb/protean => ../..
