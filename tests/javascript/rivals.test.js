// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { aheadFrom, lastCrossing, mergesFor } from "../../bpeviz/browser/comparer/rivals_chart.js";

const TOTALS = Float64Array.from([11, 9, 7, 5]); // aaabdaaabac

test("the fewest merges that leave so many tokens", () => {
  assert.deepEqual(
    [12, 11, 10, 9, 6, 5].map((tokens) => mergesFor(TOTALS, tokens)),
    [0, 0, 1, 1, 3, 3],
  );
  assert.equal(mergesFor(TOTALS, 4), null);
});

test("the last crossing: from there on the other side has fewer tokens", () => {
  assert.equal(
    lastCrossing([
      [11, 9, 7, 5],
      [11, 8, 7, 6],
    ]),
    3,
  );
  assert.equal(
    lastCrossing([
      [11, 9, 7, 5],
      [11, 8, 6, 4],
    ]),
    null,
  );
  assert.equal(
    lastCrossing([
      [11, 9],
      [11, 9],
    ]),
    null,
  );
  assert.equal(
    lastCrossing([
      [5, 3, 4, 2],
      [4, 4, 3, 3],
    ]),
    3,
  );
});

test("from where on one side is ahead, and that lines which only meet don't cross", () => {
  /** @type {import("../../bpeviz/browser/comparer/agreement.js").Pair<number[]>} */
  const meet = [
    [9, 7, 7, 5],
    [9, 8, 7, 6],
  ];
  assert.deepEqual([aheadFrom(meet), lastCrossing(meet)], [3, null]);
  assert.equal(
    aheadFrom([
      [9, 7],
      [9, 7],
    ]),
    null,
  );
  assert.equal(aheadFrom([[], []]), null);
});
