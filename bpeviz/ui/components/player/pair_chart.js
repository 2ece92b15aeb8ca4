// @ts-check
// The most frequent pairs as bars: the next merge solid, its ties hatched, the others pale, a picked one outlined.

import { DIGIT_WIDTH } from "../shared/axis.js";
import { create, createSvg } from "../shared/elements.js";
import { decimals } from "../shared/numbers.js";
import { ROLE_NAMES, SHOWN_PAIRS } from "./top_pairs.js";

/** @import { Run } from "../shared/types" */
/** @import { PairBar, TopPairs } from "./top_pairs.js" */

const NAME = "Most frequent pairs";
const ROW = 26;
const BAR = 18;
const EDGE = 4;
const LABEL_CHARACTERS = 11; // of each token
const LETTER = 7.9; // pixels
const LABEL_SHARE = 0.6; // of the chart's width, at most
const REST = 250; // milliseconds without a step before screen readers get the rows
const FIRST_WIDE = "\u1100";
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

export class PairChart {
  /** @param {(bar: PairBar) => void} onPick called with a bar that the person clicks */
  constructor(onPick) {
    this.figure = create("figure", "chart pairs");
    this.figure.setAttribute("aria-label", NAME);
    this.svg = createSvg("svg", { role: "list" });
    this.rows = createSvg("g", { class: "bars" });
    this.readout = create("div", "readout");
    this.svg.append(patterns(), this.rows);
    this.figure.append(this.svg, this.readout);
    /** @type {Map<string, Row>} */
    this.rowOf = new Map();
    /** @type {PairBar[]} */
    this.bars = [];
    /** @type {string | null} */
    this.picked = null;
    /** @type {number | null} */
    this.pointedAt = null; // the place of the bar under the pointer
    this.width = 0;
    /** @type {{ run: Run, top: TopPairs, columns: Int32Array } | null} */
    this.known = null;
    this.step = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.restTimer = undefined;
    this.resizeObserver = new ResizeObserver(() => this.resize());
    this.resizeObserver.observe(this.svg);
    this.svg.addEventListener("click", (event) => {
      const bar = this.bars[this.placeAt(event)];
      if (bar) onPick(bar);
    });
    this.svg.addEventListener("pointermove", (event) => this.point(this.placeAt(event)));
    this.svg.addEventListener("pointerleave", () => this.point(null));
  }

  stop() {
    clearTimeout(this.restTimer);
    this.resizeObserver.disconnect();
  }

  /**
   * @param {Run} run
   * @param {TopPairs} top
   */
  load(run, top) {
    this.known = { run, top, columns: labelColumns(run, top) };
    this.rowOf.clear();
    this.rows.replaceChildren();
    // the same at every step, so that nothing below moves while playing
    const rows = Math.min(SHOWN_PAIRS, top.pack.most);
    this.svg.setAttribute("height", String(rows * ROW + 2 * EDGE));
  }

  resize() {
    const { clientWidth } = this.svg;
    if (clientWidth === this.width) return;
    this.width = clientWidth;
    this.rowOf.clear(); // their labels may have room for more
    this.rows.replaceChildren();
    this.show(this.step);
  }

  /** @param {number} step */
  show(step) {
    this.step = step;
    if (!this.known || !this.width) return;
    const { run, top, columns } = this.known;
    this.bars = top.bars(run, step);
    const left = Math.round(Math.min(columns[step] * LETTER + 12, this.width * LABEL_SHARE));
    const greatest = Math.max(1, ...this.bars.map(({ count }) => count));
    const right = this.width - 12 - DIGIT_WIDTH * 1.2 * decimals(greatest).length;
    const rows = new Map();
    for (const bar of this.bars) {
      const key = keyOf(bar);
      rows.set(key, this.rowOf.get(key));
      this.rowOf.delete(key);
    }
    const spare = [...this.rowOf.values()];
    this.bars.forEach((bar, place) => {
      const key = keyOf(bar);
      let row = rows.get(key);
      if (!row) {
        row = spare.pop() ?? new Row(this.rows);
        row.name(this.label(bar, left));
        rows.set(key, row);
      }
      row.place(place, left, (bar.count / greatest) * Math.max(20, right - left));
      row.fill(bar, key === this.picked);
    });
    for (const row of spare) row.remove();
    this.rowOf = rows;
    if (this.pointedAt !== null) this.point(this.pointedAt);
    clearTimeout(this.restTimer);
    this.restTimer = setTimeout(() => this.describe(), REST);
  }

  /**
   * The label of a bar, with as many letters as there is room for.
   * @param {PairBar} bar
   * @param {number} width
   */
  label({ left, right }, width) {
    const labels = this.known?.run.labels ?? {};
    let most = LABEL_CHARACTERS;
    let label = "";
    do {
      const [a, b] = [labels[left], labels[right]].map((token) => shorten(token, most));
      label = `${isolated(a)} + ${isolated(b)}`;
      if (columnsOf(a) + columnsOf(b) + 3 <= (width - 8) / LETTER) break;
    } while (--most >= 3);
    return label;
  }

  /** @param {[number, number] | null} pair */
  pick(pair) {
    const key = pair && keyOf({ left: pair[0], right: pair[1] });
    if (key === this.picked) return;
    this.picked = key;
    this.show(this.step);
  }

  // Tell screen readers the rows.
  describe() {
    for (const bar of this.bars) this.rowOf.get(keyOf(bar))?.describe(this.describes(bar));
  }

  /** @param {PairBar} bar */
  describes({ left, right, count, role }) {
    const labels = this.known?.run.labels ?? {};
    const times = count === 1 ? "once" : `${decimals(count)} times`;
    return [`${isolated(labels[left])} + ${isolated(labels[right])}`, `${times}, ${ROLE_NAMES[role]}`];
  }

  /** @param {MouseEvent} event */
  placeAt({ clientY }) {
    return Math.floor((clientY - this.svg.getBoundingClientRect().top - EDGE) / ROW);
  }

  /** @param {number | null} place */
  point(place) {
    const bar = place === null ? undefined : this.bars[place];
    this.pointedAt = bar && place !== null ? place : null;
    this.figure.classList.toggle("pointing", bar !== undefined);
    if (!bar || place === null) return;
    const [name, says] = this.describes(bar);
    this.readout.replaceChildren(create("b", "", name), create("span", "", says));
    const below = EDGE + (place + 1) * ROW;
    const { offsetHeight } = this.readout;
    const above = below + offsetHeight > this.svg.clientHeight ? below - ROW - offsetHeight : below;
    this.readout.style.top = `${above}px`;
  }
}

// One bar with its label and its count. It keeps its pair while the pair is on show.
class Row {
  /** @param {SVGElement} rows */
  constructor(rows) {
    this.group = createSvg("g", { role: "listitem" });
    this.label = createSvg("text", { class: "label", y: EDGE + 13.5 });
    this.bar = createSvg("rect", { y: EDGE, height: BAR, rx: 3 });
    this.count = createSvg("text", { class: "count", y: EDGE + 13.5 });
    this.group.append(this.label, this.bar, this.count);
    rows.append(this.group);
    this.drawn = { place: -1, left: -1, length: -1, count: -1, look: "" };
  }

  remove() {
    this.group.remove();
  }

  /** @param {string} label */
  name(label) {
    this.label.textContent = label;
  }

  /**
   * @param {number} place
   * @param {number} left
   * @param {number} length
   */
  place(place, left, length) {
    const { drawn } = this;
    if (place !== drawn.place) this.group.setAttribute("transform", `translate(0 ${EDGE + place * ROW - 1})`);
    if (left !== drawn.left) {
      this.label.setAttribute("x", String(left - 8));
      this.bar.setAttribute("x", String(left));
    }
    if (length !== drawn.length) this.bar.setAttribute("width", length.toFixed(1));
    if (left + length !== drawn.left + drawn.length)
      this.count.setAttribute("x", (left + length + 5).toFixed(1));
    Object.assign(drawn, { place, left, length });
  }

  /**
   * @param {PairBar} bar
   * @param {boolean} picked
   */
  fill({ count, role }, picked) {
    const { drawn } = this;
    if (count !== drawn.count) this.count.textContent = decimals(count);
    const look = picked ? `bar ${role} picked` : `bar ${role}`;
    if (look !== drawn.look) this.bar.setAttribute("class", look);
    Object.assign(drawn, { count, look });
  }

  /** @param {string[]} says */
  describe(says) {
    this.group.setAttribute("aria-label", says.join(", "));
  }
}

// The hatching of ties and the crosses of vetoed pairs. Ids count in the whole document, so they are made up.
function patterns() {
  const definitions = createSvg("defs");
  const kinds = { hatch: "M-1 1l2-2M0 7l7-7M6 8l2-2", crosses: "M1 1l5 5M6 1l-5 5" };
  for (const [name, d] of Object.entries(kinds)) {
    const pattern = createSvg("pattern", {
      class: name,
      width: 7,
      height: 7,
      patternUnits: "userSpaceOnUse",
    });
    pattern.id = `bpeviz-${name}`;
    pattern.append(createSvg("rect", { width: 7, height: 7 }), createSvg("path", { d }));
    definitions.append(pattern);
  }
  return definitions;
}

/**
 * For each step, the columns of the longest label so far: then labels never make bars jump back and forth.
 * @param {Run} run
 * @param {TopPairs} top
 */
function labelColumns({ labels, num_merges: last }, { pack }) {
  const columns = new Int32Array(last + 1);
  /** @param {number} id */
  const wide = (id) => columnsOf(shorten(labels[id], LABEL_CHARACTERS));
  let longest = 0;
  let i = 0;
  for (let step = 0; step <= last; step++) {
    for (const end = i + pack.num_added[step]; i < end; i++) {
      longest = Math.max(longest, wide(pack.lefts[i]) + wide(pack.rights[i]) + 3);
    }
    columns[step] = longest;
  }
  return columns;
}

/** @param {{ left: number, right: number }} pair */
const keyOf = ({ left, right }) => `${left} ${right}`;

/** @param {string} token */
const isolated = (token) => `\u2068${token}\u2069`;

/**
 * The ends of a text, with … for what is left out; as in bpeviz/text/token_text.py.
 * @param {string} text
 * @param {number} most characters
 */
export function shorten(text, most) {
  const characters = Array.from(text);
  const half = Math.floor((most - 1) / 2);
  if (characters.length <= most) return text;
  return `${characters.slice(0, half).join("")}…${characters.slice(-half).join("")}`;
}

/**
 * The width of a text in letters; a wide character, such as a Chinese one, takes two.
 * @param {string} text
 */
export function columnsOf(text) {
  let columns = 0;
  for (const character of text) columns += character >= FIRST_WIDE && WIDE.test(character) ? 2 : 1;
  return columns;
}
