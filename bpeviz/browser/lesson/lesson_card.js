// @ts-check
// The words of a lesson's stop: its caption, the question with its answers, the way back and on.

import { showRows } from "../boundary_rows/rows_table.js";
import { create, find } from "../shared/elements.js";

/** @import { SentRows } from "../boundary_rows/rows_table.js" */

/** Words, and code in lists of one. @typedef {(string | [string])[]} Said */
/**
 * An answer; `pair` is that of a guess of the next merge, and `why` says why it is or isn't the one.
 * @typedef {{ words: Said, right: boolean, ties: boolean, why: string, pair: [number, number] | null }} LessonAnswer
 */
/**
 * A question. That about the next merge has the `count` of that merge, and `others`: answers that tie but aren't listed.
 * @typedef {{ question: Said, answers: LessonAnswer[], others: LessonAnswer[], because: Said, count: number | null }} LessonGuess
 */
/**
 * What a stop says, asks and shows; see bpeviz/browser/lesson_words.py. The button that `says` something does it first.
 * @typedef {{ caption: Said, says: Said | null, guess: LessonGuess | null, rows: SentRows | null }} StopWords
 */
/**
 * What the card shows. `given` is the person's answer, null if they asked to see the right one; `asks` is whether they are
 * still asked, and `acts` whether they have taken the action of the stop.
 * @typedef {object} ShownStop
 * @property {"card" | "stop" | "guess"} noun a guess is one of the challenge, which has no way back
 * @property {Said | null} title null where the page has it, and the way out
 * @property {number} place
 * @property {number} stops
 * @property {StopWords} stop
 * @property {string} score how many guesses were right so far; empty outside the challenge
 * @property {string} leads a sentence about where "Try it on your own text" leads
 * @property {boolean} asks
 * @property {boolean} acts
 * @property {LessonAnswer | null} given
 */
/** What a person does. @typedef {{ leave(): void, back(): void, forward(): void, answer(given: LessonAnswer | null): void }} Taught */

const PLACES = { card: "Card", stop: "Stop", guess: "Guess" };
const TRY_IT = "Try it on your own text";

export class LessonCard {
  /**
   * @param {ShadowRoot} root
   * @param {Record<string, string>} verdicts sentences about an answer
   * @param {Taught} taught
   */
  constructor(root, verdicts, taught) {
    this.root = root;
    this.verdicts = verdicts;
    this.taught = taught;
    this.listening = new AbortController();
    /** @param {string} name */
    const button = (name) => find(this.root, name, HTMLButtonElement);
    this.back = button(".back");
    this.forward = button(".forward");
    this.guess = find(this.root, ".guess");
    this.verdict = find(this.root, ".verdict");
    this.because = find(this.root, ".because");
    this.rows = find(this.root, ".rows");
    this.leads = find(this.root, ".leads");
    button(".leave").addEventListener("click", () => taught.leave());
    this.back.addEventListener("click", () => taught.back());
    this.forward.addEventListener("click", () => taught.forward());
    button(".show").addEventListener("click", () => taught.answer(null));
    const { signal } = this.listening;
    document.addEventListener("keydown", (event) => this.pressed(event), { signal });
  }

  stop() {
    this.listening.abort();
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.root.host.checkVisibility()) return;
    if (event.key !== "PageDown" && event.key !== "PageUp") return;
    event.preventDefault();
    const button = event.key === "PageUp" ? this.back : this.forward;
    if (!button.hidden) button.click();
  }

  /** @param {ShownStop} shown */
  show({ noun, title, place, stops, stop, score, leads, asks, acts, given }) {
    const { root, back, forward } = this;
    const focused = root.activeElement;
    const last = noun !== "guess" && place + 1 === stops;
    find(root, ".leave").hidden = !title;
    find(root, ".leave").textContent = noun === "card" ? "Leave the tour" : "Show all lessons";
    find(root, ".place").textContent = `${PLACES[noun]} ${place + 1} of ${stops}${score}`;
    find(root, "h2").replaceChildren(...words(title ?? []));
    find(root, ".caption").replaceChildren(...words(stop.caption));
    this.showGuess(asks ? stop.guess : null);
    this.showVerdict(asks ? null : stop.guess, given);
    this.rows.hidden = !stop.rows;
    if (stop.rows) showRows(root, stop.rows);
    const acting = stop.says && !acts;
    back.hidden = place === 0 || noun === "guess";
    back.textContent = `Previous ${noun}`;
    forward.hidden = asks;
    forward.replaceChildren(...(acting ? words(stop.says ?? []) : [last ? TRY_IT : `Next ${noun}`]));
    this.leads.hidden = asks || !last || Boolean(acting);
    this.leads.textContent = leads;
    // If the pressed button is gone, the one that leads on gets the focus. It is hidden while a question is open.
    if (focused instanceof HTMLElement && !focused.checkVisibility()) forward.focus();
  }

  /** @param {LessonGuess | null} guess */
  showGuess(guess) {
    this.guess.hidden = !guess;
    find(this.guess, ".how").hidden = guess?.count === null;
    find(this.guess, ".question").replaceChildren(...words(guess?.question ?? []));
    const answers = guess?.answers ?? [];
    find(this.guess, ".answers").replaceChildren(
      ...answers.map((answer) => {
        const button = create("button", "key", ...words(answer.words));
        button.type = "button";
        button.addEventListener("click", () => this.taught.answer(answer));
        return button;
      }),
    );
  }

  /**
   * Say whether the given answer is right, and why.
   * @param {LessonGuess | null} guess
   * @param {LessonAnswer | null} given
   */
  showVerdict(guess, given) {
    const right = guess?.answers.find((answer) => answer.right);
    const kind = given ? (given.right ? "right" : given.ties ? "ties" : "other") : "shown";
    this.verdict.classList.toggle("right", kind === "right");
    this.verdict.replaceChildren(
      ...(right ? filled(this.verdicts[kind], { right: right.words, given: given?.words ?? [] }) : []),
    );
    const whys = right ? [right.why, given === right ? "" : (given?.why ?? "")].filter(Boolean) : [];
    this.because.replaceChildren(...words(guess?.because ?? []), whys.join(" "));
  }
}

/**
 * What a lesson says, as nodes.
 * @param {Said} said
 */
export const words = (said) =>
  said.map((part) => (typeof part === "string" ? part : create("code", "", part[0])));

/**
 * A sentence with words in it.
 * @param {string} sentence such as "You picked {given}."
 * @param {Record<string, Said>} values
 */
const filled = (sentence, values) =>
  sentence.split(/\{(\w+)\}/).flatMap((part, i) => (i % 2 ? words(values[part]) : [part]));
