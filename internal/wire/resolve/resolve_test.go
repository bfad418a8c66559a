package resolve_test

import (
	"errors"
	"strings"
	"testing"
	"unsafe"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/internal/layout"
	"github.com/protean-pb/protean/internal/protoerr"
	"github.com/protean-pb/protean/internal/test/corpus"
	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/editionpb"
	"github.com/protean-pb/protean/internal/testpb/gen/open/legacypb"
	"github.com/protean-pb/protean/internal/wire/resolve"
)

var errDown = errors.New("no connection")

// A fake resolver knows nothing but what its functions do.
type fake struct {
	resolve.Resolver
	byURL  func(string) (protoreflect.MessageType, error)
	byName func(protoreflect.FullName) (protoreflect.ExtensionType, error)
}

func (f fake) FindMessageByURL(url string) (protoreflect.MessageType, error) { return f.byURL(url) }

func (f fake) FindExtensionByName(name protoreflect.FullName) (protoreflect.ExtensionType, error) {
	return f.byName(name)
}

func TestOrGlobalReplacesNil(t *testing.T) {
	if resolve.OrGlobal(nil) != resolve.Resolver(protoregistry.GlobalTypes) {
		t.Error("nil is not the global registry")
	}
	own := new(protoregistry.Types)
	if resolve.OrGlobal(own) != resolve.Resolver(own) {
		t.Error("a resolver is not itself")
	}
}

func TestTypeFindsTypesByURL(t *testing.T) {
	own := new(protoregistry.Types)
	if err := own.RegisterMessage((&benchpb.Leaf{}).ProtoReflect().Type()); err != nil {
		t.Fatal(err)
	}
	leaf := proto.MessageName(&benchpb.Leaf{})
	for _, c := range []struct {
		name   string
		r      resolve.Resolver
		url    string
		want   protoreflect.FullName
		detail string // a part of it
	}{
		{"with a host", nil, "type.googleapis.com/" + string(leaf), leaf, ""},
		{"with a path", nil, "https://a/b/c/" + string(leaf), leaf, ""},
		{"a name alone", nil, string(leaf), leaf, ""},
		{"of its own registry", own, "/" + string(leaf), leaf, ""},
		{"that another registry has", own, "protean.test.bench.Order", "", `"protean.test.bench.Order": `},
		{"that nobody has", nil, "acme.Nothing", "", `"acme.Nothing": `},
		{"nothing", nil, "", "", `""`},
		{"nothing behind the slash", nil, "type.googleapis.com/", "", `"type.googleapis.com/": `},
		{"that is very long", nil, strings.Repeat("long", 1000), "", "…"},
		{"where the resolver fails", fake{byURL: func(string) (protoreflect.MessageType, error) { return nil, errDown }}, "a.B", "", errDown.Error()},
	} {
		t.Run(c.name, func(t *testing.T) {
			mt, detail, err := resolve.Type(c.r, c.url)
			m, newDetail, newErr := resolve.New(c.r, c.url)
			if c.want != "" {
				if err != nil || detail != "" || mt.Descriptor().FullName() != c.want {
					t.Errorf("%v, %q, %v", mt, detail, err)
				}
				if newErr != nil || newDetail != "" || proto.MessageName(m) != c.want || proto.Size(m) != 0 {
					t.Errorf("New: %v, %q, %v", m, newDetail, newErr)
				}
				return
			}
			if err != protoerr.ErrType || mt != nil || !strings.Contains(detail, c.detail) || len(detail) > 400 {
				t.Errorf("%v, %q, %v", mt, detail, err)
			}
			if newErr != protoerr.ErrType || m != nil || newDetail != detail {
				t.Errorf("New: %v, %q, %v", m, newDetail, newErr)
			}
		})
	}
}

func TestExtensionFindsFieldsOfTheType(t *testing.T) {
	const name = "protean.test.legacy.ext_string"
	extendable := (&legacypb.Extendable{}).ProtoReflect().Descriptor()
	returns := func(xt protoreflect.ExtensionType, err error) resolve.Resolver {
		return fake{byName: func(protoreflect.FullName) (protoreflect.ExtensionType, error) { return xt, err }}
	}
	for _, c := range []struct {
		name   string
		r      resolve.Resolver
		md     protoreflect.MessageDescriptor
		field  string
		known  bool
		err    error
		detail string
	}{
		{"one that it has", nil, extendable, name, true, nil, ""},
		{"one of a dynamic message", nil, dynamic.NewMessage(extendable).Descriptor(), name, true, nil, ""},
		{"one that nobody has", nil, extendable, "acme.nothing", false, nil, ""},
		{"one that is no name", nil, extendable, "[", false, nil, ""},
		{"one of another message", nil, (&legacypb.RequiredBelow{}).ProtoReflect().Descriptor(), name, false, protoerr.ErrUnknown, name + " does not extend protean.test.legacy.RequiredBelow"},
		{"one whose number another message has, too", nil, (&editionpb.Extendable{}).ProtoReflect().Descriptor(), name, false,
			protoerr.ErrUnknown, name + " does not extend protean.test.edition.Extendable"},
		{"one of a message that has none", nil, (&legacypb.Leaf{}).ProtoReflect().Descriptor(), name, false, protoerr.ErrUnknown, name + " does not extend protean.test.legacy.Leaf"},
		{"what is not found", returns(nil, protoregistry.NotFound), extendable, name, false, nil, ""},
		{"nil without an error", returns(nil, nil), extendable, name, false, nil, ""},
		{"where the resolver fails", returns(nil, errDown), extendable, name, false, errDown, name},
	} {
		t.Run(c.name, func(t *testing.T) {
			xt, detail, err := resolve.Extension(c.r, c.md, c.field)
			if err != c.err || detail != c.detail || (xt != nil) != c.known {
				t.Errorf("%v, %q, %v", xt, detail, err)
			}
			if c.known && xt != legacypb.E_ExtString {
				t.Errorf("it finds %v", xt.TypeDescriptor().FullName())
			}
		})
	}
}

// open reads the value of an Any into a message.
func open(r resolve.Resolver, value []byte, m proto.Message, alias bool) (string, error) {
	l, p := layout.Of(m)
	l.Ready()
	return resolve.Open(r, value, l, p, alias)
}

func TestOpenReadsTheValueOfAny(t *testing.T) {
	t.Run("that lacks required fields", func(t *testing.T) {
		m := new(legacypb.RequiredBelow)
		if detail, err := open(nil, corpus.Field(1, ""), m, false); err != nil || detail != "" || m.Message == nil {
			t.Errorf("%v, %q, %v", m, detail, err)
		}
	})
	t.Run("with extension fields of the resolver", func(t *testing.T) {
		value := corpus.Field(113, "text")
		for _, r := range []resolve.Resolver{nil, new(protoregistry.Types)} {
			m := new(legacypb.Extendable)
			_, err := open(r, value, m, false)
			if known := proto.HasExtension(m, legacypb.E_ExtString); err != nil || known != (r == nil) {
				t.Errorf("%v, %v", m, err)
			}
		}
	})
	t.Run("with text that lies in the value if it may", func(t *testing.T) {
		value := corpus.Field(2, "a name")
		for _, alias := range []bool{false, true} {
			m := new(benchpb.Leaf)
			_, err := open(nil, value, m, alias)
			if lies := unsafe.StringData(m.Name) == &value[2]; err != nil || m.Name != "a name" || lies != alias {
				t.Errorf("alias %v: %v, %v", alias, m, err)
			}
		}
	})
	t.Run("that is not wire form", func(t *testing.T) {
		detail, err := open(nil, []byte("\x12\x05ab"), new(benchpb.Leaf), false)
		if err != protoerr.ErrAny ||
			detail != "proto: protean.test.bench.Leaf: name: byte 4: the input ends in the middle of a field" {
			t.Errorf("%q, %v", detail, err)
		}
	})
	t.Run("that is nested too deeply", func(t *testing.T) {
		var value []byte
		for range 10_001 {
			value = corpus.Field(2, value)
		}
		if detail, err := open(nil, value, new(benchpb.Tree), false); err != protoerr.ErrAny ||
			!strings.Contains(detail, protoerr.ErrDepth.Error()) {
			t.Errorf("%.300q, %v", detail, err)
		}
	})
}
