package grpccodec

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"google.golang.org/grpc"
	testpb "google.golang.org/grpc/interop/grpc_testing"

	"github.com/protean-pb/protean/shapes"
)

// TestSampled has a server and a client record all messages of calls of all kinds; what they say is not written.
func TestSampled(t *testing.T) {
	open := func() (*shapes.Recorder, string) {
		dir := t.TempDir()
		r, err := shapes.Open(dir, shapes.Options{PerSecond: 1e9})
		if err != nil {
			t.Fatal(err)
		}
		return r, dir
	}
	server, serverDir := open()
	client, clientDir := open()
	options := append(ArenaServer(ArenaOptions{Poison: true}), Sampled(server)...)
	c := testpb.NewTestServiceClient(dial(t, &echo{}, options, append(SampledClient(client), DialOption(Options{}))...))
	body := bytes.Repeat([]byte("secret"), 50)
	for range 3 {
		if err := callAll(limited(t), c, body); err != nil {
			t.Fatal(err)
		}
	}
	for dir, r := range map[string]*shapes.Recorder{serverDir: server, clientDir: client} {
		// A message that comes while another is being written may be missing.
		if n := r.Count().Recorded; n < 30 || n > 3*(2+4+4+6) {
			t.Errorf("%d messages", n)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
		if err != nil || len(files) != 6 {
			t.Errorf("%v, %v", files, err)
		}
		for _, f := range files {
			if b, err := os.ReadFile(f); err != nil || bytes.Contains(b, []byte("c2VjcmV0")) { // secret, in base64
				t.Errorf("%s: %s, %v", f, b, err)
			}
		}
	}
}

// Without a Recorder there is nothing to do.
func TestSampledNil(t *testing.T) {
	c := testpb.NewTestServiceClient(dial(t, &echo{}, Sampled(nil),
		append(SampledClient(nil), grpc.WithUserAgent("test"))...))
	if err := callAll(limited(t), c, []byte("x")); err != nil {
		t.Error(err)
	}
}
