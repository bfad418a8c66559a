package main

import (
	"context"
	"fmt"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/codec/kafkacodec"
)

// decoder returns what -codec names.
func (f flags) decoder(codec *kafkacodec.Codec) (decoder, error) {
	switch f.codec {
	case "protean":
		var o kafkacodec.DecodeOptions
		if f.paths != "" {
			o.Paths = strings.Split(f.paths, ",")
		}
		return codec.Decoder(o).AppendJSON, nil
	case "dynamicpb":
		return withDynamicpb(codec), nil
	}
	return nil, fmt.Errorf("-codec %q: expected protean or dynamicpb", f.codec)
}

// withDynamicpb finds descriptors in the same way, and leaves the rest to the official library.
func withDynamicpb(codec *kafkacodec.Codec) decoder {
	return func(ctx context.Context, dst, value []byte) ([]byte, error) {
		t, payload, err := codec.Type(ctx, value)
		if err != nil {
			return dst, err
		}
		m := dynamicpb.NewMessage(t.Descriptor())
		if err := proto.Unmarshal(payload, m); err != nil {
			return dst, err
		}
		return protojson.MarshalOptions{}.MarshalAppend(dst, m)
	}
}
