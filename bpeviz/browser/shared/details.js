// @ts-check
// The tip about the token under the pointer or with the keyboard's focus.

import { closest, create, find } from "./elements.js";

/** @import { TextView } from "./text_view.js" */
/** @import { Cell, Token } from "./types" */

let tipsMade = 0; // two texts in one player have two tips

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
    this.shown = null; // the cell that the tip is about
    this.shownAt = 0; // the step at which it was filled
    /** @type {(token: Token | null) => void} */
    this.onToken = () => {}; // called with the token that the person points at, and with null when they leave it
    /** @type {{ clientX: number, clientY: number } | null} */
    this.pointer = null; // where the pointer was last
    const { scroller } = view;
    scroller.addEventListener("pointermove", (event) => this.pointed(event));
    scroller.addEventListener("pointerleave", () => this.showFocused());
    scroller.addEventListener("focusin", () => this.showFocused());
    scroller.addEventListener("focusout", () => view.redrawing || this.hide());
    this.onScroll = () => this.showFocused();
    // The text or the page may scroll; the tip's place is in the window.
    addEventListener("scroll", this.onScroll, { passive: true, capture: true });
  }

  stop() {
    removeEventListener("scroll", this.onScroll, { capture: true });
  }

  hide() {
    this.tip.hidden = true;
    if (this.shown) this.onToken(null);
    this.shown = null;
  }

  /** @param {PointerEvent} event */
  pointed(event) {
    const { clientX, clientY } = event;
    // Browsers also report a resting pointer when things move under it; that must not hide other tips.
    if (clientX === this.pointer?.clientX && clientY === this.pointer.clientY) return;
    this.pointer = { clientX, clientY };
    const cell = /** @type {Cell | null} */ (closest(event, ".tok"));
    if (!cell || this.hasCard(cell)) return this.showFocused();
    this.fill(cell);
    this.place(clientX + 14, clientY - 10, clientY + 18);
  }

  // Show the tip of the token with the keyboard's focus, if it is in sight. After a step, the token under the pointer
  // may be gone, but the focus stays.
  showFocused() {
    const cell = this.view.focusedCell();
    if (!cell || this.hasCard(cell)) return this.hide(); // reading positions would lay out the page at every step
    const { top, bottom } = this.view.viewEdges();
    const box = cell.getClientRects()[0];
    if (!box || box.bottom <= top || box.top >= bottom) return this.hide();
    this.fill(cell);
    this.place(box.left, box.top - 8, box.bottom + 8);
  }

  /**
   * Whether the card of the token is open: it says more than the tip, which would peek out from under it.
   * @param {Cell} cell
   */
  hasCard({ token }) {
    return this.view.isPicked(token.start, token.end);
  }

  /** @param {Cell} cell */
  fill(cell) {
    const { step } = this.view;
    if (cell === this.shown && step === this.shownAt) return;
    this.shown = cell;
    this.shownAt = step;
    this.tip.replaceChildren(...this.lines(cell.token));
    this.tip.hidden = false;
    this.onToken(cell.token);
  }

  /**
   * Put the tip below a place in the window, or above it if there is no room below.
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
   * The lines of the tip about a token.
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
