// @ts-check
// The merge player. Python sends a pack once per run; this draws every step from its gap ranks. Python gets the step
// when the player rests, so that the page can draw the rest about it: while playing, the server has nothing to do.

import { binary, sameBytes } from "../shared/bytes.js";
import { onCommands } from "../shared/component.js";
import { create, find, write } from "../shared/elements.js";
import { Keyboard } from "../shared/keyboard.js";
import { counted, decimals } from "../shared/numbers.js";
import { readPack } from "../shared/pack.js";
import { onlyTouches } from "../shared/pointer.js";
import {
  addPageStyle,
  markPanels,
  presentPlayer,
  presentsBars,
  releaseTab,
  scrolledPage,
} from "../shared/streamlit_page.js";
import { explainTerms } from "../shared/term.js";
import { TextView } from "../shared/text_view.js";
import { Beside } from "./beside.js";
import { Curves } from "./curves.js";
import { ExportMenu } from "./exports.js";
import { bringIntoView, Fit } from "./fit.js";
import { KeyList, playerKeys } from "./keys.js";
import { More } from "./more.js";
import { cancelPage } from "./page_request.js";
import { AT_A_WALL, AT_THE_END, howToGuess, PairGuess, pairFrom } from "./pair_guess.js";
import { PairMarks } from "./pair_marks.js";
import { RunDetails } from "./run_details.js";
import { bytesPerToken, Scrubber } from "./scrubber.js";
import { named, sentenceAt, watchPairs } from "./sentence.js";
import { stage } from "./stage.js";
import { nearestTie, tieValues } from "./ties.js";
import { TokenCard } from "./token_card.js";
import { Transport } from "./transport.js";

/** @import { ComponentArguments, Run, Token } from "../shared/types" */
/** @import { TopPairs } from "./top_pairs.js" */

const SETTLED_AFTER = 250; // milliseconds without a step
// Streamlit may lose the press of a button elsewhere on the page if a report comes at the same time.
const AFTER_A_PRESS = 400; // milliseconds
const NEXT_PLAYER = 1000; // milliseconds in which a lesson's next player is there
/** What a lesson points at, in the player. @type {Record<string, string>} */
const POINTED_AT = {
  text: ".main .text",
  next: ".main .text",
  made: ".main .text",
  walls: ".main .text",
  figures: ".tiles",
  sentence: ".say",
};
const PRESSES = ["pointerdown", "keydown"];
const PRESSING_KEYS = ["Enter", " ", "PageUp", "PageDown"]; // they may press a button of the page

export class Player {
  /**
   * @param {ShadowRoot} root
   * @param {boolean} [alone] whether the page is not the app's
   */
  constructor(root, alone = false) {
    this.root = root;
    this.alone = alone;
    this.trains = !alone; // whether the page can train a fork
    this.shell = find(root, ".bpeviz");
    const card = find(root, ".card.main");
    this.view = new TextView(card);
    this.details = new RunDetails(card, this.view);
    this.beside = new Beside(root, this.view);
    this.tokenCard = new TokenCard(
      root,
      this.view,
      (step) => this.jump(step),
      (token) => this.grow(token),
      (token) => this.goToWord(token),
    );
    this.marks = new PairMarks(this.view);
    this.marksBeside = new PairMarks(this.beside.view);
    this.ofPair = find(root, ".main .of-pair");
    this.ofBytes = find(root, ".main .of-bytes");
    this.details.onToken = (token) =>
      stage.point({ token: token && (this.details.known?.tokenIds.of(token) ?? null) });
    this.beside.details.onToken = (token) => stage.point({ token: token && this.idOf(token) });
    this.pairGuess = new PairGuess(this.view, () => this.guesses);
    this.hovers = !onlyTouches();
    this.tokenCard.onOpen = () => {
      this.details.hide();
      this.beside.details.hide();
    };
    this.beside.view.onPick = ({ start, end }) => {
      this.tokenCard.pickSpelling(binary(this.run.text.subarray(start, end)));
    };
    this.scrubber = new Scrubber(root, (step) => this.go(step));
    this.curves = new Curves(root, (step) => this.jump(step));
    explainTerms(root);
    this.exports = new ExportMenu(root, this);
    this.fit = new Fit(root, () => this.layOut(), alone);
    this.more = new More(root, this.shell, () => this.fit.measure());
    this.stepField = find(root, ".step", HTMLInputElement);
    this.presentButton = find(root, "[data-go=present]");
    this.sentence = find(root, ".say");
    watchPairs(this.sentence, (pair) => stage.pairs?.picked(pair));
    this.transport = new Transport(root, this);
    /** @param {string} name */
    const tile = (name) => find(root, `[data-tile=${name}]`);
    this.tiles = {
      vocabulary: tile("vocabulary"),
      tokens: tile("tokens"),
      ratio: tile("ratio"),
    };
    /** @type {Uint8Array | null} */
    this.bytes = null; // the pack on show
    this.run = /** @type {Run} */ ({}); // load sets it before anything else is called
    this.last = 0;
    this.step = 0;
    this.reported = 0; // the last step that Python got
    this.loaded = 0; // when the shown run came
    this.awaited = false; // whether Python waits for the first text to be painted before it draws the rest
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.reportTimer = undefined;
    /** @type {ComponentArguments<Uint8Array>["setStateValue"]} */
    this.setStateValue = () => {};
    /** @type {ComponentArguments<Uint8Array>["setTriggerValue"]} */
    this.setTriggerValue = () => {};
    this.onStep = () => {}; // called when another step is on show
    this.movedAt = -Infinity;
    this.heldUntil = 0;
    /** @param {Event} event */
    this.onPress = (event) => {
      const key = event instanceof KeyboardEvent ? event.key : "";
      const presses = event.type === "pointerdown" || PRESSING_KEYS.includes(key);
      if (presses && !event.composedPath().includes(root)) this.heldUntil = performance.now() + AFTER_A_PRESS;
      stage.wordAwaited = false; // the person does something else meanwhile
      this.transport.takeOver(event); // it reports the step, which must wait
    };
    for (const press of PRESSES) document.addEventListener(press, this.onPress, { capture: true });
    document.addEventListener("click", releaseTab, { capture: true }); // tabs stop it
    onCommands(root, (name) => this.command(name));
    this.removePageStyle = addPageStyle();
    this.stopMarking = stage.subscribe(() => this.markDrawn());
    this.stopMarkingPair = stage.onMark(() => this.markPair());
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
    stage.player?.noteSeen(); // it may be another player, which stops only after this one is here
    this.leave();
    const run = /** @type {Run & { beside: Uint8Array }} */ (readPack(bytes));
    this.run = run;
    this.last = run.num_merges;
    this.reported = Math.min(run.start, this.last);
    this.step =
      this.transport.wantsLessMotion && run.until !== null ? Math.min(run.until, this.last) : this.reported;
    this.loaded = Date.now();
    write(this.root, ".title", this.run.title);
    write(this.root, ".of", run.guess ? "?" : decimals(this.last)); // a guess ends where it asks
    this.stepField.max = String(this.last);
    this.shell.dataset.spotlight = run.spotlight;
    if (run.spotlight in POINTED_AT) bringIntoView(this.root.querySelector(POINTED_AT[run.spotlight]));
    this.fit.load(run.text);
    this.beside.load(run, run.beside.length ? readPack(run.beside) : null);
    this.details.load(run);
    this.view.load(run, this.step);
    this.exports.load();
    cancelPage("another run is on show");
    this.tokenCard.load(run);
    this.view.onPick = (token) => this.picked(token);
    this.shell.classList.toggle("guesses", run.guess);
    this.shell.classList.toggle("replays", run.order !== "");
    this.scrubber.load(run);
    this.curves.load(run);
    stage.player = this;
    this.keepPair();
    this.comeBack();
    this.show();
    this.fit.measure();
    if (stage.presents) this.present(true);
    this.awaited = run.reports === "at rest and once painted";
    if (this.awaited) requestAnimationFrame(() => setTimeout(() => this.report()));
    else this.report(); // it may begin at another step than Python knows
    this.transport.open();
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
    else scrolledPage(this.root)?.scrollTo(0, 0);
    this.noteSeen();
    if (this.beside.run) this.beside.view.place(...this.view.placeNow());
  }

  // Remember the text and the place in it.
  noteSeen() {
    lastSeen.text = this.run.text;
    [lastSeen.offset, lastSeen.share] = this.view.placeNow();
  }

  typed() {
    this.transport.pause();
    const step = Math.round(Number(this.stepField.value));
    this.stepField.blur();
    this.go(this.stepField.value === "" || Number.isNaN(step) ? this.step : step);
  }

  // Stop at the shown run, whose last step Python needs no more, and remember the place in its text.
  leave() {
    if (stage.player === this) this.noteSeen();
    this.awaited = false;
    this.transport.halt();
    clearTimeout(this.reportTimer);
  }

  stop() {
    this.leave();
    if (stage.player === this) {
      stage.player = null;
      if (this.presents) setTimeout(stopPresenting, NEXT_PLAYER);
    }
    this.stopMarking();
    this.stopMarkingPair();
    this.removePageStyle();
    for (const press of PRESSES) document.removeEventListener(press, this.onPress, { capture: true });
    document.removeEventListener("click", releaseTab, { capture: true });
    this.keyboard.stop();
    this.view.stop();
    this.details.stop();
    this.beside.stop();
    this.tokenCard.stop();
    this.curves.stop();
    this.fit.stop();
    this.exports.stop();
    cancelPage("another run is on show");
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
    this.onStep();
    this.report();
  }

  /**
   * Stop playing and go to a step.
   * @param {number} step
   */
  jump(step) {
    this.transport.pause();
    this.go(step);
  }

  /** @param {string | undefined} name */
  command(name) {
    if (name === "play") return this.transport.toggle();
    if (name === "more") return this.more.toggle();
    this.transport.pause();
    if (name === "keys") return this.keyList.open();
    if (name === "present") return this.present(!this.presents);
    if (name === "next-change") {
      const step = this.changeInView("stepOfNextChange", Math.min);
      return this.follow(step, "No later merge changes what is in view.");
    }
    if (name === "latest-change") {
      const step = this.changeInView("stepOfLatestChange", Math.max);
      return this.follow(step, "No earlier merge changed what is in view.");
    }
    if (name === "next-tie") return this.follow(nearestTie(this.run, this.step, 1), "No later tie.");
    if (name === "latest-tie") return this.follow(nearestTie(this.run, this.step, -1), "No earlier tie.");
    /** @type {Record<string, number>} */
    const steps = { first: 0, back: this.step - 1, next: this.step + 1, last: this.last };
    if (name && name in steps) this.go(steps[name]);
  }

  get presents() {
    return this.shell.classList.contains("presents");
  }

  /**
   * Show the player alone and in large type, as a projector needs; or the page again.
   * @param {boolean} on
   */
  present(on) {
    stage.presents = on;
    this.shell.classList.toggle("presents", on);
    this.presentButton.setAttribute("aria-pressed", String(on));
    this.fit.times = 1;
    presentPlayer(on ? "alone" : "");
    this.fit.measure();
    this.layOut();
    this.tokenCard.put();
  }

  // The bars of pairs, too, while the person presents; or not.
  toggleBars() {
    presentPlayer(presentsBars() ? "alone" : "bars");
    this.fit.measure();
  }

  /**
   * Larger or smaller type while the person presents. Returns false if they don't.
   * @param {number} times
   */
  enlarge(times) {
    if (!this.presents) return false;
    this.fit.times = Math.max(0.4, Math.min(2.5, this.fit.times * times));
    this.fit.measure();
    return true;
  }

  // Curves that were open behind “More” come into view.
  toggleCurves() {
    const shows = !this.more.on || !this.curves.details.open;
    if (shows) this.more.open();
    this.curves.details.open = shows;
  }

  layOut() {
    this.view.layOut();
    this.beside.view.layOut();
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
   * Go to a step; if there is none to go to, say so until the next step.
   * @param {number | null} step
   * @param {string} otherwise
   */
  follow(step, otherwise) {
    if (step === null) this.sentence.replaceChildren(otherwise);
    else this.go(step);
  }

  // Report the step to Python once the player rests, and once when the first text is painted.
  report() {
    clearTimeout(this.reportTimer);
    if (this.run.reports === "never") return;
    const moves = this.transport.playing || stage.word?.growing;
    if (!this.awaited && (moves || this.reported === this.step)) return;
    const settled = this.awaited ? 0 : this.movedAt + SETTLED_AFTER;
    const wait = Math.max(settled, this.heldUntil) - performance.now();
    if (wait > 0) {
      this.reportTimer = setTimeout(() => this.report(), wait);
      return;
    }
    this.reported = this.step;
    // Streamlit passes on only what is new, and a new text may begin at the same step.
    const at = { step: this.step, number: this.run.number, loaded: this.loaded };
    this.setStateValue("at", this.awaited ? { ...at, painted: Date.now() } : at);
    this.awaited = false;
  }

  /**
   * Have the page show how the word of a token grows.
   * @param {{ start: number, end: number }} token
   */
  grow({ start, end }) {
    this.setStateValue("word", { number: this.run.number, start, end, picked: Date.now() });
  }

  /**
   * Show the panel with the word of a token, and go there.
   * @param {{ start: number, end: number }} token
   */
  goToWord(token) {
    if (this.presents) this.present(false); // which hides the panels
    this.grow(token);
    stage.word?.reveal();
    stage.wordAwaited = true;
  }

  /**
   * Ask Python for a page with this run at this step.
   * @param {number} asked the number of the request
   */
  askForPage(asked) {
    this.setStateValue("page", { number: this.run.number, step: this.step, asked });
  }

  // Whether a click on a token guesses the next merge.
  get guesses() {
    return this.run.guess && this.step === this.last;
  }

  /** @param {Token} token */
  picked(token) {
    if (this.guesses) this.guess(token);
    else this.tokenCard.pickPlace(token.start, token.end);
    if (!this.hovers) this.details.onToken(token);
  }

  /**
   * Report the pair of a token and the next one as the person's guess.
   * @param {Token} token
   */
  guess(token) {
    const { known } = this.details;
    const pair = known && pairFrom(this.view, known.tokenIds, token);
    if (pair) this.setTriggerValue("guessed", { number: this.run.number, ...pair });
    else this.follow(null, token.end < this.view.text.length ? AT_A_WALL : AT_THE_END);
  }

  // Stop here, and return the step to somebody who tells Python.
  rest() {
    this.transport.pause();
    clearTimeout(this.reportTimer);
    this.reported = this.step;
    return this.step;
  }

  show() {
    const { step } = this;
    const typing = this.root.activeElement === this.stepField && !this.transport.playing;
    if (!typing) this.stepField.value = String(step);
    this.scrubber.show(step, this.transport.playing);
    this.curves.show(step);
    this.say();
    stage.changed();
    const { run, tiles } = this;
    tiles.vocabulary.textContent = decimals(run.vocab_sizes[step]);
    tiles.tokens.textContent = decimals(run.totals[step]);
    tiles.ratio.textContent = decimals(bytesPerToken(run, step), 2);
    this.ofBytes.hidden = !this.root.querySelector(".main .text .tok.hex");
  }

  // The panels that the server draws are of another step until it has drawn them again.
  markDrawn() {
    const { drawn, player } = stage;
    if (player !== this) return;
    markPanels(drawn && drawn.step !== this.step ? `After ${counted(drawn.step, "merge")}` : "");
  }

  // A pair stays picked in another run that has its tokens. The same bytes may have other ids there.
  keepPair() {
    const lexicon = this.tokenCard.known?.lexicon;
    if (!lexicon || !stage.spelled.length) return this.markPair();
    const [left, right] = stage.spelled.map((spelling) => lexicon.withBytes(spelling)[0]);
    stage.pair = left === undefined || right === undefined ? null : [left, right];
    this.markPair();
  }

  // Mark the pair that the person points at or picked, in both texts.
  markPair() {
    const { pair, merge } = stage.marked;
    const lexicon = this.tokenCard.known?.lexicon;
    const known = lexicon && pair?.every((id) => id in this.run.labels) ? pair : null;
    this.marks.set(known, merge, this.details.known?.tokenIds ?? null);
    this.ofPair.hidden = !known;
    this.ofPair.replaceChildren(...(known ? named(["▣ ", known[0], " + ", known[1]], this.run) : []));
    if (!lexicon || stage.player !== this) return;
    stage.spelled = stage.pair ? stage.pair.map((id) => lexicon.spellings.get(id) ?? "") : [];
    const other = this.beside.run && this.beside.details.known;
    this.marksBeside.set(
      known && other ? this.beside.pairLike(known, lexicon) : null,
      null,
      other?.tokenIds ?? null,
    );
  }

  /**
   * The id in this run of a token of the second text; null if it lacks the token.
   * @param {Token} token
   */
  idOf({ start, end }) {
    const spelling = binary(this.run.text.subarray(start, end));
    return this.tokenCard.known?.lexicon.withBytes(spelling)[0] ?? null;
  }

  // Say what the last merge made, and which one comes next.
  say() {
    const { run, step, sentence } = this;
    const how = howToGuess(this.hovers);
    const parts = Object.entries(sentenceAt(run, step, how)).map(([name, phrase]) =>
      create("span", name, ...named(phrase, run)),
    );
    sentence.replaceChildren(...parts);
  }

  /**
   * What decides if the next merge is a tie; empty if it isn't.
   * @param {TopPairs} top the pairs of this run
   */
  tieValues(top) {
    const { run, step } = this;
    if (step >= this.last || run.tied[step] < 2 || run.chosen.includes(step)) return [];
    const rival = top.rival(run, step);
    const { known } = this.tokenCard;
    return known && rival?.count === run.counts[step] ? tieValues(known.lexicon, step, rival) : [];
  }
}

function stopPresenting() {
  if (stage.player) return;
  stage.presents = false;
  presentPlayer("");
}

// The text on show last, and its place: a new player on the same text starts there.
/** @type {{ text: Uint8Array | null, offset: number, share: number }} */
const lastSeen = { text: null, offset: 0, share: 0 };
