// @ts-check
// The example of the textbooks: "aaabdaaabac", where aa, then ab, then aaab are joined.

import { RankPairs } from "../../bpeviz/browser/comparer/rank_pairs.js";
import { NEVER, WALL } from "../../bpeviz/browser/shared/gap_ranks.js";

/** @import { Run } from "../../bpeviz/browser/shared/types" */

/** @param {string} text */
export const bytes = (text) => new TextEncoder().encode(text);

export const TEXT = bytes("aaabdaaabac");

// a a a b d a a a b a c: the gap after each byte closes with merge 0, 2, 1, never, ...
export const GAPS = Int32Array.from([0, 2, 1, NEVER, NEVER, 0, 2, 1, NEVER, NEVER, WALL]);

/**
 * The run that makes these merges; bytes are their own ids, tokens have ids from 256.
 * @returns {Run}
 */
export const run = () => ({
  text: TEXT,
  gaps: GAPS,
  number: 1,
  title: "aaabdaaabac",
  chosen: [],
  chooser: "you",
  vetoed_from: null,
  forks: [],
  start: 0,
  grows: false,
  spotlight: "",
  reports: "never",
  saves: false,
  autoplay: 0,
  until: null,
  guess: false,
  tie: null,
  order: "",
  tie_sentence: "the first",
  start_name: "",
  stop_reason: "Every pair is unique.",
  num_merges: 3,
  text_bytes: 11,
  base_ids: { 61: 97, 62: 98, 63: 99, 64: 100 },
  labels: { 97: "a", 98: "b", 99: "c", 100: "d", 256: "aa", 257: "ab", 258: "aaab" },
  ids: Int32Array.from([256, 257, 258]),
  lefts: Int32Array.from([97, 97, 256]),
  rights: Int32Array.from([97, 98, 257]),
  tied: Int32Array.from([1, 1, 1]),
  counts: Float64Array.from([4, 2, 2]),
  totals: Float64Array.from([11, 9, 7, 5]),
  vocab_sizes: Int32Array.from([4, 5, 6, 7]),
});

/**
 * A phrase as people read it.
 * @param {import("../../bpeviz/browser/player/sentence.js").Phrase} phrase
 * @param {Run} of
 */
export const inWords = (phrase, { labels }) =>
  phrase
    .map((part) =>
      typeof part === "string"
        ? part
        : [part]
            .flat()
            .map((id) => labels[id])
            .join(" + "),
    )
    .join("");

/**
 * The pairs of two sides' gap ranks, numbered as they come; and who of some other tokenizers has a boundary there.
 * @param {Int32Array} first
 * @param {Int32Array} second
 * @param {Uint8Array} otherEnds
 * @param {number} others
 */
export function rankPairs(first, second, otherEnds = new Uint8Array(first.length), others = 0) {
  const keys = Array.from(first, (rank, i) => `${rank} ${second[i]} ${otherEnds[i]}`);
  const distinct = [...new Set(keys)];
  const numbers = Uint16Array.from(keys, (key) => distinct.indexOf(key));
  const ranks = distinct.map((key) => key.split(" ").map(Number));
  const counts = distinct.map((key) => keys.filter((each) => each === key).length);
  return new RankPairs(
    numbers,
    [Int32Array.from(ranks, ([rank]) => rank), Int32Array.from(ranks, ([, rank]) => rank)],
    Int32Array.from(counts),
    Uint8Array.from(ranks, ([, , ends]) => ends),
    others,
  );
}

/**
 * A function for whole numbers from 0 up to a limit, the same in every run.
 * @param {number} seed
 */
export function randomNumbers(seed) {
  let state = seed;
  return (/** @type {number} */ most) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}
