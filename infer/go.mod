module github.com/protean-pb/protean/infer

go 1.26.0

require (
	github.com/bufbuild/protocompile v0.14.1
	github.com/protean-pb/protean v0.1.0
	github.com/protean-pb/protean/records v0.1.0
	go.yaml.in/yaml/v3 v3.0.6
	google.golang.org/protobuf v1.36.12
)
