// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { NEVER, SKIPPED, WALL } from "../../bpeviz/browser/shared/gap_ranks.js";
import { readPack } from "../../bpeviz/browser/shared/pack.js";

/**
 * A pack as bpeviz/browser/pack.py writes it.
 * @param {Record<string, unknown>} fields
 * @param {Record<string, { type: string, values: Uint8Array | Uint16Array | Int32Array | Float64Array }>} arrays
 */
function packed(fields, arrays) {
  const listed = Object.entries(arrays).map(([name, { type, values }]) => ({
    name,
    type,
    length: values.length,
  }));
  const header = new TextEncoder().encode(JSON.stringify({ ...fields, arrays: listed }));
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, header.length, true);
  const bodies = Object.values(arrays).map(({ values }) => new Uint8Array(values.buffer));
  return Uint8Array.from([length, header, ...bodies].flatMap((part) => [...part]));
}

test("fields and arrays of every type arrive, wherever they begin", () => {
  for (const title of ["", "a", "ab", "abc"]) {
    const sent = packed(
      { title },
      {
        text: { type: "u1", values: Uint8Array.from([97, 98, 255]) },
        ids: { type: "i4", values: Int32Array.from([-1, 2 ** 31 - 1]) },
        counts: { type: "f8", values: Float64Array.from([2 ** 40, 0.5]) },
      },
    );
    /** @type {{ title: string, text: Uint8Array, ids: Int32Array, counts: Float64Array }} */
    const { title: arrived, text, ids, counts } = readPack(sent);
    assert.equal(arrived, title);
    assert.deepEqual(text, Uint8Array.from([97, 98, 255]));
    assert.deepEqual(ids, Int32Array.from([-1, 2 ** 31 - 1]));
    assert.deepEqual(counts, Float64Array.from([2 ** 40, 0.5]));
  }
});

test("gap ranks in two bytes: the four highest stand for what is no rank", () => {
  const values = Uint16Array.from([0, 1, 0xfffb, 0xfffc, 0xfffd, 0xfffe, 0xffff]);
  /** @type {{ gaps: Int32Array }} */
  const { gaps } = readPack(packed({}, { gaps: { type: "u2", values } }));
  assert.deepEqual(gaps, Int32Array.from([0, 1, 0xfffb, -1, NEVER, SKIPPED, WALL]));
});

test("a pack that is part of a longer buffer is read from where it begins", () => {
  const sent = packed({ a: 1 }, { gaps: { type: "i4", values: Int32Array.from([7]) } });
  const within = new Uint8Array(sent.length + 3);
  within.set(sent, 3);
  /** @type {{ gaps: Int32Array }} */
  const { gaps } = readPack(within.subarray(3));
  assert.deepEqual(gaps, Int32Array.from([7]));
});

test("an array without elements arrives as one", () => {
  /** @type {{ beside: Uint8Array }} */
  const { beside } = readPack(packed({}, { beside: { type: "u1", values: new Uint8Array() } }));
  assert.equal(beside.length, 0);
});
