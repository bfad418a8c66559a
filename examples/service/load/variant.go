//go:build unix

package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/codec/grpccodec"
	"github.com/protean-pb/protean/examples/service/internal/rig"
)

// A variant is one way to make calls.
type variant struct {
	framework string // grpc or connect
	codec     string // one of codecs
	workload  workload
	kind      string // of the call: unary, up (the client streams), down (the server), both
	gzip      bool
}

var (
	frameworks = []string{"grpc", "connect"}
	// The last two are for grpc only: option is the codec by options of the client and the server, where protean is
	// registered for the program, and arena the option of a server whose requests are in Arenas.
	codecs = []string{"official", "protean", "option", "arena"}
	kinds  = []string{"unary", "up", "down", "both"}
)

// perStream is how many messages a stream has.
const perStream = 20

// messages is how many messages a call has, in the direction that has most.
func (v variant) messages() int {
	if v.kind == "unary" {
		return 1
	}
	return perStream
}

func (v variant) String() string {
	s := strings.Join([]string{v.framework, v.codec, v.workload.name, v.kind}, "/")
	if v.gzip {
		s += "/gzip"
	}
	return s
}

func parseVariant(s string) (variant, error) {
	parts := strings.Split(strings.TrimSuffix(s, "/gzip"), "/")
	if len(parts) != 4 || !slices.Contains(frameworks, parts[0]) || !slices.Contains(codecs, parts[1]) ||
		!slices.Contains(kinds, parts[3]) {
		return variant{}, fmt.Errorf("unknown variant %q", s)
	}
	if parts[0] == "connect" && slices.Index(codecs, parts[1]) > 1 {
		return variant{}, fmt.Errorf("%s: that codec is for grpc only", s)
	}
	w, err := workloadNamed(parts[2])
	return variant{parts[0], parts[1], w, parts[3], strings.HasSuffix(s, "/gzip")}, err
}

// register registers the codec for the whole program, if the variant has it so.
func (v variant) register() {
	if v.codec == "protean" {
		grpccodec.Register()
	}
}

// app is what rig measures: each server and each client is a program of its own.
var app = rig.App{
	Serve: func(name string) (string, func(), error) {
		v, err := parseVariant(name)
		if err != nil {
			return "", nil, err
		}
		if v.framework == "grpc" {
			v.register()
			return serveGRPC(v)
		}
		return serveConnect(v)
	},
	Dial: func(name, addr string) (func(context.Context) error, func(), error) {
		v, err := parseVariant(name)
		if err != nil {
			return nil, nil, err
		}
		var c caller
		var stop func()
		if v.framework == "grpc" {
			v.register()
			c, stop, err = dialGRPC(v, addr)
		} else {
			c, stop, err = dialConnect(v, addr)
		}
		if err != nil {
			return nil, nil, err
		}
		if err := verify(v, c); err != nil {
			stop()
			return nil, nil, err
		}
		return func(ctx context.Context) error {
			return c.call(ctx, v.kind, v.workload.message, func(proto.Message) error { return nil })
		}, stop, nil
	},
}

// A caller makes a call of a kind, of whose responses each is shown to check.
type caller interface {
	call(ctx context.Context, kind string, m proto.Message, check func(proto.Message) error) error
}

// verify makes calls that compare what comes back, before any is measured.
func verify(v variant, c caller) error {
	for range 3 {
		n := 0
		err := c.call(context.Background(), v.kind, v.workload.message, func(m proto.Message) error {
			if n++; !proto.Equal(m, v.workload.message) {
				return fmt.Errorf("%s: the message has changed", v)
			}
			return nil
		})
		if err != nil {
			return err
		}
		if want := v.messages(); n != want && !(v.kind == "up" && n == 1) {
			return fmt.Errorf("%s: %d messages, want %d", v, n, want)
		}
	}
	return nil
}
