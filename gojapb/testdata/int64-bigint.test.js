'use strict';
// 64-bit integers under the policy bigint.

const All = pb.messageType('protobuf_test_messages.proto3.TestAllTypesProto3');
const as = (n) => n;

test('all kinds', () => {
  for (const kind of ['int64', 'sint64', 'sfixed64', 'uint64', 'fixed64']) {
    const signs = kind.startsWith('u') || kind === 'fixed64' ? [1n] : [1n, -1n];
    for (const n of [0n, 1n, 2n ** 53n, 2n ** 62n]) for (const sign of signs) {
      const m = new All({ [`optional_${kind}`]: n * sign, [`repeated_${kind}`]: [String(n * sign)], [`map_${kind}_${kind}`]: new Map([[n * sign, n * sign]]) });
      const o = pb.decode(All, pb.encode(m));
      equal([o[`optional_${kind}`], o[`repeated_${kind}`][0], [...o[`map_${kind}_${kind}`]][0]], [as(n * sign), as(n * sign), [as(n * sign), as(n * sign)]]);
      equal(pb.equals(new All(o.toObject()), o), true);
    }
  }
});

test('setting', () => {
  const m = new All();
  for (const v of [5, 5n, '5']) {
    m.optionalInt64 = v;
    equal([m.optionalInt64, m.get('optional_int64'), m.toObject().optionalInt64], [as(5n), as(5n), as(5n)]);
  }
  equal([m.optionalUint64, m.optionalInt32], [as(0n), 0], 'defaults, and 32 bits');
  throws(() => { m.optionalInt64 = 2 ** 53; }, RangeError);
});

test('well-known types and JSON', () => {
  const t = pb.timestampFromMs(1000);
  equal([t.seconds, pb.timestampMs(t), pb.toJSON(new All({ optionalInt64: 5 })).optionalInt64], [as(1n), 1000, '5']);
});
