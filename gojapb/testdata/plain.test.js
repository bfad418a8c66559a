'use strict';
// Struct, Value and ListValue, which are plain values.

const M = pb.messageType('protean.test.wellknown.Singular');
const R = pb.messageType('protean.test.wellknown.Repeated');
const Maps = pb.messageType('protean.test.wellknown.Maps');
const values = [null, true, false, 0, -0, 1.5, NaN, -Infinity, '', 'ü', [], [1, [null, {}]], {}, { a: { b: [1, 'x', null] }, '': 1, __x: 2 }];
const again = (m) => pb.decode(m.constructor, pb.encode(m));

test('Value', () => {
  for (const v of values) {
    const m = new M({ oneValue: v });
    for (const x of [m, again(m), pb.clone(m)]) {
      equal(x.oneValue, v);
      equal([x.has('one_value'), same(x.get('one_value'), v), same(x.toObject(), { oneValue: v })], [true, true, true]);
    }
    m.oneValue = undefined;
    equal([m.has('oneValue'), m.oneValue], [false, null]);
    m.set('one_value', v);
    equal(m.oneValue, v);
  }
  for (const bad of [Symbol('s'), 1n, new Date(), new Map(), new Set(), () => 1, new Uint8Array(1), new ArrayBuffer(1), new M(), { a: 1n }, [undefined, Symbol('s')], [() => 1], '\ud800', { '\ud800': 1 }, { a: ['\udfff'] }]) {
    throws(() => new M({ oneValue: bad }), TypeError);
    throws(() => { new M().oneValue = bad; }, TypeError);
  }
});

test('what JSON.stringify leaves out', () => {
  equal(new M({ oneValue: { a: undefined, b: () => 1, c: 1 } }).oneValue, { c: 1 });
  equal(new M({ oneValue: [undefined, 1, , 2] }).oneValue, [null, 1, null, 2]);
});

test('holes', () => {
  const holes = new Array(4e9);
  throws(() => new M({ oneValue: holes }), RangeError, 'holes');
  throws(() => new M({ oneListValue: holes }), RangeError);
  throws(() => pb.fromJSON(M, { oneValue: holes }), RangeError);
  const some = new Array(1000);
  some.push(1);
  equal(new M({ oneListValue: some }).oneListValue[1000], 1);
  equal(pb.fromJSON(M, { oneListValue: some }).oneListValue.length, 1001);
});

test('Struct', () => {
  const m = new M({ oneStruct: { a: 1, b: { c: [1, 2] } } });
  const s = m.oneStruct;
  equal([s.a, s.b.c[1], s.nope, Object.keys(s), 'a' in s, 'nope' in s], [1, 2, undefined, ['a', 'b'], true, false]);
  s.a = 'x';
  s.b.c.push({ deep: true });
  s.b.d = null;
  delete s.nope;
  equal(again(m).oneStruct, { a: 'x', b: { c: [1, 2, { deep: true }], d: null } });
  delete s.a;
  s.b = undefined;
  equal([again(m).oneStruct, JSON.stringify(s), { ...s }], [{}, '{}', {}]);
  for (const bad of [1, 'x', true, [], new Map(), new Date()]) throws(() => { m.oneStruct = bad; }, TypeError, 'one_struct');
  throws(() => { s.x = 1n; }, TypeError);
  m.oneStruct = null;
  equal(m.oneStruct, null);
});

test('awkward keys', () => {
  const o = JSON.parse('{"__proto__": 1, "constructor": 2, "toString": 3, "hasOwnProperty": 4, "length": 5, "get": 6, "": 7}');
  const m = new M({ oneStruct: o });
  equal(Object.keys(m.oneStruct).sort(), Object.keys(o).sort());
  equal([m.oneStruct.constructor, m.oneStruct.length, m.oneStruct['']], [2, 5, 7]);
  const p = m.toObject().oneStruct;
  equal([Object.getOwnPropertyDescriptor(p, '__proto__').value, p.toString, Object.getPrototypeOf(p) === Object.prototype], [1, 3, true]);
  equal(pb.toJSON(m).oneStruct.hasOwnProperty, 4);
  equal(pb.equals(pb.fromJSON(M, pb.toJSON(m)), m), true);
  equal(JSON.parse(JSON.stringify(m)).oneStruct.constructor, 2);
});

test('ListValue', () => {
  const m = new M({ oneListValue: [1, 'a', { b: [2] }] });
  const l = m.oneListValue;
  equal([l.length, Array.isArray(l), l[2].b[0], l[9]], [3, true, 2, undefined]);
  l[0] = 5;
  l.push(null, [1]);
  l[2].b = 'c';
  equal(again(m).oneListValue, [5, 'a', { b: 'c' }, null, [1]]);
  l.length = 2;
  equal(again(m).oneListValue, [5, 'a']);
  l[3] = true;
  equal(again(m).oneListValue, [5, 'a', null, true], 'holes are null');
  equal([l.shift(), l.pop(), l.splice(0, 1, 'x').length, [...l]], [5, true, 1, ['x', null]]);
  throws(() => { l[1e8] = 1; }, RangeError);
  throws(() => { l.length = 1e9; }, RangeError);
  throws(() => { l[0] = 1n; }, TypeError);
  for (const bad of [1, 'ab', {}, new Map(), new Uint8Array(1)]) throws(() => { m.oneListValue = bad; }, TypeError, 'one_list_value');
});

test('in lists and maps', () => {
  const r = new R({ listValue: values.filter((v) => !Object.is(v, undefined)), listStruct: [{}, { a: 1 }], listListValue: [[], [1]] });
  equal([[...again(r).listValue], [...r.listStruct], [...r.listListValue]], [values, [{}, { a: 1 }], [[], [1]]]);
  r.listValue[0] = { x: 1 };
  r.listStruct[0].y = 2;
  equal([r.listValue[0], again(r).listStruct[0]], [{ x: 1 }, { y: 2 }]);
  throws(() => r.listValue.add(undefined), TypeError);
  const m = new Maps({ mapValue: { a: null, b: [1] }, mapStruct: { s: { t: 1 } }, valueByNumber: new Map([[1, 'x']]) });
  equal([m.mapValue.get('a'), m.mapValue.get('b'), m.mapStruct.get('s'), m.valueByNumber.get(1)], [null, [1], { t: 1 }, 'x']);
  m.mapStruct.get('s').t = 2;
  equal(again(m).mapStruct.get('s'), { t: 2 });
});

test('in a oneof', () => {
  const C = pb.messageType('protean.test.wellknown.Choice');
  const c = new C({ theValue: null });
  equal([c.whichOneof('choice'), c.theValue], ['the_value', null]);
  c.theStruct = { a: 1 };
  equal([c.whichOneof('choice'), c.theValue, c.theStruct], ['the_struct', null, { a: 1 }]);
});

test('deep and cyclic values', () => {
  let deep = 1;
  for (let i = 0; i < 1000; i++) deep = i % 2 ? [deep] : { deep };
  equal(again(new M({ oneValue: deep })).oneValue, deep);
  const cyclic = { a: [] };
  cyclic.a.push(cyclic);
  const list = [];
  list.push(list);
  for (const bad of [cyclic, list]) {
    throws(() => new M({ oneValue: bad }), RangeError);
    throws(() => { new M().oneValue = bad; }, RangeError);
  }
  const m = new M({ oneStruct: { a: {} } });
  m.oneStruct.a.b = m.oneStruct;
  equal(again(m).oneStruct, { a: { b: { a: {} } } }, 'a value in itself is copied');
});

test('null values', () => {
  const m = new M({ oneNullValue: 0 });
  m.oneNullValue = 'NULL_VALUE';
  equal(m.oneNullValue, 0);
});

test('other well-known types', () => {
  const m = new M({ oneTimestamp: { seconds: 1 }, oneDuration: { nanos: 5 }, oneAny: { typeUrl: 'x' }, oneFieldMask: { paths: ['a'] }, oneEmpty: {}, oneDouble: { value: 1.5 }, oneBytes: { value: new Uint8Array([1]) }, oneUint64: { value: '18446744073709551615' } });
  equal([m.oneTimestamp.seconds, m.oneDuration.nanos, m.oneAny.type_url, m.oneFieldMask.paths[0], m.oneEmpty.$type, m.oneDouble.value, m.oneBytes.value[0], m.oneUint64.value, m.oneInt32],
    [1, 5, 'x', 'a', 'google.protobuf.Empty', 1.5, 1, 18446744073709551615n, null]);
  equal(pb.equals(again(m), m), true);
});
