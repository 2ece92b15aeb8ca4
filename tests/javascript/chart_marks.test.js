// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { pointInChart } from "../../bpeviz/browser/player/chart_marks.js";
import { stage } from "../../bpeviz/browser/player/stage.js";

/** @import { Player } from "../../bpeviz/browser/player/merge_player.js" */

const run = { num_merges: 2, lefts: [97, 256], rights: [98, 99] };
stage.player = /** @type {Player} */ (/** @type {unknown} */ ({ run, step: 0 }));
/** @type {{ x: number, pointNumber: number, data: { meta: [number, number][] } }} */
const at = {
  x: 2,
  pointNumber: 1,
  data: {
    meta: [
      [1, 2],
      [3, 4],
    ],
  },
};

test("a mark of a chart over the merges marks its merge, and one before the first none", () => {
  pointInChart("merges", at);
  assert.deepEqual(stage.pointed, { merge: 1, pair: [256, 99], token: null });
  stage.point();
  pointInChart("merges", { ...at, x: 0 });
  assert.deepEqual(stage.pointed, { merge: null, pair: null, token: null });
});

test("a bar of a pair marks that pair, and other charts mark nothing", () => {
  pointInChart("pairs", at);
  assert.deepEqual(stage.pointed.pair, [3, 4]);
  stage.point();
  pointInChart(undefined, at);
  assert.deepEqual(stage.pointed.pair, null);
});
