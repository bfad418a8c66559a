package suite

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// Files of messages of testdata's telemetry, right and wrong.
func recordFiles(t *testing.T) (folder string, want []Sample) {
	t.Helper()
	s := telemetrySchema(t)
	md := message(t, s, "Report")
	want = must(ReadSamples(s, md, []string{"testdata/schemas/telemetry/telemetry.delim"}, Auto, nil))(t)
	folder = t.TempDir()
	wrong := append(bytes.Clone(want[0].Wire), 0xff)
	// What is twice in it is merged.
	twice := append(bytes.Clone(want[0].Wire), want[0].Wire...)
	framed := protowire.AppendBytes(protowire.AppendBytes(nil, want[0].Wire), wrong)
	for name, data := range map[string][]byte{
		"one.binpb":    want[0].Wire,
		"one":          want[0].Wire,
		"wrong.binpb":  wrong,
		"wrong":        wrong,
		"two.delim":    framed,
		"two":          framed,
		"cut.delim":    framed[:len(framed)-3],
		"merged.delim": protowire.AppendBytes(protowire.AppendBytes(nil, want[0].Wire), twice),
		"length":       {0x01, 0x08, 0x96},
		"empty.binpb":  {},
		"a.json":       []byte(`{"age": 30}` + "\n\n" + ` [1, 2]`),
		"a.txt":        []byte("\"text\"\n3\nnull"),
		"bad.json":     []byte("{\"age\": 30,}"),
		"bad.txt":      []byte("hello"),
		"text.binpb":   []byte("hello"),
		"brace":        append([]byte("{\"a\":1}"), 0),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder, want
}

// recordWords says which records there are, with what JSON, and what is wrong with them.
func recordWords(folder string, records []Record, err error) string {
	if err != nil {
		return strings.ReplaceAll(err.Error(), folder+"/", "")
	}
	var out []string
	for _, r := range records {
		text := strings.TrimPrefix(r.Source, folder+"/")
		switch {
		case r.JSON != nil && r.Wire != nil:
			text += " both"
		case r.JSON != nil:
			text += " " + string(r.JSON)
		}
		if r.Problem != nil {
			text += " (" + strings.ReplaceAll(r.Problem.Error(), folder+"/", "") + ")"
		}
		out = append(out, text)
	}
	return strings.Join(out, "; ")
}

func TestLoadRecords(t *testing.T) {
	folder, samples := recordFiles(t)
	n := len(samples[0].Wire) + 1 // of the second record of two
	cut := fmt.Sprintf("cut.delim#1; cut.delim#2 (cut.delim: record 2 at byte %d: %d bytes long, but the file has "+
		"%d more)", protowire.SizeBytes(n-1), n, n-3)
	for _, c := range []struct {
		file, format string
		want         string // with the schema
		unknown      string // without
	}{
		{"one.binpb", "", "one.binpb", "one.binpb"},
		{"one", "", "one", "one"},
		{"wrong.binpb", "", "wrong.binpb", "wrong.binpb"},
		{"wrong", "", "wrong", "wrong"},
		{"two.delim", "", "two.delim#1; two.delim#2", "two.delim#1; two.delim#2"},
		{"two", "", "two#1; two#2", "two#1; two#2"},
		{"two", "binary", "two", "two"},
		{"cut.delim", "", cut, cut},
		{"length", "delimited", "length#1; length#2 (length: record 2 at byte 2: invalid length)", ""},
		{"empty.binpb", "binary", "empty.binpb", "empty.binpb"},
		{"empty.binpb", "delimited", "no samples in empty.binpb", "no samples in empty.binpb"},
		{"empty.binpb", "", "no samples in empty.binpb", "empty.binpb"},
		{"a.json", "", "a.json:1:2: field age: no such field in fleet.telemetry.Report…",
			`a.json:1 {"age": 30}; a.json:3 [1, 2]`},
		{"a.txt", "", "", `a.txt:1 "text"; a.txt:2 3; a.txt:3 null`},
		{"bad.json", "", "", "bad.json:1:12: syntax error…"},
		{"bad.txt", "", "", "bad.txt:1:1: syntax error…"},
		{"bad.txt", "binary", "bad.txt", "bad.txt"},
		{"text.binpb", "", "", "text.binpb"},
		{"brace", "", "brace", "brace"},
		{"brace", "json", "", "brace:1:8: syntax error…"},
		{"one", "yaml", `unknown data format "yaml"; it is auto, json, binary or delimited`,
			`unknown data format "yaml"; it is auto, json, binary or delimited`},
		{"none", "", "none: no such file", "none: no such file"},
	} {
		src := Source{Data: []string{filepath.Join(folder, c.file)}, Format: DataFormat(c.format)}
		for _, known := range []bool{true, false} {
			want := c.unknown
			if known {
				src.Protos, src.Message, want = []string{telemetry}, "Report", c.want
			} else {
				src.Protos, src.Message = nil, ""
			}
			if want == "" {
				continue
			}
			in, err := LoadRecords(src)
			var records []Record
			if in != nil {
				records = in.Records
			}
			got := recordWords(folder, records, err)
			if begin, cut := strings.CutSuffix(want, "…"); got != want && !(cut && strings.HasPrefix(got, begin)) {
				t.Errorf("%s %s, known %v: %s, want %s", c.file, c.format, known, got, want)
			}
		}
	}
}

// Binary data is taken as it lies in the file, JSON as the message that it stands for.
func TestRecordBytes(t *testing.T) {
	folder, want := recordFiles(t)
	n := len(want[0].Wire)
	for file, longer := range map[string]int{"two": 1, "merged.delim": n} {
		in := must(LoadRecords(Source{Protos: []string{telemetry}, Message: "Report",
			Data: []string{folder + "/" + file}}))(t)
		at := 0
		for i, r := range in.Records {
			end := at + protowire.SizeBytes(len(r.Wire))
			if r.Offset != end-len(r.Wire) || !bytes.HasPrefix(r.Wire, want[0].Wire) || len(r.Wire) != n+i*longer {
				t.Errorf("%s, record %d: %d bytes at %d", file, i, len(r.Wire), r.Offset)
			}
			at = end
		}
	}
	orders := Source{Protos: []string{ordersProto}, ImportPaths: []string{ordersRoot}, Message: "Order",
		Data: []string{"testdata/schemas/orders/orders.jsonl"}}
	read := must(Load(orders))(t)
	in := must(LoadRecords(orders))(t)
	if len(in.Records) != len(read.Payloads[0].Samples) {
		t.Fatalf("%d records, %d samples", len(in.Records), len(read.Payloads[0].Samples))
	}
	for i, s := range read.Payloads[0].Samples {
		r := in.Records[i]
		if r.Source != s.Source || !bytes.Equal(r.Wire, s.Wire) || !bytes.HasPrefix(r.JSON, []byte("{")) ||
			!bytes.HasSuffix(r.JSON, []byte("}")) {
			t.Errorf("%s: %s, %d bytes, %s", s.Source, r.Source, len(r.Wire), r.JSON)
		}
	}
}
