// @ts-check
// A chart of both sides' token counts after every number of merges: where the lines cross, and with how many merges
// one side matches the other.

import { Axis, DIGIT_WIDTH, gridLines } from "../shared/axis.js";
import { linePath, onDrag } from "../shared/curve.js";
import { createSvg, find, setAttributes } from "../shared/elements.js";
import { firstIndex } from "../shared/gap_ranks.js";
import { decimals } from "../shared/numbers.js";

/** @import { Pair } from "./agreement.js" */

const RIVALS_HEIGHT = 300;
const RIVALS_TOP = 12;
const RIVALS_BOTTOM = RIVALS_HEIGHT - 34;
const RIVALS_RIGHT_ROOM = 16;

/** What is drawn for one width. @typedef {{ width: number, xAxis: Axis, yAxis: Axis }} Drawn */

export class RivalsChart {
  /**
   * @param {HTMLElement} card
   * @param {(side: number, merges: number) => void} go set a side's number of merges
   */
  constructor(card, go) {
    this.svg = find(card, "svg", SVGSVGElement);
    this.svg.setAttribute("height", String(RIVALS_HEIGHT));
    /** @type {Pair<Float64Array> | null} */
    this.totals = null;
    /** @type {string[]} */
    this.names = [];
    /** @type {number | null} */
    this.crossesAt = null;
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

  // Draw nothing more until the next load: the new sides may have fewer merges.
  clear() {
    this.totals = this.merges = this.drawn = null;
  }

  /**
   * @param {Pair<Float64Array>} totals for each side the tokens after 0, 1, … merges
   * @param {string[]} names
   * @param {number | null} crossing the number of merges at which the lines cross last
   */
  load(totals, names, crossing) {
    this.totals = totals;
    this.names = names;
    this.crossesAt = crossing;
    this.draw();
  }

  // Draw what doesn't depend on the sliders.
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
    this.drawn = { width, xAxis, yAxis };
    this.svg.setAttribute("viewBox", `0 0 ${width} ${RIVALS_HEIGHT}`);
    this.grid.replaceChildren(...gridLines(xAxis, yAxis));
    for (const [side, line] of this.lines.entries()) {
      const first = Math.min(1, totals[side].length - 1); // a log axis has no place for 0 merges
      const path = linePath(
        totals[side].length - first,
        (k) => placeOfMerges(xAxis, k + first),
        (k) => yAxis.place(totals[side][k + first]),
      );
      line.setAttribute("d", `M${path}`);
    }
    const crossing = this.crossesAt;
    this.crossing.style.display = crossing === null ? "none" : "";
    if (crossing !== null) {
      const y = yAxis.place(totals[0][crossing]) + 5;
      setAttributes(this.crossing, { x: placeOfMerges(xAxis, crossing), y });
    }
    if (this.merges) this.show(this.merges, this.equal);
  }

  /**
   * @param {Pair<number>} merges
   * @param {number | null} equal the merges after which the second side has at most as many tokens as the first
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

/**
 * The side whose line is nearer to a place in the chart, and the number of merges there.
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
  const merges = firstIndex(totals.length, (k) => totals[k] <= tokens);
  return merges < totals.length ? merges : null;
}

/**
 * From how many merges on one side has fewer tokens at every number of merges that both have; null if both need equally
 * many in the end. Of 9 8 7 5 and 9 7 7 6 the first is ahead from 3 on.
 * @param {Pair<ArrayLike<number>>} totals
 */
export function aheadFrom([first, second]) {
  const ahead = (/** @type {number} */ k) => Math.sign(second[k] - first[k]);
  let from = Math.min(first.length, second.length) - 1;
  if (from < 0 || !ahead(from)) return null;
  while (from > 0 && ahead(from - 1) === ahead(from)) from--;
  return from;
}

/**
 * The number of merges at which the lines cross last; null if they don't.
 * @param {Pair<ArrayLike<number>>} totals
 */
export function lastCrossing(totals) {
  const from = aheadFrom(totals);
  if (from === null) return null;
  const [first, second] = totals;
  const ahead = Math.sign(second[from] - first[from]);
  for (let k = 0; k < from; k++) if (Math.sign(second[k] - first[k]) === -ahead) return from;
  return null;
}
