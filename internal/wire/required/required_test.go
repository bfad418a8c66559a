package required_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/test/race"
	"github.com/protean-pb/protean/internal/testpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/editionpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/legacypb"
	"github.com/protean-pb/protean/internal/wire/required"
)

// check is Check for a message.
func check(m proto.Message) error {
	l, p := layout.Of(m)
	l.Ready()
	return required.Check(l, p)
}

// complete returns a message that has its required fields.
func complete() *legacypb.Required {
	m := new(legacypb.Required)
	fds := m.ProtoReflect().Descriptor().Fields()
	for i := range fds.Len() {
		if fd := fds.Get(i); fd.Message() == nil {
			m.ProtoReflect().Set(fd, fd.Default())
		} else {
			m.ProtoReflect().Mutable(fd)
		}
	}
	m.Reqgroup.Id = proto.Int32(0)
	return m
}

// without returns a message that has its required fields but one.
func without(name protoreflect.Name) *legacypb.Required {
	m := complete()
	m.ProtoReflect().Clear(m.ProtoReflect().Descriptor().Fields().ByName(name))
	return m
}

// extended returns m with an extension field.
func extended(m *legacypb.RequiredBelow, xt protoreflect.ExtensionType, v any) *legacypb.RequiredBelow {
	proto.SetExtension(m, xt, v)
	return m
}

// checked are messages, and the path of what is missing in them.
var checked = []struct {
	name string
	m    proto.Message
	path string
}{
	{"no type of those is in the message", &benchpb.Order{}, ""},
	{"all are set, to zeros", complete(), ""},
	{"none is set", &legacypb.Required{}, "req_double"},
	{"a number", without("req_sint64"), "req_sint64"},
	{"a text", without("req_string"), "req_string"},
	{"bytes", without("req_bytes"), "req_bytes"},
	{"an enum", without("req_closed"), "req_closed"},
	{"a message", without("req_leaf"), "req_leaf"},
	{"a group", without("reqgroup"), "reqgroup"},
	{"what is not set has none", &legacypb.RequiredBelow{}, ""},
	{"in a message", &legacypb.RequiredBelow{Message: without("req_bool")}, "message.req_bool"},
	{"in a list", &legacypb.RequiredBelow{List: []*legacypb.Required{complete(), without("req_float")}}, "list[1].req_float"},
	{"in a map", &legacypb.RequiredBelow{Map: map[int32]*legacypb.Required{-3: without("req_int32")}}, "map[-3].req_int32"},
	{"in a oneof", &legacypb.RequiredBelow{Choice: &legacypb.RequiredBelow_One{One: without("req_int64")}}, "one.req_int64"},
	{"another member of the oneof", &legacypb.RequiredBelow{Choice: &legacypb.RequiredBelow_Text{}}, ""},
	{"in a group", &legacypb.RequiredBelow{Below: &legacypb.RequiredBelow_Below{}}, "below.name"},
	{"deep", &legacypb.RequiredBelow{Self: &legacypb.RequiredBelow{Self: &legacypb.RequiredBelow{Message: without("req_fixed32")}}}, "self.self.message.req_fixed32"},
	{"in an extension field", extended(&legacypb.RequiredBelow{}, legacypb.E_RequiredBelow, without("req_uint32")), "(protean.test.legacy.required_below).req_uint32"},
	{"in a list of an extension", extended(&legacypb.RequiredBelow{}, legacypb.E_RequiredList, []*legacypb.Required{complete(), {}}), "(protean.test.legacy.required_list)[1].req_double"},
	{"a complete extension field", extended(&legacypb.RequiredBelow{}, legacypb.E_RequiredBelow, complete()), ""},
	{"in editions", &editionpb.Presence{}, "required_double"},
	{"the last of many", func() proto.Message {
		m := new(legacypb.ManyRequired).ProtoReflect()
		fds := m.Descriptor().Fields()
		for i := range fds.Len() - 1 {
			m.Set(fds.Get(i), fds.Get(i).Default())
		}
		return m.Interface()
	}(), "r70"},
}

func TestCheckNamesWhatIsMissing(t *testing.T) {
	for _, c := range checked {
		t.Run(c.name, func(t *testing.T) {
			if err := proto.CheckInitialized(c.m); (err != nil) != (c.path != "") {
				t.Fatalf("the official library: %v", err)
			}
			wire, err := proto.MarshalOptions{AllowPartial: true}.Marshal(c.m)
			if err != nil {
				t.Fatal(err)
			}
			forms := []proto.Message{dynamic.NewMessage(c.m.ProtoReflect().Descriptor())}
			for _, mt := range testpb.APIs(c.m) {
				forms = append(forms, mt.New().Interface())
			}
			if c.m.ProtoReflect().Descriptor().ExtensionRanges().Len() > 0 {
				forms = forms[:2] // the others have extension fields of their own
			}
			for _, m := range forms {
				if err := (proto.UnmarshalOptions{AllowPartial: true}).Unmarshal(wire, m); err != nil {
					t.Fatal(err)
				}
				checkPath(t, m, c.path)
			}
			checkPath(t, c.m, c.path)
		})
	}
}

// checkPath checks that what Check finds missing is at the path.
func checkPath(t *testing.T, m proto.Message, path string) {
	t.Helper()
	err := check(m)
	if path == "" {
		if err != nil {
			t.Errorf("%T: %v", m, err)
		}
		return
	}
	var e *protoerr.Error
	if !errors.As(err, &e) || e.Err != protoerr.ErrRequired || e.Path != path || e.Offset != -1 ||
		e.Message != string(proto.MessageName(m)) {
		t.Errorf("%T: %v, want %s", m, err, path)
	}
}

// TestCheckOfNil takes messages that are nil for empty ones, wherever they are.
func TestCheckOfNil(t *testing.T) {
	for _, c := range []struct {
		m    proto.Message
		path string
	}{
		{(*legacypb.Required)(nil), "req_double"},
		{(*legacypb.RequiredBelow)(nil), ""},
		{&legacypb.RequiredBelow{List: []*legacypb.Required{nil}}, "list[0].req_double"},
		{&legacypb.RequiredBelow{Map: map[int32]*legacypb.Required{1: nil}}, "map[1].req_double"},
		{&legacypb.RequiredBelow{Choice: &legacypb.RequiredBelow_One{}}, "one.req_double"},
	} {
		checkPath(t, c.m, c.path)
	}
}

// TestCheckAgreesWithOfficial looks at random messages of all types, of which some lack required fields.
func TestCheckAgreesWithOfficial(t *testing.T) {
	found := map[bool]int{}
	r := rand.New(rand.NewPCG(1, 2))
	for _, mt := range testpb.Types() {
		for range race.Rounds(20) {
			m := mt.New().Interface()
			testpb.Fill(m.ProtoReflect(), r, 10)
			dyn := dynamic.NewMessage(mt.Descriptor())
			wire, err := proto.MarshalOptions{AllowPartial: true}.Marshal(m)
			if err != nil || (proto.UnmarshalOptions{AllowPartial: true}).Unmarshal(wire, dyn) != nil {
				continue
			}
			want := proto.CheckInitialized(m)
			for _, m := range []proto.Message{m, dyn} {
				if l, _ := layout.Of(m); l.Ready() == layout.Official {
					continue
				}
				if err := check(m); (err != nil) != (want != nil) {
					t.Fatalf("%T %v: %v, official: %v", m, m, err, want)
				}
				found[want != nil]++
			}
		}
	}
	if found[true] < 20 || found[false] < 20 {
		t.Errorf("complete or not: %v", found)
	}
}
