'use strict';
// Repeated fields.

const All = pb.messageType('protobuf_test_messages.proto3.TestAllTypesProto3');
const Nested = pb.messageType('protobuf_test_messages.proto3.TestAllTypesProto3.NestedMessage');

test('methods', () => {
  const m = new All();
  const l = m.repeatedInt32;
  equal([l.length, l.get(0), l[0], Array.isArray(l)], [0, undefined, undefined, true]);
  l.add(1);
  l.add(2);
  equal([l.length, l.get(0), l[1], l.get(2), l[-1], l.get(-1)], [2, 1, 2, undefined, undefined, undefined]);
  l.set(0, 5);
  equal([...m.get('repeated_int32')], [5, 2]);
  const seen = [];
  l.forEach((v, i) => seen.push([v, i]));
  equal(seen, [[5, 0], [2, 1]]);
  l.clear();
  equal([l.length, m.has('repeatedInt32')], [0, false]);
  throws(() => l.set(0, 1), RangeError, 'repeated_int32', '0');
  throws(() => l.set(-1, 1), RangeError);
  throws(() => l.set('0', 1), TypeError);
  throws(() => l.set(0.5, 1), TypeError);
  throws(() => l.get('x'), TypeError);
  throws(() => l.get(Symbol('s')), TypeError);
  throws(() => l.forEach(1), TypeError);
  equal(m.get('repeated_int32') === l && m.repeatedInt32 === l, true, 'the same object');
});

test('indexing', () => {
  const m = new All({ repeatedString: ['a', 'b'] });
  const l = m.repeatedString;
  l[0] = 'x';
  l[2] = 'c';
  equal([...m.repeatedString], ['x', 'b', 'c']);
  throws(() => { l[4] = 'e'; }, RangeError, 'repeated_string');
  throws(() => { l[0] = 1; }, TypeError, 'repeated_string');
  l.length = 1;
  equal([...m.repeatedString], ['x']);
  throws(() => { l.length = 3; }, RangeError, 'repeated_string');
  equal(['0' in l, 1 in l, Object.keys(l)], [true, false, ['0']]);
});

test('strings that change', () => {
  const m = new All();
  const l = m.repeatedString;
  for (const want of [['a', 'b', 'c'], ['a'], [], ['ä', '', 'a long string, which is kept as it is', 'd'], ['x', 'y']]) {
    m.set('repeated_string', want);
    for (let i = 0; i < 2; i++) equal([[...l], want.map((_, j) => l.get(j)), l.length, l.get(want.length)], [want, want, want.length, undefined]);
    l.add('more');
    equal(m.repeatedString[want.length], 'more');
  }
  m.repeatedString = l;
  equal([...l], ['x', 'y', 'more'], 'itself');
  for (const bad of [['a', 1], ['a', null], [, 'a'], ['a', undefined], [new String('a')], ['\ud800'], [Symbol('s')]]) throws(() => { m.repeatedString = bad; }, TypeError, 'repeated_string');
  equal([...l], ['x', 'y', 'more'], 'after what failed');
  m.clear('repeatedString');
  equal([l.length, l.get(0)], [0, undefined]);
  const evil = ['a', 'b', 'c'];
  Object.defineProperty(evil, 1, { get() { l.clear(); m.repeatedString = ['z', 'z', 'z', 'z']; return 'B'; } });
  m.repeatedString = evil;
  equal([...l], ['a', 'B', 'c']);
});

test('iteration', () => {
  const m = new All({ repeatedInt32: [1, 2, 3] });
  const seen = [];
  for (const v of m.repeatedInt32) seen.push(v);
  for (const i in m.repeatedInt32) seen.push(i);
  equal(seen, [1, 2, 3, '0', '1', '2']);
  equal([...m.repeatedInt32.entries()], [[0, 1], [1, 2], [2, 3]]);
  equal([...m.repeatedInt32.keys(), ...m.repeatedInt32.values()], [0, 1, 2, 1, 2, 3]);
  equal(Array.from(m.repeatedInt32), [1, 2, 3]);
  equal(Math.max(...m.repeatedInt32), 3);
});

test('methods of arrays', () => {
  const m = new All({ repeatedInt32: [3, 1, 2] });
  const l = m.repeatedInt32;
  equal([l.push(4, 5), l.pop(), l.shift(), l.unshift(7, 8)], [5, 5, 3, 5]);
  equal([...l], [7, 8, 1, 2, 4]);
  equal([...l.splice(1, 2, 9, 10, 11)], [8, 1]);
  equal([...l], [7, 9, 10, 11, 2, 4]);
  equal([...l.splice(-1)], [4]);
  equal([...l.splice(100, 1), ...l.splice(0, 0)], []);
  l.sort((a, b) => a - b);
  equal([...l], [2, 7, 9, 10, 11]);
  l.reverse();
  equal([...l], [11, 10, 9, 7, 2]);
  equal([l.indexOf(9), l.includes(7), l.find((x) => x < 8), l.join('-'), l.at(-1)], [2, true, 7, '11-10-9-7-2', 2]);
  equal([[...l.map((x) => x * 2)], [...l.filter((x) => x > 9)], [...l.slice(1, 3)], [...l.concat([1])]], [[22, 20, 18, 14, 4], [11, 10], [10, 9], [11, 10, 9, 7, 2, 1]]);
  equal([l.reduce((a, b) => a + b), l.some((x) => x === 2), l.every((x) => x > 2)], [39, true, false]);
  l.fill(1, 3);
  l.copyWithin(0, 3);
  equal([...l], [1, 1, 9, 1, 1]);
  equal([...l.map(String)], ['1', '1', '9', '1', '1'], 'map to another type');
  throws(() => l.push(1, 'x'), TypeError);
  throws(() => l.splice(0, 1, 'x'), TypeError);
  throws(() => l.unshift('x'), TypeError);
  throws(() => l.fill('x'), TypeError);
  equal(new All().repeatedInt32.pop(), undefined);
  equal(new All().repeatedInt32.shift(), undefined);
});

test('setting', () => {
  const m = new All();
  const l = m.repeatedInt32;
  for (const [from, want] of [[[1, 2], [1, 2]], [new Set([3, 4]), [3, 4]], [(function* () { yield 5; })(), [5]], [new Uint8Array([6, 7]), [6, 7]], [new Map([[1, 1]]).keys(), [1]]]) {
    m.repeatedInt32 = from;
    equal([[...m.repeatedInt32], [...l]], [want, want], 'a view made before');
    m.set('repeated_int32', from);
  }
  m.repeatedInt32 = [1, 2];
  m.repeatedInt32 = m.repeatedInt32;
  equal([...m.repeatedInt32], [1, 2], 'itself');
  const other = new All({ repeatedInt32: m.repeatedInt32 });
  other.repeatedInt32.push(3);
  equal([m.repeatedInt32.length, other.repeatedInt32.length], [2, 3], 'lists are copied');
  for (const bad of [1, 'ab', true, {}, { length: 1, 0: 1 }, Symbol('s'), () => 1]) throws(() => { m.repeatedInt32 = bad; }, TypeError, 'repeated_int32');
  throws(() => { m.repeatedInt32 = [1, , 3]; }, TypeError, 'repeated_int32');
  throws(() => { m.repeatedInt32 = new Map([[1, 2]]); }, TypeError, 'repeated_int32');
  equal([...m.repeatedInt32], [1, 2], 'after what failed');
  m.repeatedInt32 = [];
  equal(m.has('repeatedInt32'), false);
  m.repeatedInt32 = [1];
  m.repeatedInt32 = null;
  equal([m.repeatedInt32.length, l.length], [0, 0]);
});

test('messages', () => {
  const m = new All({ repeatedNestedMessage: [{ a: 1 }, new Nested({ a: 2 })] });
  const l = m.repeatedNestedMessage;
  equal(l[0] === l[0] && l.get(0) === l[0], true, 'the same object');
  l[0].a = 5;
  equal(pb.decode(All, pb.encode(m)).repeatedNestedMessage[0].a, 5);
  const n = new Nested({ a: 7 });
  l.add(n);
  equal(l[2] === n, true);
  n.a = 8;
  equal([...l.map((x) => x.a)], [5, 2, 8]);
  l.set(0, { a: 9 });
  l[1] = { a: 10 };
  const first = l[0];
  l.unshift({ a: 0 });
  equal([[...l.map((x) => x.a)], l[1] === first || l[1].a === 9], [[0, 9, 10, 8], true]);
  first.a = 90;
  equal(l[1].a, 90, 'an object whose place has changed');
  equal(l.pop().a, 8);
  l.sort((x, y) => y.a - x.a);
  equal([...l.map((x) => x.a)], [90, 10, 0]);
  for (const bad of [1, 'x', null, undefined, [], new All()]) throws(() => l.add(bad), TypeError, 'repeated_nested_message');
  const gone = l[0];
  l.clear();
  gone.a = 1;
  equal([gone.a, l.length], [1, 0], 'a message that was taken out');
});

test('one message in two places', () => {
  const n = new Nested({ a: 1 });
  const m = new All({ repeatedNestedMessage: [n, n], optionalNestedMessage: n });
  n.a = 2;
  equal(pb.decode(All, pb.encode(m)).repeatedNestedMessage.length, 2);
  const l = new All();
  l.repeatedNestedMessage.push(n, n);
  l.repeatedNestedMessage[0].a = 3;
  equal([n.a, l.repeatedNestedMessage[1].a], [3, 3]);
});

test('conversions', () => {
  const m = new All({ repeatedInt64: [1, 2n ** 60n], repeatedBytes: [new Uint8Array([1])], repeatedNestedMessage: [{ a: 1 }] });
  equal(m.repeatedInt64.toObject(), [1, 2n ** 60n]);
  equal(m.repeatedNestedMessage.toObject(), [{ a: 1 }]);
  equal(JSON.stringify(m.repeatedNestedMessage), '[{"a":1}]');
  equal(JSON.parse(JSON.stringify(m)), { repeatedInt64: ['1', '1152921504606846976'], repeatedBytes: ['AQ=='], repeatedNestedMessage: [{ a: 1 }] });
});

test('JSON of a list is that of the field', () => {
  const fields = {
    repeatedInt64: [1, 2n ** 60n, -(2n ** 63n)],
    repeatedUint64: [1, 2n ** 64n - 1n],
    repeatedSfixed64: [-5],
    repeatedInt32: [1, -1],
    repeatedBytes: [new Uint8Array([251, 255]), new Uint8Array()],
    repeatedNestedEnum: ['BAR', -1, 77],
    repeatedDouble: [0.1, NaN, Infinity, -Infinity],
    repeatedFloat: [0.1, 1e20, NaN],
    repeatedBool: [true, false],
    repeatedString: ['a', '\u{1f600}'],
    repeatedNestedMessage: [{ a: 1 }, {}],
    repeatedForeignMessage: [{ c: 3 }],
    repeatedTimestamp: [new Date(1500), { seconds: -1 }],
    repeatedDuration: [{ seconds: 3, nanos: 5e8 }],
    repeatedFieldmask: [{ paths: ['a_b', 'c'] }],
    repeatedInt64Wrapper: [{ value: 2n ** 60n }, {}],
    repeatedBytesWrapper: [{ value: new Uint8Array([1]) }],
    repeatedStruct: [{ a: [1, null] }],
    repeatedValue: [null, 1, 'x', [{}]],
    repeatedListValue: [[1], []],
    repeatedAny: [pb.anyPack(Nested, new Nested({ a: 7 }))],
  };
  for (const [name, values] of Object.entries(fields)) {
    const m = new All({ [name]: values });
    const want = JSON.stringify(pb.toJSON(m)[name]);
    equal([JSON.stringify(m[name]), JSON.stringify({ l: m.get(name) })], [want, `{"l":${want}}`], name);
    equal([JSON.stringify(m[name].toJSON()), JSON.parse(JSON.stringify(m))[name]], [want, JSON.parse(want)], name);
    equal(
      pb.equals(pb.fromJSON(All, { [name]: m[name] }), pb.fromJSON(All, pb.toJSON(m))),
      true,
      `${name} in fromJSON`,
    );
    equal(pb.equals(pb.fromJSON(All, { [name]: JSON.parse(want) }), pb.fromJSON(All, pb.toJSON(m))), true, name);
  }
  equal([JSON.stringify(new All().repeatedInt64), JSON.stringify([new All().repeatedBytes])], ['[]', '[[]]']);
  equal(JSON.stringify(new All({ repeatedInt64: [1, 2] }).repeatedInt64, null, 1), '[\n "1",\n "2"\n]');
  throws(() => JSON.stringify(new All({ repeatedValue: [NaN] }).repeatedValue), RangeError, 'google.protobuf.Value');
  const far = new All({ repeatedTimestamp: [{ seconds: 2n ** 50n }] });
  throws(() => JSON.stringify(far.repeatedTimestamp), RangeError, 'google.protobuf.Timestamp');
  const { toJSON } = Object.getPrototypeOf(new All().repeatedInt64);
  for (const other of [undefined, [], {}, new All()]) throws(() => toJSON.call(other), TypeError, 'toJSON');
});

test('a view of a field that is not set', () => {
  const m = new All();
  const before = m.repeatedInt32;
  equal(pb.encode(m).length, 0);
  before.push(1);
  equal([m.has('repeatedInt32'), pb.decode(All, pb.encode(m)).repeatedInt32[0]], [true, 1]);
  m.clear('repeatedInt32');
  equal([before.length, m.repeatedInt32.length], [0, 0]);
  before.push(2);
  equal([...m.repeatedInt32], [2]);
});

test('other objects', () => {
  const { get, add, clear, push, toObject } = Object.getPrototypeOf(new All().repeatedInt32);
  for (const f of [get, add, clear, push, toObject]) for (const other of [undefined, {}, [], new All()]) throws(() => f.call(other, 0), TypeError);
});
