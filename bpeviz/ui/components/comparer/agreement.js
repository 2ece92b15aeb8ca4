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
 * Who has a boundary after each byte, once each side has made its merges. The end of the text counts as shared,
 * even if a side drops the last bytes.
 * @param {Pair<Int32Array>} gaps the gap ranks of both
 * @param {Pair<number>} merges how many of each
 * @param {Uint8Array} [codes] where to write it
 */
export function boundaryCodes(
  [first, second],
  [firstMerges, secondMerges],
  codes = new Uint8Array(first.length),
) {
  const last = codes.length - 1;
  for (let i = 0; i < last; i++) {
    codes[i] =
      (isBoundary(first[i], firstMerges) ? ONLY_FIRST : 0) |
      (isBoundary(second[i], secondMerges) ? ONLY_SECOND : 0);
  }
  if (last >= 0) codes[last] = BOTH;
  return codes;
}

/**
 * @param {number} rank
 * @param {number} merges
 */
const isBoundary = (rank, merges) => rank >= merges && rank !== SKIPPED;

/**
 * The counts of boundaries and what follows from them. The end of the text is no boundary.
 * @param {Uint8Array} codes
 */
export function agreement(codes) {
  const counts = [0, 0, 0, 0];
  for (let i = 0; i < codes.length - 1; i++) counts[codes[i]]++;
  const { [ONLY_FIRST]: first, [ONLY_SECOND]: second, [BOTH]: shared } = counts;
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
  const order = all.map((_, i) => i).sort((a, b) => lengthOf(all[b]) - lengthOf(all[a]) || a - b);
  /** @type {Map<string, Stretch[]>} */
  const groups = new Map();
  let length = Infinity;
  for (const i of order) {
    const [start, end] = all[i];
    if (groups.size >= most && end - start < length) break;
    length = end - start;
    const key = binary(text.subarray(start, end)) + binary(codes.subarray(start, end));
    const group = groups.get(key);
    if (group) group.push(all[i]);
    else groups.set(key, [all[i]]);
  }
  return [...groups.values()].slice(0, most);
}

/** @param {Stretch} stretch */
const lengthOf = ([start, end]) => end - start;

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
