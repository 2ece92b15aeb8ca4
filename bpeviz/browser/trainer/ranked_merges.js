// @ts-check
// A finished tokenizer of GPT-2's kind on a text: its merges, one after the other by rank. A merge's halves are made by
// earlier ones, so this gives the tokens of an encoder that looks for the lowest rank again and again.

import { baseOf } from "./base_vocabulary.js";
import { rulesOf } from "./rules.js";
import { splitterOf } from "./split.js";
import { TokenChain } from "./token_chain.js";
import { gapsOf } from "./trained_pack.js";
import { countPreTokens } from "./trainer.js";

/** @import { TrainerTable } from "./rules.js" */

/**
 * A finished tokenizer; see bpeviz/browser/ranked_pack.py. Its 256 bytes have the first ids, in GPT-2's order, and each
 * merge joins a left and a right token to the next id. `base_size` is its vocabulary without merges.
 * @typedef {{ name: string, split: string, base_size: number, lefts: Int32Array, rights: Int32Array }} RankedMerges
 */

export const FIRST_MADE = 256; // the id of what the first merge makes

/**
 * The gap rank after each byte of a text.
 * @param {string} text
 * @param {RankedMerges} merges
 * @param {TrainerTable} table
 */
export function gapsByRank(text, { split, lefts, rights }, table) {
  const older = { ...table, classes: { ...table.classes, ...table.older } }; // the libraries of these tokenizers have an older Unicode
  const rules = rulesOf(older, {
    ...table.settings,
    recipe: "huggingface", // its base vocabulary
    split,
    special_tokens: [],
  });
  const corpus = countPreTokens(splitterOf(rules)(text));
  const base = baseOf(rules, corpus.preTokens);
  const chain = new TokenChain(base.ids, base.lengths, corpus.counts, () => true);
  for (let rank = 0; rank < lefts.length && chain.size; rank++) {
    const pair = chain.at(lefts[rank], rights[rank]);
    if (pair) chain.merge(pair, FIRST_MADE + rank, rank);
  }
  return gapsOf({ base, chain, corpus }, new TextEncoder().encode(text).length);
}
