package gojapb

import (
	"errors"
	"testing"
	"time"

	"github.com/dop251/goja"
	official "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/protean-pb/protean/dynamic"
	"github.com/protean-pb/protean/internal/testpb/gen/open/benchpb"
)

// TestWrap has a host and a script work on one message.
func TestWrap(t *testing.T) {
	rt, m := newScript(t, false)
	order := &benchpb.Order{Customer: "c", Billing: &benchpb.Order_Address{City: "x"},
		Counters: map[string]int64{"a": 1}}
	set(t, rt, "order", m.WrapMessage(order))
	must(t, rt, `
		equal([order.customer, order.billing.city, order.counters.get('a'), order.$type], ['c', 'x', 1, 'protean.test.bench.Order']);
		order.customer = 'd';
		order.billing.city = 'y';
		order.counters.set('b', 2);
		ok(order instanceof pb.messageType('protean.test.bench.Order'), 'instanceof');`)
	if order.GetCustomer() != "d" || order.GetBilling().GetCity() != "y" || order.GetCounters()["b"] != 2 {
		t.Errorf("the host has %v", order)
	}
	order.Billing.City = "z"
	must(t, rt, `equal(order.billing.city, 'z')`)
	got, err := m.UnwrapMessage(rt.Get("order"))
	if err != nil || got != official.Message(order) {
		t.Errorf("%p, error %v, want %p", got, err, order)
	}
	for _, v := range []goja.Value{nil, goja.Undefined(), goja.Null(), rt.NewObject(), rt.ToValue(1), rt.Get("pb"), must(t, rt, `order.counters`)} {
		if got, err := m.UnwrapMessage(v); got != nil || err == nil {
			t.Errorf("%v is the message %v", v, got)
		}
	}
	if o := m.WrapMessage(nil); o != nil {
		t.Errorf("no message is %v", o)
	}
	if o := m.WrapMessage((*benchpb.Order)(nil)); o != nil {
		t.Errorf("a nil message is %v", o)
	}
}

// TestWrapOfOtherTypes mixes messages of a type that are generated and dynamic.
func TestWrapOfOtherTypes(t *testing.T) {
	rt, m := newScript(t, false)
	tree := &benchpb.Tree{}
	other := dynamic.NewMessage(tree.ProtoReflect().Descriptor())
	set(t, rt, "tree", m.WrapMessage(tree))
	set(t, rt, "other", m.WrapMessage(other))
	must(t, rt, `
		other.children.add({});
		tree.left = other;
		tree.children = [other, {}];
		tree.children.push(other);
		other.left = tree;
		equal([tree.children.length, tree.left.children.length, other.left.children.length], [3, 1, 3]);
		ok(pb.equals(pb.clone(other), other), 'clone');
		pb.encode(tree), pb.encode(other);`)
	if len(tree.GetChildren()) != 3 || len(tree.GetLeft().GetChildren()) != 1 {
		t.Errorf("the host has %v", tree)
	}
}

// endless are scripts that do not end by themselves, in the midst of what the module does for them.
var endless = []string{
	`m.repeatedInt32.forEach(forever)`,
	`m.repeatedInt32.sort(forever)`,
	`m.mapInt32Int32.forEach(forever)`,
	`new All({ get optionalInt32() { return forever(); } })`,
	`m.repeatedInt32 = (function* () { yield forever(); })()`,
	`m.repeatedInt32 = (function* () { for (;;) yield 1; })()`,
	`pb.fromJSON(All, { toJSON: forever })`,
	`m.optionalStruct = { get x() { return forever(); } }`,
	`m.optionalNestedMessage = new Proxy({}, { ownKeys: forever })`,
	`class X extends All { constructor() { super({ get optionalInt32() { return forever(); } }); } } new X()`,
}

// TestInterrupt stops scripts, which can go on afterwards.
func TestInterrupt(t *testing.T) {
	rt, _ := newScript(t, false)
	must(t, rt, `const All = pb.messageType('protobuf_test_messages.proto3.TestAllTypesProto3');
		const forever = () => { for (;;); };
		const m = new All({ repeatedInt32: [1, 2], mapInt32Int32: { 1: 1 } });`)
	for _, script := range endless {
		timer := time.AfterFunc(5*time.Millisecond, func() { rt.Interrupt("enough") })
		_, err := rt.RunString("{" + script + "}")
		timer.Stop()
		var interrupted *goja.InterruptedError
		if !errors.As(err, &interrupted) {
			t.Errorf("%s: %v", script, err)
		}
		rt.ClearInterrupt()
		must(t, rt, `equal(pb.decode(All, pb.encode(m)).mapInt32Int32.get(1), 1)`)
	}
}

// TestCallDepth has scripts call themselves by way of the module until there are too many calls.
func TestCallDepth(t *testing.T) {
	rt, _ := newScript(t, false)
	rt.SetMaxCallStackSize(300)
	must(t, rt, `const All = pb.messageType('protobuf_test_messages.proto3.TestAllTypesProto3'); const m = new All({ repeatedInt32: [1] });`)
	for _, script := range []string{
		`function f() { m.repeatedInt32.forEach(f); } f()`,
		`function f() { return new All({ get optionalInt32() { return f(); } }); } f()`,
		`function f() { m.repeatedInt32 = { *[Symbol.iterator]() { f(); } }; } f()`,
		`function f() { return pb.fromJSON(All, { toJSON: f }); } f()`,
	} {
		if _, err := rt.RunString("{" + script + "}"); err == nil {
			t.Errorf("%s: no error", script)
		}
		must(t, rt, `pb.encode(m)`)
	}
}

// TestOptions has hosts decide what is there without being loaded.
func TestOptions(t *testing.T) {
	if _, err := New(nil); err == nil {
		t.Error("a module without a runtime")
	}
	rt, m := newScript(t, false, noTypes()...)
	must(t, rt, `throws(() => pb.messageType('protean.test.bench.Leaf'), TypeError, 'protean.test.bench.Leaf')`)
	if _, err := m.FindDescriptor("protean.test.bench.Leaf"); !errors.Is(err, protoregistry.NotFound) {
		t.Errorf("error %v", err)
	}
	if names, err := m.LoadDescriptorSetBytes([]byte{255}); names != nil || err == nil {
		t.Errorf("%v, error %v", names, err)
	}
	names, err := m.LoadDescriptorSetBytes(onlyMessage("Own"))
	if err != nil || len(names) != 1 || names[0] != "Own" {
		t.Errorf("%v, error %v", names, err)
	}
	must(t, rt, `equal(new (pb.messageType('Own'))().$type, 'Own')`)
}
