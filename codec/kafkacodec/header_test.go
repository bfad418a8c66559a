package kafkacodec

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/sr"
)

// TestHeader writes headers as franz-go's sr does, and reads them.
func TestHeader(t *testing.T) {
	for _, indexes := range [][]int{{0}, {1}, {0, 0}, {1, 0, 3}, {63}, {64}, {1 << 20},
		slices.Repeat([]int{5}, maxIndexes)} {
		got := appendHeader(nil, 1<<31+5, indexes)
		want, err := new(sr.ConfluentHeader).AppendEncode(nil, 1<<31+5, indexes)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d: %x, sr: %x %v", indexes, got, want, err)
		}
		var h header
		if err := h.parse(append(got, "message"...)); err != nil || h.id != 1<<31+5 || h.size != len(got) ||
			!slices.Equal(h.indexes[:h.depth], indexes) {
			t.Errorf("%d: read as %+v, %v", indexes, h, err)
		}
	}
}

func TestHeaderErrors(t *testing.T) {
	for _, tt := range []struct {
		record, want string
		is           error
	}{
		{"", "no value", ErrTombstone},
		{`{"id":1}`, "byte 0 is 0x7b, want 0x00", ErrFormat},
		{"\x00\x00\x00\x01", "too short for a schema id", ErrFormat},
		{"\x00\x00\x00\x00\x01", "byte 5: the message indexes are malformed or cut off", ErrFormat},
		{"\x00\x00\x00\x00\x01\x04\x02", "byte 7: the message indexes are malformed or cut off", ErrFormat},
		{"\x00\x00\x00\x00\x01\x01", "byte 5: -1 message indexes", ErrFormat},
		{"\x00\x00\x00\x00\x01\x42", "byte 5: 33 message indexes", ErrFormat},
		{"\x00\x00\x00\x00\x01\xfe\xff\xff\xff\x0f", "byte 5: 2147483647 message indexes", ErrFormat},
		{"\x00\x00\x00\x00\x01\xfe\xff\xff\xff\xff\x0f", "byte 5: the message indexes are malformed", ErrFormat},
		{"\x00\x00\x00\x00\x01\x02\x01", "byte 6: message index -1", ErrFormat},
		{"\x00\x00\x00\x00\x01" + strings.Repeat("\xff", 11), "byte 5: the message indexes are malformed", ErrFormat},
	} {
		var h header
		if err := h.parse([]byte(tt.record)); !errors.Is(err, tt.is) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, want %q", tt.record, err, tt.want)
		}
	}
}
