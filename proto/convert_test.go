package proto_test

import (
	"errors"
	"testing"

	official "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/protean-pb/protean/internal/test/dropin"
	"github.com/protean-pb/protean/proto"
)

// TestOptionsBothWays sets each field that the official options have, in turn, and converts there and back.
func TestOptionsBothWays(t *testing.T) {
	dropin.CheckOptions(t, proto.MarshalOptionsOf, proto.MarshalOptions.Official)
	dropin.CheckOptions(t, proto.UnmarshalOptionsOf, proto.UnmarshalOptions.Official)
}

// onlyExtensions is a resolver that finds no messages.
type onlyExtensions struct {
	protoregistry.ExtensionTypeResolver
}

// failing is a resolver that fails.
type failing struct{ onlyExtensions }

var errAway = errors.New("the registry is away")

func (failing) FindMessageByName(protoreflect.FullName) (protoreflect.MessageType, error) {
	return nil, errAway
}
func (failing) FindMessageByURL(string) (protoreflect.MessageType, error) { return nil, errAway }

// TestMarshalFrom holds the three functions against anypb's, with the options of either package.
func TestMarshalFrom(t *testing.T) {
	duration := durationpb.New(90e9)
	for name, src := range map[string]proto.Message{
		"duration": duration, "empty": new(emptypb.Empty), "nil": nil, "incomplete": new(descriptorpb.UninterpretedOption_NamePart),
	} {
		got, same, want := &anypb.Any{TypeUrl: "before"}, &anypb.Any{TypeUrl: "before"}, &anypb.Any{TypeUrl: "before"}
		err := proto.MarshalFrom(got, src, proto.MarshalOptions{Deterministic: true})
		errSame := proto.MarshalFrom(same, src, official.MarshalOptions{Deterministic: true})
		wantErr := anypb.MarshalFrom(want, src, official.MarshalOptions{Deterministic: true})
		if (err != nil) != (wantErr != nil) || (errSame != nil) != (wantErr != nil) || !official.Equal(got, want) ||
			!official.Equal(same, want) {
			t.Errorf("MarshalFrom of %s: %v %v, %v %v; anypb: %v %v", name, got, err, same, errSame, want, wantErr)
		}
	}
	incomplete := new(anypb.Any)
	if err := proto.MarshalFrom(incomplete, new(descriptorpb.UninterpretedOption_NamePart),
		proto.MarshalOptions{AllowPartial: true}); err != nil {
		t.Errorf("the options are not used: %v", err)
	}
}

func TestUnmarshalToAndNew(t *testing.T) {
	duration, err := anypb.New(durationpb.New(90e9))
	if err != nil {
		t.Fatal(err)
	}
	short := &anypb.Any{TypeUrl: "google.protobuf.Duration", Value: duration.Value}
	for name, src := range map[string]*anypb.Any{
		"duration": duration, "no slash": short, "nil": nil, "no type": {Value: duration.Value},
		"unknown": {TypeUrl: "x/acme.Unknown"}, "malformed": {TypeUrl: duration.TypeUrl, Value: []byte{8}},
		"longer name": {TypeUrl: "x/my.google.protobuf.Duration"},
	} {
		got, want := new(durationpb.Duration), new(durationpb.Duration)
		err, wantErr := proto.UnmarshalTo(src, got, proto.UnmarshalOptions{}),
			anypb.UnmarshalTo(src, want, official.UnmarshalOptions{})
		checkSame(t, "UnmarshalTo "+name, got, want, err, wantErr)
		err = proto.UnmarshalTo(src, got, official.UnmarshalOptions{Merge: true})
		checkSame(t, "UnmarshalTo, merged, "+name, got, want, err, wantErr)
		for _, r := range []interface {
			protoregistry.ExtensionTypeResolver
		}{nil, protoregistry.GlobalTypes, onlyExtensions{}, new(protoregistry.Types), failing{}} {
			a, err := proto.UnmarshalNew(src, official.UnmarshalOptions{Resolver: r})
			b, wantErr := anypb.UnmarshalNew(src, official.UnmarshalOptions{Resolver: r})
			checkSame(t, "UnmarshalNew "+name, a, b, err, wantErr)
			if (err == protoregistry.NotFound) != (wantErr == protoregistry.NotFound) {
				t.Errorf("UnmarshalNew %s, resolver %T: %v, anypb: %v", name, r, err, wantErr)
			}
			if wantErr != nil && !errors.Is(err, proto.Error) && err != protoregistry.NotFound {
				t.Errorf("UnmarshalNew %s: %v is no error of Protobuf", name, err)
			}
		}
	}
}
