package dynamic_test

import (
	"bytes"
	"encoding/json"
	"runtime"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	protean "github.com/protean-pb/protean/proto"
	proteanjson "github.com/protean-pb/protean/protojson"
)

var official = proto.MarshalOptions{Deterministic: true, AllowPartial: true}

// writersAgree has all that writes messages work on one of ours and on an equal one of dynamicpb's, and compares what
// comes of it, panics included. It returns the wire form.
func writersAgree(t testing.TB, ours, theirs proto.Message) []byte {
	t.Helper()
	agree := func(what string, got, want func() ([]byte, error)) []byte {
		t.Helper()
		return agrees(t, what, theirs, got, want)
	}
	write := func() ([]byte, error) { return official.Marshal(theirs) }
	wire := agree("Marshal", func() ([]byte, error) {
		return protean.MarshalOptions{Deterministic: true, AllowPartial: true}.Marshal(ours)
	}, write)
	agree("official Marshal", func() ([]byte, error) { return official.Marshal(ours) }, write)
	unspaced := func(b []byte, err error) ([]byte, error) { // which the official library adds at random
		var out bytes.Buffer
		if err == nil {
			err = json.Compact(&out, b)
		}
		return out.Bytes(), err
	}
	text := func() ([]byte, error) {
		return unspaced(protojson.MarshalOptions{AllowPartial: true}.Marshal(theirs))
	}
	agree("JSON", func() ([]byte, error) { return proteanjson.MarshalOptions{AllowPartial: true}.Marshal(ours) }, text)
	agree("official JSON", func() ([]byte, error) {
		return unspaced(protojson.MarshalOptions{AllowPartial: true}.Marshal(ours))
	}, text)
	initialized := func(check func(proto.Message) error, m proto.Message) func() ([]byte, error) {
		return func() ([]byte, error) { return nil, check(m) }
	}
	agree("CheckInitialized", initialized(protean.CheckInitialized, ours), initialized(proto.CheckInitialized, theirs))
	agree("ToAny", func() ([]byte, error) {
		v, err := proteanjson.MarshalOptions{AllowPartial: true}.ToAny(ours)
		if err != nil {
			return nil, err
		}
		return json.Marshal(v)
	}, func() ([]byte, error) {
		b, err := text()
		if err != nil {
			return nil, err
		}
		var v any
		if err := json.Unmarshal(b, &v); err != nil {
			return nil, err
		}
		return json.Marshal(v)
	})
	return wire
}

// codecsAgree is writersAgree, and for what reads messages, too. It changes both.
func codecsAgree(t testing.TB, ours, theirs proto.Message) {
	t.Helper()
	wire := writersAgree(t, ours, theirs)
	agrees(t, "merging Unmarshal", theirs, func() ([]byte, error) {
		if err := (protean.UnmarshalOptions{Merge: true, AllowPartial: true}).Unmarshal(wire, ours); err != nil {
			return nil, err
		}
		return official.Marshal(ours)
	}, func() ([]byte, error) {
		if err := (proto.UnmarshalOptions{Merge: true, AllowPartial: true}).Unmarshal(wire, theirs); err != nil {
			return nil, err
		}
		return official.Marshal(theirs)
	})
	reset := func(m proto.Message) func() ([]byte, error) {
		return func() ([]byte, error) { proto.Reset(m); return official.Marshal(m) }
	}
	agrees(t, "Reset", theirs, reset(ours), reset(theirs))
}

// clonesAgree compares what becomes of both messages when they are cloned and merged.
func clonesAgree(t testing.TB, ours, theirs proto.Message) {
	t.Helper()
	clone := func(m proto.Message) func() ([]byte, error) {
		return func() ([]byte, error) {
			c := proto.Clone(m)
			proto.Merge(c, m)
			return official.Marshal(c)
		}
	}
	agrees(t, "Clone and Merge", theirs, clone(ours), clone(theirs))
}

// agrees compares what two functions return, and whether they panic, and returns what want does. The first may do
// without a panic that the runtime has in the other.
func agrees(t testing.TB, what string, of proto.Message, got, want func() ([]byte, error)) []byte {
	t.Helper()
	var a, b []byte
	var err, wantErr error
	p := caught(func() { a, err = got() })
	q := caught(func() { b, wantErr = want() })
	if _, ok := q.(runtime.Error); ok && p == nil {
		return nil
	}
	if (p == nil) != (q == nil) || (err == nil) != (wantErr == nil) || err == nil && !bytes.Equal(a, b) {
		t.Fatalf("%s: %q, %v, %v\nofficial: %q, %v, %v\nof %v", what, a, err, p, b, wantErr, q, of)
	}
	return b
}
