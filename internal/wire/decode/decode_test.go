package decode_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/test/corpus"
	"github.com/protean-pb/protean/internal/testpb"
	"github.com/protean-pb/protean/internal/wire/decode"
)

// sub returns a field of wire type 2 that holds the parts.
func sub(number protowire.Number, parts ...string) string {
	return string(corpus.Field(number, strings.Join(parts, "")))
}

// group returns a group that holds the parts.
func group(number protowire.Number, parts ...string) string {
	start := protowire.AppendTag(nil, number, protowire.StartGroupType)
	return string(protowire.AppendTag(append(start, strings.Join(parts, "")...), number, protowire.EndGroupType))
}

// bad is not UTF-8.
const bad = "bad\xff"

// A form is one way to have messages of a schema: a generated API, or dynamic.
type form struct {
	name string
	new  func() proto.Message
}

// forms returns the ways to have messages with the schema of m, which has the open API.
func forms(m proto.Message) []form {
	md := m.ProtoReflect().Descriptor()
	all := []form{{"dynamic", func() proto.Message { return dynamic.NewMessage(md) }}}
	for i, mt := range testpb.APIs(m) {
		all = append(all, form{[]string{"open", "hybrid", "opaque"}[i],
			func() proto.Message { return mt.New().Interface() }})
	}
	return all
}

// eachForm runs test as a subtest for each of the forms of m.
func eachForm(t *testing.T, m proto.Message, test func(t *testing.T, empty func() proto.Message)) {
	t.Helper()
	for _, f := range forms(m) {
		t.Run(f.name, func(t *testing.T) { test(t, f.new) })
	}
}

// eachType runs test as a subtest for every type of test message, generated and dynamic.
func eachType(t *testing.T, test func(t *testing.T, mt protoreflect.MessageType, empty func() proto.Message)) {
	for _, mt := range testpb.Types() {
		t.Run("generated/"+string(mt.Descriptor().FullName()), func(t *testing.T) {
			test(t, mt, func() proto.Message { return mt.New().Interface() })
		})
	}
	for _, mt := range testpb.Schemas() {
		t.Run("dynamic/"+string(mt.Descriptor().FullName()), func(t *testing.T) {
			test(t, mt, func() proto.Message { return dynamic.NewMessage(mt.Descriptor()) })
		})
	}
}

// merge reads in into m. The default of Depth is that of the official library.
func merge(in string, m proto.Message, o decode.Options) error {
	_, err := mergeComplete(in, m, o)
	return err
}

// mergeComplete is merge with all that Merge returns. Types without a layout, such as lazy ones, are the official
// library's: for those it reads, too.
func mergeComplete(in string, m proto.Message, o decode.Options) (complete bool, err error) {
	if o.Depth == 0 {
		o.Depth = protowire.DefaultRecursionLimit
	}
	l, p := layout.Of(m)
	if l.Ready() == layout.Official {
		return false, official(o, true).Unmarshal([]byte(in), m)
	}
	return decode.Merge([]byte(in), l, p, &o)
}

// official returns the official library's counterpart of the options.
func official(o decode.Options, merge bool) proto.UnmarshalOptions {
	out := proto.UnmarshalOptions{Merge: merge, AllowPartial: o.AllowPartial, DiscardUnknown: o.DiscardUnknown,
		RecursionLimit: o.Depth}
	if o.Resolver != nil {
		out.Resolver = o.Resolver
	}
	return out
}

// emptyOfficial returns an empty message like m that the official library reads with its own code.
func emptyOfficial(m proto.Message) proto.Message {
	if d, ok := m.(*dynamic.Message); ok {
		return dynamicpb.NewMessage(d.Descriptor())
	}
	return m.ProtoReflect().New().Interface()
}

// sorted returns the wire form of m as the official library writes it.
func sorted(t *testing.T, m proto.Message) []byte {
	t.Helper()
	b, err := proto.MarshalOptions{Deterministic: true, AllowPartial: true}.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

var errPanic = errors.New("the official library panicked")

// unmarshalOfficial is the official library's Unmarshal, with an error where it panics: on a map entry of a dynamic
// message whose key comes twice with different wire types.
func unmarshalOfficial(o proto.UnmarshalOptions, in string, m proto.Message) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", errPanic, p)
		}
	}()
	return o.Unmarshal([]byte(in), m)
}

// check reads in into empty messages with both libraries, and returns what is read here and the error.
func check(t *testing.T, in string, empty func() proto.Message, o decode.Options) (proto.Message, error) {
	t.Helper()
	got := empty()
	err := merge(in, got, o)
	want := emptyOfficial(got)
	wantErr := unmarshalOfficial(official(o, false), in, want)
	if errors.Is(wantErr, errPanic) {
		return got, err // there is nothing to compare with
	}
	if (err != nil) != (wantErr != nil) {
		t.Fatalf("%T, %+v, %.300x: %v, official: %v", got, o, in, err, wantErr)
	}
	if err != nil {
		checkError(t, err, len(in))
		return got, err
	}
	if g, w := sorted(t, got), sorted(t, want); !bytes.Equal(g, w) {
		t.Fatalf("%T, %+v, %.300x:\n%.1000x %.1000v\nofficial:\n%.1000x %.1000v", got, o, in, g, got, w, want)
	}
	return got, err
}

// checkError checks that an error of the codec says where it is.
func checkError(t *testing.T, err error, size int) {
	t.Helper()
	var e *protoerr.Error
	if !errors.As(err, &e) {
		return // the official library's, for a type that is left to it
	}
	if e.Message == "" || e.Offset > size ||
		(e.Offset < 0) != (e.Err == protoerr.ErrRequired || errors.Is(e.Err, proto.Error)) {
		t.Fatalf("%#v of %d bytes does not say where", e, size)
	}
}
