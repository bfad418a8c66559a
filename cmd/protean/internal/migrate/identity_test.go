package migrate

import (
	"path/filepath"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/cmd/protean/internal/native/nativetest"
)

// everything is a schema with each sort of field.
const everything = `syntax = "proto2";
import "google/protobuf/any.proto";
import "google/protobuf/duration.proto";
import "google/protobuf/field_mask.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/timestamp.proto";
import "google/protobuf/wrappers.proto";
message M {
  optional int32 i32 = 1; optional int64 i64 = 2 [default = 7]; optional uint32 u32 = 3; optional uint64 u64 = 4;
  optional sint32 s32 = 5; optional sint64 s64 = 6; optional fixed32 f32 = 7; optional fixed64 f64 = 8;
  optional sfixed32 sf32 = 9; optional sfixed64 sf64 = 10; optional float f = 11; optional double d = 12;
  optional bool b = 13; optional string s = 14; optional bytes by = 15; optional State state = 16;
  optional M child = 17; repeated M children = 18; repeated int64 packed = 19 [packed = true]; repeated int64 list = 20;
  repeated string texts = 21; repeated State states = 22; map<string, M> named = 23; map<int64, bytes> blobs = 24;
  map<bool, Level> by_bool = 25; optional group Group = 26 { optional string s = 1; }
  oneof which { string a = 27; int64 c = 28; M m = 29; google.protobuf.NullValue null = 42; }
  optional google.protobuf.Value value = 30; optional google.protobuf.Struct struct = 31;
  repeated google.protobuf.Value values = 32; optional google.protobuf.ListValue values_list = 33;
  optional google.protobuf.Timestamp at = 34; optional google.protobuf.Duration d2 = 35;
  optional google.protobuf.FieldMask mask = 36; optional google.protobuf.Any any = 37;
  optional google.protobuf.Int64Value wrapped = 38; optional google.protobuf.StringValue text = 39;
  repeated google.protobuf.BytesValue bytes_list = 40; map<string, google.protobuf.Value> attributes = 41;
  required string id = 50 [json_name = "ID"];
  extensions 100 to 200;
}
enum Level { NONE = 0; SOME = 1; }
enum State { option allow_alias = true; ON = 1; ENABLED = 1; OFF = 2; }
extend M { optional int64 size = 100; repeated M more = 101; }
`

// The same schema on both sides is the same, whatever is written: a false alarm is as bad as a miss.
func TestIdentity(t *testing.T) {
	before, after := side(t, everything, ""), side(t, everything, "")
	rounds := 60
	if testing.Short() {
		rounds = 10
	}
	g := nativetest.NewGenerator(1)
	var all Samples
	for range rounds {
		m := g.Message(before.Message)
		b, err := proto.MarshalOptions{Deterministic: true, AllowPartial: true}.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		all.Old = append(all.Old, Sample{"random", b})
	}
	all.New = all.Old
	mustBeSame(t, before, after, all)
}

func mustBeSame(t *testing.T, before, after *Side, all Samples) {
	t.Helper()
	r, err := Prove(t.Context(), before, after, all, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		if f.Class != Same {
			t.Errorf("%s, %s, %s: %s: %s → %s (%s)", f.At, f.Direction, f.Wire, f.Class, f.Wrote, f.Read, f.Why)
		}
	}
	if r.Disagreements > 0 {
		t.Errorf("%d disagreements: %s", r.Disagreements, r.Disagreement)
	}
	if r.Compared == 0 {
		t.Error("nothing was compared")
	}
}

// The schemas of the lab's tests against themselves, with own values.
func TestIdentityOfSchemas(t *testing.T) {
	folders, err := filepath.Glob("../suite/testdata/schemas/*")
	if err != nil || len(folders) < 3 {
		t.Fatalf("%d schemas, %v", len(folders), err)
	}
	for _, folder := range folders {
		src := Source{Paths: []string{folder}}
		if proto := filepath.Join(folder, "proto"); exists(proto) {
			src = Source{Paths: []string{proto}}
		}
		t.Run(filepath.Base(folder), func(t *testing.T) {
			s, err := src.Load()
			if err != nil {
				t.Fatal(err)
			}
			for _, fd := range s.Files() {
				for i := range fd.Messages().Len() {
					md := fd.Messages().Get(i)
					a, b, err := Sides(src, src, string(md.FullName()), "")
					if err != nil {
						t.Fatal(err)
					}
					if md.Fields().Len() > 0 {
						mustBeSame(t, a, b, Samples{Old: []Sample{{"empty", nil}}})
					}
				}
			}
		})
	}
}

// Whatever the bytes, the same schema reads what it has written, and nothing panics.
func FuzzIdentity(f *testing.F) {
	before, after := side(f, everything, ""), side(f, everything, "")
	g := nativetest.NewGenerator(2)
	for range 20 {
		b, err := proto.MarshalOptions{AllowPartial: true}.Marshal(g.Message(before.Message))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1<<14 || unmarshalBinary(before, b, dynamicpb.NewMessage(before.Message)) != nil {
			return
		}
		all := Samples{Old: []Sample{{"fuzz", b}}}
		r, err := Prove(t.Context(), before, after, all, Options{SamplesOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		if c := r.Worst(Both); c != Same || r.Disagreements > 0 {
			t.Errorf("%s %s %+v", c, r.Disagreement, r.Findings)
		}
	})
}

// Whatever the bytes, another schema reads them without a panic.
func FuzzMoves(f *testing.F) {
	type pair struct{ before, after *Side }
	var pairs []pair
	for _, m := range readMoves(f) {
		pairs = append(pairs, pair{side(f, m.Old, m.Message), side(f, m.New, m.Message)})
	}
	f.Add(uint8(0), []byte("\x0a\x0e\x0a\x0c\x0a\x01a\x12\x07\x11\x00\x00"))
	f.Add(uint8(7), []byte("\x0a\x09123456789"))
	f.Fuzz(func(t *testing.T, which uint8, b []byte) {
		p := pairs[int(which)%len(pairs)]
		if len(b) > 1<<14 || unmarshalBinary(p.before, b, dynamicpb.NewMessage(p.before.Message)) != nil {
			return
		}
		if _, err := Prove(t.Context(), p.before, p.after, Samples{Old: []Sample{{"fuzz", b}}}, Options{SamplesOnly: true}); err != nil {
			t.Fatal(err)
		}
	})
}
