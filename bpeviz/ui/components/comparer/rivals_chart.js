// @ts-check
// How many tokens the text has after every number of merges, of both sides in one chart: where the lines cross,
// and with how many merges one does what the other does now.

import { Axis, DIGIT_WIDTH } from "../shared/axis.js";
import { linePath, onDrag } from "../shared/curve.js";
import { createSvg, find, setAttributes } from "../shared/elements.js";
import { decimals } from "../shared/numbers.js";

/** @import { Pair } from "./agreement.js" */

const RIVALS_HEIGHT = 300;
const RIVALS_TOP = 12;
const RIVALS_BOTTOM = RIVALS_HEIGHT - 34;
const RIVALS_RIGHT_ROOM = 16;

/** What is drawn for one width. @typedef {{ width: number, left: number, xAxis: Axis, yAxis: Axis }} Drawn */

export class RivalsChart {
  /**
   * @param {HTMLElement} card
   * @param {(side: number, merges: number) => void} go take a side there
   */
  constructor(card, go) {
    this.svg = find(card, "svg", SVGSVGElement);
    this.svg.setAttribute("height", String(RIVALS_HEIGHT));
    /** @type {Pair<Float64Array> | null} */
    this.totals = null;
    /** @type {string[]} */
    this.names = [];
    /** @type {Pair<number> | null} */
    this.merges = null;
    /** @type {number | null} */
    this.equal = null;
    /** @type {Drawn | null} */
    this.drawn = null;
    this.grid = createSvg("g");
    this.guide = createSvg("line", { class: "guide" });
    this.lines = ["first", "second"].map((name) => createSvg("path", { class: `line ${name}` }));
    this.markers = [
      createSvg("circle", { class: "marker first", r: 5 }),
      createSvg("rect", { class: "marker second", width: 9, height: 9 }),
    ];
    this.crossing = createSvg("text", { class: "crossing", y: 0, "text-anchor": "middle" }, "✕");
    this.svg.append(this.grid, this.guide, ...this.lines, this.crossing, ...this.markers);
    this.resizeObserver = new ResizeObserver(() => this.draw());
    this.resizeObserver.observe(card);
    this.go = go;
    onDrag(this.svg, (event) => this.pointed(event));
  }

  stop() {
    this.resizeObserver.disconnect();
  }

  /**
   * @param {Pair<Float64Array>} totals for each side the tokens after 0, 1, … merges
   * @param {string[]} names
   */
  load(totals, names) {
    this.totals = totals;
    this.names = names;
    this.merges = null; // those of the former sides, of which the new ones may not have as many
    this.drawn = null;
    this.draw();
  }

  // All that moving a slider does not change.
  draw() {
    const { totals } = this;
    const width = this.svg.clientWidth;
    if (!totals || !width || width === this.drawn?.width) return;
    const most = Math.max(2, ...totals.map(({ length }) => length - 1));
    const ends = totals.flatMap((each) => [each[0], each[each.length - 1]]);
    const tokens = /** @type {Pair<number>} */ ([Math.min(...ends), Math.max(...ends)]);
    const yAxis = new Axis({ label: "tokens" }, tokens, RIVALS_BOTTOM, RIVALS_TOP, 40, true);
    const left = 12 + DIGIT_WIDTH * Math.max(...yAxis.ticks.map((tick) => yAxis.write(tick).length));
    const kind = { label: "merges, log scale", log: true };
    const xAxis = new Axis(kind, [1, most], left, width - RIVALS_RIGHT_ROOM, 46, false);
    this.drawn = { width, left, xAxis, yAxis };
    this.svg.setAttribute("viewBox", `0 0 ${width} ${RIVALS_HEIGHT}`);
    this.grid.replaceChildren(...gridLines(this.drawn));
    for (const [side, line] of this.lines.entries()) {
      const first = Math.min(1, totals[side].length - 1); // no merge at all has no place of its own
      const path = linePath(
        totals[side].length - first,
        (k) => placeOfMerges(xAxis, k + first),
        (k) => yAxis.place(totals[side][k + first]),
      );
      line.setAttribute("d", `M${path}`);
    }
    const crossing = lastCrossing(totals);
    this.crossing.style.display = crossing === null ? "none" : "";
    if (crossing !== null) {
      const y = yAxis.place(totals[0][crossing]) + 5;
      setAttributes(this.crossing, { x: placeOfMerges(xAxis, crossing), y });
    }
    if (this.merges) this.show(this.merges, this.equal);
  }

  /**
   * @param {Pair<number>} merges
   * @param {number | null} equal the merges with which the second side has no more tokens than the first has now
   */
  show(merges, equal) {
    this.merges = merges;
    this.equal = equal;
    const { drawn, totals } = this;
    if (!drawn || !totals) return;
    const { width, xAxis, yAxis } = drawn;
    const [first, second] = merges.map((k, side) => ({
      x: placeOfMerges(xAxis, k),
      y: yAxis.place(totals[side][k]),
    }));
    setAttributes(this.markers[0], { cx: first.x, cy: first.y });
    setAttributes(this.markers[1], { x: second.x - 4.5, y: second.y - 4.5 });
    const to = equal === null ? width - RIVALS_RIGHT_ROOM : placeOfMerges(xAxis, equal);
    setAttributes(this.guide, { x1: first.x, x2: to, y1: first.y, y2: first.y });
    /** @param {number} side */
    const tokens = (side) =>
      `${this.names[side]} after ${decimals(merges[side])} merges: ${decimals(totals[side][merges[side]])}`;
    this.svg.setAttribute("aria-label", `Tokens against merges. ${tokens(0)}. ${tokens(1)}.`);
  }

  /** @param {PointerEvent} event */
  pointed({ clientX, clientY }) {
    if (!this.drawn || !this.totals) return;
    const box = this.svg.getBoundingClientRect();
    this.go(...nearest(this.drawn, this.totals, clientX - box.left, clientY - box.top));
  }
}

/**
 * @param {Axis} axis
 * @param {number} merges
 */
const placeOfMerges = (axis, merges) => axis.place(Math.max(1, merges)); // a logarithm has no 0

/** @param {Drawn} drawn */
function* gridLines({ width, left, xAxis, yAxis }) {
  const right = width - RIVALS_RIGHT_ROOM;
  for (const tick of xAxis.ticks) {
    const x = xAxis.place(tick);
    yield createSvg("line", { class: "grid", x1: x, x2: x, y1: RIVALS_TOP, y2: RIVALS_BOTTOM });
    const place = { x, y: RIVALS_BOTTOM + 14, "text-anchor": "middle" };
    yield createSvg("text", { class: "tick", ...place }, xAxis.write(tick));
  }
  for (const tick of yAxis.ticks) {
    const y = yAxis.place(tick);
    yield createSvg("line", { class: "grid", x1: left, x2: right, y1: y, y2: y });
    const place = { x: left - 6, y: y + 3.5, "text-anchor": "end" };
    yield createSvg("text", { class: "tick", ...place }, yAxis.write(tick));
  }
  const place = { x: (left + right) / 2, y: RIVALS_HEIGHT - 4, "text-anchor": "middle" };
  yield createSvg("text", { class: "axis", ...place }, xAxis.label);
}

/**
 * The side whose line is nearer at a place in the chart, and the merges there.
 * @param {Drawn} drawn
 * @param {Pair<Float64Array>} totals
 * @param {number} x
 * @param {number} y
 * @returns {[side: number, merges: number]}
 */
function nearest({ xAxis: { low, high, start, end }, yAxis }, totals, x, y) {
  const share = Math.max(0, Math.min(1, (x - start) / (end - start)));
  const merges = Math.round(10 ** (Math.log10(low) + share * (Math.log10(high) - Math.log10(low))));
  /** @param {number} side */
  const far = (side) => Math.abs(yAxis.place(totals[side][Math.min(merges, totals[side].length - 1)]) - y);
  return [far(1) < far(0) ? 1 : 0, merges];
}

/**
 * The fewest merges after which a side has at most so many tokens, null if it never has.
 * @param {Float64Array} totals
 * @param {number} tokens
 */
export function mergesFor(totals, tokens) {
  if (totals[totals.length - 1] > tokens) return null;
  let low = 0;
  let high = totals.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (totals[middle] <= tokens) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * The last number of merges from which on the other side is the one with fewer tokens; null if there is none.
 * @param {Pair<ArrayLike<number>>} totals
 */
export function lastCrossing([first, second]) {
  const shared = Math.min(first.length, second.length);
  let ahead = 0; // who had fewer tokens last
  let crossing = null;
  for (let k = 0; k < shared; k++) {
    const now = Math.sign(first[k] - second[k]);
    if (now && ahead && now !== ahead) crossing = k;
    if (now) ahead = now;
  }
  return crossing;
}
