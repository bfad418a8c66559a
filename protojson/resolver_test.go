package protojson_test

import (
	"errors"
	"fmt"
	"testing"

	official "google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/legacypb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/wellknownpb"
	"github.com/protean-pb/protean/protojson"
)

var errResolver = errors.New("the resolver is broken")

// A brokenResolver fails, or finds nothing and says nothing.
type brokenResolver struct{ err error }

func (b brokenResolver) FindMessageByName(protoreflect.FullName) (protoreflect.MessageType, error) {
	return nil, b.err
}

func (b brokenResolver) FindMessageByURL(string) (protoreflect.MessageType, error) {
	return nil, b.err
}

func (b brokenResolver) FindExtensionByName(protoreflect.FullName) (protoreflect.ExtensionType, error) {
	return nil, b.err
}

func (b brokenResolver) FindExtensionByNumber(
	protoreflect.FullName, protoreflect.FieldNumber,
) (protoreflect.ExtensionType, error) {
	return nil, b.err
}

// A namedResolver finds one type under every name, whatever that is.
type namedResolver struct {
	brokenResolver
	mt protoreflect.MessageType
	xt protoreflect.ExtensionType
}

func (n namedResolver) FindMessageByURL(string) (protoreflect.MessageType, error) { return n.mt, nil }

func (n namedResolver) FindExtensionByName(protoreflect.FullName) (protoreflect.ExtensionType, error) {
	return n.xt, nil
}

func (n namedResolver) FindExtensionByNumber(
	protoreflect.FullName, protoreflect.FieldNumber,
) (protoreflect.ExtensionType, error) {
	return nil, protoregistry.NotFound
}

// resolvers are such that find all, some or nothing, types of several sorts, or the wrong
// ones.
func resolvers(t testing.TB) map[string]resolver {
	t.Helper()
	some, dynamics, foreigners := new(protoregistry.Types), new(protoregistry.Types), new(protoregistry.Types)
	for _, err := range []error{
		some.RegisterExtension(legacypb.E_ExtString), some.RegisterMessage(new(benchpb.Leaf).ProtoReflect().Type()),
		dynamics.RegisterExtension(dynamic.NewExtensionType(legacypb.E_ExtString.TypeDescriptor())),
		dynamics.RegisterExtension(dynamic.NewExtensionType(legacypb.E_ExtLeaf.TypeDescriptor())),
		dynamics.RegisterMessage(dynamic.NewMessageType(new(benchpb.Leaf).ProtoReflect().Descriptor())),
		dynamics.RegisterMessage(dynamic.NewMessageType(new(durationpb.Duration).ProtoReflect().Descriptor())),
		dynamics.RegisterMessage(dynamic.NewMessageType(new(legacypb.Extendable).ProtoReflect().Descriptor())),
		foreigners.RegisterExtension(dynamicpb.NewExtensionType(legacypb.E_ExtLeaf.TypeDescriptor())),
		foreigners.RegisterMessage(dynamicpb.NewMessageType(new(benchpb.Leaf).ProtoReflect().Descriptor())),
		foreigners.RegisterMessage(dynamicpb.NewMessageType(new(structpb.Struct).ProtoReflect().Descriptor())),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return map[string]resolver{
		"none given": nil, "global": protoregistry.GlobalTypes, "empty": new(protoregistry.Types), "some": some, "dynamic": dynamics, "foreign": foreigners, "dynamic, all": linkedTypes,
		"broken": brokenResolver{errResolver}, "not found": brokenResolver{protoregistry.NotFound},
		"wrapped not found": brokenResolver{fmt.Errorf("%w", protoregistry.NotFound)},
		"another type":      namedResolver{mt: new(durationpb.Duration).ProtoReflect().Type(), xt: legacypb.E_ExtInt32},
		"another, dynamic":  namedResolver{mt: dynamic.NewMessageType(new(benchpb.Tree).ProtoReflect().Descriptor()), xt: dynamic.NewExtensionType(legacypb.E_Scope_Scoped.TypeDescriptor())},
	}
}

// TestResolver reads and writes Any and extension fields with each of them.
func TestResolver(t *testing.T) {
	leaf := extended(&legacypb.Extendable{Id: proto.Int32(1)}, legacypb.E_ExtString, "s", legacypb.E_ExtLeaf,
		&legacypb.Leaf{Id: proto.Int32(2)})
	messages := []proto.Message{
		anyOf(&benchpb.Leaf{Id: 1}), anyOf(durationpb.New(5)), anyOf(leaf), anyOf(anyOf(&benchpb.Leaf{})),
		anyOf(structOf(map[string]any{"a": 1})), &anypb.Any{},
		&wellknownpb.Repeated{ListAny: []*anypb.Any{anyOf(&benchpb.Leaf{}), anyOf(wrapperspb.Bool(true)), {}}}, leaf,
		new(legacypb.Extendable),
		&anypb.Any{TypeUrl: "unknown/name"},
	}
	texts := []string{
		`{}`, `{"@type":"protean.test.bench.Leaf","id":1}`, `{"@type":"x/google.protobuf.Duration","value":"1s"}`, `{"@type":"/","value":"1s"}`, `{"@type":"x"}`, `{"@type":"","value":1}`, `{"name":"n","@type":"x"}`,
		`{"@type":"protean.test.legacy.Extendable","[protean.test.legacy.ext_string]":"x"}`, `{"@type":"protean.test.legacy.Extendable","[protean.test.legacy.ext_leaf]":{"id":2}}`,
		`{"@type":"google.protobuf.Any","value":{"@type":"protean.test.bench.Leaf","name":"n"}}`, `{"@type":"google.protobuf.Struct","value":{"a":[1]}}`,
		`{"[protean.test.legacy.ext_string]":"x"}`, `{"[protean.test.legacy.ext_leaf]":{"name":"x"},"[protean.test.legacy.ext_int32]":1}`, `{"[protean.test.legacy.ext_int32]":1}`, `{"[no.such]":1}`, `{"[]":1}`, `{"[no.such]":{"a":[`,
		`{"[protean.test.legacy.ext_string]":"x","[protean.test.legacy.ext_string]":"y"}`, `{"[protean.test.legacy.ext_string]":null}`, `{"[protean.test.legacy.Scope.scoped]":{"name":"n"}}`,
		`{"[protean.test.edition.ext_number]":1}`, `{"[protean.test.legacy.required_below]":{}}`, `{"[opaque.protean.test.legacy.ext_int32]":1}`,
	}
	for name, r := range resolvers(t) {
		t.Run(name, func(t *testing.T) {
			for _, m := range messages {
				for _, same := range append(dynamicForms(m), m) {
					for _, o := range []protojson.MarshalOptions{{Resolver: r},
						{Resolver: r, EmitUnpopulated: true, UseProtoNames: true}} {
						checkResolved(t, same, o)
					}
					for _, text := range texts {
						checkUnmarshal(t, []byte(text), same, protojson.UnmarshalOptions{Resolver: r})
						checkUnmarshal(t, []byte(text), same,
							protojson.UnmarshalOptions{Resolver: r, DiscardUnknown: true, RecursionLimit: 2})
					}
				}
			}
		})
	}
}

// checkResolved is checkMarshal without the way back, for which there may be no types.
func checkResolved(t *testing.T, m proto.Message, o protojson.MarshalOptions) {
	t.Helper()
	theirs := officialMarshal(o)
	theirs.Resolver = theirResolver(o.Resolver)
	want, wantErr := theirs.Marshal(asOfficial(m))
	got, err := o.Marshal(m)
	if (err != nil) != (wantErr != nil) || string(got) != unspaced(want, false) {
		t.Fatalf("%+v, Marshal of %T %v: %s, %v, official: %s, %v", o, m, m, got, err, want, wantErr)
	}
	if err != nil {
		checkNowhere(t, err)
	}
}

// TestDynamicTypes reads and writes a schema that is not linked.
func TestDynamicTypes(t *testing.T) {
	md := compile(t, namesFile).ByName("Names")
	files := registry(t, md.ParentFile())
	ours, theirs := dynamic.NewTypes(files), dynamicpb.NewTypes(files)
	for _, text := range []string{
		`{"@type":"names.Names","plainName":5,"[names.ext]":7,"mygroup":{"inGroup":1},"é":[{"kind":"ONE"}]}`, `{"@type":"names.Nothing"}`, `{"@type":"google.protobuf.Duration","value":"1s"}`, `{"@type":"names.Names","kind":"none"}`,
	} {
		got, want := new(anypb.Any), new(anypb.Any)
		err := protojson.UnmarshalOptions{Resolver: ours}.Unmarshal([]byte(text), got)
		wantErr := official.UnmarshalOptions{Resolver: theirs}.Unmarshal([]byte(text), want)
		if (err != nil) != (wantErr != nil) || !proto.Equal(got, want) {
			t.Fatalf("%s: %v, %v; official: %v, %v", text, got, err, want, wantErr)
		}
		if err != nil {
			continue
		}
		back, err := protojson.MarshalOptions{Resolver: ours}.Marshal(got)
		wantBack, wantErr := official.MarshalOptions{Resolver: theirs}.Marshal(want)
		if err != nil || wantErr != nil || string(back) != unspaced(wantBack, false) {
			t.Errorf("%s, %v; official: %s, %v", back, err, wantBack, wantErr)
		}
	}
}
