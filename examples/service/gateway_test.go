//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/protean-pb/protean/codec/gatewaycodec"
	"github.com/protean-pb/protean/codec/grpccodec"
	"github.com/protean-pb/protean/examples/service/internal/eventpb"
)

// A detailedService has details in its errors.
type detailedService struct{ *grpcService }

func (s *detailedService) Last(ctx context.Context, r *eventpb.LastRequest) (*eventpb.Envelope, error) {
	e, err := s.grpcService.Last(ctx, r)
	if err == nil {
		return e, nil
	}
	detailed, detailErr := status.Convert(err).WithDetails(
		&errdetails.ErrorInfo{Reason: "NO_EVENT", Metadata: map[string]string{"source": r.Source}},
		&eventpb.ListRequest{Sources: []string{r.Source}, NotBefore: &timestamppb.Timestamp{Seconds: 1}})
	if detailErr != nil {
		return nil, detailErr
	}
	return nil, detailed.Err()
}

// A gateway is a server of HTTP that protoc-gen-grpc-gateway has generated, before a gRPC server of its own.
func gateway(t *testing.T, option runtime.ServeMuxOption) *httptest.Server {
	t.Helper()
	grpcServer := grpc.NewServer(grpccodec.ServerOption(grpccodec.Options{}))
	addr := loopback(t)
	servingWith(t, addr, grpcServer, &detailedService{&grpcService{store: newStore()}})
	mux := runtime.NewServeMux(option)
	err := eventpb.RegisterEventServiceHandlerFromEndpoint(t.Context(), mux, addr, []grpc.DialOption{
		grpc.WithTransportCredentials(insecure.NewCredentials()), grpccodec.DialOption(grpccodec.Options{}),
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server
}

// TestGateway sends the same requests to two gateways with the same options, one with grpc-gateway's own marshaler and
// one with ours: both answer the same.
func TestGateway(t *testing.T) {
	names := protojson.MarshalOptions{UseProtoNames: true}
	for name, options := range map[string][2]runtime.ServeMuxOption{ // by the name that a field has
		"notBefore": {runtime.WithMarshalerOption(runtime.MIMEWildcard, &runtime.HTTPBodyMarshaler{
			Marshaler: &runtime.JSONPb{
				MarshalOptions:   protojson.MarshalOptions{EmitUnpopulated: true},
				UnmarshalOptions: protojson.UnmarshalOptions{DiscardUnknown: true},
			}}), gatewaycodec.Option()},
		"not_before": {runtime.WithMarshalerOption(runtime.MIMEWildcard, &runtime.JSONPb{MarshalOptions: names}),
			runtime.WithMarshalerOption(runtime.MIMEWildcard, &gatewaycodec.JSONPb{MarshalOptions: names})},
	} {
		theirs, ours := gateway(t, options[0]), gateway(t, options[1])
		for _, test := range []struct{ method, path, body, want string }{
			{"POST", "/v1/events", `{"source":"shop","time":"2026-11-25T10:00:00Z","payload":{"a":[1,null,"x"]}}`,
				`"sequence":"1"`},
			{"POST", "/v1/events", `{"source":"mill","time":"2026-11-24T10:00:00.5Z","payload":null}`, `"stored":true`},
			{"POST", "/v1/events", `{"source":"a b/ü","payload":"text"}`, `"source":"a b/ü"`},
			{"GET", "/v1/events/shop", "", `"payload":{"a":[1,null,"x"]}`},
			{"GET", "/v1/events/a%20b%2F%C3%BC", "", ""},
			{"GET", "/v1/events", "", `{"result":{"source":"shop"`},
			{"GET", "/v1/events?sources=shop&sources=nobody", "", `{"result":{"source":"shop"`},
			{"GET", "/v1/events?not_before=2026-11-25T00:00:00Z&sources=mill&sources=shop", "", `"source":"shop"`},
			{"GET", "/v1/events?notBefore=2026-11-25T00:00:00Z", "", `"source":"shop"`},
			{"GET", "/v1/events?notBefore=yesterday", "", `"code":3`},
			{"GET", "/v1/events/nobody", "", `"reason":"NO_EVENT"`},
			{"GET", "/v1/events/nobody", "", `"` + name + `":"1970-01-01T00:00:01Z"`},
			{"GET", "/v1/events/nobody", "", `"@type":"type.googleapis.com/protean.examples.event.v1.ListRequest"`},
			{"POST", "/v1/events", `{"source":5}`, `"code":3`},
			{"POST", "/v1/events", `{"source":`, `"code":3`},
			{"POST", "/v1/events", "", ""},
			{"POST", "/v1/events", `{"source":"x","new":1}`, ""},
			{"GET", "/v1/nothing", "", `"code":5`},
		} {
			what := name + ": " + test.method + " " + test.path + " " + test.body
			wantStatus, want := answer(t, theirs, test.method, test.path, test.body)
			gotStatus, got := answer(t, ours, test.method, test.path, test.body)
			if gotStatus != wantStatus || !strings.Contains(got, test.want) {
				t.Errorf("%s: %s\n%s\nwant %s\n%s", what, gotStatus, got, wantStatus, want)
			}
			if !strings.Contains(got, `"message":"protojson: `) && got != want { // where the text is the package's own
				t.Errorf("%s:\n%s\nwant\n%s", what, got, want)
			}
		}
	}
}

// answer makes a request and returns status and content type, and the body as compact JSON, a value a line.
func answer(t *testing.T, server *httptest.Server, method, path, body string) (string, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, server.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := server.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var out bytes.Buffer
	for d := json.NewDecoder(resp.Body); ; {
		var value json.RawMessage
		if err := d.Decode(&value); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if err := json.Compact(&out, value); err != nil {
			t.Fatal(err)
		}
		out.WriteByte('\n')
	}
	return resp.Status + " " + resp.Header.Get("Content-Type"), out.String()
}
