// @ts-check
// The encoding of a text: all its tokens, why a picked word is not one of them, and the merges of that word. Python
// sends the symbols, ranks, steps and answer of each distinct pre-token; every step is drawn here.

import { isContinuation } from "../shared/bytes.js";
import { madeOnce, onCommands, showPlaying } from "../shared/component.js";
import { closest, create, find, findAll, write } from "../shared/elements.js";
import { Keyboard } from "../shared/keyboard.js";
import { counted, decimals } from "../shared/numbers.js";
import { TextOptions } from "../shared/text_options.js";
import { Bench, windowAround } from "./bench.js";
import { appendCells, directionOfTokens, knownTokens, showWithin, tokenCell } from "./cells.js";
import { PreToken, readStep } from "./pre_token.js";

/** @import { ComponentArguments } from "../shared/types" */
/** @import { Kind } from "./bench.js" */
/** @import { ListedToken } from "./cells.js" */
/** @import { CurrentToken, ListedStep, Step } from "./pre_token.js" */

/**
 * What Python sends; see `pack_encoding` in encoder.py.
 * @typedef {object} Encoding
 * @property {Record<string, ListedToken>} tokens
 * @property {(Omit<Kind, "steps"> & { steps: ListedStep[] })[]} kinds
 * @property {number[]} pieces
 * @property {number} bytes of the text
 * @property {number} first the word to pick at first
 */

const CHIP_TOKENS = 240; // of more tokens, those far from the merge are left out
const LOGGED = 100; // merges listed at once
const REST = 200; // milliseconds on a word before we report it
const STEPS_PER_SECOND = 3;
const STEPS_PER_SECOND_STILL = 1; // for a person who asked for less motion

class Encoder {
  /**
   * @param {ShadowRoot} root
   * @param {(word: number) => void} report
   */
  constructor(root, report) {
    this.root = root;
    this.report = report;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.reporting = undefined;
    this.bench = new Bench(root);
    this.options = new TextOptions(find(root, ".bpeviz"));
    this.chips = find(root, ".chips");
    /** @type {HTMLElement[]} */
    this.chipList = [];
    /** @type {number[]} */
    this.drawn = []; // the merges made in each chip, as drawn
    this.playButton = find(root, ".play");
    /** @type {ReturnType<typeof setInterval> | null} */
    this.timer = null;
    this.serialized = "";
    this.known = knownTokens({});
    /** @type {Kind[]} */
    this.kinds = [];
    /** @type {number[]} */
    this.pieces = []; // the kind of each pre-token of the text
    this.index = 0; // of the picked pre-token; all others show their last tokens
    this.made = 0; // merges in it
    /** @type {{ index: number, preToken: PreToken } | null} */
    this.atWork = null;
    onCommands(root, (name) => this.command(name));
    this.chips.addEventListener("click", (event) => {
      const chip = closest(event, ".chip");
      if (chip) this.pick(Number(chip.dataset.index));
    });
    find(root, ".log tbody").addEventListener("click", (event) => {
      const row = closest(event, "tr");
      if (row) this.jump(this.index, Number(row.dataset.made));
    });
    const bindings = Object.entries(KEYS).map(([key, name]) => ({ key, run: () => this.command(name) }));
    this.keyboard = new Keyboard(document, [...bindings, ...this.options.keys], {
      withSpace: "button, a, summary",
    });
  }

  stop() {
    this.options.stop();
    this.pause();
    clearTimeout(this.reporting);
    lastPlace = { ...lastPlace, index: this.index, made: this.made };
    this.keyboard.stop();
  }

  /**
   * Show the result first: every merge is made, and the picked word is one of several tokens. The same word stays
   * picked with another tokenizer.
   * @param {Encoding} data
   * @param {string} serialized
   */
  load(data, serialized) {
    const before = this.pieces.length ? this.kinds[this.pieces[this.index]].text : null;
    this.pause();
    this.known = knownTokens(data.tokens);
    this.kinds = data.kinds.map((kind) => ({ ...kind, steps: kind.steps.map(readStep) }));
    this.pieces = data.pieces;
    const stays = before !== null && this.kinds[this.pieces[this.index]]?.text === before;
    const same = lastPlace.serialized === serialized;
    this.index = same ? lastPlace.index : stays ? this.index : data.first;
    this.made = same ? lastPlace.made : this.count(this.index);
    lastPlace = { serialized, index: this.index, made: this.made };
    this.atWork = null;
    this.writeFigures(data.bytes);
    this.drawChips();
    this.show();
  }

  /** @param {number} bytes */
  writeFigures(bytes) {
    const tokens = this.pieces.reduce((total, kind) => total + finalCount(this.kinds[kind]), 0);
    const size = tokens ? `, ${decimals(bytes / tokens, 2)} bytes per token` : "";
    write(this.root, ".figures", `${counted(tokens, "token")} for ${counted(bytes, "byte")}${size}`);
  }

  /**
   * How many merges a pre-token takes.
   * @param {number} index
   */
  count(index) {
    return this.kinds[this.pieces[index]].steps.length;
  }

  /**
   * @param {number} index
   * @param {number} made
   */
  isLast(index, made) {
    return index === this.pieces.length - 1 && made === this.count(index);
  }

  /** @param {string | undefined} name */
  command(name) {
    const end = this.pieces.length - 1;
    const { index } = this;
    if (name === "play") this.timer === null ? this.play() : this.pause();
    else if (name === "first") this.jump(index, 0);
    else if (name === "last") this.jump(index, this.count(index));
    else if (name === "next") this.jump(...this.next());
    else if (name === "back") this.jump(...this.previous());
    else if (name === "word") this.pick(Math.min(end, index + 1));
    else if (name === "word-back") this.pick(Math.max(0, index - 1));
  }

  /**
   * Pick a word, with all its merges made.
   * @param {number} index
   */
  pick(index) {
    const focused = this.chips.contains(/** @type {ShadowRoot} */ (this.root).activeElement);
    this.jump(index, this.count(index));
    if (focused) this.chipList[index].focus();
  }

  /**
   * Each pre-token has a step before its first merge and one after its last.
   * @returns {[index: number, made: number]}
   */
  next() {
    const { index, made } = this;
    if (this.isLast(index, made)) return [index, made];
    return made < this.count(index) ? [index, made + 1] : [index + 1, 0];
  }

  /** @returns {[index: number, made: number]} */
  previous() {
    const { index, made } = this;
    if (made > 0) return [index, made - 1];
    return index > 0 ? [index - 1, this.count(index - 1)] : [0, 0];
  }

  /**
   * @param {number} index
   * @param {number} made
   */
  jump(index, made) {
    this.pause();
    this.go(index, made);
  }

  /**
   * @param {number} index
   * @param {number} made
   */
  go(index, made) {
    this.index = index;
    this.made = made;
    this.show();
  }

  play() {
    if (this.made === this.count(this.index)) this.go(this.index, 0);
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const tick = () => {
      this.go(...this.next());
      if (this.isLast(this.index, this.made)) this.pause();
    };
    this.timer = setInterval(tick, 1000 / (still ? STEPS_PER_SECOND_STILL : STEPS_PER_SECOND));
    showPlaying(this.playButton, this.bench.say, true);
  }

  pause() {
    if (this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
    showPlaying(this.playButton, this.bench.say, false);
  }

  show() {
    const { index, made } = this;
    if (index !== lastPlace.index) {
      lastPlace = { ...lastPlace, index };
      clearTimeout(this.reporting);
      this.reporting = setTimeout(() => this.report(index), REST);
    }
    const kind = this.kinds[this.pieces[index]];
    if (this.atWork?.index !== index) this.atWork = { index, preToken: new PreToken(kind) };
    const { preToken } = this.atWork;
    preToken.go(made);
    const now = preToken.tokens();
    this.bench.show({ kind, now, last: kind.steps[made - 1], next: kind.steps[made], known: this.known });
    write(this.root, ".so-far", decimals(made));
    write(this.root, ".of", counted(kind.steps.length, "merge"));
    this.showAnswer(kind);
    this.showChips(now);
    this.showLog(kind);
  }

  /** @param {Kind} kind */
  showAnswer(kind) {
    const answer = find(this.root, ".answer");
    if (answer.dataset.of === String(this.index) && answer.textContent === kind.why.join("")) return;
    answer.dataset.of = String(this.index);
    const [verdict, ...reasons] = kind.why;
    answer.replaceChildren(create("p", "verdict", verdict));
    if (reasons.length) answer.append(create("p", "reasons", ...reasons.flatMap((said) => [said, " "])));
  }

  // Make an empty chip for each pre-token, which showChips fills; a line end begins a new line.
  drawChips() {
    this.drawn = [];
    this.chips.replaceChildren();
    const fragment = document.createDocumentFragment();
    for (const [index, kind] of this.pieces.entries()) {
      const { special, line_end: lineEnd } = this.kinds[kind];
      const chip = create("button", special ? "chip special" : "chip");
      chip.type = "button";
      chip.dataset.index = String(index);
      fragment.append(chip);
      if (lineEnd) fragment.append(create("span", "break"));
    }
    this.chips.dir = directionOfTokens(this.pieces.slice(0, 50).flatMap((kind) => this.symbolsOf(kind)));
    this.chips.append(fragment);
    this.chipList = findAll(this.chips, ".chip");
  }

  /** @param {number} kind */
  symbolsOf(kind) {
    return this.kinds[kind].symbols.slice(0, CHIP_TOKENS).map(this.known);
  }

  /**
   * All chips show their last tokens, but the picked one those at its step. Only chips that change are drawn again.
   * @param {CurrentToken[]} now
   */
  showChips(now) {
    for (const [i, chip] of this.chipList.entries()) {
      const picked = i === this.index;
      const made = picked ? this.made : this.count(i);
      if (this.drawn[i] !== made) this.fillChip(chip, i, made, now);
      this.drawn[i] = made;
      chip.classList.toggle("done", made === this.count(i));
      chip.setAttribute("aria-pressed", String(picked));
      chip.tabIndex = picked ? 0 : -1; // "," and "." lead from one to the next
    }
    showWithin(this.chips, this.chipList[this.index]);
  }

  /**
   * Before its first merge and after its last, a pre-token looks the same everywhere, so it is drawn once.
   * @param {HTMLElement} chip
   * @param {number} index
   * @param {number} made
   * @param {CurrentToken[]} now
   */
  fillChip(chip, index, made, now) {
    const kind = this.kinds[this.pieces[index]];
    const state = made === kind.steps.length ? "final" : made === 0 ? "first" : null;
    if (!state) return chip.replaceChildren(this.drawChip(kind, now, kind.steps[made]));
    kind[state] ??= this.drawChip(
      kind,
      state === "first" ? kind.symbols.map((id) => ({ id })) : finalTokens(kind),
    );
    chip.replaceChildren(kind[state].cloneNode(true));
  }

  /**
   * The tokens of a chip; if there are very many, only those around the next merge, without cutting a character.
   * @param {Kind} kind
   * @param {{ id: number, start?: number }[]} tokens
   * @param {Step} [next]
   */
  drawChip(kind, tokens, next) {
    const drawn = document.createDocumentFragment();
    const about = next ? tokens.findIndex(({ start }) => start === next.start) : 0;
    let { from, to } = windowAround(tokens.length, about, CHIP_TOKENS);
    /** @param {number} i */
    const continues = (i) => i > 0 && i < tokens.length && isContinuation(this.known(tokens[i].id).bytes[0]);
    while (continues(from)) from--;
    while (continues(to)) to++;
    if (kind.skipped) drawn.append(create("span", "elsewhere", kind.skipped));
    if (from > 0) drawn.append(create("span", "elsewhere", `… ${decimals(from)}`));
    appendCells(
      drawn,
      tokens.slice(from, to).map(({ id }) => this.known(id)),
    );
    if (to < tokens.length) drawn.append(create("span", "elsewhere", `${decimals(tokens.length - to)} …`));
    return drawn;
  }

  /**
   * List the latest merges of the picked word.
   * @param {Kind} kind
   */
  showLog(kind) {
    const log = find(this.root, ".log");
    const { made } = this;
    const listed = Math.min(made, LOGGED);
    const rows = Array.from({ length: listed }, (_, i) => this.logRow(kind, made - i));
    find(log, "tbody").replaceChildren(...rows);
    find(log, "table").hidden = made === 0;
    const nothing = find(log, ".nothing");
    nothing.hidden = made > 0;
    nothing.textContent = kind.steps.length ? "No merge yet. Press → or play." : "This word needs no merge.";
    find(log, ".more").textContent = made > listed ? `and ${decimals(made - listed)} earlier` : "";
    log.scrollTop = 0;
  }

  /**
   * @param {Kind} kind
   * @param {number} made
   */
  logRow(kind, made) {
    const { rank, id, left, right } = kind.steps[made - 1];
    const row = create("tr");
    row.dataset.made = String(made);
    const merge = create("td");
    const [a, b, whole] = [left, right, id].map((token) => tokenCell(this.known(token)));
    merge.append(a, " + ", b, " → ", whole);
    const step = create("td", "number", decimals(made));
    row.append(step, create("td", "number", decimals(rank + 1)), merge);
    return row;
  }
}

/**
 * How many tokens a pre-token becomes: each merge makes one of two.
 * @param {Kind} kind
 */
const finalCount = (kind) => kind.symbols.length - kind.steps.length;

/** @param {Kind} kind */
function finalTokens(kind) {
  const preToken = new PreToken(kind);
  preToken.go(kind.steps.length);
  return preToken.tokens();
}

/** @type {Record<string, string>} */
const KEYS = {
  ArrowRight: "next",
  ArrowLeft: "back",
  " ": "play",
  Home: "first",
  End: "last",
  ".": "word",
  ",": "word-back",
};

// Where the person left the page; the same text continues there.
let lastPlace = { serialized: "", index: 0, made: 0 };

/** @param {ComponentArguments<Encoding>} component */
export default function ({ data, parentElement, setStateValue }) {
  const [encoder, stop] = madeOnce(
    parentElement,
    () => new Encoder(parentElement, (word) => setStateValue("word", word)),
  );
  // which word is picked first changes with each pick; the text is the same
  const serialized = JSON.stringify({ ...data, first: null });
  if (encoder.serialized !== serialized) {
    encoder.serialized = serialized;
    encoder.load(data, serialized);
  }
  return stop;
}
