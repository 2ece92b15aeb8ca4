// @ts-check
// The run on show beside a finished tokenizer: a row of tokens each, and the pack of their comparison, as
// bpeviz/browser/comparison_pack.py packs it.

import { hexByte } from "../shared/bytes.js";
import { directionOfBytes } from "../shared/characters.js";
import { SKIPPED } from "../shared/gap_ranks.js";
import { shortRank, writePack } from "../shared/pack.js";
import { tokenRow } from "../shared/token_row.js";
import { FIRST_MADE } from "../trainer/ranked_merges.js";

/** @import { Run } from "../shared/types" */
/** @import { RankedMerges } from "../trainer/ranked_merges.js" */
/** @import { TrainerTable } from "../trainer/rules.js" */

const MOST_TOKENS = 120; // of a row

/**
 * The row of a text after so many merges.
 * @param {string} name
 * @param {Uint8Array} text
 * @param {Int32Array} gaps
 * @param {number} merges
 */
export function rowOf(name, text, gaps, merges) {
  /** @type {Uint8Array[]} */
  const tokens = [];
  let total = 0;
  let start = 0;
  for (let i = 0; i < gaps.length; i++) {
    if (gaps[i] < merges) continue;
    const counts = gaps[i] !== SKIPPED;
    if (total < MOST_TOKENS) tokens.push(text.subarray(start, i + 1));
    if (counts) total++;
    start = i + 1;
  }
  return tokenRow(name, total, tokens, directionOfBytes(text) ?? "ltr");
}

/**
 * @param {Run} run
 * @param {Int32Array} gaps those of the tokenizer on its text
 * @param {RankedMerges} tokenizer
 * @param {TrainerTable} table
 * @param {string} name of the run
 */
export function comparisonPack(run, gaps, { name: other, base_size: size, lefts }, table, name) {
  const { counts, first, numbers, second } = rankPairs(run.gaps, gaps);
  const ids = Int32Array.from(lefts, (_, rank) => FIRST_MADE + rank);
  const baseIds = table.byte_order.map((byte, id) => [hexByte(byte).toLowerCase(), id]);
  const sides = [
    { name, start: run.num_merges, base_size: run.vocab_sizes[0], base_ids: run.base_ids },
    { name: other, start: lefts.length, base_size: size, base_ids: Object.fromEntries(baseIds) },
  ];
  const none = new Int32Array();
  return writePack(
    { sides, others: [], locked: false, serial: run.number },
    {
      text: run.text,
      numbers: new Uint8Array(numbers.buffer),
      first,
      second,
      other_ends: new Uint8Array(first.length),
      counts,
      hidden_0: none,
      symbols_0: new Uint16Array(),
      ids_0: run.ids,
      new_0: Uint8Array.from(run.ids, (_, rank) => run.vocab_sizes[rank + 1] - run.vocab_sizes[rank]),
      hidden_1: none,
      symbols_1: new Uint16Array(),
      ids_1: ids,
      new_1: new Uint8Array(ids.length).fill(1),
    },
  );
}

/**
 * The distinct pairs of gap ranks, and for each byte the number of its pair.
 * @param {Int32Array} one
 * @param {Int32Array} other
 */
function rankPairs(one, other) {
  /** @type {Map<number, number>} */
  const known = new Map();
  /** @type {number[]} */
  const counts = [];
  /** @type {number[]} */
  const places = [];
  const all = Uint32Array.from(one, (rank, i) => {
    const key = shortRank(rank) * 2 ** 16 + shortRank(other[i]);
    let number = known.get(key);
    if (number === undefined) {
      number = known.size;
      known.set(key, number);
      places.push(i);
      counts.push(0);
    }
    counts[number]++;
    return number;
  });
  return {
    numbers: known.size <= 2 ** 16 ? Uint16Array.from(all) : all,
    first: Int32Array.from(places, (i) => one[i]),
    second: Int32Array.from(places, (i) => other[i]),
    counts: Int32Array.from(counts),
  };
}
