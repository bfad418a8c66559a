//go:build unix

package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"connectrpc.com/connect"
	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/encoding"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/protean-pb/protean/codec/connectcodec"
	"github.com/protean-pb/protean/codec/gatewaycodec"
	"github.com/protean-pb/protean/codec/grpccodec"
	"github.com/protean-pb/protean/examples/service/internal/eventpb"
	"github.com/protean-pb/protean/examples/service/internal/eventpb/eventpbconnect"
	"github.com/protean-pb/protean/internal/test/snippet"
	"github.com/protean-pb/protean/shapes"
)

// The code of docs/services.md is a part of this file.
func TestDocument(t *testing.T) { snippet.Check(t, "../../docs/services.md", "docs_test.go") }

func TestDocumentGRPC(t *testing.T) {
	t.Chdir(t.TempDir())
	addr := loopback(t)
	serverOption := grpccodec.ServerOption(grpccodec.Options{})
	conn, err := grpc.NewClient(addr, grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpccodec.DialOption(grpccodec.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	serving(t, addr, grpc.NewServer(serverOption))
	publishAndRead(t, &grpcAPI{conn, eventpb.NewEventServiceClient(conn)})

	logging := func(ctx context.Context, req any, _ *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
		return handler(ctx, req)
	}
	options := append(grpccodec.ArenaServer(grpccodec.ArenaOptions{}), grpc.ChainUnaryInterceptor(logging))
	server := grpc.NewServer(options...)
	server.Stop()

	recorder, err := shapes.Open("shapes", shapes.Options{PerSecond: 1}) // 64 MiB on disk at most
	serverOptions := grpccodec.Sampled(recorder)
	handlerOption := connect.WithInterceptors(connectcodec.Sampled(recorder))
	if err != nil {
		t.Fatal(err)
	}
	if _, handler := eventpbconnect.NewEventServiceHandler(&connectService{newStore()}, handlerOption); handler == nil {
		t.Error("no handler")
	}
	sampled := loopback(t)
	serving(t, sampled, grpc.NewServer(serverOptions...))
	api, err := dialGRPC(sampled, true)
	if err != nil {
		t.Fatal(err)
	}
	publishAndRead(t, api)
	if err := recorder.Close(); err != nil || recorder.Count().Recorded != 1 {
		t.Errorf("%+v, %v", recorder.Count(), err)
	}
	if files, err := filepath.Glob("shapes/protean.examples.event.v1.Envelope.*"); err != nil || len(files) != 2 {
		t.Errorf("%v, %v", files, err)
	}
}

// loopback returns an address that nobody listens at.
func loopback(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// serving has the server serve the events at the address.
func serving(t *testing.T, addr string, server *grpc.Server) {
	t.Helper()
	servingWith(t, addr, server, &grpcService{store: newStore()})
}

func servingWith(t *testing.T, addr string, server *grpc.Server, service eventpb.EventServiceServer) {
	t.Helper()
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	eventpb.RegisterEventServiceServer(server, service)
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	t.Cleanup(func() {
		server.Stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func publishAndRead(t *testing.T, a api) {
	t.Helper()
	defer a.close()
	if _, err := a.publish(sample()); err != nil {
		t.Fatal(err)
	}
	if e, err := a.last("shop"); err != nil || !same(e, sample()) {
		t.Errorf("%v, %v", e, err)
	}
}

func TestDocumentConnect(t *testing.T) {
	service := &connectService{newStore()}
	mux := http.NewServeMux()
	server := httptest.NewServer(mux) // on loopback
	defer server.Close()
	url := server.URL
	var codecs connectcodec.Options
	path, handler := eventpbconnect.NewEventServiceHandler(service, connectcodec.HandlerOption(codecs))
	client := eventpbconnect.NewEventServiceClient(http.DefaultClient, url, connectcodec.ClientOption(codecs))
	mux.Handle(path, handler)
	publishAndRead(t, &connectAPI{new(http.Transport), client})
}

func TestDocumentGateway(t *testing.T) {
	mux := runtime.NewServeMux(gatewaycodec.Option())
	other := runtime.NewServeMux(runtime.WithMarshalerOption(runtime.MIMEWildcard, &gatewaycodec.JSONPb{
		// of google.golang.org/protobuf/encoding/protojson
		MarshalOptions: protojson.MarshalOptions{UseProtoNames: true},
	}))
	for _, m := range []*runtime.ServeMux{mux, other} {
		_, out := runtime.MarshalerForRequest(m, httptest.NewRequest(http.MethodGet, "/", nil))
		if text, err := out.Marshal(&eventpb.LastRequest{Source: "x"}); err != nil || string(text) != `{"source":"x"}` {
			t.Errorf("%s, %v", text, err)
		}
	}
}

// TestDocumentRegister runs in a process of its own, which has had no servers.
func TestDocumentRegister(t *testing.T) {
	const own = "PROTEAN_TEST_REGISTER"
	if os.Getenv(own) == "" {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), own+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	grpccodec.Register() // in main's first lines, before there are clients and servers
	addr := loopback(t)
	serving(t, addr, grpc.NewServer())
	a, err := dialGRPC(addr, false)
	if err != nil {
		t.Fatal(err)
	}
	publishAndRead(t, a)
	if fmt.Sprintf("%T", encoding.GetCodecV2("proto")) != "*grpccodec.codec" {
		t.Error("another codec is registered")
	}
}
