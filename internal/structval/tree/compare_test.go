package tree

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/internal/structval/index"
	"github.com/protean-pb/protean/internal/wire"
)

// limit is the official library's limit of depth.
const limit = 10000

// newMessage returns an empty message of a form.
func newMessage(form index.Form) proto.Message {
	switch form {
	case index.Struct:
		return new(structpb.Struct)
	case index.List:
		return new(structpb.ListValue)
	}
	return new(structpb.Value)
}

func formOf(m proto.Message) index.Form {
	switch m.(type) {
	case *structpb.Struct:
		return index.Struct
	case *structpb.ListValue:
		return index.List
	}
	return index.Value
}

func read(m proto.Message, body []byte, o ReadOptions) error {
	switch m := m.(type) {
	case *structpb.Struct:
		return readOne(m, body, index.Struct, o)
	case *structpb.ListValue:
		return readOne(m, body, index.List, o)
	}
	return readOne(m.(*structpb.Value), body, index.Value, o)
}

func write(s *wire.OutputState, at int, m proto.Message, deterministic bool) (int, error) {
	switch m := m.(type) {
	case *structpb.Struct:
		return WriteStruct(s, at, m, deterministic)
	case *structpb.ListValue:
		return WriteList(s, at, m, deterministic)
	}
	return WriteValue(s, at, m.(*structpb.Value), deterministic)
}

func size(m proto.Message) (int, bool) {
	switch m := m.(type) {
	case *structpb.Struct:
		return StructSize(m)
	case *structpb.ListValue:
		return ListSize(m)
	}
	return ValueSize(m.(*structpb.Value))
}

// marshal returns the wire form of m, and behind it what comes after.
func marshal(m proto.Message, after string, deterministic bool) ([]byte, error) {
	store := wire.OutputState{Message: wire.Message{Size: func(wire.Message) (int, bool) {
		n, ok := size(m)
		return n + len(after), ok
	}}}
	o := wire.Output{OutputState: &store}
	o.UsePooled()
	defer o.Release()
	at, err := write(&store, o.Raw(after, o.End), m, deterministic)
	if err != nil {
		return nil, err
	}
	o.Resume()
	return o.Finish(at), nil
}

// different says where two trees differ, also in what proto.Equal takes for equal: whether
// maps, slices and messages are nil, and the order of unknown fields. It is empty if they
// do not.
func different(a, b proto.Message) string {
	if x, y := a.ProtoReflect(), b.ProtoReflect(); x.IsValid() != y.IsValid() ||
		!bytes.Equal(x.GetUnknown(), y.GetUnknown()) {
		return fmt.Sprintf(": %x (%v) and %x (%v)", x.GetUnknown(), x.IsValid(), y.GetUnknown(), y.IsValid())
	}
	switch a := a.(type) {
	case *structpb.Struct:
		x, y := a.GetFields(), b.(*structpb.Struct).GetFields()
		if len(x) != len(y) || (x == nil) != (y == nil) {
			return fmt.Sprintf(": %d entries (nil: %v) and %d (nil: %v)", len(x), x == nil, len(y), y == nil)
		}
		for k, v := range x {
			w, ok := y[k]
			if !ok {
				return fmt.Sprintf(": %q is in the first only", k)
			}
			if d := different(v, w); d != "" {
				return fmt.Sprintf("[%q]%s", k, d)
			}
		}
	case *structpb.ListValue:
		x, y := a.GetValues(), b.(*structpb.ListValue).GetValues()
		if len(x) != len(y) || (x == nil) != (y == nil) {
			return fmt.Sprintf(": %d elements (nil: %v) and %d (nil: %v)", len(x), x == nil, len(y), y == nil)
		}
		for i := range x {
			if d := different(x[i], y[i]); d != "" {
				return fmt.Sprintf("[%d]%s", i, d)
			}
		}
	case *structpb.Value:
		return differentKind(a.GetKind(), b.(*structpb.Value).GetKind())
	}
	return ""
}

func differentKind(a, b any) string {
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	if reflect.TypeOf(a) != reflect.TypeOf(b) || a != nil && x.IsNil() != y.IsNil() {
		return fmt.Sprintf(": %T and %T", a, b)
	}
	if a == nil || x.IsNil() {
		return ""
	}
	switch a := a.(type) {
	case *structpb.Value_NumberValue:
		f, g := a.NumberValue, b.(*structpb.Value_NumberValue).NumberValue
		if math.Float64bits(f) != math.Float64bits(g) {
			return fmt.Sprintf(": %v and %v", f, g)
		}
	case *structpb.Value_StructValue:
		return different(a.StructValue, b.(*structpb.Value_StructValue).StructValue)
	case *structpb.Value_ListValue:
		return different(a.ListValue, b.(*structpb.Value_ListValue).ListValue)
	default:
		if f, g := x.Elem().Field(0).Interface(), y.Elem().Field(0).Interface(); f != g {
			return fmt.Sprintf(": %v and %v", f, g)
		}
	}
	return ""
}

// checkRead reads a body into what before says, and compares with the official library.
// It reports whether the body was legal.
func checkRead(t *testing.T, form index.Form, before, body []byte, o ReadOptions) bool {
	t.Helper()
	got, want := newMessage(form), newMessage(form)
	for _, m := range []proto.Message{got, want} {
		// What an error leaves behind is as good as anything.
		_ = proto.Unmarshal(before, m)
	}
	official := proto.UnmarshalOptions{Merge: true, AllowPartial: true, DiscardUnknown: o.DiscardUnknown,
		RecursionLimit: o.Depth}
	if o.Depth == 0 {
		official.RecursionLimit = -1 // since 0 is none
	}
	wantErr := official.Unmarshal(body, want)
	mine := bytes.Clone(body)
	err := read(got, mine, o)
	if (err != nil) != (wantErr != nil) {
		t.Fatalf("%x into %x, %+v: error %v, want %v", body, before, o, err, wantErr)
	}
	if err != nil {
		e, ok := err.(*Error)
		if !ok || e.Offset < 0 || e.Offset > len(body) {
			t.Fatalf("%x: the error is %#v", body, err)
		}
	}
	if !o.Alias {
		clear(mine)
	}
	if d := different(got, want); d != "" {
		t.Fatalf("%x into %x, %+v: differs from the official library at %s", body, before, o, d)
	}
	if !proto.Equal(got, want) {
		t.Fatalf("%x into %x, %+v:\ngot  %v\nwant %v", body, before, o, got, want)
	}
	return err == nil
}

// checkWrite writes a tree and compares with the official library.
func checkWrite(t *testing.T, m proto.Message) {
	t.Helper()
	want, wantErr := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	const after = "what comes after"
	for _, deterministic := range []bool{false, true} {
		all, err := marshal(m, after, deterministic)
		if (err != nil) != (wantErr != nil) {
			t.Fatalf("%v: error %v, want %v", m, err, wantErr)
		}
		if n, ok := size(m); n != proto.Size(m) || !ok {
			t.Fatalf("%v: the size is %d (%v), want %d", m, n, ok, proto.Size(m))
		}
		if err != nil {
			continue
		}
		body, ok := bytes.CutSuffix(all, []byte(after))
		if !ok {
			t.Fatalf("what comes after is at the end of %q no more", all)
		}
		if deterministic && !bytes.Equal(body, want) {
			t.Fatalf("got  %x\nwant %x", body, want)
		}
		got, other := newMessage(formOf(m)), newMessage(formOf(m))
		if err := proto.Unmarshal(body, got); err != nil {
			t.Fatalf("%x: %v", body, err)
		}
		if err := proto.Unmarshal(want, other); err != nil {
			t.Fatal(err)
		}
		if d := different(got, other); d != "" || len(body) != len(want) {
			t.Fatalf("%x instead of %x%s", body, want, d)
		}
	}
}

// readOne reads one message by a Reader of its own.
func readOne(m proto.Message, body []byte, form index.Form, o ReadOptions) error {
	var r Reader
	defer r.Release()
	return r.Read(m, body, form, o, 0)
}
