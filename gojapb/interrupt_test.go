package gojapb

import (
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/internal/test/interrupt"
	"github.com/protean-pb/protean/internal/testpb/gen/open/legacypb"
)

// interruptible are scripts that call step, a function of the host's that panics, in the midst of what the module does
// for them.
var interruptible = []string{
	`new All({ get optionalInt32() { step(); return 1; }, repeatedString: ['a'], mapStringString: { get x() { step(); return 'y'; } } })`,
	`m.repeatedInt32 = (function* () { for (let i = 0; i < 3; i++) { step(); yield i; } })()`,
	`m.repeatedNestedMessage = [{ a: 1 }, { get a() { step(); return 2; } }]`,
	`m.mapStringNestedMessage = new Map([['x', { get a() { step(); return 1; } }]])`,
	`m.optionalStruct = { a: [1, { get x() { step(); return 2; } }], get y() { step(); return 'z'; } }`,
	`m.optionalNestedMessage = new Proxy({ a: 1 }, { ownKeys(o) { step(); return Object.keys(o); }, get(o, k) { step(); return o[k]; } })`,
	`m.repeatedInt32.forEach(step)`,
	`m.repeatedInt32.sort((a, b) => { step(); return b - a; })`,
	`m.mapInt32Int32.forEach(step)`,
	`m.repeatedNestedMessage.push({ get a() { step(); return 1; } }, { get a() { step(); return 2; } })`,
	`pb.fromJSON(All, { toJSON() { step(); return { optionalInt32: 1, get optionalString() { step(); return 'x'; } }; } })`,
	`for (const x of m.repeatedInt32) step()`,
}

// TestInterrupted has the host panic in the midst of a script. The runtime, the message and others can be used as
// before.
func TestInterrupted(t *testing.T) {
	rt, m := newScript(t, false)
	kept := interrupt.Keep(t)
	must(t, rt, `const All = pb.messageType('protobuf_test_messages.proto3.TestAllTypesProto3');
		const m = new All(), want = { optionalInt32: 5, optionalString: 'text', repeatedInt32: [3, 1, 2], mapInt32Int32: { 1: 1, 2: 2 }, optionalStruct: { a: [1] } };
		function check() {
			equal(pb.toJSON(pb.decode(All, pb.encode(m))), pb.toJSON(m)); // whatever has become of it
			for (const x of [m, new All()]) {
				for (const name of Object.keys(x)) x[name] = null;
				for (const name of Object.keys(want)) x[name] = want[name];
				equal(pb.toJSON(x), pb.toJSON(new All(want)));
				equal(pb.toJSON(pb.decode(All, pb.encode(x))), pb.toJSON(x));
				ok(pb.equals(pb.clone(x), pb.fromJSON(All, pb.toJSON(x))), 'fromJSON');
			}
		}
		check();`)
	message, err := m.UnwrapMessage(must(t, rt, `m`))
	if err != nil {
		t.Fatal(err)
	}
	want, err := proto.MarshalOptions{Deterministic: true}.Marshal(message)
	if err != nil {
		t.Fatal(err)
	}
	for _, script := range interruptible {
		n := interrupt.Steps(t, func(step func()) {
			set(t, rt, "step", func() { step() })
			must(t, rt, "{"+script+"}")
		}, func() {
			must(t, rt, `check()`)
			copied := proto.Clone(message)
			kept.Add(script, string(want), func() string {
				b, err := proto.MarshalOptions{Deterministic: true}.Marshal(copied)
				if err != nil {
					return err.Error()
				}
				return string(b)
			})
		})
		if n < 1 {
			t.Errorf("%s: no interruption", script)
		}
	}
}

// TestInterruptedByResolvers has the host's resolver panic. A schema that was looked for in vain is found afterwards.
func TestInterruptedByResolvers(t *testing.T) {
	x := &legacypb.Extendable{Id: proto.Int32(1)}
	proto.SetExtension(x, legacypb.E_ExtLeaf, &legacypb.Leaf{Name: proto.String("leaf")})
	wire, err := proto.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	const script = `{
		const Extendable = pb.messageType('protean.test.legacy.Extendable');
		const x = pb.decode(Extendable, wire);
		equal(x.get('[protean.test.legacy.ext_leaf]').name, 'leaf');
		ok(pb.equals(pb.fromJSON(Extendable, pb.toJSON(x)), x), 'JSON');
		ok(pb.equals(pb.decode(Extendable, pb.encode(x)), x), 'wire format');
		equal(pb.anyUnpack(pb.anyPack(Extendable, x), Extendable).id, 1);
	}`
	n := interrupt.Steps(t, func(step func()) {
		rt, _ := newScript(t, false, WithResolver(&interrupt.Resolver{Types: protoregistry.GlobalTypes, Step: step}))
		set(t, rt, "wire", rt.NewArrayBuffer(wire))
		must(t, rt, `globalThis.wire = new Uint8Array(wire);`)
		defer func() {
			p := recover()
			must(t, rt, script) // the same module, of which a call was interrupted
			if p != nil {
				panic(p)
			}
		}()
		must(t, rt, script)
	}, func() {
		rt, _ := newScript(t, false)
		set(t, rt, "wire", rt.NewArrayBuffer(wire))
		must(t, rt, `globalThis.wire = new Uint8Array(wire);`+script)
		if got := dynamic.NewMessage(x.ProtoReflect().Descriptor()); proto.Unmarshal(wire, got) != nil ||
			len(wire) != proto.Size(got) {
			t.Fatalf("%v", got)
		}
	})
	if n < 3 {
		t.Errorf("only %d interruptions", n)
	}
}
