package decode_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/test/race"
	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/wire/decode"
)

// nodes has messages in messages of the same type, with required fields.
const nodes = `
	name: "nodes.proto" package: "nodes" syntax: "proto2"
	message_type {
		name: "Node"
		field { name: "a" number: 1 label: LABEL_REQUIRED type: TYPE_INT32 }
		field { name: "b" number: 2 label: LABEL_REQUIRED type: TYPE_INT32 }
		field { name: "next" number: 3 label: LABEL_OPTIONAL type: TYPE_MESSAGE type_name: ".nodes.Node" }
		field { name: "list" number: 4 label: LABEL_REPEATED type: TYPE_MESSAGE type_name: ".nodes.Node" }
		field { name: "text" number: 5 label: LABEL_OPTIONAL type: TYPE_BYTES }
		field { name: "group" number: 6 label: LABEL_OPTIONAL type: TYPE_GROUP type_name: ".nodes.Node.Group" }
		field { name: "far" number: 20 label: LABEL_OPTIONAL type: TYPE_GROUP type_name: ".nodes.Node.Far" }
		field { name: "groups" number: 21 label: LABEL_REPEATED type: TYPE_GROUP type_name: ".nodes.Node.Groups" }
		nested_type { name: "Group"
			field { name: "a" number: 1 label: LABEL_REQUIRED type: TYPE_INT32 }
			field { name: "b" number: 2 label: LABEL_OPTIONAL type: TYPE_INT32 }
			field { name: "node" number: 3 label: LABEL_OPTIONAL type: TYPE_MESSAGE type_name: ".nodes.Node" }
		}
		nested_type { name: "Groups"
			field { name: "a" number: 1 label: LABEL_REQUIRED type: TYPE_INT32 }
			field { name: "b" number: 2 label: LABEL_OPTIONAL type: TYPE_INT32 }
			field { name: "node" number: 3 label: LABEL_OPTIONAL type: TYPE_MESSAGE type_name: ".nodes.Node" }
		}
		nested_type { name: "Far"
			field { name: "a" number: 1 label: LABEL_REQUIRED type: TYPE_INT32 }
			field { name: "b" number: 2 label: LABEL_OPTIONAL type: TYPE_INT32 }
			field { name: "node" number: 3 label: LABEL_OPTIONAL type: TYPE_MESSAGE type_name: ".nodes.Node" }
		}
	}`

// appendNode appends fields of a Node, or of a Group, in any order and number. Few lack what is required, or end where
// they must not.
func appendNode(b []byte, r *rand.Rand, depth int, group bool) []byte {
	required := r.Perm(2)
	for range r.IntN(6) {
		if len(required) > 0 && r.IntN(3) == 0 {
			b = append(b, byte(required[0]+1)<<3, byte(r.IntN(100)))
			required = required[1:]
		}
		k := protowire.Number(r.IntN(6))
		switch {
		case depth == 0:
		case k < 2 || group && k < 4:
			b = protowire.AppendTag(b, 3+k%2, protowire.BytesType)
			b = protowire.AppendBytes(b, appendNode(nil, r, depth-1, false))
		case k < 4:
			number := []protowire.Number{6, 20, 21}[r.IntN(3)]
			b = protowire.AppendTag(b, number, protowire.StartGroupType)
			b = appendNode(b, r, depth-1, true)
			if r.IntN(50) == 0 {
				number += 16 // whose tag begins with the same byte, if it has two
			}
			b = protowire.AppendTag(b, number, protowire.EndGroupType)
		case k == 4:
			b = protowire.AppendTag(b, 5, protowire.BytesType)
			b = protowire.AppendBytes(b, make([]byte, r.IntN(200))) // some of a two-byte length
		default:
			b = protowire.AppendTag(b, 7, protowire.VarintType) // unknown
			b = append(b, 1)
		}
	}
	for _, f := range required {
		if r.IntN(40) > 0 {
			b = append(b, byte(f+1)<<3, 1)
		}
	}
	return b
}

// TestMergeFindsRequiredFieldsInAnyOrder reads messages in messages whose required fields come before others and behind
// them.
func TestMergeFindsRequiredFieldsInAnyOrder(t *testing.T) {
	md := describe(t, nodes)
	r := rand.New(rand.NewPCG(3, 4))
	empty := func() proto.Message { return dynamic.NewMessage(md) }
	failed, whole := 0, 0
	read := func(in string, limit int) {
		t.Helper()
		if _, err := check(t, in, empty, decode.Options{Depth: limit}); err != nil {
			failed++
		} else {
			whole++
		}
	}
	for range race.Rounds(8_000) {
		in := appendNode(nil, r, 5, false)
		if n := len(in); r.IntN(10) == 0 && n > 0 {
			in = in[:n-1-r.IntN(min(n, 3))]
		}
		read(string(in), 1+r.IntN(8))
	}
	for i := range 50 { // a group of many fields, of all lengths around 64 KB
		read("\x10\x01\x33\x08\x01\x34"+strings.Repeat("\x08\x01", 32<<10-i)+"\x33"+strings.Repeat("\x08\x01",
			60)+"\x34", 10)
	}
	// What ends a group lies behind the input.
	behind := []byte("\x10\x01\x33\x08\x01\x34\x08\x01\x33\x08\x01\x34")
	l, p := layout.Of(empty())
	if _, err := decode.Merge(behind[:11], l, p, &decode.Options{Depth: 10}); !errors.Is(err, protoerr.ErrTruncated) {
		t.Error(err)
	}
	// The third of a list lacks what the second has behind its own, and has an unknown field.
	const complete = "\x22\x04\x08\x01\x10\x01"
	read(complete+"\x22\x0a\x08\x01\x10\x01\x1a\x04\x08\x01\x10\x01"+"\x22\x04\x08\x01\x38\x01"+strings.Repeat(complete,
		6)+"\x08\x01\x10\x01", 10)
	if whole < 500 || failed < 500 {
		t.Errorf("%d were read and %d were not", whole, failed)
	}
}

// TestMergeFindsRequiredFieldsOfFlatMessages reads a message without others in it that lacks any of its required
// fields, or may not be nested at all.
func TestMergeFindsRequiredFieldsOfFlatMessages(t *testing.T) {
	md := describe(t, `name: "alone.proto" package: "alone" syntax: "proto2" message_type {
		name: "Alone"
		field { name: "a" number: 1 label: LABEL_REQUIRED type: TYPE_INT32 }
		field { name: "b" number: 2 label: LABEL_REQUIRED type: TYPE_STRING }
		field { name: "c" number: 3 label: LABEL_OPTIONAL type: TYPE_FIXED64 }
	}`)
	fields := []string{"\x08\x01", sub(2, "text"), "\x1912345678"}
	for which := range 1 << len(fields) {
		wire := ""
		for i, f := range fields {
			if which>>i&1 > 0 {
				wire += f
			}
		}
		for _, o := range []decode.Options{{}, {AllowPartial: true}, {Depth: 1}, {Depth: -1, AllowPartial: true}} {
			_, _ = check(t, wire, func() proto.Message { return dynamic.NewMessage(md) }, o)
			_, _ = check(t, wire, func() proto.Message { return new(benchpb.Leaf) }, o) // which has none
		}
	}
}

// describe returns the first message type of a file in text form.
func describe(t *testing.T, file string) protoreflect.MessageDescriptor {
	t.Helper()
	fdp := new(descriptorpb.FileDescriptorProto)
	if err := prototext.Unmarshal([]byte(file), fdp); err != nil {
		t.Fatal(err)
	}
	fd, err := protodesc.NewFile(fdp, nil)
	if err != nil {
		t.Fatal(err)
	}
	return fd.Messages().Get(0)
}
