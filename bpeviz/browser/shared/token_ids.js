// @ts-check
// Ids of the tokens in a text: a pack has them by merge rank, and for base symbols by their bytes.

import { hexOf } from "./bytes.js";
import { WALL } from "./gap_ranks.js";

/** @import { IdSource, Token } from "./types" */

const WORD_END = "3c2f773e"; // "</w>", which some recipes fuse to a word's last character

export class TokenIds {
  /** @param {IdSource} source */
  constructor({ text, gaps, ids, base_ids: baseIds, special_ids: specialIds = {}, symbols }) {
    this.symbols = symbols;
    this.text = text;
    this.gaps = gaps;
    this.ids = ids;
    this.baseIds = baseIds;
    this.specialIds = specialIds;
    this.marksWordEnds = Object.keys(baseIds).some(
      (hex) => hex.length > WORD_END.length && hex.endsWith(WORD_END),
    );
  }

  /**
   * The id of a token; undefined if the pack has none.
   * @param {Token} token
   * @returns {number | undefined}
   */
  of({ start, end, latest }) {
    if (latest >= 0) return this.ids[latest];
    if (this.symbols?.length) return this.symbols[end - 1];
    const hex = hexOf(this.text.subarray(start, end));
    return (
      this.specialIds[hex] ??
      this.baseIds[this.marksWordEnds && this.gaps[end - 1] === WALL ? hex + WORD_END : hex]
    );
  }
}
