package protojson_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	official "google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/internal/test/race"
	"github.com/protean-pb/protean/internal/testpb"
	"github.com/protean-pb/protean/protojson"
)

type kind = testpb.Kind

// kinds are the ways in which messages are made.
var kinds = []testpb.Kind{
	{Name: "generated", Types: testpb.Types, New: func(t protoreflect.MessageType) proto.Message { return t.New().Interface() }},
	{Name: "dynamic", Types: testpb.Schemas, New: func(t protoreflect.MessageType) proto.Message { return dynamic.NewMessage(t.Descriptor()) }},
	{Name: "foreign", Types: testpb.Schemas, New: func(t protoreflect.MessageType) proto.Message { return dynamicpb.NewMessage(t.Descriptor()) }},
}

// choices returns all types, made in every way.
var choices = sync.OnceValue(func() []testpb.Choice { return testpb.Choices(kinds...) })

// eachType runs test for every type of test message, made in every way.
func eachType(t *testing.T, test func(t *testing.T, k kind, mt protoreflect.MessageType)) {
	for _, c := range choices() {
		t.Run(c.String(), func(t *testing.T) { test(t, c.Kind, c.Type) })
	}
}

// fill fills m at random. Most messages can be written then, unlike those of testpb.Fill
// alone, which puts into well-known types what has no form in JSON.
func fill(m protoreflect.Message, r *rand.Rand, size int) {
	testpb.Fill(m, r, size)
	if r.IntN(16) != 0 {
		testpb.Legalize(m, r, 3)
	}
}

func seeded(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, seed)) }

// emptyOfficial returns an empty message like m that owes nothing to this module.
func emptyOfficial(m proto.Message) proto.Message {
	if d, ok := m.(*dynamic.Message); ok {
		return dynamicpb.NewMessage(d.Descriptor())
	}
	return m.ProtoReflect().New().Interface()
}

// asOfficial returns m, or a copy of it that owes nothing to this module.
func asOfficial(m proto.Message) proto.Message {
	if _, ok := m.(*dynamic.Message); !ok {
		return m
	}
	same := emptyOfficial(m)
	proto.Merge(same, m)
	return same
}

func officialMarshal(o protojson.MarshalOptions) official.MarshalOptions {
	return official.MarshalOptions{
		Multiline: o.Multiline, Indent: o.Indent, AllowPartial: o.AllowPartial, UseProtoNames: o.UseProtoNames,
		UseEnumNumbers: o.UseEnumNumbers, EmitUnpopulated: o.EmitUnpopulated, EmitDefaultValues: o.EmitDefaultValues,
		Resolver: o.Resolver,
	}
}

func officialUnmarshal(o protojson.UnmarshalOptions) official.UnmarshalOptions {
	return official.UnmarshalOptions{
		AllowPartial: o.AllowPartial, DiscardUnknown: o.DiscardUnknown, Resolver: theirResolver(o.Resolver),
		RecursionLimit: o.RecursionLimit,
	}
}

// A resolver finds types for both directions.
type resolver interface {
	protoregistry.MessageTypeResolver
	protoregistry.ExtensionTypeResolver
}

// theirResolver is the official library's counterpart of a resolver.
func theirResolver(r resolver) resolver {
	if r == resolver(linkedTypes) {
		return dynamicpb.NewTypes(protoregistry.GlobalFiles)
	}
	return r
}

// linkedTypes makes dynamic messages of all types that are linked.
var linkedTypes = dynamic.NewTypes(protoregistry.GlobalFiles)

// marshalWay returns the options that the bits stand for.
func marshalWay(way uint16) protojson.MarshalOptions {
	return protojson.MarshalOptions{
		UseProtoNames: way&1 != 0, UseEnumNumbers: way&2 != 0, EmitUnpopulated: way&4 != 0,
		EmitDefaultValues: way&8 != 0,
		AllowPartial:      way&16 != 0, Multiline: way&32 != 0, Indent: []string{"", "", "\t", "   "}[way>>6&3],
	}
}

// unmarshalWay returns the options that the bits stand for.
func unmarshalWay(way uint16) protojson.UnmarshalOptions {
	o := protojson.UnmarshalOptions{AllowPartial: way&1 != 0, DiscardUnknown: way&2 != 0}
	if way&4 != 0 {
		o.RecursionLimit = 1 + int(way>>3&7)
	}
	if way&64 != 0 {
		o.Resolver = linkedTypes
	}
	return o
}

// unspaced undoes what the official library does at random: the space after a comma, or if
// the text has several lines, the second space after a colon.
func unspaced(text []byte, multiline bool) string {
	var b strings.Builder
	inString, before := false, byte(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case inString && c == '\\':
			b.WriteByte(c)
			i++
			c = text[i]
		case c == '"':
			inString = !inString
		case inString || c != ' ':
		case !multiline && before == ',' || multiline && before == ' ' &&
			strings.HasSuffix(b.String()[max(0, b.Len()-2):], ": "):
			continue
		}
		b.WriteByte(c)
		before = c
	}
	return b.String()
}

// checkMarshal writes m and holds the text, or the error, against the official library's;
// then it reads the text.
func checkMarshal(t testing.TB, m proto.Message, o protojson.MarshalOptions) {
	t.Helper()
	want, wantErr := officialMarshal(o).Marshal(asOfficial(m))
	got, err := o.Marshal(m)
	if (err != nil) != (wantErr != nil) {
		t.Fatalf("%+v, Marshal of %T %v: %v, official: %v", o, m, m, err, wantErr)
	}
	if (got == nil) != (want == nil) {
		t.Fatalf("%+v, Marshal of %T %v: %q with %v, official: %q with %v", o, m, m, got, err, want, wantErr)
	}
	if want := unspaced(want, o.Multiline || o.Indent != ""); string(got) != want {
		t.Fatalf("%+v, Marshal of %T:\n%.3000s\nofficial:\n%.3000s", o, m, got, want)
	}
	if again, _ := o.Marshal(m); !bytes.Equal(again, got) {
		t.Fatalf("%+v, Marshal of %T:\n%s\nand again:\n%s", o, m, got, again)
	}
	appended, appendErr := o.MarshalAppend([]byte("before"), m)
	if (appendErr != nil) != (err != nil) || string(appended) != "before"+string(got) && got != nil ||
		got == nil && appended != nil {
		t.Fatalf("%+v, MarshalAppend of %T: %s, %v, want %s", o, m, appended, appendErr, got)
	}
	if err != nil {
		checkNowhere(t, err)
		return
	}
	checkUnmarshal(t, got, m, protojson.UnmarshalOptions{AllowPartial: o.AllowPartial, Resolver: o.Resolver})
}

// checkUnmarshal reads text into messages of m's type with both libraries.
func checkUnmarshal(t testing.TB, text []byte, m proto.Message, o protojson.UnmarshalOptions) {
	t.Helper()
	want, got := emptyOfficial(m), m.ProtoReflect().New().Interface()
	wantErr := unmarshalOfficial(officialUnmarshal(o), text, want)
	in := bytes.Clone(text)
	err := o.Unmarshal(in, got)
	if !bytes.Equal(in, text) {
		t.Fatalf("Unmarshal changes %.1000q to %.1000q", text, in)
	}
	if errors.Is(wantErr, errPanic) {
		return // there is nothing to compare with
	}
	if (err != nil) != (wantErr != nil) {
		t.Fatalf("%T %s, %+v, Unmarshal %.1000q: %v, official: %v", m, m.ProtoReflect().Descriptor().FullName(), o,
			text, err, wantErr)
	}
	if err != nil {
		checkSomewhere(t, err, text)
		return
	}
	for i := range in {
		in[i] = 0xff // nothing in the message may be a part of the text
	}
	// proto.Equal may not compare fields whose types are unlike, but look at the same.
	equal := o.Resolver == resolver(linkedTypes) || proto.Equal(got, want)
	if g, w := wire(t, got), wire(t, want); !equal || !bytes.Equal(g, w) {
		t.Fatalf("%T %s, %+v, Unmarshal %.1000q:\n%.1000x %.1000v\nofficial:\n%.1000x %.1000v", m,
			m.ProtoReflect().Descriptor().FullName(), o, text, g, got, w, want)
	}
}

// wire returns m as the official library writes it, from which all that the text said can
// be seen, NaN included.
func wire(t testing.TB, m proto.Message) []byte {
	t.Helper()
	b, err := proto.MarshalOptions{Deterministic: true, AllowPartial: true}.Marshal(m)
	if err != nil {
		t.Fatalf("what was read cannot be written: %v, %.1000v", err, m)
	}
	return b
}

var errPanic = errors.New("the official library panicked")

// unmarshalOfficial is the official library's Unmarshal, with an error where it panics.
func unmarshalOfficial(o official.UnmarshalOptions, text []byte, m proto.Message) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", errPanic, p)
		}
	}()
	return o.Unmarshal(text, m)
}

// checkSomewhere checks that an error says where in the text it is, and what it is about.
func checkSomewhere(t testing.TB, err error, text []byte) {
	t.Helper()
	var e *protojson.Error
	if !errors.As(err, &e) || !errors.Is(err, proto.Error) {
		t.Fatalf("%.1000q: %v is a %T", text, err, err)
	}
	if e.Err == protojson.ErrRequired {
		checkNowhere(t, err)
		return
	}
	if e.Offset < 0 || e.Offset > len(text) || e.Message == "" || e.Err == nil {
		t.Fatalf("%.1000q: %#v does not say where", text, e)
	}
	before := text[:e.Offset]
	if e.Line != bytes.Count(before, []byte("\n"))+1 || e.Column != e.Offset-bytes.LastIndexByte(before, '\n') {
		t.Fatalf("%.1000q: line %d, column %d are not byte %d", text, e.Line, e.Column, e.Offset)
	}
	checkOneSentinel(t, err)
}

// checkNowhere checks an error that is about a message, not about text.
func checkNowhere(t testing.TB, err error) {
	t.Helper()
	var e *protojson.Error
	if !errors.As(err, &e) || !errors.Is(err, proto.Error) {
		t.Fatalf("%v is a %T", err, err)
	}
	if e.Offset != -1 || e.Line != 0 || e.Column != 0 || e.Message == "" || e.Err == nil {
		t.Fatalf("%#v is about a message", e)
	}
	checkOneSentinel(t, err)
}

// sentinels are what an error may be about.
var sentinels = []error{
	protojson.ErrSyntax, protojson.ErrUTF8, protojson.ErrDepth, protojson.ErrValue, protojson.ErrUnknown,
	protojson.ErrDuplicate, protojson.ErrType, protojson.ErrAny, protojson.ErrRequired,
}

// checkOneSentinel checks that an error is about one thing at most: none if it is the
// official library's.
func checkOneSentinel(t testing.TB, err error) {
	t.Helper()
	var is []error
	for _, s := range sentinels {
		if errors.Is(err, s) {
			is = append(is, s)
		}
	}
	if len(is) > 1 {
		t.Fatalf("%v is %q", err, is)
	}
}

// skipIfBrief skips a test that takes long, and minutes under the race detector. It has nothing
// concurrent; the memory that it uses, the random tests use too.
func skipIfBrief(t *testing.T) {
	t.Helper()
	if race.Brief() {
		t.Skip("it takes long")
	}
}
