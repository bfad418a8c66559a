package gojapb

import (
	"testing"

	"github.com/dop251/goja"
)

// TestTakenMethodsWithoutCallSites runs tests as with a release of goja that keeps instructions in another way: each
// method that is read is a function of its own then.
func TestTakenMethodsWithoutCallSites(t *testing.T) {
	for _, file := range []string{"message.test.js", "tricks.test.js"} {
		rt, m := newScript(t, false)
		m.site = nil
		runFile(t, rt, file)
		runTests(t, rt)
	}
}

// TestCallsTakeNoMethods calls methods in all ways that have a receiver, for which no functions are made.
func TestCallsTakeNoMethods(t *testing.T) {
	if knownMachine() == nil {
		t.Fatal("this release of goja keeps instructions in another way")
	}
	rt, _ := newScript(t, false)
	must(t, rt, `const Leaf = pb.messageType('protean.test.bench.Leaf');
		class Sub extends Leaf { get(name) { return super.get(name); } }
		const o = new Leaf({ id: 1 }), sub = new Sub({ id: 2 });`)
	for _, script := range []string{
		`o.get('id')`, `o['get']('id')`, `o?.get('id')`, `o.get?.('id')`, `(o.get)('id')`, `o[['g', 'et'].join('')]('id')`,
		`o.set('id', 1)`, `sub.get('id')`, `JSON.stringify(o)`, `JSON.stringify([{ o }], null, 1)`, `pb.encode(o)`,
		`for (let i = 0; i < 99; i++) o.get('id')`, `[o].map((x) => x.get('id'))`,
		`(function* () { yield o.get('id') })().next()`, `(async () => { await 1; o.get('id') })()`,
	} {
		must(t, rt, script)
		for _, name := range []string{"o", "sub"} {
			if k := messageOf(must(t, rt, name)).kept; k != nil && k.taken != nil {
				t.Errorf("%s: %s has a function of its own", script, name)
			}
		}
	}
}

// TestTakenMethodsInGo has a host read a method of a message and call it.
func TestTakenMethodsInGo(t *testing.T) {
	rt, _ := newScript(t, false)
	o := must(t, rt, `new (pb.messageType('protean.test.bench.Leaf'))({ id: 1 })`).(*goja.Object)
	for range 2 {
		f, ok := goja.AssertFunction(o.Get("get"))
		if !ok {
			t.Fatal("there is no function")
		}
		for _, this := range []goja.Value{nil, goja.Undefined(), o} {
			if v, err := f(this, rt.ToValue("id")); err != nil || v.ToInteger() != 1 {
				t.Errorf("%v, error %v", v, err)
			}
		}
	}
	if messageOf(o).kept.taken.next != nil {
		t.Error("several functions for one method")
	}
}
