package grpccodec

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"strings"
	"testing"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/encoding/gzip"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/reflection"
	reflectionpb "google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/proto"
)

// received ranges over the messages of a stream to its end, or to its first error.
func received[T any](recv func() (T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for {
			m, err := recv()
			if errors.Is(err, io.EOF) || !yield(m, err) || err != nil {
				return
			}
		}
	}
}

// sides are who uses the codec: the wire format is the same, so that either may.
var sides = []struct {
	name   string
	server []grpc.ServerOption
	client []grpc.DialOption
}{
	{"both", []grpc.ServerOption{ServerOption(Options{})}, []grpc.DialOption{DialOption(Options{})}},
	{"server", []grpc.ServerOption{ServerOption(Options{})}, nil},
	{"client", nil, []grpc.DialOption{DialOption(Options{})}},
	{"arenas", ArenaServer(ArenaOptions{Poison: true}), []grpc.DialOption{DialOption(Options{})}},
}

// TestCalls makes calls of all four kinds, with payloads of one buffer and of many, with and without compression.
func TestCalls(t *testing.T) {
	for _, side := range sides {
		for _, compressor := range []string{"", gzip.Name} {
			t.Run(side.name+compressor, func(t *testing.T) {
				client := side.client
				if compressor != "" {
					client = append(client[:len(client):len(client)],
						grpc.WithDefaultCallOptions(grpc.UseCompressor(compressor)))
				}
				c := testpb.NewTestServiceClient(dial(t, &echo{}, side.server, client...))
				for _, size := range []int{0, 1, 1000, 1100, 5000, 33_000, 300_000, 1100, 1} {
					if err := callAll(limited(t), c, bytes.Repeat([]byte("payload "), size/8+1)[:size]); err != nil {
						t.Fatalf("%d bytes: %v", size, err)
					}
				}
			})
		}
	}
}

// callAll makes a call of each kind and compares what comes back.
func callAll(ctx context.Context, c testpb.TestServiceClient, body []byte) error {
	payload := &testpb.Payload{Body: body}
	same := func(p *testpb.Payload, err error) error {
		if err == nil && !bytes.Equal(p.GetBody(), body) {
			return errors.New("the payload has changed")
		}
		return err
	}
	resp, err := c.UnaryCall(ctx, &testpb.SimpleRequest{Payload: payload})
	if err := same(resp.GetPayload(), err); err != nil {
		return err
	}
	const times = 3
	down, err := c.StreamingOutputCall(ctx, &testpb.StreamingOutputCallRequest{
		Payload: payload, ResponseParameters: make([]*testpb.ResponseParameters, times),
	})
	if err != nil {
		return err
	}
	n := 0
	for resp, err := range received(down.Recv) {
		n++
		if err := same(resp.GetPayload(), err); err != nil {
			return err
		}
	}
	up, err := c.StreamingInputCall(ctx)
	if err != nil {
		return err
	}
	both, err := c.FullDuplexCall(ctx)
	if err != nil {
		return err
	}
	for range times {
		if err := up.Send(&testpb.StreamingInputCallRequest{Payload: payload}); err != nil {
			return err
		}
		if err := both.Send(&testpb.StreamingOutputCallRequest{Payload: payload}); err != nil {
			return err
		}
		resp, err := both.Recv()
		if err := same(resp.GetPayload(), err); err != nil {
			return err
		}
	}
	total, err := up.CloseAndRecv()
	if err != nil {
		return err
	}
	if err := both.CloseSend(); err != nil {
		return err
	}
	if _, err := both.Recv(); !errors.Is(err, io.EOF) {
		return err
	}
	if n != times || int(total.AggregatedPayloadSize) != times*len(body) {
		return errors.New("messages are missing")
	}
	return nil
}

// TestErrorDetails sends a status with details, which are Anys.
func TestErrorDetails(t *testing.T) {
	detail := &errdetails.BadRequest{FieldViolations: []*errdetails.BadRequest_FieldViolation{{Field: "payload",
		Description: "too dull"}}}
	service := &echo{unary: func(context.Context, *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
		s, err := status.New(codes.InvalidArgument, "no").WithDetails(detail)
		if err != nil {
			return nil, err
		}
		return nil, s.Err()
	}}
	for _, side := range sides {
		c := testpb.NewTestServiceClient(dial(t, service, side.server, side.client...))
		for range 3 {
			_, err := c.UnaryCall(limited(t), &testpb.SimpleRequest{})
			s := status.Convert(err)
			if s.Code() != codes.InvalidArgument || len(s.Details()) != 1 {
				t.Fatalf("%s: %v", side.name, err)
			}
			if got, ok := s.Details()[0].(*errdetails.BadRequest); !ok || !proto.Equal(got, detail) {
				t.Errorf("%s: details %v", side.name, s.Details())
			}
		}
	}
}

// TestServices calls grpc-go's own services for health and reflection.
func TestServices(t *testing.T) {
	for _, side := range sides {
		s := grpc.NewServer(side.server...)
		h := health.NewServer()
		healthpb.RegisterHealthServer(s, h)
		reflection.Register(s)
		conn := connect(t, s, side.client...)
		ctx := limited(t)
		for range 2 {
			resp, err := healthpb.NewHealthClient(conn).Check(ctx, &healthpb.HealthCheckRequest{})
			if err != nil || resp.Status != healthpb.HealthCheckResponse_SERVING {
				t.Fatalf("%s: %v, %v", side.name, resp, err)
			}
		}
		watch, err := healthpb.NewHealthClient(conn).Watch(ctx, &healthpb.HealthCheckRequest{})
		if err != nil {
			t.Fatal(err)
		}
		if resp, err := watch.Recv(); err != nil || resp.Status != healthpb.HealthCheckResponse_SERVING {
			t.Fatalf("%s: %v, %v", side.name, resp, err)
		}
		info, err := reflectionpb.NewServerReflectionClient(conn).ServerReflectionInfo(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if err := info.Send(&reflectionpb.ServerReflectionRequest{
			MessageRequest: &reflectionpb.ServerReflectionRequest_ListServices{},
		}); err != nil {
			t.Fatal(err)
		}
		resp, err := info.Recv()
		if err != nil || len(resp.GetListServicesResponse().GetService()) != 3 {
			t.Errorf("%s: %v, %v", side.name, resp, err)
		}
		h.Shutdown() // which ends the watch
	}
}

// TestLimits has grpc-go refuse messages that are too large, on both ways and after decompression.
func TestLimits(t *testing.T) {
	for _, side := range sides {
		service := &echo{unary: func(_ context.Context, req *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
			return &testpb.SimpleResponse{Payload: &testpb.Payload{Body: make([]byte, req.ResponseSize)}}, nil
		}}
		server := append(side.server[:len(side.server):len(side.server)], grpc.MaxRecvMsgSize(10_000),
			grpc.MaxSendMsgSize(50_000))
		c := testpb.NewTestServiceClient(dial(t, service, server, side.client...))
		for _, test := range []struct {
			request, response int
			option            grpc.CallOption
		}{
			{11_000, 0, grpc.EmptyCallOption{}},
			{11_000, 0, grpc.UseCompressor(gzip.Name)},
			{0, 60_000, grpc.EmptyCallOption{}},
			{0, 20_000, grpc.MaxCallRecvMsgSize(10_000)},
			{5_000, 0, grpc.MaxCallSendMsgSize(1_000)},
		} {
			req := &testpb.SimpleRequest{Payload: &testpb.Payload{Body: make([]byte, test.request)},
				ResponseSize: int32(test.response)}
			if _, err := c.UnaryCall(limited(t), req, test.option); status.Code(err) != codes.ResourceExhausted {
				t.Errorf("%s: %+v: %v", side.name, test, err)
			}
		}
	}
}

// TestBadMessages has one side send what the other cannot read.
func TestBadMessages(t *testing.T) {
	c := testpb.NewTestServiceClient(dial(t, &echo{}, []grpc.ServerOption{ServerOption(Options{})}))
	_, err := c.UnaryCall(limited(t), &testpb.SimpleRequest{}, grpc.ForceCodecV2(raw("\x1a\x05\x12\x7f")))
	if status.Code(err) != codes.Internal ||
		!strings.Contains(err.Error(), "grpc: failed to unmarshal the received message") ||
		!strings.Contains(err.Error(), "payload: byte 4") {
		t.Errorf("%v", err)
	}
	conn := dial(t, &echo{}, nil, DialOption(Options{}))
	bad := &structpb.Value{Kind: &structpb.Value_StringValue{StringValue: "\xff"}}
	err = conn.Invoke(limited(t), "/grpc.testing.TestService/UnaryCall", bad, new(testpb.SimpleResponse))
	if status.Code(err) != codes.Internal || !strings.Contains(err.Error(), "grpc: error while marshaling") {
		t.Errorf("%v", err)
	}
}
