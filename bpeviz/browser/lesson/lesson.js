// @ts-check
// The card of a lesson's stop as a component of the page: Python knows which stop is on show and what was answered.

import { madeOnce } from "../shared/component.js";
import { LessonCard } from "./lesson_card.js";

/** @import { ComponentArguments } from "../shared/types" */
/** @import { ShownStop } from "./lesson_card.js" */

/** What Python sends; see ui/learn/card.py. @typedef {ShownStop & { verdicts: Record<string, string> }} Sent */

class LessonPart {
  /**
   * @param {ShadowRoot} root
   * @param {Sent} sent
   */
  constructor(root, sent) {
    this.sent = sent;
    /** @type {ComponentArguments<Sent>["setStateValue"]} */
    this.setStateValue = () => {}; // set before show is called
    this.card = new LessonCard(root, sent.verdicts, {
      leave: () => {}, // the page has this button itself
      back: () => this.report("back"),
      forward: () => this.report("forward"),
      answer: (given) => this.report("answer", given ? this.answers.indexOf(given) : -1),
    });
  }

  stop() {
    this.card.stop();
  }

  get answers() {
    return this.sent.stop.guess?.answers ?? [];
  }

  /** @param {Sent} sent */
  show(sent) {
    this.sent = sent;
    this.card.show(sent);
  }

  /**
   * Streamlit can lose a trigger if the player reports while the server is busy; a value it sends again. `place` and
   * `acts` are what the person saw: the second click of two must not skip a stop.
   * @param {"back" | "forward" | "answer"} does
   * @param {number} [answer] its place, -1 to see the right one
   */
  report(does, answer = -1) {
    const { place, acts } = this.sent;
    this.setStateValue("pressed", { does, answer, place, acts, pressed: Date.now() });
  }
}

/** @param {ComponentArguments<Sent>} component */
export default function ({ data, parentElement, setStateValue }) {
  const [part, stop] = madeOnce(parentElement, () => new LessonPart(parentElement, data));
  part.setStateValue = setStateValue;
  part.show(data);
  return stop;
}
