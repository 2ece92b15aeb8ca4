// @ts-check
// Two tokenizers on one text. Python sends the text with the gap ranks of both. Everything that depends on the
// sliders is drawn here; Python gets a report once both rest.

import { create, find, write } from "../shared/elements.js";
import { upperBound } from "../shared/gap_ranks.js";
import { Keyboard } from "../shared/keyboard.js";
import { counted, decimals } from "../shared/numbers.js";
import { readPack } from "../shared/pack.js";
import { explainTerms } from "../shared/term.js";
import { AlignedDetails } from "./aligned_details.js";
import { AlignedView } from "./aligned_view.js";
import { Disagreements } from "./disagreements.js";
import { RankPairs } from "./rank_pairs.js";
import { aheadFrom, lastCrossing, mergesFor, RivalsChart } from "./rivals_chart.js";
import { RowTokens } from "./row_tokens.js";
import {
  aheadSentence,
  equalSentence,
  sameSentence,
  sideName,
  sizeNote,
  verdict,
  verdictOfAll,
  written,
} from "./sentences.js";

/** @import { ComponentArguments, IdSource } from "../shared/types" */
/** @import { Pair } from "./agreement.js" */
/** @import { Sentence } from "./sentences.js" */

/**
 * What Python sends of a side.
 * @typedef {object} SideHeader
 * @property {string} name
 * @property {number} start
 * @property {number} base_size
 * @property {Record<string, number>} base_ids
 */
/**
 * A side with its arrays; `sizes` are those of its vocabulary after 0, 1, … merges.
 * @typedef {SideHeader & Omit<IdSource, "gaps"> & { num_merges: number, sizes: Int32Array }} Side
 */
/**
 * What Python sends; see `pack_comparison` in bpeviz/browser.
 * @typedef {object} Comparison
 * @property {Pair<SideHeader>} sides
 * @property {{ name: string, tokens: number }[]} others the tokenizers in more rows
 * @property {boolean} locked
 * @property {number} serial
 * @property {Uint8Array} text
 * @property {Uint8Array<ArrayBuffer>} numbers
 * @property {Int32Array} first
 * @property {Int32Array} second
 * @property {Int32Array} counts
 * @property {Uint8Array} other_ends
 * @property {Int32Array | Float64Array} ids_0
 * @property {Int32Array | Float64Array} ids_1
 * @property {Uint8Array} new_0
 * @property {Uint8Array} new_1
 * @property {Int32Array} hidden_0
 * @property {Int32Array} hidden_1
 * @property {Int32Array} symbols_0
 * @property {Int32Array} symbols_1
 */

const REPORT_AFTER = 400; // milliseconds without a change
const SLIDE_STEPS = 1000;

export class Comparer {
  /** @param {ShadowRoot} root */
  constructor(root) {
    this.root = root;
    explainTerms(root);
    this.view = new AlignedView(find(root, ".aligned"));
    this.details = new AlignedDetails(find(root, ".aligned"), this.view);
    this.chart = new RivalsChart(find(root, ".rivals"), (side, merges) => this.go(side, merges));
    this.disagreements = new Disagreements(find(root, ".disagreements"), this.view);
    this.lock = find(root, ".lock input", HTMLInputElement);
    this.lock.addEventListener("change", () => this.locked());
    this.fields = [0, 1].map(
      (side) => new SideFields(find(root, `.side[data-side="${side}"]`), (merges) => this.go(side, merges)),
    );
    // The same keys as in the player's text.
    this.keyboard = new Keyboard(this.view.scroller, [
      { key: ".", run: () => this.view.moveCursor(1) },
      { key: ",", run: () => this.view.moveCursor(-1) },
      { key: "Escape", run: () => this.view.leaveToken() },
    ]);
    this.optionKeys = new Keyboard(document, this.view.options.keys);
    /** @type {Uint8Array | null} */
    this.bytes = null; // the pack on show
    /** @type {Uint8Array} */
    this.text = new Uint8Array();
    /** @type {Side[]} */
    this.sides = [];
    /** @type {Pair<number>} */
    this.merges = [0, 0];
    /** @type {Pair<number>} */
    this.unlocked = [0, 0]; // the merges before the tick that locks both to equal vocabulary sizes
    /** @type {Pair<Float64Array>} */
    this.totals = [new Float64Array(), new Float64Array()];
    /** @type {number | null} */
    this.from = null; // the merges from which on one side needs fewer tokens
    /** @type {Sentence | null} */
    this.same = null; // what to say of sides that are the same
    /** @type {Comparison["others"]} */
    this.others = [];
    this.serial = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.restTimer = undefined;
    this.frame = 0;
    /** @type {ComponentArguments<Uint8Array>["setStateValue"]} */
    this.setStateValue = () => {};
  }

  stop() {
    clearTimeout(this.restTimer);
    cancelAnimationFrame(this.frame);
    this.keyboard.stop();
    this.optionKeys.stop();
    this.view.stop();
    this.details.stop();
    this.chart.stop();
  }

  /** @param {Uint8Array} bytes */
  load(bytes) {
    const pack = /** @type {Comparison} */ (readPack(bytes));
    const { text } = pack;
    const pairs = rankPairsOf(pack);
    const first = sideOf(pack.sides[0], text, pack.ids_0, pack.new_0, pack.symbols_0);
    const second = sideOf(pack.sides[1], text, pack.ids_1, pack.new_1, pack.symbols_1);
    this.sides = [first, second];
    this.text = text;
    this.merges = [Math.min(first.start, first.num_merges), Math.min(second.start, second.num_merges)];
    this.unlocked = pack.locked ? [first.num_merges, second.num_merges] : this.merges;
    this.lock.checked = pack.locked;
    find(this.root, ".merges", HTMLDetailsElement).open ||= this.merges.some(
      (made, side) => made < this.sides[side].num_merges,
    );
    this.serial = pack.serial;
    this.totals = [
      pairs.tokenTotals(0, first.num_merges, pack.hidden_0),
      pairs.tokenTotals(1, second.num_merges, pack.hidden_1),
    ];
    this.from = aheadFrom(this.totals);
    const names = [first.name, second.name];
    this.same = sameSentence(this.totals, names);
    for (const [side, name] of names.entries()) {
      this.fields[side].load(side, this.sides[side]);
      for (const place of this.root.querySelectorAll(`.name-${side}`)) {
        place.replaceChildren(sideName(side, name));
      }
    }
    this.others = pack.others;
    this.nameRows(names);
    this.chart.clear();
    const rows = new RowTokens(this.sides, pairs, () => this.merges, idsOfOthers(pack));
    this.view.open(text, pairs, this.merges, rows);
    this.details.open([...names, ...pack.others.map(({ name }) => name)]);
    this.disagreements.load(names);
    this.show();
    // Once the text is on the screen.
    requestAnimationFrame(() =>
      setTimeout(() => {
        this.chart.load(this.totals, names, lastCrossing(this.totals));
        this.rested();
      }),
    );
  }

  /**
   * Say whose rows the text has, from above, each with its tokens.
   * @param {string[]} names
   */
  nameRows(names) {
    const all = [...names, ...this.others.map(({ name }) => name)];
    find(this.root, ".order").replaceChildren(
      ...all.map((name, side) =>
        create("span", "", sideName(side, name), " ", create("span", `tokens-${side}`)),
      ),
    );
    for (const [i, { tokens }] of this.others.entries()) this.showTokens(i + 2, tokens);
  }

  /**
   * @param {number} side
   * @param {number} tokens
   */
  showTokens(side, tokens) {
    write(this.root, `.tokens-${side}`, counted(tokens, "token"));
  }

  /**
   * Set a side's number of merges; the other follows if both are locked to equal vocabulary sizes.
   * @param {number} side
   * @param {number} merges
   */
  go(side, merges) {
    const last = this.sides[side].num_merges;
    this.merges[side] = Math.max(0, Math.min(last, merges));
    if (this.lock.checked) this.follow(1 - side, this.sizes()[side]);
    this.moved();
  }

  // The tick begins at the size of the smaller vocabulary: the other one can have it too. Without it both sides are
  // again where they were before.
  locked() {
    if (this.lock.checked) {
      this.unlocked = [...this.merges];
      const size = Math.min(...this.sizes());
      for (const side of [0, 1]) this.follow(side, size);
    } else {
      this.merges = this.unlocked;
    }
    this.moved();
  }

  /**
   * Give a side so many merges that its vocabulary has a size, or nearly.
   * @param {number} side
   * @param {number} size
   */
  follow(side, size) {
    this.merges[side] = Math.max(0, upperBound(this.sides[side].sizes, size) - 1);
  }

  /** @returns {Pair<number>} */
  sizes() {
    return [this.sides[0].sizes[this.merges[0]], this.sides[1].sizes[this.merges[1]]];
  }

  moved() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => {
      this.view.show(this.merges);
      this.details.showFocused();
      this.show();
      this.rest();
    });
  }

  rest() {
    clearTimeout(this.restTimer);
    this.restTimer = setTimeout(() => this.rested(), REPORT_AFTER);
  }

  rested() {
    this.disagreements.show();
    const [left, right] = this.merges;
    this.setStateValue("at", { left, right, locked: this.lock.checked, serial: this.serial });
  }

  show() {
    for (const [side, merges] of this.merges.entries()) {
      this.fields[side].show(merges);
      this.showFigures(side, this.totals[side][merges]);
    }
    const { shared, only, precision, recall, f1 } = this.view.figures;
    write(this.root, "[data-tile=shared]", decimals(shared));
    for (const [side, count] of only.entries()) write(this.root, `[data-tile=only-${side}]`, decimals(count));
    for (const [name, share] of Object.entries({ precision, recall, f1 })) {
      write(this.root, `[data-tile=${name}]`, decimals(share, 3));
    }
    const equal = mergesFor(this.totals[1], this.totals[0][this.merges[0]]);
    this.chart.show(this.merges, equal);
    this.say(equal);
  }

  /**
   * Show the vocabulary size of a side and how it cuts the text.
   * @param {number} side
   * @param {number} tokens
   */
  showFigures(side, tokens) {
    const row = find(this.root, `tr[data-side="${side}"]`);
    write(row, "[data-figure=vocabulary]", decimals(this.sizes()[side]));
    write(row, "[data-figure=tokens]", decimals(tokens));
    this.showTokens(side, tokens);
    write(row, "[data-figure=ratio]", decimals(tokens ? this.text.length / tokens : 0, 2));
  }

  /** @param {number | null} equal the merges with which the right side needs as few tokens as the left */
  say(equal) {
    const { totals, merges } = this;
    const [first, second] = this.sides;
    const tokens = /** @type {Pair<number>} */ (totals.map((each, side) => each[merges[side]]));
    const same = this.view.figures.only.every((count) => count === 0);
    const all = second.num_merges;
    const { others } = this;
    const sentences = {
      ".verdict": others.length
        ? verdictOfAll([...tokens, ...others.map((each) => each.tokens)])
        : verdict(tokens, this.sizes(), same),
      ".so-far": merges.every((made, side) => made === this.sides[side].num_merges)
        ? ["All merges"]
        : [0, ` after ${counted(merges[0], "merge")}, `, 1, ` after ${counted(merges[1], "merge")}`],
      ".note": sizeNote(this.sizes(), this.lock.checked),
      ".say": this.same ?? [
        ...equalSentence(merges[0], equal, all, totals[1][all]),
        ...aheadSentence(totals, this.from),
      ],
    };
    const names = [first, second, ...others].map(({ name }) => name);
    for (const [place, sentence] of Object.entries(sentences)) {
      find(this.root, place).replaceChildren(...written(sentence, names));
    }
  }
}

// The slider and field of one side. The slider is logarithmic: the first merges matter most.
class SideFields {
  /**
   * @param {HTMLElement} section
   * @param {(merges: number) => void} go
   */
  constructor(section, go) {
    this.section = section;
    this.slide = find(section, ".slide", HTMLInputElement);
    this.step = find(section, ".step", HTMLInputElement);
    this.go = go;
    this.last = 0;
    this.merges = 0;
    this.slide.addEventListener("input", () => {
      go(Math.round((this.last + 1) ** (Number(this.slide.value) / SLIDE_STEPS) - 1));
    });
    this.slide.addEventListener("keydown", (event) => this.keyed(event));
    this.step.addEventListener("change", () => this.typed());
  }

  /**
   * @param {number} place 0 on the left, 1 on the right
   * @param {Side} side
   */
  load(place, { name, num_merges: last }) {
    this.last = last;
    find(this.section, "h3").replaceChildren(sideName(place, name));
    write(this.section, ".of", `of ${counted(last, "merge")}`);
    this.slide.setAttribute("aria-label", `Merges of ${name}`);
    this.step.setAttribute("aria-label", `Merges of ${name}, as a number`);
    this.step.max = String(last);
  }

  /**
   * Arrows go merge by merge, pages by a tenth.
   * @param {KeyboardEvent} event
   */
  keyed(event) {
    const tenth = Math.max(1, Math.round(this.merges / 10));
    /** @type {Record<string, number>} */
    const moves = {
      ArrowRight: 1,
      ArrowUp: 1,
      ArrowLeft: -1,
      ArrowDown: -1,
      PageUp: tenth,
      PageDown: -tenth,
      Home: -Infinity,
      End: Infinity,
    };
    const by = moves[event.key];
    if (by === undefined) return;
    event.preventDefault();
    this.merges = Math.max(0, Math.min(this.last, this.merges + by)); // the next key may come before the next frame
    this.go(this.merges);
  }

  typed() {
    const merges = Math.round(Number(this.step.value));
    this.go(this.step.value === "" || Number.isNaN(merges) ? this.merges : merges);
  }

  /** @param {number} merges */
  show(merges) {
    this.merges = merges;
    const share = this.last ? Math.log(merges + 1) / Math.log(this.last + 1) : 0;
    this.slide.value = String(Math.round(share * SLIDE_STEPS));
    this.slide.setAttribute("aria-valuetext", counted(merges, "merge"));
    this.step.value = String(merges);
  }
}

/** @param {Comparison} pack */
function rankPairsOf({ text, numbers, first, second, counts, other_ends, others }) {
  const Numbers = numbers.length > 2 * text.length ? Uint32Array : Uint16Array;
  return new RankPairs(new Numbers(numbers.buffer), [first, second], counts, other_ends, others.length);
}

/**
 * The ids of each other tokenizer's tokens; the fields of a pack can't name their number.
 * @param {Comparison} pack
 */
function idsOfOthers(pack) {
  const arrays = /** @type {Record<string, ArrayLike<number>>} */ (/** @type {unknown} */ (pack));
  return pack.others.map((_, i) => arrays[`ids_${i + pack.sides.length}`]);
}

/**
 * @param {SideHeader} header
 * @param {Uint8Array} text
 * @param {ArrayLike<number>} ids
 * @param {Uint8Array} isNew whether the token of each merge is new
 * @param {Int32Array} symbols
 * @returns {Side}
 */
function sideOf(header, text, ids, isNew, symbols) {
  const sizes = new Int32Array(isNew.length + 1);
  sizes[0] = header.base_size;
  for (let k = 0; k < isNew.length; k++) sizes[k + 1] = sizes[k] + isNew[k];
  return { ...header, text, ids, symbols, sizes, num_merges: isNew.length };
}
