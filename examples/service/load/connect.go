//go:build unix

package main

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/codec/connectcodec"
)

// A connectEndpoint is a workload by connect-go, whose functions have the type of the messages.
type connectEndpoint interface {
	handle(mux *http.ServeMux, options ...connect.HandlerOption)
	caller(client *http.Client, url string, options ...connect.ClientOption) caller
}

type endpoint[T any, M interface {
	*T
	proto.Message
}] struct {
	workload string
}

func (e endpoint[T, M]) handle(mux *http.ServeMux, options ...connect.HandlerOption) {
	mux.Handle(path(e.workload, "unary"), connect.NewUnaryHandler(path(e.workload, "unary"),
		func(_ context.Context, r *connect.Request[T]) (*connect.Response[T], error) {
			return connect.NewResponse(r.Msg), nil
		}, options...))
	mux.Handle(path(e.workload, "up"), connect.NewClientStreamHandler(path(e.workload, "up"),
		func(_ context.Context, s *connect.ClientStream[T]) (*connect.Response[T], error) {
			var last *T
			for s.Receive() {
				last = s.Msg()
			}
			return connect.NewResponse(last), s.Err()
		}, options...))
	mux.Handle(path(e.workload, "down"), connect.NewServerStreamHandler(path(e.workload, "down"),
		func(_ context.Context, r *connect.Request[T], s *connect.ServerStream[T]) error {
			for range perStream {
				if err := s.Send(r.Msg); err != nil {
					return err
				}
			}
			return nil
		}, options...))
	mux.Handle(path(e.workload, "both"), connect.NewBidiStreamHandler(path(e.workload, "both"),
		func(_ context.Context, s *connect.BidiStream[T, T]) error {
			for {
				m, err := s.Receive()
				if errors.Is(err, io.EOF) {
					return nil
				} else if err != nil {
					return err
				}
				if err := s.Send(m); err != nil {
					return err
				}
			}
		}, options...))
}

func (e endpoint[T, M]) caller(client *http.Client, url string, options ...connect.ClientOption) caller {
	c := &connectCaller[T, M]{}
	for kind, p := range map[string]**connect.Client[T, T]{"unary": &c.unary, "up": &c.up, "down": &c.down,
		"both": &c.both} {
		*p = connect.NewClient[T, T](client, url+path(e.workload, kind), options...)
	}
	return c
}

type connectCaller[T any, M interface {
	*T
	proto.Message
}] struct {
	unary, up, down, both *connect.Client[T, T]
}

func (c *connectCaller[T, M]) call(
	ctx context.Context, kind string, m proto.Message, check func(proto.Message) error,
) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	message := (*T)(m.(M))
	switch kind {
	case "unary":
		resp, err := c.unary.CallUnary(ctx, connect.NewRequest(message))
		if err != nil {
			return err
		}
		return check(M(resp.Msg))
	case "up":
		s := c.up.CallClientStream(ctx)
		for range perStream {
			if err := s.Send(message); err != nil && !errors.Is(err, io.EOF) {
				return err
			}
		}
		resp, err := s.CloseAndReceive()
		if err != nil {
			return err
		}
		return check(M(resp.Msg))
	case "down":
		s, err := c.down.CallServerStream(ctx, connect.NewRequest(message))
		if err != nil {
			return err
		}
		for s.Receive() {
			if err := check(M(s.Msg())); err != nil {
				return err
			}
		}
		return errors.Join(s.Err(), s.Close())
	}
	s := c.both.CallBidiStream(ctx)
	send := func(any) error { return s.Send(message) }
	err := exchange(kind, m, check, send, s.CloseRequest, func() (proto.Message, error) {
		resp, err := s.Receive()
		return M(resp), err
	})
	return errors.Join(err, s.CloseResponse())
}

func serveConnect(v variant, options ...connect.HandlerOption) (string, func(), error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	if v.codec != "official" {
		options = append(options, connectcodec.HandlerOption(connectcodec.Options{}))
	}
	mux := http.NewServeMux()
	v.workload.connect.handle(mux, options...)
	s := &http.Server{Handler: mux, Protocols: cleartext()}
	done := make(chan error, 1)
	go func() { done <- s.Serve(listener) }()
	return listener.Addr().String(), func() {
		_ = s.Close()
		if err := <-done; !errors.Is(err, http.ErrServerClosed) {
			panic(err) // the listener is ours
		}
	}, nil
}

// cleartext is HTTP/2 without TLS, as grpc-go's side has it.
func cleartext() *http.Protocols {
	p := new(http.Protocols)
	p.SetUnencryptedHTTP2(true)
	return p
}

func dialConnect(v variant, addr string, options ...connect.ClientOption) (caller, func(), error) {
	transport := &http.Transport{Protocols: cleartext()}
	if v.codec != "official" {
		options = slices.Insert(options, 0, connectcodec.ClientOption(connectcodec.Options{}))
	}
	if v.gzip {
		options = append(options, connect.WithSendGzip())
	}
	c := v.workload.connect.caller(&http.Client{Transport: transport}, "http://"+addr, options...)
	return c, transport.CloseIdleConnections, nil
}
