// @ts-check
// Three curves over all merges: bytes per token, the winning count, vocabulary size against tokens. A line is
// drawn once for each run and width; a step only moves its marker. A click goes to the step there. They are hidden
// until the person opens them.

import { Axis, DIGIT_WIDTH, extremes, gridLines } from "../shared/axis.js";
import { clipBy, linePath, onDrag } from "../shared/curve.js";
import { create, createSvg, find, setAttributes } from "../shared/elements.js";
import { firstIndex } from "../shared/gap_ranks.js";
import { counted, decimals } from "../shared/numbers.js";
import { bytesPerToken } from "./scrubber.js";

/** @import { AxisKind } from "../shared/axis.js" */
/** @import { Run } from "../shared/types" */

/**
 * What a chart shows. A point's number is its step; x only ascends.
 * @typedef {object} ChartKind
 * @property {string} name
 * @property {string} title
 * @property {AxisKind} xAxis
 * @property {AxisKind} yAxis
 * @property {(run: Run) => number} points
 * @property {(run: Run, step: number) => number} x
 * @property {(run: Run, step: number) => number} y
 * @property {(run: Run, step: number) => string} value
 */
/** What is drawn of a run for one width. @typedef {{ run: Run, width: number, xAxis: Axis, yAxis: Axis }} Drawn */

const CHART_HEIGHT = 206;
const PLOT_TOP = 46;
const PLOT_BOTTOM = CHART_HEIGHT - 34;
const PLOT_RIGHT_ROOM = 12; // pixels, for half of the last tick's number
const REST = 250; // milliseconds without a step before the charts' descriptions change

/** @type {ChartKind[]} */
const CHARTS = [
  {
    name: "ratio",
    title: "Bytes per token",
    xAxis: { label: "merges made" },
    yAxis: { label: "bytes per token", fractions: true },
    points: (run) => run.num_merges + 1,
    x: (_, step) => step,
    y: (run, step) => bytesPerToken(run, step),
    value: (run, step) => decimals(bytesPerToken(run, step), 2),
  },
  {
    name: "count",
    title: "Count of each merged pair",
    xAxis: { label: "merge, log scale", log: true },
    yAxis: { label: "occurrences, log scale", log: true },
    points: (run) => run.num_merges,
    x: (_, step) => step + 1,
    y: (run, step) => run.counts[step],
    value: (run, step) => `${decimals(run.counts[step])} for merge ${decimals(step + 1)}`,
  },
  {
    name: "vocabulary",
    title: "Vocabulary size and tokens",
    xAxis: { label: "vocabulary size" },
    yAxis: { label: "tokens" },
    points: (run) => run.num_merges + 1,
    x: (run, step) => run.vocab_sizes[step],
    y: (run, step) => run.totals[step],
    value: (run, step) => `${decimals(run.vocab_sizes[step])} entries, ${decimals(run.totals[step])} tokens`,
  },
];

export class Curves {
  /**
   * @param {ParentNode} root
   * @param {(step: number) => void} go
   */
  constructor(root, go) {
    this.charts = CHARTS.map((kind) => new Chart(kind, go));
    this.details = find(root, "details.curves", HTMLDetailsElement);
    this.details.open = wasOpen();
    this.details.addEventListener("toggle", () => keepOpen(this.details.open));
    this.step = 0;
    this.inSight = false; // charts out of sight are not drawn while playing
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.restTimer = undefined;
    const list = find(root, ".charts");
    list.replaceChildren(...this.charts.map((chart) => chart.figure));
    this.resizeObserver = new ResizeObserver(() => {
      for (const chart of this.charts) chart.draw();
    });
    this.resizeObserver.observe(list);
    this.sightObserver = new IntersectionObserver((changes) =>
      this.sighted(changes[changes.length - 1].isIntersecting),
    );
    this.sightObserver.observe(list);
  }

  stop() {
    clearTimeout(this.restTimer);
    this.resizeObserver.disconnect();
    this.sightObserver.disconnect();
  }

  /** @param {Run} run */
  load(run) {
    this.details.hidden = !run.num_merges; // no curve over no merges
    for (const chart of this.charts) chart.load(run);
  }

  /** @param {boolean} inSight */
  sighted(inSight) {
    this.inSight = inSight;
    if (inSight) this.move();
  }

  /** @param {number} step */
  show(step) {
    this.step = step;
    if (this.inSight) this.move();
    clearTimeout(this.restTimer);
    this.restTimer = setTimeout(() => this.settle(), REST);
  }

  move() {
    for (const chart of this.charts) chart.show(this.step);
  }

  settle() {
    this.move();
    for (const chart of this.charts) chart.describe();
  }
}

const OPEN = "bpeviz-curves"; // in the tab's storage, if it has one

function wasOpen() {
  try {
    return sessionStorage.getItem(OPEN) === "open";
  } catch {
    return false;
  }
}

/** @param {boolean} open */
function keepOpen(open) {
  try {
    sessionStorage.setItem(OPEN, open ? "open" : "closed");
  } catch {
    // Then they are closed again on the next run.
  }
}

export class Chart {
  /**
   * @param {ChartKind} kind
   * @param {(step: number) => void} go
   */
  constructor(kind, go) {
    this.kind = kind;
    this.step = 0;
    this.points = 0;
    /** @type {Run | null} */
    this.run = null;
    /** @type {Drawn | null} */
    this.drawn = null;
    this.figure = create("figure", "chart");
    this.figure.dataset.chart = kind.name;
    this.svg = createSvg("svg", { role: "img", height: CHART_HEIGHT });
    this.grid = createSvg("g");
    this.value = createSvg("text", { class: "value", y: 30 });
    this.lines = [createSvg("path", { class: "line" }), createSvg("path", { class: "line past" })];
    this.past = createSvg("rect", { x: 0, y: 0, height: CHART_HEIGHT });
    this.marker = new Marker("here");
    this.pointed = new Marker("pointed");
    const clip = createSvg("clipPath");
    clip.append(this.past);
    clipBy(clip, this.lines[1]);
    const title = createSvg("text", { class: "name", y: 12 }, kind.title);
    this.svg.append(title, this.value, clip, this.grid, ...this.lines, this.pointed.group, this.marker.group);
    this.readout = create("div", "readout");
    this.figure.append(this.svg, this.readout);
    onDrag(this.svg, (event) => go(this.stepAt(event)));
    this.svg.addEventListener("pointermove", (event) => this.point(event));
    this.svg.addEventListener("pointerleave", () => this.figure.classList.remove("pointing"));
  }

  /** @param {Run} run */
  load(run) {
    this.run = run;
    this.points = this.kind.points(run);
    this.drawn = null;
    this.draw();
  }

  // Draw what doesn't depend on the step, unless it is drawn for this width or the chart has no width.
  draw() {
    const { run, kind, points } = this;
    const width = this.svg.clientWidth;
    if (!run?.num_merges || !width || width === this.drawn?.width) return;
    const values = extremes(points, (k) => kind.y(run, k));
    const yAxis = new Axis(kind.yAxis, values, PLOT_BOTTOM, PLOT_TOP, 36, true);
    const labels = yAxis.ticks.map((tick) => yAxis.write(tick));
    const left = 26 + DIGIT_WIDTH * Math.max(...labels.map((label) => label.length));
    /** @type {[number, number]} */
    const ends = [kind.x(run, 0), kind.x(run, points - 1)];
    const xAxis = new Axis(kind.xAxis, ends, left, width - PLOT_RIGHT_ROOM, 46, false);
    const drawn = { run, width, xAxis, yAxis };
    this.drawn = drawn;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${CHART_HEIGHT}`);
    this.grid.replaceChildren(...gridLines(xAxis, yAxis), turnedLabel(yAxis));
    const path = linePath(
      points,
      (k) => this.x(drawn, k),
      (k) => this.y(drawn, k),
    );
    for (const line of this.lines) line.setAttribute("d", `M${path}`);
    this.show(this.step);
    this.describe();
  }

  /**
   * @param {Drawn} drawn
   * @param {number} step
   */
  x({ run, xAxis }, step) {
    return xAxis.place(this.kind.x(run, step));
  }

  /**
   * @param {Drawn} drawn
   * @param {number} step
   */
  y({ run, yAxis }, step) {
    return yAxis.place(this.kind.y(run, step));
  }

  /**
   * Mark the step's point. After the last merge no pair wins, so the last one that did stays marked.
   * @param {number} step
   */
  show(step) {
    this.step = step;
    const { drawn } = this;
    if (!drawn) return;
    const point = Math.min(step, this.points - 1);
    const x = this.x(drawn, point);
    this.marker.move(x, this.y(drawn, point));
    this.past.setAttribute("width", String(x));
    this.value.textContent = this.kind.value(drawn.run, point);
  }

  describe() {
    if (!this.drawn) return;
    const description = `${this.kind.title}: ${this.value.textContent}, ${after(this.step)}`;
    this.svg.setAttribute("aria-label", description);
  }

  /**
   * The step whose point is nearest by x; if several have the same x, as when a token is made again, by y.
   * @param {PointerEvent} event
   */
  stepAt({ clientX, clientY }) {
    const { drawn } = this;
    if (!drawn) return this.step;
    const box = this.svg.getBoundingClientRect();
    return nearestPoint(
      this.points,
      (k) => this.x(drawn, k),
      (k) => this.y(drawn, k),
      clientX - box.left,
      clientY - box.top,
    );
  }

  /** @param {PointerEvent} event */
  point(event) {
    const { drawn } = this;
    if (!drawn) return;
    const step = this.stepAt(event);
    const x = this.x(drawn, step);
    const y = this.y(drawn, step);
    this.pointed.move(x, y);
    const value = create("b", "", this.kind.value(drawn.run, step));
    this.readout.replaceChildren(value, create("span", "", after(step)));
    this.figure.classList.add("pointing");
    const { offsetWidth, offsetHeight } = this.readout;
    const left = x + 10 + offsetWidth > drawn.width ? x - 10 - offsetWidth : x + 10;
    const top = y - 8 - offsetHeight < 0 ? y + 10 : y - 8 - offsetHeight;
    this.readout.style.left = `${Math.max(0, left)}px`;
    this.readout.style.top = `${top}px`;
  }
}

/** @param {Axis} axis */
function turnedLabel({ label, start, end }) {
  const turned = { transform: `translate(10 ${(start + end) / 2}) rotate(-90)`, "text-anchor": "middle" };
  return createSvg("text", { class: "axis", ...turned }, label);
}

/**
 * The number of the point that is nearest to a place by x; of those that share it, by y.
 * @param {number} points with ascending x
 * @param {(k: number) => number} pointX
 * @param {(k: number) => number} pointY
 * @param {number} x
 * @param {number} y
 */
export function nearestPoint(points, pointX, pointY, x, y) {
  let low = firstIndex(Math.max(0, points - 1), (k) => pointX(k) >= x);
  if (low > 0 && x - pointX(low - 1) < pointX(low) - x) low--;
  let nearest = low;
  /** @param {number} k */
  const nearer = (k) => {
    if (Math.abs(pointY(k) - y) < Math.abs(pointY(nearest) - y)) nearest = k;
  };
  const shared = pointX(low);
  for (let k = low - 1; k >= 0 && pointX(k) === shared; k--) nearer(k);
  for (let k = low + 1; k < points && pointX(k) === shared; k++) nearer(k);
  return nearest;
}

// A dot on a line, and a vertical line through it.
class Marker {
  /** @param {string} name */
  constructor(name) {
    this.group = createSvg("g", { class: name });
    this.line = createSvg("line", { y1: PLOT_TOP, y2: PLOT_BOTTOM });
    this.dot = createSvg("circle", { r: 4 });
    this.group.append(this.line, this.dot);
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  move(x, y) {
    setAttributes(this.line, { x1: x, x2: x });
    setAttributes(this.dot, { cx: x, cy: y });
  }
}

/** @param {number} step */
const after = (step) => `after ${counted(step, "merge")}`;
