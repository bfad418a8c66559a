//go:build unix

package main

import (
	"context"
	"fmt"
	"net"
	"net/http"

	"connectrpc.com/connect"

	"github.com/protean-pb/protean/codec/connectcodec"
	"github.com/protean-pb/protean/examples/service/internal/eventpb"
	"github.com/protean-pb/protean/examples/service/internal/eventpb/eventpbconnect"
)

// connectService is the service as connect-go has it.
type connectService struct{ store *store }

func (s *connectService) Publish(
	_ context.Context, r *connect.Request[eventpb.Envelope],
) (*connect.Response[eventpb.Receipt], error) {
	return connect.NewResponse(s.store.publish(r.Msg)), nil
}

func (s *connectService) Last(
	_ context.Context, r *connect.Request[eventpb.LastRequest],
) (*connect.Response[eventpb.Envelope], error) {
	e := s.store.lastOf(r.Msg.Source)
	if e == nil {
		return nil, connect.NewError(connect.CodeNotFound, fmt.Errorf("no event of source %q", r.Msg.Source))
	}
	return connect.NewResponse(e), nil
}

func (s *connectService) List(
	_ context.Context, r *connect.Request[eventpb.ListRequest], stream *connect.ServerStream[eventpb.Envelope],
) error {
	for _, e := range s.store.list(r.Msg) {
		if err := stream.Send(e); err != nil {
			return err
		}
	}
	return nil
}

// serveConnect serves until stop. The codecs are one handler option.
func serveConnect(listener net.Listener, protean bool) (stop func()) {
	var options []connect.HandlerOption
	if protean {
		options = append(options, connectcodec.HandlerOption(connectcodec.Options{}))
	}
	mux := http.NewServeMux()
	mux.Handle(eventpbconnect.NewEventServiceHandler(&connectService{newStore()}, options...))
	server := &http.Server{Handler: mux, Protocols: cleartext()}
	go func() { _ = server.Serve(listener) }() // which ends by Close
	return func() { _ = server.Close() }
}

// cleartext is HTTP/1.1, and HTTP/2 without TLS.
func cleartext() *http.Protocols {
	p := new(http.Protocols)
	p.SetHTTP1(true)
	p.SetUnencryptedHTTP2(true)
	return p
}

// dialConnect returns a client. The codec is one client option.
func dialConnect(addr string, protean bool) (api, error) {
	var options []connect.ClientOption
	if protean {
		options = append(options, connectcodec.ClientOption(connectcodec.Options{}))
	}
	transport := &http.Transport{Protocols: new(http.Protocols)}
	transport.Protocols.SetUnencryptedHTTP2(true)
	client := eventpbconnect.NewEventServiceClient(&http.Client{Transport: transport}, "http://"+addr, options...)
	return &connectAPI{transport, client}, nil
}

type connectAPI struct {
	transport *http.Transport
	client    eventpbconnect.EventServiceClient
}

func (a *connectAPI) publish(e *eventpb.Envelope) (*eventpb.Receipt, error) {
	r, err := a.client.Publish(context.Background(), connect.NewRequest(e))
	if err != nil {
		return nil, err
	}
	return r.Msg, nil
}

func (a *connectAPI) last(source string) (*eventpb.Envelope, error) {
	r, err := a.client.Last(context.Background(), connect.NewRequest(&eventpb.LastRequest{Source: source}))
	if err != nil {
		return nil, err
	}
	return r.Msg, nil
}

func (a *connectAPI) close() { a.transport.CloseIdleConnections() }
