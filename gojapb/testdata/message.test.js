'use strict';
// Messages: constructors, fields by name and as properties, oneofs, groups, extensions.

const All3 = pb.messageType('protobuf_test_messages.proto3.TestAllTypesProto3');
const All2 = pb.messageType('protobuf_test_messages.proto2.TestAllTypesProto2');
const All2023 = pb.messageType('protobuf_test_messages.editions.TestAllTypesEdition2023');
const Leaf = pb.messageType('protean.test.bench.Leaf');

test('messageType', () => {
  equal(pb.messageType('protean.test.bench.Leaf') === Leaf, true, 'the same constructor');
  equal(Leaf.typeName, 'protean.test.bench.Leaf');
  equal(Leaf.name, 'Leaf');
  equal(new Leaf().$type, 'protean.test.bench.Leaf');
  equal(new Leaf().constructor === Leaf, true);
  equal(new Leaf() instanceof Leaf, true);
  throws(() => pb.messageType('no.such.Type'), TypeError, 'no.such.Type');
  throws(() => pb.messageType('protean.test.bench.Color'), TypeError, 'protean.test.bench.Color');
  throws(() => pb.messageType(''), TypeError);
  for (const bad of [undefined, null, 1, {}, Symbol('s')]) throws(() => pb.messageType(bad), TypeError);
  throws(() => { Leaf.typeName = 'x'; }, TypeError);
});

test('enumType', () => {
  const Color = pb.enumType('protean.test.bench.Color');
  equal(Color.COLOR_RED, 1);
  equal(Color[1], 'COLOR_RED');
  equal([Color.COLOR_MINUS, Color[-1], Color[2147483647]], [-1, 'COLOR_MINUS', 'COLOR_FAR']);
  equal(Color.NOPE, undefined);
  equal(Object.isFrozen(Color), true);
  equal(pb.enumType('protean.test.bench.Color') === Color, true);
  throws(() => { Color.COLOR_RED = 2; }, TypeError);
  throws(() => pb.enumType('protean.test.bench.Leaf'), TypeError, 'protean.test.bench.Leaf');
  throws(() => pb.enumType(7), TypeError);
  const Aliased = pb.enumType('protean.test.legacy.Aliased');
  equal([Aliased.ALIASED_FIRST, Aliased.ALIASED_ALSO_FIRST, Aliased[1]], [1, 1, 'ALIASED_FIRST']);
});

test('both names', () => {
  const m = new All3();
  m.set('optional_int32', 1);
  equal([m.get('optionalInt32'), m.optional_int32, m.optionalInt32, m.has('optionalInt32')], [1, 1, 1, true]);
  m.optionalInt32 = 2;
  equal(m.get('optional_int32'), 2);
  m.clear('optionalInt32');
  equal(m.has('optional_int32'), false);
  // Names that JSON names are hard to make of.
  for (const [proto, json] of [['fieldname1', 'fieldname1'], ['field_name2', 'fieldName2'], ['_field_name3', 'FieldName3'], ['field__name4_', 'fieldName4'], ['field0name5', 'field0name5'],
    ['FieldName8', 'FieldName8'], ['FIELD_NAME11', 'FIELDNAME11'], ['__field_name13', 'FieldName13'], ['field_name17__', 'fieldName17']]) {
    m[proto] = 5;
    equal([m[json], m.get(json), m.get(proto)], [5, 5, 5], proto);
  }
});

test('unknown fields', () => {
  const m = new All3();
  for (const name of ['nope', '', 'optional-int32', '__proto__', 'toString']) {
    throws(() => m.get(name), TypeError, 'TestAllTypesProto3', name);
    throws(() => m.set(name, 1), TypeError, 'TestAllTypesProto3');
    throws(() => m.has(name), TypeError, 'TestAllTypesProto3');
    throws(() => m.clear(name), TypeError, 'TestAllTypesProto3');
    throws(() => pb.isFieldSet(m, name), TypeError);
    throws(() => pb.clearField(m, name), TypeError);
  }
  throws(() => m.set('nope', undefined), TypeError, 'nope');
  for (const bad of [undefined, null, 1, {}, Symbol('s'), ['optional_int32']]) throws(() => m.get(bad), TypeError);
  throws(() => new All3({ nope: 1 }), TypeError, 'TestAllTypesProto3', 'nope');
  throws(() => new All3({ recursiveMessage: { optionalNestedMessage: { nope: 1 } } }), TypeError, 'NestedMessage', 'nope');
  throws(() => { m.nope = 1; }, TypeError, 'nope');
  equal(m.nope, undefined);
  equal('nope' in m, false);
  equal(['optional_int32' in m, 'optionalInt32' in m, 'get' in m], [true, true, true]);
});

test('what a constructor takes', () => {
  const m = new All3({ optionalString: 'x', optional_nested_message: { a: 1, corecursive: { optionalInt32: 2 } } });
  equal(m.optionalNestedMessage.corecursive.optional_int32, 2);
  for (const empty of [undefined, null, {}]) equal(pb.encode(new All3(empty)).length, 0);
  const copy = new All3(m);
  equal(pb.equals(copy, m), true);
  copy.optionalNestedMessage.a = 5;
  equal(m.optionalNestedMessage.a, 1, 'the original of a copy');
  equal(new All3({ optionalInt32: null, optionalString: undefined, repeatedInt32: null, mapInt32Int32: undefined, recursiveMessage: null }).has('optionalInt32'), false);
  for (const bad of [1, 'x', true, [], [1], new Map(), new Date(), new Leaf(), Symbol('s'), () => 1, new Uint8Array()]) {
    throws(() => new All3(bad), TypeError);
    throws(() => { m.recursiveMessage = bad; }, TypeError, 'TestAllTypesProto3');
  }
  equal(new All3(Object.create({ optionalInt32: 1 })).optionalInt32, 0, 'inherited properties');
  equal(new All3(Object.create(null, { optionalInt32: { value: 1, enumerable: true } })).optionalInt32, 1, 'no prototype');
  equal(new All3({ get optionalInt32() { return 4; } }).optionalInt32, 4, 'getter');
});

test('message fields', () => {
  const m = new All3();
  equal([m.recursiveMessage, m.get('recursive_message'), m.has('recursiveMessage')], [null, null, false]);
  m.recursiveMessage = {};
  equal(m.has('recursiveMessage'), true);
  equal(m.recursiveMessage === m.get('recursive_message'), true, 'the same object');
  m.recursiveMessage.optionalInt32 = 7;
  equal(pb.decode(All3, pb.encode(m)).recursiveMessage.optionalInt32, 7);
  const inner = new All3({ optionalInt32: 8 });
  m.recursiveMessage = inner;
  equal(m.recursiveMessage === inner, true, 'what was set is what is read');
  inner.optionalInt32 = 9;
  equal(m.recursiveMessage.optionalInt32, 9, 'live');
  m.recursiveMessage = undefined;
  equal(m.recursiveMessage, null);
  equal(inner.optionalInt32, 9, 'a message that was taken out');
  throws(() => { m.optionalNestedMessage = inner; }, TypeError, 'optional_nested_message', 'TestAllTypesProto3');
});

test('oneofs', () => {
  for (const M of [All3, All2, All2023]) {
    const m = new M();
    equal(m.whichOneof('oneof_field'), undefined);
    m.oneofUint32 = 0;
    equal([m.whichOneof('oneof_field'), m.has('oneof_uint32')], ['oneof_uint32', true]);
    m.oneof_string = '';
    equal([m.whichOneof('oneof_field'), m.has('oneof_uint32'), m.oneofUint32], ['oneof_string', false, 0]);
    m.set('oneof_nested_message', { a: 1 });
    equal(m.whichOneof('oneof_field'), 'oneof_nested_message');
    m.clearOneof('oneof_field');
    equal([m.whichOneof('oneof_field'), m.oneofNestedMessage], [undefined, null]);
    m.clearOneof('oneof_field');
    m.oneofBool = true;
    m.oneofString = null;
    equal(m.whichOneof('oneof_field'), 'oneof_bool', 'clearing another member');
    throws(() => m.whichOneof('nope'), TypeError, 'nope');
    throws(() => m.clearOneof('optional_int32'), TypeError, 'optional_int32');
    throws(() => m.whichOneof(), TypeError);
    equal(new M({ oneofUint32: 1, oneofString: 'last' }).whichOneof('oneof_field'), 'oneof_string', 'the last wins');
  }
});

test('groups', () => {
  const m = new All2({ data: { groupInt32: 1, group_uint32: 2 } });
  equal([m.data.group_int32, m.get('data').groupUint32, m.data.$type], [1, 2, 'protobuf_test_messages.proto2.TestAllTypesProto2.Data']);
  equal(pb.decode(All2, pb.encode(m)).data.groupInt32, 1);
  m.set('multiwordgroupfield', { groupInt32: 3 });
  equal([m.multiwordgroupfield.groupInt32, m.has('multiwordgroupfield')], [3, true]);
  const G = pb.messageType('protean.test.legacy.Groups');
  const g = new G({ many: [{ id: 1 }, { groups: { single: { inner: { blob: new Uint8Array([1]) } } } }], chosen: { name: 'x' } });
  equal([g.whichOneof('choice'), g.many[1].groups.single.inner.blob[0]], ['chosen', 1]);
  const D = pb.messageType('protean.test.edition.Delimited');
  const d = pb.decode(D, pb.encode(new D({ one: { id: 1 }, list: [{ id: 2 }], self: { far: { name: 'n' } }, map: { 3: { one: {} } } })));
  equal([d.one.id, d.list[0].id, d.self.far.name, d.map.get(3).has('one')], [1, 2, 'n', true]);
});

test('required fields', () => {
  const R = pb.messageType('protean.test.legacy.RequiredBelow');
  const m = new R({ message: {} });
  throws(() => pb.encode(m), Error, 'req');
  throws(() => pb.toJSON(m), Error, 'req');
  throws(() => pb.decode(R, new Uint8Array([10, 0])), Error, 'req');
  m.message = null;
  equal(pb.encode(m).length, 0);
});

test('extensions', () => {
  const E = pb.messageType('protean.test.legacy.Extendable');
  const m = new E({ id: 1, '[protean.test.legacy.ext_string]': 'x', '[protean.test.legacy.ext_leaf]': { id: 2 } });
  m.set('[protean.test.legacy.ext_list_int64]', [1, 2n, '3']);
  m.set('[protean.test.legacy.Scope.scoped]', { name: 'n' });
  equal([m.get('[protean.test.legacy.ext_string]'), m.get('[protean.test.legacy.ext_leaf]').id, m.get('[protean.test.legacy.ext_default]')], ['x', 2, 7]);
  const n = pb.decode(E, pb.encode(m));
  equal(pb.equals(m, n), true);
  equal([...n.get('[protean.test.legacy.ext_list_int64]')], [1, 2, 3]);
  equal(n.get('[protean.test.legacy.Scope.scoped]').name, 'n');
  equal([n.has('[protean.test.legacy.ext_string]'), n.has('[protean.test.legacy.ext_bool]'), n.get('[protean.test.legacy.ext_group]' === 1 ? '' : '[protean.test.legacy.ext_leaf]').name], [true, false, '']);
  n.clear('[protean.test.legacy.ext_string]');
  n.set('[protean.test.legacy.ext_leaf]', null);
  equal([n.has('[protean.test.legacy.ext_string]'), n.get('[protean.test.legacy.ext_leaf]')], [false, null]);
  n.get('[protean.test.legacy.ext_list_string]').push('a', 'b');
  equal([...pb.decode(E, pb.encode(n)).get('[protean.test.legacy.ext_list_string]')], ['a', 'b']);
  equal(pb.toJSON(m)['[protean.test.legacy.ext_list_int64]'], ['1', '2', '3']);
  equal(m.toObject()['[protean.test.legacy.ext_leaf]'], { id: 2 });
  equal(pb.equals(pb.fromJSON(E, pb.toJSON(m)), m), true);
  equal(pb.equals(new E(m.toObject()), m), true);
  for (const name of ['[protean.test.legacy.nope]', '[]', '[', '[protean.test.edition.ext_text]']) throws(() => m.get(name), TypeError, name);
  throws(() => m.set('[protean.test.legacy.ext_int32]', 'x'), TypeError, 'ext_int32');
  const X = pb.messageType('protean.test.edition.Extendable');
  const x = new X({ '[protean.test.edition.ext_delimited_leaves]': [{ id: 1 }], '[protean.test.edition.ext_closed]': 'CLOSED_ONE' });
  equal(pb.equals(pb.decode(X, pb.encode(x)), x), true);
});

test('properties of objects', () => {
  const m = new All3({ optionalInt32: 1, repeatedString: ['a'], mapStringString: { a: 'b' }, recursiveMessage: {} });
  equal(Object.keys(m), ['optionalInt32', 'recursiveMessage', 'repeatedString', 'mapStringString'].sort((a, b) => Object.keys(m).indexOf(a) - Object.keys(m).indexOf(b)));
  const { optionalInt32, ...rest } = m;
  equal([optionalInt32, Object.keys(rest).length], [1, 3]);
  const seen = [];
  for (const name in m) seen.push(name);
  equal(seen.includes('repeatedString') && !seen.includes('get'), true);
  delete m.optionalInt32;
  equal(m.has('optional_int32'), false, 'delete clears');
  delete m.nope;
  equal(typeof m.toString(), 'string');
  equal(`${m}`.length > 0, true);
});

test('methods of other objects', () => {
  const { get, set, has, clear, whichOneof, clearOneof, toJSON, toObject } = All3.prototype;
  for (const f of [get, set, has, clear, whichOneof, clearOneof, toJSON, toObject]) {
    for (const other of [undefined, null, 1, {}, [], new Map(), new All3().repeatedInt32]) throws(() => f.call(other, 'optional_int32', 1), TypeError);
  }
  equal(get.call(new Leaf({ id: 3 }), 'id'), 3, 'of another message');
  throws(() => All3.prototype.get('optional_int32'), TypeError);
});

test('methods taken off a message', () => {
  const m = new Leaf({ id: 3, name: 'x' });
  const other = new Leaf({ id: 4 });
  const { get, set, has, clear, toJSON, toObject } = m;
  equal([get('id'), get('name'), get('$type'), has('id'), has('name')], [3, 'x', Leaf.typeName, true, true]);
  set('id', 5);
  clear('name');
  equal([m.id, m.name, toJSON(), toObject()], [5, '', { id: 5 }, { id: 5 }]);
  equal([(0, m.get)('id'), [m.get][0].call(undefined, 'id'), m['get'].apply(undefined, ['id'])], [5, 5, 5]);
  equal(
    [Reflect.get(m, 'get')('id'), Reflect.apply(m.get, undefined, ['id']), ['id', 'name'].map(m.get)],
    [5, 5, [5, '']],
  );
  const all = new All3({ oneofString: 's' });
  const { whichOneof, clearOneof } = all;
  equal(
    [whichOneof('oneof_field'), clearOneof('oneof_field'), all.whichOneof('oneof_field')],
    ['oneof_string', undefined, undefined],
  );
  // A receiver goes before the message that the method was taken off.
  equal(
    [get.call(other, 'id'), Reflect.apply(get, other, ['id']), get.bind(other)('id'), get.call(all, 'optional_int32')],
    [4, 4, 4, 0],
  );
  set.call(other, 'id', 6);
  equal([other.id, m.id], [6, 5]);
  for (const f of [m.get, set, has, clear, toJSON, toObject, whichOneof, clearOneof]) {
    for (const bad of [
      null,
      1,
      'x',
      true,
      {},
      [],
      new Map(),
      Leaf,
      Leaf.prototype,
      all.repeatedInt32,
      Object.create(m),
      new Proxy(m, {}),
    ]) {
      throws(() => f.call(bad, 'id', 1), TypeError, 'is no message');
    }
  }
  const holder = { get };
  throws(() => holder.get('id'), TypeError, 'get: called on Object, which is no message');
  // The functions are of their message, and the same each time.
  equal([m.get === m.get, m.get === other.get, m.get === get, m.get === m.set], [true, false, true, false]);
  equal([typeof get, get.name, set.name, Object.keys(get)], ['function', 'get', 'set', []]);
  equal([Object.keys(m), 'get' in m, m.hasOwnProperty('get'), { ...m }], [['id'], true, false, { id: 5 }]);
  throws(() => (0, Leaf.prototype.get)('id'), TypeError, 'get: called on undefined, which is no message');
});

test('methods taken off many messages', () => {
  const Tree = pb.messageType('protean.test.legacy.Tree');
  const gets = [];
  const sets = [];
  for (let i = 0; i < 50; i++) {
    const m = i % 2 ? new Leaf({ id: i }) : pb.decode(Leaf, pb.encode(new Leaf({ id: i })));
    gets.push(m.get);
    if (i % 3) equal([m.get('id'), m.get.call(m, 'id')], [i, i]);
    sets.push(m.set);
  }
  equal(
    gets.map((f) => f('id')),
    gets.map((_, i) => i),
  );
  sets.forEach((f, i) => f('id', i + 1));
  equal(
    gets.map((f) => f('id')),
    gets.map((_, i) => i + 1),
  );
  const t = new Tree({ children: [{ name: 'a' }], left: { name: 'l' }, byName: { k: { name: 'b' } } });
  const { get } = t.children[0];
  const names = [get, t.left.get, t.get('by_name').get('k').get, (({ get: g }) => g)(t.left)].map((f) => f('name'));
  equal(names, ['a', 'l', 'b', 'l'], 'of messages in others');
});

test('methods taken off where a script has its own', () => {
  class Own extends Leaf {
    get(name) {
      return this === undefined ? 'none' : `own ${super.get(name)}`;
    }
    has = () => 'never called, since fields of classes are set';
  }
  throws(() => new Own(), TypeError, 'has');
  class Plain extends Leaf {
    get(name) {
      return this === undefined ? 'none' : `own ${super.get(name)}`;
    }
  }
  const p = new Plain({ id: 1 });
  const { get, set } = p;
  set('id', 2);
  equal([p.get('id'), get('id'), get.call(p, 'id'), p.get === Plain.prototype.get], ['own 2', 'none', 'own 2', true]);
  class Getter extends Leaf {
    get get() {
      return () => this.id;
    }
  }
  equal((0, new Getter({ id: 7 }).get)(), 7);
  const { get: original } = Leaf.prototype;
  const m = new Leaf({ id: 1 });
  const before = m.get;
  try {
    Leaf.prototype.get = function (name) {
      return [this === undefined, name];
    };
    equal([(0, m.get)('id'), m.get('id'), before('id')], [[true, 'id'], [false, 'id'], 1]);
    delete Leaf.prototype.get;
    equal([m.get, before('id')], [undefined, 1]);
  } finally {
    Object.defineProperty(Leaf.prototype, 'get', { value: original, writable: true, configurable: true });
  }
  equal([m.get === before, (0, m.get)('id')], [true, 1]);
  const bare = Object.setPrototypeOf(new Leaf({ id: 9 }), null);
  equal([bare.get, original.call(bare, 'id')], [undefined, 9]);
});

test('aliases of a message in itself', () => {
  const m = new All3();
  throws(() => { m.recursiveMessage = m; }, TypeError, 'recursive_message');
  const n = new All3({ recursiveMessage: {} });
  m.recursiveMessage = n;
  throws(() => { n.recursiveMessage.recursiveMessage = m; }, TypeError);
  throws(() => { n.optionalNestedMessage = { corecursive: m }; }, TypeError);
  m.optionalNestedMessage = {};
  throws(() => { m.optionalNestedMessage.corecursive = m; }, TypeError);
  throws(() => m.recursiveMessage.set('recursive_message', m), TypeError);
  const T = pb.messageType('protean.test.legacy.Tree');
  const t = new T();
  t.children.add({});
  throws(() => t.children.add(t), TypeError);
  throws(() => t.children[0].children.push(t), TypeError);
  throws(() => t.byName.set('a', t), TypeError);
  throws(() => { t.children = [t]; }, TypeError);
  throws(() => { t.children[0].byName = { a: t }; }, TypeError);
  equal(pb.encode(t).length > 0, true);
});
