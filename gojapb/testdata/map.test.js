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
