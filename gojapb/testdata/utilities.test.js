'use strict';
// The other functions of the module: schemas, comparison, time, Any.

const All = pb.messageType('protobuf_test_messages.proto3.TestAllTypesProto3');
const Leaf = pb.messageType('protean.test.bench.Leaf');
const Timestamp = pb.messageType('google.protobuf.Timestamp');
const Duration = pb.messageType('google.protobuf.Duration');
const Any = pb.messageType('google.protobuf.Any');

test('require', () => {
  equal(require('protobuf').messageType('protean.test.bench.Leaf') === Leaf, true);
  equal(Object.keys(pb).sort(), ['anyIs', 'anyPack', 'anyUnpack', 'clearField', 'clone', 'decode', 'durationFromMs', 'durationMs', 'encode', 'enumType', 'equals', 'fromJSON', 'isFieldSet',
    'isMessage', 'loadDescriptorSet', 'loadFileDescriptorProto', 'messageType', 'timestampDate', 'timestampFromDate', 'timestampFromMs', 'timestampMs', 'timestampNow', 'toJSON']);
  const { encode, decode } = pb;
  equal(decode(Leaf, encode(new Leaf({ id: 1 }))).id, 1, 'functions without the module');
});

test('loading schemas', () => {
  // acme.proto: package acme; message M { string name = 1; E e = 2; message N {} } enum E { ZERO = 0; }, proto3
  const file = (extra = []) => {
    const text = (s) => [...s].map((c) => c.charCodeAt(0));
    const field = (n, bytes) => [n << 3 | 2, bytes.length, ...bytes];
    const name = field(2, [...field(1, text('name')), 24, 1, 32, 1, 40, 9]);
    const e = field(2, [...field(1, text('e')), 24, 2, 32, 1, 40, 14, ...field(6, text('.acme.E'))]);
    const m = field(4, [...field(1, text('M')), ...name, ...e, ...field(3, field(1, text('N')))]);
    const en = field(5, [...field(1, text('E')), ...field(2, [...field(1, text('ZERO')), 16, 0])]);
    return [...field(1, text('acme.proto')), ...field(2, text('acme')), ...m, ...en, ...extra, ...field(12, text('proto3'))];
  };
  const names = ['acme.M', 'acme.M.N', 'acme.E'];
  equal(pb.loadFileDescriptorProto(new Uint8Array(file())), names);
  const M = pb.messageType('acme.M');
  equal(new M({ name: 'x', e: 'ZERO' }).name, 'x');
  equal(pb.loadFileDescriptorProto(new Uint8Array(file()).buffer), names, 'again');
  const set = (f) => new Uint8Array([10, f.length, ...f]);
  equal(pb.loadDescriptorSet(set(file())), names, 'again, in a set');
  equal(pb.messageType('acme.M') === M, true, 'the same constructor');
  equal(pb.loadDescriptorSet(new Uint8Array()), []);
  const other = file([34, 5, 10, 3, 78, 101, 119]); // with a message New
  throws(() => pb.loadDescriptorSet(set(other)), Error, 'acme.proto');
  throws(() => pb.messageType('acme.New'), TypeError);
  equal(pb.messageType('acme.M') === M, true, 'after a conflict');
  for (const bad of [[255], [10, 1, 255], [10, 3, 10, 1]]) throws(() => pb.loadDescriptorSet(new Uint8Array(bad)), Error);
  for (const bad of [undefined, null, 'x', 1, {}, [1]]) {
    throws(() => pb.loadDescriptorSet(bad), TypeError);
    throws(() => pb.loadFileDescriptorProto(bad), TypeError);
  }
});

test('equals', () => {
  const a = new All({ optionalInt32: 1, mapInt32Int32: { 1: 2, 3: 4 }, repeatedInt32: [1] });
  const b = new All({ repeatedInt32: [1], mapInt32Int32: { 3: 4, 1: 2 }, optionalInt32: 1 });
  equal([pb.equals(a, b), pb.equals(a, a), pb.equals(a, new All()), pb.equals(new All(), new Leaf())], [true, true, false, false]);
  b.repeatedInt32.push(2);
  equal(pb.equals(a, b), false);
  for (const bad of [undefined, null, {}, 1]) throws(() => pb.equals(a, bad), TypeError);
});

test('clone', () => {
  const a = new All({ repeatedNestedMessage: [{ a: 1 }], optionalBytes: new Uint8Array([1]) });
  const b = pb.clone(a);
  equal([pb.equals(a, b), b instanceof All, a === b], [true, true, false]);
  b.repeatedNestedMessage[0].a = 2;
  equal(a.repeatedNestedMessage[0].a, 1);
  throws(() => pb.clone({}), TypeError);
});

test('isMessage', () => {
  const m = new Leaf();
  equal([pb.isMessage(m), pb.isMessage(m, Leaf.typeName), pb.isMessage(m, All.typeName), pb.isMessage(m, undefined), pb.isMessage(m, Leaf), pb.isMessage(m, All)], [true, true, false, true, true, false]);
  for (const other of [undefined, null, 1, 'x', {}, [], Leaf, new All().repeatedInt32, new All({ optionalStruct: {} }).optionalStruct, Object.create(m), new Proxy(m, {})]) equal(pb.isMessage(other), false, show(typeof other));
});

test('isFieldSet and clearField', () => {
  const m = new All({ optionalInt32: 1, repeatedInt32: [1], mapInt32Int32: {} });
  equal([pb.isFieldSet(m, 'optional_int32'), pb.isFieldSet(m, 'repeatedInt32'), pb.isFieldSet(m, 'map_int32_int32')], [true, true, false]);
  pb.clearField(m, 'repeatedInt32');
  equal(m.has('repeated_int32'), false);
  throws(() => pb.isFieldSet(m, 'nope'), TypeError, 'nope');
  throws(() => pb.isFieldSet({}, 'x'), TypeError);
  throws(() => pb.clearField(m), TypeError);
});

test('timestamps', () => {
  const now = pb.timestampNow();
  equal([now instanceof Timestamp, Math.abs(pb.timestampMs(now) - Date.now()) < 60000], [true, true]);
  for (const [ms, seconds, nanos] of [[0, 0, 0], [1500, 1, 500000000], [-1, -1, 999000000], [-1500, -2, 500000000], [253402300799999, 253402300799, 999000000]]) {
    const t = pb.timestampFromMs(ms);
    equal([t.seconds, t.nanos, pb.timestampMs(t), pb.timestampDate(t).getTime()], [seconds, nanos, ms, ms]);
    equal(pb.equals(pb.timestampFromDate(new Date(ms)), t), true);
    equal(pb.equals(new All({ optionalTimestamp: new Date(ms) }).optionalTimestamp, t), true, 'a field set to a Date');
  }
  equal(pb.timestampDate(now) instanceof Date, true);
  for (const bad of ['x', undefined, {}, true]) {
    throws(() => pb.timestampFromMs(bad), TypeError);
    throws(() => pb.timestampFromDate(bad), TypeError);
    throws(() => pb.timestampMs(bad), TypeError);
    throws(() => pb.timestampDate(bad), TypeError);
  }
  throws(() => pb.timestampMs(new Duration()), TypeError, 'Timestamp', 'Duration');
  throws(() => pb.timestampFromMs(NaN), RangeError);
  throws(() => pb.timestampFromMs(Infinity), RangeError);
  throws(() => pb.timestampFromDate(new Date(NaN)), RangeError);
  throws(() => new All({ optionalTimestamp: new Date(NaN) }), RangeError);
});

test('durations', () => {
  for (const [ms, seconds, nanos] of [[0, 0, 0], [1500, 1, 500000000], [-1, 0, -1000000], [-1500, -1, -500000000]]) {
    const d = pb.durationFromMs(ms);
    equal([d.seconds, d.nanos, pb.durationMs(d)], [seconds, nanos, ms]);
  }
  for (const bad of ['x', undefined, {}]) {
    throws(() => pb.durationFromMs(bad), TypeError);
    throws(() => pb.durationMs(bad), TypeError);
  }
  throws(() => pb.durationFromMs(NaN), RangeError);
});

test('times that no number stands for', () => {
  const seconds = 'google.protobuf.Timestamp.seconds';
  for (const bad of [2n ** 62n, -(2n ** 62n), 2n ** 63n - 1n, -(2n ** 63n), 9007199254741n, -9007199254741n]) {
    const t = new Timestamp({ seconds: bad });
    throws(() => pb.timestampMs(t), RangeError, 'pb.timestampMs', seconds, String(bad));
    throws(() => pb.timestampDate(t), RangeError, 'pb.timestampDate', seconds, String(bad));
    const d = new Duration({ seconds: bad });
    throws(() => pb.durationMs(d), RangeError, 'pb.durationMs', 'google.protobuf.Duration.seconds', String(bad));
  }
  for (const ms of [Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, 8.64e15 + 1, -8.64e15 - 1]) {
    const t = pb.timestampFromMs(ms);
    equal([pb.timestampMs(t), pb.durationMs(pb.durationFromMs(ms))], [ms, ms]);
    throws(() => pb.timestampDate(t), RangeError, 'pb.timestampDate', seconds, 'Date');
  }
  for (const ms of [8.64e15, -8.64e15]) equal(pb.timestampDate(pb.timestampFromMs(ms)).getTime(), ms);
  for (const bad of [2 ** 53, -(2 ** 53), NaN, Infinity]) {
    throws(() => pb.timestampFromMs(bad), RangeError, 'pb.timestampFromMs', String(bad));
    throws(() => pb.durationFromMs(bad), RangeError, 'pb.durationFromMs', String(bad));
  }
  throws(() => pb.timestampFromDate(new Date(NaN)), RangeError, 'pb.timestampFromDate', 'NaN');
  const field = 'TestAllTypesProto3.optional_timestamp';
  throws(() => new All({ optionalTimestamp: new Date(NaN) }), RangeError, field, 'NaN');
});

test('fractions of milliseconds', () => {
  const fractions = [1.9, 0.5, -0.5, -1, -1.9, -1000.7, 999.9999, -1e-7];
  for (const ms of fractions) {
    const want = new Date(ms).getTime();
    equal(pb.timestampMs(pb.timestampFromMs(ms)), want, `timestampFromMs(${ms})`);
    equal(pb.durationMs(pb.durationFromMs(ms)), want, `durationFromMs(${ms})`);
    equal(pb.equals(pb.timestampFromMs(ms), pb.timestampFromDate(new Date(ms))), true);
    equal(pb.equals(pb.timestampFromDate(ms), pb.timestampFromMs(ms)), true, 'a number for a Date');
  }
  const { seconds, nanos } = pb.timestampFromMs(-1.9);
  equal([seconds, nanos, pb.durationFromMs(-1.9).nanos], [-1, 999000000, -1000000]);
  // Of what is more exact, timestampMs has the millisecond that it is in, durationMs drops the fraction, as Go does.
  equal(pb.timestampMs(new Timestamp({ seconds: -1, nanos: 999500000 })), -1);
  equal([pb.durationMs(new Duration({ nanos: -999999 })), pb.durationMs(new Duration({ nanos: 999999 }))], [0, 0]);
});

test('Any', () => {
  const m = new Leaf({ id: 5 });
  const any = pb.anyPack(Leaf, m);
  equal([any instanceof Any, any.typeUrl, any.value], [true, 'type.googleapis.com/protean.test.bench.Leaf', new Uint8Array([8, 5])]);
  equal([pb.anyIs(any, Leaf), pb.anyIs(any, Leaf.typeName), pb.anyIs(any, All), pb.anyIs(any, 'x'), pb.anyIs(new Any(), Leaf)], [true, true, false, false, false]);
  const out = pb.anyUnpack(any, Leaf);
  equal([out.id, out instanceof Leaf, pb.equals(out, m)], [5, true, true]);
  throws(() => pb.anyUnpack(any, All), TypeError, 'Leaf', 'TestAllTypesProto3');
  throws(() => pb.anyUnpack(new Any(), Leaf), TypeError);
  throws(() => pb.anyUnpack(m, Leaf), TypeError);
  throws(() => pb.anyPack(All, m), TypeError);
  throws(() => pb.anyPack(Leaf, {}), TypeError);
  throws(() => pb.anyIs(any, 5), TypeError);
  any.value = new Uint8Array([255]);
  throws(() => pb.anyUnpack(any, Leaf), Error, 'Leaf');
  equal(pb.anyIs(new Any({ typeUrl: 'example.com/a/protean.test.bench.Leaf' }), Leaf), true);
});
