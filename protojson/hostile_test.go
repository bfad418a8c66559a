package protojson_test

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	official "google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/legacypb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/wellknownpb"
	"github.com/protean-pb/protean/protojson"
)

// nested returns depth times before, the core, and depth times after.
func nested(depth int, before, core, after string) string {
	return strings.Repeat(before, depth) + core + strings.Repeat(after, depth)
}

// nests are texts that go as deep as is wanted.
var nests = []struct {
	name string
	m    proto.Message
	text func(depth int) string
}{
	{"message", new(benchpb.Tree), func(n int) string { return nested(n, `{"left":`, `{}`, `}`) }},
	{"list", new(benchpb.Tree), func(n int) string { return nested(n, `{"children":[`, `{}`, `]}`) }},
	{"map", new(benchpb.Tree), func(n int) string { return nested(n, `{"byName":{"a":`, `{}`, `}}`) }},
	{"oneof", new(benchpb.Choice), func(n int) string { return nested(n, `{"oneSelf":`, `{}`, `}`) }},
	{"group", new(legacypb.Groups), func(n int) string { return nested(n, `{"many":[{"groups":`, `{}`, `}]}`) }},
	{"extension", new(legacypb.Extendable), func(n int) string { return nested(n, `{"[protean.test.legacy.ext_self]":`, `{}`, `}`) }},
	{"Value in lists", new(structpb.Value), func(n int) string { return nested(n, `[`, `1`, `]`) }},
	{"Value in objects", new(structpb.Value), func(n int) string { return nested(n, `{"a":`, `1`, `}`) }},
	{"Struct", new(structpb.Struct), func(n int) string { return nested(n, `{"a":`, `{}`, `}`) }},
	{"ListValue", new(structpb.ListValue), func(n int) string { return nested(n, `[`, `[]`, `]`) }},
	{"Struct in a message", new(wellknownpb.Event), func(n int) string { return `{"payload":` + nested(n, `{"a":[`, `{}`, `]}`) + `}` }},
	{"unknown list", new(benchpb.Leaf), func(n int) string { return `{"unknown":` + nested(n, `[`, ``, `]`) + `}` }},
	{"unknown object", new(benchpb.Leaf), func(n int) string { return `{"unknown":` + nested(n, `{"a":`, `{}`, `}`) + `}` }},
	{"unknown in Empty", new(anypb.Any), func(n int) string {
		return `{"@type":"google.protobuf.Empty","value":{"a":` + nested(n, `[`, ``, `]`) + `}}`
	}},
	{"wrong kind", new(benchpb.Leaf), func(n int) string { return `{"name":` + nested(n, `[`, ``, `]`) + `}` }},
	{"Any without a type", new(anypb.Any), func(n int) string { return `{"a":` + nested(n, `[`, ``, `]`) + `}` }},
	{"Any with a Value", new(anypb.Any), func(n int) string { return `{"@type":"google.protobuf.Value","value":` + nested(n, `[`, ``, `]`) + `}` }},
	{"Any with a message", new(anypb.Any), func(n int) string {
		return `{"left":` + nested(n, `{"left":`, `{}`, `}`) + `,"@type":"protean.test.bench.Tree"}`
	}},
	{"wrapper", new(wellknownpb.Event), func(n int) string { return nested(n, `{"causes":[`, `{"note":"x"}`, `]}`) }},
}

// TestUnmarshalLimitsNesting nests as deeply as may be, and a level more or less, for several limits.
func TestUnmarshalLimitsNesting(t *testing.T) {
	skipIfBrief(t)
	for _, n := range nests {
		for _, m := range forms(t, n.m) {
			for _, limit := range []int{1, 2, 3, 8, 100} {
				for depth := max(0, limit-3); depth <= limit+2; depth++ {
					for _, discard := range []bool{false, true} {
						o := protojson.UnmarshalOptions{RecursionLimit: limit, DiscardUnknown: discard}
						checkUnmarshal(t, []byte(n.text(depth)), m, o)
						checkUnmarshal(t, []byte(n.text(depth)[:depth]), m, o)
					}
				}
			}
			for _, limit := range []int{-1, math.MaxInt} {
				checkUnmarshal(t, []byte(n.text(3)), m, protojson.UnmarshalOptions{RecursionLimit: limit})
				checkUnmarshal(t, []byte(n.text(3)), m,
					protojson.UnmarshalOptions{RecursionLimit: limit, DiscardUnknown: true})
			}
		}
		for _, k := range kinds[:2] {
			for depth := 9_998; depth <= 10_000; depth++ {
				checkUnmarshal(t, []byte(n.text(depth)), k.New(n.m.ProtoReflect().Type()),
					protojson.UnmarshalOptions{DiscardUnknown: true})
			}
		}
	}
}

// TestAnyDepth nests Any in Any, which the official library does not count where it is
// read, but where it is skipped.
func TestAnyDepth(t *testing.T) {
	for _, limit := range []int{1, 2, 3, 4, 8, 30, 0} {
		for depth := range 40 {
			for _, text := range []string{anyFirst(depth), anyLast(depth), anyFirst(depth)[:20*depth]} {
				for _, m := range []proto.Message{new(anypb.Any), kinds[1].New(new(anypb.Any).ProtoReflect().Type())} {
					for _, discard := range []bool{false, true} {
						checkUnmarshal(t, []byte(text), m,
							protojson.UnmarshalOptions{RecursionLimit: limit, DiscardUnknown: discard})
					}
				}
			}
		}
	}
}

// anyFirst is an Any in an Any and so on, whose types come before the values; in anyLast they
// come after.
func anyFirst(depth int) string {
	return nested(depth, `{"@type":"google.protobuf.Any","value":`, `{"@type":"google.protobuf.Empty"}`, `}`)
}

func anyLast(depth int) string {
	return nested(depth, `{"value":`, `{"@type":"google.protobuf.Empty"}`, `,"@type":"google.protobuf.Any"}`)
}

// TestUnmarshalRefusesEndlessNesting gives up on what would be nested without end.
func TestUnmarshalRefusesEndlessNesting(t *testing.T) {
	skipIfBrief(t)
	const depth = 1 << 20
	for _, n := range nests {
		text := n.text(depth)
		for _, text := range []string{text, text[:len(text)/2]} {
			for _, discard := range []bool{false, true} {
				for _, m := range forms(t, n.m) {
					start := time.Now()
					err := protojson.UnmarshalOptions{DiscardUnknown: discard}.Unmarshal([]byte(text),
						m.ProtoReflect().New().Interface())
					if err == nil || discard && !stopsEarlier(n.name, m) && !errors.Is(err, protojson.ErrDepth) {
						t.Errorf("%s, %T, discard %v: %.300v", n.name, m, discard, err)
					}
					if took := time.Since(start); took > maxTook {
						t.Errorf("%s, %T, discard %v: it takes %v", n.name, m, discard, took)
					}
				}
			}
		}
	}
}

// stopsEarlier reports whether an error is found before the one that messages are nested too
// deeply: a value of the wrong kind, an extension field of another message, the end of a text
// that the official library is to read.
func stopsEarlier(name string, m proto.Message) bool {
	_, foreign := m.(*dynamicpb.Message)
	opaque := strings.HasPrefix(string(m.ProtoReflect().Descriptor().FullName()), "opaque.")
	return name == "wrong kind" || name == "extension" && opaque || foreign
}

// TestMarshalRefusesCycles writes messages that contain themselves, on which the official library overflows
// the stack.
func TestMarshalRefusesCycles(t *testing.T) {
	skipIfBrief(t)
	tree := &benchpb.Tree{Name: "cycle"}
	tree.Children = []*benchpb.Tree{{Left: tree}}
	byName := &benchpb.Tree{}
	byName.ByName = map[string]*benchpb.Tree{"a": byName}
	choice := &benchpb.Choice{}
	choice.Choice = &benchpb.Choice_OneSelf{OneSelf: choice}
	group := &legacypb.Groups{}
	group.Many = []*legacypb.Groups_Many{{Groups: group}}
	extended := &legacypb.Extendable{}
	proto.SetExtension(extended, legacypb.E_ExtSelf, extended)
	list := &structpb.ListValue{}
	list.Values = []*structpb.Value{structpb.NewListValue(list)}
	fields := &structpb.Struct{Fields: map[string]*structpb.Value{}}
	fields.Fields["a"] = structpb.NewStructValue(fields)
	dynamic := kinds[1].New(tree.ProtoReflect().Type()).ProtoReflect()
	dynamic.Set(dynamic.Descriptor().Fields().ByName("left"), protoreflect.ValueOfMessage(dynamic))
	for _, m := range []proto.Message{
		tree, byName, choice, group, extended, list, fields, structpb.NewStructValue(fields),
		&wellknownpb.Event{Payload: fields},
		&wellknownpb.Event{Arguments: []*structpb.Value{structpb.NewListValue(list)}}, dynamic.Interface(),
	} {
		for _, o := range []protojson.MarshalOptions{{Multiline: true, EmitUnpopulated: true}, {AllowPartial: true}} {
			b, err := o.Marshal(m)
			if !errors.Is(err, protojson.ErrDepth) || !errors.Is(err, proto.Error) || b != nil {
				t.Errorf("%T: %d bytes, %.200v", m, len(b), err)
			}
			if text := o.Format(m); text != "" {
				t.Errorf("%T: Format: %d bytes", m, len(text))
			}
		}
	}
}

// TestMarshalDepth writes messages that are nested as deeply as may be read again.
func TestMarshalDepth(t *testing.T) {
	skipIfBrief(t)
	for _, n := range nests {
		for _, k := range kinds[:2] {
			m := k.New(n.m.ProtoReflect().Type())
			if err := protojson.Unmarshal([]byte(n.text(9_998)), m); err != nil {
				continue // it is not about messages
			}
			got, err := protojson.Marshal(m)
			want, wantErr := official.Marshal(asOfficial(m))
			if (err != nil) != (wantErr != nil) || string(got) != unspaced(want, false) {
				t.Errorf("%s, %s: %d bytes, %.200v; official: %d bytes, %v", n.name, k.Name, len(got), err, len(want),
					wantErr)
			}
		}
	}
}

// TestMarshalLimit writes messages that are nested more deeply than can be read, up to the
// limit.
func TestMarshalLimit(t *testing.T) {
	skipIfBrief(t)
	for depth, ok := range map[int]bool{99_999: true, 100_001: false} {
		tree, value := &benchpb.Tree{}, structpb.NewBoolValue(true)
		for range depth {
			tree = &benchpb.Tree{Left: tree}
			value = structpb.NewListValue(&structpb.ListValue{Values: []*structpb.Value{value}})
		}
		for want, m := range map[string]proto.Message{nested(depth, `{"left":`, `{}`, `}`): tree, nested(depth, `[`, `true`, `]`): value} {
			got, err := protojson.Marshal(m)
			if ok && (err != nil || string(got) != want) || !ok && !errors.Is(err, protojson.ErrDepth) {
				t.Errorf("%T of depth %d: %d bytes, %.200v", m, depth, len(got), err)
			}
		}
	}
}

// hostile are texts of about a megabyte that cost much to read for how little they say.
var hostile = []struct {
	name   string
	m      proto.Message
	text   string // with %s in place of what is repeated
	repeat string
	factor int // bytes of memory for each of the text, at most
}{
	{"white space", new(benchpb.Leaf), `{%s}`, " \n\t\r", 1},
	{"empty elements", new(benchpb.Tree), `{"children":[%s{}]}`, `{},`, 128},
	{"empty strings", new(benchpb.Strings), `{"list":[%s""]}`, `"",`, 40},
	{"short strings", new(benchpb.Strings), `{"list":[%s""]}`, `"a",`, 32},
	{"empty bytes", new(benchpb.Strings), `{"blobs":[%s""]}`, `"",`, 56},
	{"escapes", new(benchpb.Leaf), `{"name":"%s"}`, `\n`, 4},
	{"long escapes", new(benchpb.Leaf), `{"name":"%s"}`, `\u00e9`, 4},
	{"surrogates", new(benchpb.Leaf), `{"name":"%s"}`, `\ud83d\ude00`, 4},
	{"escapes in strings", new(benchpb.Strings), `{"list":[%s""]}`, `"\n",`, 24},
	{"plain text", new(benchpb.Leaf), `{"name":"%s"}`, `plain`, 8},
	{"long name", new(benchpb.Leaf), `{"%s":1}`, `name`, 8},
	{"long escaped name", new(benchpb.Leaf), `{"%s":1}`, `\u006e`, 6},
	{"base64", new(wrapperspb.BytesValue), `"%s"`, `AAAA`, 8},
	{"escaped base64", new(wrapperspb.BytesValue), `"%s"`, `\u0041`, 4},
	{"base64 with line feeds", new(wrapperspb.BytesValue), `"AAAA%s"`, `\n`, 4},
	{"long integer", new(benchpb.Leaf), `{"id":1%s}`, `0`, 3},
	{"long fraction", new(benchpb.Leaf), `{"id":1.%s}`, `0`, 3},
	{"long exponent", new(benchpb.Leaf), `{"id":1e%s}`, `0`, 3},
	{"long string integer", new(benchpb.Leaf), `{"id":"1%s"}`, `0`, 8},
	{"long float", new(structpb.Value), `1.%s`, `1`, 3},
	{"long exponent of a float", new(structpb.Value), `1e%s`, `0`, 3},
	{"zeros", new(structpb.Value), `0.%s1`, `0`, 3},
	{"huge numbers", new(structpb.Value), `[%s0]`, `1e308,`, 48},
	{"long numbers", new(benchpb.Packed), `{"listDouble":[%s0]}`, strings.Repeat("9", 300) + ",", 4},
	{"numbers", new(benchpb.Packed), `{"listInt32":[%s0]}`, `0,`, 16},
	{"doubles", new(benchpb.Packed), `{"listDouble":[%s0]}`, `0,`, 24},
	{"quoted numbers", new(benchpb.Packed), `{"listInt64":[%s0]}`, `"0",`, 16},
	{"enums", new(benchpb.Packed), `{"listColor":[%s0]}`, `"COLOR_RED",`, 4},
	{"unknown enums", new(benchpb.Packed), `{"listColor":[%s0]}`, `"x",`, 4},
	{"unknown fields", new(benchpb.Leaf), `{%s"id":1}`, `"a":1,`, 2},
	{"unknown lists", new(benchpb.Leaf), `{"a":[%s1]}`, `[],`, 2},
	{"unknown strings", new(benchpb.Leaf), `{"a":[%s1]}`, `"\n",`, 2},
	{"values", new(structpb.Value), `[%s0]`, `0,`, 72},
	{"many trees", new(wellknownpb.Repeated), `{"listStruct":[%s{}]}`, `{"a":[` + strings.Repeat(`1,`, 100) + `1]},`, 64},
	{"empty lists", new(structpb.Value), `[%s0]`, `[],`, 96},
	{"empty objects", new(structpb.Value), `[%s0]`, `{},`, 128},
	{"objects of one", new(structpb.Value), `[%s0]`, `{"a":1},`, 128},
	{"maps of one", new(benchpb.Tree), `{"children":[%s{}]}`, `{"byName":{"":{}}},`, 128},
	{"oneofs", new(benchpb.Tree), `{"children":[%s{}]}`, `{"leaf":{}},`, 64},
	{"timestamps", new(wellknownpb.Repeated), `{"listTimestamp":[%s"1970-01-01T00:00:00Z"]}`, `"1970-01-01T00:00:00Z",`, 16},
	{"digits of a timestamp", new(timestamppb.Timestamp), `"1970-01-01T00:00:00.%sZ"`, `0`, 8},
	{"paths", new(fieldmaskpb.FieldMask), `"a%s"`, `,a`, 64},
	{"capitals in a path", new(fieldmaskpb.FieldMask), `"a%s"`, `A`, 8},
	{"Any", new(wellknownpb.Repeated), `{"listAny":[%s{}]}`, `{"@type":"google.protobuf.Empty"},`, 32},
	{"unknown beside the type", new(anypb.Any), `{%s"@type":"google.protobuf.Empty"}`, `"a":1,`, 2},
	{"Any without a type", new(anypb.Any), `{%s"b":1}`, `"a":1,`, 2},
	{"extensions", new(legacypb.Extendable), `{"[protean.test.legacy.ext_list_leaf]":[%s{}]}`, `{},`, 64},
	{"unknown extensions", new(legacypb.Extendable), `{%s"id":1}`, `"[a.b]":1,`, 16},
}

// maxTook is far beyond the fractions of a second that a megabyte takes, and far below what it
// takes where each element costs as much as all before it.
const maxTook = 5 * time.Second

// TestUnmarshalOfHostileTextIsBounded reads them: memory and time stay in proportion.
func TestUnmarshalOfHostileTextIsBounded(t *testing.T) {
	skipIfBrief(t)
	const size = 1 << 20
	for _, h := range hostile {
		for _, k := range kinds[:2] {
			t.Run(h.name+"/"+k.Name, func(t *testing.T) {
				m := k.New(h.m.ProtoReflect().Type())
				short := []byte(fmt.Sprintf(h.text, strings.Repeat(h.repeat, 1+1000/len(h.repeat))))
				checkUnmarshal(t, short, m, protojson.UnmarshalOptions{DiscardUnknown: true})
				checkUnmarshal(t, short[:len(short)*9/10], m, protojson.UnmarshalOptions{DiscardUnknown: true})
				text := []byte(fmt.Sprintf(h.text, strings.Repeat(h.repeat, size/len(h.repeat))))
				checkCost(t, text, m, protojson.UnmarshalOptions{DiscardUnknown: true}, h.factor)
				checkCost(t, text[:len(text)*9/10], m, protojson.UnmarshalOptions{}, h.factor) // which is an error
			})
		}
	}
}

// checkCost checks that reading text takes that many bytes for each of its own at most, and no
// time to speak of.
func checkCost(t *testing.T, text []byte, m proto.Message, o protojson.UnmarshalOptions, factor int) {
	t.Helper()
	to := m.ProtoReflect().New().Interface()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	_ = o.Unmarshal(text, to) // checkUnmarshal looks at the error
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	used := after.TotalAlloc - before.TotalAlloc
	each := float64(used) / float64(len(text))
	t.Logf("%.1f bytes for each of the text, %v", each, took)
	if used > uint64(factor*len(text)+1<<17) {
		t.Errorf("%.1f bytes for each of the text, %d are the most", each, factor)
	}
	if took > maxTook {
		t.Errorf("it takes %v", took)
	}
}

// TestUnmarshalRefusesDuplicates has many keys or fields before the one that comes twice.
func TestUnmarshalRefusesDuplicates(t *testing.T) {
	skipIfBrief(t)
	keys := func(n int, form string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, form, i)
		}
		return b.String()
	}
	const many = 20_000
	for _, test := range []struct {
		m            proto.Message
		before, form string
		after        string
		twice        string
	}{
		{new(structpb.Value), `{`, `"key%d":1,`, `}`, `"key7":2`},
		{new(structpb.Struct), `{`, `"%d":{},`, `}`, `"0":null`},
		{new(benchpb.ValueMaps), `{"toInt32":{`, `"key%d":1,`, `}}`, `"key7":2`},
		{new(benchpb.ValueMaps), `{"toLeaf":{`, `"key%d":{},`, `}}`, `"\u006bey7":{}`},
		{new(benchpb.KeyMaps), `{"byInt64":{`, `"%d":"",`, `}}`, `"007":""`},
		{new(legacypb.Extendable), `{`, `"unknown%d":1,`, `}`, `"id":1,"id":2`},
		{new(benchpb.Choice), `{"oneInt32":1,`, `"unknown%d":1,`, `}`, `"oneInt64":2`},
	} {
		unique := []byte(test.before + strings.TrimSuffix(keys(many, test.form), ",") + test.after)
		twice := []byte(test.before + keys(many, test.form) + test.twice + test.after)
		for _, k := range kinds[:2] {
			m := k.New(test.m.ProtoReflect().Type())
			start := time.Now()
			checkUnmarshal(t, unique, m, protojson.UnmarshalOptions{DiscardUnknown: true})
			checkUnmarshal(t, twice, m, protojson.UnmarshalOptions{DiscardUnknown: true})
			if took := time.Since(start); took > 2*maxTook {
				t.Errorf("%T: it takes %v", m, took)
			}
			err := protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(twice, m)
			if !errors.Is(err, protojson.ErrDuplicate) {
				t.Errorf("%T: %v", m, err)
			}
		}
	}
}

// TestAnyInAny nests Any deeply: each level may be looked through once for its type, as the
// official library does at every level anew.
func TestAnyInAny(t *testing.T) {
	skipIfBrief(t)
	const depth = 5_000
	inEvents := nested(depth-10, `{"@type":"protean.test.wellknown.Event","detail":`, `{}`, `}`)
	for _, text := range []string{anyFirst(depth), anyLast(depth), inEvents} {
		start := time.Now()
		a := new(anypb.Any)
		err := protojson.Unmarshal([]byte(text), a)
		t.Logf("%d bytes: %v, %.100v", len(text), time.Since(start), err)
		if took := time.Since(start); took > 4*maxTook {
			t.Errorf("it takes %v", took)
		}
		if err != nil {
			t.Fatal(err)
		}
		start = time.Now()
		b, err := protojson.Marshal(a)
		t.Logf("back: %d bytes, %v, %.100v", len(b), time.Since(start), err)
		if took := time.Since(start); took > 4*maxTook {
			t.Errorf("to write it takes %v", took)
		}
		if err != nil || len(b) != len(text) {
			t.Errorf("%d bytes of %d: %.100v", len(b), len(text), err)
		}
	}
}
