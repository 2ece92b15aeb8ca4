// @ts-check
// The tip that says what a token is, for the one under the pointer or with the keyboard's focus.

import { closest, create, find } from "./elements.js";

/** @import { TextView } from "./text_view.js" */
/** @import { Cell, Token } from "./types" */

let tipsMade = 0; // two texts in one player have a tip each

export class Details {
  /**
   * @param {ParentNode} root
   * @param {TextView} view
   */
  constructor(root, view) {
    this.view = view;
    this.tip = find(root, ".tip");
    this.tip.id = view.tipId = `token-details-${++tipsMade}`;
    /** @type {Cell | null} */
    this.shown = null; // the cell that the tip is of
    this.shownAt = 0; // the step at which it was filled
    /** @type {{ clientX: number, clientY: number } | null} */
    this.pointer = null; // where the pointer was last
    const { scroller } = view;
    scroller.addEventListener("pointermove", (event) => this.pointed(event));
    scroller.addEventListener("pointerleave", () => this.showFocused());
    scroller.addEventListener("focusin", () => this.showFocused());
    scroller.addEventListener("focusout", () => view.redrawing || this.hide());
    this.onScroll = () => this.showFocused();
    // Of the text or of the page: the tip is placed in the window.
    addEventListener("scroll", this.onScroll, { passive: true, capture: true });
  }

  stop() {
    removeEventListener("scroll", this.onScroll, { capture: true });
  }

  // After a step: what was under the pointer may not be there any more, what has the focus still has it.
  stepped() {
    this.showFocused();
  }

  hide() {
    this.tip.hidden = true;
    this.shown = null;
  }

  /** @param {PointerEvent} event */
  pointed(event) {
    const { clientX, clientY } = event;
    // A browser also tells of a pointer at rest when what is under it moves; that must not hide other tips.
    if (clientX === this.pointer?.clientX && clientY === this.pointer.clientY) return;
    this.pointer = { clientX, clientY };
    const cell = closest(event, ".tok");
    if (!cell) return this.showFocused();
    this.fill(/** @type {Cell} */ (cell));
    this.place(clientX + 14, clientY - 10, clientY + 18);
  }

  // The tip of the token with the keyboard's focus, where that is in sight.
  showFocused() {
    const cell = this.view.focusedCell();
    if (!cell) return this.hide(); // asking for places would lay the page out, at every step
    const { top, bottom } = this.view.viewEdges();
    const box = cell.getClientRects()[0];
    if (!box || box.bottom <= top || box.top >= bottom) return this.hide();
    this.fill(cell);
    this.place(box.left, box.top - 8, box.bottom + 8);
  }

  /** @param {Cell} cell */
  fill(cell) {
    const { step } = this.view;
    if (cell === this.shown && step === this.shownAt) return;
    this.shown = cell;
    this.shownAt = step;
    this.tip.replaceChildren(...this.lines(cell.token));
    this.tip.hidden = false;
  }

  /**
   * Below a place in the window, or above it where there is no room.
   * @param {number} left
   * @param {number} above
   * @param {number} below
   */
  place(left, above, below) {
    const { width, height } = this.tip.getBoundingClientRect();
    this.tip.style.left = `${Math.max(4, Math.min(left, innerWidth - width - 8))}px`;
    this.tip.style.top = `${below + height < innerHeight ? below : above - height}px`;
  }

  /**
   * What the tip says of a token.
   * @param {Token} _token
   * @returns {HTMLElement[]}
   */
  lines(_token) {
    return [];
  }
}

/**
 * @param {string} text
 * @param {string} [code]
 */
export function tipLine(text, code) {
  return create("div", "", text, ...(code === undefined ? [] : [create("code", "", code)]));
}
