package proto_test

import (
	"bytes"
	"fmt"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/internal/test/race"
	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/legacypb"
	"github.com/protean-pb/protean/proto"
)

// children returns a message of messages in messages, with a list of messages of which each has what others lack.
func children(n int) *benchpb.Tree {
	t := tree(3)
	for i := range n {
		c := &benchpb.Tree{Name: fmt.Sprint("child ", i), Left: &benchpb.Tree{Name: "left"}}
		if i%3 > 0 {
			c.Right = tree(i % 3)
		}
		t.Children = append(t.Children, c)
	}
	return t
}

// TestUnmarshalOfDamagedInput reads messages that are cut off, or not as they were, at any place, as the official
// library does. The types have been read before, so that it is known what memory their messages take.
func TestUnmarshalOfDamagedInput(t *testing.T) {
	eachShape(t, t.Run, func(t *testing.T, wire []byte, _, ours func() proto.Message) {
		anywhere(t, wire, ours)
	})
	wire, err := proto.Marshal(children(5))
	if err != nil {
		t.Fatal(err)
	}
	anywhere(t, wire, func() proto.Message { return new(benchpb.Tree) })
}

func anywhere(t *testing.T, wire []byte, news func() proto.Message) {
	for range 40 {
		if err := proto.Unmarshal(wire, news()); err != nil {
			t.Fatal(err)
		}
	}
	m := news()
	for depth := -1; depth < 20; depth++ {
		checkWay(t, wire, m, proto.UnmarshalOptions{RecursionLimit: depth})
		checkWay(t, nil, m, proto.UnmarshalOptions{RecursionLimit: depth, AllowPartial: true})
	}
	places := 100
	if race.Brief() {
		places = 20
	}
	for at := 0; at < len(wire); at += 1 + len(wire)/places {
		checkWay(t, wire[:at], m, proto.UnmarshalOptions{AllowPartial: true})
		for _, c := range []byte{0, 1, 0x12, 0x80, 0xff, wire[at] + 1, wire[at] ^ 0x80} {
			b := bytes.Clone(wire)
			b[at] = c
			checkWay(t, b, m, proto.UnmarshalOptions{AllowPartial: true})
			checkWay(t, b, m, proto.UnmarshalOptions{AllowPartial: true, AliasInput: true, Merge: true})
		}
	}
}

// TestUnmarshalFindsRequiredFieldsAnywhere reads messages in which one required field is missing, wherever there is
// one, where it is known what memory they take.
func TestUnmarshalFindsRequiredFieldsAnywhere(t *testing.T) {
	required := func() *legacypb.Required { return filled(new(legacypb.Required)) }
	below := func() *legacypb.RequiredBelow {
		return &legacypb.RequiredBelow{
			Message: required(), List: []*legacypb.Required{required(), required(), required()},
			Below: &legacypb.RequiredBelow_Below{Name: proto.String("below"), Message: required()},
		}
	}
	m := below()
	m.Self = below()
	partial := proto.MarshalOptions{AllowPartial: true}
	read := func() {
		wire, err := partial.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		checkWay(t, wire, m, proto.UnmarshalOptions{})
		checkWay(t, wire, m, proto.UnmarshalOptions{AllowPartial: true, AliasInput: true})
	}
	for range 40 {
		read()
	}
	n := 0
	eachRequired(m.ProtoReflect(), func(m protoreflect.Message, f protoreflect.FieldDescriptor) {
		v := m.Get(f)
		m.Clear(f)
		read()
		m.Set(f, v)
		n++
	})
	if read(); n < 150 {
		t.Fatalf("only %d required fields", n)
	}
}

// eachRequired calls do for each required field that is set in m and below.
func eachRequired(m protoreflect.Message, do func(protoreflect.Message, protoreflect.FieldDescriptor)) {
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		if f.IsList() && f.Message() != nil {
			for i := range v.List().Len() {
				eachRequired(v.List().Get(i).Message(), do)
			}
		} else if f.Message() != nil {
			eachRequired(v.Message(), do)
		}
		if f.Cardinality() == protoreflect.Required {
			do(m, f)
		}
		return true
	})
}
