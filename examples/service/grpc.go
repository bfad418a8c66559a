//go:build unix

package main

import (
	"context"
	"net"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"github.com/protean-pb/protean/codec/grpccodec"
	"github.com/protean-pb/protean/examples/service/internal/eventpb"
)

// grpcService is the service as grpc-go has it.
type grpcService struct {
	eventpb.UnimplementedEventServiceServer
	store *store
}

func (s *grpcService) Publish(_ context.Context, e *eventpb.Envelope) (*eventpb.Receipt, error) {
	return s.store.publish(e), nil
}

func (s *grpcService) Last(_ context.Context, r *eventpb.LastRequest) (*eventpb.Envelope, error) {
	e := s.store.lastOf(r.Source)
	if e == nil {
		return nil, status.Errorf(codes.NotFound, "no event of source %q", r.Source)
	}
	return e, nil
}

func (s *grpcService) List(r *eventpb.ListRequest, stream grpc.ServerStreamingServer[eventpb.Envelope]) error {
	for _, e := range s.store.list(r) {
		if err := stream.Send(e); err != nil {
			return err
		}
	}
	return nil
}

// serveGRPC serves until the listener is closed by stop. The codec is one server option.
func serveGRPC(listener net.Listener, protean bool) (stop func()) {
	var options []grpc.ServerOption
	if protean {
		options = append(options, grpccodec.ServerOption(grpccodec.Options{}))
	}
	server := grpc.NewServer(options...)
	eventpb.RegisterEventServiceServer(server, &grpcService{store: newStore()})
	go func() { _ = server.Serve(listener) }() // which ends by Stop
	return server.Stop
}

// dialGRPC returns a client. The codec is one dial option.
func dialGRPC(addr string, protean bool) (api, error) {
	options := []grpc.DialOption{grpc.WithTransportCredentials(insecure.NewCredentials())}
	if protean {
		options = append(options, grpccodec.DialOption(grpccodec.Options{}))
	}
	conn, err := grpc.NewClient(addr, options...)
	if err != nil {
		return nil, err
	}
	return &grpcAPI{conn, eventpb.NewEventServiceClient(conn)}, nil
}

type grpcAPI struct {
	conn   *grpc.ClientConn
	client eventpb.EventServiceClient
}

func (a *grpcAPI) publish(e *eventpb.Envelope) (*eventpb.Receipt, error) {
	return a.client.Publish(context.Background(), e)
}

func (a *grpcAPI) last(source string) (*eventpb.Envelope, error) {
	return a.client.Last(context.Background(), &eventpb.LastRequest{Source: source})
}

func (a *grpcAPI) close() { _ = a.conn.Close() }
