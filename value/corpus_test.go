package value

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/structpb"
)

// A shape is a document for tests and benchmarks.
type shape struct {
	name string
	text []byte          // compact JSON
	data any             // as encoding/json decodes it
	tree *structpb.Value // as protojson decodes it
	wire []byte          // as the official library writes it, keys in order
}

// eachShape yields documents of the forms that people send: those of the suite
// hidden-cost, and others that nothing was tuned on. It makes one after the other: what
// is alive beside the data of a benchmark makes every collection of garbage slower.
func eachShape(t testing.TB) iter.Seq[shape] {
	t.Helper()
	return func(yield func(shape) bool) {
		for _, name := range []string{"small", "medium", "large"} {
			text, err := os.ReadFile(filepath.Join("..", "cmd", "protean", "internal", "suite", "builtin", "hidden-cost", name+".json"))
			if err != nil {
				t.Fatal(err)
			}
			if !yield(newShape(t, name, text)) {
				return
			}
		}
		r := rand.New(rand.NewPCG(1, 2))
		for _, s := range []struct {
			name string
			data func() any
		}{
			{"twitter", func() any { return twitter(r) }},
			{"rows", func() any { return rows(r) }},
			{"floats", func() any { return floats(r) }},
			{"flat500", func() any { return flat(r, 500) }},
			{"strings", func() any { return letters(r) }},
			{"nested30", func() any { return nested(30) }},
		} {
			b, err := json.Marshal(s.data())
			if err != nil {
				t.Fatal(err)
			}
			if !yield(newShape(t, s.name, b)) {
				return
			}
		}
		// Real data, which lies beside the repository, if it is there.
		for _, c := range []struct{ name, path string }{
			{"envoy", "envoy-bootstrap/brotli__envoy.json"},
			{"message1", "protobuf-benchmarks"},
		} {
			path := filepath.Join("..", "..", "shared", "corpora", filepath.FromSlash(c.path))
			if _, err := os.Stat(path); err != nil {
				t.Logf("without the shape %s: %v", c.name, err)
				continue
			}
			var text []byte
			var err error
			if c.name == "envoy" {
				text, err = os.ReadFile(path)
			} else {
				text, err = benchmarkMessage(path)
			}
			if err != nil {
				t.Fatal(err)
			}
			if !yield(newShape(t, c.name, text)) {
				return
			}
		}
	}
}

// benchmarkMessage returns the classic google_message1 as JSON text.
func benchmarkMessage(dir string) ([]byte, error) {
	schema, err := os.ReadFile(filepath.Join(dir, "schema.binpb"))
	if err != nil {
		return nil, err
	}
	set := new(descriptorpb.FileDescriptorSet)
	if err := proto.Unmarshal(schema, set); err != nil {
		return nil, err
	}
	files, err := protodesc.NewFiles(set)
	if err != nil {
		return nil, err
	}
	d, err := files.FindDescriptorByName("benchmarks.proto3.GoogleMessage1")
	if err != nil {
		return nil, err
	}
	wire, err := os.ReadFile(filepath.Join(dir, "google_message1_proto3.pb"))
	if err != nil {
		return nil, err
	}
	m := dynamicpb.NewMessage(d.(protoreflect.MessageDescriptor))
	if err := proto.Unmarshal(wire, m); err != nil {
		return nil, err
	}
	return protojson.Marshal(m)
}

// shapes returns all of them.
func shapes(t testing.TB) []shape {
	t.Helper()
	return slices.Collect(eachShape(t))
}

func newShape(t testing.TB, name string, text []byte) shape {
	t.Helper()
	s := shape{name: name, tree: new(structpb.Value)}
	var b bytes.Buffer
	if err := json.Compact(&b, text); err != nil {
		t.Fatal(err)
	}
	s.text = b.Bytes()
	if err := json.Unmarshal(s.text, &s.data); err != nil {
		t.Fatal(err)
	}
	if err := protojson.Unmarshal(s.text, s.tree); err != nil {
		t.Fatal(err)
	}
	var err error
	if s.wire, err = (proto.MarshalOptions{Deterministic: true}).Marshal(s.tree); err != nil {
		t.Fatal(err)
	}
	return s
}

func word(r *rand.Rand) string {
	b := make([]byte, 3+r.IntN(9))
	for i := range b {
		b[i] = byte('a' + r.IntN(26))
	}
	return string(b)
}

func words(r *rand.Rand, n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = word(r)
	}
	return strings.Join(out, " ")
}

// twitter is a nested answer of an interface for social media.
func twitter(r *rand.Rand) any {
	var statuses []any
	for range 20 {
		statuses = append(statuses, map[string]any{
			"id_str":     fmt.Sprint(r.Uint64()),
			"created_at": "Mon Sep 24 03:35:21 +0000 2012",
			"text":       words(r, 12) + " \U0001f600 " + word(r),
			"truncated":  r.IntN(2) == 0,
			"user": map[string]any{
				"id_str": fmt.Sprint(r.Uint32()), "name": words(r, 2), "screen_name": word(r),
				"followers_count": float64(r.IntN(1e6)), "verified": false, "url": nil,
				"entities": map[string]any{"description": map[string]any{"urls": []any{}}},
			},
			"entities": map[string]any{
				"hashtags": []any{map[string]any{"text": word(r), "indices": []any{float64(3), float64(17)}}},
				"urls":     []any{}, "user_mentions": []any{},
			},
			"retweet_count": float64(r.IntN(1000)), "favorited": false, "geo": nil, "lang": "en",
		})
	}
	return map[string]any{"statuses": statuses, "search_metadata": map[string]any{"count": float64(20), "query": "%23freebandnames"}}
}

// rows is a table: a list of lists of cells.
func rows(r *rand.Rand) any {
	var out []any
	for i := range 200 {
		out = append(out, []any{float64(i), word(r), r.Float64() * 100, r.IntN(2) == 0, nil, fmt.Sprintf("2026-%02d-%02d", 1+r.IntN(12), 1+r.IntN(28))})
	}
	return out
}

func floats(r *rand.Rand) any {
	var out []any
	for range 1000 {
		out = append(out, r.NormFloat64()*math.Pow(10, float64(r.IntN(6))))
	}
	return out
}

func flat(r *rand.Rand, n int) any {
	out := map[string]any{}
	for i := range n {
		switch i % 3 {
		case 0:
			out[word(r)+fmt.Sprint(i)] = word(r)
		case 1:
			out[word(r)+fmt.Sprint(i)] = float64(r.IntN(10000))
		default:
			out[word(r)+fmt.Sprint(i)] = r.IntN(2) == 0
		}
	}
	return out
}

// letters has what must be escaped, and letters of several scripts.
func letters(r *rand.Rand) any {
	parts := []string{"\n", "\t", `"`, `\`, "\u0001", "é", "ж", "漢字", "\u2028", "𝄞", "/", "<b>", "\u007f", "naïve", "Ελληνικά", "עברית", "हिन्दी"}
	out := map[string]any{}
	for i := range 40 {
		var b strings.Builder
		for range 20 {
			b.WriteString(word(r))
			b.WriteString(parts[r.IntN(len(parts))])
		}
		out[fmt.Sprint("line", i)] = b.String()
	}
	return out
}

func nested(depth int) any {
	if depth == 0 {
		return "here"
	}
	return map[string]any{"name": fmt.Sprint("level", depth), "level": float64(depth), "inner": nested(depth - 1)}
}

// field writes one field of wire format, for messages that no library writes.
func field(num protowire.Number, v any) []byte {
	switch v := v.(type) {
	case int:
		return protowire.AppendVarint(protowire.AppendTag(nil, num, protowire.VarintType), uint64(v))
	case float64:
		return protowire.AppendFixed64(protowire.AppendTag(nil, num, protowire.Fixed64Type), math.Float64bits(v))
	case string:
		return protowire.AppendString(protowire.AppendTag(nil, num, protowire.BytesType), v)
	case []byte:
		return protowire.AppendBytes(protowire.AppendTag(nil, num, protowire.BytesType), v)
	}
	panic("a field of another type")
}

func cat(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

// A wireCase is a Value on the wire, legal or not; the official library says which.
type wireCase struct {
	name string
	wire []byte
}

// wireCases are the points at which a quick decoder goes wrong.
func wireCases() []wireCase {
	str := func(s string) []byte { return field(3, s) }
	entry := func(key string, value []byte) []byte { return field(1, cat(field(1, key), field(2, value))) }
	object := func(entries ...[]byte) []byte { return field(5, cat(entries...)) }
	list := func(values ...[]byte) []byte {
		var b []byte
		for _, v := range values {
			b = append(b, field(1, v)...)
		}
		return field(6, b)
	}
	deep := func(levels int, list bool) []byte {
		b := str("x")
		for range levels {
			if list {
				b = field(6, field(1, b))
			} else {
				b = object(entry("k", b))
			}
		}
		return b
	}
	group := func(num protowire.Number, inside []byte) []byte {
		b := protowire.AppendTag(nil, num, protowire.StartGroupType)
		b = append(b, inside...)
		return protowire.AppendTag(b, num, protowire.EndGroupType)
	}
	cases := []wireCase{
		{"nothing", nil},
		{"null", field(1, 0)},
		{"null 5", field(1, 5)},
		{"null -1", field(1, -1)},
		{"zero", field(2, 0.0)},
		{"minus zero", field(2, math.Copysign(0, -1))},
		{"NaN", field(2, math.NaN())},
		{"infinite", field(2, math.Inf(1))},
		{"minus infinite", field(2, math.Inf(-1))},
		{"largest", field(2, math.MaxFloat64)},
		{"least", field(2, 5e-324)},
		{"2^53+1", field(2, 9007199254740993.0)},
		{"1e21", field(2, 1e21)},
		{"1e-7", field(2, 1e-7)},
		{"empty string", str("")},
		{"string", str("naïve 漢字 \x00 \"")},
		{"invalid UTF-8", str("abc\xff")},
		{"surrogate in UTF-8", str("\xed\xa0\x80")},
		{"long string", str(strings.Repeat("long ", 1000))},
		{"true", field(4, 1)},
		{"false", field(4, 0)},
		{"bool 2", field(4, 2)},
		{"bool in ten bytes", cat([]byte{0x20}, []byte{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01})},
		{"bool in eleven bytes", cat([]byte{0x20}, bytes.Repeat([]byte{0x80}, 10), []byte{0x01})},
		{"overlong tag", []byte{0xa0, 0x00, 0x01}},
		{"overlong length", []byte{0x1a, 0x81, 0x00, 'x'}},
		{"empty object", object()},
		{"empty list", list()},
		{"object", object(entry("a", str("x")), entry("b", field(2, 1.5)), entry("", field(1, 0)))},
		{"same key twice", object(entry("a", str("x")), entry("b", str("y")), entry("a", field(4, 1)))},
		{"same key three times, objects", object(entry("a", object(entry("x", str("1")))), entry("a", object(entry("y", str("2")))), entry("a", object(entry("z", str("3")))))},
		{"many keys", object(func() (all [][]byte) {
			for i := range 60 {
				all = append(all, entry(fmt.Sprint("key", i%50), field(2, float64(i))))
			}
			return all
		}()...)},
		{"list", list(str("x"), field(1, 0), list(field(4, 1)), object(entry("k", str("v"))), nil)},
		{"two scalars", cat(str("x"), field(2, 2.0))},
		{"object merged", cat(object(entry("a", str("1"))), object(entry("b", str("2")), entry("a", str("3"))))},
		{"object merged three times", cat(object(entry("a", str("1"))), object(), object(entry("a", str("3"))))},
		{"object, scalar, object", cat(object(entry("a", str("1"))), field(4, 1), object(entry("b", str("2"))))},
		{"object, list", cat(object(entry("a", str("1"))), list(str("x")))},
		{"list merged", cat(list(str("1")), list(str("2"), str("3")))},
		{"bad object, then scalar", cat(field(5, field(1, []byte{0x0a})), str("x"))},
		{"bad text, then scalar", cat(str("\xff"), field(4, 1))},
		{"entry without key", object(field(1, field(2, str("x"))))},
		{"entry without value", object(field(1, field(1, "k")))},
		{"empty entry", object(field(1, ""))},
		{"value before key", object(field(1, cat(field(2, str("x")), field(1, "k"))))},
		{"two keys in an entry", object(field(1, cat(field(1, "k"), field(1, "l"), field(2, str("x")))))},
		{"two values in an entry", object(field(1, cat(field(1, "k"), field(2, str("x")), field(2, field(4, 1)))))},
		{"two objects in an entry", object(field(1, cat(field(1, "k"), field(2, object(entry("a", str("1")))), field(2, object(entry("b", str("2")))))))},
		{"two lists in an entry, apart", object(field(1, cat(field(2, list(str("1"))), field(1, "k"), field(2, list(str("2"))))))},
		{"invalid UTF-8 in a key", object(entry("\xff", str("x")))},
		{"unknown field", cat(field(7, 1), str("x"), field(100, "unknown"))},
		{"unknown field alone", field(9, 1.0)},
		{"unknown in object", field(5, cat(field(2, "x"), field(1, cat(field(3, 4), field(1, "k"), field(2, str("v")), field(4, "z")))))},
		{"unknown in list", field(6, cat(field(2, 1), field(1, str("v"))))},
		{"unknown group", cat(group(8, str("x")), field(4, 1))},
		{"unknown group not closed", cat(protowire.AppendTag(nil, 8, protowire.StartGroupType), field(4, 1))},
		{"end of group", protowire.AppendTag(nil, 8, protowire.EndGroupType)},
		{"null as text", field(1, "x")},
		{"number as varint", field(2, 7)},
		{"string as varint", field(3, 7)},
		{"object as varint", field(5, 7)},
		{"key as varint", object(field(1, cat(field(1, 7), field(2, str("v")))))},
		{"entry as varint", field(5, field(1, 7))},
		{"value as varint", object(field(1, cat(field(1, "k"), field(2, 7))))},
		{"field number 0", []byte{0x00, 0x00}},
		{"field number too large", cat(protowire.AppendVarint(nil, uint64(protowire.MaxValidNumber+1)<<3), []byte{0})},
		{"tag of 35 bits", cat(protowire.AppendVarint(nil, 1<<35|3<<3|2), []byte{0})},
		{"wire type 6", []byte{0x1e, 0x00}},
		{"wire type 7", []byte{0x1f, 0x00}},
		{"tag alone", []byte{0x1a}},
		{"length past the end", []byte{0x1a, 0x05, 'x'}},
		{"2 GiB claimed", []byte{0x1a, 0xff, 0xff, 0xff, 0xff, 0x07, 'x', 'x', 'x', 'x'}},
		{"2^64 claimed", []byte{0x1a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}},
		{"number cut", []byte{0x11, 1, 2, 3}},
		{"inner length past the outer", []byte{0x2a, 0x04, 0x0a, 0x09, 0x0a, 0x00}},
		{"depth 30", deep(30, false)},
	}
	if raceEnabled {
		return cases // recursion so deep is slow there, and shows nothing about races
	}
	return append(cases, []wireCase{
		{"objects at the limit", deep(3333, false)},
		{"objects beyond the limit", deep(3334, false)},
		{"lists at the limit", deep(4999, true)},
		{"lists near the limit", deep(5000, true)},
		{"lists beyond the limit", deep(5001, true)},
	}...)
}
