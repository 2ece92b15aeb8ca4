// @ts-check
// Marks the places of a pair in a text: every token of the pair, as far as the text is drawn.

import { findAll } from "../shared/elements.js";
import { NEVER } from "../shared/gap_ranks.js";

/** @import { TextView } from "../shared/text_view.js" */
/** @import { TokenIds } from "../shared/token_ids.js" */
/** @import { Cell } from "../shared/types" */
/** @import { Pair } from "./pair_life.js" */

const PAIR_LEFT = "pair-left";
const PAIR_RIGHT = "pair-right";

export class PairMarks {
  /** @param {TextView} view */
  constructor(view) {
    this.view = view;
    /** @type {TokenIds | null} */
    this.tokenIds = null;
    /** @type {Pair | null} */
    this.pair = null;
    /** @type {number | null} */
    this.merge = null;
    view.onFill = (block) => this.mark(block);
  }

  /**
   * Mark the places of a pair by its ids, and the tokens that a merge made; nothing else. Null marks none.
   * @param {Pair | null} pair
   * @param {number | null} merge its rank
   * @param {TokenIds | null} tokenIds
   */
  set(pair, merge, tokenIds) {
    const same = pair?.[0] === this.pair?.[0] && pair?.[1] === this.pair?.[1] && merge === this.merge;
    if (same && tokenIds === this.tokenIds) return;
    this.pair = pair;
    this.merge = merge;
    this.tokenIds = tokenIds;
    for (const cell of findAll(this.view.blocks, `.${PAIR_LEFT}, .${PAIR_RIGHT}`))
      cell.classList.remove(PAIR_LEFT, PAIR_RIGHT);
    this.mark(this.view.blocks);
  }

  /** @param {HTMLElement} within */
  mark(within) {
    const { pair, tokenIds } = this;
    if (!pair || !tokenIds) return;
    const [left, right] = pair;
    for (const cell of /** @type {Cell[]} */ (findAll(within, ".tok"))) {
      const { token } = cell;
      if (token.latest === this.merge) cell.classList.add(PAIR_LEFT, PAIR_RIGHT);
      const id = tokenIds.of(token);
      if (id === left && this.idAt(token.end, token.end - 1) === right) cell.classList.add(PAIR_LEFT);
      if (id === right && this.idAt(token.start - 1, token.start - 1) === left)
        cell.classList.add(PAIR_RIGHT);
    }
  }

  /**
   * The id of the token that holds a byte, if a merge may join it across a gap.
   * @param {number} offset
   * @param {number} gap
   */
  idAt(offset, gap) {
    const { view } = this;
    return view.gaps[gap] <= NEVER ? this.tokenIds?.of(view.tokenAt(offset)) : undefined;
  }
}
