module github.com/protean-pb/protean/lint

go 1.26.0

require (
	github.com/bufbuild/protocompile v0.14.1
	github.com/golangci/plugin-module-register v0.1.2
	github.com/google/pprof v0.0.0-20260906184651-6331bc6350fe
	golang.org/x/tools v0.52.0
	google.golang.org/protobuf v1.36.12
)

require (
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
)
