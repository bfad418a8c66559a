package gojapb

import (
	"fmt"
	"runtime"
	"sync"
	"testing"

	"github.com/protean-pb/protean/internal/test/race"
	"github.com/protean-pb/protean/internal/testpb"
)

// useAll uses every part of the module that touches what runtimes share.
const useAll = `(() => {
  const All = pb.messageType('protobuf_test_messages.proto3.TestAllTypesProto3');
  const Tree = pb.messageType('protean.test.legacy.Tree');
  const Extendable = pb.messageType('protean.test.legacy.Extendable');
  for (let i = 0; i < rounds; i++) {
    const m = new All({ optionalInt32: i, repeatedNestedMessage: [{ a: i }], mapStringNestedMessage: { x: { a: 1 } }, optionalStruct: { a: [i] }, recursiveMessage: { oneofString: 'x' }, optionalNestedEnum: 'BAR' });
    m.optionalAny = pb.anyPack(All, new All({ optionalString: 'any' }));
    const t = new Tree({ children: [{ left: { name: 'l' } }] });
    t.left = new Tree();
    const e = new Extendable({ '[protean.test.legacy.ext_int32]': i, '[protean.test.legacy.Scope.scoped]': { name: 'n' } });
    for (const x of [m, t, e]) {
      const M = x.constructor;
      ok(pb.equals(pb.decode(M, pb.encode(x)), x), 'binary');
      ok(pb.equals(pb.fromJSON(M, pb.toJSON(x)), x), 'JSON');
      ok(pb.equals(new M(x.toObject()), x), 'objects');
      ok(pb.equals(pb.clone(x), x), 'clone');
    }
    equal(pb.anyUnpack(m.optionalAny, All).optionalString, 'any');
    equal(pb.enumType('protean.test.legacy.Closed').CLOSED_ONE, 1);
    pb.messageType(types[i * 7 % types.length]);
  }
})()`

// TestConcurrency has many runtimes use one schema at the same time, some of which come late and load it themselves.
func TestConcurrency(t *testing.T) {
	var names []string
	for _, mt := range testpb.Types() {
		if !testpb.IsMessageSet(mt.Descriptor()) {
			names = append(names, string(mt.Descriptor().FullName()))
		}
	}
	rounds := 6
	if race.Enabled {
		rounds = 2
	}
	var wg sync.WaitGroup
	for i := range 12 {
		world := worlds[i%len(worlds)]
		rt, m := newScript(t, false, world.options()...)
		set(t, rt, "rounds", rounds)
		set(t, rt, "types", names)
		wg.Go(func() {
			if world.load {
				if _, err := m.LoadDescriptorSetBytes(testSchemas()); err != nil {
					t.Error(err)
					return
				}
			}
			if _, err := rt.RunString(useAll); err != nil {
				t.Errorf("%s: %s", world.name, thrown(err))
			}
		})
	}
	wg.Wait()
}

// TestSharing has runtimes that load equal schemas have the same descriptors.
func TestSharing(t *testing.T) {
	var first, second any
	for i, d := range []*any{&first, &second} {
		_, m := newScript(t, true, noTypes()...)
		defer runtime.KeepAlive(m) // a schema that no runtime has is compiled anew
		found, err := m.FindDescriptor("protean.test.bench.Leaf")
		if err != nil {
			t.Fatal(err)
		}
		*d = found
		// What one loads on top does not show in the other.
		if _, err := m.LoadDescriptorSetBytes(onlyMessage(fmt.Sprintf("Own%d", i))); err != nil {
			t.Fatal(err)
		}
		if _, err := m.FindDescriptor("Own0"); (err == nil) != (i == 0) {
			t.Errorf("runtime %d: %v", i, err)
		}
	}
	if first != second {
		t.Error("two runtimes compiled the same files")
	}
}

// onlyMessage is a descriptor set of a file with one message, both of the name.
func onlyMessage(name string) []byte {
	field := func(number int, content string) string {
		return string([]byte{byte(number<<3 | 2), byte(len(content))}) + content
	}
	return []byte(field(1, field(1, name+".proto")+field(4, field(1, name))))
}
