package connectcodec

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"connectrpc.com/connect"

	"github.com/protean-pb/protean/shapes"
)

// TestSampled has a handler and a client record all messages of calls of all kinds.
func TestSampled(t *testing.T) {
	for _, side := range []string{"handler", "client"} {
		dir := t.TempDir()
		r, err := shapes.Open(dir, shapes.Options{PerSecond: 1e9, KeepKeys: true})
		if err != nil {
			t.Fatal(err)
		}
		sampled := connect.WithInterceptors(Sampled(r))
		if side == "handler" {
			callAll(t, serve(t, nil, HandlerOption(Options{}), sampled))
		} else {
			callAll(t, serve(t, nil), ClientOption(Options{}), sampled)
		}
		// A message that comes while another is being written may be missing.
		if n := r.Count().Recorded; n < 10 || n > 2+4+4+6+1 {
			t.Errorf("%s: %d messages", side, n)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		b, err := os.ReadFile(filepath.Join(dir, "google.protobuf.Struct.jsonl"))
		if err != nil || bytes.Contains(b, []byte("text")) || !bytes.Contains(b, []byte(`"a":[`)) {
			t.Errorf("%s: %s, %v", side, b, err)
		}
	}
}
