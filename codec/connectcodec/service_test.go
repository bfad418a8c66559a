package connectcodec

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/proto"
)

const (
	unaryPath  = "/test.v1.Echo/Unary"
	failPath   = "/test.v1.Echo/Fail"
	streamPath = "/test.v1.Echo/Stream"
	upPath     = "/test.v1.Echo/Up"
	downPath   = "/test.v1.Echo/Down"
)

type payload = structpb.Struct

// serve starts a server on loopback that echoes Structs with the options; it counts requests by GET.
func serve(t *testing.T, gets *atomic.Int32, options ...connect.HandlerOption) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	mux.Handle(unaryPath, connect.NewUnaryHandler(unaryPath,
		func(_ context.Context, r *connect.Request[payload]) (*connect.Response[payload], error) {
			if r.HTTPMethod() == http.MethodGet && gets != nil {
				gets.Add(1)
			}
			return connect.NewResponse(r.Msg), nil
		}, append(options, connect.WithIdempotency(connect.IdempotencyNoSideEffects))...))
	mux.Handle(failPath, connect.NewUnaryHandler(failPath,
		func(context.Context, *connect.Request[payload]) (*connect.Response[payload], error) {
			detail, err := connect.NewErrorDetail(&durationpb.Duration{Seconds: 7})
			if err != nil {
				return nil, err
			}
			e := connect.NewError(connect.CodeUnavailable, errors.New("later"))
			e.AddDetail(detail)
			return nil, e
		}, options...))
	mux.Handle(streamPath, connect.NewBidiStreamHandler(streamPath,
		func(_ context.Context, s *connect.BidiStream[payload, payload]) error {
			for {
				m, err := s.Receive()
				if errors.Is(err, io.EOF) {
					return nil
				}
				if err != nil {
					return err
				}
				if err := s.Send(m); err != nil {
					return err
				}
			}
		}, options...))
	mux.Handle(upPath, connect.NewClientStreamHandler(upPath,
		func(_ context.Context, s *connect.ClientStream[payload]) (*connect.Response[payload], error) {
			all := &payload{Fields: map[string]*structpb.Value{}}
			for s.Receive() {
				proto.Merge(all, s.Msg())
			}
			return connect.NewResponse(all), s.Err()
		}, options...))
	mux.Handle(downPath, connect.NewServerStreamHandler(downPath,
		func(_ context.Context, r *connect.Request[payload], s *connect.ServerStream[payload]) error {
			for range 3 {
				if err := s.Send(r.Msg); err != nil {
					return err
				}
			}
			return nil
		}, options...))
	server := httptest.NewUnstartedServer(mux) // on loopback
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	return server
}

func limited(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// TestCalls makes calls of all four kinds by each protocol and codec, with either side's being ours, with compression.
func TestCalls(t *testing.T) {
	ours, their := serve(t, nil, HandlerOption(Options{})), serve(t, nil)
	binary, text := ClientOption(Options{}), connect.WithCodec(JSON(Options{}))
	for _, test := range []struct {
		name    string
		server  *httptest.Server
		options []connect.ClientOption
	}{
		{"connect", ours, []connect.ClientOption{binary}},
		{"connect, gzip", ours, []connect.ClientOption{binary, connect.WithSendGzip()}},
		{"grpc", ours, []connect.ClientOption{binary, connect.WithGRPC()}},
		{"grpc-web", ours, []connect.ClientOption{binary, connect.WithGRPCWeb()}},
		{"json", ours, []connect.ClientOption{text}},
		{"json by grpc", ours, []connect.ClientOption{text, connect.WithGRPC(), connect.WithSendGzip()}},
		{"our server", ours, nil},
		{"our server, json", ours, []connect.ClientOption{connect.WithProtoJSON()}},
		{"our client", their, []connect.ClientOption{binary}},
		{"our client, json", their, []connect.ClientOption{text}},
	} {
		t.Run(test.name, func(t *testing.T) {
			callAll(t, test.server, test.options...)
		})
	}
}

// callAll makes a call of each kind, and one that fails.
func callAll(t *testing.T, server *httptest.Server, options ...connect.ClientOption) {
	t.Helper()
	client := func(path string) *connect.Client[payload, payload] {
		return connect.NewClient[payload, payload](server.Client(), server.URL+path, options...)
	}
	ctx, m := limited(t), sample(t)
	same := func(got *payload, err error) {
		t.Helper()
		if err != nil || !proto.Equal(got, m) {
			t.Errorf("%v, %v", got, err)
		}
	}
	resp, err := client(unaryPath).CallUnary(ctx, connect.NewRequest(m))
	if err != nil {
		t.Fatal(err)
	}
	same(resp.Msg, nil)
	up := client(upPath).CallClientStream(ctx)
	both := client(streamPath).CallBidiStream(ctx)
	for range 3 {
		if err := errors.Join(up.Send(m), both.Send(m)); err != nil {
			t.Fatal(err)
		}
		same(both.Receive())
	}
	if resp, err = up.CloseAndReceive(); err != nil {
		t.Fatal(err)
	}
	same(resp.Msg, nil)
	if err := errors.Join(both.CloseRequest(), both.CloseResponse()); err != nil {
		t.Error(err)
	}
	down, err := client(downPath).CallServerStream(ctx, connect.NewRequest(m))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for down.Receive() {
		n++
		same(down.Msg(), nil)
	}
	if err := down.Err(); err != nil || n != 3 {
		t.Errorf("%d messages, %v", n, err)
	}
	if err := down.Close(); err != nil {
		t.Error(err)
	}
	_, err = client(failPath).CallUnary(ctx, connect.NewRequest(m))
	var e *connect.Error
	if !errors.As(err, &e) || e.Code() != connect.CodeUnavailable || len(e.Details()) != 1 {
		t.Fatalf("%v", err)
	}
	if detail, err := e.Details()[0].Value(); err != nil || detail.(*durationpb.Duration).Seconds != 7 {
		t.Errorf("%v, %v", detail, err)
	}
}

// TestGet has a client use HTTP GET, with the same URL for equal messages.
func TestGet(t *testing.T) {
	var gets atomic.Int32
	server := serve(t, &gets, HandlerOption(Options{}))
	for _, codec := range []connect.Codec{Proto(Options{}), JSON(Options{})} {
		urls := map[string]bool{}
		record := transport(func(r *http.Request) (*http.Response, error) {
			urls[r.URL.String()] = true
			return server.Client().Transport.RoundTrip(r)
		})
		client := connect.NewClient[payload, payload](&http.Client{Transport: record}, server.URL+unaryPath,
			connect.WithCodec(codec), connect.WithHTTPGet(), connect.WithIdempotency(connect.IdempotencyNoSideEffects))
		const calls = 20
		gets.Store(0)
		for range calls {
			resp, err := client.CallUnary(limited(t), connect.NewRequest(sample(t)))
			if err != nil || !proto.Equal(resp.Msg, sample(t)) {
				t.Fatalf("%v, %v", resp, err)
			}
		}
		if gets.Load() != calls || len(urls) != 1 {
			t.Errorf("%s: %d calls by GET, with %d URLs", codec.Name(), gets.Load(), len(urls))
		}
	}
}

type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestDynamicClients uses messages without generated code, as connect-go's documentation has it.
func TestDynamicClients(t *testing.T) {
	server := serve(t, nil, HandlerOption(Options{}))
	md := (&payload{}).ProtoReflect().Descriptor()
	wire, err := proto.Marshal(sample(t))
	if err != nil {
		t.Fatal(err)
	}
	schema := connect.WithSchema(method{input: md, output: md})
	check := func(got proto.Message, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if b, err := (proto.MarshalOptions{Deterministic: true}).Marshal(got); err != nil || len(b) != len(wire) {
			t.Errorf("%q, %v", b, err)
		}
	}
	for _, codec := range []connect.Codec{Proto(Options{}), JSON(Options{})} {
		client := connect.NewClient[dynamicpb.Message, dynamicpb.Message](server.Client(), server.URL+unaryPath,
			connect.WithCodec(codec), schema,
			connect.WithResponseInitializer(func(spec connect.Spec, m any) error {
				*m.(*dynamicpb.Message) = *dynamicpb.NewMessage(spec.Schema.(method).output)
				return nil
			}))
		req := dynamicpb.NewMessage(md)
		if err := proto.Unmarshal(wire, req); err != nil {
			t.Fatal(err)
		}
		resp, err := client.CallUnary(limited(t), connect.NewRequest(req))
		if err != nil {
			t.Fatal(err)
		}
		check(resp.Msg, nil)

		ours := connect.NewClient[dynamic.Message, dynamic.Message](server.Client(), server.URL+unaryPath,
			connect.WithCodec(codec), schema,
			connect.WithResponseInitializer(func(spec connect.Spec, m any) error {
				*m.(*dynamic.Message) = *dynamic.NewMessage(spec.Schema.(method).output)
				return nil
			}))
		req2 := dynamic.NewMessage(md)
		if err := proto.Unmarshal(wire, req2); err != nil {
			t.Fatal(err)
		}
		resp2, err := ours.CallUnary(limited(t), connect.NewRequest(req2))
		if err != nil {
			t.Fatal(err)
		}
		check(resp2.Msg, nil)
	}
}

// A method is the part of a method's descriptor that the clients use.
type method struct {
	input, output protoreflect.MessageDescriptor
}

// TestErrorsAsConnect sends what cannot be read to a server with our codecs and to one with connect-go's: the codes
// agree, and the texts up to what the library has to say.
func TestErrorsAsConnect(t *testing.T) {
	ours, their := serve(t, nil, HandlerOption(Options{})), serve(t, nil)
	for _, test := range []struct{ contentType, body string }{
		{"application/proto", "\x0a\x05"},
		{"application/json", "{"},
		{"application/json", ""},
		{"application/json; charset=utf-8", "["},
		{"application/json", `{"a":1} `},
		{"application/text", "x"},
	} {
		var codes []int
		var texts []string
		for _, s := range []*httptest.Server{ours, their} {
			resp, err := s.Client().Post(s.URL+unaryPath, test.contentType, strings.NewReader(test.body))
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(resp.Body)
			if err := errors.Join(err, resp.Body.Close()); err != nil {
				t.Fatal(err)
			}
			before, _, _ := bytes.Cut(text, []byte("Struct: "))
			codes, texts = append(codes, resp.StatusCode), append(texts, strings.ReplaceAll(string(before), " ", ""))
		}
		if codes[0] != codes[1] || texts[0] != texts[1] {
			t.Errorf("%+v: %d %s, want %d %s", test, codes[0], texts[0], codes[1], texts[1])
		}
	}
}
