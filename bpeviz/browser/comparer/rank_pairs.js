// @ts-check
// The gap ranks of both sides, as Python sends them: a table of the pairs of ranks that occur, and for each byte the
// number of its pair. Only some 10,000 pairs occur in a megabyte, so figures of the whole text follow from the table.
// See bpeviz/browser/comparison_pack.py.

import { SKIPPED } from "../shared/gap_ranks.js";
import { BOTH, boundaryCodes } from "./agreement.js";

/** @import { Pair } from "./agreement.js" */

export class RankPairs {
  /**
   * @param {Uint16Array | Uint32Array} numbers for each byte the number of its pair
   * @param {Pair<Int32Array>} ranks for each pair the rank of the first side and that of the second
   * @param {Int32Array} counts for each pair how many bytes have it
   * @param {Uint8Array} otherEnds for each pair the bits of the other tokenizers that have a boundary there
   * @param {number} others how many these are
   */
  constructor(numbers, ranks, counts, otherEnds = new Uint8Array(counts.length), others = 0) {
    this.numbers = numbers;
    this.ranks = ranks;
    this.counts = counts;
    this.otherEnds = otherEnds;
    this.sides = ranks.length + others;
    this.all = (1 << this.sides) - 1; // the code of a boundary that all have
  }

  /**
   * Who has a boundary in the gaps of each pair.
   * @param {Pair<number>} merges how many of each side
   */
  codes(merges) {
    return boundaryCodes(this.ranks, merges).map((code, i) => code | (this.otherEnds[i] << 2));
  }

  /**
   * How many bytes have each code of the two sides. The last byte doesn't count: the end of the text is no boundary.
   * @param {Uint8Array} codes of each pair
   */
  total(codes) {
    const totals = [0, 0, 0, 0];
    for (let i = 0; i < codes.length; i++) totals[codes[i] & BOTH] += this.counts[i];
    const { length } = this.numbers;
    if (length) totals[codes[this.numbers[length - 1]] & BOTH]--;
    return totals;
  }

  /**
   * Which of the two sides has a boundary after each byte. The end of the text counts as shared, even if a side drops the last bytes.
   * @param {Uint8Array} codes of each pair
   */
  perByte(codes) {
    const { numbers } = this;
    const all = new Uint8Array(numbers.length);
    for (let i = 0; i < all.length - 1; i++) all[i] = codes[numbers[i]] & BOTH;
    if (all.length) all[all.length - 1] = BOTH;
    return all;
  }

  /**
   * The gap ranks of a side (0 or 1), one for each byte.
   * @param {number} side
   */
  gaps(side) {
    const { numbers } = this;
    const ranks = this.ranks[side];
    const gaps = new Int32Array(numbers.length);
    for (let i = 0; i < gaps.length; i++) gaps[i] = ranks[numbers[i]];
    return gaps;
  }

  /**
   * The bytes with which tokens of one of the others end.
   * @param {number} other
   */
  endsOf(other) {
    const { numbers, otherEnds } = this;
    const ends = [];
    for (let i = 0; i < numbers.length; i++) if ((otherEnds[numbers[i]] >> other) & 1) ends.push(i);
    return Int32Array.from(ends);
  }

  /**
   * How many tokens the text has with a side after 0, 1, … merges.
   * @param {number} side
   * @param {number} merges
   * @param {Int32Array} hidden the ranks of gaps that lie between no two bytes
   */
  tokenTotals(side, merges, hidden) {
    const closed = new Float64Array(merges + 1);
    let tokens = 0;
    /**
     * @param {number} rank
     * @param {number} count
     */
    const add = (rank, count) => {
      if (rank < 0 || rank === SKIPPED) return;
      tokens += count;
      if (rank < merges) closed[rank] += count;
    };
    for (const [i, rank] of this.ranks[side].entries()) add(rank, this.counts[i]);
    for (const rank of hidden) add(rank, 1);
    const totals = new Float64Array(merges + 1);
    for (let k = 0; k <= merges; k++) {
      totals[k] = tokens;
      tokens -= closed[k];
    }
    return totals;
  }
}
