// @ts-check
// The sentence above the text: what the last merge made, which merge comes next, and why that one.

import { capital, decimals } from "../shared/numbers.js";

/** @import { Run } from "../shared/types" */

/** Words and the ids of tokens, which are shown by their labels. @typedef {(string | number)[]} Phrase */
/** @typedef {{ past: Phrase, next: Phrase, why: Phrase }} Sentence */

/**
 * @param {Run} run
 * @param {number} step
 * @param {Phrase} values what decides if the next merge is a tie
 * @param {string} how what a person does to guess the next merge
 * @returns {Sentence}
 */
export function sentenceAt(run, step, values = [], how = "") {
  /** @type {Phrase} */
  const past = step ? [`Done: merge ${decimals(step)} made `, run.ids[step - 1], ". "] : [];
  if (step >= run.num_merges)
    return { past, next: [run.guess ? `Which pair is next?${how && ` ${how}`}` : run.stop_reason], why: [] };
  const count = run.counts[step];
  const seen = count === 1 ? "once" : `${decimals(count)} times`;
  const joins = `Next: merge ${decimals(step + 1)} joins `;
  /** @type {Phrase} */
  const next = [joins, run.lefts[step], " + ", run.rights[step], `, seen ${seen}.`];
  return { past, next, why: [" ", ...reason(run, step, values), overlap(run, step)] };
}

/**
 * @param {Run} run
 * @param {number} step
 * @param {Phrase} values
 * @returns {Phrase}
 */
function reason(run, step, values) {
  if (run.order) return [run.order];
  if (run.chosen.includes(step)) return [`${capital(run.chooser)} chose it, not the recipe.`];
  const tied = run.tied[step];
  const besides = run.vetoed_from !== null && run.vetoed_from <= step ? ", apart from vetoed ones" : "";
  if (tied < 2) return [`No other pair is as frequent${besides}.`];
  const rule = `${decimals(tied)} pairs share that count${besides}. This recipe takes ${run.tie_sentence}`;
  return values.length ? [`${rule}: `, ...values, "."] : [`${rule}.`];
}

/**
 * A sentence if pairs overlap: counting includes overlaps, merging can't.
 * @param {Run} run
 * @param {number} step
 */
function overlap({ totals, counts }, step) {
  const replaced = totals[step] - totals[step + 1];
  if (replaced === counts[step]) return "";
  return ` Some overlap, as in a + a + a. The merge can replace ${decimals(replaced)}.`;
}
