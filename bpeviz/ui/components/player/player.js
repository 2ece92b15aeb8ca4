// @ts-check
// The merge player. Python sends a pack once per run; this draws every step from its gap ranks. Python gets the
// step while the player moves, at most every 250 ms and less often if the page is slow; and once more when it has
// settled, so that the page can draw everything about the step.

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
import { RunDetails } from "./run_details.js";
import { bytesPerToken, Scrubber } from "./scrubber.js";
import { TokenCard } from "./token_card.js";

/** @import { ComponentArguments, Run } from "../shared/types" */

const REPORT_EVERY = 250; // milliseconds, at least
const REPORT_EVERY_AT_MOST = 1000;
// The page redraws its charts after a report, which can delay a frame. While playing, reports are so far apart that
// these delays take about a twelfth of the time.
const STALL_SHARE = 12;
const SETTLED_AFTER = 350; // milliseconds without a step
// Streamlit may lose the press of a button elsewhere on the page if a report comes at the same time.
const AFTER_A_PRESS = 400; // milliseconds
const PRESSES = ["pointerdown", "keydown"];

/** The page, on which other components can find the player. @typedef {Document & { bpevizPlayer?: Player, bpevizAsked?: number }} PlayerPage */

/** @type {PlayerPage} */
const page = document;

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
    /** @type {Uint8Array | null} */
    this.bytes = null; // the pack on show
    this.run = /** @type {Run} */ ({}); // load sets it before anything else is called
    this.last = 0;
    this.step = 0;
    /** @type {number | null} */
    this.frame = null; // the animation frame asked for while playing
    this.longestFrame = 0; // milliseconds, since the latest report
    this.reported = { step: 0, moving: false }; // the last report to Python
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.reportTimer = undefined;
    /** @type {ComponentArguments<Uint8Array>["setStateValue"]} */
    this.setStateValue = () => {};
    this.reportedAt = 0;
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
    this.reported = { step: this.step, moving: false };
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
    this.pause();
    clearTimeout(this.reportTimer);
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
    this.show();
    this.beside.note(target);
    this.view.draw(target);
    this.details.showFocused();
    this.beside.draw(target);
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
    this.longestFrame = 0;
    /** @param {number} now */
    const tick = (now) => {
      if (before !== null) this.longestFrame = Math.max(this.longestFrame, now - before);
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

  // Report the step to Python: every so often while moving, and once more when settled.
  report() {
    clearTimeout(this.reportTimer);
    const now = performance.now();
    const playing = this.frame !== null;
    const untilSettled = playing ? Infinity : this.movedAt + SETTLED_AFTER - now;
    const held = this.heldUntil - now;
    if (untilSettled <= 0 && held <= 0) return this.tell(false);
    const apart = playing ? Math.min(REPORT_EVERY_AT_MOST, this.longestFrame * STALL_SHARE) : 0;
    const untilNext = this.reportedAt + Math.max(REPORT_EVERY, apart) - now;
    if (untilNext <= 0 && held <= 0) this.tell(true);
    const wait = Math.max(held, untilNext > 0 ? Math.min(untilNext, untilSettled) : untilSettled);
    if (wait < Infinity) this.reportTimer = setTimeout(() => this.report(), wait);
  }

  /** @param {boolean} moving */
  tell(moving) {
    const { step, reported } = this;
    if (reported.step === step && (reported.moving === moving || moving)) return;
    this.reported = { step, moving };
    this.reportedAt = performance.now();
    this.longestFrame = 0;
    this.setStateValue("at", this.reported);
  }

  show() {
    const { step } = this;
    const typing = this.root.activeElement === this.stepField && this.frame === null;
    if (!typing) this.stepField.value = String(step);
    this.scrubber.show(step);
    this.curves.show(step);
    this.say();
    const { run, root } = this;
    write(root, "[data-tile=merges]", decimals(step));
    write(root, "[data-tile=vocabulary]", decimals(run.vocab_sizes[step]));
    write(root, "[data-tile=tokens]", decimals(run.totals[step]));
    write(root, "[data-tile=ratio]", decimals(bytesPerToken(run, step), 2));
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
