package records

import (
	"os"
	"path/filepath"
	"testing"
)

// Every error about a text names its line and column, and one about a binary form the record and its byte.
func TestPlaces(t *testing.T) {
	for _, tt := range []struct {
		name, data string
		o          Options
		want       string
	}{
		{"a.json", "{\"a\":1}\n  {\"a\":01}", Options{},
			"a.json:2:9: value: $.a: syntax error: '1' instead of the end of the number"},
		{"array.json", "[{\"a\":1},\n {\"a\":x}]", Options{},
			"array.json:2:7: syntax error: invalid character 'x' at start of value; the rest of the file cannot be read"},
		{"mark.json", "\xef\xbb\xbf[{\"a\":x}]", Options{},
			"mark.json:1:7: syntax error: invalid character 'x' at start of value; the rest of the file cannot be read"},
		{"cut.json", "[{\"a\":1},\n{\"a\":", Options{},
			"cut.json:2:6: syntax error: unexpected end of file; the rest of the file cannot be read"},
		{"long.json", "{\"a\":1}\n [\"0123456789\"]", Options{MaxSize: 9},
			"long.json:2:3: record too long: more than 9 bytes; the rest of the file cannot be read"},
		{"a.jsonl", "{}\n \t{\"a\":nil}\n", Options{}, "a.jsonl:2:8: value: $.a: syntax error: 'n' instead of a value"},
		{"long.jsonl", "{}\n  {\"a\":\"0123456789\"}\n", Options{MaxSize: 9},
			"long.jsonl:2:3: record too long: more than 9 bytes"},
		{"number.jsonl", "{\"b\":1,\"a\":[1,123456789012345678901]}\n", Options{},
			"number.jsonl:1:15: $: would be altered: the number 123456789012345678901 becomes the nearest double"},
		{"range.jsonl", "{\"a\":1e99999999999999999999}\n", Options{}, "range.jsonl:1:6: value: $.a: number out of range"},
		{"a.bson", "\x05\x00\x00\x00\x00\x0c\x00\x00\x00\x77a\x00\x01\x00\x00\x00\x00", Options{Form: BSON},
			"a.bson: record 2 at byte 5: $: malformed BSON"},
		{"short.bson", "\x05\x00\x00\x00\x00\x0c\x00", Options{Form: BSON}, "short.bson: record 2 at byte 5: " +
			"4 bytes long, but the file has 2 more; the rest of the file cannot be read"},
		{"a.msgpack", "\x01\x81\xa1a\xc1", Options{Form: MessagePack}, "a.msgpack: record 2 at byte 1: " +
			"byte 0xc1, which MessagePack does not use; the rest of the file cannot be read"},
		{"a.delim", "\x00\x03\x0a", Options{Form: Struct},
			"a.delim: record 2 at byte 1: 3 bytes long, but the file has 1 more; the rest of the file cannot be read"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := os.WriteFile(filepath.Clean(tt.name), []byte(tt.data), 0o666); err != nil {
				t.Fatal(err)
			}
			r, err := Open(Split{File: tt.name}, tt.o)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			c := converter(t, ConvertOptions{From: tt.o.Form, To: Value})
			b, err := r.Next()
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for record := range b.Records() {
				if _, err := c.Append(nil, record); err != nil {
					got = append(got, record.Fault(err).Error())
				}
			}
			if len(got) != 1 || got[0] != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
