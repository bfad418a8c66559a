package suite

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func zstandard(t *testing.T, text string) string {
	t.Helper()
	return string(must(zstd.NewWriter(nil))(t).EncodeAll([]byte(text), nil))
}

// Compressed data is read as what it holds, whatever its file is called; the name without the
// extension of compression says which format.
func TestCompressedData(t *testing.T) {
	s := binarySchema(t)
	md := message(t, s, "M")
	const lines = "{\"text\":\"a\"}\n{\"text\":\"b\"}\n"
	both := ambiguous("\x28", "\x28", "\x28\x80\x01")
	inDir(t, map[string]string{
		"a.jsonl.gz":    gzipped(t, lines),
		"a.jsonl.zst":   zstandard(t, lines),
		"a.jsonl":       gzipped(t, lines),
		"twice.gz":      gzipped(t, lines) + gzipped(t, lines),
		"twice.zst":     zstandard(t, lines) + zstandard(t, lines),
		"both.delim.gz": gzipped(t, both),
		"both.pb.zst":   zstandard(t, both),
		"plain.gz":      lines,
		"bad.jsonl.gz":  gzipped(t, "{\"text\":1}"),
	})
	for _, tt := range []struct{ file, want string }{
		{"a.jsonl.gz", "a.jsonl.gz:1 a.jsonl.gz:2"},
		{"a.jsonl.zst", "a.jsonl.zst:1 a.jsonl.zst:2"},
		{"a.jsonl", "a.jsonl:1 a.jsonl:2"},
		{"twice.gz", "twice.gz:1 twice.gz:2 twice.gz:3 twice.gz:4"},
		{"twice.zst", "twice.zst:1 twice.zst:2 twice.zst:3 twice.zst:4"},
		{"both.delim.gz", "both.delim.gz#1"},
		{"both.pb.zst", "both.pb.zst"},
		{"plain.gz", "plain.gz:1 plain.gz:2"},
		{"bad.jsonl.gz", "bad.jsonl.gz:1:9: field text: expected string, found 1"},
	} {
		samples, err := ReadSamples(s, md, []string{tt.file}, Auto, nil)
		got := sourcesOf(samples)
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.file, got, tt.want)
		}
	}
	if got := must(readText(s, md, Auto, zstandard(t, lines)))(t); sourcesOf(got) != "stdin:1 stdin:2" {
		t.Errorf("standard input: %s", sourcesOf(got))
	}
}

func TestBrokenCompressedData(t *testing.T) {
	s := binarySchema(t)
	md := message(t, s, "M")
	text := strings.Repeat(`{"text":"a"}`, 100)
	whole := gzipped(t, text)
	for _, tt := range []struct{ name, data, want string }{
		{"gzip, cut off", whole[:20], "stdin: gzip: unexpected EOF"},
		{"gzip, cut off in its header", whole[:5], "stdin: gzip: unexpected EOF"},
		{"gzip, damaged", whole[:len(whole)-8] + "????" + whole[len(whole)-4:], "stdin: gzip: invalid checksum"},
		{"zstd, cut off", zstandard(t, text)[:12], "stdin: zstd: unexpected EOF"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := readText(s, md, Auto, tt.data)
			wantError(t, err, tt.want)
		})
	}
	// A message may begin as zstd does: field 5 and its value, and an unknown one.
	message := "\x28\xb5\x2f" + "\xfd\x01\x01\x02\x03\x04"
	if got, err := readText(s, md, Binary, message); err != nil || string(got[0].Raw) != message {
		t.Errorf("a message like zstd: %v", err)
	}
}
