'use strict';
// Changes of several elements of a list: all of them, or none.

const All = pb.messageType('protobuf_test_messages.proto3.TestAllTypesProto3');
const Nested = pb.messageType('protobuf_test_messages.proto3.TestAllTypesProto3.NestedMessage');
const Singular = pb.messageType('protean.test.wellknown.Singular');
const Repeated = pb.messageType('protean.test.wellknown.Repeated');

// changes are calls of the methods that take elements, with one that is bad.
const changes = [
  (l, good, bad) => l.push(good, good, bad),
  (l, good, bad) => l.push(bad, good),
  (l, good, bad) => l.unshift(good, good, bad),
  (l, good, bad) => l.unshift(bad, good),
  (l, good, bad) => l.splice(0, 1, good, bad),
  (l, good, bad) => l.splice(1, 0, good, good, bad),
  (l, good, bad) => l.splice(-1, 1, bad, good),
  (l, good, bad) => l.fill(bad),
  (l, good, bad) => l.fill(bad, 1, 2),
];

// failing returns a plain object for a message that can be read only so many times.
const failing = (times) => ({
  get a() {
    if (times-- <= 0) throw new TypeError('optional: enough');
    return 1;
  },
});

test('a refused element of a repeated field', () => {
  for (const [field, start, good, bad] of [
    ['repeatedInt32', [1, 2, 3], 7, 'x'],
    ['repeatedString', ['a', 'b', 'c'], 'g', 1],
    ['repeatedBytes', [new Uint8Array([1]), new Uint8Array(), new Uint8Array([3])], new Uint8Array([7]), 'x'],
    ['repeatedInt64', [1, 2, 3], 2n ** 60n, 2n ** 64n],
    ['repeatedNestedEnum', [0, 1, 2], 'BAR', 'NOPE'],
    ['repeatedBool', [true, false, true], true, 1],
  ]) {
    for (const change of changes) {
      const m = new All({ [field]: start });
      const l = m[field];
      throws(
        () => change(l, good, bad),
        Error,
        m.$type,
        field.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`),
      );
      equal([[...l], [...pb.decode(All, pb.encode(m))[field]]], [start, start], String(change));
    }
  }
});

test('a refused message', () => {
  for (const change of changes) {
    for (const bad of [1, null, undefined, new All(), { a: 'x' }, { nope: 1 }, failing(0)]) {
      const kept = new Nested({ a: 2 });
      const m = new All({ repeatedNestedMessage: [{ a: 1 }, kept] });
      throws(() => change(m.repeatedNestedMessage, { a: 7 }, bad), TypeError);
      equal(
        [m.toObject().repeatedNestedMessage, m.repeatedNestedMessage.length],
        [[{ a: 1 }, { a: 2 }], 2],
        String(change),
      );
      m.repeatedNestedMessage[1].a = 3;
      equal(m.toObject().repeatedNestedMessage[1].a, 3);
    }
  }
  const m = new All({ repeatedNestedMessage: [{ a: 1 }, { a: 2 }] });
  throws(() => m.repeatedNestedMessage.fill(failing(1)), TypeError, 'enough');
  equal(m.toObject().repeatedNestedMessage, [{ a: 1 }, { a: 2 }], 'fill, which makes a message for each element');
  const T = pb.messageType('protean.test.legacy.Tree');
  const t = new T({ children: [{}] });
  const sub = t.children[0];
  throws(() => sub.children.push({}, t), TypeError, 'children');
  throws(() => sub.children.unshift({}, t), TypeError, 'children');
  equal(sub.children.length, 0, 'a message in itself');
});

test('a refused element of a list of plain values', () => {
  const lists = [
    [
      () => new Singular({ oneValue: [1, 'b', { c: [null] }] }),
      (m) => m.oneValue,
      'protean.test.wellknown.Singular.one_value',
    ],
    [
      () => new Singular({ oneListValue: [1, 'b', { c: [null] }] }),
      (m) => m.oneListValue,
      'protean.test.wellknown.Singular.one_list_value',
    ],
    [
      () => new Singular({ oneStruct: { l: [1, 'b', { c: [null] }] } }),
      (m) => m.oneStruct.l,
      'protean.test.wellknown.Singular.one_struct',
    ],
    [
      () => new Singular({ oneValue: [[1, 'b', { c: [null] }]] }),
      (m) => m.oneValue[0],
      'protean.test.wellknown.Singular.one_value',
    ],
    [
      () => new Repeated({ listValue: [1, 'b', { c: [null] }] }),
      (m) => m.listValue,
      'protean.test.wellknown.Repeated.list_value',
    ],
    [
      () => new Repeated({ listListValue: [[1, 'b', { c: [null] }]] }),
      (m) => m.listListValue[0],
      'protean.test.wellknown.Repeated.list_list_value',
    ],
  ];
  for (const [make, list, name] of lists) {
    for (const change of changes) {
      for (const bad of [1n, Symbol('s'), { a: { b: new Date() } }, [[() => 1]], '\ud800']) {
        const m = make();
        const before = m.toObject();
        throws(() => change(list(m), { x: [1] }, bad), TypeError, name);
        equal(m.toObject(), before, String(change));
      }
    }
  }
  const m = new Repeated({ listStruct: [{ a: 1 }, { b: 2 }] });
  for (const change of changes) throws(() => change(m.listStruct, {}, [1]), TypeError, 'list_struct');
  equal(m.toObject(), { listStruct: [{ a: 1 }, { b: 2 }] });
});

test('what the methods return', () => {
  const m = new All({ repeatedInt32: [5, 3, 9] });
  const l = m.repeatedInt32;
  equal([l.push(), l.push(1), l.push(2, 4), l.unshift(), l.unshift(8)], [3, 4, 6, 6, 7]);
  equal([l.sort() === l, [...l]], [true, [1, 2, 3, 4, 5, 8, 9]]);
  equal([l.reverse() === l, [...l]], [true, [9, 8, 5, 4, 3, 2, 1]]);
  equal([l.copyWithin(0, -2) === l, [...l]], [true, [2, 1, 5, 4, 3, 2, 1]]);
  equal(
    [l.copyWithin(-3, 0, 2), l.copyWithin(1, 3, 1), l.copyWithin(9, 0), l.copyWithin(0, 9)].map((x) => x === l),
    [true, true, true, true],
  );
  equal([...l], [2, 1, 5, 4, 2, 1, 1]);
  equal([l.copyWithin(1, 0) === l, [...l]], [true, [2, 2, 1, 5, 4, 2, 1]], 'parts that overlap');
  equal(
    [l.fill(7, 1, -4) === l, [...l], [...l.fill(6, -1)], [...l.fill(0)]],
    [true, [2, 7, 7, 5, 4, 2, 1], [2, 7, 7, 5, 4, 2, 6], [0, 0, 0, 0, 0, 0, 0]],
  );
  equal([...new All().repeatedInt32.fill('x').sort().reverse().copyWithin(0)], [], 'nothing to do');
});

test('methods of arrays on lists of plain values', () => {
  const m = new Singular({ oneValue: [3, 1, 2] });
  const l = m.oneValue;
  equal([l.push('x', [1]), l.pop(), l.pop(), l.shift(), l.unshift({ a: 1 }, null)], [5, [1], 'x', 3, 4]);
  equal([l.splice(1, 2, 'y', true, undefined), l, l.length], [[null, 1], [{ a: 1 }, 'y', true, null, 2], 5]);
  equal(
    [l.splice(-2), l.reverse(), l.fill(0, 1), l.copyWithin(1, 0, 1)].slice(1).map((x) => x === l),
    [true, true, true],
  );
  equal(JSON.parse(JSON.stringify(m)), { oneValue: [true, true, 0] });
  equal(
    [[].concat(l), l.map((x) => x), l.slice(1), [...l.entries()].length, l.at(-1), l.indexOf(0)],
    [[true, true, 0], [true, true, 0], [true, 0], 3, 0, 2],
  );
  equal(
    [new Singular({ oneValue: [] }).oneValue.pop(), new Singular({ oneListValue: [] }).oneListValue.shift()],
    [undefined, undefined],
  );
});

test('copyWithin copies plain values, and has a message in two places', () => {
  const m = new Singular({ oneListValue: [{ a: 1 }, 2, { b: [3] }] });
  const l = m.oneListValue;
  l.copyWithin(1, 0, 1);
  l[0].a = 9;
  equal([m.oneListValue, new Singular(m).oneListValue], Array(2).fill([{ a: 9 }, { a: 1 }, { b: [3] }]));
  const r = new Repeated({ listStruct: [{ a: 1 }, {}], listValue: [[1], null] });
  r.listStruct.copyWithin(1, 0);
  r.listValue.copyWithin(1, 0);
  r.listStruct[0].a = 2;
  r.listValue[1].push(2);
  equal(r.toObject(), { listStruct: [{ a: 2 }, { a: 1 }], listValue: [[1], [1, 2]] });
  const n = new All({
    repeatedNestedMessage: [{ a: 1 }, { a: 2 }],
    repeatedBytes: [new Uint8Array([1]), new Uint8Array()],
  });
  equal([...n.repeatedBytes.copyWithin(1, 0)], [new Uint8Array([1]), new Uint8Array([1])]);
  n.repeatedNestedMessage.copyWithin(1, 0)[0].a = 5;
  equal(n.repeatedNestedMessage[1].a, 5);
});

test('sort', () => {
  const sorted = (field, values, by) => [...new All({ [field]: values })[field].sort(by)];
  equal(sorted('repeatedInt32', [10, 9, -1, 1]), [-1, 1, 10, 9], 'as strings');
  equal(
    sorted('repeatedString', ['\u{1f600}', '\uffff', 'b', '', 'B']),
    ['', 'B', 'b', '\u{1f600}', '\uffff'],
    'by UTF-16',
  );
  equal(
    sorted('repeatedDouble', [2, -0, Infinity, 0, 1], (a, b) => b - a),
    [Infinity, 2, 1, -0, 0],
  );
  equal(
    sorted('repeatedInt64', [2n ** 60n, 3, -(2n ** 60n)], (a, b) => (a < b ? -1 : 1)),
    [-(2n ** 60n), 3, 2n ** 60n],
  );
  equal(
    sorted('repeatedInt32', [1, 2, 3], () => NaN),
    [1, 2, 3],
  );
  equal(sorted('repeatedInt32', [1, 2, 3], () => ({ valueOf: () => -1 })).length, 3);
  const many = Array.from({ length: 300 }, (_, i) => (i * 7919) % 100);
  equal(
    sorted('repeatedInt32', many, (a, b) => a - b),
    [...many].sort((a, b) => a - b),
  );
  const pairs = new All({ repeatedNestedMessage: many.map((a, i) => ({ a, corecursive: { optionalInt32: i } })) })
    .repeatedNestedMessage;
  pairs.sort((x, y) => x.a - y.a);
  equal(
    pairs.every(
      (x, i) =>
        i === 0 ||
        pairs[i - 1].a < x.a ||
        (pairs[i - 1].a === x.a && pairs[i - 1].corecursive.optionalInt32 < x.corecursive.optionalInt32),
    ),
    true,
    'stable',
  );
  const l = new All({ repeatedInt32: [3, 1, 2] }).repeatedInt32;
  for (const bad of [1, null, 'x', {}]) throws(() => l.sort(bad), TypeError, 'repeated_int32');
  throws(
    () =>
      l.sort(() => {
        throw new RangeError('boom');
      }),
    RangeError,
    'boom',
  );
  throws(() => l.sort(() => 1n), TypeError);
  equal([...l], [3, 1, 2], 'after what failed');
  equal(new Singular({ oneValue: [null, 'b', 10, 9, true] }).oneValue.sort(), [10, 9, 'b', null, true]);
});

test('elements that a script could not set stay what they are', () => {
  const E = pb.messageType('protean.test.legacy.Enums');
  const closed = () => pb.decode(E, new Uint8Array([24, 99, 24, 1, 24, 98]));
  const field = Object.keys(closed())[0];
  equal([...closed()[field]], [99, 1, 98]);
  for (const [change, want] of [
    [(l) => l.sort((a, b) => a - b), [1, 98, 99]],
    [(l) => l.reverse(), [98, 1, 99]],
    [(l) => l.copyWithin(1, 0, 1), [99, 99, 98]],
    [(l) => l.shift(), [1, 98]],
    [(l) => l.unshift(1), [1, 99, 1, 98]],
  ]) {
    const m = closed();
    change(m[field]);
    equal([...pb.decode(E, pb.encode(m))[field]], want, String(change));
  }
  // A Value that holds nothing, which scripts see as undefined, and one that is NaN.
  const unset = () => pb.decode(Singular, pb.encode(new Singular({ oneListValue: ['b', NaN, 'a'] })));
  const L = pb.messageType('google.protobuf.ListValue');
  const bare = pb.decode(L, new Uint8Array([10, 0, 10, 3, 26, 1, 97, 10, 3, 26, 1, 66]));
  equal([...bare.values], [undefined, 'a', 'B']);
  bare.values.sort();
  equal([...bare.values], ['B', 'a', undefined], 'undefined comes last');
  bare.values.reverse();
  bare.values.unshift(1);
  equal([pb.encode(bare).length, [...bare.values]], [2 + 5 + 5 + 11, [1, undefined, 'a', 'B']]);
  const m = unset();
  m.oneListValue.reverse();
  m.oneListValue.shift();
  equal(m.oneListValue, [NaN, 'b']);
});

test('objects of messages keep their place', () => {
  const m = new All({ repeatedNestedMessage: [{ a: 3 }, { a: 1 }, { a: 2 }] });
  const l = m.repeatedNestedMessage;
  const [three, one, two] = l;
  l.sort((x, y) => x.a - y.a);
  equal([l[0] === one, l[1] === two, l[2] === three], [true, true, true], 'sort');
  l.reverse();
  equal([l[0] === three, l[1] === two, l[2] === one], [true, true, true], 'reverse');
  l.unshift({ a: 0 });
  equal([l[1] === three, l[3] === one], [true, true], 'unshift');
  equal([l.shift().a, l.splice(0, 1)[0] === three, l[0] === two], [0, true, true], 'shift and splice');
  const n = new Nested({ a: 9 });
  equal([l.push({ a: 8 }, n), l[3] === n, l[2].a], [4, true, 8], 'push');
  l.fill(n, 0, 2);
  n.a = 10;
  equal([l[0] === n, l[1] === n, [...l].map((x) => x.a)], [true, true, [10, 10, 8, 10]], 'fill');
});

test('lists that change while their elements are converted', () => {
  for (const change of changes) {
    for (const spoil of [
      (m) => m.repeatedNestedMessage.clear(),
      (m) => m.clear('repeatedNestedMessage'),
      (m) => {
        m.repeatedNestedMessage = [{ a: 5 }];
      },
      (m) => m.repeatedNestedMessage.push({ a: 6 }, { a: 7 }),
    ]) {
      const m = new All({ repeatedNestedMessage: [{ a: 1 }, { a: 2 }] });
      let spoiled = false;
      const evil = {
        get a() {
          if (!spoiled) spoil(m);
          spoiled = true;
          return 9;
        },
      };
      try {
        change(m.repeatedNestedMessage, evil, evil);
      } catch (e) {
        equal([e instanceof RangeError, e.message.includes('repeated_nested_message')], [true, true], show(e));
        equal(
          m.toObject().repeatedNestedMessage?.some((x) => x.a === 9) ?? false,
          false,
          'nothing of what was refused',
        );
      }
      equal(pb.decode(All, pb.encode(m)).repeatedNestedMessage.length, m.repeatedNestedMessage.length);
    }
    for (const spoil of [
      (l) => {
        l.length = 0;
      },
      (l) => l.push(1, 2, 3),
    ]) {
      const m = new Singular({ oneListValue: [1, 2] });
      let spoiled = false;
      const evil = {
        get a() {
          if (!spoiled) spoil(m.oneListValue);
          spoiled = true;
          return 9;
        },
      };
      try {
        change(m.oneListValue, evil, evil);
      } catch (e) {
        equal(e instanceof RangeError, true, show(e));
      }
      equal(pb.decode(Singular, pb.encode(m)).oneListValue, m.oneListValue);
    }
  }
  for (const put of [
    (l, v) => l.add(v),
    (l, v) => {
      l[1] = v;
    },
    (l, v) => l.set(1, v),
    (l, v) => {
      l[2] = v;
    },
  ]) {
    const m = new All({ repeatedNestedMessage: [{ a: 1 }, { a: 2 }] });
    try {
      put(m.repeatedNestedMessage, {
        get a() {
          m.clear('repeatedNestedMessage');
          return 9;
        },
      });
      equal(
        [...m.repeatedNestedMessage].map((x) => x.a),
        [9],
        String(put),
      );
    } catch (e) {
      equal(
        [e instanceof RangeError, e.message.includes('repeated_nested_message'), m.repeatedNestedMessage.length],
        [true, true, 0],
        show(e),
      );
    }
  }
});

test('other objects', () => {
  for (const prototype of [
    Object.getPrototypeOf(new All().repeatedInt32),
    Object.getPrototypeOf(new Singular({ oneValue: [] }).oneValue),
  ]) {
    for (const name of ['push', 'pop', 'shift', 'unshift', 'splice', 'fill', 'sort', 'reverse', 'copyWithin']) {
      for (const other of [undefined, null, {}, [], new All(), new Singular({ oneStruct: {} }).oneStruct])
        throws(() => prototype[name].call(other, 0), TypeError, name);
    }
  }
  equal([].concat.call(new Singular({ oneValue: [1] }).oneValue, [2]), [1, 2]);
});
