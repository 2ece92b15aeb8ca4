// @ts-check
// A training as the packs that the player reads: the same, value for value, as those of bpeviz/browser/run_pack.py.

import { bytesOf, hexOf } from "../shared/bytes.js";
import { NEVER, SKIPPED, WALL } from "../shared/gap_ranks.js";
import { FIRST_SHORT, shortRank, writePack } from "../shared/pack.js";
import { utf8 } from "./base_vocabulary.js";
import { labeller } from "./labels.js";
import { nothingMerged, rulesOf } from "./rules.js";
import { train } from "./trainer.js";

/** @import { Fork } from "../shared/types" */
/** @import { Settings, TrainerTable } from "./rules.js" */
/** @import { Training } from "./trainer.js" */

/**
 * What the player shows besides the training; as PlayedRun in run_pack.py has it.
 * @typedef {{ title: string, number: number, start: number, beside?: Uint8Array }} Shown
 */

/**
 * A text to train on; `number` is that of the run, and `start` the step to show.
 * @typedef {{ text: string, settings: Settings, number: number, start: number }} Order
 */
/** @typedef {{ player: Uint8Array, pairs: Uint8Array }} Packs */

/**
 * Train, and return the packs of the player. A run with a person's own choices has the one without them beside it, with
 * the next number.
 * @param {TrainerTable} table
 * @param {Order} order
 * @param {(made: number) => void} [onStep]
 * @returns {Packs}
 */
export function packsOf(table, { text, settings, number, start }, onStep) {
  const training = train(text, rulesOf(table, settings), onStep);
  const pairs = packTopPairs(training, number);
  if (!settings.choices.length) {
    return { player: packTraining(training, { title: "Text", number, start }), pairs };
  }
  const other = train(text, rulesOf(table, { ...settings, choices: [] }), onStep);
  const beside = packTraining(other, { title: "Without your choices", number: number + 1, start });
  return { player: packTraining(training, { title: "With your choices", number, start, beside }), pairs };
}

/**
 * The pack of the player.
 * @param {Training} training
 * @param {Shown} shown
 */
export function packTraining(training, { title, number, start, beside = new Uint8Array() }) {
  const { steps } = training;
  const text = bytesOfText(training);
  const gaps = gapsOf(training, text.length);
  const header = {
    number,
    ...tokensOf(training),
    stop_reason: steps.length ? training.stopReason : nothingMerged(training.rules, training.stopReason),
    num_merges: steps.length,
    text_bytes: text.length,
    ...choicesOf(training.rules.settings.choices),
    tie: training.rules.recipe.tie,
    tie_sentence: training.rules.recipe.tie_sentence,
    order: "",
    start_name: "",
    title,
    start: Math.min(start, steps.length),
    autoplay: 0,
    until: null,
    plays: 0,
    guess: false,
    grows: true,
    reports: "never",
    saves: false,
    spotlight: "",
  };
  return writePack(header, {
    text,
    gaps: steps.length > FIRST_SHORT ? gaps : Uint16Array.from(gaps, shortRank), // if a rank doesn't fit two bytes
    lefts: Int32Array.from(steps, ({ left }) => left),
    rights: Int32Array.from(steps, ({ right }) => right),
    ids: Int32Array.from(steps, ({ id }) => id),
    tied: Int32Array.from(steps, ({ tied }) => tied),
    counts: Float64Array.from(steps, ({ count }) => count),
    totals: Float64Array.from([training.firstTotal, ...steps.map(({ total }) => total)]),
    vocab_sizes: vocabSizes(training),
    beside,
  });
}

/**
 * The pack of the most frequent pairs.
 * @param {Training} training
 * @param {number} number of the run
 */
export function packTopPairs({ top, rules }, number) {
  const vetoes = rules.settings.choices.filter(({ action }) => action === "veto").reverse();
  const vetoed = new Map(vetoes.map(({ pair, rank }) => [pair.join(" "), [...pair, rank]]));
  const { num_dropped: fell, dropped, num_added: came, places, lefts, rights, counts } = top.changes;
  return writePack(
    { number, most: top.longest, vetoed: [...vetoed.values()] },
    {
      num_dropped: Uint8Array.from(fell),
      dropped: Uint8Array.from(dropped),
      num_added: Uint8Array.from(came),
      places: Uint8Array.from(places),
      lefts: Int32Array.from(lefts),
      rights: Int32Array.from(rights),
      counts: Int32Array.from(counts),
    },
  );
}

/** @param {Training} training */
function bytesOfText({ corpus }) {
  return new TextEncoder().encode(Array.from(corpus.order, (number) => corpus.preTokens[number]).join(""));
}

/**
 * The gap rank after each byte of the text: those of its pre-tokens, one after the other.
 * @param {Pick<Training, "base" | "chain" | "corpus">} training
 * @param {number} size of the text
 */
export function gapsOf({ base, chain, corpus }, size) {
  const gaps = new Int32Array(size);
  const ofPreTokens = gapsOfPreTokens(base, chain.ids);
  let at = 0;
  for (const number of corpus.order) {
    gaps.set(ofPreTokens[number], at);
    at += ofPreTokens[number].length;
  }
  return gaps;
}

/**
 * The gap rank after each byte of each distinct pre-token.
 * @param {Training["base"]} base
 * @param {Int32Array} slots where a symbol has gone, the rank of the merge that took it is there as -1 - rank
 */
function gapsOfPreTokens({ lengths, skipped, widths }, slots) {
  let slot = 0;
  return Array.from(lengths, (length, i) => {
    const gaps = /** @type {number[]} */ (new Array(skipped[i]).fill(SKIPPED));
    for (const end = slot + length; slot < end; slot++) {
      for (let inside = 1; inside < widths[slot]; inside++) gaps.push(-1);
      const rank = slot + 1 === end ? WALL : slots[slot + 1] < 0 ? -1 - slots[slot + 1] : NEVER;
      gaps.push(rank);
    }
    return gaps;
  });
}

/**
 * The ids of the tokens, and how they look. Special tokens that are not symbols come where the recipe puts them.
 * @param {Training} training
 */
function tokensOf({ base, rules, steps, tokens }) {
  const { recipe, specialTokens, table } = rules;
  const end = base.firstId + base.tokens.length;
  const last = steps.reduce((most, { id }) => Math.max(most, id), end - 1) + 1;
  const first = { first: 0, "after-base": end, last }[recipe.special_tokens_at];
  const label = labeller(table.classes);
  /** @type {Record<string, string>} */
  const labels = {};
  for (const [i, token] of base.tokens.entries()) labels[base.firstId + i] = label(token);
  for (const { id } of steps) labels[id] = label(tokens[id]);
  for (const [i, token] of specialTokens.entries()) labels[first + i] = label(utf8(token));
  return {
    base_ids: Object.fromEntries(base.tokens.map((token, i) => [hex(token), base.firstId + i])),
    special_ids: Object.fromEntries(Array.from(base.whole, ([token, id]) => [hex(utf8(token)), id])),
    labels,
  };
}

/** @param {string} token its bytes */
const hex = (token) => hexOf(bytesOf(token));

/**
 * How many tokens there are after 0, 1, … all merges; one that several merges make counts once.
 * @param {Training} training
 */
function vocabSizes({ base, rules, steps }) {
  const end = base.firstId + base.tokens.length;
  const { special_tokens_at: at } = rules.recipe;
  const special = rules.specialTokens.length;
  const [low, high] = [at === "first" ? 0 : base.firstId, at === "after-base" ? end + special : end];
  const made = new Set();
  const sizes = [base.tokens.length + special];
  for (const { id } of steps) {
    if (id < low || id >= high) made.add(id);
    sizes.push(sizes[0] + made.size);
  }
  return Int32Array.from(sizes);
}

/** @param {Fork[]} choices */
function choicesOf(choices) {
  const [merged, vetoed] = ["merge", "veto"].map((wanted) =>
    choices.filter(({ action }) => action === wanted).map(({ rank }) => rank),
  );
  return {
    chooser: "you",
    chosen: merged,
    forks: choices,
    vetoed_from: vetoed.length ? Math.min(...vetoed) : null,
  };
}
