// @ts-check
// The most frequent pairs as bars: the next merge solid, its ties hatched, the others pale, a picked one outlined.
// There are as many bars as fit the window.

import { DIGIT_WIDTH } from "../shared/axis.js";
import { shorten } from "../shared/characters.js";
import { create, createSvg } from "../shared/elements.js";
import { counted, decimals } from "../shared/numbers.js";
import { ROLE_NAMES, SHOWN_PAIRS } from "./top_pairs.js";

/** @import { Run } from "../shared/types" */
/** @import { PairBar, TopPairs } from "./top_pairs.js" */

/** What a fork does with a pair. @typedef {"merge" | "veto"} Action */

const NAME = "Most frequent pairs";
const ROW = 26;
const BAR = 18;
const ROWS_EDGE = 4;
const LEAST_ROWS = 6; // beside a low window, or below a pair's card
const LABEL_CHARACTERS = 11; // of each token
const LETTER = 7.9; // pixels
const LABEL_SHARE = 0.6; // of the chart's width, at most
const ROWS_REST = 250; // milliseconds without a step before screen readers get the rows
const FIRST_WIDE = "\u1100";
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

export class PairChart {
  /**
   * @param {(bar: PairBar) => void} onPick called with a bar that the person clicks, or picks by keyboard
   * @param {(bar: PairBar, action: Action) => void} onFork called with a bar whose pair the person merges or vetoes
   * @param {(bar: PairBar | null) => void} onPoint called with the bar that they point at, and with null when they leave it
   */
  constructor(onPick, onFork, onPoint) {
    this.onPoint = onPoint;
    this.figure = create("figure", "chart pairs");
    this.figure.setAttribute("aria-label", NAME);
    this.svg = createSvg("svg", { role: "group", "aria-label": NAME });
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
    this.held = null; // the id of a token: the bars with it are marked
    /** @type {string | null} */
    this.focused = null; // the bar that had the focus before the rows were drawn again
    /** @type {number | null} */
    this.pointedAt = null; // the place of the bar under the pointer, or with the focus
    /** @type {string | null} */
    this.told = null; // the bar that onPoint was called with last
    this.cursor = 0; // the place of the bar that gets the focus
    this.focusing = false; // whether a script moves the focus, not the person
    this.width = 0;
    this.most = SHOWN_PAIRS; // bars
    /** @type {{ run: Run, top: TopPairs, columns: Int32Array } | null} */
    this.known = null;
    this.step = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.restTimer = undefined;
    this.resizeObserver = new ResizeObserver(() => this.resize());
    this.resizeObserver.observe(this.svg);
    this.svg.addEventListener("click", (event) => {
      const place = this.placeAt(event);
      const bar = this.bars[place];
      if (!bar) return;
      this.cursor = place;
      this.focusCursor(); // a click beside its bar gives it none
      this.point(place);
      onPick(bar);
    });
    this.svg.addEventListener("pointermove", (event) => this.point(this.placeAt(event)));
    this.svg.addEventListener("pointerleave", () => this.point(null));
    this.svg.addEventListener("focusin", () => {
      this.cursor = this.focusedPlace() ?? this.cursor; // a press moves the focus before the click comes
      this.markCursor();
      if (!this.focusing) this.point(this.cursor);
    });
    this.svg.addEventListener("focusout", () => this.point(null));
    this.svg.addEventListener("keydown", (event) => {
      const bar = this.bars[this.cursor];
      if (!bar || event.ctrlKey || event.metaKey || event.altKey) return;
      /** @type {Record<string, () => void>} */
      const keys = {
        ArrowDown: () => this.walk(1),
        ArrowUp: () => this.walk(-1),
        Enter: () => onPick(bar),
        m: () => onFork(bar, "merge"),
        v: () => onFork(bar, "veto"),
      };
      if (!Object.hasOwn(keys, event.key)) return;
      event.preventDefault();
      event.stopPropagation(); // Enter also picks a token
      keys[event.key]();
    });
  }

  // Move the focus to the bar above or below.
  /** @param {number} by */
  walk(by) {
    this.cursor = Math.max(0, Math.min(this.bars.length - 1, this.cursor + by));
    this.focusCursor();
    this.point(this.cursor);
  }

  // Focus the picked bar, else the one that had the focus last, and show its tip: for a key that the person presses.
  visit() {
    if (!this.focus()) return false;
    this.point(this.cursor);
    return true;
  }

  // The same without the tip: for what is no key in the chart.
  focus() {
    const picked = this.bars.findIndex((bar) => keyOf(bar) === this.picked);
    if (picked >= 0) this.cursor = picked;
    this.cursor = Math.max(0, Math.min(this.bars.length - 1, this.cursor));
    return this.focusCursor();
  }

  focusCursor() {
    const bar = this.bars[this.cursor];
    const row = bar && this.rowOf.get(keyOf(bar));
    if (!row) return false;
    this.markCursor();
    this.focusing = true;
    row.group.focus();
    this.focusing = false;
    return true;
  }

  // One bar can be reached by Tab.
  markCursor() {
    this.bars.forEach((bar, place) => {
      this.rowOf.get(keyOf(bar))?.group.setAttribute("tabindex", place === this.cursor ? "0" : "-1");
    });
  }

  // The bar that has the focus, if any.
  focusedRow() {
    const root = this.rows.getRootNode();
    const focused = root instanceof ShadowRoot ? root.activeElement : document.activeElement;
    return [...this.rowOf].find(([, row]) => row.group === focused)?.[0] ?? null;
  }

  // The place of the bar that has the focus, if any.
  focusedPlace() {
    const key = this.focusedRow();
    const place = this.bars.findIndex((bar) => keyOf(bar) === key);
    return place < 0 ? null : place;
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
    this.focused ??= this.focusedRow();
    this.rowOf.clear();
    this.rows.replaceChildren();
    this.setHeight();
  }

  // The same at every step, so that nothing below moves while playing.
  setHeight() {
    const rows = Math.min(this.most, this.known?.top.pack.most ?? 0);
    this.svg.setAttribute("height", String(rows * ROW + 2 * ROWS_EDGE));
  }

  /**
   * Show as many bars as a height has room for, but not fewer than LEAST_ROWS.
   * @param {number} height in pixels
   */
  fit(height) {
    const most = Math.max(LEAST_ROWS, Math.min(SHOWN_PAIRS, Math.floor((height - 2 * ROWS_EDGE) / ROW)));
    if (most === this.most) return;
    this.most = most;
    this.setHeight();
    this.show(this.step);
  }

  resize() {
    const { clientWidth } = this.svg;
    if (clientWidth === this.width) return;
    this.width = clientWidth;
    this.focused ??= this.focusedRow();
    this.rowOf.clear(); // their labels may have room for more
    this.rows.replaceChildren();
    this.show(this.step);
  }

  /** @param {number} step */
  show(step) {
    this.step = step;
    if (!this.known || !this.width) return;
    const { run, top, columns } = this.known;
    const focused = this.focused ?? this.focusedRow();
    const pointed = this.pointedAt; // a row that goes takes the focus, and so the tip, with it
    const pointsAtFocused = focused !== null && pointed === this.cursor;
    this.bars = top.bars(run, step, this.most);
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
      row.fill(bar, key === this.picked, bar.left === this.held || bar.right === this.held);
    });
    for (const row of spare) row.remove();
    this.rowOf = rows;
    this.keepFocus(focused);
    if (pointed !== null) this.point(pointsAtFocused ? this.cursor : pointed);
    clearTimeout(this.restTimer);
    this.restTimer = setTimeout(() => this.describe(), ROWS_REST);
  }

  /**
   * Keep the focus on the same pair, or on the bar at its place if the pair has no bar now.
   * @param {string | null} key
   */
  keepFocus(key) {
    const place = this.bars.findIndex((bar) => keyOf(bar) === key);
    if (place >= 0) this.cursor = place;
    this.cursor = Math.max(0, Math.min(this.bars.length - 1, this.cursor));
    this.markCursor();
    this.focused = null;
    if (key !== null && this.focusedRow() === null) this.focusCursor();
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

  /**
   * Mark the bars with a token, by its id.
   * @param {number | null} token
   */
  hold(token) {
    if (token === this.held) return;
    this.held = token;
    this.show(this.step);
  }

  // Tell screen readers the rows, in the order on the screen.
  describe() {
    this.sort();
    for (const bar of this.bars) this.rowOf.get(keyOf(bar))?.describe(this.describes(bar));
  }

  // A row that moved would lose the focus, so the others move around it.
  sort() {
    const rows = this.bars.flatMap((bar) => this.rowOf.get(keyOf(bar))?.group ?? []);
    if (rows.every((row, place) => row === this.rows.children[place])) return;
    const held = this.focusedPlace() ?? -1;
    if (held > 0) rows[held].before(...rows.slice(0, held));
    this.rows.append(...rows.slice(held + 1));
  }

  /** @param {PairBar} bar */
  describes({ left, right, count, role }) {
    const labels = this.known?.run.labels ?? {};
    const times = counted(count, "time");
    return [`${isolated(labels[left])} + ${isolated(labels[right])}`, `${times}, ${ROLE_NAMES[role]}`];
  }

  // Say at which bar the person points, once for each pair.
  /** @param {PairBar | null} bar */
  tell(bar) {
    const key = bar && keyOf(bar);
    if (key === this.told) return;
    this.told = key;
    this.onPoint(bar);
  }

  /** @param {MouseEvent} event */
  placeAt({ clientY }) {
    return Math.floor((clientY - this.svg.getBoundingClientRect().top - ROWS_EDGE) / ROW);
  }

  /** @param {number | null} place */
  point(place) {
    const bar = place === null ? undefined : this.bars[place];
    this.pointedAt = bar && place !== null ? place : null;
    this.tell(bar ?? null);
    const row = bar && this.rowOf.get(keyOf(bar));
    if (!bar || !row || place === null) return this.figure.classList.remove("pointing");
    // People with a mouse read the row itself, unless it cuts the name.
    const [name, says] = this.describes(bar);
    const byKeys = row.group.matches(":focus-visible");
    this.figure.classList.toggle("pointing", byKeys || row.label.textContent !== name);
    this.readout.replaceChildren(create("b", "", name), ...(byKeys ? [create("span", "", says)] : []));
    // Above its bar: people read the bars downwards, so the next ones stay in view.
    this.readout.style.bottom = `${this.figure.clientHeight - ROWS_EDGE - place * ROW}px`;
  }
}

// One bar with its label and its count. It keeps its pair while the pair is on show.
class Row {
  /** @param {SVGElement} rows */
  constructor(rows) {
    this.group = createSvg("g", { role: "button", tabindex: -1 });
    this.label = createSvg("text", { class: "label", y: ROWS_EDGE + 13.5 });
    this.bar = createSvg("rect", { y: ROWS_EDGE, height: BAR, rx: 3 });
    this.count = createSvg("text", { class: "count", y: ROWS_EDGE + 13.5 });
    this.group.append(this.label, this.bar, this.count);
    rows.append(this.group);
    this.drawn = { place: -1, left: -1, length: -1, count: -1, role: "", look: "" };
  }

  remove() {
    this.group.remove();
  }

  /** @param {string} label */
  name(label) {
    this.label.textContent = label;
    this.forget();
  }

  /**
   * @param {number} place
   * @param {number} left
   * @param {number} length
   */
  place(place, left, length) {
    const { drawn } = this;
    if (place !== drawn.place)
      this.group.setAttribute("transform", `translate(0 ${ROWS_EDGE + place * ROW - 1})`);
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
   * @param {boolean} held whether its pair has the token that the person points at
   */
  fill({ count, role }, picked, held) {
    const { drawn } = this;
    if (count !== drawn.count) this.count.textContent = decimals(count);
    if (count !== drawn.count || role !== drawn.role) this.forget();
    const look = `bar ${role}${picked ? " picked" : ""}${held ? " held" : ""}`;
    if (look !== drawn.look) {
      this.bar.setAttribute("class", look);
      this.group.setAttribute("aria-pressed", String(picked));
    }
    Object.assign(drawn, { count, role, look });
  }

  // What screen readers were told is true no more; until the player rests, they get what is drawn.
  forget() {
    this.group.removeAttribute("aria-label");
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
 * The width of a text in letters; a wide character, such as a Chinese one, takes two.
 * @param {string} text
 */
export function columnsOf(text) {
  let columns = 0;
  for (const character of text) columns += character >= FIRST_WIDE && WIDE.test(character) ? 2 : 1;
  return columns;
}
