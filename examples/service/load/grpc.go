//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/encoding/gzip"
	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/codec/grpccodec"
)

// grpcService is a service that sends back what it gets, in calls of all kinds.
func grpcService(w workload) *grpc.ServiceDesc {
	echo := func(_ context.Context, req any) (any, error) { return req, nil }
	unary := func(_ any, ctx context.Context, decode func(any) error, in grpc.UnaryServerInterceptor) (any, error) {
		m := w.make()
		if err := decode(m); err != nil {
			return nil, err
		}
		if in == nil {
			return echo(ctx, m)
		}
		return in(ctx, m, &grpc.UnaryServerInfo{FullMethod: path(w.name, "unary")}, echo)
	}
	stream := func(f func(workload, grpc.ServerStream) error) grpc.StreamHandler {
		return func(_ any, s grpc.ServerStream) error { return f(w, s) }
	}
	return &grpc.ServiceDesc{
		ServiceName: service(w.name), HandlerType: (*any)(nil),
		Methods: []grpc.MethodDesc{{MethodName: "unary", Handler: unary}},
		Streams: []grpc.StreamDesc{
			{StreamName: "up", ClientStreams: true, Handler: stream(echoLast)},
			{StreamName: "down", ServerStreams: true, Handler: stream(echoTimes)},
			{StreamName: "both", ClientStreams: true, ServerStreams: true, Handler: stream(echoAll)},
		},
	}
}

func service(workload string) string    { return "protean.load." + workload }
func path(workload, kind string) string { return "/" + service(workload) + "/" + kind }

func echoLast(w workload, s grpc.ServerStream) error {
	var last proto.Message
	for {
		m := w.make()
		if err := s.RecvMsg(m); errors.Is(err, io.EOF) {
			return s.SendMsg(last)
		} else if err != nil {
			return err
		}
		last = m
	}
}

func echoTimes(w workload, s grpc.ServerStream) error {
	m := w.make()
	if err := s.RecvMsg(m); err != nil {
		return err
	}
	for range perStream {
		if err := s.SendMsg(m); err != nil {
			return err
		}
	}
	return nil
}

func echoAll(w workload, s grpc.ServerStream) error {
	for {
		m := w.make()
		if err := s.RecvMsg(m); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if err := s.SendMsg(m); err != nil {
			return err
		}
	}
}

// serveGRPC serves with the codec by option, unless that is registered or the official one.
func serveGRPC(v variant, options ...grpc.ServerOption) (string, func(), error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	var own []grpc.ServerOption
	switch v.codec {
	case "option":
		own = append(own, grpccodec.ServerOption(grpccodec.Options{}))
	case "arena":
		own = grpccodec.ArenaServer(grpccodec.ArenaOptions{})
	}
	s := grpc.NewServer(append(own, options...)...)
	s.RegisterService(grpcService(v.workload), struct{}{})
	done := make(chan error, 1)
	go func() { done <- s.Serve(listener) }()
	return listener.Addr().String(), func() {
		s.Stop()
		if err := <-done; err != nil {
			panic(err) // the listener is ours
		}
	}, nil
}

type grpcCaller struct {
	*grpc.ClientConn
	workload workload
}

func dialGRPC(v variant, addr string) (caller, func(), error) {
	options := []grpc.DialOption{grpc.WithTransportCredentials(insecure.NewCredentials())}
	if v.codec == "option" || v.codec == "arena" {
		options = append(options, grpccodec.DialOption(grpccodec.Options{}))
	}
	if v.gzip {
		options = append(options, grpc.WithDefaultCallOptions(grpc.UseCompressor(gzip.Name)))
	}
	conn, err := grpc.NewClient(addr, options...)
	if err != nil {
		return nil, nil, err
	}
	return &grpcCaller{conn, v.workload}, func() { _ = conn.Close() }, nil
}

// streams are the kinds of streams, as grpc-go has them.
var streams = map[string]*grpc.StreamDesc{
	"up": {ClientStreams: true}, "down": {ServerStreams: true}, "both": {ClientStreams: true, ServerStreams: true},
}

func (c *grpcCaller) call(ctx context.Context, kind string, m proto.Message, check func(proto.Message) error) error {
	if kind == "unary" {
		resp := c.workload.make()
		if err := c.Invoke(ctx, path(c.workload.name, kind), m, resp); err != nil {
			return err
		}
		return check(resp)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s, err := c.NewStream(ctx, streams[kind], path(c.workload.name, kind))
	if err != nil {
		return err
	}
	return exchange(kind, m, check, s.SendMsg, s.CloseSend, func() (proto.Message, error) {
		resp := c.workload.make()
		return resp, s.RecvMsg(resp)
	})
}

// exchange sends and receives the messages of a stream.
func exchange(
	kind string, m proto.Message, check func(proto.Message) error,
	send func(any) error, done func() error, receive func() (proto.Message, error),
) error {
	receiveOne := func() error {
		resp, err := receive()
		if err != nil {
			return err
		}
		return check(resp)
	}
	sent := perStream
	if kind == "down" {
		sent = 1
	}
	for range sent {
		if err := send(m); err != nil && !errors.Is(err, io.EOF) { // then receive says why
			return err
		}
		if kind == "both" {
			if err := receiveOne(); err != nil {
				return err
			}
		}
	}
	if err := done(); err != nil {
		return err
	}
	rest := map[string]int{"up": 1, "down": perStream}[kind]
	for range rest {
		if err := receiveOne(); err != nil {
			return err
		}
	}
	if _, err := receive(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("at the end of the stream: %w", err)
	}
	return nil
}
