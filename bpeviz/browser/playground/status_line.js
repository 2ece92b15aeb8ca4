// @ts-check
// What the page says under the text: a note on what is on show, a problem, and how far a training is.

import { find } from "../shared/elements.js";

const MOMENT = 250; // milliseconds, until the page shows that it trains

export class StatusLine {
  /** @param {ParentNode} root */
  constructor(root) {
    this.noted = find(root, ".note");
    this.problem = find(root, ".problem");
    this.busy = find(root, ".busy");
    this.progress = find(root, "progress", HTMLProgressElement);
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /** @param {string} says */
  note(says) {
    this.noted.textContent = says;
  }

  /** @param {string} problem empty for none */
  say(problem) {
    this.problem.textContent = problem;
    this.problem.hidden = !problem;
  }

  // A training begins; a short one shows nothing.
  begin() {
    clearTimeout(this.timer);
    this.progress.removeAttribute("value");
    this.timer = setTimeout(() => (this.busy.hidden = false), MOMENT);
  }

  /** @param {number} share of the training */
  tell(share) {
    this.progress.value = share;
  }

  end() {
    clearTimeout(this.timer);
    this.progress.removeAttribute("value");
    this.busy.hidden = true;
  }
}
