package proto_test

import (
	"math/rand/v2"
	"testing"

	official "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/runtime/protoiface"

	"github.com/protean-pb/protean/internal/test/race"
	"github.com/protean-pb/protean/internal/testpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/legacypb"
	"github.com/protean-pb/protean/proto"
)

// initialized reads b into m, which is partial or not, and reports whether that is said to be initialized for certain.
// If so, the official library must find nothing missing.
func initialized(t *testing.T, o proto.UnmarshalOptions, b []byte, m proto.Message) bool {
	t.Helper()
	out, err := o.UnmarshalState(protoiface.UnmarshalInput{Message: m.ProtoReflect(), Buf: b})
	certain := out.Flags&protoiface.UnmarshalInitialized != 0
	if certain && (err != nil || official.CheckInitialized(m) != nil) {
		t.Fatalf("%+v: %x is said to be initialized: %v, %v", o, b, err, official.CheckInitialized(m))
	}
	if err == nil && !o.AllowPartial && !o.Merge && !certain {
		t.Fatalf("%+v: %x is not said to be initialized", o, b)
	}
	return certain
}

// TestUnmarshalStateInitialized reads messages of which some lack required fields: whatever the official library says
// to be initialized is said to be here, too.
func TestUnmarshalStateInitialized(t *testing.T) {
	said := 0
	eachType(t, func(t *testing.T, k kind, mt protoreflect.MessageType) {
		r := rand.New(rand.NewPCG(11, 12))
		for range race.Rounds(20) {
			m := k.New(mt)
			testpb.Fill(m.ProtoReflect(), r, 1+r.IntN(20))
			b, err := official.MarshalOptions{AllowPartial: true}.Marshal(m)
			if err != nil {
				continue // a message set
			}
			oo := official.UnmarshalOptions{AllowPartial: true}
			same := emptyOfficial(m)
			out, err := oo.UnmarshalState(protoiface.UnmarshalInput{Message: same.ProtoReflect(), Buf: b})
			want := err == nil && out.Flags&protoiface.UnmarshalInitialized != 0
			got := initialized(t, proto.UnmarshalOptions{AllowPartial: true}, b, m.ProtoReflect().New().Interface())
			if want && !got {
				t.Fatalf("%x is not said to be initialized, as the official library says", b)
			}
			if got {
				said++
			}
			initialized(t, proto.UnmarshalOptions{}, b, m.ProtoReflect().New().Interface())
			// What was there before counts.
			for _, partial := range []bool{false, true} {
				initialized(t, proto.UnmarshalOptions{Merge: true, AllowPartial: partial}, b, m)
				initialized(t, proto.UnmarshalOptions{Merge: true, AllowPartial: partial}, nil, m)
			}
		}
	})
	if said == 0 {
		t.Error("nothing is said to be initialized")
	}
}

// TestUnmarshalStateComplete has a message with all required fields, and one without.
func TestUnmarshalStateComplete(t *testing.T) {
	m := filled(new(legacypb.Required))
	b, err := official.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	if !initialized(t, proto.UnmarshalOptions{AllowPartial: true}, b, new(legacypb.Required)) {
		t.Error("a complete message is not said to be initialized")
	}
	if initialized(t, proto.UnmarshalOptions{AllowPartial: true}, b[:0], new(legacypb.Required)) {
		t.Error("an empty message is said to be initialized")
	}
}
