// @ts-check
// How far two tokenizers agree on one text: which boundaries they share, F1, and where they disagree. The
// definitions are those of bpeviz/analysis/compare.py; the tests of both check the same cases.

import { binary } from "../shared/bytes.js";
import { SKIPPED } from "../shared/gap_ranks.js";

/** A stretch of text: its bytes from start up to end. @typedef {[start: number, end: number]} Stretch */
/** A value of the first side and one of the second. @template T @typedef {[first: T, second: T]} Pair */

// Who has a boundary after a byte.
export const ONLY_FIRST = 1;
export const ONLY_SECOND = 2;
export const BOTH = 3;

/**
 * Who has a boundary in each gap, once each side has made its merges.
 * @param {Pair<Int32Array>} ranks the gap ranks of both
 * @param {Pair<number>} merges how many of each
 */
export function boundaryCodes([first, second], [firstMerges, secondMerges]) {
  const codes = new Uint8Array(first.length);
  for (let i = 0; i < codes.length; i++) {
    codes[i] =
      (isBoundary(first[i], firstMerges) ? ONLY_FIRST : 0) |
      (isBoundary(second[i], secondMerges) ? ONLY_SECOND : 0);
  }
  return codes;
}

/**
 * @param {number} rank
 * @param {number} merges
 */
const isBoundary = (rank, merges) => rank >= merges && rank !== SKIPPED;

/**
 * The counts of boundaries and what follows from them.
 * @param {number[]} counts how many gaps have each code
 */
export function agreement({ [ONLY_FIRST]: first, [ONLY_SECOND]: second, [BOTH]: shared }) {
  return {
    shared,
    only: [first, second],
    precision: share(shared, first),
    recall: share(shared, second),
    f1: share(2 * shared, first + second),
  };
}

/**
 * The share of a part in the whole; 1 if the whole is 0.
 * @param {number} part
 * @param {number} rest
 */
const share = (part, rest) => (part + rest ? part / (part + rest) : 1);

/**
 * The stretches without a shared boundary that have others, in the order of the text. The last one ends with the
 * text.
 * @param {Uint8Array} codes
 */
export function disagreements(codes) {
  /** @type {Stretch[]} */
  const found = [];
  let start = 0;
  let cuts = false;
  for (let i = 0; i < codes.length; i++) {
    if (codes[i] !== BOTH) {
      cuts ||= codes[i] !== 0;
      continue;
    }
    if (cuts) found.push([start, i + 1]);
    start = i + 1;
    cuts = false;
  }
  return found;
}

/**
 * The longest of some stretches, those with the same bytes and cuts together; of equal length, the first ones.
 * @param {Stretch[]} all
 * @param {Uint8Array} text
 * @param {Uint8Array} codes
 * @param {number} most
 */
export function longestStretches(all, text, codes, most) {
  /** @type {Map<string, Stretch[]>} */
  const groups = new Map();
  for (const same of longestFirst(all)) {
    if (groups.size >= most) break;
    for (const [start, end] of same) {
      const key = binary(text.subarray(start, end)) + binary(codes.subarray(start, end));
      const group = groups.get(key);
      if (group) group.push([start, end]);
      else groups.set(key, [[start, end]]);
    }
  }
  return [...groups.values()].slice(0, most);
}

/**
 * The stretches of each length, longest first. There can be a hundred thousand, of few lengths: sorting them all
 * takes long.
 * @param {Stretch[]} all
 */
function longestFirst(all) {
  /** @type {Map<number, Stretch[]>} */
  const found = new Map();
  for (const stretch of all) {
    const length = stretch[1] - stretch[0];
    const same = found.get(length);
    if (same) same.push(stretch);
    else found.set(length, [stretch]);
  }
  return [...found].sort(([a], [b]) => b - a).map(([, same]) => same);
}

/**
 * Where a side (0 or 1) cuts a stretch; bytes that it drops at the end of the text count as a piece.
 * @param {Uint8Array} codes
 * @param {number} side
 * @param {Stretch} stretch
 */
export function cutsOf(codes, side, [start, end]) {
  const ends = [];
  for (let i = start; i < end; i++) if (codes[i] & (1 << side)) ends.push(i + 1);
  return ends;
}
