package decode_test

import (
	"errors"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/legacypb"
	"github.com/protean-pb/protean/internal/wire/decode"
)

// cuttable are fields of one message, one of each sort, each with the path of what is in it.
var cuttable = map[proto.Message][]struct{ wire, path string }{
	&benchpb.Order{}: {
		{"\x08\x81\x82\x03", "id"},
		{sub(2, "customer"), "customer"},
		{sub(3, sub(2, "city"), sub(3, strings.Repeat("zip", 30))), "shipping"},
		{sub(5, sub(1, "sku"), "\x19\x01\x02\x03\x04\x05\x06\x07\x08"), "lines[0]"},
		{sub(5, sub(4, "tag"), sub(5, sub(1, "k"), sub(2, "v"))), "lines[1]"},
		{sub(8, strings.Repeat("12345678", 2)), "trace"},
		{sub(9, sub(1, "a"), "\x10\x05"), "counters"},
		{sub(11, "token"), "token"},
		{"\x75\x00\x00\x80\x3f", "discount"},
	},
	&legacypb.Groups{}: {
		{group(1, "\x08\x01", group(2, sub(3, "blob"))), "single"},
		{group(2, "\x08\x01"), "many[0]"},
		{group(2, sub(2, group(1))), "many[1]"},
		{group(3, sub(1, "name")), "chosen"},
	},
	&benchpb.Packed{}: {
		{sub(3, "\x01\x82\x03\x84\x05"), "list_int32"},
		{sub(1, "12345678"), "list_double"},
	},
	&benchpb.Leaf{}: {
		{"\x2a\x03abc", ""}, // unknown, as is all else here
		{"\x18\x81\x01", ""},
		{group(4, sub(1, "x")), ""},
		{"\x291234567\x08", ""},
	},
}

// TestMergeSaysWhereInputEnds cuts the input off at every length: the error is at its end, in the field that is cut.
func TestMergeSaysWhereInputEnds(t *testing.T) {
	for m, parts := range cuttable {
		t.Run(string(m.ProtoReflect().Descriptor().Name()), func(t *testing.T) {
			eachForm(t, m, func(t *testing.T, empty func() proto.Message) {
				before := ""
				for _, part := range parts {
					whole := before + part.wire
					for end := len(before) + 1; end < len(whole); end++ {
						_, err := check(t, whole[:end], empty, decode.Options{Alias: end%2 == 0})
						var e *protoerr.Error
						if !errors.As(err, &e) || e.Err != protoerr.ErrTruncated || e.Offset != end ||
							!strings.HasPrefix(e.Path, part.path) {
							t.Errorf("%x: %v, want byte %d of %q", whole[:end], err, end, part.path)
						}
					}
					if _, err := check(t, whole, empty, decode.Options{}); err != nil {
						t.Errorf("%x: %v", whole, err)
					}
					before = whole
				}
			})
		})
	}
}

// faults are inputs that are wrong at one byte.
var faults = []struct {
	name   string
	m      proto.Message
	in     string
	err    error
	path   string
	offset int
}{
	{"a varint of eleven bytes", &benchpb.Leaf{}, "\x08" + strings.Repeat("\x80", 10) + "\x00", protoerr.ErrMalformed, "id", 1},
	{"a varint of more than 64 bits", &benchpb.Leaf{}, "\x08" + strings.Repeat("\xff", 9) + "\x02", protoerr.ErrMalformed, "id", 1},
	{"such a length", &benchpb.Leaf{}, "\x12" + strings.Repeat("\xff", 9) + "\x02", protoerr.ErrMalformed, "name", 1},
	{"such a tag", &benchpb.Leaf{}, "\x08\x01" + strings.Repeat("\xff", 10), protoerr.ErrMalformed, "", 2},
	{"such a number in a packed list", &benchpb.Packed{}, sub(3, "\x01"+strings.Repeat("\xff", 9)+"\x02"), protoerr.ErrMalformed, "list_int32[1]", 3},
	{"field number 0", &benchpb.Leaf{}, "\x08\x01\x00\x01", protoerr.ErrMalformed, "", 2},
	{"a field number beyond the last", &benchpb.Leaf{}, "\x80\x80\x80\x80\x20\x01", protoerr.ErrMalformed, "", 0},
	{"wire type 6", &benchpb.Leaf{}, "\x0e", protoerr.ErrMalformed, "", 0},
	{"wire type 7 in a sub-message", &benchpb.Order{}, sub(3, "\x0f"), protoerr.ErrMalformed, "shipping", 2},
	{"the end of a group that has not begun", &benchpb.Leaf{}, "\x08\x01\x0c", protoerr.ErrMalformed, "", 2},
	{"the end of another group", &legacypb.Groups{}, "\x0b\x08\x01\x14", protoerr.ErrMalformed, "single", 3},
	{"a length that reaches into what is behind the message", &benchpb.Order{}, sub(3, "\x12\x05ci") + "tytyty", protoerr.ErrTruncated, "shipping.city", 6},
	{"the same in an entry of a map", &benchpb.KeyMaps{}, sub(1, "\x08\x01\x12\x09v") + "123456789", protoerr.ErrTruncated, `by_int32[1]`, 7},
	{"a length beyond all memory", &benchpb.Leaf{}, "\x12\xff\xff\xff\xff\xff\xff\xff\xff\x7f", protoerr.ErrTruncated, "name", 10},
	{"text that is not UTF-8", &benchpb.Order{}, sub(5) + sub(5, sub(4, "é"), sub(4, bad)), protoerr.ErrUTF8, "lines[1].tags[1]", 10},
	{"long text that is not UTF-8", &benchpb.Leaf{}, sub(2, strings.Repeat("é", 100), bad), protoerr.ErrUTF8, "name", 3},
	{"such a key", &benchpb.KeyMaps{}, sub(12, sub(1, bad)), protoerr.ErrUTF8, `by_string[""]`, 4},
}

func TestMergeSaysWhatIsWrongWhere(t *testing.T) {
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			eachForm(t, f.m, func(t *testing.T, empty func() proto.Message) {
				_, err := check(t, f.in, empty, decode.Options{})
				var e *protoerr.Error
				if !errors.As(err, &e) || e.Err != f.err || e.Path != f.path || e.Offset != f.offset {
					t.Errorf("%x: %v, want byte %d of %q: %v", f.in, err, f.offset, f.path, f.err)
				}
			})
		})
	}
}

// TestMergeLimitsNesting reads messages that are nested as deeply as the limit allows, and one level more.
func TestMergeLimitsNesting(t *testing.T) {
	repeat := func(n int, wrap func(string) string) (in string) {
		for range n {
			in = wrap(in)
		}
		return in
	}
	for _, c := range []struct {
		name   string
		m      proto.Message
		levels int // of messages in one step
		wrap   func(string) string
		path   string // one step of it
	}{
		{"messages", &benchpb.Tree{}, 1, func(in string) string { return sub(2, in) }, "left."},
		{"lists", &benchpb.Tree{}, 1, func(in string) string { return sub(4, in) }, "children[0]."},
		{"oneofs", &benchpb.Tree{}, 1, func(in string) string { return sub(6, in) }, "inner."},
		{"maps, whose entries count", &benchpb.Tree{}, 2, func(in string) string { return sub(5, sub(2, in)) }, `by_name[""].`},
		{"groups and messages", &legacypb.Groups{}, 2, func(in string) string { return group(2, sub(2, in)) }, "many[0].groups."},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := repeat(50, c.wrap)
			eachForm(t, c.m, func(t *testing.T, empty func() proto.Message) {
				enough := 50*c.levels + 1
				if _, err := check(t, in, empty, decode.Options{Depth: enough}); err != nil {
					t.Error(err)
				}
				_, err := check(t, in, empty, decode.Options{Depth: enough - 1})
				var e *protoerr.Error
				if !errors.As(err, &e) || e.Err != protoerr.ErrDepth ||
					e.Path != strings.TrimSuffix(strings.Repeat(c.path, 50), ".") {
					t.Errorf("%.200v", err)
				}
			})
		})
	}
	t.Run("unknown groups", func(t *testing.T) {
		in := repeat(20_000, func(in string) string { return "\x2b" + in + "\x2c" })
		eachForm(t, &benchpb.Leaf{}, func(t *testing.T, empty func() proto.Message) {
			if _, err := check(t, in, empty, decode.Options{}); err == nil {
				t.Error("they are read")
			}
		})
	})
}
