'use strict';
// Fields of all scalar kinds, in proto2, proto3 and an edition.

const syntaxes = {
  proto2: 'protobuf_test_messages.proto2.TestAllTypesProto2',
  proto3: 'protobuf_test_messages.proto3.TestAllTypesProto3',
  editions: 'protobuf_test_messages.editions.TestAllTypesEdition2023',
};

const int32 = { good: [1, -1, 2147483647, -2147483648, [5n, 5], [-0, 0]], range: [2147483648, -2147483649, 1.5, NaN, Infinity, 1n << 40n], type: ['1', true, {}, [], new Uint8Array(1), Symbol('s'), () => 1] };
const uint32 = { good: [1, 4294967295], range: [4294967296, -1, 0.1, NaN, -1n], type: ['x', false, {}] };
const int64 = {
  good: [1, -1, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, [7n, 7], 9007199254740993n, -(1n << 63n), (1n << 63n) - 1n, ['12', 12], ['-9223372036854775808', -(1n << 63n)]],
  range: [1n << 63n, -(1n << 63n) - 1n, 2 ** 53, 1.5, NaN, Infinity, '9223372036854775808'],
  type: [true, {}, 'x', '', '1.0', '0x1', ' 1', Symbol.iterator, null === 1],
};
const uint64 = {
  good: [1, Number.MAX_SAFE_INTEGER, (1n << 64n) - 1n, ['18446744073709551615', (1n << 64n) - 1n]],
  range: [-1, -1n, 1n << 64n, '18446744073709551616', 2 ** 60],
  type: [true, '-x', [], {}],
};
const kinds = {
  int32, sint32: int32, sfixed32: int32, uint32, fixed32: uint32,
  int64, sint64: int64, sfixed64: int64, uint64, fixed64: uint64,
  float: { good: [1.5, -2.25, Infinity, -Infinity, NaN, [0.1, Math.fround(0.1)], 3.4028234663852886e38], range: [3.5e38, -1e300], type: ['1', true, {}, 1n] },
  double: { good: [0.1, -1e300, Infinity, -Infinity, NaN, 5e-324, Number.MAX_VALUE], range: [], type: ['1', true, {}, 1n] },
  bool: { good: [true], range: [], type: [1, 0, 'true', {}, new Boolean(true)] },
  string: { good: ['x', 'ü', '\u{1f600}', '\0', '\ufffd', 'a'.repeat(1000)], range: [], type: [1, true, {}, ['a'], new String('x'), '\ud800', 'a\udc00', 'x\udc00\ud800\ufffd'] },
  bytes: {
    good: [new Uint8Array([0, 255]), [new Uint8Array([1, 2, 3]).buffer, new Uint8Array([1, 2, 3])], [new Uint8Array([1, 2, 3, 4]).subarray(1, 3), new Uint8Array([2, 3])]],
    range: [], type: ['AAE=', 1, [1, 2], {}, true],
  },
};
const zero = { bool: false, string: '', bytes: new Uint8Array() };

for (const [syntax, name] of Object.entries(syntaxes)) {
  const M = pb.messageType(name);
  for (const [kind, { good, range, type }] of Object.entries(kinds)) {
    const field = `optional_${kind}`;
    const camel = `optional${kind[0].toUpperCase()}${kind.slice(1)}`;

    test(`${syntax} ${kind}`, () => {
      const empty = kind in zero ? zero[kind] : 0;
      const m = new M();
      equal(m.get(field), empty, 'by default');
      equal(m.has(field), false, 'has');
      for (const item of good) {
        const [set, want] = Array.isArray(item) ? item : [item, item];
        m.set(field, set);
        equal(m.get(field), want, 'get after set');
        equal(m[camel], want, 'property by JSON name');
        equal(m[field], want, 'property by proto name');
        equal(pb.decode(M, pb.encode(m))[field], want, 'over the wire');
        m[camel] = empty;
        m[camel] = set;
        equal(m.get(camel), want, 'get after property');
        equal(new M({ [field]: set }).get(field), want, 'constructor');
        equal(new M({ [camel]: set })[camel], want, 'constructor by JSON name');
        equal(same(m.toObject(), want === 0 && syntax === 'proto3' ? {} : { [camel]: want }), true, 'toObject');
      }
      const before = m.get(field);
      for (const bad of range) {
        throws(() => m.set(field, bad), RangeError, field);
        throws(() => { m[camel] = bad; }, RangeError, field);
        throws(() => new M({ [field]: bad }), RangeError, field);
      }
      for (const bad of type) {
        throws(() => m.set(field, bad), TypeError, field);
        throws(() => { m[field] = bad; }, TypeError, field);
        throws(() => new M({ [camel]: bad }), TypeError, field);
      }
      equal(m.get(field), before, 'after what failed');
      for (const clear of [null, undefined]) {
        m.set(field, good[0]);
        m.set(field, clear);
        equal(m.has(field), false, 'has after clearing');
        m[camel] = good[0];
        m[camel] = clear;
        equal(m[field], empty, 'after clearing');
      }
      m[field] = good[0];
      m.clear(field);
      equal(m.has(camel), false, 'after clear');
    });

    test(`${syntax} presence of ${kind}`, () => {
      const empty = kind in zero ? zero[kind] : 0;
      const m = new M({ [field]: empty });
      equal(m.has(field), syntax !== 'proto3', 'has');
      equal(pb.encode(m).length > 0, syntax !== 'proto3', 'encoded');
      equal(pb.isFieldSet(m, camel), syntax !== 'proto3');
    });

    test(`${syntax} repeated ${kind}`, () => {
      const values = good.map((item) => (Array.isArray(item) ? item : [item, item]));
      for (const encoding of kind === 'string' || kind === 'bytes' ? ['repeated'] : ['repeated', 'packed', 'unpacked']) {
        const list = `${encoding}_${kind}`;
        const m = new M({ [list]: values.map(([set]) => set) });
        equal(m[list].map((v) => v), values.map(([, want]) => want));
        const n = pb.decode(M, pb.encode(m));
        equal(Array.from(n.get(list)), values.map(([, want]) => want), 'over the wire');
        equal(pb.equals(m, n), !values.some(([, want]) => Number.isNaN(want)) || true);
        for (const [bads, error] of [[range, RangeError], [type, TypeError]]) {
          for (const bad of bads) {
            throws(() => m[list].add(bad), error, list);
            throws(() => m[list].set(0, bad), error, list);
            throws(() => { m[list][0] = bad; }, error, list);
            throws(() => m.set(list, [values[0][0], bad]), error, list);
          }
        }
        for (const bad of [null, undefined]) {
          throws(() => m[list].add(bad), TypeError, list);
        }
        equal(m[list].length, values.length, 'after what failed');
      }
    });
  }

  const keys = {
    int32: [-1, 0, 7], sint32: [-3, 4], sfixed32: [-5, 6], uint32: [0, 4294967295], fixed32: [1, 2],
    int64: [-(1n << 60n), 3], sint64: [-4, 5], sfixed64: [-9, 8], uint64: [1, (1n << 64n) - 1n], fixed64: [2, 3], bool: [false, true], string: ['', 'ü'],
  };
  for (const [kind, some] of Object.entries(keys)) {
    test(`${syntax} map of ${kind}`, () => {
      const field = `map_${kind}_${kind}`;
      const m = new M({ [field]: new Map(some.map((k) => [k, k])) });
      equal([...m[field]], some.map((k) => [k, k]));
      equal([...m[field].keys()], some);
      equal([...m[field].values()], some);
      equal([...pb.decode(M, pb.encode(m)).get(field).entries()], some.map((k) => [k, k]), 'over the wire');
      for (const k of some) {
        equal(m[field].get(k), k);
        equal(m[field].get(String(k)), k, 'by string');
        equal(m[field].has(k), true);
      }
      equal(new M({ [field]: Object.fromEntries(some.map((k) => [String(k), k])) })[field].get(some[1]), some[1], 'from an object');
      for (const bad of [Symbol('s'), {}, kind === 'string' ? 1 : 'x', null, undefined]) {
        throws(() => m[field].set(bad, some[0]), TypeError);
        throws(() => m[field].get(bad), TypeError);
        throws(() => m[field].set(some[0], bad), TypeError);
      }
      equal(m[field].size, some.length, 'after what failed');
    });
  }

  test(`${syntax} map of bytes and floats`, () => {
    const m = new M({ map_string_bytes: { a: new Uint8Array([1]) }, map_int32_float: { 1: 0.5 }, mapInt32Double: { '-2': NaN } });
    equal(m.mapStringBytes.get('a'), new Uint8Array([1]));
    equal(m.mapInt32Float.get(1), 0.5);
    equal(m.map_int32_double.get(-2), NaN);
  });

  test(`${syntax} enum`, () => {
    const E = pb.enumType(`${name}.NestedEnum`);
    const m = new M();
    equal(m.optional_nested_enum, 0);
    for (const [set, want] of [['BAR', 1], [1, 1], [E.NEG, -1], ['NEG', -1]]) {
      m.optional_nested_enum = set;
      equal(m.get('optionalNestedEnum'), want);
    }
    throws(() => { m.optional_nested_enum = 'QUX'; }, TypeError, 'optional_nested_enum', 'QUX');
    throws(() => { m.optional_nested_enum = 2 ** 40; }, RangeError, 'optional_nested_enum');
    throws(() => { m.optional_nested_enum = 1.5; }, RangeError, 'optional_nested_enum');
    throws(() => { m.optional_nested_enum = true; }, TypeError, 'optional_nested_enum');
    if (syntax === 'proto2') {
      throws(() => { m.optional_nested_enum = 77; }, RangeError, 'optional_nested_enum', '77');
    } else {
      m.optional_nested_enum = 77;
      equal(pb.decode(M, pb.encode(m)).optional_nested_enum, 77);
    }
    m.repeated_nested_enum = ['FOO', 2, E.BAR];
    equal([...m.repeatedNestedEnum], [0, 2, 1]);
    m.map_string_nested_enum = { a: 'BAZ' };
    equal(m.mapStringNestedEnum.get('a'), 2);
    equal(m.toObject(), { optionalNestedEnum: syntax === 'proto2' ? -1 : 77, repeatedNestedEnum: [0, 2, 1], mapStringNestedEnum: { a: 2 } });
  });
}

test('implicit presence in an edition', () => {
  const M = pb.messageType('protean.test.edition.Presence');
  const m = new M({ implicit_int32: 0, explicit_int32: 0 });
  equal(m.has('implicit_int32'), false);
  equal(m.has('explicit_int32'), true);
});

test('defaults', () => {
  const m = new (pb.messageType('protean.test.legacy.Defaults'))();
  equal([m.def_double, m.def_float, m.def_int32, m.def_int64, m.def_uint32], [1.5, -2.25, -7, -9000000000, 7]);
  equal([m.def_uint64, m.def_sint32, m.def_sfixed64, m.def_bool, m.def_string], [18446744073709551615n, -3, -9, true, 'hé"llo']);
  equal([m.def_bytes, m.def_closed, m.first_closed, m.inf, m.minus_inf, m.nan], [new Uint8Array([1, 255, 98]), 10, 1, Infinity, -Infinity, NaN]);
  equal([m.one_int, m.one_text, m.one_closed], [42, 'one', 2]);
  equal([m.has('def_bytes'), m.whichOneof('choice')], [false, undefined]);
});

test('bytes are copies', () => {
  const M = pb.messageType(syntaxes.proto3);
  const b = new Uint8Array([1, 2]);
  const m = new M({ optional_bytes: b, repeated_bytes: [b], map_string_bytes: { a: b } });
  b[0] = 9;
  equal([m.optional_bytes, m.repeated_bytes[0], m.map_string_bytes.get('a')], Array(3).fill(new Uint8Array([1, 2])));
  m.optional_bytes[0] = 9;
  m.toObject().optionalBytes[0] = 9;
  equal(m.optional_bytes, new Uint8Array([1, 2]));
});
