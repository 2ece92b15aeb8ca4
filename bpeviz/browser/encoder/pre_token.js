// @ts-check
// One pre-token, from its base symbols to its tokens. A step says which two tokens become one, and the ranks of the
// pairs that the new one forms; so we can make a step or take it back without looking at other steps.

export const NO_MERGE = -1; // in place of a rank: no merge joins the pair

/**
 * A merge of two tokens into one: its rank; the ids; the symbols at which the left one, the right one and what
 * follows begin; and the ranks of the pairs that the new token forms.
 * @typedef {object} Step
 * @property {number} rank
 * @property {number} id
 * @property {number} left
 * @property {number} right
 * @property {number} start
 * @property {number} middle
 * @property {number} end
 * @property {number} rankBefore
 * @property {number} rankAfter
 */
/**
 * A step as Python sends it.
 * @typedef {[rank: number, id: number, left: number, right: number, start: number, middle: number, end: number,
 *   rankBefore: number, rankAfter: number]} ListedStep
 */
/**
 * A current token: the symbol it begins at, and the rank of its pair with the next.
 * @typedef {{ id: number, start: number, rank: number }} CurrentToken
 */

/**
 * @param {ListedStep} listed
 * @returns {Step}
 */
export function readStep([rank, id, left, right, start, middle, end, rankBefore, rankAfter]) {
  return { rank, id, left, right, start, middle, end, rankBefore, rankAfter };
}

export class PreToken {
  /** @param {{ symbols: number[], ranks: number[], steps: Step[] }} kind */
  constructor({ symbols, ranks, steps }) {
    this.steps = steps;
    this.ids = [...symbols]; // at the first symbol of each token, as are the next three
    this.ranks = [...ranks, NO_MERGE]; // of the pair with the token after it
    this.following = symbols.map((_, i) => i + 1);
    this.preceding = symbols.map((_, i) => i - 1);
    /** @type {[id: number, rank: number, rankBefore: number][]} */
    this.done = []; // what each step made so far has replaced
  }

  get made() {
    return this.done.length;
  }

  /**
   * Make or take back merges until so many are made.
   * @param {number} count
   */
  go(count) {
    while (this.made < count) this.merge(this.steps[this.made]);
    while (this.made > count) this.part(this.steps[this.made - 1]);
  }

  /** @param {Step} step */
  merge({ id, start, end, rankBefore, rankAfter }) {
    const before = this.preceding[start];
    this.done.push([this.ids[start], this.ranks[start], this.ranks[before]]);
    this.ids[start] = id;
    this.ranks[start] = rankAfter;
    this.following[start] = end;
    if (end < this.ids.length) this.preceding[end] = start;
    if (before >= 0) this.ranks[before] = rankBefore;
  }

  /** @param {Step} step */
  part({ start, middle, end }) {
    const before = this.preceding[start];
    const replaced = this.done.pop();
    if (!replaced) return;
    const [id, rank, rankBefore] = replaced;
    this.ids[start] = id;
    this.ranks[start] = rank;
    this.following[start] = middle;
    if (end < this.ids.length) this.preceding[end] = middle;
    if (before >= 0) this.ranks[before] = rankBefore;
  }

  /**
   * The tokens there are now: the id of each, the symbol it begins at, and the rank of its pair with the next.
   * @returns {CurrentToken[]}
   */
  tokens() {
    const tokens = [];
    for (let i = 0; i < this.ids.length; i = this.following[i]) {
      tokens.push({ id: this.ids[i], start: i, rank: this.ranks[i] });
    }
    return tokens;
  }
}
