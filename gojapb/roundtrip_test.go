package gojapb

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dop251/goja"
	"google.golang.org/protobuf/encoding/protojson"
	official "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/internal/test/race"
	"github.com/protean-pb/protean/internal/testpb"
)

// roundTrips are the ways of a message through JavaScript, each a function of its object and its constructor, and those
// through ProtoJSON also of its text. They return a message that must be equal to it, or undefined.
const roundTrips = `({
  'toObject and new': (m, M) => new M(m.toObject()),
  'copy by new': (m, M) => new M(m),
  'encode and decode': (m, M) => pb.decode(M, pb.encode(m)),
  'copy by clone': (m) => pb.clone(m),
  'fields': (m, M) => {
    if (plain.test(M.typeName)) return undefined;
    const to = new M();
    for (const name of Object.keys(m.toObject())) to.set(name, m.get(name));
    return to;
  },
  'values of fields': (m, M) => {
    if (plain.test(M.typeName)) return undefined;
    const to = new M();
    for (const [name, value] of Object.entries(m.toObject())) {
      const field = to.get(name);
      if (Array.isArray(field)) value.forEach((v) => field.add(v));
      else if (field !== null && typeof field.delete === 'function') for (const [k, v] of m.get(name)) field.set(k, v);
      else to.set(name, value);
    }
    return to;
  },
  'JSON: fromJSON of toJSON': (m, M) => pb.fromJSON(M, pb.toJSON(m)),
  'JSON: fromJSON of the text': (m, M, text) => pb.fromJSON(M, JSON.parse(text)),
  'JSON: toJSON is the text': (m, M, text) => { equal(pb.toJSON(m), JSON.parse(text)); },
  'JSON: stringify': (m, M, text) => { equal(JSON.parse(JSON.stringify(m)), JSON.parse(JSON.stringify(JSON.parse(text)))); },
})`

// TestRoundTrips takes random messages of every type through JavaScript, as generated and as dynamic messages. The
// policies for 64-bit integers take turns.
func TestRoundTrips(t *testing.T) {
	types := testpb.Types()
	for _, policy := range []Int64{SafeInt64, BigInt64, StringInt64} {
		t.Run(fmt.Sprint(policy), func(t *testing.T) {
			t.Parallel()
			rt, m := newScript(t, false, WithInt64(policy))
			trips, err := rt.RunString(`const plain = /^google\.protobuf\.(Struct|Value|ListValue)$/;` + roundTrips)
			if err != nil {
				t.Fatal(err)
			}
			r := rand.New(rand.NewPCG(1, uint64(policy)))
			step := 3
			if race.Enabled {
				step = 15
			}
			for i := int(policy); i < len(types); i += step {
				if testpb.IsMessageSet(types[i].Descriptor()) {
					continue
				}
				for _, mt := range []protoreflect.MessageType{types[i], dynamic.NewMessageType(types[i].Descriptor())} {
					msg := mt.New()
					testpb.Fill(msg, r, 8)
					testpb.Legalize(msg, r, 1)
					roundTrip(t, m, trips.ToObject(rt), msg.Interface())
				}
			}
		})
	}
}

func roundTrip(t *testing.T, m *Module, trips *goja.Object, msg official.Message) {
	text, err := protojson.Marshal(msg)
	whole := err == nil // has its required fields
	want, wantOfText, cloned := again(t, msg), msg.ProtoReflect().New().Interface(), official.Clone(msg)
	forget(want.ProtoReflect())
	forget(cloned.ProtoReflect()) // official clones lose -0 where zero is no value
	if whole {
		if err := protojson.Unmarshal(text, wantOfText); err != nil {
			t.Fatalf("%s: %v", msg.ProtoReflect().Descriptor().FullName(), err)
		}
	}
	object := m.WrapMessage(msg)
	for _, name := range trips.Keys() {
		want := want
		if strings.HasPrefix(name, "JSON") {
			want = wantOfText
		} else if strings.HasPrefix(name, "copy") {
			want = cloned
		}
		if !whole && (want == wantOfText || name == "encode and decode") {
			continue
		}
		trip, _ := goja.AssertFunction(trips.Get(name))
		v, err := trip(goja.Undefined(), object, object.Get("constructor"), m.rt.ToValue(string(text)))
		if err != nil {
			t.Errorf("%T, %s: %.2000s\n%.2000s", msg, name, thrown(err), text)
			continue
		}
		if goja.IsUndefined(v) {
			continue
		}
		got, err := m.UnwrapMessage(v)
		if err != nil {
			t.Fatal(err)
		}
		forget(got.ProtoReflect())
		if !official.Equal(got, want) {
			t.Errorf("%T, %s: got\n%.2000v\nwant\n%.2000v", msg, name, got, want)
		}
	}
}

// again returns what is left of a message in binary.
func again(t *testing.T, msg official.Message) official.Message {
	wire, err := official.MarshalOptions{AllowPartial: true}.Marshal(msg)
	if err != nil {
		t.Fatal(err)
	}
	to := msg.ProtoReflect().New().Interface()
	if err := (official.UnmarshalOptions{AllowPartial: true}).Unmarshal(wire, to); err != nil {
		t.Fatal(err)
	}
	return to
}

// forget removes, at any depth, what plain values do not have: unknown fields, and the numbers of nulls.
func forget(r protoreflect.Message) {
	r.SetUnknown(nil)
	if null := r.Descriptor().Fields().ByName("null_value"); r.Descriptor().FullName() == "google.protobuf.Value" &&
		r.Has(null) {
		r.Set(null, protoreflect.ValueOfEnum(0))
	}
	eachMessage(r, func(sub protoreflect.Message) bool {
		forget(sub)
		return true
	})
}
