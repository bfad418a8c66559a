package connectcodec

import (
	"context"

	"connectrpc.com/connect"

	"github.com/protean-pb/protean/proto"
	"github.com/protean-pb/protean/shapes"
)

// Sampled returns an interceptor, for handlers and clients, that hands all messages that are received and sent to the
// Recorder:
//
//	connect.WithInterceptors(connectcodec.Sampled(recorder))
func Sampled(r *shapes.Recorder) connect.Interceptor { return &sampler{r} }

type sampler struct{ recorder *shapes.Recorder }

func (s *sampler) record(v any) {
	if m, ok := v.(proto.Message); ok {
		s.recorder.Record(m)
	}
}

// WrapUnary implements connect.Interceptor.
func (s *sampler) WrapUnary(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, req connect.AnyRequest) (connect.AnyResponse, error) {
		s.record(req.Any())
		resp, err := next(ctx, req)
		if err == nil {
			s.record(resp.Any())
		}
		return resp, err
	}
}

// WrapStreamingClient implements connect.Interceptor.
func (s *sampler) WrapStreamingClient(next connect.StreamingClientFunc) connect.StreamingClientFunc {
	return func(ctx context.Context, spec connect.Spec) connect.StreamingClientConn {
		return &sampledClient{next(ctx, spec), s}
	}
}

// WrapStreamingHandler implements connect.Interceptor.
func (s *sampler) WrapStreamingHandler(next connect.StreamingHandlerFunc) connect.StreamingHandlerFunc {
	return func(ctx context.Context, conn connect.StreamingHandlerConn) error {
		return next(ctx, &sampledHandler{conn, s})
	}
}

// A conn is what the connections of clients and handlers have in common.
type conn interface {
	Send(any) error
	Receive(any) error
}

func (s *sampler) send(c conn, m any) error {
	s.record(m) // which is nil where connect-go begins a stream
	return c.Send(m)
}

func (s *sampler) receive(c conn, m any) error {
	err := c.Receive(m)
	if err == nil {
		s.record(m)
	}
	return err
}

type sampledClient struct {
	connect.StreamingClientConn
	sampler *sampler
}

func (c *sampledClient) Send(m any) error    { return c.sampler.send(c.StreamingClientConn, m) }
func (c *sampledClient) Receive(m any) error { return c.sampler.receive(c.StreamingClientConn, m) }

type sampledHandler struct {
	connect.StreamingHandlerConn
	sampler *sampler
}

func (c *sampledHandler) Send(m any) error    { return c.sampler.send(c.StreamingHandlerConn, m) }
func (c *sampledHandler) Receive(m any) error { return c.sampler.receive(c.StreamingHandlerConn, m) }
