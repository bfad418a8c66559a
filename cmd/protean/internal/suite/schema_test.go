package suite

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/descriptorpb"
)

func TestMessage(t *testing.T) {
	s := ordersSchema(t)
	for _, tt := range []struct{ name, want string }{
		{"shop.orders.v1.Order", "shop.orders.v1.Order"},
		{".shop.orders.v1.Order", "shop.orders.v1.Order"},
		{"Order", "shop.orders.v1.Order"},
		{"v1.Order", "shop.orders.v1.Order"},
		{"LineItem.Option", "shop.orders.v1.LineItem.Option"},
		{"Dimensions", "shop.catalog.v1.Product.Dimensions"},
		{"google.protobuf.Struct", "google.protobuf.Struct"},
	} {
		if md := message(t, s, tt.name); string(md.FullName()) != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, md.FullName(), tt.want)
		}
	}
}

func TestMessageErrors(t *testing.T) {
	s := ordersSchema(t)
	for _, tt := range []struct{ name, want string }{
		{"shop.orders.v1.Ordr", "message shop.orders.v1.Ordr is not in the schema; did you mean shop.orders.v1.Order?"},
		{"shop.v1.LineItem", "message shop.v1.LineItem is not in the schema; did you mean shop.orders.v1.LineItem?"},
		{"oredr", "message oredr is not in the schema; did you mean shop.orders.v1.Order?"},
		{"rder", "message rder is not in the schema; did you mean shop.orders.v1.Order?"},
		{"LabelsEntry", "message LabelsEntry is not in the schema"},
		{"Order.Status", "message Order.Status is not in the schema"},
		{"Quux", "message Quux is not in the schema"},
		{"", "which message? the schema has shop.orders.v1.Order, shop.orders.v1.Customer, shop.orders.v1.LineItem, " +
			"shop.orders.v1.CardPayment, shop.orders.v1.BankTransfer, shop.orders.v1.Address, shop.orders.v1.Envelope"},
	} {
		_, err := s.Message(tt.name)
		wantError(t, err, tt.want)
	}
}

func TestMessageAmbiguousAndMany(t *testing.T) {
	files := map[string]string{
		"a.proto": `syntax = "proto3"; package a; message Event { message Part {} }`,
		"b.proto": `syntax = "proto3"; package b; message Event {}`,
		"c.proto": `syntax = "proto3"; package c; enum Kind { K = 0; }`,
		"d.proto": `syntax = "proto3"; package d;`,
	}
	for i := range 12 {
		files["d.proto"] += fmt.Sprintf("message Kind%c {}\n", 'A'+i)
	}
	s := must(inlineSchema(files, nil, "a.proto", "b.proto"))(t)
	_, err := s.Message("Event")
	wantError(t, err, "message Event is ambiguous: a.Event, b.Event")

	s = must(inlineSchema(files, nil, "b.proto"))(t)
	if got := message(t, s, "").FullName(); got != "b.Event" {
		t.Errorf("the only message is %s, want b.Event", got)
	}

	s = must(inlineSchema(files, nil, "c.proto"))(t)
	_, err = s.Message("")
	wantError(t, err, "the schema has no messages")

	s = must(inlineSchema(files, nil, "d.proto"))(t)
	_, err = s.Message("")
	wantError(t, err, "which message? the schema has d.KindA, d.KindB, d.KindC, d.KindD, d.KindE, d.KindF, d.KindG, "+
		"d.KindH, d.KindI, d.KindJ and 2 more")
	_, err = s.Message("KindX")
	wantError(t, err, "message KindX is not in the schema; did you mean d.KindA, d.KindB or d.KindC?")
}

// An import does not count where the user names no message.
func TestOnlyMessageIgnoresImports(t *testing.T) {
	s := must(inlineSchema(map[string]string{
		"a.proto": `syntax = "proto3"; package a; import "b.proto"; import "google/protobuf/timestamp.proto";
			message Event { b.Part part = 1; google.protobuf.Timestamp at = 2; }`,
		"b.proto": `syntax = "proto3"; package b; message Part {}`,
	}, nil, "a.proto"))(t)
	if got := message(t, s, "").FullName(); got != "a.Event" {
		t.Errorf("the only message is %s, want a.Event", got)
	}
}

func fileNames(set *descriptorpb.FileDescriptorSet) string {
	var names []string
	for _, f := range set.File {
		names = append(names, f.GetName())
	}
	return strings.Join(names, " ")
}

func TestFileSet(t *testing.T) {
	s := ordersSchema(t)
	set := s.FileSet()
	if got, want := fileNames(set), "google/protobuf/any.proto google/protobuf/duration.proto "+
		"google/protobuf/struct.proto google/protobuf/timestamp.proto google/protobuf/wrappers.proto "+
		"shop/catalog/v1/product.proto shop/orders/v1/order.proto"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if _, err := protodesc.NewFiles(set); err != nil {
		t.Errorf("the set is not complete: %v", err)
	}
	// The set is the caller's own.
	s.FileSet().File[0].Name = proto.String("changed")
	if name := s.FileSet().File[0].GetName(); name == "changed" {
		t.Error("a change of the set shows in the schema")
	}
}

func TestNoSourceInfo(t *testing.T) {
	for _, f := range ordersSchema(t).FileSet().File {
		if f.SourceCodeInfo != nil {
			t.Errorf("%s has source info", f.GetName())
		}
	}
}

// Comments are for those who look at descriptors; what is generated does not change with them.
func TestComments(t *testing.T) {
	s := must(inlineSchema(map[string]string{"a.proto": "syntax = \"proto3\";\n// An event.\nmessage Event {}"}, nil,
		"a.proto"))(t)
	set := s.FileSet()
	set.File[0].SourceCodeInfo = &descriptorpb.SourceCodeInfo{Location: []*descriptorpb.SourceCodeInfo_Location{
		{Path: []int32{4, 0}, Span: []int32{2, 0, 16}, LeadingComments: proto.String(" An event.\n")},
	}}
	path := t.TempDir() + "/set.binpb"
	if err := os.WriteFile(path, must(proto.Marshal(set))(t), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, s := range []*Schema{s, must(ReadDescriptorSet(path))(t)} {
		files := s.Files()
		if len(files) != 1 {
			t.Fatalf("%d files", len(files))
		}
		event := files[0].SourceLocations().ByDescriptor(files[0].Messages().Get(0))
		if got := event.LeadingComments; got != " An event.\n" {
			t.Errorf("comment %q", got)
		}
	}
}

// writeSet writes the schema of the orders as a descriptor set, but for some files.
func writeSet(t *testing.T, without ...string) string {
	t.Helper()
	set := new(descriptorpb.FileDescriptorSet)
	for _, f := range ordersSchema(t).FileSet().File {
		if !strings.Contains(strings.Join(without, " "), f.GetName()) {
			set.File = append(set.File, f)
		}
	}
	path := t.TempDir() + "/orders.binpb"
	if err := os.WriteFile(path, must(proto.Marshal(set))(t), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestDescriptorSet(t *testing.T) {
	for _, without := range [][]string{nil,
		{"google/protobuf/struct.proto", "google/protobuf/any.proto", "google/protobuf/wrappers.proto"}} {
		s := must(ReadDescriptorSet(writeSet(t, without...)))(t)
		if got, want := fileNames(s.FileSet()), fileNames(ordersSchema(t).FileSet()); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		samples, err := ReadSamples(s, message(t, s, "Order"), []string{"testdata/schemas/orders/orders.jsonl"}, Auto,
			nil)
		if err != nil || len(samples) != 16 {
			t.Errorf("%d samples, error %v", len(samples), err)
		}
		if _, err := s.Message(""); err == nil || strings.Contains(err.Error(), "google.protobuf") {
			t.Errorf("messages to choose from: %v", err)
		}
	}
}

func TestDescriptorSetErrors(t *testing.T) {
	lacking := writeSet(t, "shop/catalog/v1/product.proto")
	_, err := ReadDescriptorSet(lacking)
	wantError(t, err, lacking+": shop/orders/v1/order.proto imports shop/catalog/v1/product.proto, which the "+
		"descriptor set lacks; write it with --include_imports")

	_, err = ReadDescriptorSet("nope.binpb")
	wantError(t, err, "nope.binpb: no such file")
	_, err = ReadDescriptorSet(ordersProto)
	wantError(t, err, ordersProto+": not a descriptor set")

	inDir(t, map[string]string{
		"empty.binpb": "",
		"cycle.binpb": string(must(proto.Marshal(&descriptorpb.FileDescriptorSet{
			File: []*descriptorpb.FileDescriptorProto{
				{Name: proto.String("a.proto"), Dependency: []string{"b.proto"}},
				{Name: proto.String("b.proto"), Dependency: []string{"a.proto"}},
			},
		}))(t)),
	})
	_, err = ReadDescriptorSet("empty.binpb")
	wantError(t, err, "empty.binpb: not a descriptor set")
	if _, err = ReadDescriptorSet("cycle.binpb"); err == nil ||
		!strings.HasPrefix(err.Error(), "cycle.binpb: import cycle") {
		t.Errorf("cycle: %v", err)
	}
	_, err = ReadDescriptorSet(".")
	wantError(t, err, ".: is a directory")
}

func TestTypes(t *testing.T) {
	types := telemetrySchema(t).Types()
	if xt, err := types.FindExtensionByName("fleet.telemetry.tyres"); err != nil ||
		xt.TypeDescriptor().Number() != 100 {
		t.Errorf("extension by name: %v, %v", xt, err)
	}
	if xt, err := types.FindExtensionByNumber("fleet.telemetry.Report", 101); err != nil ||
		xt.TypeDescriptor().Name() != "driver_card" {
		t.Errorf("extension by number: %v, %v", xt, err)
	}
	if mt, err := types.FindMessageByURL("example.com/fleet.telemetry.Tyre"); err != nil ||
		mt.Descriptor().Name() != "Tyre" {
		t.Errorf("message by URL: %v, %v", mt, err)
	}
	// The schema does not import it, but the binary has it.
	if _, err := types.FindMessageByURL("type.googleapis.com/google.protobuf.Duration"); err != nil {
		t.Errorf("well-known type: %v", err)
	}
	// What the binary links for itself is none of the data's business.
	if _, err := types.FindMessageByName("google.protobuf.compiler.Version"); err == nil {
		t.Error("a linked message that is no well-known type resolves")
	}
}
