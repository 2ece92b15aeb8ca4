// @ts-check
// Marks in the text what a person points at in a chart that Plotly draws beside it: a merge or a pair.

import { pointAtMerge, stage } from "./stage.js";

/** @import { Pair } from "./pair_life.js" */

/**
 * A mark or bar as Plotly reports it. Its trace's ``meta`` has the pair of each bar.
 * @typedef {{ x: number, pointNumber: number, data: { meta?: Pair[] } }} PlotPoint
 */
/**
 * An element with a chart. Its layout's ``meta`` says what its points are: see charts/frame.py.
 * @typedef {Element & {
 *   layout?: { meta?: string },
 *   on?(event: string, listener: (event: { points: PlotPoint[] }) => void): void,
 * }} Plot
 */

/** Follow the charts of the page, also those that are drawn later. */
export function followCharts() {
  if (stage.charts) return; // the part's script runs again with each step
  const charts = new WeakSet();
  stage.charts = charts;
  document.addEventListener("pointerover", ({ target }) => {
    const plot =
      target instanceof Element ? /** @type {Plot | null} */ (target.closest(".js-plotly-plot")) : null;
    if (!plot?.on || charts.has(plot)) return;
    charts.add(plot);
    plot.on("plotly_hover", ({ points }) => pointInChart(plot.layout?.meta, points[0]));
    plot.on("plotly_unhover", () => stage.point());
  });
}

/**
 * Mark what a point of a chart stands for; nothing in a chart of neither.
 * @param {string | undefined} kind
 * @param {PlotPoint} point
 */
export function pointInChart(kind, { x, pointNumber, data }) {
  if (kind === "merges" && x > 0) pointAtMerge(x - 1);
  if (kind === "pairs") stage.point({ pair: data.meta?.[pointNumber] ?? null });
}
