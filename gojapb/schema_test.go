package gojapb

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/dop251/goja"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/protean-pb/protean/proto"
)

func count(shapes interface{ Range(func(k, v any) bool) }) (n int) {
	shapes.Range(func(any, any) bool { n++; return true })
	return n
}

// TestForeign hands messages to a script whose descriptors no registry has: they are not kept beyond their module.
func TestForeign(t *testing.T) {
	rt := goja.New()
	m, err := New(rt)
	if err != nil {
		t.Fatal(err)
	}
	before := count(&global.shapes)
	for range 3 {
		set := new(descriptorpb.FileDescriptorSet)
		if err := protojson.Unmarshal([]byte(docsSchema), set); err != nil {
			t.Fatal(err)
		}
		fd, err := protodesc.NewFile(set.File[0], protoregistry.GlobalFiles)
		if err != nil {
			t.Fatal(err)
		}
		if err := rt.Set("event", m.WrapMessage(dynamicpb.NewMessage(fd.Messages().Get(0)))); err != nil {
			t.Fatal(err)
		}
		v, err := rt.RunString(`event.user_agent = 'curl'; event.steps = [{name: 'a'}]; event.steps.push({name: 'b'}); JSON.stringify(event)`)
		if err != nil || v.String() != `{"userAgent":"curl","steps":[{"name":"a"},{"name":"b"}]}` {
			t.Fatal(v, err)
		}
	}
	if n := count(&global.shapes); n != before {
		t.Errorf("%d types of foreign messages are kept", n-before)
	}
}

// TestSchemasAreShared loads equal sets in several runtimes, and checks that what is compiled for them goes with the
// last of them.
func TestSchemasAreShared(t *testing.T) {
	set := new(descriptorpb.FileDescriptorSet)
	if err := protojson.Unmarshal([]byte(docsSchema), set); err != nil {
		t.Fatal(err)
	}
	set.File[0].Package = proto.String("shared.v1") // so that no other test has it
	for _, message := range set.File[0].MessageType {
		for _, f := range message.Field {
			if name, own := strings.CutPrefix(f.GetTypeName(), ".acme.v1"); own {
				*f.TypeName = ".shared.v1" + name
			}
		}
	}
	b, err := proto.Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	func() {
		var first *shape
		for range 3 {
			m, err := New(goja.New())
			if err != nil {
				t.Fatal(err)
			}
			defer runtime.KeepAlive(m) // a schema that no runtime has is compiled anew
			if names, err := m.LoadDescriptorSetBytes(b); err != nil || len(names) != 3 {
				t.Fatal(names, err)
			}
			d, err := m.FindDescriptor("shared.v1.Event")
			if err != nil {
				t.Fatal(err)
			}
			s := m.shapeOf(d.(protoreflect.MessageDescriptor))
			if first == nil {
				first = s
			}
			if s != first {
				t.Error("the shapes differ")
			}
		}
	}()
	for range 100 {
		runtime.GC()
		time.Sleep(time.Millisecond) // for the cleanups
		global.mu.Lock()
		n := len(global.loaded)
		global.mu.Unlock()
		if n == 0 {
			return
		}
	}
	t.Error("schemas are kept that no runtime has")
}

// TestNameConflict loads a file that declares, under another path, a name that is loaded: of a message, an enum, an
// extension or a service. Nothing has changed then.
func TestNameConflict(t *testing.T) {
	m, err := New(goja.New())
	if err != nil {
		t.Fatal(err)
	}
	load := func(file string) error {
		set := new(descriptorpb.FileDescriptorSet)
		if err := protojson.Unmarshal([]byte(`{"file": [`+file+`]}`), set); err != nil {
			t.Fatal(err)
		}
		b, err := proto.Marshal(set)
		if err != nil {
			t.Fatal(err)
		}
		_, err = m.LoadDescriptorSetBytes(b)
		return err
	}
	if err := load(`{"name": "first.proto", "package": "clash", "syntax": "proto2", "messageType": [{"name": "M", "extensionRange": [{"start": 100, "end": 200}]}],
		"enumType": [{"name": "E", "value": [{"name": "ZERO", "number": 0}]}], "service": [{"name": "S"}],
		"extension": [{"name": "x", "extendee": ".clash.M", "number": 100, "type": "TYPE_INT32", "label": "LABEL_OPTIONAL"}]}`); err != nil {
		t.Fatal(err)
	}
	before := m.schema
	for name, declaration := range map[string]string{
		"clash.M": `"messageType": [{"name": "M"}]`,
		"clash.E": `"enumType": [{"name": "E", "value": [{"name": "ONE", "number": 1}]}]`,
		"clash.S": `"service": [{"name": "S"}]`,
		"clash.x": `"dependency": ["first.proto"], "extension": [{"name": "x", "extendee": ".clash.M", "number": 101, "type": "TYPE_INT32", "label": "LABEL_OPTIONAL"}]`,
	} {
		err := load(`{"name": "second.proto", "package": "clash", "syntax": "proto2", ` + declaration + `}`)
		if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "second.proto") {
			t.Errorf("%s: %v", name, err)
		}
		if m.schema != before {
			t.Fatalf("%s: the schema has changed", name)
		}
	}
}
