package gojapb

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dop251/goja"
	"github.com/dop251/goja_nodejs/require"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/protean-pb/protean/internal/test/race"
	"github.com/protean-pb/protean/internal/testpb"
	"github.com/protean-pb/protean/proto"
)

// worlds are the ways in which a script comes to the test messages.
var worlds = []struct {
	name string
	// options are those of the module; load says that scripts must load the schemas.
	options func() []Option
	load    bool
}{
	{"generated", func() []Option { return nil }, false},
	{"loaded", noTypes, true},
}

// noTypes are the options of a host that has no types of its own.
func noTypes() []Option { return []Option{WithFiles(emptyFiles), WithResolver(emptyTypes)} }

var (
	emptyFiles = new(protoregistry.Files)
	emptyTypes = new(protoregistry.Types)
)

// testSchemas is a descriptor set of all test messages, message sets as ordinary messages, since there is no dynamic
// one of those.
var testSchemas = sync.OnceValue(func() []byte {
	set := new(descriptorpb.FileDescriptorSet)
	seen := map[string]bool{}
	var add func(fd protoreflect.FileDescriptor)
	add = func(fd protoreflect.FileDescriptor) {
		if seen[fd.Path()] {
			return
		}
		seen[fd.Path()] = true
		for i := range fd.Imports().Len() {
			add(fd.Imports().Get(i))
		}
		set.File = append(set.File, protodesc.ToFileDescriptorProto(fd))
		withoutMessageSets(set.File[len(set.File)-1].MessageType)
	}
	for _, mt := range testpb.Types() {
		add(mt.Descriptor().ParentFile())
	}
	b, err := proto.Marshal(set)
	if err != nil {
		panic(err)
	}
	return b
})

func withoutMessageSets(messages []*descriptorpb.DescriptorProto) {
	for _, m := range messages {
		if m.GetOptions().GetMessageSetWireFormat() {
			m.Options.MessageSetWireFormat = nil
			for _, r := range m.ExtensionRange {
				r.End = proto.Int32(min(r.GetEnd(), 1<<29))
			}
		}
		withoutMessageSets(m.NestedType)
	}
}

// newScript returns a runtime with the module, under require too, and the helpers of testdata/helpers.js.
func newScript(t testing.TB, load bool, opts ...Option) (*goja.Runtime, *Module) {
	t.Helper()
	rt := goja.New()
	m, err := New(rt, opts...)
	if err != nil {
		t.Fatal(err)
	}
	registry := require.NewRegistry()
	registry.RegisterNativeModule("protobuf", func(_ *goja.Runtime, module *goja.Object) {
		m.SetupExports(module.Get("exports").(*goja.Object))
	})
	registry.Enable(rt)
	if load {
		if _, err := m.LoadDescriptorSetBytes(testSchemas()); err != nil {
			t.Fatal(err)
		}
	}
	set(t, rt, "quick", race.Enabled)
	set(t, rt, "detach", func(b goja.ArrayBuffer) { b.Detach() })
	runFile(t, rt, "helpers.js")
	return rt, m
}

func set(t testing.TB, rt *goja.Runtime, name string, v any) {
	t.Helper()
	if err := rt.Set(name, v); err != nil {
		t.Fatal(err)
	}
}

func runFile(t testing.TB, rt *goja.Runtime, name string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := rt.RunScript(path, string(text)); err != nil {
		t.Fatal(thrown(err))
	}
}

// thrown is the text of an error of a script, with the place where it was thrown.
func thrown(err error) string {
	if e, ok := err.(*goja.Exception); ok {
		return e.String()
	}
	return err.Error()
}

// TestBehaviour runs the tests that are written in JavaScript, each in every world. Those of int64-POLICY.js are run
// with that policy.
func TestBehaviour(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.test.js"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	policies := map[string]Int64{"int64-bigint": BigInt64, "int64-string": StringInt64}
	for _, world := range worlds {
		if race.Enabled && world.load {
			continue // the tests run alone, so that there is no race to be found twice
		}
		for _, file := range files {
			name := strings.TrimSuffix(filepath.Base(file), ".test.js")
			t.Run(world.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				rt, _ := newScript(t, world.load, append(world.options(), WithInt64(policies[name]))...)
				runFile(t, rt, filepath.Base(file))
				runTests(t, rt)
			})
		}
	}
}

// runTests runs what a script has registered with test(name, function).
func runTests(t *testing.T, rt *goja.Runtime) {
	names := rt.Get("tests").ToObject(rt).Keys()
	if len(names) == 0 {
		t.Error("the file has no tests")
	}
	for _, name := range names {
		f, ok := goja.AssertFunction(rt.Get("tests").ToObject(rt).Get(name))
		if !ok {
			t.Fatalf("%s is no function", name)
		}
		t.Run(name, func(t *testing.T) {
			timer := time.AfterFunc(time.Minute, func() { rt.Interrupt("the test takes too long") })
			defer timer.Stop()
			if _, err := f(goja.Undefined()); err != nil {
				t.Error(thrown(err))
			}
		})
	}
}
