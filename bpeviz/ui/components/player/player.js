// @ts-check
// The merge player. Python sends a pack once per run; this draws every step from its gap ranks. Python gets the step
// when the player rests, so that the page can draw the rest about it: while playing, the server has nothing to do.

import { binary, sameBytes } from "../shared/bytes.js";
import { loadPack, madeOnce, onCommands, showPlaying } from "../shared/component.js";
import { create, find, write } from "../shared/elements.js";
import { Keyboard } from "../shared/keyboard.js";
import { decimals } from "../shared/numbers.js";
import { readPack } from "../shared/pack.js";
import { TextView } from "../shared/text_view.js";
import { Beside } from "./beside.js";
import { Curves } from "./curves.js";
import { Exports } from "./exports.js";
import { KeyList, playerKeys } from "./keys.js";
import { addPaleness, markPanels, page } from "./page.js";
import { RunDetails } from "./run_details.js";
import { bytesPerToken, Scrubber } from "./scrubber.js";
import { TokenCard } from "./token_card.js";

/** @import { ComponentArguments, Run } from "../shared/types" */

const SETTLED_AFTER = 250; // milliseconds without a step
// Streamlit may lose the press of a button elsewhere on the page if a report comes at the same time.
const AFTER_A_PRESS = 400; // milliseconds
const PRESSES = ["pointerdown", "keydown"];

export class Player {
  /** @param {ShadowRoot} root */
  constructor(root) {
    this.root = root;
    this.shell = find(root, ".bpeviz");
    const card = find(root, ".card.main");
    this.view = new TextView(card);
    this.details = new RunDetails(card, this.view);
    this.beside = new Beside(root, this.view);
    this.tokenCard = new TokenCard(root, this.view, (step) => this.jump(step));
    this.beside.view.onPick = ({ start, end }) => {
      this.tokenCard.pickSpelling(binary(this.run.text.subarray(start, end)));
    };
    this.scrubber = new Scrubber(root, (step) => this.go(step));
    this.curves = new Curves(root, (step) => this.jump(step));
    this.exports = new Exports(root, this);
    this.stepField = find(root, ".step", HTMLInputElement);
    this.speedField = find(root, ".speed", HTMLSelectElement);
    this.playButton = find(root, ".play");
    this.sentence = find(root, ".say");
    /** @param {string} name */
    const tile = (name) => find(root, `[data-tile=${name}]`);
    this.tiles = {
      merges: tile("merges"),
      vocabulary: tile("vocabulary"),
      tokens: tile("tokens"),
      ratio: tile("ratio"),
    };
    /** @type {Uint8Array | null} */
    this.bytes = null; // the pack on show
    this.run = /** @type {Run} */ ({}); // load sets it before anything else is called
    this.last = 0;
    this.step = 0;
    /** @type {number | null} */
    this.frame = null; // the animation frame asked for while playing
    this.reported = 0; // the last step that Python got
    this.awaited = false; // whether Python waits for the first text to be painted before it draws the rest
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.reportTimer = undefined;
    /** @type {ComponentArguments<Uint8Array>["setStateValue"]} */
    this.setStateValue = () => {};
    this.movedAt = -Infinity;
    this.heldUntil = 0;
    /** @param {Event} event */
    this.onPress = (event) => {
      const key = event instanceof KeyboardEvent ? event.key : "";
      const presses = event.type === "pointerdown" || key === "Enter" || key === " ";
      if (presses && !event.composedPath().includes(root)) this.heldUntil = performance.now() + AFTER_A_PRESS;
    };
    for (const press of PRESSES) document.addEventListener(press, this.onPress, { capture: true });
    onCommands(root, (name) => this.command(name));
    this.removePaleness = addPaleness();
    // Ten merges a second are too much for people who want less motion.
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) this.speedField.value = "2";
    this.stepField.addEventListener("change", () => this.typed());
    this.stepField.addEventListener("keydown", (event) => {
      // Leave the field, so that it shows the step again and keys step.
      if (event.key === "Enter" || event.key === "Escape") this.stepField.blur();
    });
    const keys = playerKeys(this);
    this.keyList = new KeyList(root, keys);
    this.keyboard = new Keyboard(document, keys, { slider: this.scrubber.svg });
  }

  /** @param {Uint8Array} bytes */
  load(bytes) {
    this.pause();
    const run = /** @type {Run & { beside: Uint8Array }} */ (readPack(bytes));
    this.run = run;
    this.last = run.num_merges;
    this.step = Math.min(run.start, this.last);
    this.reported = this.step;
    write(this.root, ".title", this.run.title);
    write(this.root, ".of", decimals(this.last));
    this.stepField.max = String(this.last);
    this.beside.load(run, run.beside.length ? readPack(run.beside) : null);
    this.view.load(run, this.step);
    this.details.load(run);
    this.exports.load();
    this.tokenCard.load(run);
    this.scrubber.load(run);
    this.curves.load(run);
    page.bpevizPlayer = this;
    this.comeBack();
    this.show();
    this.awaited = run.reports;
    if (this.awaited) requestAnimationFrame(() => setTimeout(() => this.report()));
  }

  // The text with the focus, and its tips.
  get reading() {
    return this.inSecond ? this.beside.view : this.view;
  }

  get readingDetails() {
    return this.inSecond ? this.beside.details : this.details;
  }

  get inSecond() {
    return this.beside.holds(this.root.activeElement);
  }

  // Scroll a new text to its top. If the run before was on the same text, scroll to where that was.
  comeBack() {
    const { text } = this.run;
    if (lastSeen.text && sameBytes(lastSeen.text, text)) this.view.place(lastSeen.offset, lastSeen.share);
    else this.root.host?.closest("[data-testid=stMain]")?.scrollTo(0, 0);
    lastSeen.text = text;
    if (this.beside.run) this.beside.view.place(...this.view.placeNow());
  }

  typed() {
    this.pause();
    const step = Math.round(Number(this.stepField.value));
    this.stepField.blur();
    this.go(this.stepField.value === "" || Number.isNaN(step) ? this.step : step);
  }

  stop() {
    if (page.bpevizPlayer === this) delete page.bpevizPlayer;
    if (this.bytes) [lastSeen.offset, lastSeen.share] = this.view.placeNow();
    this.awaited = false;
    this.pause();
    clearTimeout(this.reportTimer);
    this.removePaleness();
    for (const press of PRESSES) document.removeEventListener(press, this.onPress, { capture: true });
    this.keyboard.stop();
    this.view.stop();
    this.details.stop();
    this.beside.stop();
    this.curves.stop();
    this.exports.stop();
  }

  /** @param {number} step */
  go(step) {
    const target = Math.max(0, Math.min(this.last, step));
    if (target === this.step) return this.show();
    this.step = target;
    this.movedAt = performance.now();
    // The texts first: they measure themselves, which is quick as long as nothing else has changed.
    this.beside.note(target);
    this.view.draw(target);
    this.details.showFocused();
    this.beside.draw(target);
    this.show();
    this.tokenCard.show(target);
    this.report();
  }

  /**
   * Stop playing and go to a step.
   * @param {number} step
   */
  jump(step) {
    this.pause();
    this.go(step);
  }

  /** @param {string | undefined} name */
  command(name) {
    if (name === "play") return this.frame === null ? this.play() : this.pause();
    this.pause();
    if (name === "keys") return this.keyList.open();
    if (name === "next-change") {
      const step = this.changeInView("stepOfNextChange", Math.min);
      return this.follow(step, "No later merge changes what is in view.");
    }
    if (name === "latest-change") {
      const step = this.changeInView("stepOfLatestChange", Math.max);
      return this.follow(step, "No earlier merge changed what is in view.");
    }
    /** @type {Record<string, number>} */
    const steps = { first: 0, back: this.step - 1, next: this.step + 1, last: this.last };
    if (name && name in steps) this.go(steps[name]);
  }

  /**
   * The nearest step at which one of the texts in view changes; null if none changes.
   * @param {"stepOfNextChange" | "stepOfLatestChange"} ask
   * @param {(...steps: number[]) => number} nearest
   */
  changeInView(ask, nearest) {
    const views = this.beside.run ? [this.view, this.beside.view] : [this.view];
    const changes = views.map((view) => view[ask]());
    const steps = changes.flatMap((step) => (step !== null && step <= this.last ? [step] : []));
    return steps.length ? nearest(...steps) : null;
  }

  /**
   * Go to a step at which something in view changes; if there is none, say so until the next step.
   * @param {number | null} step
   * @param {string} otherwise
   */
  follow(step, otherwise) {
    if (step === null) this.sentence.replaceChildren(otherwise);
    else this.go(step);
  }

  play() {
    if (this.step >= this.last) this.go(0);
    showPlaying(this.playButton, this.sentence, true);
    /** @type {number | null} */
    let before = null;
    let owed = 0; // merges due, in fractions
    /** @param {number} now */
    const tick = (now) => {
      owed += before === null ? 1 : ((now - before) / 1000) * Number(this.speedField.value);
      before = now;
      if (owed >= 1) {
        this.go(this.step + Math.floor(owed));
        owed %= 1;
      }
      if (this.step >= this.last) return this.pause();
      this.frame = requestAnimationFrame(tick);
    };
    this.frame = requestAnimationFrame(tick);
  }

  pause() {
    if (this.frame === null) return;
    cancelAnimationFrame(this.frame);
    this.frame = null;
    showPlaying(this.playButton, this.sentence, false);
    this.report();
  }

  // Report the step to Python once the player rests, and once when the first text is painted.
  report() {
    clearTimeout(this.reportTimer);
    if (!this.awaited && (this.frame !== null || this.reported === this.step)) return;
    const settled = this.awaited ? 0 : this.movedAt + SETTLED_AFTER;
    const wait = Math.max(settled, this.heldUntil) - performance.now();
    if (wait > 0) {
      this.reportTimer = setTimeout(() => this.report(), wait);
      return;
    }
    this.reported = this.step;
    // Streamlit passes on only what is new, and a new text may begin at the same step.
    this.setStateValue("at", this.awaited ? { step: this.step, painted: Date.now() } : { step: this.step });
    this.awaited = false;
  }

  // Stop here, and return the step to somebody who tells Python.
  rest() {
    this.pause();
    clearTimeout(this.reportTimer);
    this.reported = this.step;
    return this.step;
  }

  show() {
    const { step } = this;
    const typing = this.root.activeElement === this.stepField && this.frame === null;
    if (!typing) this.stepField.value = String(step);
    this.scrubber.show(step);
    this.curves.show(step);
    this.say();
    page.bpevizPairs?.follow();
    markPanels();
    const { run, tiles } = this;
    tiles.merges.textContent = decimals(step);
    tiles.vocabulary.textContent = decimals(run.vocab_sizes[step]);
    tiles.tokens.textContent = decimals(run.totals[step]);
    tiles.ratio.textContent = decimals(bytesPerToken(run, step), 2);
  }

  // Say in one sentence what happens next, and why this pair.
  say() {
    const { run, step, sentence } = this;
    if (step >= this.last) {
      sentence.replaceChildren(run.stop_reason);
      return;
    }
    /** @param {number} id */
    const label = (id) => create("b", "", run.labels[id]);
    const count = run.counts[step];
    const tied = run.tied[step];
    const why = run.chosen.includes(step)
      ? "You chose it, whatever the recipe would do."
      : tied > 1
        ? `${decimals(tied)} pairs share that count; this recipe takes ${run.tie_sentence}.`
        : "No other pair is as frequent.";
    sentence.replaceChildren(
      `Merge ${decimals(step + 1)} joins `,
      label(run.lefts[step]),
      " + ",
      label(run.rights[step]),
      " into ",
      label(run.ids[step]),
      `, seen ${count === 1 ? "once" : `${decimals(count)} times`}. ${why}${this.overlap(count)}`,
    );
  }

  /**
   * A sentence if pairs overlap: counting includes overlaps, merging can't.
   * @param {number} count
   */
  overlap(count) {
    const { totals } = this.run;
    const replaced = totals[this.step] - totals[this.step + 1];
    if (replaced === count) return "";
    return ` Some overlap, as in a + a + a: ${decimals(replaced)} can be replaced.`;
  }
}

// The text on show last, and its place: a new player on the same text starts there.
/** @type {{ text: Uint8Array | null, offset: number, share: number }} */
const lastSeen = { text: null, offset: 0, share: 0 };

/** @param {ComponentArguments<Uint8Array>} component */
export default function ({ data, parentElement, setStateValue }) {
  const [player, stop] = madeOnce(parentElement, () => new Player(parentElement));
  player.setStateValue = setStateValue;
  loadPack(player, data);
  return stop;
}
