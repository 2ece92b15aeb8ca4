// @ts-check
// The bytes that Python sends: a length, a JSON header, then arrays that the header lists.
// See bpeviz/browser/pack.py, which writes them.

import { NEVER, SKIPPED, WALL } from "./gap_ranks.js";

const ARRAY_TYPES = { u1: Uint8Array, u2: Uint16Array, i4: Int32Array, f8: Float64Array };

const SHORT = [-1, NEVER, SKIPPED, WALL]; // in two bytes, these are the highest numbers
const FIRST_SHORT = 0x10000 - SHORT.length;

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
