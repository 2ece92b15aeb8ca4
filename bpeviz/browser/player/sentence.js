// @ts-check
// The sentence above the text: what the last merge made, and which merge comes next.

import { closest, create } from "../shared/elements.js";
import { capital, decimals, ordinal, times } from "../shared/numbers.js";
import { stage } from "./stage.js";

/** @import { Run } from "../shared/types" */

/**
 * Words, the ids of tokens, which are shown by their labels, and pairs of them.
 * @typedef {(string | number | [left: number, right: number])[]} Phrase
 */
/** @typedef {{ past: Phrase, next: Phrase, why: Phrase }} Sentence */

/**
 * @param {Run} run
 * @param {number} step
 * @param {string} how what a person does to guess the next merge
 * @returns {Sentence}
 */
export function sentenceAt(run, step, how = "") {
  /** @type {Phrase} */
  const past = step ? [`Done: merge ${decimals(step)} made `, run.ids[step - 1], ". "] : [];
  if (step >= run.num_merges)
    return { past, next: [run.guess ? `Which pair is next?${how && ` ${how}`}` : run.stop_reason], why: [] };
  const tied = run.tied[step];
  const ties = tied > 1 && isByRule(run, step) ? `, one of ${decimals(tied)} tied pairs` : "";
  const joins = `Next: merge ${decimals(step + 1)} joins `;
  /** @type {Phrase} */
  const next = [joins, [run.lefts[step], run.rights[step]], `, seen ${times(run.counts[step])}${ties}.`];
  return { past, next, why: [reason(run, step), overlap(run, step)] };
}

/**
 * Whether the recipe's rule chose the merge: not a finished tokenizer's ranks, and not a person.
 * @param {Run} run
 * @param {number} step
 */
const isByRule = (run, step) => !isOfStart(run, step) && !run.chosen.includes(step);

/**
 * Whether a finished tokenizer, with which the run begins, has this merge.
 * @param {Run} run
 * @param {number} step
 */
export const isOfStart = (run, step) => run.order !== "" && !(run.start_ranks && run.start_ranks[step] < 0);

/**
 * Why the recipe's rule did not choose this merge; the panel of pairs says how the rule chooses.
 * @param {Run} run
 * @param {number} step
 */
function reason(run, step) {
  if (isByRule(run, step)) return "";
  if (run.chosen.includes(step)) return ` ${capital(run.chooser)} chose it, not the recipe.`;
  const asks = rankHere(run, step);
  return asks ? ` ${asks}` : ` ${run.order}`;
}

/**
 * Which merge of the start it is, and how frequent its pair is in this text.
 * @param {Run} run
 * @param {number} step
 */
function rankHere(run, step) {
  const { start_ranks: ranks, pair_ranks: places, best_counts: best, counts, start_name: name } = run;
  if (!ranks || !places || !best) return "";
  const place = places[step];
  const frequent = place === 1 ? "the" : `the ${ordinal(place)}`;
  const fewer = place === 1 ? "" : `, ${decimals(best[step] - counts[step])} behind the first`;
  const never = unusedBefore(ranks, step);
  const unused = never ? ` ${decimals(never)} before it ${never === 1 ? "is" : "are"} never used here.` : "";
  return `Merge ${decimals(ranks[step] + 1)} of ${name}: ${frequent} most frequent pair here${fewer}.${unused}`;
}

/**
 * How many merges of the start come between this one and the one before, and never occur here.
 * @param {Int32Array} ranks
 * @param {number} step
 */
export const unusedBefore = (ranks, step) => Math.max(0, ranks[step] - (step ? ranks[step - 1] : -1) - 1);

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

/**
 * The parts of a phrase, with the labels of its tokens in bold.
 * @param {Phrase} phrase
 * @param {Run} run
 */
export const named = (phrase, { labels }) =>
  phrase.map((part) => {
    if (typeof part === "string") return part;
    if (typeof part === "number") return create("b", "", labels[part]);
    const [left, right] = part.map((id) => create("b", "", labels[id]));
    const pair = create("span", "pair", left, " + ", right);
    pair.dataset.ids = part.join(" ");
    return pair;
  });

/**
 * Follow the pointer over words made by `named`: it points at a pair there, and a click picks it.
 * @param {HTMLElement} words
 * @param {(pair: { left: number, right: number }) => void} onPick
 */
export function watchPairs(words, onPick) {
  words.addEventListener("pointerover", (event) => stage.point({ pair: pairOf(event) }));
  words.addEventListener("pointerleave", () => stage.point());
  words.addEventListener("click", (event) => {
    const pair = pairOf(event);
    if (pair) onPick({ left: pair[0], right: pair[1] });
  });
}

/**
 * @param {Event} event
 * @returns {[number, number] | null}
 */
function pairOf(event) {
  const ids = closest(event, ".pair")?.dataset.ids?.split(" ").map(Number);
  return ids?.length === 2 ? [ids[0], ids[1]] : null;
}
