// @ts-check
// Byte-pair encoding: count the pairs of neighbouring tokens, join the most frequent one everywhere, and again. It makes the
// merges of bpeviz/training/trainer.py, step for step. Start reading here: `train`.

import { countCharacters } from "../shared/bytes.js";
import { counted, decimals, times } from "../shared/numbers.js";
import { baseOf, utf8 } from "./base_vocabulary.js";
import { Leaders, orderOf } from "./leaders.js";
import { fill } from "./rules.js";
import { splitterOf } from "./split.js";
import { TokenChain } from "./token_chain.js";
import { TopList } from "./top_list.js";

/** @import { Base } from "./base_vocabulary.js" */
/** @import { Fork } from "../shared/types" */
/** @import { Rules } from "./rules.js" */
/** @import { Pair } from "./token_chain.js" */

/**
 * One merge: its pair, the id of the token that it makes, how often the pair occurred, how many pairs had that count, and
 * how many tokens the text has after it.
 * @typedef {{ left: number, right: number, id: number, count: number, tied: number, total: number }} Merge
 */
/** The text in pre-tokens: the distinct ones as they come, how often each occurs, and the text as their numbers. */
/** @typedef {{ preTokens: string[], counts: number[], order: Int32Array }} Corpus */

/**
 * @param {string} text
 * @param {Rules} rules
 * @param {(made: number) => void} [onStep] called with the number of merges made
 */
export function train(text, rules, onStep = () => {}) {
  const cut = splitterOf(rules)(text);
  onStep(0);
  const training = new Training(countPreTokens(cut), rules);
  while (training.step()) onStep(training.steps.length);
  return training;
}

/**
 * @param {string[]} cut the pre-tokens of a text
 * @returns {Corpus}
 */
export function countPreTokens(cut) {
  /** @type {Map<string, number>} */
  const numbers = new Map();
  /** @type {number[]} */
  const counts = [];
  const order = Int32Array.from(cut, (preToken) => {
    const number = numbers.get(preToken) ?? numbers.size;
    numbers.set(preToken, number);
    counts[number] = (counts[number] ?? 0) + 1;
    return number;
  });
  return { preTokens: [...numbers.keys()], counts, order };
}

export class Training {
  /**
   * @param {Corpus} corpus
   * @param {Rules} rules
   */
  constructor(corpus, rules) {
    this.corpus = corpus;
    this.rules = rules;
    this.base = baseOf(rules, corpus.preTokens);
    /** The bytes of each token by its id. */
    this.tokens = firstTokens(rules, this.base);
    this.firstSize = this.tokens.length;
    checkSize(rules, this.firstSize);
    this.known = rules.recipe.merges_alike ? tokensToMakeAgain(rules, this.tokens) : null;
    const measure = rules.recipe.length_unit === "bytes" ? countBytes : countCharacters;
    this.measure = measure;
    /** How long each token is, in the recipe's unit. */
    this.sizes = this.tokens.map(measure);
    const { ids, lengths } = this.base;
    const longest = rules.limit?.longest ?? Number.POSITIVE_INFINITY;
    this.chain = new TokenChain(
      ids,
      lengths,
      corpus.counts,
      (left, right) => this.sizes[left] + this.sizes[right] <= longest,
    );
    this.choices = [...rules.settings.choices]; // those that are still to follow
    const shown = Math.max(rules.table.shown_pairs, this.choices.filter(isVeto).length + 2);
    const order = orderOf(rules.recipe.tie, this.chain, this.tokens, this.sizes);
    this.leaders = new Leaders(this.chain, order, shown);
    this.top = new TopList(shown, this.leaders.list);
    /** @type {[left: number, right: number][]} */
    this.vetoed = [];
    /** How many pairs have each count. @type {Map<number, number>} */
    this.sharing = new Map();
    for (const { count } of this.chain.all()) this.share(count, 1);
    /** How many tokens the text has before the first merge; and if each pre-token were one. */
    this.firstTotal = corpus.counts.reduce((sum, count, i) => sum + count * lengths[i], 0);
    this.leastTotal = corpus.counts.reduce((sum, count, i) => sum + (lengths[i] ? count : 0), 0);
    this.total = this.firstTotal;
    /** @type {Merge[]} */
    this.steps = [];
    this.stopReason = "";
  }

  /**
   * Make the next merge: the one that a person chose, or that the recipe chooses. Returns false if there is none;
   * `stopReason` then says why.
   */
  step() {
    while (this.choices[0]?.rank === this.steps.length) {
      const { pair, action } = /** @type {Fork} */ (this.choices.shift());
      const chosen = this.chain.at(...pair);
      const [left, right] = pair;
      if (action === "veto" && this.isVetoed({ left, right })) continue; // a pair counts once among the vetoed
      if (action === "veto") this.vetoed.push(pair);
      else if (chosen) return this.merge(chosen);
      else throw new Error(this.rules.table.sentences.lost_choice);
    }
    const best = this.leaders.list.find((pair) => !this.isVetoed(pair));
    this.stopReason = this.whyStop(best);
    if (!this.stopReason && best) return this.merge(best);
    if (this.choices.length) throw new Error(this.rules.table.sentences.lost_choice);
    return false;
  }

  /** @param {{ left: number, right: number }} pair */
  isVetoed({ left, right }) {
    return this.vetoed.some((pair) => pair[0] === left && pair[1] === right);
  }

  /** @param {Pair} pair */
  merge(pair) {
    const { chain, steps, tokens } = this;
    const { left, right, count } = pair;
    const vetoed = this.vetoed.filter((each) => chain.at(...each)?.count === count).length;
    const tied = (this.sharing.get(count) ?? 0) - vetoed;
    const rank = steps.length;
    const id = this.idFor(tokens[left] + tokens[right]);
    this.total -= chain.merge(pair, id, rank);
    for (const { before, count: now } of chain.changed) {
      this.share(before, -1);
      this.share(now, 1);
    }
    this.leaders.update(chain.changed);
    this.top.follow(this.leaders.list, rank);
    steps.push({ left, right, id, count, tied, total: this.total });
    return true;
  }

  /**
   * @param {number} count
   * @param {1 | -1} by how many pairs more or fewer have this count
   */
  share(count, by) {
    if (count) this.sharing.set(count, (this.sharing.get(count) ?? 0) + by);
  }

  /**
   * The id of a new token, or of one with the same bytes if the recipe makes that one again.
   * @param {string} token
   */
  idFor(token) {
    const again = this.known?.get(token);
    if (again !== undefined) return again;
    this.known?.set(token, this.tokens.length);
    this.sizes.push(this.measure(token));
    return this.tokens.push(token) - 1;
  }

  get vocabSize() {
    return this.rules.recipe.counts_repeats ? this.firstSize + this.steps.length : this.tokens.length;
  }

  /**
   * Why there is no next merge; empty if there is one.
   * @param {Pair | undefined} best
   */
  whyStop(best) {
    const { table, settings, fewest, limit } = this.rules;
    const { sentences } = table;
    const { num_merges: most, vocab_size: size } = settings;
    if (this.steps.length >= most) return fill(sentences.merges, { merges: counted(most, "merge") });
    if (size !== null && this.vocabSize >= size) return fill(sentences.size, { size: decimals(size) });
    if (!this.corpus.counts.length) return sentences.empty;
    if (!best && this.chain.size) return sentences.vetoed;
    if (!best && this.total > this.leastTotal && limit)
      return fill(sentences.long, { limit: `${decimals(limit.longest)} ${limit.unit}` });
    if (!best) return sentences.whole;
    if (best.count >= fewest) return "";
    return fill(sentences.rare, { times: times(best.count), fewest: decimals(fewest) });
  }
}

/** @param {Fork} choice */
const isVeto = ({ action }) => action === "veto";

/** @param {string} token its bytes */
const countBytes = (token) => token.length;

/**
 * The tokens before the first merge, by id.
 * @param {Rules} rules
 * @param {Base} base
 */
function firstTokens({ recipe, specialTokens }, { tokens }) {
  const special = specialTokens.map(utf8);
  if (recipe.special_tokens_at === "first") return [...special, ...tokens];
  return recipe.special_tokens_at === "after-base" ? [...tokens, ...special] : [...tokens];
}

/**
 * The ids of the tokens that a merge may make again. A special token is one of them only if it is printable ASCII: trainers
 * with this rule write tokens in GPT-2's characters, in which "é" is not what these bytes are.
 * @param {Rules} rules
 * @param {string[]} tokens
 */
function tokensToMakeAgain({ specialTokens }, tokens) {
  const apart = new Set(specialTokens.filter((token) => !/^[!-~]*$/.test(token)).map(utf8));
  return new Map(tokens.flatMap((token, id) => (apart.has(token) ? [] : [[token, id]])));
}

/**
 * @param {Rules} rules
 * @param {number} first how many tokens there are before the first merge
 */
function checkSize({ settings, table }, first) {
  const { vocab_size: size } = settings;
  if (size === null || size >= first) return;
  throw new Error(fill(table.sentences.small, { size: decimals(size), first: decimals(first) }));
}
