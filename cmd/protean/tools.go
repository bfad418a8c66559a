package main

import (
	_ "buf.build/go/hyperpb"
	_ "github.com/bufbuild/protocompile"
	_ "github.com/bytedance/sonic"
	_ "github.com/go-json-experiment/json"
	_ "github.com/goccy/go-json"
	_ "github.com/google/go-cmp/cmp"
	_ "github.com/klauspost/compress/zstd"
	_ "github.com/planetscale/vtprotobuf/generator"
	_ "github.com/planetscale/vtprotobuf/protohelpers"
	_ "github.com/planetscale/vtprotobuf/features/marshal"
	_ "github.com/planetscale/vtprotobuf/types/known/structpb"
	_ "github.com/spf13/cobra"
	_ "github.com/vmihailenco/msgpack/v5"
	_ "golang.org/x/mod/zip"
	_ "golang.org/x/perf/benchfmt"
	_ "golang.org/x/perf/benchmath"
	_ "golang.org/x/term"
	_ "google.golang.org/protobuf/proto"
)
