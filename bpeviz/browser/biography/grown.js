// @ts-check
// How the word of a token grows in a run: from the gap ranks of the text, without the server.

import { NO_MERGE } from "../encoder/pre_token.js";
import { hexOf } from "../shared/bytes.js";
import { shorten, withSigns } from "../shared/characters.js";
import { NEVER } from "../shared/gap_ranks.js";
import { tokenHue } from "../shared/token_hue.js";
import { TokenIds } from "../shared/token_ids.js";

/** @import { ListedToken } from "../encoder/cells.js" */
/** @import { ListedStep } from "../encoder/pre_token.js" */
/** @import { Run } from "../shared/types" */
/** @import { ListedGrowth } from "./word_growth.js" */

const MOST_SYMBOLS = 60; // as in bpeviz/browser/encoding.py: a longer word is not drawn
const WORD_CHARACTERS = 40;
const MOST_WORD = 240; // bytes of a pre-token that is taken whole, as in bpeviz/runs/picked_word.py

/** A token of the word over its bytes. @typedef {{ id: number, start: number, end: number }} Part */

/**
 * The bytes of the pre-token that holds a token; of a long one only those of the token.
 * @param {Run} run
 * @param {{ start: number, end: number }} token
 * @returns {[start: number, end: number]}
 */
export function wordAround({ gaps }, { start, end }) {
  let first = start;
  let last = end;
  while (first > 0 && gaps[first - 1] <= NEVER) first--;
  while (gaps[last - 1] <= NEVER) last++;
  return last - first > MOST_WORD ? [start, end] : [first, last];
}

/**
 * @param {Run} run
 * @param {[start: number, end: number]} word its bytes
 */
export function wordName({ text }, [start, end]) {
  return shorten(withSigns(new TextDecoder().decode(text.subarray(start, end))), WORD_CHARACTERS);
}

/**
 * The growth of a word, as `pack_growth` in bpeviz/browser/encoding.py packs it.
 * @param {Run} run
 * @param {string} title
 * @param {[start: number, end: number]} word its bytes
 * @returns {ListedGrowth}
 */
export function growthIn(run, title, [start, end]) {
  const growth = { title, merges: run.num_merges, long: false, tokens: {}, parts: [] };
  const parts = baseSymbols(run, start, end);
  if (parts.length > MOST_SYMBOLS) return { ...growth, long: true };
  /** @type {Record<string, ListedToken>} */
  const tokens = {};
  const base = new Set(Object.values(run.base_ids));
  /** @param {Part} part */
  const list = ({ id, start: from, end: to }) => {
    const bytes = run.text.subarray(from, to);
    tokens[id] = [hexOf(bytes), tokenHue(bytes), run.labels[id], base.has(id)];
  };
  parts.forEach(list);
  const rankOf = ranksOf(run);
  const symbols = parts.map(({ id }) => id);
  const starts = parts.map((part) => part.start);
  const ranks = symbols.slice(1).map((id, i) => rankOf(symbols[i], id));
  /** @param {number} byte */
  const symbolAt = (byte) => (byte === end ? starts.length : starts.indexOf(byte));
  /** @type {ListedStep[]} */
  const steps = [];
  for (const gap of closedGaps(run, start, end)) {
    const at = parts.findIndex((part) => part.end === gap + 1);
    const [left, right] = parts.splice(at, 2);
    const rank = run.gaps[gap];
    const made = { id: run.ids[rank], start: left.start, end: right.end };
    parts.splice(at, 0, made);
    list(made);
    const [before, after] = [parts[at - 1], parts[at + 1]];
    steps.push([
      rank,
      made.id,
      left.id,
      right.id,
      symbolAt(made.start),
      symbolAt(right.start),
      symbolAt(made.end),
      before ? rankOf(before.id, made.id) : NO_MERGE,
      after ? rankOf(made.id, after.id) : NO_MERGE,
    ]);
  }
  return { ...growth, tokens, parts: [{ symbols, ranks, steps }] };
}

/**
 * The base symbols between two bytes.
 * @param {Run} run
 * @param {number} start
 * @param {number} end
 */
function baseSymbols(run, start, end) {
  const tokenIds = new TokenIds(run);
  /** @type {Part[]} */
  const parts = [];
  let from = start;
  for (let i = start; i < end; i++) {
    if (run.gaps[i] === -1 && i < end - 1) continue;
    const id = tokenIds.of({ start: from, end: i + 1, latest: -1 });
    if (id !== undefined) parts.push({ id, start: from, end: i + 1 });
    from = i + 1;
  }
  return parts;
}

/**
 * The gaps that merges close in a word, in the order of these; a merge goes from left to right.
 * @param {Run} run
 * @param {number} start
 * @param {number} end
 */
function closedGaps({ gaps, num_merges: last }, start, end) {
  const closed = [];
  for (let i = start; i < end - 1; i++) if (gaps[i] >= 0 && gaps[i] < last) closed.push(i);
  return closed.sort((a, b) => gaps[a] - gaps[b] || a - b);
}

/**
 * The rank of the merge of two ids.
 * @param {Run} run
 * @returns {(left: number, right: number) => number}
 */
function ranksOf({ lefts, rights, num_merges: last }) {
  /** @type {Map<string, number>} */
  const ranks = new Map();
  for (let rank = last - 1; rank >= 0; rank--) ranks.set(`${lefts[rank]} ${rights[rank]}`, rank);
  return (left, right) => ranks.get(`${left} ${right}`) ?? NO_MERGE;
}
