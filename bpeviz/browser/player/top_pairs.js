// @ts-check
// The most frequent pairs at every step, the part of each in the next merge, and why the next one is chosen.

import { capital, decimals, times } from "../shared/numbers.js";
import { isOfStart } from "./sentence.js";

/** @import { Run } from "../shared/types" */
/** @import { Phrase } from "./sentence.js" */

export const SHOWN_PAIRS = 20;

/**
 * What Python sends; see `pack_pairs` in bpeviz/browser. The lists of all steps are changes, as bpeviz/core/top_pairs.py
 * explains them; `vetoed` has the ids of pairs and the step from which they are vetoed.
 * @typedef {object} PairPack
 * @property {number} number the run's
 * @property {number} most the longest list
 * @property {[left: number, right: number, from: number][]} vetoed
 * @property {ArrayLike<number>} num_dropped
 * @property {ArrayLike<number>} dropped
 * @property {ArrayLike<number>} num_added
 * @property {ArrayLike<number>} places
 * @property {ArrayLike<number>} lefts
 * @property {ArrayLike<number>} rights
 * @property {ArrayLike<number>} counts
 */
/** @typedef {{ left: number, right: number, count: number }} CountedPair */
/** @typedef {"next" | "tied" | "other" | "vetoed"} Role */
/** @typedef {CountedPair & { role: Role }} PairBar */

/** @type {Record<Role, string>} */
export const ROLE_NAMES = {
  next: "merged next",
  tied: "as frequent as the next merge",
  other: "not merged next",
  vetoed: "you chose never to merge it",
};

export class TopPairs {
  /** @param {PairPack} pack */
  constructor(pack) {
    this.pack = pack;
    this.table = listsOf(pack); // for each step, the numbers of its pairs in the pack, then -1
  }

  /** @param {number} step */
  numbersAt(step) {
    const { most } = this.pack;
    const list = this.table.subarray(step * most, (step + 1) * most);
    const end = list.indexOf(-1);
    return end < 0 ? list : list.subarray(0, end);
  }

  /**
   * @param {number} step
   * @returns {CountedPair[]}
   */
  at(step) {
    const { lefts, rights, counts } = this.pack;
    return Array.from(this.numbersAt(step), (i) => ({ left: lefts[i], right: rights[i], count: counts[i] }));
  }

  /**
   * Whether all merges are made and no pair is left that occurs twice: bars of equal length would say nothing.
   * @param {Run} run
   * @param {number} step
   */
  isSpent(run, step) {
    return step === run.num_merges && this.at(step).every(({ count }) => count < 2);
  }

  /**
   * The bars at a step, at most so many, which always include the next merge; none where no pair occurs twice.
   * @param {Run} run
   * @param {number} step
   * @param {number} [most]
   * @returns {PairBar[]}
   */
  bars(run, step, most = SHOWN_PAIRS) {
    if (this.isSpent(run, step)) return [];
    const top = this.at(step).slice(0, most);
    const next = nextMerge(run, step);
    if (next && !top.some((pair) => isSame(pair, next))) top[top.length - 1] = next;
    return top.map((pair) => ({ ...pair, role: this.role(run, step, pair) }));
  }

  /**
   * @param {Run} run
   * @param {number} step
   * @param {CountedPair} pair
   * @returns {Role}
   */
  role(run, step, pair) {
    const next = nextMerge(run, step);
    if (next && isSame(pair, next)) return "next";
    if (this.isVetoed(pair, step)) return "vetoed";
    return next && !run.chosen.includes(step) && pair.count === next.count ? "tied" : "other";
  }

  /**
   * @param {CountedPair} pair
   * @param {number} step
   */
  isVetoed({ left, right }, step) {
    return this.pack.vetoed.some(([a, b, from]) => a === left && b === right && from <= step);
  }

  /**
   * The most frequent of the pairs that are neither merged next nor vetoed.
   * @param {Run} run
   * @param {number} step
   */
  rival(run, step) {
    const next = nextMerge(run, step);
    return this.at(step).find((pair) => !(next && isSame(pair, next)) && !this.isVetoed(pair, step));
  }

  /**
   * Why the next merge takes its pair, in a sentence; ids stand for tokens.
   * @param {Run} run
   * @param {number} step
   * @returns {Phrase}
   */
  why(run, step) {
    const tied = run.tied[step];
    if (!(tied > 1) || run.chosen.includes(step)) return this.whyAlone(run, step); // none after the last merge
    const besides = run.vetoed_from !== null && run.vetoed_from <= step ? ", apart from vetoed ones" : "";
    return [`${decimals(tied)} pairs tie${besides}. This trainer takes ${run.tie_sentence}.`];
  }

  /**
   * Why the next merge takes its pair, unless the recipe decides a tie.
   * @param {Run} run
   * @param {number} step
   * @returns {Phrase}
   */
  whyAlone(run, step) {
    const next = nextMerge(run, step);
    if (!next && !step) return ["This run makes no merge."];
    if (!next) {
      const ends = this.isSpent(run, step) ? "No pair occurs twice." : "All merges are done.";
      return [`${ends} Go back to see earlier choices.`];
    }
    const rival = this.rival(run, step);
    const ofStart = isOfStart(run, step) ? `${run.start_name} merges by rank.` : "";
    const by = run.chosen.includes(step) ? `${capital(run.chooser)} chose it.` : ofStart;
    if (!rival)
      return [
        by ? `${by} No other pair was left to merge.` : "Chosen because it is the only pair left to merge.",
      ];
    /** @type {[number, number]} */
    const pair = [rival.left, rival.right];
    const more = decimals(Math.abs(rival.count - next.count));
    if (!by) return [`Most frequent: ${times(next.count)}, ${more} more than `, pair, "."];
    const seen = times(rival.count);
    return rival.count > next.count
      ? [`${by} The most frequent pair was `, pair, `, ${seen}: ${more} more.`]
      : [`${by} The most frequent other pair is `, pair, `, ${seen}.`];
  }
}

/**
 * @param {Run} run
 * @param {number} step
 * @returns {CountedPair | null}
 */
function nextMerge({ lefts, rights, counts, num_merges: last }, step) {
  return step < last ? { left: lefts[step], right: rights[step], count: counts[step] } : null;
}

/**
 * @param {CountedPair} one
 * @param {CountedPair} other
 */
const isSame = (one, other) => one.left === other.left && one.right === other.right;

/** @param {PairPack} pack */
function listsOf({ most, num_dropped: numDropped, dropped, num_added: numAdded, places }) {
  const table = new Int32Array(numAdded.length * most).fill(-1);
  /** @type {number[]} */
  const list = [];
  let nextDropped = 0;
  let nextAdded = 0;
  for (let step = 0; step < numAdded.length; step++) {
    const droppedEnd = nextDropped + numDropped[step];
    for (let i = droppedEnd - 1; i >= nextDropped; i--) list.splice(dropped[i], 1);
    nextDropped = droppedEnd;
    const addedEnd = nextAdded + numAdded[step];
    for (; nextAdded < addedEnd; nextAdded++) list.splice(places[nextAdded], 0, nextAdded);
    table.set(list, step * most);
  }
  return table;
}
