package protojson_test

import (
	"fmt"
	"testing"

	official "google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/internal/test/race"
	"github.com/protean-pb/protean/protojson"
)

// compile returns the messages of a file, which is given as the text form of its descriptor.
func compile(t testing.TB, file string) protoreflect.MessageDescriptors {
	t.Helper()
	p := new(descriptorpb.FileDescriptorProto)
	if err := prototext.Unmarshal([]byte(file), p); err != nil {
		t.Fatal(err)
	}
	fd, err := protodesc.NewFile(p, protoregistry.GlobalFiles)
	if err != nil {
		t.Fatal(err)
	}
	return fd.Messages()
}

// namesFile has fields with names of their own in JSON; some of those are other fields' names.
const namesFile = `
	name: "names.proto" package: "names" syntax: "proto2"
	message_type {
		name: "Names"
		field { name: "plain_name" number: 1 label: LABEL_OPTIONAL type: TYPE_INT32 }
		field { name: "own" number: 2 label: LABEL_OPTIONAL type: TYPE_INT32 json_name: "Own Name" }
		field { name: "a" number: 3 label: LABEL_OPTIONAL type: TYPE_INT32 json_name: "b" }
		field { name: "b" number: 4 label: LABEL_OPTIONAL type: TYPE_INT32 json_name: "c" }
		field { name: "c" number: 5 label: LABEL_OPTIONAL type: TYPE_INT32 json_name: "a" }
		field { name: "quoted" number: 6 label: LABEL_OPTIONAL type: TYPE_STRING json_name: "\"\\\n\001\302\205\342\200\250\360\237\230\200" }
		field { name: "empty" number: 7 label: LABEL_OPTIONAL type: TYPE_INT32 json_name: "" }
		field { name: "type" number: 8 label: LABEL_OPTIONAL type: TYPE_INT32 json_name: "@kind" }
		field { name: "bracket" number: 9 label: LABEL_OPTIONAL type: TYPE_INT32 json_name: "x]" }
		field { name: "_under_score_" number: 10 label: LABEL_OPTIONAL type: TYPE_INT32 }
		field { name: "double__under" number: 11 label: LABEL_OPTIONAL type: TYPE_INT32 }
		field { name: "UPPER_Case" number: 12 label: LABEL_OPTIONAL type: TYPE_INT32 }
		field { name: "digit_1_x2" number: 13 label: LABEL_OPTIONAL type: TYPE_INT32 }
		field { name: "mygroup" number: 14 label: LABEL_OPTIONAL type: TYPE_GROUP type_name: ".names.Names.MyGroup" }
		field { name: "list" number: 16 label: LABEL_REPEATED type: TYPE_MESSAGE type_name: ".names.Names" json_name: "\303\251" }
		field { name: "kind" number: 17 label: LABEL_OPTIONAL type: TYPE_ENUM type_name: ".names.Kind" }
		nested_type { name: "MyGroup" field { name: "in_group" number: 1 label: LABEL_OPTIONAL type: TYPE_INT32 } }
		extension_range { start: 100 end: 200 }
	}
	message_type { name: "Nothing" }
	enum_type {
		name: "Kind"
		value { name: "ZERO" number: 0 } value { name: "ONE" number: 1 } value { name: "two" number: 2 }
		value { name: "ALSO_ONE" number: 1 } options { allow_alias: true }
	}
	extension { name: "ext" number: 100 label: LABEL_OPTIONAL type: TYPE_INT32 extendee: ".names.Names" }
	extension { name: "mygroup2" number: 101 label: LABEL_OPTIONAL type: TYPE_GROUP type_name: ".names.MyGroup2" extendee: ".names.Names" }
	message_type { name: "MyGroup2" }
`

// TestFieldsByAllTheirNames reads and writes fields by all names that they may or may not have.
func TestFieldsByAllTheirNames(t *testing.T) {
	md := compile(t, namesFile).ByName("Names")
	types := dynamic.NewTypes(registry(t, md.ParentFile()))
	names := []string{"", "unknown", "Own Name", "own name", "PlainName", "plain-name", "mygroup", "MyGroup", "myGroup",
		"@type", "[names.ext]", "[names.nothing]", "[names.Names]", "[names.mygroup2]", "[names.MyGroup2]", "[protean.test.legacy.ext_int32]", "[names.ext", "names.ext", "ignored", "[]", "[ names.ext]"}
	for i := range md.Fields().Len() {
		fd := md.Fields().Get(i)
		names = append(names, string(fd.Name()), fd.JSONName(), fd.TextName(), fd.JSONName()+"\x00",
			string(fd.Name())+" ")
	}
	values := []string{"1", `{"inGroup":1}`, `[{"é":[],"list":null}]`, `"é"`, `"ALSO_ONE"`}
	for _, empty := range []proto.Message{dynamic.NewMessage(md), dynamicpb.NewMessage(md)} {
		for _, o := range []protojson.UnmarshalOptions{{}, {DiscardUnknown: true}, {Resolver: types}} {
			for _, name := range names {
				for i, value := range values[:race.Rounds(len(values))] {
					member := literal(name) + ":" + value
					checkUnmarshal(t, []byte("{"+member+"}"), empty, o)
					for j, other := range names { // twice by the same name, or two
						if i != j%len(values) {
							continue
						}
						checkUnmarshal(t, fmt.Appendf(nil, "{%s,%s:%s}", member, literal(other), value), empty, o)
					}
				}
			}
		}
		m := empty.ProtoReflect().New()
		for i := range md.Fields().Len() {
			if fd := md.Fields().Get(i); fd.IsList() {
				m.Mutable(fd).List().AppendMutable()
			} else if fd.Message() != nil {
				m.Mutable(fd)
			} else {
				m.Set(fd, m.NewField(fd))
			}
		}
		for way := range uint16(64) {
			checkMarshal(t, m.Interface(), marshalWay(way))
			checkMarshal(t, empty, marshalWay(way))
		}
	}
}

func registry(t testing.TB, fd protoreflect.FileDescriptor) *protoregistry.Files {
	t.Helper()
	files := new(protoregistry.Files)
	if err := files.RegisterFile(fd); err != nil {
		t.Fatal(err)
	}
	return files
}

// lookalikes have names of well-known types, but not their fields, or not their package.
const lookalikes = `
	name: "lookalikes.proto" package: "acme.protobuf" syntax: "proto3"
	message_type { name: "Timestamp" field { name: "seconds" number: 1 label: LABEL_OPTIONAL type: TYPE_INT64 } }
	message_type { name: "Value" field { name: "null_value" number: 1 label: LABEL_OPTIONAL type: TYPE_INT64 } }
	message_type { name: "Any" field { name: "type_url" number: 1 label: LABEL_OPTIONAL type: TYPE_STRING } }
	message_type { name: "Empty" }
	message_type {
		name: "Holder"
		field { name: "at" number: 1 label: LABEL_OPTIONAL type: TYPE_MESSAGE type_name: ".acme.protobuf.Timestamp" }
		field { name: "null" number: 2 label: LABEL_OPTIONAL type: TYPE_ENUM type_name: ".acme.protobuf.NullValue" }
		field { name: "any" number: 3 label: LABEL_OPTIONAL type: TYPE_MESSAGE type_name: ".acme.protobuf.Any" }
		field { name: "value" number: 4 label: LABEL_REPEATED type: TYPE_MESSAGE type_name: ".acme.protobuf.Value" }
	}
	enum_type { name: "NullValue" value { name: "NULL_VALUE" number: 0 } }
`

// TestLookalikesAreOrdinaryMessages takes them for ordinary messages.
func TestLookalikesAreOrdinaryMessages(t *testing.T) {
	mds := compile(t, lookalikes)
	for i := range mds.Len() {
		for _, m := range []proto.Message{dynamic.NewMessage(mds.Get(i)), dynamicpb.NewMessage(mds.Get(i))} {
			for _, text := range []string{
				`{}`, `null`, `"1970-01-01T00:00:00Z"`, `{"seconds":1}`, `{"nullValue":"5"}`, `{"typeUrl":"x"}`, `{"@type":"google.protobuf.Empty"}`,
				`{"at":{"seconds":5}}`, `{"at":null,"null":null}`, `{"null":0}`, `{"null":"NULL_VALUE"}`, `{"any":{}}`, `{"value":[{}]}`, `{"value":[null]}`,
			} {
				checkUnmarshal(t, []byte(text), m, protojson.UnmarshalOptions{})
			}
			for way := range uint16(64) {
				checkMarshal(t, m, marshalWay(way))
			}
			full := m.ProtoReflect().New()
			fill(full, seeded(1), 10)
			checkMarshal(t, full.Interface(), protojson.MarshalOptions{EmitUnpopulated: true})
		}
	}
}

// TestFirstFieldOfANameIsFound has two fields with the same name in JSON, which proto2 allows: the first is found.
func TestFirstFieldOfANameIsFound(t *testing.T) {
	md := compile(t, `
		name: "twice.proto" package: "twice" syntax: "proto2"
		message_type {
			name: "Twice" options { deprecated_legacy_json_field_conflicts: true }
			field { name: "first" number: 2 label: LABEL_OPTIONAL type: TYPE_INT32 json_name: "same" }
			field { name: "second" number: 1 label: LABEL_OPTIONAL type: TYPE_INT32 json_name: "same" }
			field { name: "same" number: 3 label: LABEL_OPTIONAL type: TYPE_INT32 }
			field { name: "foo_bar" number: 4 label: LABEL_OPTIONAL type: TYPE_INT32 }
			field { name: "fooBar" number: 5 label: LABEL_OPTIONAL type: TYPE_INT32 }
			field { name: "foo__bar" number: 6 label: LABEL_OPTIONAL type: TYPE_INT32 }
		}`).Get(0)
	for _, m := range []proto.Message{dynamic.NewMessage(md), dynamicpb.NewMessage(md)} {
		for _, text := range []string{
			`{"same":1}`, `{"first":1,"second":2}`, `{"same":1,"first":2}`, `{"same":1,"second":2}`, `{"fooBar":1}`, `{"foo_bar":1,"fooBar":2}`, `{"foo__bar":3}`, `{"foo_bar":1,"foo__bar":2}`, `{"FooBar":1}`,
		} {
			checkUnmarshal(t, []byte(text), m, protojson.UnmarshalOptions{})
		}
		full := m.ProtoReflect().New()
		for i := range md.Fields().Len() {
			full.Set(md.Fields().Get(i), protoreflect.ValueOfInt32(int32(i)))
		}
		got, err := protojson.Marshal(full.Interface())
		want, wantErr := official.Marshal(asOfficial(full.Interface()))
		if string(got) != unspaced(want, false) || err != nil || wantErr != nil {
			t.Errorf("%s, %v; official: %s, %v", got, err, want, wantErr)
		}
	}
}
