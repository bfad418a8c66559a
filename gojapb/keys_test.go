package gojapb

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/dop251/goja"
)

// TestKeys compares the keys of objects with those that goja's own function finds, and with whether they were to be had
// without it.
func TestKeys(t *testing.T) {
	rt, _ := newScript(t, true, noTypes()...)
	set(t, rt, "hostMap", map[string]any{"a": 1})
	set(t, rt, "hostStruct", struct{ A int }{1})
	if _, err := rt.RunString(`const All = pb.messageType('protobuf_test_messages.proto3.TestAllTypesProto3');`); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		script   string
		ordinary bool
	}{
		{`{}`, true},
		{`{team: 'engine', tier: 1, region: null, u: undefined, f() {}, o: {}, "": true, " ": 1n, "-1": 0, "a1": 1, "/": 1, ":": 1, "__proto__x": 1}`, true},
		{`{b: 1, a: 2, ['__proto__']: 3, constructor: 4, length: 5, toString: 6}`, true},
		{`{__proto__: {inherited: 1}, own: 2}`, true},
		{`Object.create(null)`, true},
		{`Object.assign(Object.create({inherited: 1}), {own: 1, [Symbol('s')]: 2})`, true},
		{`Object.fromEntries([['x', 1], ['y', 2]])`, true},
		{`JSON.parse('{"x": 1, "y": [], "__proto__": 2}')`, true},
		{`new (class { x = 1; #y = 2; static z = 3; get w() { return 4; } })()`, true},
		{`(() => { const o = {a: 1, b: 2, c: 3}; delete o.b; o.d = 4; delete o.a; o.a = 5; return o; })()`, true},
		{`(() => { const o = {a: 1, b: 2, c: 3}; for (const k in o) { delete o.a; o['n' + k] = 1; if (k === 'b') break; } return o; })()`, true},
		{`(() => { const o = {a: 1, b: 2}; Object.defineProperty(o, 'a', {value: 3}); return o; })()`, false},
		{`Object.preventExtensions({a: 1})`, true},
		{`(() => { const o = {}; for (let i = 0; i < 16; i++) o['k' + i] = i; return o; })()`, true},
		{`(() => { const o = {}; for (let i = 0; i < 17; i++) o['k' + i] = i; return o; })()`, false},
		{`Object.freeze({a: 1, b: 2})`, false},
		{`Object.seal({a: 1, b: 2})`, false},
		{`{a: 1, get b() { throw new Error('called'); }, set c(v) {}}`, false},
		{`Object.defineProperty({a: 1}, 'hidden', {value: 1})`, false},
		{`Object.defineProperty({a: 1}, 'fixed', {value: 1, enumerable: true})`, false},
		{`{z: 1, 10: 1, 9: 2, a: 3}`, false},
		{`{z: 1, '01': 1}`, false},
		{`{'ä': 1, '\u{1f600}': 2}`, false},
		{`{'\ud800': 1, a: 2}`, false},
		{`{'a\ufffd': 1, 'a\udc00': 2}`, false},
		{`new Proxy({a: 1, b: 2}, {})`, false},
		{`new Proxy({a: 1, b: 2}, {ownKeys: () => ['b']})`, false},
		{`['x', 'y']`, false},
		{`Object.assign(() => 1, {a: 1})`, false},
		{`Object.assign(new Error('e'), {a: 1})`, false},
		{`Object.assign(new Date(0), {a: 1})`, false},
		{`Object.assign(new Map([['a', 1]]), {b: 2})`, false},
		{`Object.assign(new String('ab'), {c: 1})`, false},
		{`(function () { return arguments; })(1, 2)`, false},
		{`new Uint8Array(2)`, false},
		{`hostMap`, false},
		{`hostStruct`, false},
		{`new All({optionalInt32: 1, mapStringString: {a: 'b'}})`, false},
		{`Math`, false},
		{`Object.prototype`, false},
	} {
		v, err := rt.RunString("(" + c.script + ")")
		if err != nil {
			t.Fatalf("%s: %v", c.script, err)
		}
		o := v.(*goja.Object)
		if _, ok := ordinaryKeys(o, make([]string, 0, someKeys)); ok != c.ordinary {
			t.Errorf("%s: ordinary %t, want %t", c.script, ok, c.ordinary)
		}
		got := keysOf(o, make([]string, someKeys))
		if want := o.Keys(); !slices.Equal(got, want) {
			t.Errorf("%s: keys %q, want %q", c.script, got, want)
		}
	}
}

// TestKeysElsewhere has a layout that does not lead to the names, as another release of goja might: it is found out.
func TestKeysElsewhere(t *testing.T) {
	rt := goja.New()
	l := *ordinaryLayout()
	if !l.agrees(rt) {
		t.Error("the layout does not agree with this release")
	}
	l.property = nil // so that what is no value of its own is taken for one
	if l.agrees(rt) {
		t.Error("a layout agrees that finds names too many")
	}
	l = *ordinaryLayout()
	l.ordinary = nil
	if l.agrees(rt) {
		t.Error("a layout agrees that finds no names")
	}
}

// FuzzKeys does what scripts may do with the properties of an object, and compares the keys with those that goja's own
// function finds.
func FuzzKeys(f *testing.F) {
	f.Add([]byte{0, 0, 0, 1, 0, 2})
	f.Add([]byte{0, 0, 0, 1, 1, 0, 0, 0, 6, 0, 0, 2})
	f.Add([]byte{0, 3, 0, 0, 6, 0, 1, 3, 0, 4})
	f.Add([]byte{0, 0, 2, 1, 3, 2, 4, 3, 5, 0, 7, 0})
	names := []string{"a", "b", "c", "9", "10", "01", "", "ä", `\ud800`, "__proto__", "length", "a1"}
	steps := []string{
		`define(o, %s, {value: 1, writable: true, enumerable: true, configurable: true});`,
		`delete o[%s];`,
		`define(o, %s, {value: 1, enumerable: false, configurable: true});`,
		`define(o, %s, {get: () => 1, enumerable: true, configurable: true});`,
		`o[Symbol(%s)] = 1;`,
		`o[%s] = 2;`,
		`Object.keys(o, %s);`,
		`for (const k in o) { if (k === %s) break; }`,
		`for (const k in o) { delete o[%s]; }`,
		`Object.freeze(o, %s);`,
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var script strings.Builder
		script.WriteString("const define = Reflect.defineProperty; const o = {};\n")
		for i := 0; i+1 < min(len(b), 200); i += 2 {
			fmt.Fprintf(&script, steps[int(b[i])%len(steps)]+"\n", `"`+names[int(b[i+1])%len(names)]+`"`)
		}
		v, err := goja.New().RunString("(() => { " + script.String() + " return o; })()")
		if err != nil {
			t.Fatalf("%v\n%s", err, script.String())
		}
		o := v.(*goja.Object)
		got := keysOf(o, make([]string, someKeys))
		if want := o.Keys(); !slices.Equal(got, want) {
			t.Errorf("keys %q, want %q after\n%s", got, want, script.String())
		}
	})
}
