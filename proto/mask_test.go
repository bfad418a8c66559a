package proto_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	official "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/internal/test/race"
	"github.com/protean-pb/protean/internal/testpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/proto3pb"
	"github.com/protean-pb/protean/proto"
)

// A wanted is a set of fields as the test understands it: those that are not in it are cleared.
type wanted map[protoreflect.Name]wanted

// whole is the set of a field that is wanted with all that is in it.
var whole = wanted{}

// randomPaths returns paths of messages that md describes.
func randomPaths(md protoreflect.MessageDescriptor, r *rand.Rand) (paths []string) {
	for range 1 + r.IntN(6) {
		path, at := "", md
		for at != nil && at.Fields().Len() > 0 {
			fd := at.Fields().Get(r.IntN(at.Fields().Len()))
			if at = fd.Message(); fd.IsMap() {
				at = fd.MapValue().Message()
			}
			if path += "." + string(fd.Name()); r.IntN(3) == 0 {
				break
			}
		}
		if path != "" {
			paths = append(paths, path[1:])
		}
	}
	return paths
}

func wantedOf(paths []string) wanted {
	all := wanted{}
	for _, path := range paths {
		w := all
		steps := strings.Split(path, ".")
		for i, step := range steps {
			name := protoreflect.Name(step)
			if sub, ok := w[name]; ok && len(sub) == 0 {
				break // all of it is wanted
			}
			if i == len(steps)-1 {
				w[name] = whole
			} else if w[name] == nil {
				w[name] = wanted{}
			}
			w = w[name]
		}
	}
	return all
}

// keep clears all of m that is not wanted.
func (w wanted) keep(m protoreflect.Message) {
	m.SetUnknown(nil)
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		sub, ok := w[fd.Name()]
		switch {
		case !ok || fd.IsExtension():
			m.Clear(fd)
		case len(sub) == 0:
		case fd.IsMap():
			v.Map().Range(func(_ protoreflect.MapKey, v protoreflect.Value) bool {
				sub.keep(v.Message())
				return true
			})
		case fd.IsList():
			for i := range v.List().Len() {
				sub.keep(v.List().Get(i).Message())
			}
		default:
			sub.keep(v.Message())
		}
		return true
	})
}

// checkMask compares what is read of b with what the official library reads, where all else is then cleared.
func checkMask(t *testing.T, c testpb.Choice, b []byte, paths []string, arena *proto.Arena) {
	t.Helper()
	mask, err := proto.NewMask(c.Type.Descriptor(), paths...)
	if err != nil {
		t.Fatal(err)
	}
	got := c.Empty()
	err = proto.UnmarshalOptions{Mask: mask, Arena: arena}.Unmarshal(b, got)
	want := emptyOfficial(got)
	if wantErr := unmarshalOfficial(official.UnmarshalOptions{AllowPartial: true}, b, want); wantErr != nil {
		return // perhaps in what is skipped
	}
	if err != nil {
		t.Fatalf("%T, %q of %x: %v", got, paths, b, err)
	}
	wantedOf(paths).keep(want.ProtoReflect())
	sorted := official.MarshalOptions{Deterministic: true, AllowPartial: true}
	g, _ := sorted.Marshal(got)
	w, _ := sorted.Marshal(want)
	if !sameBytes(want, g, w) {
		t.Fatalf("%T, %q of %x:\n%v, want\n%v", got, paths, b, got, want)
	}
}

// TestMask reads random fields of random messages of all types.
func TestMask(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var arena proto.Arena
	for range race.Rounds(30) {
		for _, c := range choices() {
			m := c.Type.New()
			testpb.Fill(m, r, r.IntN(60))
			b, err := official.MarshalOptions{AllowPartial: true}.Marshal(m.Interface())
			if err != nil {
				t.Fatal(err)
			}
			if r.IntN(2) == 0 { // once more, with other members of oneofs
				testpb.Fill(m, r, r.IntN(60))
				if b, err = (official.MarshalOptions{AllowPartial: true}).MarshalAppend(b, m.Interface()); err != nil {
					t.Fatal(err)
				}
			}
			a := &arena
			if r.IntN(2) == 0 {
				a = nil
			}
			checkMask(t, c, b, randomPaths(c.Type.Descriptor(), r), a)
			arena.Reset()
		}
	}
}

// FuzzMask reads random fields of any bytes.
func FuzzMask(f *testing.F) {
	eachSeed(f, func(which int, b []byte) { f.Add(uint16(which), uint64(which), b) })
	f.Fuzz(func(t *testing.T, which uint16, seed uint64, b []byte) {
		c := chosen(which)
		checkMask(t, c, b, randomPaths(c.Type.Descriptor(), rand.New(rand.NewPCG(seed, 0))), nil)
	})
}

func TestMaskPaths(t *testing.T) {
	md := new(proto3pb.TestAllTypesProto3).ProtoReflect().Descriptor()
	for path, want := range map[string]string{
		"optional_nested_message.b":     `proto: path "optional_nested_message.b": protobuf_test_messages.proto3.TestAllTypesProto3.NestedMessage has no field "b"`,
		"":                              `proto: path "": protobuf_test_messages.proto3.TestAllTypesProto3 has no field ""`,
		"optional_string.x":             `proto: path "optional_string.x": protobuf_test_messages.proto3.TestAllTypesProto3.optional_string has no messages for "x" to be in`,
		"map_string_string.x":           `proto: path "map_string_string.x": protobuf_test_messages.proto3.TestAllTypesProto3.map_string_string has no messages for "x" to be in`,
		"map_string_nested_message.a":   "<nil>",
		"repeated_nested_message.a":     "<nil>",
		"recursive_message.oneof_bytes": "<nil>",
	} {
		if _, err := proto.NewMask(md, path); fmt.Sprint(err) != want {
			t.Errorf("%q: %v", path, err)
		}
	}
	if _, err := proto.NewMask(md, "optional_nested_message", "optional_nested_message.b"); err == nil {
		t.Error("what is wrong in a path is not said if a shorter one has it")
	}
}

func TestMaskOfAnotherType(t *testing.T) {
	mask, err := proto.NewMask(new(structpb.Struct).ProtoReflect().Descriptor(), "fields")
	if err != nil {
		t.Fatal(err)
	}
	o := proto.UnmarshalOptions{Mask: mask}
	for _, m := range []proto.Message{new(structpb.Value), new(proto3pb.TestAllTypesProto3),
		dynamic.NewMessage(new(structpb.Value).ProtoReflect().Descriptor())} {
		if err := o.Unmarshal(nil, m); err == nil ||
			!strings.Contains(err.Error(), "a Mask of google.protobuf.Struct") {
			t.Errorf("%T: %v", m, err)
		}
	}
}

// TestMaskErrors looks at errors in what is read and in what is skipped.
func TestMaskErrors(t *testing.T) {
	mask, err := proto.NewMask(new(structpb.Struct).ProtoReflect().Descriptor(),
		"fields.list_value.values.string_value")
	if err != nil {
		t.Fatal(err)
	}
	for in, want := range map[string]error{
		"\x0a\x05\x0a\x01k\x12\x7f":                                 proto.ErrTruncated,
		"\x0a\x0d\x0a\x01k\x12\x08\x32\x06\x0a\x04\x1a\x02\xff\xfe": proto.ErrUTF8,
		"\x0a\x0d\x0a\x01k\x12\x08\x32\x06\x0a\x04\x2a\x02\xff\xfe": nil, // in what is skipped
		"\x0a\x0d\x0a\x01k\x12\x08\x32\x06\x0a\x04\x2a\x03\xff\xfe": proto.ErrTruncated,
		"\x12\x01":         proto.ErrTruncated,
		"\x1b\x0b\x0c":     proto.ErrTruncated, // groups that nobody knows
		"\x1b\x0b\x0c\x1c": nil,
		"\x1c":             proto.ErrMalformed,
		"\x00":             proto.ErrMalformed,
		"\x0f":             proto.ErrMalformed,
	} {
		err := proto.UnmarshalOptions{Mask: mask}.Unmarshal([]byte(in), new(structpb.Struct))
		if want == nil && err != nil || want != nil && !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", in, err, want)
		}
	}
}

// TestMaskShared has several goroutines use one Mask.
func TestMaskShared(t *testing.T) {
	wire, _, _ := arenaMessages(t)
	md := new(proto3pb.TestAllTypesProto3).ProtoReflect().Descriptor()
	mask, err := proto.NewMask(md, "optional_string", "repeated_nested_message.corecursive.optional_string")
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 100 {
				m := new(proto3pb.TestAllTypesProto3)
				err := proto.UnmarshalOptions{Mask: mask}.Unmarshal(wire, m)
				if err != nil || m.OptionalString != "text" || len(m.RepeatedNestedMessage) != 3 ||
					m.RepeatedNestedMessage[2].A != 0 ||
					m.RepeatedNestedMessage[2].Corecursive.OptionalString != "some text" || m.MapStringString != nil {
					t.Errorf("%v %v", m, err)
				}
			}
		})
	}
	all.Wait()
}
