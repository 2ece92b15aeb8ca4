// @ts-check
// The token of each row at a byte, and its id.

import { firstIndex, SKIPPED, tokenAround } from "../shared/gap_ranks.js";
import { TokenIds } from "../shared/token_ids.js";

/** @import { Token } from "../shared/types" */
/** @import { Side } from "./compared_text.js" */
/** @import { RankPairs } from "./rank_pairs.js" */

/** What a row of one of the two sides has. @typedef {{ gaps: Int32Array, ids: TokenIds }} SideTokens */
/** What a further row has: where its tokens end, and their ids. @typedef {{ ends: Int32Array, ids: ArrayLike<number> }} OtherTokens */

export class RowTokens {
  /**
   * @param {Side[]} sides
   * @param {RankPairs} pairs
   * @param {() => number[]} merges how many merges each side has now
   * @param {ArrayLike<number>[]} idsOfOthers for each further row the ids of its tokens
   */
  constructor(sides, pairs, merges, idsOfOthers) {
    this.sides = sides;
    this.pairs = pairs;
    this.merges = merges;
    this.idsOfOthers = idsOfOthers;
    /** What was asked for: arrays as long as the text. @type {SideTokens[]} */
    this.ofSides = [];
    /** @type {OtherTokens[]} */
    this.ofOthers = [];
  }

  /**
   * The token of a side that holds a byte; null if none does.
   * @param {number} side
   * @param {number} offset
   * @returns {Token | null}
   */
  of(side, offset) {
    const { gaps } = this.side(side);
    return gaps[offset] === SKIPPED ? null : tokenAround(gaps, this.merges()[side], offset);
  }

  /**
   * The id of a row's token that begins at a byte; undefined if it isn't known.
   * @param {number} row
   * @param {number} start
   * @returns {number | undefined}
   */
  id(row, start) {
    if (row >= this.sides.length) {
      const { ends, ids } = this.other(row - this.sides.length);
      return ids[firstIndex(ends.length, (i) => ends[i] >= start)];
    }
    const token = this.of(row, start);
    return token ? this.side(row).ids.of(token) : undefined;
  }

  /** @param {number} side */
  side(side) {
    const gaps = this.ofSides[side]?.gaps ?? this.pairs.gaps(side);
    this.ofSides[side] ??= { gaps, ids: new TokenIds({ ...this.sides[side], gaps }) };
    return this.ofSides[side];
  }

  /** @param {number} other */
  other(other) {
    this.ofOthers[other] ??= { ends: this.pairs.endsOf(other), ids: this.idsOfOthers[other] };
    return this.ofOthers[other];
  }
}
