'use strict';
// Map fields.

const All = pb.messageType('protobuf_test_messages.proto3.TestAllTypesProto3');
const Nested = pb.messageType('protobuf_test_messages.proto3.TestAllTypesProto3.NestedMessage');

test('methods', () => {
  const m = new All();
  const map = m.mapStringString;
  equal([map.size, map.get('a'), map.has('a'), map.delete('a')], [0, undefined, false, false]);
  equal(map.set('a', 'b') === map, true, 'set returns the map');
  map.set('c', 'd').set('a', 'e');
  equal([map.size, map.get('a'), map.has('c'), m.get('map_string_string') === map], [2, 'e', true, true]);
  equal([map.delete('a'), map.size, map.delete('a')], [true, 1, false]);
  map.clear();
  equal([map.size, m.has('mapStringString')], [0, false]);
  throws(() => map.forEach(1), TypeError);
  throws(() => { map.a = 'b'; }, TypeError, 'map_string_string');
});

test('iteration', () => {
  const m = new All({ mapInt32Int32: { 3: 30, 1: 10, '-2': -20 } });
  const map = m.mapInt32Int32;
  const want = [[-2, -20], [1, 10], [3, 30]];
  const seen = [];
  const self = {};
  map.forEach(function (value, key, of) { seen.push([key, value, of === map, this === self]); }, self);
  equal(seen, want.map(([k, v]) => [k, v, true, true]));
  equal([[...map], [...map.entries()], [...map.keys()], [...map.values()]], [want, want, [-2, 1, 3], [-20, 10, 30]]);
  const pairs = [];
  for (const [k, v] of map) pairs.push([k, v]);
  equal(pairs, want);
  equal([...new Map(map)], want);
  equal(Object.fromEntries(map), { 3: 30, 1: 10, '-2': -20 });
  equal([...new All({ mapUint64Uint64: { 10: 1, 9: 2 } }).mapUint64Uint64.keys()], [9, 10], 'numbers in their own order');
  equal([...new All({ mapBoolBool: { true: true, false: true } }).mapBoolBool.keys()], [false, true]);
});

test('setting', () => {
  const m = new All();
  const map = m.mapStringString;
  for (const from of [{ a: 'b' }, new Map([['a', 'b']]), new All({ mapStringString: { a: 'b' } }).mapStringString, Object.create(null, { a: { value: 'b', enumerable: true } })]) {
    m.mapStringString = from;
    equal([[...m.mapStringString], [...map]], [[['a', 'b']], [['a', 'b']]], 'a view made before');
    m.set('map_string_string', {});
    equal(m.has('mapStringString'), false);
  }
  m.mapStringString = { a: 'b' };
  m.mapStringString = m.mapStringString;
  equal(m.mapStringString.size, 1, 'itself');
  m.mapInt32Int32 = { 1: 10, 2: 20 };
  m.mapInt32Int32 = { 1: 11, '01': 12 };
  equal([...m.mapInt32Int32], [[1, 12]], 'two names for one key');
  for (const bad of [1, 'x', true, [], [['a', 'b']], new Set(['a']), new Date(), Symbol('s'), new Nested()]) throws(() => { m.mapStringString = bad; }, TypeError, 'map_string_string');
  throws(() => { m.mapStringString = { a: 'b', c: 1 }; }, TypeError, 'map_string_string');
  throws(() => { m.mapStringString = { a: null }; }, TypeError);
  throws(() => { m.mapInt32Int32 = { x: 1 }; }, TypeError, 'map_int32_int32');
  throws(() => { m.mapInt32Int32 = { 2147483648: 1 }; }, RangeError, 'map_int32_int32');
  throws(() => { m.mapBoolBool = { yes: true }; }, TypeError, 'map_bool_bool');
  equal([...m.mapStringString], [['a', 'b']], 'after what failed');
  m.mapStringString = null;
  equal(map.size, 0);
});

test('strings that change', () => {
  const m = new All();
  const map = m.mapStringString;
  const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'ä', ''];
  for (const turn of ['x', 'y', 'x', 'a long string, which is kept as it is']) {
    m.mapStringString = Object.fromEntries(keys.map((k) => [k, k + turn]));
    for (let i = 0; i < 2; i++) equal(keys.map((k) => map.get(k)), keys.map((k) => k + turn), turn);
    equal([map.size, map.get('g'), [...map.keys()]], [8, undefined, [...keys].sort()]);
  }
  for (const k of keys) {
    map.set(k, 'set');
    equal(map.get(k), 'set');
    map.delete(k);
    equal([map.get(k), map.has(k)], [undefined, false]);
  }
  equal([map.size, m.has('mapStringString')], [0, false]);
  m.mapStringString = { a: '1' };
  m.clear('mapStringString');
  equal([map.get('a'), map.size], [undefined, 0]);
  m.mapStringString = { b: '2' };
  equal([map.get('a'), map.get('b')], [undefined, '2']);
  for (const key of [1, null, undefined, {}, true, 'a\ud800', '\ufffd\udc00']) throws(() => map.get(key), TypeError, 'map_string_string');
  m.mapStringString = { 'a\ufffd': 'x' };
  throws(() => map.get('a\ud800'), TypeError, 'map_string_string');
  equal([map.get('a\ufffd'), map.get('a\ufffd')], ['x', 'x']);
  throws(() => map.get('a\ud800'), TypeError, 'map_string_string');
});

test('properties of a plain object', () => {
  const odd = Object.defineProperty(Object.create({ inherited: 'x' }), 'hidden', { value: 'x', enumerable: false });
  Object.defineProperty(odd, 'fixed', { value: 'F', enumerable: true });
  Object.defineProperty(odd, '__proto__', { value: 'P', enumerable: true, writable: true, configurable: true });
  Object.assign(odd, { b: 'B', 10: 'ten', 9: 'nine', a: 'A', [Symbol('s')]: 'x', u: undefined });
  class Fields { x = 'X'; #y = 'Y'; get z() { return 'Z'; } }
  const deleted = { a: 'A', b: 'B', c: 'C' };
  delete deleted.a;
  deleted.a = 'again';
  delete deleted.b;
  const many = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`k${i}`, `v${i}`]));
  const cases = [
    [odd, [['10', 'ten'], ['9', 'nine'], ['__proto__', 'P'], ['a', 'A'], ['b', 'B'], ['fixed', 'F']]],
    [Object.freeze({ a: 'A' }), [['a', 'A']]],
    [Object.seal({ a: 'A' }), [['a', 'A']]],
    [new Fields(), [['x', 'X']]],
    [deleted, [['a', 'again'], ['c', 'C']]],
    [JSON.parse('{"__proto__": "P", "ä": "Ä", "\u{1f600}": "\u{1f603}", "": ""}'), [['', ''], ['__proto__', 'P'], ['ä', 'Ä'], ['\u{1f600}', '\u{1f603}']]],
    [new Proxy({ a: 'A', b: 'B' }, { ownKeys: () => ['b', 'a'] }), [['a', 'A'], ['b', 'B']]],
    [new Proxy({ a: 'A' }, { get: (o, k) => k + '!' }), [['a', 'a!']]],
    [many, Object.entries(many)],
    [{ a: 'A', u: undefined }, [['a', 'A']]],
    [{}, []],
  ];
  for (const [from, want] of cases) {
    const m = new All();
    m.mapStringString = from;
    equal([...m.mapStringString], want, 'without a view');
    m.mapStringString = { other: 'x', a: 'y' };
    m.set('mapStringString', from);
    equal([[...m.mapStringString], m.mapStringString.size], [want, want.length], 'with one');
    equal([...new All({ mapStringString: from }).mapStringString], want, 'in a new message');
    m.mapStringString = from;
    equal(want.map(([k]) => m.mapStringString.get(k)), want.map(([, v]) => v));
  }
  for (const bad of [{ a: 'A', b: null }, { a: 'A', b: 1 }, { b: { toString: () => 'x' } }, { a: new String('A') }, { a: '\ud800' }, { '\udc00': 'A' }, Object.freeze({ a: 1 }), { 1: 'A', 0: 5 }]) {
    const m = new All({ mapStringString: { kept: 'K' } });
    throws(() => { m.mapStringString = bad; }, TypeError, 'map_string_string');
    equal([...m.mapStringString], [['kept', 'K']]);
  }
});

test('other values', () => {
  const m = new All();
  const odd = Object.defineProperty({ 2: 20, 1: 10, 10: 100 }, 3, { value: 30, enumerable: false });
  m.mapInt32Int32 = odd;
  equal([...m.mapInt32Int32], [[1, 10], [2, 20], [10, 100]]);
  m.mapInt32Double = { 1: 0.5, 2: -0, '-1': Infinity };
  equal([...m.mapInt32Double], [[-1, Infinity], [1, 0.5], [2, -0]]);
  m.mapBoolBool = { true: false, false: true };
  equal([...m.mapBoolBool], [[false, true], [true, false]]);
  m.mapStringNestedEnum = { a: 'BAR', b: 2 };
  equal([...m.mapStringNestedEnum], [['a', 1], ['b', 2]]);
  m.mapStringBytes = { a: new Uint8Array([1]) };
  equal([...m.mapStringBytes], [['a', new Uint8Array([1])]]);
  m.mapInt64Int64 = { 1: 5n, '-9223372036854775808': '7' };
  equal([m.mapInt64Int64.size, m.mapInt64Int64.get('1')], [2, 5]);
  throws(() => { m.mapInt32Int32 = { 1: 10, 2: '20' }; }, TypeError, 'map_int32_int32');
  throws(() => { m.mapStringBytes = { a: 'x' }; }, TypeError, 'map_string_bytes');
  equal([m.mapInt32Int32.size, m.mapStringBytes.size], [3, 1]);
});

test('messages', () => {
  const m = new All({ mapStringNestedMessage: { a: { a: 1 }, b: new Nested({ a: 2 }) } });
  const map = m.mapStringNestedMessage;
  equal(map.get('a') === map.get('a'), true, 'the same object');
  map.get('a').a = 5;
  equal(pb.decode(All, pb.encode(m)).mapStringNestedMessage.get('a').a, 5);
  const n = new Nested();
  map.set('c', n);
  n.a = 7;
  equal([map.get('c') === n, [...map.values()].map((v) => v.a)], [true, [5, 2, 7]]);
  for (const bad of [1, null, undefined, [], new All()]) throws(() => map.set('d', bad), TypeError, 'map_string_nested_message');
  map.delete('c');
  n.a = 8;
  equal([map.has('c'), n.a], [false, 8]);
});

test('awkward keys', () => {
  const m = new All();
  for (const key of ['', '__proto__', 'constructor', 'toString', 'size', 'get', '\0', '\u{1f600}', 'length']) m.mapStringString.set(key, key);
  const n = pb.decode(All, pb.encode(m));
  equal([...n.mapStringString], [...m.mapStringString]);
  equal(n.mapStringString.get('__proto__'), '__proto__');
  const o = m.toObject().mapStringString;
  equal([Object.keys(o).length, Object.getOwnPropertyDescriptor(o, '__proto__').value, Object.getPrototypeOf(o) === Object.prototype], [9, '__proto__', true]);
  equal(pb.equals(new All(m.toObject()), m), true);
  equal(pb.equals(pb.fromJSON(All, pb.toJSON(m)), m), true);
  equal(pb.equals(pb.fromJSON(All, JSON.parse(JSON.stringify(m))), m), true);
});

test('conversions', () => {
  const m = new All({ mapInt64Int64: { 1: 2n ** 60n }, mapStringNestedMessage: { k: { a: 1 } }, mapBoolBool: { true: false } });
  equal([m.mapInt64Int64.toObject(), m.mapInt64Int64.toJSON()], [{ 1: 2n ** 60n }, { 1: '1152921504606846976' }]);
  equal(m.toObject(), { mapInt64Int64: { 1: 2n ** 60n }, mapStringNestedMessage: { k: { a: 1 } }, mapBoolBool: { true: false } });
  equal(JSON.stringify(m.mapStringNestedMessage), '{"k":{"a":1}}');
});

test('other objects', () => {
  const { get, set, has, clear, forEach, entries } = Object.getPrototypeOf(new All().mapStringString);
  for (const f of [get, set, has, clear, forEach, entries]) for (const other of [undefined, {}, new Map(), new All()]) throws(() => f.call(other, 'a'), TypeError);
  throws(() => Map.prototype.get.call(new All().mapStringString, 'a'), TypeError);
});
