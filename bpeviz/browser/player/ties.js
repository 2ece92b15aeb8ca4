// @ts-check
// How a tie was decided: the values by which the next merge comes before the first of the others.

import { countCharacters } from "../shared/bytes.js";
import { SKIPPED, WALL } from "../shared/gap_ranks.js";
import { counted, decimals } from "../shared/numbers.js";

/** @import { Run } from "../shared/types" */
/** @import { Lexicon } from "./lexicon.js" */
/** @import { Phrase } from "./sentence.js" */

/** The ids of two neighbours. @typedef {{ left: number, right: number }} Pair */

const MOST_READ = 200_000; // bytes that we search for a pair's first place

/**
 * The winner and the first of the others, each with its value; empty if the recipe's rule has no value to show here.
 * @param {Lexicon} lexicon
 * @param {number} step
 * @param {Pair} rival
 * @returns {Phrase}
 */
export function tieValues(lexicon, step, rival) {
  const { run } = lexicon;
  const winner = { left: run.lefts[step], right: run.rights[step] };
  switch (run.tie) {
    case "smallest-ids":
      return [...withIds(winner), " before ", ...withIds(rival)];
    case "greatest-tokens":
      return [...plain(winner), " comes after ", ...plain(rival)];
    case "shortest-token":
      return byLength(lexicon, winner, rival);
    case "first-seen":
      return byPlace(lexicon, step, winner, rival);
    default:
      return [];
  }
}

/**
 * @param {Pair} pair
 * @returns {Phrase}
 */
const plain = ({ left, right }) => [[left, right]];

/**
 * @param {Pair} pair
 * @returns {Phrase}
 */
const withIds = ({ left, right }) => [[left, right], ` (${left}, ${right})`];

/**
 * @param {Lexicon} lexicon
 * @param {Pair} winner
 * @param {Pair} rival
 * @returns {Phrase}
 */
function byLength(lexicon, winner, rival) {
  const [short, long] = [winner, rival].map((pair) => characters(lexicon, pair));
  const both = `, both of ${counted(short, "character")}`;
  if (short === long) return [...plain(winner), " before ", ...plain(rival), both];
  const longer = ` (${counted(long, "character")})`;
  return [...plain(winner), ` (${counted(short, "character")}) before `, ...plain(rival), longer];
}

/**
 * @param {Lexicon} lexicon
 * @param {Pair} pair
 */
const characters = (lexicon, { left, right }) =>
  countCharacters(lexicon.spelling(left) + lexicon.spelling(right));

/**
 * @param {Lexicon} lexicon
 * @param {number} step
 * @param {Pair} winner
 * @param {Pair} rival
 * @returns {Phrase}
 */
function byPlace(lexicon, step, winner, rival) {
  if (lexicon.run.text.length < lexicon.run.text_bytes) return []; // the trainer saw more than this part
  const [first, second] = [winner, rival].map((pair) => firstPlace(lexicon, step, pair));
  if (first === null || second === null || first >= second) return [];
  const [at, later] = [first, second].map((place) => ` (byte ${decimals(place + 1)})`);
  return [...plain(winner), `${at} before `, ...plain(rival), later];
}

/**
 * The byte at which a pair first occurs in the text after so many merges.
 * @param {Lexicon} lexicon
 * @param {number} step
 * @param {Pair} pair
 */
function firstPlace({ run, tokenIds }, step, { left, right }) {
  const { text, gaps } = run;
  /** @type {Map<number, number | undefined>} */
  const ofBytes = new Map(); // ids of single bytes, and whether these end a pre-token
  /**
   * @param {number} start
   * @param {number} end
   * @param {number} latest
   */
  const idOf = (start, end, latest) => {
    if (end - start > 1) return tokenIds.of({ start, end, latest });
    const key = text[start] + (gaps[start] === WALL ? 256 : 0);
    if (!ofBytes.has(key)) ofBytes.set(key, tokenIds.of({ start, end, latest }));
    return ofBytes.get(key);
  };
  let start = 0;
  let latest = -1;
  let before = { start: 0, id: /** @type {number | undefined} */ (undefined) };
  for (let i = 0; i < Math.min(gaps.length, MOST_READ); i++) {
    if (gaps[i] < step) {
      latest = Math.max(latest, gaps[i]);
      continue;
    }
    const id = gaps[i] === SKIPPED ? undefined : idOf(start, i + 1, latest);
    if (before.id === left && id === right) return before.start;
    before = { start, id: gaps[i] === WALL ? undefined : id };
    start = i + 1;
    latest = -1;
  }
  return null;
}

/**
 * The nearest step after (1) or before (-1) a step at which the next merge is a tie; null if there is none.
 * @param {Run} run
 * @param {number} step
 * @param {1 | -1} by
 */
export function nearestTie({ tied, num_merges: last }, step, by) {
  for (let k = step + by; k >= 0 && k < last; k += by) if (tied[k] > 1) return k;
  return null;
}
