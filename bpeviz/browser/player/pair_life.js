// @ts-check
// Where a pair occurs in the text at any step, and how often at each. It follows from the gap ranks: a place is there
// from the merge that makes its later token to the merge that closes the gap between both, or one beside them.

import { NEVER } from "../shared/gap_ranks.js";

/** @import { Run } from "../shared/types" */
/** @import { Lexicon } from "./lexicon.js" */

/** How a pair ends. @typedef {"merged" | "used up" | "alive" | "unborn"} Fate */

/** A pair of token ids. @typedef {[left: number, right: number]} Pair */

export class PairLife {
  /**
   * @param {Lexicon} lexicon
   * @param {Pair} pair
   */
  constructor(lexicon, [left, right]) {
    this.run = lexicon.run;
    this.pair = /** @type {Pair} */ ([left, right]);
    /** @type {number[]} */
    this.starts = [];
    /** @type {number[]} */
    this.ends = [];
    /** @type {number[]} */
    this.from = []; // the first step with the pair at this place, and the last one
    /** @type {number[]} */
    this.to = [];
    this.findPlaces(lexicon);
    this.counts = this.countSteps();
  }

  /** @param {Lexicon} lexicon */
  findPlaces(lexicon) {
    const [left, right] = this.pair;
    const lefts = lexicon.places(lexicon.spelled(left));
    const rights = left === right ? lefts : lexicon.places(lexicon.spelled(right));
    let after = 0; // the first right token that doesn't begin before the left one ends
    for (let i = 0; i < lefts.starts.length; i++) {
      while (after > 0 && rights.starts[after - 1] >= lefts.ends[i]) after--;
      while (rights.starts[after] < lefts.ends[i]) after++;
      for (let j = after; rights.starts[j] === lefts.ends[i]; j++) {
        const from = Math.max(lefts.made[i], rights.made[j]) + 1;
        const to = Math.min(lefts.joined[i], rights.joined[j], this.run.num_merges);
        if (from <= to && isInPreToken(this.run, lefts.ends[i] - 1)) {
          this.starts.push(lefts.starts[i]);
          this.ends.push(rights.ends[j]);
          this.from.push(from);
          this.to.push(to);
        }
      }
    }
  }

  // How often it occurs after 0, 1, … all merges, overlaps included.
  countSteps() {
    const counts = new Int32Array(this.run.num_merges + 2);
    for (let i = 0; i < this.from.length; i++) {
      counts[this.from[i]]++;
      counts[this.to[i] + 1]--;
    }
    for (let step = 1; step < counts.length; step++) counts[step] += counts[step - 1];
    return counts.subarray(0, this.run.num_merges + 1);
  }

  // The step at which it first occurs; -1 if it never does.
  get born() {
    return this.counts.findIndex((count) => count > 0);
  }

  // The step at which it occurs no more; null if it still does at the end.
  get ended() {
    const last = this.counts.findLastIndex((count) => count > 0);
    return last === this.run.num_merges ? null : last + 1;
  }

  /** @returns {Fate} */
  get fate() {
    const { born, ended, run, pair } = this;
    if (born < 0) return "unborn";
    if (ended === null) return "alive";
    const [left, right] = pair;
    return run.lefts[ended - 1] === left && run.rights[ended - 1] === right ? "merged" : "used up";
  }

  /**
   * How long the unbroken rows of a token beside itself are at a step, and how often each length occurs, shortest first.
   * In a row of 4 the pair is counted 3 times, and a merge replaces 2.
   * @param {number} step
   * @returns {[tokens: number, rows: number][]}
   */
  rows(step) {
    /** @type {Map<number, number>} */
    const rows = new Map();
    let tokens = 0;
    let end = -1; // of the last token in the row
    const close = () => tokens && rows.set(tokens, (rows.get(tokens) ?? 0) + 1);
    for (let i = 0; i < this.starts.length; i++) {
      if (step < this.from[i] || step > this.to[i]) continue;
      if (this.starts[i] >= end) close();
      tokens = this.starts[i] < end ? tokens + 1 : 2;
      end = this.ends[i];
    }
    close();
    return [...rows].sort(([one], [other]) => one - other);
  }

  /**
   * How many of its places at a step begin from one byte up to another.
   * @param {number} step
   * @param {{ from: number, to: number } | null} view
   */
  countIn(step, view) {
    if (!view) return 0;
    let count = 0;
    for (let i = 0; i < this.starts.length; i++) {
      const stands = this.from[i] <= step && step <= this.to[i];
      if (stands && this.starts[i] < view.to && this.ends[i] > view.from) count++;
    }
    return count;
  }
}

/**
 * Whether a merge may close a gap: no wall and no skipped byte is there.
 * @param {Run} run
 * @param {number} gap
 */
const isInPreToken = ({ gaps }, gap) => gaps[gap] <= NEVER;
