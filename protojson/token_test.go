package protojson_test

import (
	"fmt"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/anypb"

	"github.com/protean-pb/protean/internal/test/race"
	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/editionpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/legacypb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/wellknownpb"
	"github.com/protean-pb/protean/protojson"
)

// TestUnmarshalOfOddTokens puts every odd token in every place of the messages that have fields of all
// kinds: as a value, an element, a value of a map.
func TestUnmarshalOfOddTokens(t *testing.T) {
	skipIfBrief(t)
	for _, m := range []proto.Message{
		new(benchpb.Optional), new(benchpb.Packed), new(benchpb.KeyMaps), new(benchpb.ValueMaps), new(benchpb.Choice),
		new(legacypb.Enums), new(legacypb.Extendable), new(legacypb.Groups), new(legacypb.RequiredBelow),
		new(legacypb.HoldsMessageSet),
		new(editionpb.Presence), new(editionpb.Enums), new(editionpb.Delimited), new(editionpb.Extendable),
		new(editionpb.Text),
		new(wellknownpb.Singular), new(wellknownpb.Repeated), new(wellknownpb.Maps), new(wellknownpb.Choice),
	} {
		t.Run(string(m.ProtoReflect().Descriptor().FullName()), func(t *testing.T) {
			for _, m := range forms(t, m) {
				for i, place := range places(m.ProtoReflect().Descriptor()) {
					for j, token := range oddTokens {
						o := protojson.UnmarshalOptions{AllowPartial: true, DiscardUnknown: (i+j)%2 == 0}
						checkUnmarshal(t, []byte(fmt.Sprintf(place, token)), m, o)
					}
				}
			}
		})
	}
}

// places are texts of the message with one place for a token.
func places(md protoreflect.MessageDescriptor) (all []string) {
	fds := extensionsOf(md)
	for i := range md.Fields().Len() {
		fds = append(fds, md.Fields().Get(i))
	}
	for _, fd := range fds {
		name := strings.ReplaceAll(literal(fd.JSONName()), "%", "%%")
		switch {
		case fd.IsMap() && fd.MapKey().Kind() == protoreflect.StringKind:
			all = append(all, "{"+name+`:{"k":%s}}`)
		case fd.IsMap():
			all = append(all, "{"+name+`:{"1":%s}}`)
		case fd.IsList():
			all = append(all, "{"+name+":[%s]}")
		}
		all = append(all, "{"+name+":%s}")
	}
	return all
}

// TestUnmarshalOfOddKeys puts every odd name and token in the place of a key, alone and beside another.
func TestUnmarshalOfOddKeys(t *testing.T) {
	keys := append([]string{}, oddNames...)
	for _, token := range oddTokens {
		keys = append(keys, `"`+strings.Trim(token, `"`)+`"`)
	}
	for _, m := range forms(t, new(benchpb.KeyMaps)) {
		fds := m.ProtoReflect().Descriptor().Fields()
		for i := range fds.Len() {
			value := `"v"`
			if fds.Get(i).MapValue().Message() != nil {
				value = `{"id":1}`
			}
			for _, key := range keys {
				for _, text := range []string{"{%q:{%s:%s}}", `{%q:{%s:%s,"1":%[3]s}}`, `{%q:{%s:%s,"true":%[3]s}}`}[:race.Rounds(3)] {
					checkUnmarshal(t, []byte(fmt.Sprintf(text, fds.Get(i).JSONName(), key, value)), m,
						protojson.UnmarshalOptions{})
				}
			}
		}
	}
}

// TestUnmarshalOfOddRoots reads every odd token as a message of every type, with limits of depth that
// some of them exceed.
func TestUnmarshalOfOddRoots(t *testing.T) {
	eachType(t, func(t *testing.T, k kind, mt protoreflect.MessageType) {
		for i, token := range oddTokens {
			if race.Brief() && i%8 != len(mt.Descriptor().Name())%8 {
				continue // of like types, each has other tokens
			}
			o := protojson.UnmarshalOptions{AllowPartial: true, DiscardUnknown: i%2 == 0}
			checkUnmarshal(t, []byte(token), k.New(mt), o)
			if mt.Descriptor().ParentFile().Package() == "google.protobuf" {
				o.RecursionLimit = 1 + i%3
				checkUnmarshal(t, []byte(token), k.New(mt), o)
				checkUnmarshal(t, []byte(" [ "+token+"\n]\t"), k.New(mt), o)
				checkUnmarshal(t, []byte(`{"a":`+token+`}`), k.New(mt), o)
				checkUnmarshal(t, []byte(`{"@type":"google.protobuf.`+string(mt.Descriptor().Name())+`","value":`+token+`}`), new(anypb.Any), o)
				checkUnmarshal(t, []byte(`{"value":`+token+`,"@type":"google.protobuf.`+string(mt.Descriptor().Name())+`"}`), new(anypb.Any), o)
			}
		}
	})
}
