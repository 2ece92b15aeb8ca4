// @ts-check
// Gap ranks: for the gap after each byte of a text, the rank of the merge that closes it. The tokens of any step
// follow from them. See bpeviz/core/gap_ranks.py, which explains and computes them.

/** @import { Token } from "./types" */

// Gap ranks that are not ranks. Inside a base symbol it is -1.
export const NEVER = 2 ** 31 - 3;
export const SKIPPED = 2 ** 31 - 2;
export const WALL = 2 ** 31 - 1;

/**
 * The token that holds a byte after so many merges.
 * @param {Int32Array} gaps
 * @param {number} merges
 * @param {number} offset
 * @returns {Token}
 */
export function tokenAround(gaps, merges, offset) {
  let start = offset;
  let end = offset;
  let latest = -1;
  while (start > 0 && gaps[start - 1] < merges) latest = Math.max(latest, gaps[--start]);
  while (gaps[end] < merges) latest = Math.max(latest, gaps[end++]);
  return { start, end: end + 1, latest };
}

/**
 * How many of the ascending numbers are not above x.
 * @param {ArrayLike<number>} numbers
 * @param {number} x
 */
export const upperBound = (numbers, x) => firstIndex(numbers.length, (i) => numbers[i] > x);

/**
 * The first of so many indices at which something holds that then holds at all later ones; `length` if none.
 * @param {number} length
 * @param {(i: number) => boolean} holds
 */
export function firstIndex(length, holds) {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
