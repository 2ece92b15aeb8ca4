// @ts-check
// Axes of the charts that we draw in SVG. With d3-scale a saved page would have 29 kB more, and its ticks can be more
// than fit, or fractions of counts.

import { createSvg } from "./elements.js";
import { decimals } from "./numbers.js";

export const DIGIT_WIDTH = 6.4;

/** @typedef {{ label: string, log?: boolean, fractions?: boolean }} AxisKind */

// Turns values into pixels, and has round numbers as ticks, at least so many pixels apart.
export class Axis {
  /**
   * @param {AxisKind} kind
   * @param {[low: number, high: number]} values
   * @param {number} start
   * @param {number} end
   * @param {number} apart
   * @param {boolean} widen
   */
  constructor({ label, log = false, fractions = false }, [low, high], start, end, apart, widen) {
    this.label = label;
    /** @type {(value: number) => number} */
    this.bend = log ? Math.log10 : (value) => value;
    this.start = start;
    this.end = end;
    if (low === high) {
      [low, high] = log ? [low / 2, high * 2] : [low - Math.max(1, low / 10), high + Math.max(1, high / 10)];
    } else if (log && widen) [low, high] = [low / 1.2, high * 1.2];
    const most = Math.max(2, Math.abs(end - start) / apart);
    this.every = tickStep(low, high, most, fractions);
    if (widen && !log) {
      low = Math.floor(low / this.every) * this.every;
      high = Math.ceil(high / this.every) * this.every;
    }
    this.low = low;
    this.high = high;
    this.ticks = log ? logTicks(low, high, this.every) : multiples(this.every, low, high);
  }

  /** @param {number} value */
  place(value) {
    const { bend, low, high, start, end } = this;
    return start + ((bend(value) - bend(low)) / (bend(high) - bend(low))) * (end - start);
  }

  /** @param {number} tick */
  write(tick) {
    // short only if that leaves no digit out: two ticks must not have the same text
    const exact = this.high < 1_000_000 ? 100 : 1000;
    const short = this.high >= 10_000 && this.ticks.every((each) => each % exact === 0);
    if (!short) return decimals(tick, Math.max(0, -Math.floor(Math.log10(this.every))));
    return tick.toLocaleString("en", { notation: "compact", maximumFractionDigits: 3 }).replace("K", "k");
  }
}

/**
 * The step between ticks, 1, 2 or 5 times a power of ten, so that there are at most so many.
 * @param {number} low
 * @param {number} high
 * @param {number} most
 * @param {boolean} fractions
 */
export function tickStep(low, high, most, fractions) {
  const least = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5].find((each) => each * power >= least * 0.999) ?? 10;
  return fractions ? factor * power : Math.max(1, factor * power);
}

/**
 * @param {number} step
 * @param {number} low
 * @param {number} high
 */
function multiples(step, low, high) {
  const slack = step * 1e-6; // fractions add up inexactly
  const first = Math.ceil((low - slack) / step);
  const last = Math.floor((high + slack) / step);
  return Array.from({ length: last - first + 1 }, (_, n) => (first + n) * step);
}

/**
 * Powers of ten; if these are too few, also 2 and 5 times as much; if these are too few, even steps.
 * @param {number} low
 * @param {number} high
 * @param {number} every
 */
function logTicks(low, high, every) {
  const exponents = multiples(1, Math.floor(Math.log10(low)), Math.ceil(Math.log10(high)));
  /** @param {number[]} factors */
  const inside = (factors) =>
    exponents
      .flatMap((exponent) => factors.map((factor) => factor * 10 ** exponent))
      .filter((tick) => tick >= Math.max(1, low) && tick <= high);
  return [inside([1]), inside([1, 2, 5])].find((ticks) => ticks.length >= 3) ?? multiples(every, low, high);
}

/**
 * The lines and numbers of both axes, and the label of the one along x.
 * @param {Axis} xAxis
 * @param {Axis} yAxis
 */
export function* gridLines(xAxis, yAxis) {
  const { start: left, end: right } = xAxis;
  const { start: bottom, end: top } = yAxis;
  for (const tick of xAxis.ticks) {
    const x = xAxis.place(tick);
    yield createSvg("line", { class: "grid", x1: x, x2: x, y1: top, y2: bottom });
    const place = { x, y: bottom + 14, "text-anchor": "middle" };
    yield createSvg("text", { class: "tick", ...place }, xAxis.write(tick));
  }
  for (const tick of yAxis.ticks) {
    const y = yAxis.place(tick);
    yield createSvg("line", { class: "grid", x1: left, x2: right, y1: y, y2: y });
    const place = { x: left - 6, y: y + 3.5, "text-anchor": "end" };
    yield createSvg("text", { class: "tick", ...place }, yAxis.write(tick));
  }
  const place = { x: (left + right) / 2, y: bottom + 30, "text-anchor": "middle" };
  yield createSvg("text", { class: "axis", ...place }, xAxis.label);
}

/**
 * The least and the greatest value of a curve.
 * @param {number} points
 * @param {(k: number) => number} value
 * @returns {[low: number, high: number]}
 */
export function extremes(points, value) {
  let low = Infinity;
  let high = -Infinity;
  for (let k = 0; k < points; k++) {
    low = Math.min(low, value(k));
    high = Math.max(high, value(k));
  }
  return [low, high];
}
