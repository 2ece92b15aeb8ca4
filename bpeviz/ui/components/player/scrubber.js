// @ts-check
// The scrubber: the curve of bytes per token over all merges, with a tick under every tie.

import { clipBy, linePath, onDrag } from "../shared/curve.js";
import { find, setAttributes } from "../shared/elements.js";

/** @import { Run } from "../shared/types" */

const CURVE_WIDTH = 1000;
const CURVE_HEIGHT = 54;

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
    clipBy(find(this.svg, "clipPath", SVGClipPathElement), find(this.svg, ".made", SVGElement));
    onDrag(this.svg, ({ clientX }) => {
      const box = this.svg.getBoundingClientRect();
      go(Math.round(((clientX - box.left) / box.width) * this.merges));
    });
  }

  /** @param {Run} run */
  load(run) {
    this.merges = run.num_merges;
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
    setAttributes(this.svg, { "aria-valuemin": 0, "aria-valuemax": this.merges });
  }

  /** @param {number} step */
  show(step) {
    const x = placeOf(step, this.merges);
    this.done.setAttribute("width", String(x));
    setAttributes(this.marker, { x1: x, x2: x });
    setAttributes(this.svg, { "aria-valuenow": step, "aria-valuetext": `${step} of ${this.merges} merges` });
  }
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
