// @ts-check
// A second run on the same text, drawn beside the first. Both are at the same step and scroll together, and each
// marks the boundaries that only it has.

import { find } from "../shared/elements.js";
import { TextView } from "../shared/text_view.js";
import { Lexicon } from "./lexicon.js";
import { RunDetails } from "./run_details.js";
import { stage } from "./stage.js";

/** @import { Run } from "../shared/types" */

export class Beside {
  /**
   * @param {ParentNode} root
   * @param {TextView} view
   */
  constructor(root, view) {
    this.shell = find(root, ".bpeviz");
    this.card = find(root, ".card.other");
    this.main = view;
    this.view = new TextView(this.card);
    this.details = new RunDetails(this.card, this.view);
    /** @type {Run | null} */
    this.run = null; // the second one
    /** @type {Lexicon | null} */
    this.lexicon = null; // its tokens, made when they are needed
    for (const card of [this.card, find(root, ".card.main")])
      for (const act of ["pointerenter", "pointerdown", "focusin"])
        card.addEventListener(act, () => this.pointAt(card === this.card));
    this.main.onScroll = (offset, share) => this.run && this.view.place(offset, share);
    this.view.onScroll = (offset, share) => this.main.place(offset, share);
  }

  /** @param {boolean} second whether the person points at the second text */
  pointAt(second) {
    if (!this.run || stage.second === second) return;
    stage.second = second;
    stage.mark();
  }

  stop() {
    this.view.stop();
    this.details.stop();
  }

  /**
   * @param {Run} first
   * @param {Run | null} second
   */
  load(first, second) {
    this.run = second;
    this.lexicon = null;
    this.card.hidden = !second;
    this.shell.classList.toggle("two", second !== null);
    this.main.rival = second && { gaps: second.gaps, step: 0 };
    if (!second) stage.second = false;
    if (!second) return;
    find(this.card, ".title").textContent = second.title;
    this.details.load(second);
    this.view.rival = { gaps: first.gaps, step: 0 };
    this.note(first.start);
    this.view.load(second, Math.min(first.start, second.num_merges));
  }

  /**
   * Note the next step of both, before the first text is drawn.
   * @param {number} step
   */
  note(step) {
    if (!this.run) return;
    if (this.main.rival) this.main.rival.step = Math.min(step, this.run.num_merges);
    if (this.view.rival) this.view.rival.step = step;
  }

  /** @param {number} step */
  draw(step) {
    if (!this.run) return;
    // After its last merge, it must still mark where the other one differs.
    this.view.draw(Math.min(step, this.run.num_merges), step > this.run.num_merges);
    this.details.showFocused();
  }

  /**
   * The pair of the second run with the same bytes as one of the first; null if it lacks a token.
   * @param {[number, number]} pair
   * @param {Lexicon} lexicon the first run's
   * @returns {[number, number] | null}
   */
  pairLike(pair, lexicon) {
    if (!this.run) return null;
    this.lexicon ??= new Lexicon(this.run);
    const [left, right] = pair.map((id) => this.lexicon?.withBytes(lexicon.spelling(id))[0]);
    return left === undefined || right === undefined ? null : [left, right];
  }

  /**
   * Whether the second text contains the element.
   * @param {Element | null} element
   */
  holds(element) {
    return this.run !== null && this.view.scroller.contains(element);
  }
}
