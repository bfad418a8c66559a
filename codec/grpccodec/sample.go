package grpccodec

import (
	"context"

	"google.golang.org/grpc"

	"github.com/protean-pb/protean/shapes"
)

// Sampled returns the options of a server that hands all messages that it receives and sends to the Recorder. After
// those of [ArenaServer], since requests are only there until the response is written.
func Sampled(r *shapes.Recorder) []grpc.ServerOption {
	s := &sampler{r}
	return []grpc.ServerOption{grpc.ChainUnaryInterceptor(s.serveUnary), grpc.ChainStreamInterceptor(s.serveStream)}
}

// SampledClient returns the options of a client that hands all messages that it sends and receives to the Recorder.
func SampledClient(r *shapes.Recorder) []grpc.DialOption {
	s := &sampler{r}
	return []grpc.DialOption{grpc.WithChainUnaryInterceptor(s.callUnary), grpc.WithChainStreamInterceptor(s.callStream)}
}

// A sampler has the interceptors of servers and clients.
type sampler struct{ recorder *shapes.Recorder }

func (s *sampler) serveUnary(
	ctx context.Context, req any, _ *grpc.UnaryServerInfo, handler grpc.UnaryHandler,
) (any, error) {
	record(s.recorder, req)
	resp, err := handler(ctx, req)
	if err == nil {
		record(s.recorder, resp)
	}
	return resp, err
}

func (s *sampler) serveStream(
	srv any, stream grpc.ServerStream, _ *grpc.StreamServerInfo, handler grpc.StreamHandler,
) error {
	return handler(srv, &sampledServer{stream, s.recorder})
}

func (s *sampler) callUnary(
	ctx context.Context, method string, req, reply any, c *grpc.ClientConn, call grpc.UnaryInvoker,
	o ...grpc.CallOption,
) error {
	record(s.recorder, req)
	err := call(ctx, method, req, reply, c, o...)
	if err == nil {
		record(s.recorder, reply)
	}
	return err
}

func (s *sampler) callStream(
	ctx context.Context, d *grpc.StreamDesc, c *grpc.ClientConn, method string, open grpc.Streamer,
	o ...grpc.CallOption,
) (grpc.ClientStream, error) {
	stream, err := open(ctx, d, c, method, o...)
	if err != nil {
		return nil, err
	}
	return &sampledClient{stream, s.recorder}, nil
}

func record(r *shapes.Recorder, v any) {
	if m := messageOf(v); m != nil {
		r.Record(m)
	}
}

type sampledServer struct {
	grpc.ServerStream
	recorder *shapes.Recorder
}

func (s *sampledServer) SendMsg(m any) error { return send(s.recorder, s.ServerStream, m) }
func (s *sampledServer) RecvMsg(m any) error { return receive(s.recorder, s.ServerStream, m) }

type sampledClient struct {
	grpc.ClientStream
	recorder *shapes.Recorder
}

func (s *sampledClient) SendMsg(m any) error { return send(s.recorder, s.ClientStream, m) }
func (s *sampledClient) RecvMsg(m any) error { return receive(s.recorder, s.ClientStream, m) }

// A stream is what those of servers and clients have in common.
type stream interface {
	SendMsg(m any) error
	RecvMsg(m any) error
}

func send(r *shapes.Recorder, s stream, m any) error {
	record(r, m) // before it may change again
	return s.SendMsg(m)
}

func receive(r *shapes.Recorder, s stream, m any) error {
	err := s.RecvMsg(m)
	if err == nil {
		record(r, m)
	}
	return err
}
