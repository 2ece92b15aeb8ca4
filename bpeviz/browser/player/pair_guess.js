// @ts-check
// A guess in the text: a token and the next one are the pair that a person thinks is merged next.

import { closest } from "../shared/elements.js";
import { NEVER } from "../shared/gap_ranks.js";

/** @import { TextView } from "../shared/text_view.js" */
/** @import { TokenIds } from "../shared/token_ids.js" */
/** @import { Cell, RankedText, Token } from "../shared/types" */

const HOW = "Tap a token: it and the next one are your guess.";
export const AT_A_WALL = "No merge crosses the end of this word. Pick another token.";
export const AT_THE_END = "This is the last token. Pick one before it.";
const MARK = "guess";

export class PairGuess {
  /**
   * @param {TextView} view
   * @param {() => boolean} isOpen whether a guess is open at the step on show
   */
  constructor(view, isOpen) {
    this.view = view;
    this.isOpen = isOpen;
    const { scroller } = view;
    scroller.addEventListener("pointermove", (event) => this.mark(closest(event, ".tok")));
    scroller.addEventListener("pointerleave", () => this.mark(view.focusedCell()));
    scroller.addEventListener("focusin", () => this.mark(view.focusedCell()));
  }

  /**
   * Mark the pair that a pick of this cell would guess; null marks none.
   * @param {Element | null} cell
   */
  mark(cell) {
    if (!this.isOpen()) return;
    for (const each of this.view.blocks.querySelectorAll(`.${MARK}`)) each.classList.remove(MARK);
    if (!cell) return;
    const next = following(this.view, /** @type {Cell} */ (cell).token);
    if (!next) return;
    cell.classList.add(MARK);
    this.view.cellAt(next.start)?.classList.add(MARK);
  }
}

/**
 * How to guess, in the words for the person's device.
 * @param {boolean} hovers whether it has a mouse
 */
export const howToGuess = (hovers) => (hovers ? HOW.replace("Tap", "Click") : HOW);

/**
 * The token that a token could be merged with: the next one, if no wall is between; null if there is none.
 * @param {{ gaps: RankedText["gaps"], tokenAt(offset: number): Token }} view
 * @param {Token} token
 */
export function following(view, { end }) {
  return view.gaps[end - 1] === NEVER ? view.tokenAt(end) : null;
}

/**
 * The ids of a token and the next one; null if no merge can join them.
 * @param {TextView} view
 * @param {TokenIds} tokenIds
 * @param {Token} token
 * @returns {{ left: number, right: number } | null}
 */
export function pairFrom(view, tokenIds, token) {
  const next = following(view, token);
  const [left, right] = [tokenIds.of(token), next ? tokenIds.of(next) : undefined];
  return left === undefined || right === undefined ? null : { left, right };
}
