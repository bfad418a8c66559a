'use strict';
// Binary and ProtoJSON.

const All = pb.messageType('protobuf_test_messages.proto3.TestAllTypesProto3');
const All2 = pb.messageType('protobuf_test_messages.proto2.TestAllTypesProto2');
const Leaf = pb.messageType('protean.test.bench.Leaf');
const Singular = pb.messageType('protean.test.wellknown.Singular');

test('encode', () => {
  const m = new All({ optionalInt32: 150 });
  const bytes = pb.encode(m);
  equal(bytes, new Uint8Array([8, 150, 1]));
  equal(bytes instanceof Uint8Array && !Array.isArray(bytes), true);
  bytes[1] = 0;
  equal(m.optionalInt32, 150, 'the bytes are a copy');
  equal(pb.encode(new All()), new Uint8Array());
  for (const bad of [undefined, null, 1, 'x', {}, [], new Map(), All, Object.create(m), new Proxy(m, {})]) throws(() => pb.encode(bad), TypeError, 'pb.encode');
});

test('decode', () => {
  const bytes = new Uint8Array([9, 8, 150, 1, 9]);
  for (const b of [bytes.subarray(1, 4), bytes.slice(1, 4), bytes.slice(1, 4).buffer]) equal(pb.decode(All, b).optionalInt32, 150);
  equal(pb.decode(All, new Uint8Array()).$type, All.typeName);
  const m = pb.decode(Leaf, pb.encode(new Leaf({ name: 'x' })));
  equal([m instanceof Leaf, m.name], [true, 'x']);
  for (const bad of [[8], [8, 128], [255], [10, 5, 1], [8, 128, 128, 128, 128, 128, 128, 128, 128, 128, 2], [0, 0], [12], [11]]) {
    throws(() => pb.decode(All, new Uint8Array(bad)), Error, 'pb.decode');
  }
  throws(() => pb.decode(Leaf, new Uint8Array([18, 1, 255])), Error, 'name');
  for (const bad of [undefined, null, 1, 'x', {}, [8, 1], new Map()]) throws(() => pb.decode(All, bad), TypeError);
  for (const bad of [undefined, null, 1, All.typeName, {}, Object, new All(), () => 1]) throws(() => pb.decode(bad, bytes), TypeError);
  const nested = new Uint8Array(60000);
  for (let i = 0; i < nested.length; i += 2) nested[i] = 12; // too short by far for what they say
  throws(() => pb.decode(All, nested), Error);
});

test('unknown fields are kept', () => {
  const m = pb.decode(Leaf, new Uint8Array([160, 6, 1, 8, 5]));
  m.id = 6;
  equal(pb.encode(m), new Uint8Array([8, 6, 160, 6, 1]));
  equal(pb.encode(pb.clone(m)), pb.encode(m));
});

test('closed enums hold what they do not know, as they do in Go', () => {
  const E = pb.messageType('protean.test.legacy.Enums');
  const m = pb.decode(E, new Uint8Array([8, 99]));
  equal([m.has('closed'), m.closed, pb.encode(m)], [true, 99, new Uint8Array([8, 99])]);
});

test('toJSON', () => {
  const m = new All({
    optionalInt64: 2n ** 60n, optionalBytes: new Uint8Array([251, 255]), optionalNestedEnum: 'BAR', optionalDouble: NaN, optionalFloat: -Infinity,
    repeatedUint64: [1], mapBoolBool: { true: false }, mapInt64Int64: { 5: 6 }, oneofString: '', optionalNestedMessage: { a: 1 },
    optionalTimestamp: { seconds: 1, nanos: 500000000 }, optionalDuration: { seconds: -1, nanos: -1 }, optionalFieldMask: { paths: ['a_b', 'c'] },
    optionalBoolWrapper: { value: false }, optionalInt64Wrapper: { value: 5 }, optionalStruct: { a: [1, null] }, optionalValue: 'v', repeatedValue: [1, null],
    optionalAny: pb.anyPack(Leaf, new Leaf({ id: 3 })),
  });
  const want = {
    optionalInt64: '1152921504606846976', optionalBytes: '+/8=', optionalNestedEnum: 'BAR', optionalDouble: 'NaN', optionalFloat: '-Infinity',
    repeatedUint64: ['1'], mapBoolBool: { true: false }, mapInt64Int64: { 5: '6' }, oneofString: '', optionalNestedMessage: { a: 1 },
    optionalTimestamp: '1970-01-01T00:00:01.500Z', optionalDuration: '-1.000000001s', optionalFieldMask: 'aB,c',
    optionalBoolWrapper: false, optionalInt64Wrapper: '5', optionalStruct: { a: [1, null] }, optionalValue: 'v', repeatedValue: [1, null],
    optionalAny: { '@type': 'type.googleapis.com/protean.test.bench.Leaf', id: 3 },
  };
  equal(pb.toJSON(m), want);
  equal(m.toJSON(), want);
  equal(JSON.parse(JSON.stringify(m)), want);
  equal(JSON.parse(JSON.stringify({ m: [m] })), { m: [want] });
  equal(pb.equals(pb.fromJSON(All, want), m), true);
  equal(pb.equals(pb.fromJSON(All, pb.toJSON(m)), m), true);
  m.optionalNestedEnum = 99;
  equal(pb.toJSON(m).optionalNestedEnum, 99, 'a number without a name');
  equal(pb.toJSON(new All()), {});
  for (const bad of [undefined, null, 1, {}, All]) throws(() => pb.toJSON(bad), TypeError);
});

test('what has no JSON', () => {
  throws(() => pb.toJSON(new All({ optionalTimestamp: { seconds: 2n ** 50n } })), Error, 'Timestamp');
  throws(() => pb.toJSON(new All({ optionalDuration: { seconds: 1, nanos: -1 } })), Error, 'Duration');
  throws(() => pb.toJSON(new All({ optionalFieldMask: { paths: ['A'] } })), Error, 'FieldMask');
  throws(() => pb.toJSON(new All({ optionalValue: NaN })), Error, 'Value');
  throws(() => pb.toJSON(new All({ optionalAny: { typeUrl: 'x/no.Such', value: new Uint8Array() } })), Error, 'no.Such');
  throws(() => pb.toJSON(new All({ optionalAny: { typeUrl: 'x/protean.test.bench.Leaf', value: new Uint8Array([255]) } })), Error);
});

test('fromJSON', () => {
  const m = pb.fromJSON(All, { optional_int32: 1, optionalInt64: '5', optionalUint64: 7, optionalBytes: '-_8', optionalNestedEnum: 2, mapInt32Int32: { 1: 2 }, optionalDouble: 'Infinity', optionalString: null, repeatedInt32: [1, '2'] });
  equal([m.optionalInt32, m.optionalInt64, m.optionalUint64, m.optionalBytes, m.optionalNestedEnum, m.mapInt32Int32.get(1), m.optionalDouble, [...m.repeatedInt32]],
    [1, 5, 7, new Uint8Array([251, 255]), 2, 2, Infinity, [1, 2]]);
  equal(pb.fromJSON(All, { optionalBytes: new Uint8Array([1]), optionalInt64: 2n ** 60n }).optionalInt64, 2n ** 60n, 'beyond JSON');
  equal(pb.fromJSON(All, { optionalTimestamp: new Date(1500) }).optionalTimestamp.nanos, 500000000, 'a Date');
  equal(pb.fromJSON(All, new All({ optionalInt32: 3 })).optionalInt32, 3, 'a message');
  equal(pb.fromJSON(All, { toJSON: () => ({ optionalInt32: 4 }) }).optionalInt32, 4, 'toJSON');
  for (const bad of [{ nope: 1 }, { optionalInt32: 'x' }, { optionalInt32: 1.5 }, { optionalInt32: 2 ** 31 }, { optionalNestedEnum: 'NOPE' }, { optionalBytes: '*' }, { repeatedInt32: 1 }, { repeatedInt32: [null] },
    { mapInt32Int32: [] }, { optionalTimestamp: 'x' }, { optionalNestedMessage: 1 }, { oneofUint32: 1, oneofString: 'x' }, { optionalInt32: 1, optional_int32: 2 }, { optionalBool: 'true' },
    1, 'x', [], null, undefined, true, Symbol('s'), { optionalDouble: NaN }, { optionalString: '\ud800' }, { '\udc00': 1 }]) {
    let error;
    try {
      pb.fromJSON(All, bad);
    } catch (e) {
      error = e;
    }
    equal(error instanceof TypeError || error instanceof RangeError, true, show(bad));
  }
  throws(() => pb.fromJSON({}, {}), TypeError);
  throws(() => pb.fromJSON(All, { recursiveMessage: { repeatedNestedMessage: [{}, { a: 'x' }] } }), TypeError, 'pb.fromJSON: protojson: ', 'TestAllTypesProto3: recursive_message.repeated_nested_message[1].a: ');
});

test('fromJSON of Maps and Sets', () => {
  const read = (v) => pb.fromJSON(All, v).toObject();
  equal(
    read(
      new Map([
        ['optionalInt32', 1],
        ['optional_string', 'x'],
      ]),
    ),
    { optionalInt32: 1, optionalString: 'x' },
  );
  equal(
    [read(new Map()), read({ optionalNestedMessage: new Map([['a', 5]]) })],
    [{}, { optionalNestedMessage: { a: 5 } }],
  );
  equal(
    read({
      mapStringString: new Map([
        ['a', 'b'],
        ['', 'c'],
      ]),
    }),
    { mapStringString: { a: 'b', '': 'c' } },
  );
  equal(
    read({
      mapInt32Int32: new Map([
        [1, 2],
        [-3, 4],
      ]),
    }),
    { mapInt32Int32: { 1: 2, '-3': 4 } },
  );
  equal(read({ mapInt64Int64: new Map([[2n ** 60n, 1n]]) }), { mapInt64Int64: { '1152921504606846976': 1 } });
  equal(read({ mapBoolBool: new Map([[true, false]]) }), { mapBoolBool: { true: false } });
  equal(read({ mapStringNestedMessage: new Map([['k', new Map([['a', 1]])]]) }), {
    mapStringNestedMessage: { k: { a: 1 } },
  });
  const struct = { a: 1, b: { c: [1, 2] } };
  equal(
    read({
      optionalStruct: new Map([
        ['a', 1],
        ['b', new Map([['c', new Set([1, 2])]])],
      ]),
    }),
    { optionalStruct: struct },
  );
  equal(read({ repeatedInt32: new Set([1, 2]) }), { repeatedInt32: [1, 2] });
  equal(
    read(
      new Map([
        ['optionalInt32', undefined],
        ['optionalString', () => 1],
      ]),
    ),
    {},
    'what JSON.stringify leaves out',
  );
  throws(() => read(new Map([['__proto__', 1]])), TypeError, '__proto__');
  equal(read(Object.assign(new Map(), { toJSON: () => ({ optionalInt32: 4 }) })), { optionalInt32: 4 }, 'with toJSON');
  for (const bad of [
    new Map([['nope', 1]]),
    new Map([['optionalInt32', 'x']]),
    { optionalInt32: new Map() },
    new Set(),
    { repeatedInt32: new Map() },
    { mapStringString: new Set() },
  ]) {
    throws(() => read(bad), TypeError, 'pb.fromJSON', 'TestAllTypesProto3');
  }
  for (const key of [{}, null, undefined, Symbol('s'), [], '\ud800'])
    throws(() => read(new Map([[key, 1]])), TypeError, 'pb.fromJSON', 'key');
  throws(() => new All(new Map()), TypeError, 'Map');
});

test('fromJSON discards what is unknown if it is told to', () => {
  const unknown = {
    nope: 1,
    optionalInt32: 5,
    '[no.such.ext]': {},
    optionalNestedEnum: 'NOPE',
    repeatedNestedEnum: ['BAR', 'NOPE', 'BAZ'],
    mapStringNestedEnum: { a: 'NOPE', b: 'BAR' },
    optionalNestedMessage: { a: 1, deep: [{}], corecursive: { '': null, optionalString: 's' } },
    repeatedNestedMessage: [{ x: 1 }, { a: 2 }],
    mapStringNestedMessage: { k: { y: new Map() } },
    optionalAny: { '@type': 'x/protean.test.bench.Leaf', id: 3, z: [] },
  };
  const want = {
    optionalInt32: 5,
    repeatedNestedEnum: ['BAR', 'BAZ'],
    mapStringNestedEnum: { b: 'BAR' },
    optionalNestedMessage: { a: 1, corecursive: { optionalString: 's' } },
    repeatedNestedMessage: [{}, { a: 2 }],
    mapStringNestedMessage: { k: {} },
    optionalAny: { '@type': 'x/protean.test.bench.Leaf', id: 3 },
  };
  equal(pb.toJSON(pb.fromJSON(All, unknown, { discardUnknown: true })), want);
  equal(pb.toJSON(pb.fromJSON(All, new Map(Object.entries(unknown)), { discardUnknown: true })), want);
  for (const options of [undefined, null, {}, { discardUnknown: false }, { discardUnknown: undefined }]) {
    throws(() => pb.fromJSON(All, { nope: 1 }, options), TypeError, 'pb.fromJSON', 'TestAllTypesProto3', 'nope');
    equal(pb.fromJSON(All, { optionalInt32: 1 }, options).optionalInt32, 1);
  }
  const options = { discardUnknown: true };
  for (const bad of [{ optionalInt32: 'x', nope: 1 }, { optionalNestedMessage: 1 }, { nope: '\ud800' }, 1, null, []]) {
    throws(() => pb.fromJSON(All, bad, options), TypeError, 'pb.fromJSON');
  }
  for (const bad of [true, 1, 'discardUnknown', [], () => 1, new Map(), new All(), Symbol('s')]) {
    throws(() => pb.fromJSON(All, {}, bad), TypeError, 'pb.fromJSON', 'options');
  }
  for (const bad of [1, 'true', null, {}]) {
    throws(() => pb.fromJSON(All, {}, { discardUnknown: bad }), TypeError, 'pb.fromJSON', 'discardUnknown', 'boolean');
  }
  throws(() => pb.fromJSON(All, {}, { discardunknown: true }), TypeError, 'pb.fromJSON', 'no option', 'discardunknown');
  throws(
    () =>
      pb.fromJSON(
        All,
        {},
        {
          get discardUnknown() {
            throw new RangeError('mine');
          },
        },
      ),
    RangeError,
    'mine',
  );
});

test('toObject', () => {
  const plain = {
    optionalInt64: 2n ** 60n, optionalUint64: 5, optionalBytes: new Uint8Array([1]), optionalNestedEnum: 1, optionalDouble: NaN, repeatedInt64: [1, -(2n ** 62n)], repeatedBytes: [new Uint8Array()],
    mapStringNestedEnum: { a: 2 }, mapInt32Int32: { '-1': 1 }, optionalNestedMessage: { a: 1, corecursive: { optionalString: 's' } }, optionalTimestamp: { seconds: 1, nanos: 2 }, optionalBoolWrapper: {},
    optionalAny: { typeUrl: 'a/b', value: new Uint8Array([9]) }, optionalStruct: { a: [1, { b: null }] }, optionalValue: [1, 'x'], repeatedListValue: [[1], []], oneofBytes: new Uint8Array(),
  };
  const m = new All(plain);
  const got = m.toObject();
  equal(got, plain);
  equal(Object.getPrototypeOf(got) === Object.prototype && Array.isArray(got.repeatedInt64) && Array.isArray(got.optionalValue), true);
  got.optionalStruct.a[0] = 5;
  got.repeatedInt64.length = 0;
  got.optionalBytes[0] = 7;
  got.optionalNestedMessage.a = 2;
  equal(m.toObject(), plain, 'a change of the plain object');
  equal(new All().toObject(), {});
});
