// @ts-check
// The pairs in the order in which a recipe chooses them: the most frequent first, and among pairs of equal count by its
// rule for ties. Only the first few hundred are kept in order. All others come after them, so a merge moves few, and only
// when few are left are all pairs looked at again.

import { firstIndex } from "../shared/gap_ranks.js";
import { utf8 } from "./base_vocabulary.js";

/** @import { Tie } from "./rules.js" */
/** @import { Pair, TokenChain } from "./token_chain.js" */

/** Whether one pair comes before another. @typedef {(one: Pair, other: Pair) => boolean} Before */

const KEPT = 400;
const SPACE_SIGN = utf8("▁");

export class Leaders {
  /**
   * @param {TokenChain} chain
   * @param {Before} before
   * @param {number} fewest that are always in order, if there are so many
   */
  constructor(chain, before, fewest) {
    this.chain = chain;
    this.before = before;
    this.fewest = fewest;
    /** @type {Pair[]} */
    this.list = [];
    this.fill();
  }

  /**
   * Put the pairs that a merge changed where they now belong.
   * @param {Pair[]} changed
   */
  update(changed) {
    if (changed.some((pair) => pair.leads))
      this.list = this.list.filter((pair) => pair.touched !== changed[0].touched);
    for (const pair of changed) pair.leads = false;
    for (const pair of changed) {
      if (pair.count && this.list.length && this.before(pair, this.list[this.list.length - 1]))
        this.insert(pair);
    }
    if (this.list.length < Math.min(this.fewest, this.chain.size)) this.fill();
  }

  fill() {
    for (const pair of this.list) pair.leads = false;
    this.list = [];
    for (const pair of this.chain.all()) {
      const full = this.list.length === KEPT;
      if (full && !this.before(pair, this.list[KEPT - 1])) continue;
      this.insert(pair);
      if (full) /** @type {Pair} */ (this.list.pop()).leads = false;
    }
  }

  /** @param {Pair} pair */
  insert(pair) {
    const place = firstIndex(this.list.length, (i) => this.before(pair, this.list[i]));
    this.list.splice(place, 0, pair);
    pair.leads = true;
  }
}

/**
 * The order in which a recipe chooses.
 * @param {Tie} tie
 * @param {TokenChain} chain
 * @param {string[]} tokens the bytes of each token by its id; it grows
 * @param {number[]} sizes how long each is
 * @returns {Before}
 */
export function orderOf(tie, chain, tokens, sizes) {
  const ties = tieRules(chain, tokens, sizes)[tie];
  return (one, other) => (one.count === other.count ? ties(one, other) : one.count > other.count);
}

/**
 * @param {TokenChain} chain
 * @param {string[]} tokens
 * @param {number[]} sizes
 * @returns {Record<Tie, Before>}
 */
function tieRules(chain, tokens, sizes) {
  /** @type {Before} */
  const smallestIds = (one, other) =>
    one.left === other.left ? one.right < other.right : one.left < other.left;
  /** What a pair makes, as SentencePiece spells it. @param {Pair} pair */
  const spelled = ({ left, right }) => (tokens[left] + tokens[right]).replaceAll(" ", SPACE_SIGN);
  return {
    "first-seen": (one, other) => chain.firstPlace(one) < chain.firstPlace(other),
    "smallest-ids": smallestIds,
    "greatest-tokens": (one, other) =>
      tokens[one.left] === tokens[other.left]
        ? tokens[one.right] > tokens[other.right]
        : tokens[one.left] > tokens[other.left],
    "shortest-token": (one, other) => {
      const longer = sizes[one.left] + sizes[one.right] - sizes[other.left] - sizes[other.right];
      if (longer) return longer < 0;
      const [first, second] = [spelled(one), spelled(other)];
      return first === second ? smallestIds(one, other) : first < second;
    },
  };
}
