// @ts-check
// The bytes that Python sends: a length, a JSON header, then arrays that the header lists.
// See bpeviz/browser/pack.py, which writes them. Where the browser trains, `writePack` does.

import { NEVER, SKIPPED, WALL } from "./gap_ranks.js";

const ARRAY_TYPES = { u1: Uint8Array, u2: Uint16Array, i4: Int32Array, f8: Float64Array };

const SHORT = [-1, NEVER, SKIPPED, WALL]; // in two bytes, these are the highest numbers
export const FIRST_SHORT = 0x10000 - SHORT.length;

/**
 * The header's fields and the arrays by name. The caller says which ones there are.
 * @template Fields
 * @param {Uint8Array} bytes
 * @returns {Fields}
 */
export function readPack(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headerLength = view.getUint32(0, true);
  const pack = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + headerLength)));
  /** @type {{ name: string, type: keyof typeof ARRAY_TYPES, length: number }[]} */
  const arrays = pack.arrays;
  let offset = 4 + headerLength;
  for (const { name, type, length } of arrays) {
    const ArrayType = ARRAY_TYPES[type];
    const size = length * ArrayType.BYTES_PER_ELEMENT;
    // The bytes arrive unaligned; slice() copies them to an aligned place.
    const array = new ArrayType(bytes.slice(offset, offset + size).buffer);
    pack[name] = array instanceof Uint16Array ? longRanks(array) : array;
    offset += size;
  }
  return pack;
}

/**
 * Read gap ranks of two bytes each. A plain loop: Int32Array.from takes half a second for a million.
 * @param {Uint16Array} sent
 */
function longRanks(sent) {
  const ranks = new Int32Array(sent.length);
  for (let i = 0; i < sent.length; i++) {
    ranks[i] = sent[i] < FIRST_SHORT ? sent[i] : SHORT[sent[i] - FIRST_SHORT];
  }
  return ranks;
}

/**
 * A gap rank in two bytes.
 * @param {number} rank
 */
export function shortRank(rank) {
  const place = SHORT.indexOf(rank);
  return place < 0 ? rank : FIRST_SHORT + place;
}

/**
 * @param {Record<string, unknown>} header
 * @param {Record<string, Uint8Array | Uint16Array | Int32Array | Float64Array>} arrays
 */
export function writePack(header, arrays) {
  const types = Object.entries(ARRAY_TYPES);
  const listed = Object.entries(arrays).map(([name, array]) => ({
    name,
    type: types.find(([, ArrayType]) => array instanceof ArrayType)?.[0],
    length: array.length,
  }));
  const encoded = new TextEncoder().encode(JSON.stringify({ ...header, arrays: listed }));
  const size = Object.values(arrays).reduce((sum, { byteLength }) => sum + byteLength, 4 + encoded.length);
  const bytes = new Uint8Array(size);
  new DataView(bytes.buffer).setUint32(0, encoded.length, true);
  bytes.set(encoded, 4);
  let offset = 4 + encoded.length;
  for (const { buffer, byteOffset, byteLength } of Object.values(arrays)) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), offset);
    offset += byteLength;
  }
  return bytes;
}

/**
 * A pack with other values in its header.
 * @param {Uint8Array} bytes
 * @param {Record<string, unknown>} fields
 */
export function withFields(bytes, fields) {
  const end = 4 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const header = { ...JSON.parse(new TextDecoder().decode(bytes.subarray(4, end))), ...fields };
  const encoded = new TextEncoder().encode(JSON.stringify(header));
  const changed = new Uint8Array(4 + encoded.length + bytes.length - end);
  new DataView(changed.buffer).setUint32(0, encoded.length, true);
  changed.set(encoded, 4);
  changed.set(bytes.subarray(end), 4 + encoded.length);
  return changed;
}
