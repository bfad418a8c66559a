package variant

import (
	"errors"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/cmd/protean/internal/envelope/envelopepb"
	"github.com/protean-pb/protean/cmd/protean/internal/suite"
)

func TestFieldOf(t *testing.T) {
	s, err := suite.Builtin("script")
	if err != nil {
		t.Fatal(err)
	}
	user := s.Payloads[0].Message
	flat := new(envelopepb.JSONEnvelope).ProtoReflect().Descriptor()
	for _, tt := range []struct {
		md   protoreflect.MessageDescriptor
		op   string
		name string // of the field, or a part of why there is none
	}{
		{user, SetGet, "name"},
		{user, Repeated, "tags"},
		{user, Map, "labels"},
		{flat, SetGetProperty, "json_data"},
		{flat, Repeated, "JSONEnvelope has no field that is a list of text"},
		{flat, Map, "JSONEnvelope has no field that is a map from text"},
	} {
		f, err := FieldOf(tt.md, tt.op)
		switch {
		case err != nil && (!errors.Is(err, ErrNotApplicable) || !strings.Contains(err.Error(), tt.name)):
			t.Errorf("%s of %s: %v, want %s", tt.op, tt.md.Name(), err, tt.name)
		case err == nil && !strings.Contains(string(f.Name()), tt.name):
			t.Errorf("%s of %s is on %s, want %s", tt.op, tt.md.Name(), f.Name(), tt.name)
		}
	}
}

// TestOnly checks that what an operation sets is what the sample has, or something that no
// reader takes for nothing.
func TestOnly(t *testing.T) {
	m := &envelopepb.StringMap{Entries: map[string]string{"a": "b"}}
	f := m.ProtoReflect().Descriptor().Fields().ByName("entries")
	if err := CheckOnly(m, f, proto.Clone(m)); err != nil {
		t.Error(err)
	}
	if err := CheckOnly(m, f, new(envelopepb.StringMap)); err == nil {
		t.Error("nothing passes for an entry")
	}
	none := new(envelopepb.StringMap)
	if n := Only(none, f).Get(f).Map().Len(); n != standInEntries {
		t.Errorf("%d entries stand in, want %d", n, standInEntries)
	}
	if err := CheckOnly(none, f, none); err == nil {
		t.Error("nothing passes for what stands in")
	}
}
