package native_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/cmd/protean/internal/native"
	"github.com/protean-pb/protean/cmd/protean/internal/native/nativetest"
)

// fuzzTypes returns the message types that the fuzzed byte chooses from.
func fuzzTypes(t testing.TB) []protoreflect.MessageDescriptor {
	s := schema(t)
	return append(s.Messages(), s.Message("google.protobuf.Struct"), s.Message("google.protobuf.Value"),
		s.Message("google.protobuf.Any"))
}

func pick(mds []protoreflect.MessageDescriptor, choice byte) protoreflect.MessageDescriptor {
	return mds[int(choice)%len(mds)]
}

// seeds calls add with messages of each type.
func seeds(f *testing.F, add func(choice byte, m proto.Message)) {
	for i, md := range fuzzTypes(f) {
		g := nativetest.NewGenerator(uint64(i))
		for range 5 {
			add(byte(i), g.Message(md))
		}
	}
}

func wireOf(t testing.TB, m proto.Message) []byte {
	b, err := proto.MarshalOptions{AllowPartial: true, Deterministic: true}.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func parse(t testing.TB, md protoreflect.MessageDescriptor, wire []byte) protoreflect.Message {
	m := dynamicpb.NewMessage(md)
	o := proto.UnmarshalOptions{AllowPartial: true, Resolver: must(t, types), RecursionLimit: 200}
	if nativetest.Unmarshal(o, wire, m) != nil {
		return nil
	}
	return m
}

// FuzzNative takes messages to native data and back: what comes back is equal but
// for what native data is documented not to hold.
func FuzzNative(f *testing.F) {
	seeds(f, func(choice byte, m proto.Message) { f.Add(choice, wireOf(f, m)) })
	mds := fuzzTypes(f)
	f.Fuzz(func(t *testing.T, choice byte, wire []byte) {
		m := parse(t, pick(mds, choice), wire)
		if m == nil {
			return
		}
		nativetest.Normalize(m)
		if _, err := native.FromMessage(m); err != nil && nativetest.HasWellKnown(m) {
			return // not all contents of those have a native form
		}
		checkRoundTrip(t, m)
	})
}

func FuzzDifference(f *testing.F) {
	seeds(f, func(choice byte, m proto.Message) {
		wire := wireOf(f, m)
		f.Add(choice, wire, wire)
		f.Add(choice, wire, []byte{})
	})
	mds := fuzzTypes(f)
	f.Fuzz(func(t *testing.T, choice byte, a, b []byte) {
		ma, mb := parse(t, pick(mds, choice), a), parse(t, pick(mds, choice), b)
		if ma != nil && mb != nil {
			checkAgreement(t, ma, mb)
		}
	})
}

// FuzzToMessage feeds JSON of any shape: it must end in a message or an error.
func FuzzToMessage(f *testing.F) {
	seeds(f, func(choice byte, m proto.Message) {
		if v, err := native.FromMessage(m.ProtoReflect()); err == nil {
			if text, err := json.Marshal(v); err == nil {
				f.Add(choice, text)
			}
		}
	})
	for _, text := range []string{`{"int32_implicit":1e999999999}`, `{"by_int32":{"1":1,"1.0":2}}`,
		`{"any":{"@type":"google.protobuf.Any","value":{}}}`} {
		for i := range fuzzTypes(f) {
			f.Add(byte(i), []byte(text))
		}
	}
	mds := fuzzTypes(f)
	f.Fuzz(func(t *testing.T, choice byte, text []byte) {
		md := pick(mds, choice)
		for _, number := range []bool{false, true} {
			d := json.NewDecoder(bytes.NewReader(text))
			if number {
				d.UseNumber()
			}
			var v any
			if d.Decode(&v) != nil {
				return
			}
			m := dynamicpb.NewMessage(md)
			if native.ToMessage(v, m) != nil {
				continue
			}
			// What was taken must be a legal message that is taken again.
			checkRoundTrip(t, m)
		}
	})
}
