package records

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vmihailenco/msgpack/v5"
	"go.mongodb.org/mongo-driver/v2/bson"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/structpb"
)

// converter is a Converter of a test.
func converter(t testing.TB, o ConvertOptions) *Converter {
	t.Helper()
	c, err := NewConverter(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// event is a message of a few fields.
func event(t testing.TB) protoreflect.MessageDescriptor {
	t.Helper()
	field := func(name string, number int32,
		kind descriptorpb.FieldDescriptorProto_Type) *descriptorpb.FieldDescriptorProto {
		return &descriptorpb.FieldDescriptorProto{Name: &name, Number: &number, Type: kind.Enum(),
			Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum()}
	}
	file, err := protodesc.NewFile(&descriptorpb.FileDescriptorProto{
		Name: proto.String("event.proto"), Syntax: proto.String("proto3"),
		MessageType: []*descriptorpb.DescriptorProto{{Name: proto.String("Event"),
			Field: []*descriptorpb.FieldDescriptorProto{
				field("id", 1, descriptorpb.FieldDescriptorProto_TYPE_STRING),
				field("account", 2, descriptorpb.FieldDescriptorProto_TYPE_INT64),
				field("amount", 3, descriptorpb.FieldDescriptorProto_TYPE_DOUBLE),
				field("rate", 4, descriptorpb.FieldDescriptorProto_TYPE_FLOAT),
				field("key", 5, descriptorpb.FieldDescriptorProto_TYPE_BYTES),
			}}},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return file.Messages().Get(0)
}

func mustBSON(t testing.TB, v any) string {
	t.Helper()
	b, err := bson.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func mustPack(t testing.TB, v any) string {
	t.Helper()
	b, err := msgpack.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func mustValue(t testing.TB, v any) string {
	t.Helper()
	x, err := structpb.NewValue(v)
	if err != nil {
		t.Fatal(err)
	}
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// What is converted, what is altered, and what is refused: one line each.
func TestConvert(t *testing.T) {
	id := bson.ObjectID{1, 2, 3}
	at := time.Date(2026, 11, 24, 1, 2, 3, 4e6, time.UTC)
	dec, err := bson.ParseDecimal128("1.10")
	if err != nil {
		t.Fatal(err)
	}
	one := mustValue(t, map[string]any{"a": 1})
	list := mustValue(t, []any{1})
	wire := "\x0a\x01x\x10\x05"
	for _, tt := range []struct {
		name     string
		from, to Form
		in, want string
		altered  string // what is altered; it is refused where that is not allowed
		err      string
	}{
		{"compact", JSON, Lines, " {\"a\" : [1.50, \"\\u00e9\"]}\n", `{"a":[1.50,"\u00e9"]}`, "", ""},
		{"not JSON", Lines, Lines, `{"a" 1}`, "", "",
			"f:7:6: syntax error: invalid character '1' after object name (expecting ':')"},
		{"twice", Lines, Lines, `{"a":1,"a":2}`, "", "", `f:7:8: the key "a" comes twice`},
		{"two", Lines, Lines, `1 2`, "", "", `f:7:3: syntax error: invalid character '2' after top-level value`},

		{"json value", JSON, Value, `{"a": 1}`, one, "", ""},
		{"json struct", JSON, Struct, `{"a": 1}`, one[2:], "", ""},
		{"json list", JSON, List, `[1]`, list[2:], "", ""},
		{"no struct", JSON, Struct, `[1]`, "", "", "f:7:1: value: $: syntax error: '[' instead of '{'"},
		{"exact", JSON, Value, `[9007199254740992, 0.1, 36893488147419103232, 1e22, 123456789012345678e3]`,
			mustValue(t, []any{9007199254740992, 0.1, 36893488147419103232.0, 1e22, 123456789012345678e3}),
			"$: the number 123456789012345678e3 becomes the nearest double", ""},
		{"integer", JSON, Value, `{"n": 9007199254740993}`, mustValue(t, map[string]any{"n": 9007199254740992.0}),
			"$: the number 9007199254740993 becomes the nearest double", ""},
		{"digits", JSON, Value, `0.12345678901234567890`, mustValue(t, 0.12345678901234568),
			"$: the number 0.12345678901234567890 becomes the nearest double", ""},
		{"in a string", JSON, Value, `"a \"9007199254740993"`, mustValue(t, `a "9007199254740993`), "", ""},
		{"tiny", JSON, Value, `1e-400`, mustValue(t, 0.0), "$: the number 1e-400 becomes the nearest double", ""},

		{"value json", Value, Lines, one, `{"a":1}`, "", ""},
		{"struct json", Struct, Lines, one[2:], `{"a":1}`, "", ""},
		{"value struct", Value, Struct, one, one[2:], "", ""},
		{"struct value", Struct, Value, one[2:], one, "", ""},
		{"value list", Value, List, list, list[2:], "", ""},
		{"list list", List, List, list[2:], list[2:], "", ""},
		{"value no list", Value, List, one, "", "", "f: record 3 at byte 5: $: the value is of kind object, not list"},
		{"NaN", Value, Lines, mustValue(t, math.NaN()), "", "",
			"f: record 3 at byte 5: value: $: byte 1: number out of range"},
		{"unset", Value, Lines, "", "", "", "f: record 3 at byte 5: value: $: no kind is set"},
		{"cut", Value, Value, "\x2a\x05", "", "",
			"f: record 3 at byte 5: value: $: byte 0: the input ends in the middle of a field"},

		{"json proto", JSON, Message, `{"id":"x","account":"5"}`, wire, "", ""},
		{"proto json", Message, Lines, wire, `{"id":"x","account":"5"}`, "", ""},
		{"proto protojson", Message, ProtoJSON, wire, `{"id":"x","account":"5"}`, "", ""},
		{"protojson json", ProtoJSON, Lines, `{"account": 5, "id": "x"}`, `{"id":"x","account":"5"}`, "", ""},
		{"value proto", Value, Message, mustValue(t, map[string]any{"id": "x", "account": 5}), wire, "", ""},
		{"proto value", Message, Value, "\x0a\x01x", mustValue(t, map[string]any{"id": "x"}), "", ""},
		{"kept", Message, Message, wire + "\x50\x01", wire + "\x50\x01", "", ""},
		{"unknown on the wire", Message, Lines, wire + "\x50\x01", `{"id":"x","account":"5"}`,
			"$: fields that Event has not got are left out", ""},
		{"unknown member", JSON, Message, `{"id":"x","account":5,"more":1}`, wire,
			"$: more is unknown to Event, and left out", ""},
		{"wrong", JSON, Message, "{\n\"account\":\n \"x\"}", "", "", "f:9:2: protojson: Event: account: "},
		{"int64", JSON, Message, `{"account":9007199254740993}`, string(protowire.AppendVarint([]byte{0x10},
			9007199254740993)), "", ""},
		{"double", JSON, Message, `{"amount":0.12345678901234567}`,
			string(protowire.AppendFixed64([]byte{0x19}, math.Float64bits(0.12345678901234567))),
			"$: a number with the digits 12345678901234567 is rounded", ""},
		{"float", JSON, Message, `{"rate":16777217}`, string(protowire.AppendFixed32([]byte{0x25},
			math.Float32bits(16777216))), "$: a number with the digits 16777217 is rounded", ""},
		{"exact float", JSON, Message, `{"rate":0.1,"amount":16777217}`,
			string(protowire.AppendFixed32(append(protowire.AppendFixed64([]byte{0x19}, math.Float64bits(16777217)),
				0x25), math.Float32bits(0.1))), "", ""},

		{"bson json", BSON, Lines, mustBSON(t, bson.D{{Key: "a", Value: int64(1) << 60}, {Key: "b", Value: bson.A{1.5,
			"é\"", nil, true}}, {Key: "c", Value: bson.D{}}}),
			`{"a":1152921504606846976,"b":[1.5,"é\"",null,true],"c":{}}`, "", ""},
		{"id", BSON, Lines, mustBSON(t, bson.D{{Key: "_id", Value: id}}), `{"_id":"010203000000000000000000"}`,
			"$._id: an ObjectID becomes a string", ""},
		{"time", BSON, Lines, mustBSON(t, bson.D{{Key: "t", Value: at}}), `{"t":"2026-11-24T01:02:03.004Z"}`,
			"$.t: a time becomes a string", ""},
		{"bytes", BSON, Lines, mustBSON(t, bson.D{{Key: "a", Value: bson.A{[]byte{1}}}}), `{"a":["AQ=="]}`,
			"$.a[0]: bytes become a string in base64", ""},
		{"decimal", BSON, Lines, mustBSON(t, bson.D{{Key: "d", Value: dec}}), `{"d":"1.10"}`,
			"$.d: a decimal number becomes a string", ""},
		{"bson NaN", BSON, Lines, mustBSON(t, bson.D{{Key: "n", Value: math.Inf(-1)}}), `{"n":"-Infinity"}`,
			"$.n: the number -Infinity becomes a string", ""},
		{"regex", BSON, Lines, mustBSON(t, bson.D{{Key: "r", Value: bson.Regex{Pattern: "a"}}}), "", "",
			"f: record 3 at byte 5: $.r: BSON of type regex has no form in JSON"},
		{"bson twice", BSON, Lines, mustBSON(t, bson.D{{Key: "a", Value: 1}, {Key: "a", Value: 2}}), "", "",
			`f: record 3 at byte 5: $: the key "a" comes twice`},
		{"bson value", BSON, Value, mustBSON(t, bson.D{{Key: "a", Value: 1}}), one, "", ""},
		{"bson int64", BSON, Value, mustBSON(t, bson.D{{Key: "n", Value: int64(9007199254740993)}}), mustValue(t,
			map[string]any{"n": 9007199254740992.0}),
			"$: the number 9007199254740993 becomes the nearest double", ""},
		{"cut bson", BSON, Lines, "\x08\x00\x00\x00\x10a\x00\x00", "", "", "f: record 3 at byte 5: $: malformed BSON"},

		{"json bson", JSON, BSON, `{"i":1,"l":4294967296,"d":1.0,"s":"x","a":[null,{}],"z":-0}`, mustBSON(t,
			bson.D{{Key: "i", Value: int32(1)}, {Key: "l", Value: int64(1) << 32},
				{Key: "d", Value: 1.0}, {Key: "s", Value: "x"}, {Key: "a", Value: bson.A{nil, bson.D{}}}, {Key: "z",
					Value: math.Copysign(0, -1)}}), "", ""},
		{"no bson", JSON, BSON, `[1]`, "", "", "f:7:1: $: not an object, and so no BSON document"},
		{"zero byte", JSON, BSON, `{"a\u0000":1}`, "", "",
			`f:7:1: $: the key "a\x00" has a zero byte, which BSON has not`},
		{"beyond int64", JSON, BSON, `{"n":18446744073709551615}`, mustBSON(t, bson.D{{Key: "n",
			Value: 18446744073709551615.0}}),
			"$.n: the number 18446744073709551615 becomes the double 1.8446744073709552e+19", ""},
		{"beyond double", JSON, BSON, `{"n":1e999}`, "", "",
			"f:7:1: $.n: the number 1e999 is out of the range of a double"},

		{"pack json", MessagePack, Lines, mustPack(t, []any{map[string]any{"a": uint64(1) << 63}, float32(0.1), nil,
			-1, "x"}),
			`[{"a":9223372036854775808},0.1,null,-1,"x"]`, "", ""},
		{"pack time", MessagePack, Lines, mustPack(t, at), `"2026-11-24T01:02:03.004Z"`, "$: a time becomes a string",
			""},
		{"pack bytes", MessagePack, Lines, mustPack(t, []byte{1}), `"AQ=="`, "$: bytes become a string in base64", ""},
		{"pack key", MessagePack, Lines, mustPack(t, map[int]int{5: 6}), `{"5":6}`,
			"$: the key 5, which is no string, becomes one", ""},
		{"pack ext", MessagePack, Lines, "\xd4\x05a", "", "",
			"f: record 3 at byte 5: $: a MessagePack extension of type 5 has no form in JSON"},
		{"pack twice", MessagePack, Lines, "\x82\xa1a\x01\xa1a\x02", "", "",
			`f: record 3 at byte 5: $: the key "a" comes twice`},
		{"pack utf", MessagePack, Lines, "\xa1\xff", "", "", "f: record 3 at byte 5: $: a string that is not UTF-8"},
		{"json pack", JSON, MessagePack, `{"a":[1,[],{"b":{}}," , ",-200],"u":18446744073709551615,"d":0.5}`,
			"\x83\xa1a\x95\x01\x90\x81\xa1b\x80\xa3 , \xd1\xff\x38\xa1u\xcf\xff\xff\xff\xff\xff\xff\xff\xff\xa1d\xcb\x3f\xe0\x00\x00\x00\x00\x00\x00", "", ""},
		{"pack bson", MessagePack, BSON, mustPack(t, map[string]any{"a": 1}), mustBSON(t, bson.D{{Key: "a",
			Value: 1}}), "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := Record{Data: []byte(tt.in), File: "f", Line: 7, Offset: 5}
			if !tt.from.IsText() {
				r.Line, r.Number = 0, 3
			}
			for _, alter := range []bool{false, true} {
				c := converter(t, ConvertOptions{From: tt.from, To: tt.to, Message: event(t), Alter: alter})
				got, err := c.Append(nil, r)
				n, first := c.Altered()
				switch {
				case tt.err != "":
					if err == nil || !strings.HasPrefix(r.Fault(err).Error(), tt.err) {
						t.Errorf("%v, want %s", err, tt.err)
					} else if errors.Is(err, ErrAltered) {
						t.Error("the error is one of altering")
					}
				case tt.altered != "" && !alter:
					if !errors.Is(err, ErrAltered) && tt.name != "unknown member" || err == nil {
						t.Errorf("%v, want that it would be altered", err)
					}
				case err != nil:
					t.Error(r.Fault(err))
				case string(got) != tt.want:
					t.Errorf("%q, want %q", got, tt.want)
				case tt.altered != "" && (n != 1 || first.Error() != tt.altered), tt.altered == "" && n > 0:
					t.Errorf("altered %d: %v, want %q", n, first.Error(), tt.altered)
				}
			}
		})
	}
}

// randomJSON is a document that all forms hold: an object, with no number beyond a double.
func randomJSON(r *rand.Rand, depth int) any {
	switch k := r.IntN(8); {
	case k == 0:
		return nil
	case k == 1:
		return r.IntN(2) == 0
	case k == 2:
		return float64(r.Int64N(1<<53)>>r.IntN(53)) * float64(1-2*r.IntN(2))
	case k == 3:
		return r.NormFloat64() * math.Pow(10, float64(r.IntN(80)-40))
	case k == 4, depth == 0:
		return []string{"", "a", "é\"\\\n", strings.Repeat("long ", r.IntN(100))}[r.IntN(4)]
	case k == 5:
		out := make([]any, r.IntN(40))
		for i := range out {
			out[i] = randomJSON(r, depth-1)
		}
		return out
	default:
		return randomObject(r, depth)
	}
}

func randomObject(r *rand.Rand, depth int) map[string]any {
	out := map[string]any{}
	for range r.IntN(20) {
		out[fmt.Sprint("key ", r.IntN(100))] = randomJSON(r, depth-1)
	}
	return out
}

// Documents come back from every form as they were, by way of any other, and the libraries of BSON
// and MessagePack read the same.
func TestRoundTrip(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	forms := []Form{Lines, Value, Struct, BSON, MessagePack}
	converters := map[[2]Form]*Converter{}
	for _, from := range forms {
		for _, to := range forms {
			converters[[2]Form{from, to}] = converter(t, ConvertOptions{From: from, To: to})
		}
	}
	for range 200 {
		want := randomObject(random, 4)
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		path, data := []Form{Lines}, text
		for range 6 {
			to := forms[random.IntN(len(forms))]
			if data, err = converters[[2]Form{path[len(path)-1], to}].Append(nil, Record{Data: data}); err != nil {
				t.Fatalf("%v, %s: %v", path, to, err)
			}
			path = append(path, to)
			if to == BSON || to == MessagePack {
				peer := peerJSON(t, to, data)
				if !reflect.DeepEqual(peer, any(want)) {
					t.Fatalf("%v: the library reads\n%v, want\n%v", path, peer, want)
				}
			}
		}
		if data, err = converters[[2]Form{path[len(path)-1], Lines}].Append(nil, Record{Data: data}); err != nil {
			t.Fatalf("%v: %v", path, err)
		}
		var got any
		if err := json.Unmarshal(data, &got); err != nil || !reflect.DeepEqual(got, any(want)) {
			t.Fatalf("%v: %s, %v, want %s", path, data, err, text)
		}
	}
}

// peerJSON is what another library reads, as encoding/json would have it.
func peerJSON(t *testing.T, f Form, data []byte) (v any) {
	t.Helper()
	var err error
	var text []byte
	if f == BSON {
		text, err = bson.MarshalExtJSON(bson.Raw(data), false, false)
	} else if err = msgpack.Unmarshal(data, &v); err == nil {
		text, err = json.Marshal(v)
	}
	if err != nil {
		t.Fatal(err)
	}
	v = nil
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// Numbers of a text are found to be doubles or not as arithmetic says.
func TestExactDouble(t *testing.T) {
	for number, want := range map[string]bool{
		"0": true, "-0": true, "0.0": true, "1e5": true, "1E+5": true, "100000": true, "0.1": true, "0.10": true,
		"1e-7":             true,
		"9007199254740991": true, "9007199254740992": true, "9007199254740993": false, "9007199254740994": true,
		"18446744073709551616": true, "18446744073709551617": false, "1.7976931348623157e308": true, "1e309": false,
		"5e-324": true, "5e-325": false, "0.1000000000000000055511151231257827": false, "3.141592653589793": true,
		"3.14159265358979312":     false,
		"1e999999999999999999999": false, "0e999": true,
	} {
		if got := exactDouble(number); got != want {
			t.Errorf("%s: %v, want %v", number, got, want)
		}
	}
}

// No bytes of any form do harm, whatever they are converted to; and what has been converted can be
// read.
func FuzzConvert(f *testing.F) {
	f.Add([]byte(`{"a": [1, 2.5, "x", null, true, {"b": 12345678901234567890}]}`))
	f.Add([]byte(mustPack(f, map[string]any{"a": []any{1, "x", 2.5, []byte{1}}})))
	f.Add([]byte(mustBSON(f, bson.D{{Key: "a", Value: bson.A{1, "x", bson.D{{Key: "b", Value: 2.5}}}}})))
	f.Add([]byte(mustValue(f, map[string]any{"a": []any{1, "x"}})))
	f.Add(delimitedRecords(mustValue(f, 1), mustValue(f, "x")))
	md := event(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, from := range Forms {
			o := Options{Form: from, Stdin: bytes.NewReader(data), MaxSize: 1 << 10, BatchSize: 100}
			r, err := Open(Split{File: Stdin}, o)
			if err != nil {
				continue
			}
			for b, err := r.Next(); err == nil; b, err = r.Next() {
				for rec := range b.Records() {
					for _, to := range Forms {
						convertBack(t, md, from, to, rec)
					}
				}
				b.Release()
			}
		}
	})
}

func convertBack(t *testing.T, md protoreflect.MessageDescriptor, from, to Form, r Record) {
	c := converter(t, ConvertOptions{From: from, To: to, Message: md, Alter: true})
	out, err := c.Append(nil, r)
	if err != nil {
		_ = r.Fault(err).Error()
		return
	}
	back := converter(t, ConvertOptions{From: to, To: to, Message: md, Alter: true})
	again, err := back.Append(nil, Record{Data: slices.Clone(out)})
	if err != nil {
		t.Fatalf("%s to %s: %q becomes %q: %v", from, to, r.Data, out, err)
	}
	if to == Lines && !bytes.Equal(out, again) {
		t.Fatalf("%s to %s: %q is not compact", from, to, out)
	}
}
