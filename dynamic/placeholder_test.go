package dynamic_test

import (
	"math/rand/v2"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/internal/test/race"
	protean "github.com/protean-pb/protean/proto"
	proteanjson "github.com/protean-pb/protean/protojson"
)

// unresolved returns the descriptor of a file whose messages and enums are in part those of files that are missing.
func unresolved(t testing.TB, syntax string) protoreflect.FileDescriptor {
	t.Helper()
	text := `
		name: "unresolved.proto" package: "u" syntax: "` + syntax + `" dependency: "missing.proto"
		message_type {
			name: "M"
			field { name: "text" number: 1 type: TYPE_STRING label: LABEL_OPTIONAL }
			field { name: "sub" number: 2 type: TYPE_MESSAGE type_name: ".missing.Sub" label: LABEL_OPTIONAL }
			field { name: "subs" number: 3 type: TYPE_MESSAGE type_name: ".missing.Sub" label: LABEL_REPEATED }
			field { name: "map" number: 4 type: TYPE_MESSAGE type_name: ".u.M.MapEntry" label: LABEL_REPEATED }
			field {
				name: "one" number: 5
				type: TYPE_MESSAGE type_name: ".missing.Other" label: LABEL_OPTIONAL oneof_index: 0
			}
			field { name: "other" number: 6 type: TYPE_INT32 label: LABEL_OPTIONAL oneof_index: 0 }
			field { name: "enum" number: 7 type: TYPE_ENUM type_name: ".missing.Enum" label: LABEL_OPTIONAL }
			field { name: "enums" number: 8 type: TYPE_ENUM type_name: ".missing.Enum" label: LABEL_REPEATED }
			field { name: "enum_map" number: 9 type: TYPE_MESSAGE type_name: ".u.M.EnumMapEntry" label: LABEL_REPEATED }
			field { name: "self" number: 10 type: TYPE_MESSAGE type_name: ".u.M" label: LABEL_OPTIONAL }
			field {
				name: "time" number: 11
				type: TYPE_MESSAGE type_name: ".google.protobuf.Timestamp" label: LABEL_OPTIONAL
			}
			nested_type {
				name: "MapEntry" options { map_entry: true }
				field { name: "key" number: 1 type: TYPE_STRING label: LABEL_OPTIONAL }
				field { name: "value" number: 2 type: TYPE_MESSAGE type_name: ".missing.Sub" label: LABEL_OPTIONAL }
			}
			nested_type {
				name: "EnumMapEntry" options { map_entry: true }
				field { name: "key" number: 1 type: TYPE_INT32 label: LABEL_OPTIONAL }
				field { name: "value" number: 2 type: TYPE_ENUM type_name: ".missing.Enum" label: LABEL_OPTIONAL }
			}
			oneof_decl { name: "choice" }`
	if syntax == "proto2" {
		text += `
			extension_range { start: 100 end: 200 }`
	}
	text += `}`
	if syntax == "proto2" {
		text += `
		extension {
			name: "x_sub" extendee: ".u.M" number: 100
			type: TYPE_MESSAGE type_name: ".missing.Sub" label: LABEL_OPTIONAL
		}
		extension {
			name: "x_subs" extendee: ".u.M" number: 101
			type: TYPE_MESSAGE type_name: ".missing.Sub" label: LABEL_REPEATED
		}
		extension {
			name: "x_enum" extendee: ".u.M" number: 102
			type: TYPE_ENUM type_name: ".missing.Enum" label: LABEL_OPTIONAL
		}
		extension {
			name: "x_enums" extendee: ".u.M" number: 103
			type: TYPE_ENUM type_name: ".missing.Enum" label: LABEL_REPEATED
		}
		extension {
			name: "x_missing" extendee: ".missing.Sub" number: 104
			type: TYPE_INT32 label: LABEL_OPTIONAL
		}`
	}
	file := &descriptorpb.FileDescriptorProto{}
	if err := prototext.Unmarshal([]byte(text), file); err != nil {
		t.Fatal(err)
	}
	fd, err := protodesc.FileOptions{AllowUnresolvable: true}.New(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	return fd
}

// TestPlaceholders does random operations on messages of a type with fields of types that are not resolved, and
// reads and writes them.
func TestPlaceholders(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for _, syntax := range []string{"proto2", "proto3"} {
		md := unresolved(t, syntax).Messages().Get(0)
		for range race.Rounds(40) {
			in := make([]byte, 1500)
			for i := range in {
				in[i] = byte(r.Uint32())
			}
			operations(t, md, in)
		}
		for i := range md.Fields().Len() {
			fd := md.Fields().Get(i)
			for _, typ := range []protowire.Type{protowire.VarintType, protowire.BytesType, protowire.StartGroupType} {
				wire := protowire.AppendTag([]byte("\x0a\x01a"), fd.Number(), typ)
				switch typ {
				case protowire.VarintType:
					wire = append(wire, 3)
				case protowire.BytesType:
					wire = append(wire, 4, 8, 1, 16, 2)
				default:
					wire = protowire.AppendTag(append(wire, 8, 1), fd.Number(), protowire.EndGroupType)
				}
				ours, theirs := dynamic.NewMessage(md), dynamicpb.NewMessage(md)
				readAlike(t, protean.Unmarshal, proto.Unmarshal, wire, ours, theirs)
			}
			for _, value := range []string{
				`{}`, `[{}]`, `{"1":{}}`, `{"a":1}`, `3`, `[3]`, `{"1":3}`, `"NAME"`, `["NAME"]`, `{"1":"NAME"}`,
				`null`, `"1970-01-01T00:00:00Z"`,
			} {
				text := []byte(`{"text":"a","` + fd.JSONName() + `":` + value + `}`)
				if fd.JSONName() == "text" {
					text = []byte(`{"text":` + value + `}`)
				}
				ours, theirs := dynamic.NewMessage(md), dynamicpb.NewMessage(md)
				readAlike(t, proteanjson.Unmarshal, protojson.Unmarshal, text, ours, theirs)
			}
		}
	}
}

// readAlike compares what two functions read from in, and what then is written.
func readAlike(t *testing.T, ours, official func([]byte, proto.Message) error, in []byte, m, want proto.Message) {
	t.Helper()
	var err, wantErr error
	p := caught(func() { err = ours(in, m) })
	q := caught(func() { wantErr = official(in, want) })
	if (p == nil) != (q == nil) || (err == nil) != (wantErr == nil) || err == nil && p == nil && !proto.Equal(m, want) {
		t.Errorf("%q: %v, %v, %v\nofficial: %v, %v, %v", in, m, err, p, want, wantErr, q)
	}
	if err == nil && p == nil {
		clonesAgree(t, m, want)
		codecsAgree(t, m, want)
	}
}

// TestPlaceholderExtensions sets, writes and reads extension fields whose types are not resolved, or that extend a
// type that is not.
func TestPlaceholderExtensions(t *testing.T) {
	file := unresolved(t, "proto2")
	md := file.Messages().Get(0)
	for i := range file.Extensions().Len() {
		xd := file.Extensions().Get(i)
		ours, theirs := dynamic.NewMessage(md), dynamicpb.NewMessage(md)
		for _, use := range []func(m protoreflect.Message, fd protoreflect.ExtensionTypeDescriptor){
			func(m protoreflect.Message, fd protoreflect.ExtensionTypeDescriptor) { m.Get(fd) },
			func(m protoreflect.Message, fd protoreflect.ExtensionTypeDescriptor) { m.Set(fd, m.NewField(fd)) },
			func(m protoreflect.Message, fd protoreflect.ExtensionTypeDescriptor) { m.Mutable(fd) },
			func(m protoreflect.Message, fd protoreflect.ExtensionTypeDescriptor) {
				if fd.IsList() {
					l := m.Mutable(fd).List()
					l.Append(l.NewElement())
				} else if fd.Enum() != nil {
					m.Set(fd, protoreflect.ValueOfEnum(3))
				}
			},
			func(m protoreflect.Message, fd protoreflect.ExtensionTypeDescriptor) {
				if fd.IsList() && fd.Enum() != nil {
					m.Mutable(fd).List().Append(protoreflect.ValueOfEnum(3))
				}
			},
		} {
			p := caught(func() { use(ours, dynamic.NewExtensionType(xd).TypeDescriptor()) })
			q := caught(func() { use(theirs, dynamicpb.NewExtensionType(xd).TypeDescriptor()) })
			if (p == nil) != (q == nil) {
				t.Errorf("%v: %v, dynamicpb: %v", xd.FullName(), p, q)
			}
		}
		clonesAgree(t, ours, theirs)
		writersAgree(t, ours, theirs)
	}
}
