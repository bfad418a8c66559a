package gojapb

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/dop251/goja"
	official "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/protean-pb/protean/internal/testpb"
)

// fuzzTypes are message types with fields of every kind and form.
var fuzzTypes = []protoreflect.FullName{
	"protobuf_test_messages.proto3.TestAllTypesProto3",
	"protobuf_test_messages.proto2.TestAllTypesProto2",
	"protobuf_test_messages.editions.TestAllTypesEdition2023",
	"protean.test.wellknown.Singular",
	"protean.test.wellknown.Repeated",
	"protean.test.wellknown.Maps",
	"protean.test.wellknown.Choice",
	"protean.test.legacy.Extendable",
	"protean.test.legacy.Groups",
	"protean.test.legacy.Tree",
	"protean.test.edition.Delimited",
	"google.protobuf.Value",
}

// onlyErrors fails the test if a script ended in anything but a result or an Error that it could have caught.
func onlyErrors(t *testing.T, rt *goja.Runtime, err error) bool {
	t.Helper()
	if err == nil {
		return true
	}
	var e *goja.Exception
	if !errors.As(err, &e) {
		t.Fatalf("%T: %v", err, err)
	}
	if o, ok := e.Value().(*goja.Object); !ok || !rt.InstanceOf(o, rt.Get("Error").ToObject(rt)) {
		t.Fatalf("threw %v, which is no Error", e.Value())
	}
	return false
}

// readAll reads a message in every way.
const readAll = `(m) => {
  const M = m.constructor;
  for (const f of [(x) => x.toObject(), (x) => pb.toJSON(x), (x) => JSON.stringify(x), pb.encode, pb.clone, (x) => pb.equals(x, x), (x) => new M(x.toObject()), (x) => pb.fromJSON(M, pb.toJSON(x)), (x) => pb.decode(M, pb.encode(x))]) {
    try {
      f(m);
    } catch (e) {
      if (!(e instanceof Error)) throw new Error('threw ' + String(e));
    }
  }
}`

// FuzzDecode decodes bytes as messages, which must be what the official library makes of them, and reads them in every
// way.
func FuzzDecode(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for i, name := range fuzzTypes {
		msg := messageTypeOf(f, name).New()
		testpb.Fill(msg, r, 10)
		wire, err := official.MarshalOptions{AllowPartial: true}.Marshal(msg.Interface())
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(i), wire)
		if testpb.Seed(i) {
			f.Add(uint8(i), wire[:len(wire)/2])
		}
	}
	rt, m := newScript(f, false)
	decode, _ := goja.AssertFunction(must(f, rt, `(name, bytes) => pb.decode(pb.messageType(name), bytes)`))
	read, _ := goja.AssertFunction(must(f, rt, readAll))
	f.Fuzz(func(t *testing.T, which uint8, wire []byte) {
		name := fuzzTypes[int(which)%len(fuzzTypes)]
		want := messageTypeOf(t, name).New().Interface()
		wantErr := official.Unmarshal(wire, want)
		v, err := decode(goja.Undefined(), rt.ToValue(string(name)), rt.ToValue(rt.NewArrayBuffer(wire)))
		if onlyErrors(t, rt, err) != (wantErr == nil) {
			t.Fatalf("%v, want %v", err, wantErr)
		}
		if err != nil {
			return
		}
		got, err := m.UnwrapMessage(v)
		if err != nil || !official.Equal(got, want) {
			t.Fatalf("%v, error %v, want %v", got, err, want)
		}
		_, err = read(goja.Undefined(), v)
		onlyErrors(t, rt, err)
	})
}

func messageTypeOf(t testing.TB, name protoreflect.FullName) protoreflect.MessageType {
	t.Helper()
	for _, mt := range testpb.Types() {
		if mt.Descriptor().FullName() == name {
			return mt
		}
	}
	t.Fatalf("there is no type %s", name)
	return nil
}

func must(t testing.TB, rt *goja.Runtime, script string) goja.Value {
	t.Helper()
	v, err := rt.RunString(script)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// makeValues makes JavaScript values of bytes, each byte a choice: of every type, of the right shapes and of wrong
// ones, and of some that do something when they are looked at. The script then sets fields to them in every way.
const makeValues = `(name, bytes) => {
  const M = pb.messageType(name);
  const names = fieldNames[name];
  let at = 0;
  const next = () => (at < bytes.length ? bytes[at++] : 0);
  const some = (f) => Array.from({ length: next() % 4 }, f);
  const root = new M();
  const touch = () => { root.clear(names[next() % names.length]); root.toObject(); };
  const makers = [
    () => next(), () => -next(), () => next() / 7, () => next() * 2 ** (next() % 80), () => BigInt(next()) << BigInt(next() % 80), () => -(1n << BigInt(next() % 70)),
    () => String(next()), () => String.fromCharCode(...some(() => next() << (next() % 9))), () => ['', 'true', 'BAR', 'NEG', '\ud800', '9223372036854775808', '__proto__'][next() % 7],
    () => next() % 2 === 0, () => null, () => undefined, () => NaN, () => -Infinity, () => -0,
    () => new Uint8Array(some(next)), () => new Uint8Array(some(next)).buffer, () => new Uint8Array(8).subarray(next() % 9), () => new Float32Array(some(next)),
    () => some(value), () => new Set(some(value)), () => new Map(some(() => [value(), value()])), () => some(() => [value(), value()]),
    () => Object.fromEntries(some(() => [names[next() % names.length], value()])), () => Object.fromEntries(some(() => [String(value() && 'k'), value()])), () => Object.fromEntries(some(() => [next() % 3, value()])),
    () => new M(Object.fromEntries(some(() => [names[next() % names.length], value()]))), () => root, () => root.get(names[next() % names.length]), () => new Date(next() * 1e9), () => new Date(NaN),
    () => Symbol('s'), () => () => 1, () => new Proxy({}, {}), () => new Proxy(some(value), {}), () => new Boolean(true), () => new String('x'), () => /x/, () => new Error('x'), () => Object.create(null),
    () => ({ get [names[next() % names.length]]() { touch(); return value(); } }), () => ({ valueOf: touch, toString: touch, toJSON: touch }), () => (function* () { touch(); yield value(); })(),
    () => ({ [Symbol.iterator]: () => { throw new Error('iterator'); } }), () => ({ get length() { throw new Error('length'); }, 0: 1 }), () => new (class extends M {})(),
  ];
  let depth = 0;
  const value = () => {
    if (depth > 6) return null;
    depth++;
    try {
      return makers[next() % makers.length]();
    } finally {
      depth--;
    }
  };
  const attempt = (f) => {
    try {
      f();
    } catch (e) {
      if (!(e instanceof Error)) throw new Error('threw ' + typeof e);
      if (e.message.includes('runtime error')) throw new TypeError('FAULT ' + e.message);
    }
  };
  for (let turns = 0; at < bytes.length && turns < 40; turns++) {
    const field = names[next() % names.length];
    const ways = [
      () => root.set(field, value()), () => { root[field] = value(); }, () => new M({ [field]: value() }), () => pb.fromJSON(M, { [field]: value() }), () => pb.fromJSON(M, value()), () => new M(value()),
      () => root.get(field).add(value()), () => root.get(field).push(value(), value()), () => root.get(field).splice(next() % 4, next() % 3, value()), () => root.get(field).set(value(), value()), () => { root.get(field)[next() % 4] = value(); },
      () => { root.get(field).length = next() % 5; }, () => root.get(field).delete(value()), () => root.get(field).get(value()), () => root.get(field).forEach(() => touch()), () => { for (const v of root.get(field)) touch(); },
      () => root.get(field).set(names[next() % names.length], value()), () => root.get(field).sort(() => { touch(); return next() - 128; }), () => root.get(field).clear(), () => root.clear(field), () => { delete root[field]; },
      () => { root.get(field).x = value(); }, () => { root.get(field).seconds = value(); }, () => pb.isMessage(value(), value()), () => pb.equals(root, value()), () => pb.anyPack(M, value()), () => pb.timestampMs(value()), () => pb.decode(M, value()),
      () => root.get(field).unshift(value(), value()), () => root.get(field).fill(value(), next() % 3, next() % 5),
      () => root.get(field).reverse(), () => root.get(field).copyWithin(next() % 3, next() % 3),
      () => root.get(field).sort(), () => JSON.stringify(root.get(field)), () => (0, root.set)(field, value()), () => [root.get].map((f) => f(field)),
      () => pb.fromJSON(M, value(), { discardUnknown: next() % 2 === 0 }), () => pb.fromJSON(M, {}, value()),
    ];
    attempt(ways[next() % ways.length]);
  }
  read(root);
}`

// FuzzValues sets fields to JavaScript values of any sort, made of bytes: each is refused by an Error that a script can
// catch, or the message is as good as before.
func FuzzValues(f *testing.F) {
	r := rand.New(rand.NewPCG(5, 6))
	for i := range 8 * len(fuzzTypes) {
		choices := make([]byte, 200)
		for j := range choices {
			choices[j] = byte(r.Uint32())
		}
		if testpb.Seed(i) || i < 2*len(fuzzTypes) {
			f.Add(uint8(i), choices)
		}
	}
	fieldNames := map[string][]string{}
	for _, name := range fuzzTypes {
		fields := messageTypeOf(f, name).Descriptor().Fields()
		for i := range fields.Len() {
			fieldNames[string(name)] = append(fieldNames[string(name)], fields.Get(i).JSONName())
		}
	}
	type user struct {
		rt  *goja.Runtime
		use goja.Callable
	}
	users := make([]user, len(worlds))
	for i, world := range worlds {
		rt, _ := newScript(f, world.load, world.options()...)
		set(f, rt, "fieldNames", fieldNames)
		set(f, rt, "read", must(f, rt, readAll))
		use, _ := goja.AssertFunction(must(f, rt, makeValues))
		users[i] = user{rt, use}
	}
	f.Fuzz(func(t *testing.T, which uint8, choices []byte) {
		name := fuzzTypes[int(which)%len(fuzzTypes)]
		u := users[int(which)/len(fuzzTypes)%len(users)]
		if _, err := u.use(goja.Undefined(), u.rt.ToValue(string(name)), u.rt.ToValue(choices)); err != nil {
			t.Fatal(thrown(err))
		}
	})
}
