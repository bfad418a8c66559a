package gatewaycodec

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"google.golang.org/genproto/googleapis/api/httpbody"
	official "google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/protean-pb/protean/protojson"
)

type field = descriptorpb.FieldDescriptorProto

func sample() *field {
	return &field{
		Name: proto.String("a\"b"), Number: proto.Int32(5), Type: descriptorpb.FieldDescriptorProto_TYPE_BOOL.Enum(),
		Options: &descriptorpb.FieldOptions{Packed: proto.Bool(true)},
	}
}

// optionsOf are pairs of marshalers with the same options.
func optionsOf() map[string][2]runtime.Marshaler {
	pairs := map[string][2]runtime.Marshaler{}
	add := func(name string, m official.MarshalOptions, u official.UnmarshalOptions) {
		pairs[name] = [2]runtime.Marshaler{&JSONPb{MarshalOptions: m, UnmarshalOptions: u},
			&runtime.JSONPb{MarshalOptions: m, UnmarshalOptions: u}}
	}
	add("none", official.MarshalOptions{}, official.UnmarshalOptions{})
	add("lines", official.MarshalOptions{Multiline: true, Indent: "\t"}, official.UnmarshalOptions{RecursionLimit: 3})
	add("all", official.MarshalOptions{EmitUnpopulated: true, UseProtoNames: true, UseEnumNumbers: true,
		AllowPartial: true},
		official.UnmarshalOptions{DiscardUnknown: true, AllowPartial: true})
	add("defaults", official.MarshalOptions{EmitDefaultValues: true}, official.UnmarshalOptions{})
	return pairs
}

func compact(t *testing.T, b []byte) string {
	t.Helper()
	var out bytes.Buffer
	if err := json.Compact(&out, b); err != nil {
		t.Fatalf("%q: %v", b, err)
	}
	return out.String()
}

// TestMarshal holds what is written against runtime.JSONPb.
func TestMarshal(t *testing.T) {
	values := []any{
		sample(), &structpb.Value{Kind: &structpb.Value_NullValue{}}, timestamppb.New(timestamppb.Now().AsTime()),
		(*field)(nil),
		[]*field{sample(), sample()}, []*field{}, []*field(nil), map[string]*field{"x": sample()},
		map[int32]string{1: "x"},
		"text", int64(5), nil, true, []string{"a"}, []byte("bytes"), descriptorpb.FieldDescriptorProto_TYPE_BOOL, proto.String("p"),
		[]descriptorpb.FieldDescriptorProto_Type{1, 2},
		&structpb.Value{}, &descriptorpb.UninterpretedOption_NamePart{}, []*structpb.Value{{}},
		[]*structpb.Value{structpb.NewStringValue("\xff")},
	}
	for name, pair := range optionsOf() {
		for _, v := range values {
			got, err := pair[0].Marshal(v)
			want, wantErr := pair[1].Marshal(v)
			if (err == nil) != (wantErr == nil) {
				t.Errorf("%s: %T: %v, want %v", name, v, err, wantErr)
			} else if err == nil && compact(t, got) != compact(t, want) {
				t.Errorf("%s: %T: %s, want %s", name, v, got, want)
			}
			var out, wantOut bytes.Buffer
			err, wantErr = pair[0].NewEncoder(&out).Encode(v), pair[1].NewEncoder(&wantOut).Encode(v)
			if (err == nil) != (wantErr == nil) {
				t.Errorf("%s: %T: encoder: %v, want %v", name, v, err, wantErr)
			} else if err == nil && (compact(t, out.Bytes()) != compact(t, wantOut.Bytes()) ||
				!bytes.HasSuffix(out.Bytes(), []byte("\n"))) {
				t.Errorf("%s: %T: encoder: %q, want %q", name, v, out.Bytes(), wantOut.Bytes())
			}
		}
	}
}

// TestUnmarshal holds what is read against runtime.JSONPb: one text, and a stream of several.
func TestUnmarshal(t *testing.T) {
	targets := []func() any{
		func() any { return new(field) }, func() any { return new(*field) }, func() any { return new([]*field) },
		func() any { return new(structpb.Value) }, func() any { return new(map[string]*field) },
		func() any { return new(string) },
		func() any { return new(int64) }, func() any { return new(descriptorpb.FieldDescriptorProto_Type) },
		func() any { return 5 },
		func() any { return new(**field) },
	}
	texts := []string{
		`{"name":"x","number":5}`, ` {"name":"x"} `, `{"name":"x"} {"name":"y"}`, `{"unknown":1}`, `{`, ``, ` `, `[]`, `[{"name":"x"},{}]`,
		`null`, `5`, `"text"`, `{"a":{"name":"z"}}`, `{"name":"x"}]`, `{"options":{"uninterpretedOption":[{"name":[{}]}]}}`, `1.5`,
	}
	for name, pair := range optionsOf() {
		for i, target := range targets {
			for _, text := range texts {
				got, want := target(), target()
				err, wantErr := pair[0].Unmarshal([]byte(text), got), pair[1].Unmarshal([]byte(text), want)
				compare(t, fmt.Sprintf("%s: target %d: %s", name, i, text), got, want, err, wantErr)
				d, wantD := pair[0].NewDecoder(strings.NewReader(text)), pair[1].NewDecoder(strings.NewReader(text))
				for n := range 3 {
					got, want := target(), target()
					err, wantErr := d.Decode(got), wantD.Decode(want)
					compare(t, fmt.Sprintf("%s: target %d: %s, value %d", name, i, text, n), got, want, err, wantErr)
					if errors.Is(wantErr, io.EOF) != errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
						t.Errorf("%s: target %d: %s: %v, want %v", name, i, text, err, wantErr)
					}
					if err != nil {
						break
					}
				}
			}
		}
	}
}

func compare(t *testing.T, what string, got, want any, err, wantErr error) {
	t.Helper()
	if (err == nil) != (wantErr == nil) {
		t.Errorf("%s: %v, want %v", what, err, wantErr)
	} else if err == nil && !same(got, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func same(a, b any) bool {
	j := &JSONPb{MarshalOptions: official.MarshalOptions{AllowPartial: true}}
	x, err := j.Marshal(a)
	y, err2 := j.Marshal(b)
	return err == nil && err2 == nil && bytes.Equal(x, y) && reflect.TypeOf(a) == reflect.TypeOf(b)
}

// TestErrors finds package protojson's errors, with their place.
func TestErrors(t *testing.T) {
	var e *protojson.Error
	text := "{\n\"number\": \"x\"}"
	if err := new(JSONPb).Unmarshal([]byte(text), new(field)); !errors.As(err, &e) || e.Path != "number" ||
		e.Line != 2 {
		t.Errorf("%v", err)
	}
	if err := new(JSONPb).NewDecoder(strings.NewReader(text)).Decode(new(field)); !errors.As(err, &e) || e.Line != 2 {
		t.Errorf("%v", err)
	}
	d := (&JSONPb{MaxSize: 10}).NewDecoder(strings.NewReader(`{"name":"a long one"}`))
	if err := d.Decode(new(field)); !errors.Is(err, protojson.ErrSize) {
		t.Errorf("%v", err)
	}
	d = new(JSONPb).NewDecoder(strings.NewReader(`{} 5`))
	if err := errors.Join(d.Decode(new(field)), d.Decode(new(int))); !errors.Is(err, errMixed) {
		t.Errorf("%v", err)
	}
}

// TestGateway has a gateway answer as its generated code does: a message, a stream of them, an error, and a body of
// another type.
func TestGateway(t *testing.T) {
	mux := runtime.NewServeMux(Option(), runtime.WithMarshalerOption("application/x-ndjson",
		&JSONPb{StreamType: "application/x-ndjson"}))
	handle := func(path string, respond func(ctx context.Context, m runtime.Marshaler, w http.ResponseWriter,
		r *http.Request)) {
		err := mux.HandlePath(http.MethodPost, path, func(w http.ResponseWriter, r *http.Request, _ map[string]string) {
			_, out := runtime.MarshalerForRequest(mux, r)
			respond(runtime.NewServerMetadataContext(r.Context(), runtime.ServerMetadata{}), out, w, r)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	handle("/echo", func(ctx context.Context, out runtime.Marshaler, w http.ResponseWriter, r *http.Request) {
		in, _ := runtime.MarshalerForRequest(mux, r)
		m := new(field)
		if err := in.NewDecoder(r.Body).Decode(m); err != nil {
			runtime.HTTPError(ctx, mux, out, w, r, err)
			return
		}
		runtime.ForwardResponseMessage(ctx, mux, out, w, r, m)
	})
	handle("/stream", func(ctx context.Context, out runtime.Marshaler, w http.ResponseWriter, r *http.Request) {
		n := 0
		runtime.ForwardResponseStream(ctx, mux, out, w, r, func() (proto.Message, error) {
			if n++; n > 2 {
				return nil, io.EOF
			}
			return sample(), nil
		})
	})
	handle("/body", func(ctx context.Context, out runtime.Marshaler, w http.ResponseWriter, r *http.Request) {
		runtime.ForwardResponseMessage(ctx, mux, out, w, r,
			&httpbody.HttpBody{ContentType: "text/plain", Data: []byte("as it is")})
	})
	server := httptest.NewServer(mux) // on loopback
	defer server.Close()
	for _, test := range []struct{ path, accept, body, contentType, want string }{
		{"/echo", "", `{"name":"x", "unheard":1}`, "application/json", `"name":"x"`},
		{"/echo", "", `{"name":"x"`, "application/json", `"message":`},
		{"/stream", "", ``, "application/json", "}}\n{\"result\":{"},
		{"/stream", "application/x-ndjson", ``, "application/x-ndjson", "}}\n{\"result\":{"},
		{"/body", "", ``, "text/plain", "as it is"},
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+test.path,
			strings.NewReader(test.body))
		if err != nil {
			t.Fatal(err)
		}
		if test.accept != "" {
			req.Header.Set("Accept", test.accept)
		}
		resp, err := server.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		if err := errors.Join(err, resp.Body.Close()); err != nil {
			t.Fatal(err)
		}
		if got := resp.Header.Get("Content-Type"); got != test.contentType || !bytes.Contains(body, []byte(test.want)) {
			t.Errorf("%+v: %s %s", test, got, body)
		}
	}
}
