package jstypes

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// moduleDeclarations are the declarations of the module that scripts import.
const moduleDeclarations = "../../../../gojapb/protobuf.d.ts"

// wellKnown is what the last part of the module's declarations begins with.
const wellKnown = "\n  // ---- Well-known types, written by TestWellKnownTypes of the command\n"

// TestWellKnownTypes generates the last part of the module's own declarations, the
// types of package google.protobuf that each schema may refer to.
func TestWellKnownTypes(t *testing.T) {
	g := newGenerator([]protoreflect.FileDescriptor{
		anypb.File_google_protobuf_any_proto,
		durationpb.File_google_protobuf_duration_proto,
		emptypb.File_google_protobuf_empty_proto,
		fieldmaskpb.File_google_protobuf_field_mask_proto,
		structpb.File_google_protobuf_struct_proto,
		timestamppb.File_google_protobuf_timestamp_proto,
		wrapperspb.File_google_protobuf_wrappers_proto,
	}, nil, func(protoreflect.Descriptor) bool { return false })
	g.root.walk(func(n *node) {
		if n.message != nil && !inModule(n.message) || n.enum != nil && !inModule(n.enum) {
			t.Errorf("%s is not listed as a type of the module", n.path())
		}
	})
	g.p.depth++
	g.declarations()
	g.p.close()

	path := filepath.FromSlash(moduleDeclarations)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	own, _, ok := bytes.Cut(text, []byte(wellKnown))
	if !ok {
		t.Fatalf("%s has no line %q", path, wellKnown)
	}
	golden(t, path, bytes.Join([][]byte{own, g.p.text.Bytes()}, []byte(wellKnown)))
}
