package main

import (
	"bytes"
	"context"

	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/protean-pb/protean/cmd/protean/internal/migrate"
	"github.com/protean-pb/protean/cmd/protean/internal/report"
)

// inferOrder is the order of a rollout in which an inferred change is proven: readers come first, since what is new in
// the schema is there for new documents.
const inferOrder = migrate.ReadersFirst

// proveMove proves what the change from the .proto file that there is to the new schema does to data.
func (r *inference) proveMove(ctx context.Context, current, next protoreflect.MessageDescriptor) error {
	if bytes.Equal(r.currentText, r.file.Print()) {
		return nil
	}
	before, err := migrate.NewSide(descriptorSet(current), string(current.FullName()))
	if err != nil {
		return err
	}
	after, err := migrate.NewSide(descriptorSet(next), string(next.FullName()))
	if err != nil {
		return err
	}
	r.move, err = migrate.Prove(ctx, before, after, migrate.Samples{}, migrate.Options{})
	return err
}

// descriptorSet returns the file of a message and what it imports.
func descriptorSet(md protoreflect.MessageDescriptor) *descriptorpb.FileDescriptorSet {
	set := &descriptorpb.FileDescriptorSet{}
	seen := map[string]bool{}
	var add func(protoreflect.FileDescriptor)
	add = func(fd protoreflect.FileDescriptor) {
		if seen[fd.Path()] {
			return
		}
		seen[fd.Path()] = true
		for i := range fd.Imports().Len() {
			add(fd.Imports().Get(i).FileDescriptor)
		}
		set.File = append(set.File, protodesc.ToFileDescriptorProto(fd))
	}
	add(md.ParentFile())
	return set
}

// moveSummary says whether old data is safe.
func moveSummary(m *migrate.Result) string {
	if m.Worst(inferOrder).Bad() {
		return "The change of the schema is not safe for old data: see below, and protean migrate."
	}
	return "The change of the schema is proven safe: new readers read what old writers write, in binary form and in " +
		"ProtoJSON."
}

// moveTable lists what harms old data.
func moveTable(m *migrate.Result) []report.Section {
	s := report.Section{Title: "What the change does to old data", Columns: []report.Column{
		{Head: "Path", Left: true}, {Head: "Form", Left: true}, {Head: "What", Left: true}, {Head: "Why", Left: true}}}
	for _, f := range m.Findings {
		if inferOrder.Has(f.Direction) && f.Class.Bad() {
			s.Rows = append(s.Rows, []report.Cell{
				{Text: f.Path}, {Text: f.Wire.String()}, {Text: f.Class.Text(), Tone: report.Bad}, {Text: f.Why},
			})
		}
	}
	if len(s.Rows) == 0 {
		return nil
	}
	return []report.Section{s}
}
