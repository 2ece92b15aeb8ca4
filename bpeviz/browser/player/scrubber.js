// @ts-check
// The scrubber: the curve of bytes per token over all merges, with a tick under every tie.

import { clipBy, linePath, onDrag } from "../shared/curve.js";
import { create, find, setAttributes } from "../shared/elements.js";
import { counted, decimals } from "../shared/numbers.js";
import { forksAt, markForks } from "./fork_marks.js";
import { pointAtMerge, stage } from "./stage.js";

/** @import { Run } from "../shared/types" */

const CURVE_WIDTH = 1000;
const CURVE_HEIGHT = 54;
const BESIDE = 10; // pixels between the pointer and its tip

/** The keys of a slider that the player has no use for, and how many merges they go. @type {Record<string, number>} */
const FURTHER_KEYS = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 };

export class Scrubber {
  /**
   * @param {ParentNode} root
   * @param {(step: number) => void} go
   */
  constructor(root, go) {
    this.svg = find(root, ".curve", SVGSVGElement);
    this.done = find(root, ".done", SVGElement);
    this.marker = find(root, ".marker", SVGElement);
    this.merges = 0;
    /** @type {Run | null} */
    this.run = null;
    this.tieName = find(root, ".tie-name");
    this.tip = find(root, ".pointed-at");
    this.svg.addEventListener("pointermove", ({ clientX, clientY }) => this.point(clientX, clientY));
    this.svg.addEventListener("pointerleave", () => {
      this.tip.hidden = true;
      stage.point();
    });
    this.step = 0;
    this.svg.addEventListener("keydown", (event) => {
      const by = FURTHER_KEYS[event.key];
      if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      go(this.step + by);
    });
    clipBy(find(this.svg, "clipPath", SVGClipPathElement), find(this.svg, ".made", SVGElement));
    onDrag(this.svg, ({ clientX }) => {
      const { left, width } = this.svg.getBoundingClientRect();
      go(stepAt(clientX - left, width, this.merges));
    });
  }

  /** @param {Run} run */
  load(run) {
    this.run = run;
    this.merges = run.num_merges;
    this.tieName.hidden = !run.tied.some((tied) => tied > 1);
    this.tip.hidden = true;
    const lowest = bytesPerToken(run, 0);
    const highest = Math.max(bytesPerToken(run, this.merges), lowest * 1.01);
    /** @param {number} k */
    const y = (k) => {
      const share = (bytesPerToken(run, k) - lowest) / (highest - lowest);
      return CURVE_HEIGHT - 4 - share * (CURVE_HEIGHT - 12);
    };
    const line = linePath(this.merges + 1, (k) => placeOf(k, this.merges), y);
    const area = `M0 ${CURVE_HEIGHT}L${line}L${CURVE_WIDTH} ${CURVE_HEIGHT}Z`;
    for (const path of this.svg.querySelectorAll(".area")) path.setAttribute("d", area);
    find(this.svg, ".ties", SVGElement).setAttribute("d", tieTicks(run.tied, this.merges));
    markForks(this.svg, run);
    setAttributes(this.svg, { "aria-valuemin": 0, "aria-valuemax": this.merges });
  }

  /**
   * Say to where a click at a place in the window goes: before which merge; and what the fork there does.
   * @param {number} clientX
   * @param {number} clientY
   */
  point(clientX, clientY) {
    const { run, merges, tip } = this;
    if (!run || !merges) return;
    const { left, width } = this.svg.getBoundingClientRect();
    const step = stepAt(clientX - left, width, merges);
    const says = step < merges ? mergeAt(run, step) : `after ${counted(merges, "merge")}`;
    const forks = forksAt(this.svg, clientX, clientY);
    tip.replaceChildren(...[says, ...forks].map((line) => create("div", "", line)));
    tip.hidden = false;
    pointAtMerge(step);
    const x = Math.max(0, Math.min(width, clientX - left));
    const right = x + BESIDE + tip.offsetWidth <= width;
    tip.style.left = `${right ? x + BESIDE : Math.max(0, x - BESIDE - tip.offsetWidth)}px`;
  }

  /**
   * @param {number} step
   * @param {boolean} playing then screen readers hear of no step
   */
  show(step, playing) {
    this.step = step;
    const x = placeOf(step, this.merges);
    this.done.setAttribute("width", String(x));
    setAttributes(this.marker, { x1: x, x2: x });
    if (!playing)
      setAttributes(this.svg, {
        "aria-valuenow": step,
        "aria-valuetext": `${decimals(step)} of ${this.run?.guess ? "?" : counted(this.merges, "merge")}`,
      });
  }
}

/**
 * The step of a place on the scrubber: the one before the merge that is there. The last pixel is of the last step.
 * @param {number} x pixels from its start
 * @param {number} width
 * @param {number} merges
 */
export function stepAt(x, width, merges) {
  if (x >= width - 1) return merges;
  return Math.max(0, Math.min(merges - 1, Math.floor((x / width) * merges)));
}

/**
 * What the scrubber says of a merge: its number, its pair, and the tie that it was.
 * @param {Run} run
 * @param {number} rank
 */
export function mergeAt({ labels, lefts, rights, tied, start_ranks: ranks, start_name: name }, rank) {
  const tie = tied[rank] > 1 ? `, tie of ${decimals(tied[rank])}` : "";
  const pair = [lefts[rank], rights[rank]].map((id) => `\u2068${labels[id]}\u2069`).join(" + ");
  const ofStart = ranks && ranks[rank] >= 0 ? `, merge ${decimals(ranks[rank] + 1)} of ${name}` : "";
  return `merge ${decimals(rank + 1)}: ${pair}${tie}${ofStart}`;
}

/**
 * @param {number} k
 * @param {number} merges
 */
const placeOf = (k, merges) => (merges ? (k / merges) * CURVE_WIDTH : 0);

/**
 * The path of the ticks: one for each tie, as far as there is room.
 * @param {Int32Array} tied
 * @param {number} merges
 */
export function tieTicks(tied, merges) {
  const width = Math.max(1.2, (CURVE_WIDTH / Math.max(1, merges)) * 0.7);
  let path = "";
  let free = 0;
  for (let k = 0; k < merges; k++) {
    const x = placeOf(k, merges);
    if (tied[k] < 2 || x < free) continue;
    path += `M${x.toFixed(1)} ${CURVE_HEIGHT - 3}h${width.toFixed(1)}v3h-${width.toFixed(1)}z`;
    free = x + width;
  }
  return path;
}

/**
 * @param {Run} run
 * @param {number} step
 */
export const bytesPerToken = (run, step) => run.text_bytes / run.totals[step];
