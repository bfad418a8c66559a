'use strict';
// What scripts may try: each ends in a value or in an error that can be caught.

const All = pb.messageType('protobuf_test_messages.proto3.TestAllTypesProto3');
const Nested = pb.messageType('protobuf_test_messages.proto3.TestAllTypesProto3.NestedMessage');
const Leaf = pb.messageType('protean.test.bench.Leaf');
const Singular = pb.messageType('protean.test.wellknown.Singular');
class Thrown extends Error {}
const boom = () => { throw new Thrown('boom'); };

// settles checks that f returns, or throws an Error, and that m still works.
function settles(f, m) {
  try {
    f();
  } catch (e) {
    if (!(e instanceof Error)) fail(String(f), `throws ${show(e)}`);
  }
  if (m) pb.decode(m.constructor, pb.encode(m));
}

test('a list that changes while it is walked', () => {
  for (const change of [(l) => l.clear(), (l) => l.add(9), (l) => l.pop(), (l) => l.splice(0, 2), (l) => { l.length = 0; }, (l) => l.unshift(8)]) {
    for (const walk of [(l, f) => l.forEach(f), (l, f) => l.map(f), (l, f) => l.sort((a, b) => (f(), a - b)), (l, f) => { for (const v of l) f(v); }, (l, f) => l.reduce((a, v) => (f(v), a), 0), (l, f) => l.filter(f), (l, f) => [...l.entries()].forEach(f)]) {
      const m = new All({ repeatedInt32: [3, 1, 2, 5] });
      let turns = 0;
      settles(() => walk(m.repeatedInt32, () => { if (turns++ < 3) change(m.repeatedInt32); return true; }), m);
      equal(turns < 100, true, String(walk));
    }
  }
});

test('a field that is replaced while its list is walked', () => {
  const m = new All({ repeatedNestedMessage: [{ a: 1 }, { a: 2 }] });
  const l = m.repeatedNestedMessage;
  l.forEach((n, i) => { m.repeatedNestedMessage = [{ a: 10 }]; n.a = i; });
  settles(() => { l[0].a = 3; }, m);
  equal(m.repeatedNestedMessage[0].a, 3);
});

test('a map that changes while it is walked', () => {
  for (const change of [(x) => x.clear(), (x, k) => x.delete(k), (x) => x.set(99, 1), (x) => { x.delete(1); x.delete(2); }]) {
    for (const walk of [(x, f) => x.forEach((v, k) => f(k)), (x, f) => { for (const [k] of x) f(k); }, (x, f) => { for (const k of x.keys()) f(k); }, (x, f) => { for (const k of x.values()) f(k); }]) {
      const m = new All({ mapInt32Int32: { 1: 1, 2: 2, 3: 3 } });
      let turns = 0;
      settles(() => walk(m.mapInt32Int32, (k) => { turns++; change(m.mapInt32Int32, k); }), m);
      equal(turns < 10, true);
    }
  }
});

test('getters that change the message they are read for', () => {
  for (const spoil of [(m) => m.clear('repeatedNestedMessage'), (m) => { m.repeatedNestedMessage = [{}, {}]; }, (m) => m.repeatedNestedMessage.clear(), (m) => m.mapStringNestedMessage.clear(), (m) => { m.optionalNestedMessage = null; }, (m) => m.clearOneof('oneof_field')]) {
    const m = new All({ repeatedNestedMessage: [{ a: 1 }, { a: 2 }], mapStringNestedMessage: { x: {} }, optionalNestedMessage: { a: 1 }, oneofNestedMessage: {} });
    const evil = { get a() { spoil(m); return 5; } };
    settles(() => { m.repeatedNestedMessage[1] = evil; }, m);
    settles(() => m.repeatedNestedMessage.set(1, evil), m);
    settles(() => m.repeatedNestedMessage.add(evil), m);
    settles(() => m.repeatedNestedMessage.splice(0, 1, evil, evil), m);
    settles(() => m.repeatedNestedMessage.unshift(evil, evil), m);
    settles(() => { m.repeatedNestedMessage = [evil, {}, evil]; }, m);
    settles(() => m.mapStringNestedMessage.set('x', evil), m);
    settles(() => { m.mapStringNestedMessage = { a: evil, b: evil }; }, m);
    settles(() => { m.optionalNestedMessage = evil; }, m);
    settles(() => { m.oneofNestedMessage = evil; }, m);
    settles(() => { m.optionalNestedMessage = { a: 1, corecursive: { repeatedNestedMessage: [evil] } }; }, m);
  }
});

test('getters of a plain object that change the map it is for', () => {
  for (const spoil of [(m) => m.clear('mapStringString'), (m) => { m.mapStringString = { z: 'Z' }; }, (m) => m.mapStringString.clear(), (m) => m.mapStringString.set('q', 'Q'), (m) => { m.mapStringString = new Map([['y', 'Y']]); }]) {
    const m = new All({ mapStringString: { x: 'X' } });
    for (const view of [false, true]) {
      if (view) m.mapStringString.get('x');
      const evil = { first: '1', get a() { spoil(m); delete this.last; this.b = 'B'; return 'A'; }, last: 'L', nine: '9' };
      m.mapStringString = evil;
      equal([...m.mapStringString], [['a', 'A'], ['first', '1'], ['nine', '9']]);
      equal([...pb.decode(All, pb.encode(m)).mapStringString].length, 3);
      throws(() => { m.mapStringString = { a: 'new', get b() { return boom(); } }; }, Thrown);
      throws(() => { m.mapStringString = { a: 'new', get b() { return 1; } }; }, TypeError, 'map_string_string');
      equal(m.mapStringString.get('a'), 'A');
    }
  }
  const m = new All();
  throws(() => { m.mapStringString = new Proxy({ a: 'A' }, { ownKeys: boom }); }, Thrown);
  throws(() => { m.mapStringString = new Proxy({ a: 'A' }, { get: boom }); }, Thrown);
  throws(() => { m.mapStringString = new Proxy({ a: 'A' }, { getOwnPropertyDescriptor: boom }); }, Thrown);
  const inside = { get a() { m.mapStringString = { nested: 'N' }; return m.mapStringString.get('nested'); } };
  m.mapStringString = inside;
  equal([...m.mapStringString], [['a', 'N']]);
});

test('messages that become part of themselves on the way', () => {
  const m = new All();
  const n = new All();
  settles(() => { m.optionalNestedMessage = { corecursive: n, get a() { n.recursiveMessage = m; return 1; } }; });
  settles(() => pb.encode(m));
  settles(() => m.toObject());
  settles(() => JSON.stringify(m));
  settles(() => pb.clone(m));
  settles(() => pb.equals(m, m));
  const T = pb.messageType('protean.test.legacy.Tree');
  const t = new T();
  const u = new T();
  settles(() => t.children.push({ left: u, get name() { u.left = t; return 'x'; } }));
  settles(() => t.byName.set('a', { left: u, get name() { u.left = t; return 'x'; } }));
  settles(() => { t.children = [{ left: u }, { get name() { u.left = t; return 'x'; } }]; });
  for (const x of [t, u]) for (const f of [pb.encode, pb.toJSON, pb.clone, (y) => y.toObject(), (y) => pb.equals(y, y), (y) => pb.anyPack(T, y), (y) => new T(y), (y) => y.children.toObject(), (y) => y.byName.toJSON()]) settles(() => f(x));
});

test('errors of the script itself', () => {
  const m = new All({ repeatedInt32: [1], mapInt32Int32: { 1: 1 } });
  throws(() => m.repeatedInt32.forEach(boom), Thrown);
  throws(() => m.mapInt32Int32.forEach(boom), Thrown);
  throws(() => new All({ get optionalInt32() { return boom(); } }), Thrown);
  throws(() => { m.optionalStruct = { get x() { return boom(); } }; }, Thrown);
  throws(() => { m.repeatedInt32 = (function* () { yield 1; boom(); })(); }, Thrown);
  throws(() => { m.repeatedInt32 = { [Symbol.iterator]: boom }; }, Thrown);
  throws(() => { m.repeatedInt32 = { get [Symbol.iterator]() { return boom(); } }; }, Thrown);
  throws(() => { m.optionalNestedMessage = new Proxy({}, { ownKeys: boom }); }, Thrown);
  throws(() => pb.fromJSON(All, { get optionalInt32() { return boom(); } }), Thrown);
  throws(() => pb.fromJSON(All, { toJSON: boom }), Thrown);
  const evil = { toString: boom, valueOf: boom, [Symbol.toPrimitive]: boom };
  for (const f of [() => m.get(evil), () => m.set(evil, 1), () => m.set('optionalInt32', evil), () => m.set('optionalString', evil), () => m.set('optionalInt64', evil), () => m.set('optionalBool', evil),
    () => m.set('optionalDouble', evil), () => m.set('optionalBytes', evil), () => m.set('optionalNestedEnum', evil), () => m.repeatedInt32.get(evil), () => m.repeatedInt32.set(evil, 1), () => m.mapInt32Int32.get(evil),
    () => m.mapInt32Int32.set(1, evil), () => pb.messageType(evil), () => pb.enumType(evil), () => pb.timestampFromMs(evil), () => pb.decode(All, evil), () => pb.isMessage(m, evil), () => m.whichOneof(evil)]) {
    throws(f, Error);
  }
  equal([...m.repeatedInt32], [1], 'after all');
});

longTest('cyclic plain objects', () => {
  const o = {};
  o.recursiveMessage = o;
  throws(() => new All(o), RangeError);
  const m = new All();
  const l = { repeatedNestedMessage: [] };
  l.repeatedNestedMessage.push({ corecursive: l });
  throws(() => pb.fromJSON(All, o), RangeError);
  throws(() => { m.mapStringNestedMessage = { a: { corecursive: l } }; }, RangeError, 'TestAllTypesProto3');
  equal(pb.encode(m).length, 0);
});

longTest('deep messages', () => {
  const deep = 10100; // more than decoding allows
  let m = new All();
  for (let i = 0; i < deep; i++) settles(() => { m = new All({ recursiveMessage: m }); });
  for (const f of [pb.encode, pb.toJSON, pb.clone, (x) => x.toObject(), (x) => pb.equals(x, x), (x) => JSON.stringify(x)]) settles(() => f(m));
  const top = new All();
  let at = top;
  settles(() => { for (let i = 0; i < deep; i++) { at.recursiveMessage = {}; at = at.recursiveMessage; } });
  for (const f of [pb.encode, pb.toJSON, pb.clone, (x) => x.toObject(), (x) => pb.equals(x, x), (x) => JSON.stringify(x)]) settles(() => f(top));
  const v = new Singular({ oneValue: [] });
  let list = v.oneValue;
  settles(() => { for (let i = 0; i < deep; i++) { list[0] = []; list = list[0]; } });
  for (const f of [pb.encode, pb.toJSON, pb.clone, (x) => x.toObject(), (x) => pb.equals(x, x)]) settles(() => f(v));
});

test('detached buffers', () => {
  const m = new All();
  for (const make of [(b) => new Uint8Array(b), (b) => new Uint8Array(b, 1, 2), (b) => b]) {
    const buffer = new Uint8Array([8, 1, 8, 2]).buffer;
    const bytes = make(buffer);
    detach(buffer);
    for (const f of [() => pb.decode(All, bytes), () => { m.optionalBytes = bytes; }, () => new All({ repeatedBytes: [bytes] }), () => m.mapStringBytes.set('a', bytes), () => pb.loadDescriptorSet(bytes), () => pb.fromJSON(All, { optionalBytes: bytes })]) {
      throws(f, TypeError);
    }
  }
  const wire = pb.encode(new All({ optionalString: 'x' }));
  const n = pb.decode(All, wire);
  detach(wire.buffer);
  equal(n.optionalString, 'x', 'a message whose bytes are gone');
  const b = n.optionalBytes;
  detach(b.buffer);
  equal(n.optionalBytes, new Uint8Array());
  const list = new Uint8Array([1, 2]);
  detach(list.buffer);
  settles(() => { m.repeatedInt32 = list; }, m);
});

test('other views of bytes', () => {
  const m = new All();
  for (const bad of [new Int8Array(1), new Uint16Array(1), new Uint8ClampedArray(1), new Float64Array(1), new DataView(new ArrayBuffer(1)), new BigInt64Array(1)]) settles(() => { m.optionalBytes = bad; }, m);
  const odd = new Uint8Array(2);
  Object.defineProperty(odd, 'length', { value: 100 });
  settles(() => { m.optionalBytes = odd; }, m);
  equal(m.optionalBytes.length <= 2, true);
});

test('proxies', () => {
  const m = new All({ optionalInt32: 1 });
  const p = new Proxy(m, {});
  settles(() => p.optionalInt32);
  settles(() => p.get('optionalInt32'));
  throws(() => pb.encode(p), TypeError);
  equal(new All(new Proxy({ optionalInt32: 5 }, {})).optionalInt32, 5);
  equal(new All({ repeatedInt32: new Proxy([1, 2], {}) }).repeatedInt32.length, 2);
  settles(() => new All({ mapInt32Int32: new Proxy(new Map([[1, 1]]), {}) }));
  settles(() => new All(new Proxy([], {})));
  settles(() => new All(new Proxy(() => 1, {})));
  settles(() => new All({ optionalBytes: new Proxy(new Uint8Array(1), {}) }));
  settles(() => new Singular({ oneValue: new Proxy({ a: [1] }, {}), oneListValue: new Proxy([1], {}), oneTimestamp: new Proxy(new Date(), {}) }));
  settles(() => pb.decode(new Proxy(All, {}), new Uint8Array()));
  settles(() => pb.decode(new Proxy(All, { getPrototypeOf: boom }), new Uint8Array()));
  const endless = new Proxy({}, { ownKeys: () => ['recursiveMessage'], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: endless }), get: () => endless });
  settles(() => new All(endless));
  const loop = new Proxy(function () {}, { getPrototypeOf: () => loop });
  throws(() => pb.decode(loop, new Uint8Array()), TypeError);
  settles(() => new (new Proxy(All, {}))({ optionalInt32: 1 }).optionalInt32);
});

test('the key __proto__', () => {
  const json = JSON.parse('{"__proto__": {"optionalInt32": 1}}');
  throws(() => new All(json), TypeError, '__proto__');
  throws(() => pb.fromJSON(All, json), TypeError);
  equal(new All({ __proto__: { optionalInt32: 1 } }).optionalInt32, 0);
  const m = new All();
  settles(() => { new All().__proto__ = {}; });
  settles(() => Object.setPrototypeOf(new All(), null));
  settles(() => { m.repeatedInt32.__proto__ = null; });
  equal(pb.encode(m).length, 0);
  equal([{}.optionalInt32, Object.prototype.a], [undefined, undefined], 'nothing is polluted');
});

test('fields with the names of methods', () => {
  // shadow.proto: message Names with string fields get, set, constructor, toString, length, toJSON, __proto__, has, valueOf, hasOwnProperty, then, size, prototype, name
  const names = ['get', 'set', 'constructor', 'toString', 'length', 'toJSON', '__proto__', 'has', 'valueOf', 'hasOwnProperty', 'then', 'size', 'prototype', 'name'];
  const text = (s) => [...s].map((c) => c.charCodeAt(0));
  const field = (n, bytes) => [n << 3 | 2, bytes.length & 127 | (bytes.length > 127 ? 128 : 0), ...(bytes.length > 127 ? [bytes.length >> 7] : []), ...bytes];
  const fields = names.flatMap((s, i) => field(2, [...field(1, text(s)), 24, i + 1, 32, 1, 40, 9, ...field(10, text(s))]));
  pb.loadFileDescriptorProto(new Uint8Array([...field(1, text('shadow.proto')), ...field(2, text('shadow')), ...field(4, [...field(1, text('Names')), ...fields]), ...field(12, text('proto3'))]));
  const N = pb.messageType('shadow.Names');
  const init = Object.fromEntries(names.map((s) => [s, `v-${s}`]));
  Object.defineProperty(init, '__proto__', { value: 'v-__proto__', enumerable: true });
  const m = new N(init);
  for (const s of names) {
    equal(m.get(s), `v-${s}`, s);
    m.set(s, s);
    equal([m.get(s), m.has(s)], [s, true], s);
  }
  equal([m.length, m.name, m.size, m.prototype, typeof m.get, typeof m.toString, m.constructor === N, typeof m.then], ['length', 'name', 'size', 'prototype', 'function', 'function', true, 'undefined']);
  equal(pb.equals(pb.decode(N, pb.encode(m)), m), true);
  equal(pb.equals(new N(m.toObject()), m), true);
  equal(pb.equals(pb.fromJSON(N, pb.toJSON(m)), m), true);
  equal(pb.equals(pb.fromJSON(N, JSON.parse(JSON.stringify(m))), m), true);
  settles(() => { m.get = 'x'; });
  settles(() => { m.constructor = 'x'; });
  equal(m.get('set'), 'set', 'after setting properties');
});

test('symbols', () => {
  const m = new All();
  const s = Symbol('s');
  settles(() => m[s]);
  settles(() => { m[s] = 1; });
  settles(() => m.repeatedInt32[s]);
  settles(() => m.mapInt32Int32[s]);
  settles(() => new All({ [s]: 1 }));
  settles(() => `${m}${m.repeatedInt32}${m.mapInt32Int32}`);
  for (const f of [() => m.get(s), () => m.set(s, 1), () => m.has(s), () => m.set('optionalString', s), () => m.set('optionalInt32', s), () => m.repeatedString.add(s), () => m.mapStringString.set(s, ''), () => m.mapStringString.get(s), () => pb.messageType(s), () => pb.decode(s, s), () => pb.timestampFromMs(s), () => pb.anyIs(new (pb.messageType('google.protobuf.Any'))(), s)]) throws(f, TypeError);
  equal(Object.prototype.toString.call(m).startsWith('[object '), true);
});

test('classes that extend a message', () => {
  class Point extends Leaf {
    constructor(name) {
      super({ name });
      this.id = 7;
    }
    get both() { return `${this.name}${this.id}`; }
    static of(name) { return new this(name); }
    toObject() { return { own: super.toObject() }; }
  }
  const p = Point.of('x');
  equal([p.both, p instanceof Point, p instanceof Leaf, p.$type, pb.isMessage(p, Leaf.typeName), Point.typeName], ['x7', true, true, Leaf.typeName, true, Leaf.typeName]);
  equal(p.toObject(), { own: { id: 7, name: 'x' } });
  equal(pb.equals(pb.decode(Leaf, pb.encode(p)), new Leaf({ id: 7, name: 'x' })), true);
  const q = pb.decode(Point, pb.encode(p));
  equal([q.id, q instanceof Leaf], [7, true]);
  equal(pb.anyIs(pb.anyPack(Point, p), Point), true);
  class Bad extends Leaf { constructor() { } }
  throws(() => new Bad(), ReferenceError);
  class Extra extends Leaf { extra = 1; }
  settles(() => new Extra());
  settles(() => Reflect.construct(Leaf, [{ id: 1 }], Object));
  settles(() => Reflect.construct(Leaf, [], new Proxy(Leaf, { get: boom })));
  settles(() => Leaf.call({}, {}));
});

test('odd operations on messages', () => {
  const m = new All({ optionalInt32: 1, repeatedInt32: [1], mapInt32Int32: { 1: 1 }, optionalStruct: { a: [1] }, optionalValue: [1] });
  for (const o of [m, m.repeatedInt32, m.mapInt32Int32, m.optionalStruct, m.optionalValue, All.prototype, All]) {
    for (const f of [Object.keys, Object.entries, Object.getOwnPropertyNames, Object.getOwnPropertyDescriptors, Object.getOwnPropertySymbols, (x) => Object.assign({}, x), (x) => ({ ...x }), (x) => JSON.stringify(x), (x) => Object.freeze(x),
      (x) => Object.seal(x), (x) => Object.preventExtensions(x), (x) => Object.isFrozen(x), (x) => Object.defineProperty(x, 'zzz', { get: boom }), (x) => Object.defineProperty(x, 'optionalInt32', { value: 5 }),
      (x) => Object.defineProperty(x, '0', { get: boom }), (x) => Reflect.ownKeys(x), (x) => Reflect.set(x, 'optionalInt32', 1, {}), (x) => Reflect.get(x, 'optionalInt32', {}), (x) => Reflect.deleteProperty(x, 'optionalInt32'),
      (x) => delete x.zzz, (x) => x == 1, (x) => x < 1, (x) => x + '', (x) => String(x), (x) => Object.create(x).optionalInt32, (x) => { Object.create(x).optionalInt32 = 5; }, (x) => Array.from(x), (x) => [].concat(x),
      (x) => new Set([x]).has(x), (x) => new WeakMap([[x, 1]]).get(x), (x) => structuredClone?.(x), (x) => x.hasOwnProperty('optionalInt32'), (x) => x.propertyIsEnumerable('0'), (x) => Array.prototype.push.call(x, 1),
      (x) => Array.prototype.splice.call(x, 0, 1), (x) => Array.prototype.sort.call(x), (x) => Array.prototype.fill.call(x, {}), (x) => Map.prototype.set.call(x, 1, 1)]) {
      settles(() => f(o));
    }
  }
  settles(() => pb.encode(m));
});

test('built-ins that a script has changed', () => {
  const kept = { iterator: Array.prototype[Symbol.iterator], freeze: Object.freeze, Error: globalThis.Error, RangeError: globalThis.RangeError, Uint8Array: globalThis.Uint8Array, Date: globalThis.Date, push: Array.prototype.push, getTime: Date.prototype.getTime };
  const m = new All({ repeatedInt32: [1], mapInt32Int32: { 1: 2 } });
  let got;
  try {
    Array.prototype[Symbol.iterator] = boom;
    Object.freeze = Array.prototype.push = Date.prototype.getTime = boom;
    globalThis.RangeError = globalThis.Uint8Array = globalThis.Date = boom;
    const calls = [() => pb.encode(m), () => pb.decode(All, pb.encode(m)), () => m.toObject(), () => pb.toJSON(m), () => pb.enumType('protean.test.bench.Color'), () => { m.optionalInt32 = 1e12; }, () => m.mapInt32Int32.entries(), () => pb.timestampDate(pb.timestampNow())];
    got = 0;
    for (let i = 0; i < calls.length; i++) {
      try {
        calls[i]();
      } catch (e) {
        if (!(e instanceof kept.Error)) got++;
      }
    }
  } finally {
    Array.prototype[Symbol.iterator] = kept.iterator;
    Object.freeze = kept.freeze;
    Array.prototype.push = kept.push;
    globalThis.RangeError = kept.RangeError;
    globalThis.Uint8Array = kept.Uint8Array;
    globalThis.Date = kept.Date;
    Date.prototype.getTime = kept.getTime;
  }
  equal(got, 0);
});
