package proto_test

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
	official "google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/internal/test/race"
	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/legacypb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/wellknownpb"
	"github.com/protean-pb/protean/proto"
)

// nested returns depth messages, one in the other, in field number.
func nested(number protowire.Number, depth int) []byte {
	sizes := make([]int, depth)
	for i := 1; i < depth; i++ {
		sizes[i] = protowire.SizeTag(number) + protowire.SizeBytes(sizes[i-1])
	}
	var b []byte
	for i := depth - 1; i > 0; i-- {
		b = protowire.AppendVarint(protowire.AppendTag(b, number, protowire.BytesType), uint64(sizes[i-1]))
	}
	return b
}

// TestUnmarshalLimitsNesting nests messages as deeply as may be, and one level deeper.
func TestUnmarshalLimitsNesting(t *testing.T) {
	depths := []int{10_000, 10_001, 9_999}
	if race.Brief() {
		depths = depths[:2]
	}
	for _, depth := range depths {
		for _, test := range []struct {
			name string
			m    proto.Message
			wire []byte
		}{
			{"message", new(benchpb.Tree), nested(2, depth)},
			{"list", new(benchpb.Tree), nested(4, depth)},
			{"oneof", new(benchpb.Tree), nested(6, depth)},
			{"group", new(legacypb.Groups), []byte(strings.Repeat("\x13\x13", (depth-1)/2) + strings.Repeat("\x14\x14", (depth-1)/2))},
			{"map", new(benchpb.Tree), []byte(nestedInMap(depth))},
			{"unknown group", new(benchpb.Leaf), []byte(strings.Repeat("\x7b", depth) + strings.Repeat("\x7c", depth))},
			{"Struct", new(wellknownpb.Event), []byte(nestedStruct(depth))},
		} {
			for _, w := range ways {
				if len(test.wire) == 0 {
					t.Fatal("empty")
				}
				theirs, ours := w.news(test.m.ProtoReflect().Descriptor())
				m := ours()
				err, wantErr := proto.Unmarshal(test.wire, m), official.Unmarshal(test.wire, theirs())
				if (err != nil) != (wantErr != nil) {
					t.Errorf("%s, %s, %d: %.200v, official %.200v", test.name, w.name, depth, err, wantErr)
				}
				if err != nil && !errors.Is(err, proto.ErrDepth) && !errors.Is(err, proto.ErrMalformed) {
					t.Errorf("%s, %s, %d: %.200v is another error", test.name, w.name, depth, err)
				}
				if err != nil {
					continue
				}
				b, err := proto.Marshal(m)
				if err != nil || len(b) != len(test.wire) {
					t.Errorf("%s, %s, %d: %d bytes, want %d, %.200v", test.name, w.name, depth, len(b), len(test.wire),
						err)
				}
			}
		}
	}
}

// nestedInMap returns messages in the maps of one another; an entry counts as one, too.
func nestedInMap(depth int) string {
	wire := sub(5, sub(1), sub(2))
	for range depth/2 - 1 {
		wire = sub(5, sub(1), sub(2, wire))
	}
	if depth%2 == 0 {
		wire = sub(2, wire)
	}
	return wire
}

// nestedStruct returns an event with a payload of so many messages, the event included.
func nestedStruct(depth int) string {
	wire := ""
	for ; depth > 4; depth -= 3 { // a Struct, an entry and a Value
		wire = sub(1, sub(1), sub(2, sub(5, wire)))
	}
	wire = sub(3, wire)
	for ; depth > 2; depth-- {
		wire = sub(7, wire)
	}
	return wire
}

// hostile are megabytes that cost much to read for how little they say.
var hostile = []struct {
	name   string
	m      proto.Message
	repeat string
	factor int // bytes of memory for each of the input, at most
}{
	{"empty elements", new(benchpb.Tree), sub(4), 128},
	{"empty strings", new(benchpb.Strings), sub(5), 32},
	{"empty bytes", new(benchpb.Strings), sub(6), 40},
	{"runs of one", new(benchpb.Strings), sub(5) + sub(6) + sub(7), 64},
	{"runs of one message", new(benchpb.Tree), sub(4) + "\x0a\x00", 128},
	{"runs of one in two lists", new(benchpb.Ping), sub(2) + sub(1), 64},
	{"the same message", new(benchpb.Tree), sub(2), 1},
	{"the same oneof", new(benchpb.Choice), sub(31) + sub(32), 64},
	{"the same string", new(benchpb.Leaf), sub(2, "a"), 1},
	{"the same key", new(benchpb.ValueMaps), sub(14), 16},
	{"the same key and a message", new(benchpb.KeyMaps), sub(32), 64},
	{"maps of one", new(benchpb.Tree), sub(4, sub(5)), 256},
	{"numbers", new(benchpb.Packed), "\x08\x01\x18\x01", 16},
	{"single numbers", new(benchpb.Expanded), "\x18\x01\x20\x01", 16},
	{"packed runs of one", new(benchpb.Packed), sub(3, "\x01") + sub(4, "\x01"), 16},
	{"empty packed", new(benchpb.Packed), sub(3), 1},
	{"unknown fields", new(benchpb.Leaf), "\x78\x01", 8},
	{"groups", new(legacypb.Groups), group(2), 64},
	{"extensions", new(legacypb.Extendable), "\xb0\x08\x01", 32},
	{"extension messages", new(legacypb.Extendable), sub(136), 128},
	{"values", new(wellknownpb.Event), sub(5), 64},
	{"structs", new(wellknownpb.Repeated), sub(1), 64},
	{"structs of one", new(wellknownpb.Repeated), sub(1, sub(1)), 256},
	{"Struct merged", new(wellknownpb.Event), sub(3, sub(1)), 64},
}

// maxTook is far beyond the fractions of a second that a megabyte takes, and far below what it
// takes where each element costs as much as all before it.
const maxTook = 5 * time.Second

// TestUnmarshalOfHostileInputIsBounded reads such input: memory and time stay in proportion.
func TestUnmarshalOfHostileInputIsBounded(t *testing.T) {
	if race.Brief() {
		t.Skip("it takes long, and the race detector takes memory")
	}
	const size = 1 << 20
	for _, h := range hostile {
		t.Run(h.name, func(t *testing.T) {
			wire := []byte(strings.Repeat(h.repeat, size/len(h.repeat)))
			got := cost(t, wire, h.m)
			each := float64(got.bytes) / float64(len(wire))
			t.Logf("%.1f bytes for each of the input, %v", each, got.took)
			if got.bytes > uint64(h.factor*len(wire)+1<<17) {
				t.Errorf("%.1f bytes for each of the input, %d are the most", each, h.factor)
			}
			if got.took > maxTook {
				t.Errorf("it takes %v", got.took)
			}
		})
	}
}

// A spent is what reading took.
type spent struct {
	bytes uint64 // allocated in all
	took  time.Duration
}

func cost(t *testing.T, wire []byte, m proto.Message) spent {
	t.Helper()
	best := spent{math.MaxUint64, math.MaxInt64}
	for range 3 {
		to := m.ProtoReflect().New().Interface()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		err := proto.Unmarshal(wire, to)
		took := time.Since(start)
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Fatal(err)
		}
		best = spent{min(best.bytes, after.TotalAlloc-before.TotalAlloc), min(best.took, took)}
	}
	return best
}

// TestLyingLengths checks that a length without the bytes that it promises costs nothing.
func TestLyingLengths(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector takes memory")
	}
	for _, length := range []uint64{1 << 20, 1 << 31, 1<<63 - 1, 1 << 63, math.MaxUint64} {
		for number := range protowire.Number(17) {
			wire := protowire.AppendVarint(protowire.AppendTag(nil, number+1, protowire.BytesType), length)
			wire = append(wire, strings.Repeat("\x01", 16)...)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := proto.Unmarshal(wire, new(benchpb.Packed))
			runtime.ReadMemStats(&after)
			if used := after.TotalAlloc - before.TotalAlloc; used > 16<<10 {
				t.Errorf("field %d of length %d: %d bytes", number+1, length, used)
			}
			if err == nil || !errors.Is(err, proto.ErrTruncated) {
				t.Errorf("field %d of length %d: %v", number+1, length, err)
			}
		}
	}
	for _, wire := range []string{
		strings.Repeat(fmt.Sprintf("%c\xff\xff\xff\x7f", 3<<3|2), 1000),
		"\x1a\xff\xff\xff\xff\x0f" + strings.Repeat("\x80", 1<<10),
	} {
		if err := proto.Unmarshal([]byte(wire), new(benchpb.Packed)); !errors.Is(err, proto.ErrTruncated) {
			t.Errorf("%.20q: %v", wire, err)
		}
	}
}
