// @ts-check
// The encoding of a text, merge by merge. Python sends the symbols, ranks and steps of each distinct pre-token;
// every step is drawn here.

import { isContinuation } from "../shared/bytes.js";
import { madeOnce, onCommands, showPlaying } from "../shared/component.js";
import { closest, create, find, findAll, write } from "../shared/elements.js";
import { Keyboard } from "../shared/keyboard.js";
import { decimals } from "../shared/numbers.js";
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
 */

const CHIP_TOKENS = 240; // of more tokens, those far from the merge are left out
const LOGGED = 100; // merges listed at once
const STEPS_PER_SECOND = 3;
const STEPS_PER_SECOND_STILL = 1; // for a person who asked for less motion

class Encoder {
  /** @param {ShadowRoot} root */
  constructor(root) {
    this.root = root;
    this.bench = new Bench(root);
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
    this.before = [0]; // merges in the pre-tokens before each
    this.index = 0; // of the pre-token at work
    this.made = 0; // merges in it
    /** @type {{ index: number, preToken: PreToken } | null} */
    this.atWork = null;
    onCommands(root, (name) => this.command(name));
    this.chips.addEventListener("click", (event) => {
      const chip = closest(event, ".chip");
      if (chip) this.jump(Number(chip.dataset.index), 0);
    });
    find(root, ".log tbody").addEventListener("click", (event) => {
      const row = closest(event, "tr");
      if (row) this.jump(Number(row.dataset.index), Number(row.dataset.made));
    });
    const bindings = Object.entries(KEYS).map(([key, name]) => ({ key, run: () => this.command(name) }));
    this.keyboard = new Keyboard(document, bindings, { withSpace: "button, a, summary" });
  }

  stop() {
    this.pause();
    lastPlace = { ...lastPlace, index: this.index, made: this.made };
    this.keyboard.stop();
  }

  /**
   * Another text or tokenizer begins at the start; or at the end, if the person was at the end before.
   * @param {Encoding} data
   * @param {string} serialized
   */
  load(data, serialized) {
    const atEnd = this.pieces.length > 0 && this.isLast(this.index, this.made);
    this.pause();
    this.known = knownTokens(data.tokens);
    this.kinds = data.kinds.map((kind) => ({ ...kind, steps: kind.steps.map(readStep) }));
    this.pieces = data.pieces;
    let total = 0;
    this.before = [total];
    for (const kind of this.pieces) {
      total += this.kinds[kind].steps.length;
      this.before.push(total);
    }
    write(this.root, ".of", decimals(total));
    const same = lastPlace.serialized === serialized;
    this.index = same ? lastPlace.index : atEnd ? this.pieces.length - 1 : 0;
    this.made = same ? lastPlace.made : atEnd ? this.count(this.index) : 0;
    lastPlace = { serialized, index: this.index, made: this.made };
    this.atWork = null;
    this.drawChips();
    this.show();
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
    else if (name === "first") this.jump(0, 0);
    else if (name === "last") this.jump(end, this.count(end));
    else if (name === "next") this.jump(...this.next());
    else if (name === "back") this.jump(...this.previous());
    else if (name === "pre-token") this.jump(Math.min(end, index + 1), index === end ? this.count(end) : 0);
    else if (name === "pre-token-back") this.jump(this.made > 0 ? index : Math.max(0, index - 1), 0);
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
    if (this.isLast(this.index, this.made)) this.go(0, 0);
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
    const kind = this.kinds[this.pieces[index]];
    if (this.atWork?.index !== index) this.atWork = { index, preToken: new PreToken(kind) };
    const { preToken } = this.atWork;
    preToken.go(made);
    const now = preToken.tokens();
    const where = `Pre-token ${decimals(index + 1)} of ${decimals(this.pieces.length)}: `;
    this.bench.show({
      kind,
      now,
      last: kind.steps[made - 1],
      next: kind.steps[made],
      known: this.known,
      where,
    });
    write(this.root, ".so-far", decimals(this.before[index] + made));
    this.showChips(now);
    this.showLog();
  }

  // Make an empty chip for each pre-token, which showChips fills; a line end begins a new line.
  drawChips() {
    this.drawn = [];
    this.chips.replaceChildren();
    const fragment = document.createDocumentFragment();
    for (const [index, kind] of this.pieces.entries()) {
      const { text, special, line_end: lineEnd } = this.kinds[kind];
      const chip = create("button", special ? "chip special" : "chip");
      chip.type = "button";
      chip.tabIndex = -1; // "," and "." lead from one to the next
      chip.dataset.index = String(index);
      chip.setAttribute("aria-label", `Pre-token ${index + 1}, ${text}`);
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
   * Chips before the current one are done, those after it wait; only chips that change are drawn again.
   * @param {CurrentToken[]} now
   */
  showChips(now) {
    for (const [i, chip] of this.chipList.entries()) {
      const made = i < this.index ? this.count(i) : i > this.index ? 0 : this.made;
      if (this.drawn[i] !== made) this.fillChip(chip, i, made, now);
      this.drawn[i] = made;
      chip.classList.toggle("waiting", i > this.index);
      const done = i < this.index || (i === this.index && made === this.count(i));
      chip.classList.toggle("done", done);
      if (i === this.index) chip.setAttribute("aria-current", "step");
      else chip.removeAttribute("aria-current");
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
    const state = made === 0 ? "first" : made === kind.steps.length ? "final" : null;
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

  // List the latest merges, also of the pre-tokens before.
  showLog() {
    const log = find(this.root, ".log");
    const total = this.before[this.index] + this.made;
    /** @type {HTMLElement[]} */
    const rows = [];
    let made = this.made;
    for (let i = this.index; i >= 0 && rows.length < LOGGED; i--) {
      for (; made > 0 && rows.length < LOGGED; made--) rows.push(this.logRow(i, made));
      made = i > 0 ? this.count(i - 1) : 0;
    }
    find(log, "tbody").replaceChildren(...rows);
    find(log, "table").hidden = total === 0;
    find(log, ".nothing").hidden = total > 0;
    const more = total - rows.length;
    find(log, ".more").textContent = more ? `and ${decimals(more)} earlier` : "";
    log.scrollTop = 0;
  }

  /**
   * @param {number} index
   * @param {number} made
   */
  logRow(index, made) {
    const { rank, id, left, right } = this.kinds[this.pieces[index]].steps[made - 1];
    const row = create("tr", made === 1 ? "first" : "");
    row.dataset.index = String(index);
    row.dataset.made = String(made);
    const merge = create("td");
    const [a, b, whole] = [left, right, id].map((token) => tokenCell(this.known(token)));
    merge.append(a, " + ", b, " → ", whole);
    const number = decimals(this.before[index] + made);
    row.append(create("td", "number", number), create("td", "number", decimals(rank)), merge);
    return row;
  }
}

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
  ".": "pre-token",
  ",": "pre-token-back",
};

// Where the person left the page; the same text continues there.
let lastPlace = { serialized: "", index: 0, made: 0 };

/** @param {ComponentArguments<Encoding>} component */
export default function ({ data, parentElement }) {
  const [encoder, stop] = madeOnce(parentElement, () => new Encoder(parentElement));
  const serialized = JSON.stringify(data);
  if (encoder.serialized !== serialized) {
    encoder.serialized = serialized;
    encoder.load(data, serialized);
  }
  return stop;
}
