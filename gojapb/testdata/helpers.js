'use strict';
// What the tests in JavaScript share. A file *.test.js registers its tests with test(name, function).

const pb = require('protobuf');
const tests = {};
globalThis.pb = pb;
globalThis.tests = tests;

function test(name, f) {
  if (tests[name]) throw new Error(`two tests are called ${name}`);
  tests[name] = f;
}

// longTest registers a test that the race detector is spared.
function longTest(name, f) {
  if (!quick) test(name, f);
}

// show says what a value is, for errors.
function show(v) {
  if (typeof v === 'bigint') return `${v}n`;
  if (typeof v === 'string') return JSON.stringify(v);
  if (Object.is(v, -0)) return '-0';
  if (v instanceof Uint8Array) return `Uint8Array[${Array.from(v)}]`;
  if (Array.isArray(v)) return `[${Array.from(v, show).join(', ')}]`;
  if (v instanceof Map) return `Map${show([...v])}`;
  if (v instanceof Error) return `${v.name}: ${v.message}`;
  if (v !== null && typeof v === 'object') return `{${Object.keys(v).map((k) => `${k}: ${show(v[k])}`).join(', ')}}`;
  return String(v);
}

function same(a, b) {
  if (Object.is(a, b)) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  if (a instanceof Uint8Array || b instanceof Uint8Array) {
    return a instanceof Uint8Array && b instanceof Uint8Array && a.length === b.length && a.every((x, i) => x === b[i]);
  }
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a)) return a.length === b.length && Array.from(a).every((x, i) => same(x, b[i]));
  const keys = Object.keys(a).sort();
  return same(keys, Object.keys(b).sort()) && keys.every((k) => same(a[k], b[k]));
}

// unlike is the path of the first difference.
function unlike(a, b, path = '$') {
  if (typeof a === 'object' && a && typeof b === 'object' && b && Array.isArray(a) === Array.isArray(b)) {
    for (const k of new Set([...Object.keys(a), ...Object.keys(b)])) {
      if (!same(a[k], b[k])) return unlike(a[k], b[k], `${path}.${k}`);
    }
  }
  return `${path}: got ${show(a)}, want ${show(b)}`;
}

function fail(what, text) {
  throw new Error(what ? `${what}: ${text}` : text);
}

// equal compares in depth, and tells 0 from -0 and 1 from 1n.
function equal(got, want, what) {
  if (!same(got, want)) fail(what, unlike(got, want));
}

function ok(v, what) {
  if (v !== true) fail(what, `got ${show(v)}, want true`);
}

// throws checks that f throws an error of a kind whose message has all the parts.
function throws(f, kind, ...parts) {
  let error;
  try {
    f();
  } catch (e) {
    error = e;
  }
  if (error === undefined) fail(String(f), 'throws nothing');
  if (!(error instanceof kind)) fail(String(f), `throws ${show(error)}, want a ${kind.name}`);
  for (const part of parts) {
    if (!error.message.includes(part)) fail(String(f), `throws ${show(error)}, want ${part} in it`);
  }
}

Object.assign(globalThis, { test, longTest, show, same, equal, ok, throws });
