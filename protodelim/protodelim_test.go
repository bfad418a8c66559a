package protodelim_test

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	official "google.golang.org/protobuf/encoding/protodelim"
	officialproto "google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/proto"
	"github.com/protean-pb/protean/protodelim"
)

// The names of the official package, each in a use of it.
var (
	_ func(io.Writer, proto.Message) (int, error)  = protodelim.MarshalTo
	_ func(protodelim.Reader, proto.Message) error = protodelim.UnmarshalFrom
	_ official.Reader                              = protodelim.Reader(nil)
	_ *official.SizeTooLargeError                  = (*protodelim.SizeTooLargeError)(nil)
	_                                              = protodelim.MarshalOptions{MarshalOptions: proto.MarshalOptions{}}
	_ int64                                        = protodelim.UnmarshalOptions{
		UnmarshalOptions: proto.UnmarshalOptions{}}.MaxSize
)

func TestStream(t *testing.T) {
	long := strings.Repeat("é", 3<<20/2)
	for _, text := range []string{"", "a", "ab", strings.Repeat("x", 200), long} {
		var got, want bytes.Buffer
		m := structpb.NewStringValue(text)
		n, err := protodelim.MarshalTo(&got, m)
		wantN, wantErr := official.MarshalTo(&want, m)
		if err != nil || wantErr != nil || n != wantN || !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Fatalf("%d bytes %v, official %d %v", n, err, wantN, wantErr)
		}
		for name, r := range map[string]protodelim.Reader{
			"Buffer": bytes.NewBuffer(got.Bytes()), "bufio": bufio.NewReader(bytes.NewReader(got.Bytes())),
			"bufio of a byte at a time": bufio.NewReaderSize(iotest.OneByteReader(bytes.NewReader(got.Bytes())), 4096),
		} {
			read := new(structpb.Value)
			if err := protodelim.UnmarshalFrom(r, read); err != nil || !officialproto.Equal(read, m) {
				t.Errorf("%s: %v, %d bytes", name, err, len(text))
			}
			if err := protodelim.UnmarshalFrom(r, read); err != io.EOF {
				t.Errorf("%s: after the last message: %v", name, err)
			}
		}
	}
}

// TestSameErrors reads streams that are wrong as the official package does.
func TestSameErrors(t *testing.T) {
	size := func(n uint64, rest string) string { return string(protowire.AppendVarint(nil, n)) + rest }
	for _, in := range []string{
		"", "\x80", "\x80\x80", strings.Repeat("\xff", 11), strings.Repeat("\x80", 9) + "\x02", "\x01", "\x02\x08", "\x01\x08", "\x02\x08\x01",
		size(5<<20, ""), size(5<<20, "abc"), size(math.MaxInt64, ""), size(math.MaxUint64, ""), size(101, ""),
		size(3, "\x08\x01"),
	} {
		for _, limit := range []int64{0, -1, 100, -2} {
			if limit < 0 && len(in) > 4 && in[0] == 0xff {
				continue // the official package allocates what a length says
			}
			for name, reader := range map[string]func() protodelim.Reader{
				"strings": func() protodelim.Reader { return strings.NewReader(in) },
				"bufio":   func() protodelim.Reader { return bufio.NewReader(strings.NewReader(in)) },
			} {
				got, want := new(wrapperspb.Int64Value), new(wrapperspb.Int64Value)
				err := protodelim.UnmarshalOptions{MaxSize: limit}.UnmarshalFrom(reader(), got)
				wantErr := official.UnmarshalOptions{MaxSize: limit}.UnmarshalFrom(reader(), want)
				if kind(err) != kind(wantErr) || wantErr == nil && !officialproto.Equal(got, want) {
					t.Errorf("%q, limit %d, %s: %v %v, official: %v %v", in, limit, name, got, err, want, wantErr)
				}
			}
		}
	}
}

// kind tells errors apart that callers tell apart.
func kind(err error) any {
	var size *protodelim.SizeTooLargeError
	switch {
	case err == nil, err == io.EOF, err == io.ErrUnexpectedEOF:
		return err
	case errors.As(err, &size):
		return *size
	case errors.Is(err, proto.Error):
		return "Protobuf"
	}
	return "other"
}

// TestLengthThatLies reads a length of 2^30 without a limit: it costs no memory.
func TestLengthThatLies(t *testing.T) {
	in := string(protowire.AppendVarint(nil, 1<<30)) + "abc"
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := protodelim.UnmarshalOptions{MaxSize: -1}.UnmarshalFrom(strings.NewReader(in), new(structpb.Value))
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; err != io.ErrUnexpectedEOF || used > 8<<20 {
		t.Errorf("%v, %d bytes allocated", err, used)
	}
}

// TestAliasedInput reads the next message after one whose strings alias its input.
func TestAliasedInput(t *testing.T) {
	var stream bytes.Buffer
	for _, text := range []string{"first", "other"} {
		if _, err := protodelim.MarshalTo(&stream, wrapperspb.String(text)); err != nil {
			t.Fatal(err)
		}
	}
	r := bufio.NewReaderSize(iotest.OneByteReader(&stream), 16)
	o := protodelim.UnmarshalOptions{UnmarshalOptions: proto.UnmarshalOptions{AliasInput: true}}
	first, second := new(wrapperspb.StringValue), new(wrapperspb.StringValue)
	if err := errors.Join(o.UnmarshalFrom(r, first), o.UnmarshalFrom(r, second)); err != nil {
		t.Fatal(err)
	}
	if first.Value != "first" || second.Value != "other" {
		t.Errorf("%q %q", first.Value, second.Value)
	}
}

// A writer's error and what it took are returned as they are.
func TestWriterFails(t *testing.T) {
	r, w := io.Pipe()
	r.CloseWithError(io.ErrClosedPipe)
	if n, err := protodelim.MarshalTo(w, wrapperspb.Int32(5)); n != 0 || err != io.ErrClosedPipe {
		t.Errorf("%d %v", n, err)
	}
}

func FuzzUnmarshalFrom(f *testing.F) {
	f.Add([]byte("\x02\x08\x01\x03\x08"))
	f.Add(bytes.Repeat([]byte{0xff}, 12))
	f.Fuzz(func(t *testing.T, in []byte) {
		ours, theirs := bytes.NewReader(in), bytes.NewReader(in)
		for {
			got, want := new(structpb.Value), new(structpb.Value)
			err, wantErr := protodelim.UnmarshalFrom(ours, got), official.UnmarshalFrom(theirs, want)
			if kind(err) != kind(wantErr) || wantErr == nil && !officialproto.Equal(got, want) {
				t.Fatalf("%v %v, official: %v %v", got, err, want, wantErr)
			}
			if err != nil || ours.Len() != theirs.Len() {
				return
			}
		}
	})
}
