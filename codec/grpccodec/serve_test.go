package grpccodec

import (
	"context"
	"net"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	testpb "google.golang.org/grpc/interop/grpc_testing"
)

// dial starts a server on loopback with a service of grpc-go's own, and returns a connection to it. Both end with the
// test.
func dial(
	t *testing.T, service testpb.TestServiceServer, server []grpc.ServerOption, client ...grpc.DialOption,
) *grpc.ClientConn {
	t.Helper()
	s := grpc.NewServer(server...)
	testpb.RegisterTestServiceServer(s, service)
	return connect(t, s, client...)
}

func connect(t *testing.T, s *grpc.Server, client ...grpc.DialOption) *grpc.ClientConn {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- s.Serve(listener) }()
	conn, err := grpc.NewClient(listener.Addr().String(),
		append(client, grpc.WithTransportCredentials(insecure.NewCredentials()))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
		s.Stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return conn
}

// limited is a context for one test.
func limited(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// An echo answers each message with its payload, and streams with as many messages as came or were asked for.
type echo struct {
	testpb.UnimplementedTestServiceServer
	unary func(context.Context, *testpb.SimpleRequest) (*testpb.SimpleResponse, error) // nil: the payload comes back
}

func (e *echo) UnaryCall(ctx context.Context, req *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
	if e.unary != nil {
		return e.unary(ctx, req)
	}
	return &testpb.SimpleResponse{Payload: req.Payload}, nil
}

func (e *echo) StreamingOutputCall(
	req *testpb.StreamingOutputCallRequest, stream grpc.ServerStreamingServer[testpb.StreamingOutputCallResponse],
) error {
	for range req.ResponseParameters {
		if err := stream.Send(&testpb.StreamingOutputCallResponse{Payload: req.Payload}); err != nil {
			return err
		}
	}
	return nil
}

func (e *echo) StreamingInputCall(
	stream grpc.ClientStreamingServer[testpb.StreamingInputCallRequest, testpb.StreamingInputCallResponse],
) error {
	total := 0
	for req, err := range received(stream.Recv) {
		if err != nil {
			return err
		}
		total += len(req.GetPayload().GetBody())
	}
	return stream.SendAndClose(&testpb.StreamingInputCallResponse{AggregatedPayloadSize: int32(total)})
}

func (e *echo) FullDuplexCall(
	stream grpc.BidiStreamingServer[testpb.StreamingOutputCallRequest, testpb.StreamingOutputCallResponse],
) error {
	for req, err := range received(stream.Recv) {
		if err != nil {
			return err
		}
		if err := stream.Send(&testpb.StreamingOutputCallResponse{Payload: req.Payload}); err != nil {
			return err
		}
	}
	return nil
}
